/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-prediction.h"

#include "engine/atn-kernels.h"
#include "engine/atn-linear.h"
#include "engine/atn-norm.h"
#include "engine/atn-trace-private.h"
#include "engine/atn-workers.h"

#include <math.h>
#include <string.h>

/* Numbers of an unembedding from which a second thread reads it faster. */
#define THREADING_SIZE ((size_t) 8 << 20)

bool
atn_model_can_predict (const AtnModel *model)
{
  return atn_model_get_config (model)->unembed != ATN_UNEMBED_NONE;
}

void
atn_trace_compute_logits (const AtnTrace *self, size_t position, float *logits)
{
  const AtnConfig *config = atn_model_get_config (self->model);
  const AtnSlots *slots = atn_model_get_slots (self->model);
  const size_t size = config->d_model * sizeof (float);
  g_autofree float *row = g_malloc (size);
  g_autofree float *transformed = NULL;

  g_return_if_fail (position < self->n_tokens);
  g_return_if_fail (atn_model_can_predict (self->model));

  memcpy (row, atn_trace_get_resid_final (self) + position * config->d_model, size);
  if (config->final_norm)
    atn_norm_apply (&slots->final_norm, config, row, 1, config->d_model, row);

  if (config->unembed_project) {
    transformed = g_new (float, config->d_embed);
    atn_linear_apply (&slots->unembed_project, row, 1, NULL, 1, transformed);
  }
  if (config->has_mlm_transform) {
    transformed = g_new (float, config->d_embed);
    atn_linear_apply (&slots->mlm_dense, row, 1, NULL, 1, transformed);
    atn_activate (config->mlm_activation, transformed, config->d_embed);
    atn_norm_apply (&slots->mlm_norm, config, transformed, 1, config->d_embed, transformed);
  }

  atn_linear_apply (&slots->unembed, transformed != NULL ? transformed : row, 1, NULL,
                    config->d_vocab * config->d_model < THREADING_SIZE ? 1 : atn_workers_get_max (),
                    logits);
  if (config->logit_scale != 1.0f)
    atn_scale (logits, config->d_vocab, config->logit_scale);
  if (config->logit_cap > 0.0f)
    atn_cap (logits, config->d_vocab, config->logit_cap);
}

static float
find_max (const float *logits, size_t n)
{
  float max = -INFINITY;

  for (size_t i = 0; i < n; i++)
    max = fmaxf (max, logits[i]);

  return max;
}

static double
sum_exp (const float *logits, size_t n, float max)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += exp ((double) logits[i] - (double) max);

  return sum;
}

void
atn_logits_to_probabilities (float *logits, size_t n)
{
  const float max = find_max (logits, n);
  const double sum = sum_exp (logits, n, max);

  for (size_t i = 0; i < n; i++)
    logits[i] = (float) (exp ((double) logits[i] - (double) max) / sum);
}

size_t
atn_predict_top (const float *logits, size_t d_vocab, size_t n_top, AtnPrediction *top)
{
  const float max = find_max (logits, d_vocab);
  const double sum = sum_exp (logits, d_vocab, max);
  size_t n = 0;

  /* An insertion into a short sorted list: nearly every id fails the first comparison. */
  for (size_t id = 0; id < d_vocab && n_top > 0; id++) {
    size_t place = n;

    if (n == n_top && !(logits[id] > top[n - 1].logit))
      continue;
    if (n < n_top)
      n++;
    else
      place--;

    for (; place > 0 && logits[id] > top[place - 1].logit; place--)
      top[place] = top[place - 1];
    top[place] = (AtnPrediction){ .id = (uint32_t) id, .logit = logits[id] };
  }

  for (size_t i = 0; i < n; i++)
    top[i].probability = (float) (exp ((double) top[i].logit - (double) max) / sum);

  return n;
}

const char *
atn_model_get_mask_token (const AtnModel *model, uint32_t *id)
{
  uint32_t found;
  const char *token = NULL;

  if (atn_model_can_predict (model) && atn_model_get_config (model)->is_masked_lm)
    token = atn_tokenizer_find_mask (atn_model_get_tokenizer (model), &found);
  if (token != NULL && id != NULL)
    *id = found;
  return token;
}

GArray *
atn_trace_dup_predicted_positions (const AtnTrace *self)
{
  const AtnConfig *config = atn_model_get_config (self->model);
  GArray *positions = g_array_new (FALSE, FALSE, sizeof (size_t));
  uint32_t mask_id;

  if (!atn_model_can_predict (self->model))
    return positions;

  if (!config->is_masked_lm) {
    const size_t last = self->n_tokens - 1;

    g_array_append_val (positions, last);
    return positions;
  }

  if (atn_tokenizer_find_mask (atn_model_get_tokenizer (self->model), &mask_id) == NULL)
    return positions;

  for (size_t t = 0; t < self->n_tokens; t++) {
    if (self->tokens->tokens[t].id == mask_id)
      g_array_append_val (positions, t);
  }

  return positions;
}
