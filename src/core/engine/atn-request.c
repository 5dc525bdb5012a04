/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-request.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>

/* Progress of one of several runs. */
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

static gboolean
fit_tokens (const AtnRequest *request, AtnResult *result, GError **error)
{
  const size_t n_ctx = atn_model_get_config (request->model)->n_ctx;
  AtnTokens *cut;

  result->n_tokens_typed = result->tokens->n_tokens;
  if (n_ctx == 0 || result->tokens->n_tokens <= n_ctx)
    return TRUE;

  if (!request->truncate) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("The text has %zu tokens, the model takes at most %zu"),
                 result->tokens->n_tokens, n_ctx);
    return FALSE;
  }

  cut = atn_tokens_truncate (result->tokens, n_ctx);
  atn_tokens_unref (result->tokens);
  result->tokens = cut;
  return TRUE;
}

/* Whether the model would see the same thing. */
static bool
is_same_input (const AtnTokens *a, const AtnTokens *b)
{
  if (a->n_tokens != b->n_tokens)
    return false;

  for (size_t t = 0; t < a->n_tokens; t++) {
    if (a->tokens[t].id != b->tokens[t].id || a->tokens[t].type_id != b->tokens[t].type_id)
      return false;
  }

  return true;
}

static bool
has_settings (const AtnTrace *trace, const AtnConfig *config, const AtnWhatIf *what_if)
{
  const AtnWhatIf *settings = atn_trace_get_what_if (trace);

  if (atn_what_if_is_as_trained (what_if, config))
    return atn_what_if_is_as_trained (settings, config);

  return atn_what_if_is_causal (settings, config) == atn_what_if_is_causal (what_if, config) &&
         settings->scale == what_if->scale &&
         (what_if->scale != ATN_SCALE_NUMBER || settings->scale_number == what_if->scale_number) &&
         atn_what_if_get_temperature (settings) == atn_what_if_get_temperature (what_if);
}

/* (transfer full) (nullable): a trace of @previous that ran over the same tokens with @what_if. */
static AtnTrace *
take_over (const AtnResult *previous, const AtnResult *result, const AtnWhatIf *what_if)
{
  const AtnConfig *config = atn_model_get_config (result->model);
  AtnTrace *traces[2];

  if (previous == NULL || previous->model != result->model ||
      !is_same_input (previous->tokens, result->tokens))
    return NULL;

  traces[0] = previous->baseline;
  traces[1] = previous->trace;
  for (size_t i = 0; i < G_N_ELEMENTS (traces); i++) {
    if (traces[i] != NULL && has_settings (traces[i], config, what_if))
      return atn_trace_ref (traces[i]);
  }

  return NULL;
}

static AtnTrace *
get_trace (const AtnResult *previous,
           const AtnResult *result,
           const AtnWhatIf *what_if,
           Part *part,
           GCancellable *cancellable,
           GError **error)
{
  AtnTrace *trace = take_over (previous, result, what_if);

  if (trace != NULL)
    return trace;

  return atn_trace_run (result->model, result->tokens, what_if, report_part_cb, part, cancellable,
                        error);
}

static gboolean
run_traces (const AtnRequest *request,
            const AtnResult *previous,
            AtnResult *result,
            Part *part,
            GCancellable *cancellable,
            GError **error)
{
  const AtnWhatIf as_trained = { 0 };
  const AtnConfig *config = atn_model_get_config (request->model);
  const bool changes_network = request->what_if.scope == ATN_SCOPE_NETWORK &&
                               !atn_what_if_is_as_trained (&request->what_if, config);

  if (result->tokens->n_tokens == 0)
    return TRUE;

  if (!changes_network || request->with_baseline) {
    if (changes_network)
      part->share = 0.5;
    result->baseline = get_trace (previous, result, &as_trained, part, cancellable, error);
    if (result->baseline == NULL)
      return FALSE;
    part->first = 1.0 - part->share;
  }

  result->trace = changes_network
                    ? get_trace (previous, result, &request->what_if, part, cancellable, error)
                    : atn_trace_ref (result->baseline);
  return result->trace != NULL;
}

static char *
dup_text (const char *text, gssize length)
{
  return length < 0 ? g_strdup (text) : g_strndup (text, (gsize) length);
}

AtnResult *
atn_request_run (const AtnRequest *request,
                 const AtnResult *previous,
                 AtnProgressFunc progress,
                 gpointer progress_data,
                 GCancellable *cancellable,
                 GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  g_autoptr (AtnResult) result = g_new0 (AtnResult, 1);
  Part part = { progress, progress_data, 0.0, 1.0 };

  g_return_val_if_fail (request->model != NULL && request->text != NULL, NULL);

  g_atomic_ref_count_init (&result->ref_count);
  result->model = atn_model_ref (request->model);
  result->what_if = request->what_if;
  result->text = dup_text (request->text, request->text_len);
  result->pair = dup_text (request->pair, request->pair_len);
  result->tokens =
    atn_tokenizer_encode (atn_model_get_tokenizer (request->model), request->text,
                          request->text_len, request->pair, request->pair_len, error);
  if (result->tokens == NULL || !fit_tokens (request, result, error) ||
      !run_traces (request, previous, result, &part, cancellable, error))
    return NULL;

  result->duration_us = g_get_monotonic_time () - start;
  return g_steal_pointer (&result);
}

AtnResult *
atn_result_ref (AtnResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_result_unref (AtnResult *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->trace, atn_trace_unref);
  g_clear_pointer (&self->baseline, atn_trace_unref);
  g_clear_pointer (&self->tokens, atn_tokens_unref);
  g_clear_pointer (&self->model, atn_model_unref);
  g_free (self->text);
  g_free (self->pair);
  g_free (self);
}

const AtnWhatIf *
atn_result_get_what_if (const AtnResult *self)
{
  return &self->what_if;
}
