/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-model.h"

#include "base/atn-error.h"
#include "model/atn-card.h"
#include "model/atn-family.h"

#include <glib/gi18n-lib.h>

/* Names of unused tensors that a warning quotes before it says "and N more". */
#define MAX_NAMES 5

/* Share of the whole progress that reading the files gets; checking the values gets the rest. */
#define READING_SHARE 0.6

struct _AtnModel
{
  gatomicrefcount ref_count;
  AtnWeights *weights;
  AtnTokenizer *tokenizer;
  AtnConfig config;
  AtnSlots *slots;
  int is_loaded; /* atomic; all tensors of the slots have been read and checked */
  char *name;
  GPtrArray *warnings;
};

typedef struct
{
  AtnProgressFunc progress;
  gpointer progress_data;
  double first;
  double share;
} Part;

static void
report_part_cb (double fraction, gpointer user_data)
{
  const Part *part = user_data;

  if (part->progress != NULL)
    part->progress (part->first + part->share * fraction, part->progress_data);
}

static void
warn_unused (AtnModel *self)
{
  const GPtrArray *unused = self->slots->unused;
  g_autoptr (GString) names = g_string_new (NULL);

  if (unused->len == 0)
    return;

  for (guint i = 0; i < MIN (unused->len, MAX_NAMES); i++)
    g_string_append_printf (names, "%s“%s”", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (unused, i));
  if (unused->len > MAX_NAMES)
    g_string_append_printf (names, " …");

  g_ptr_array_add (self->warnings,
                   g_strdup_printf (ngettext ("%u tensor of the file is not used: %s",
                                              "%u tensors of the file are not used: %s",
                                              unused->len),
                                    unused->len, names->str));
}

static void
warn_token_ids (AtnModel *self)
{
  size_t n_ids = atn_tokenizer_get_n_ids (self->tokenizer);

  if (n_ids <= self->config.d_vocab)
    return;

  g_ptr_array_add (self->warnings,
                   g_strdup_printf (_ ("The tokenizer has ids up to %zu, but the model has only "
                                       "%zu embedding rows: a sentence with a token beyond "
                                       "them cannot be run"),
                                    n_ids - 1, self->config.d_vocab));
}

static gboolean
open_tokenizer (AtnModel *self, GError **error)
{
  const AtnJson *json = atn_weights_get_tokenizer (self->weights);

  if (json == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("The model has no tokenizer: “tokenizer.json” is missing"));
    return FALSE;
  }

  self->tokenizer = atn_tokenizer_new (json, error);
  if (self->tokenizer == NULL)
    g_prefix_error (error, "tokenizer: ");

  return self->tokenizer != NULL;
}

static gboolean
load_tensors (AtnModel *self, const AtnProgress *progress, GError **error)
{
  const GPtrArray *used = self->slots->used;

  for (guint i = 0; i < used->len; i++) {
    const char *name = g_ptr_array_index (used, i);
    const AtnTensorInfo *info = atn_weights_find (self->weights, name);

    if (!atn_progress_step (progress, (double) i / (double) used->len, error) ||
        atn_weights_get_floats (self->weights, name, info->n_dims, info->shape, error) == NULL)
      return FALSE;
  }

  g_atomic_int_set (&self->is_loaded, 1);
  return TRUE;
}

gboolean
atn_model_load_weights (AtnModel *self, const AtnProgress *progress, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (!atn_weights_check_files (self->weights, error))
    return FALSE;
  if (g_atomic_int_get (&self->is_loaded))
    return TRUE;

  if (!load_tensors (self, progress, error)) {
    atn_weights_prefix_path (error, atn_weights_get_path (self->weights));
    return FALSE;
  }

  return atn_weights_check_files (self->weights, error);
}

/* A tensor that is missing or of another type says little where all are packed by a quantiser. */
static void
name_quantiser (const AtnJson *config, GError **error)
{
  const AtnJson *node = atn_json_get_member (config, "quantization_config");
  const char *method = NULL;

  if (node == NULL || atn_json_get_kind (node) != ATN_JSON_OBJECT ||
      !atn_json_read_string (node, "quant_method", ATN_JSON_OPTIONAL, &method, NULL))
    return;

  g_prefix_error (error,
                  _ ("the weights are quantised (“quant_method” is “%s”), and of such models only "
                     "GGUF files are read: "),
                  method != NULL ? method : "");
}

static gboolean
open_slots (AtnModel *self,
            const AtnFamily *family,
            Part *part,
            GCancellable *cancellable,
            GError **error)
{
  self->slots =
    atn_slots_new (family, &self->config, self->weights, report_part_cb, part, cancellable, error);
  if (self->slots == NULL && !g_cancellable_is_cancelled (cancellable))
    name_quantiser (atn_weights_get_config (self->weights), error);

  return self->slots != NULL;
}

static gboolean
fill_model (AtnModel *self, Part *part, GCancellable *cancellable, GError **error)
{
  const AtnProgress quiet = { .cancellable = cancellable };
  const AtnFamily *family;

  if (!atn_config_read (atn_weights_get_config (self->weights), &family, &self->config, error))
    return FALSE;

  if (family->find_head != NULL)
    family->find_head (self->weights, &self->config);

  if (!open_slots (self, family, part, cancellable, error) || !open_tokenizer (self, error))
    return FALSE;

  /* Here the values are in memory already: who opens the file hears of their faults at once. */
  if (!atn_weights_is_mapped (self->weights) && !load_tensors (self, &quiet, error))
    return FALSE;

  warn_unused (self);
  warn_token_ids (self);
  atn_card_check_examples (atn_weights_get_card (self->weights), &self->config, self->warnings);
  return TRUE;
}

AtnModel *
atn_model_open (const char *path,
                AtnProgressFunc progress,
                gpointer progress_data,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (AtnModel) self = g_new0 (AtnModel, 1);
  Part reading = { progress, progress_data, 0.0, READING_SHARE };
  Part checking = { progress, progress_data, READING_SHARE, 1.0 - READING_SHARE };
  GError *local_error = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->weights = atn_weights_open (path, report_part_cb, &reading, cancellable, error);
  if (self->weights == NULL)
    return NULL;

  if (!fill_model (self, &checking, cancellable, &local_error)) {
    if (!g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
        !g_str_has_prefix (local_error->message, path))
      g_prefix_error (&local_error, "%s: ", path);
    g_propagate_error (error, local_error);
    return NULL;
  }

  self->name = atn_card_dup_name (atn_weights_get_card (self->weights), path);
  if (progress != NULL)
    progress (1.0, progress_data);
  return g_steal_pointer (&self);
}

AtnModel *
atn_model_ref (AtnModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_model_unref (AtnModel *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->slots, atn_slots_free);
  g_clear_pointer (&self->tokenizer, atn_tokenizer_unref);
  g_clear_pointer (&self->weights, atn_weights_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self->name);
  g_free (self);
}

const AtnConfig *
atn_model_get_config (const AtnModel *self)
{
  return &self->config;
}

const AtnSlots *
atn_model_get_slots (const AtnModel *self)
{
  return self->slots;
}

AtnTokenizer *
atn_model_get_tokenizer (const AtnModel *self)
{
  return self->tokenizer;
}

AtnWeights *
atn_model_get_weights (const AtnModel *self)
{
  return self->weights;
}

const char *
atn_model_get_path (const AtnModel *self)
{
  return atn_weights_get_path (self->weights);
}

const char *
atn_model_get_name (const AtnModel *self)
{
  return self->name;
}

const char *
atn_model_get_description (const AtnModel *self, const char *const *languages)
{
  return atn_card_get_text (atn_json_get_member (atn_weights_get_card (self->weights),
                                                 "description"),
                            languages);
}

const char *
atn_model_get_license (const AtnModel *self)
{
  return atn_card_get_text (atn_json_get_member (atn_weights_get_card (self->weights), "license"),
                            NULL);
}

guint64
atn_model_get_n_parameters (const AtnModel *self)
{
  return self->slots->n_parameters;
}

GPtrArray *
atn_model_dup_examples (const AtnModel *self, const char *const *languages)
{
  return atn_card_dup_examples (atn_weights_get_card (self->weights), &self->config, languages);
}

const GPtrArray *
atn_model_get_warnings (const AtnModel *self)
{
  return self->warnings;
}

bool
atn_model_has_pair (const AtnModel *self)
{
  return atn_tokenizer_has_pair (self->tokenizer);
}
