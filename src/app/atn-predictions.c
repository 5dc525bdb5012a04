/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-predictions.h"

static void
clear_token (gpointer data)
{
  AtnPredictedToken *token = data;

  g_free (token->label);
  g_free (token->appendable);
}

static void
free_position (gpointer data)
{
  AtnPredictedPosition *position = data;

  g_array_unref (position->tokens);
  g_free (position);
}

AtnPredictions *
atn_predictions_ref (AtnPredictions *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_predictions_unref (AtnPredictions *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->positions);
  g_free (self);
}

typedef struct
{
  const AtnResult *result;
  const char *text; /* (nullable) */
  size_t d_vocab;
  size_t n_top;
  float *logits;      /* [d_vocab] scratch */
  float *baseline;    /* [d_vocab] scratch; = logits without a baseline of its own */
  AtnPrediction *top; /* [n_top] scratch */
} Scratch;

static AtnPredictedPosition *
predict_position (const Scratch *scratch, size_t position)
{
  AtnTokenizer *tokenizer = atn_model_get_tokenizer (scratch->result->model);
  AtnPredictedPosition *predicted = g_new0 (AtnPredictedPosition, 1);
  size_t n_top;

  predicted->position = position;
  predicted->tokens = g_array_new (FALSE, FALSE, sizeof (AtnPredictedToken));
  g_array_set_clear_func (predicted->tokens, clear_token);

  atn_trace_compute_logits (scratch->result->trace, position, scratch->logits);
  n_top = atn_predict_top (scratch->logits, scratch->d_vocab, scratch->n_top, scratch->top);
  if (scratch->baseline != scratch->logits) {
    atn_trace_compute_logits (scratch->result->baseline, position, scratch->baseline);
    atn_logits_to_probabilities (scratch->baseline, scratch->d_vocab);
  }

  for (size_t i = 0; i < n_top; i++) {
    const AtnPrediction *best = &scratch->top[i];
    AtnPredictedToken token = { .id = best->id, .probability = (double) best->probability };

    token.baseline = scratch->baseline != scratch->logits ? (double) scratch->baseline[best->id]
                                                          : token.probability;
    token.label = atn_tokenizer_dup_label (tokenizer, best->id);
    if (scratch->text != NULL)
      token.appendable = atn_tokenizer_dup_appendable (tokenizer, scratch->text, best->id);
    g_array_append_val (predicted->tokens, token);
  }
  return predicted;
}

static bool
predict_all (AtnPredictions *self, const Scratch *scratch, GCancellable *cancellable)
{
  g_autoptr (GArray) positions = atn_trace_dup_predicted_positions (scratch->result->trace);

  for (guint i = 0; i < positions->len; i++) {
    if (g_cancellable_is_cancelled (cancellable))
      return false;
    g_ptr_array_add (self->positions,
                     predict_position (scratch, g_array_index (positions, size_t, i)));
  }
  return true;
}

AtnPredictions *
atn_predictions_new (const AtnResult *result,
                     const char *text,
                     size_t n_top,
                     GCancellable *cancellable)
{
  const AtnConfig *config = atn_model_get_config (result->model);
  g_autoptr (AtnPredictions) self = g_new0 (AtnPredictions, 1);
  g_autofree float *logits = NULL;
  g_autofree float *baseline = NULL;
  g_autofree AtnPrediction *top = NULL;
  Scratch scratch = { .result = result, .d_vocab = config->d_vocab, .n_top = n_top };

  g_atomic_ref_count_init (&self->ref_count);
  self->positions = g_ptr_array_new_with_free_func (free_position);
  self->can_predict = atn_model_can_predict (result->model);
  self->is_masked_lm = config->is_masked_lm;
  self->mask_token = atn_model_get_mask_token (result->model, NULL);
  self->has_baseline = result->baseline != NULL && result->baseline != result->trace;
  if (!self->can_predict || result->trace == NULL)
    return g_steal_pointer (&self);

  scratch.text = self->is_masked_lm ? NULL : text;
  scratch.logits = logits = g_new (float, scratch.d_vocab);
  scratch.baseline = scratch.logits;
  if (self->has_baseline)
    scratch.baseline = baseline = g_new (float, scratch.d_vocab);
  scratch.top = top = g_new0 (AtnPrediction, n_top);
  if (!predict_all (self, &scratch, cancellable))
    return NULL;
  return g_steal_pointer (&self);
}
