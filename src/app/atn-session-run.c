/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The questions to the compute thread: first the model over the sentence, then
 * the predictions, which may wait because nobody looks at them first.
 */

#include "app/atn-measure.h"
#include "app/atn-session-private.h"

#include <glib/gi18n.h>

#define N_PREDICTIONS 8

typedef struct
{
  AtnModel *model;
  char *text;
  char *pair;
  AtnWhatIf what_if;
  AtnResult *previous; /* (nullable) */
  AtnResult *result;   /* out */
  GError *error;       /* out */
} RunData;

typedef struct
{
  AtnResult *result;
  char *text;
  AtnPredictions *predictions; /* out */
} PredictData;

static void
free_run_data (gpointer data)
{
  RunData *run = data;

  atn_model_unref (run->model);
  g_free (run->text);
  g_free (run->pair);
  g_clear_pointer (&run->previous, atn_result_unref);
  g_clear_pointer (&run->result, atn_result_unref);
  g_clear_error (&run->error);
  g_free (run);
}

static void
run_model (gpointer data, GCancellable *cancellable)
{
  RunData *run = data;
  AtnRequest request = {
    .model = run->model,
    .text = run->text,
    .text_len = -1,
    .pair = *run->pair != '\0' ? run->pair : NULL,
    .pair_len = -1,
    .what_if = run->what_if,
    .truncate = true,
    .with_baseline = true,
  };

  run->result = atn_request_run (&request, run->previous, NULL, NULL, cancellable, &run->error);
}

static void
free_predict_data (gpointer data)
{
  PredictData *predict = data;

  atn_result_unref (predict->result);
  g_free (predict->text);
  g_clear_pointer (&predict->predictions, atn_predictions_unref);
  g_free (predict);
}

static void
run_predictions (gpointer data, GCancellable *cancellable)
{
  PredictData *predict = data;

  predict->predictions =
    atn_predictions_new (predict->result, predict->text, N_PREDICTIONS, cancellable);
}

static void
predictions_done_cb (gpointer data, gpointer user_data)
{
  PredictData *predict = data;
  AtnSession *self = user_data;

  if (predict->predictions == NULL)
    return;
  g_clear_pointer (&self->predictions, atn_predictions_unref);
  self->predictions = g_steal_pointer (&predict->predictions);
  atn_session_emit (self, SIGNAL_PREDICTIONS_CHANGED);
}

static void
queue_predictions (AtnSession *self)
{
  PredictData *predict = g_new0 (PredictData, 1);

  predict->result = atn_result_ref (self->result);
  predict->text = g_strdup (self->text);
  atn_lane_push (self->predictions_lane, &(AtnWork){ .data = predict,
                                                     .run = run_predictions,
                                                     .name = "predictions",
                                                     .done = predictions_done_cb,
                                                     .free_data = free_predict_data,
                                                     .user_data = self });
}

static void
set_busy (AtnSession *self, bool is_busy)
{
  if (self->is_busy == is_busy)
    return;
  self->is_busy = is_busy;
  atn_session_notify (self, PROP_BUSY);
}

static void
update_cut_notice (AtnSession *self)
{
  size_t n_shown = self->result->tokens->n_tokens;
  size_t n_typed = self->result->n_tokens_typed;
  char *notice = NULL;

  if (n_typed > n_shown)
    /* Translators: both are numbers of tokens, e.g. "The text has 300 tokens …" */
    notice = g_strdup_printf (
      _ ("The text has %'zu tokens, the model reads at most %'zu: the rest is not shown"), n_typed,
      n_shown);
  atn_session_take_string (self, &self->cut_notice, notice, PROP_CUT_NOTICE);
}

static bool
has_same_token (const AtnTokens *a, const AtnTokens *b, int position)
{
  size_t i = (size_t) position;

  return position >= 0 && i < a->n_tokens && i < b->n_tokens && a->tokens[i].id == b->tokens[i].id;
}

/* A pinned cell follows the typing, but not into another sentence, where two other words would
 * stand in its row and column. What an example pins is meant for the sentence that comes. */
static void
unpin_other_tokens (AtnSession *self, const AtnResult *next)
{
  const AtnResult *result = self->result;

  if (!atn_session_get_pinned (self) || self->text_is_example || result == NULL ||
      result->model != next->model)
    return;
  if (!has_same_token (result->tokens, next->tokens, atn_session_get_query (self)) ||
      !has_same_token (result->tokens, next->tokens, atn_session_get_key (self)))
    atn_session_pin_cell (self, -1, -1);
}

static void
run_done_cb (gpointer data, gpointer user_data)
{
  RunData *run = data;
  AtnSession *self = user_data;

  set_busy (self, atn_lane_is_busy (self->run_lane));
  if (run->result == NULL) {
    if (!g_error_matches (run->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      atn_session_take_string (self, &self->error, g_strdup (run->error->message), PROP_ERROR);
    return;
  }
  atn_session_take_string (self, &self->error, NULL, PROP_ERROR);
  unpin_other_tokens (self, run->result);
  g_clear_pointer (&self->result, atn_result_unref);
  self->result = g_steal_pointer (&run->result);
  atn_compute_keep_result (atn_compute_get_default (), self->result);
  atn_measure_mark ("first result");
  update_cut_notice (self);
  atn_session_clamp_selection (self);
  atn_session_emit (self, SIGNAL_RESULT_CHANGED);
  queue_predictions (self);
}

void
atn_session_queue_run (AtnSession *self)
{
  RunData *run;

  if (self->model == NULL)
    return;
  atn_measure_input ();
  run = g_new0 (RunData, 1);
  run->model = atn_model_ref (self->model);
  run->text = g_strdup (self->text);
  run->pair = g_strdup (atn_session_has_pair (self) ? self->pair : "");
  run->what_if = self->what_if;
  if (self->result != NULL)
    run->previous = atn_result_ref (self->result);
  atn_lane_push (self->run_lane, &(AtnWork){ .data = run,
                                             .run = run_model,
                                             .name = "result",
                                             .done = run_done_cb,
                                             .free_data = free_run_data,
                                             .user_data = self });
  set_busy (self, true);
}

void
atn_session_drop_result (AtnSession *self)
{
  atn_lane_cancel (self->run_lane);
  atn_lane_cancel (self->predictions_lane);
  g_clear_pointer (&self->result, atn_result_unref);
  g_clear_pointer (&self->predictions, atn_predictions_unref);
  atn_session_take_string (self, &self->error, NULL, PROP_ERROR);
  atn_session_take_string (self, &self->cut_notice, NULL, PROP_CUT_NOTICE);
  atn_session_emit (self, SIGNAL_RESULT_CHANGED);
  atn_session_emit (self, SIGNAL_PREDICTIONS_CHANGED);
}
