/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Loading a model and what comes with it. Reading needs no OpenBLAS, so it has
 * a thread of its own and the old model goes on answering meanwhile.
 */

#include "app/atn-measure.h"
#include "app/atn-session-private.h"

#include <glib/gi18n.h>

#define PROGRESS_INTERVAL_MS 50

struct _AtnLoad
{
  gatomicrefcount ref_count;
  char *path;
  char *text; /* typed before: does the new model understand it? */
  GCancellable *cancellable;
  gint permille; /* atomic */
  bool understands_text;
  guint timer; /* main thread */
};

static void
load_unref (AtnLoad *load)
{
  if (!g_atomic_ref_count_dec (&load->ref_count))
    return;
  g_free (load->path);
  g_free (load->text);
  g_object_unref (load->cancellable);
  g_free (load);
}

static void
load_progress_cb (double fraction, gpointer user_data)
{
  AtnLoad *load = user_data;

  g_atomic_int_set (&load->permille, (gint) (CLAMP (fraction, 0.0, 1.0) * 1000.0));
}

/* A token that stands for "unknown" is special, but comes from typed text. */
static bool
understands (AtnModel *model, const char *text)
{
  g_autoptr (AtnTokens) tokens =
    atn_tokenizer_encode (atn_model_get_tokenizer (model), text, -1, NULL, 0, NULL);

  if (tokens == NULL)
    return false;
  for (size_t i = 0; i < tokens->n_tokens; i++)
    if (tokens->tokens[i].is_special && tokens->tokens[i].start >= 0)
      return false;
  return true;
}

static void
load_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  AtnLoad *load = task_data;
  GError *error = NULL;
  AtnModel *model = atn_model_open (load->path, load_progress_cb, load, cancellable, &error);

  if (model == NULL) {
    g_task_return_error (task, error);
    return;
  }
  load->understands_text = understands (model, load->text);
  g_task_return_pointer (task, model, (GDestroyNotify) atn_model_unref);
}

static gboolean
progress_timer_cb (gpointer user_data)
{
  atn_session_notify (user_data, PROP_LOAD_PROGRESS);
  return G_SOURCE_CONTINUE;
}

static void
end_load (AtnSession *self)
{
  if (self->load == NULL)
    return;
  g_clear_handle_id (&self->load->timer, g_source_remove);
  g_clear_pointer (&self->load, load_unref);
  atn_session_notify (self, PROP_LOADING);
}

/* Without a run: the sentence may be about to change, too. */
static void
swap_model (AtnSession *self, AtnModel *model)
{
  AtnWhatIf as_trained = { 0 };

  atn_session_drop_result (self);
  atn_session_pin_cell (self, -1, -1);
  atn_session_set_what_if (self, &as_trained);
  atn_lane_cancel (self->run_lane);
  g_clear_pointer (&self->model, atn_model_unref);
  self->model = atn_model_ref (model);
  g_clear_pointer (&self->examples, g_ptr_array_unref);
  self->examples = atn_model_dup_examples (model, g_get_language_names ());
  atn_session_take_string (self, &self->note, NULL, PROP_NOTE);
  atn_session_clamp_selection (self);
  atn_session_emit (self, SIGNAL_MODEL_CHANGED);
  atn_session_notify (self, PROP_HAS_PAIR);
  for (guint id = PROP_CAUSAL_MASK; id <= PROP_AS_TRAINED; id++)
    atn_session_notify (self, id);
}

static bool
has_chinese (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (g_unichar_get_script (g_utf8_get_char (text)) == G_UNICODE_SCRIPT_HAN)
      return true;
  return false;
}

/* The first, or for somebody who reads Chinese the first that is. */
static guint
choose_example (const GPtrArray *examples)
{
  if (!g_str_has_prefix (g_get_language_names ()[0], "zh"))
    return 0;
  for (guint i = 0; i < examples->len; i++)
    if (has_chinese (((const AtnExample *) g_ptr_array_index (examples, i))->text))
      return i;
  return 0;
}

static void
load_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  AtnSession *self = ATN_SESSION (source);
  AtnLoad *load = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = g_task_propagate_pointer (G_TASK (result), &error);
  gint64 start;

  if (self->load == load)
    end_load (self);
  else
    return;
  if (model == NULL) {
    if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      atn_session_set_load_error (self, error->message);
    return;
  }
  atn_measure_mark ("model loaded");
  start = atn_measure_begin ();
  atn_session_set_load_error (self, NULL);
  swap_model (self, model);
  if (self->examples->len > 0 && (self->text_is_example || !load->understands_text))
    atn_session_show_example (self, choose_example (self->examples));
  else if (*self->text == '\0')
    atn_session_set_sentence (self, _ ("The cat sat on the mat because it was tired"), NULL, true);
  atn_session_queue_run (self);
  atn_measure_end ("model changed", start);
}

void
atn_session_open (AtnSession *self, const char *path)
{
  g_autoptr (GTask) task = NULL;
  AtnLoad *load;

  g_return_if_fail (ATN_IS_SESSION (self));
  g_return_if_fail (path != NULL);

  atn_session_cancel_open (self);
  load = g_new0 (AtnLoad, 1);
  g_atomic_ref_count_init (&load->ref_count);
  load->path = g_strdup (path);
  load->text = g_strdup (self->text);
  load->cancellable = g_cancellable_new ();
  load->timer = g_timeout_add (PROGRESS_INTERVAL_MS, progress_timer_cb, self);
  self->load = load;

  task = g_task_new (self, load->cancellable, load_done_cb, NULL);
  g_task_set_source_tag (task, atn_session_open);
  g_atomic_ref_count_inc (&load->ref_count);
  g_task_set_task_data (task, load, (GDestroyNotify) load_unref);
  g_task_run_in_thread (task, load_thread);
  atn_session_notify (self, PROP_LOADING);
}

void
atn_session_cancel_open (AtnSession *self)
{
  if (self->load == NULL)
    return;
  g_cancellable_cancel (self->load->cancellable);
  end_load (self);
}

bool
atn_session_is_loading (AtnSession *self)
{
  return self->load != NULL;
}

double
atn_session_get_load_progress (AtnSession *self)
{
  return self->load != NULL ? (double) g_atomic_int_get (&self->load->permille) / 1000.0 : 0.0;
}

const char *
atn_session_get_load_path (AtnSession *self)
{
  return self->load != NULL ? self->load->path : "";
}

const char *
atn_session_get_load_error (AtnSession *self)
{
  return self->load_error;
}

void
atn_session_set_load_error (AtnSession *self, const char *error)
{
  atn_session_take_string (self, &self->load_error, g_strdup (error), PROP_LOAD_ERROR);
}

AtnModel *
atn_session_get_model (AtnSession *self)
{
  g_return_val_if_fail (ATN_IS_SESSION (self), NULL);
  return self->model;
}

void
atn_session_set_model (AtnSession *self, AtnModel *model)
{
  g_return_if_fail (ATN_IS_SESSION (self));
  g_return_if_fail (model != NULL);

  swap_model (self, model);
  atn_session_queue_run (self);
}

GPtrArray *
atn_session_get_examples (AtnSession *self)
{
  g_return_val_if_fail (ATN_IS_SESSION (self), NULL);
  return self->examples;
}

void
atn_session_show_example (AtnSession *self, guint index)
{
  const AtnExample *example;
  AtnStage stage = ATN_STAGE_PATTERN;

  g_return_if_fail (ATN_IS_SESSION (self));
  g_return_if_fail (index < self->examples->len);

  example = g_ptr_array_index (self->examples, index);
  if (example->stage != NULL)
    atn_stage_from_name (example->stage, &stage);
  atn_session_pin_cell (self, -1, -1);
  atn_session_set_what_if (self, &(AtnWhatIf){ 0 });
  atn_session_set_layer_and_head (self, (guint) example->layer, (guint) example->head);
  atn_session_set_stage (self, stage);
  atn_session_set_sentence (self, example->text, example->pair, true);
  self->note_layer = self->layer;
  self->note_head = self->head;
  atn_session_take_string (self, &self->note, g_strdup (example->note), PROP_NOTE);
  if (example->has_claim)
    atn_session_pin_cell (self, (int) example->claim_query, (int) example->claim_key);
}

const char *
atn_session_get_note (AtnSession *self)
{
  return self->layer == self->note_layer && self->head == self->note_head ? self->note : NULL;
}

void
atn_session_hide_note (AtnSession *self)
{
  atn_session_take_string (self, &self->note, NULL, PROP_NOTE);
}

bool
atn_session_has_pair (AtnSession *self)
{
  /* Tokenizers of causal models often know how to join two texts, but the models never saw two. */
  return self->model != NULL && atn_model_has_pair (self->model) &&
         !atn_model_get_config (self->model)->causal;
}
