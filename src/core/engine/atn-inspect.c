/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One cell's calculation for the inspector, in double and in plain loops: it
 * runs beside the compute thread, so it must not touch BLAS.
 */

#include "engine/atn-attention.h"
#include "engine/atn-rope.h"
#include "engine/atn-trace-private.h"

#include <math.h>

static double
dot (const float *a, const float *b, size_t n)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += (double) a[i] * (double) b[i];

  return sum;
}

/* q·k with both turned back by their positions. Turning q back by its angle and k by its own is
 * the same as turning the pair's difference once, by (query - key) · frequency. */
static double
dot_unrotated (const AtnConfig *config,
               size_t n_tokens,
               const float *q,
               const float *k,
               double distance)
{
  const size_t n_pairs = config->rotary_dim / 2;
  const size_t step = config->rope_pairs == ATN_ROPE_NEIGHBOURS ? 2 : 1;
  const size_t partner = config->rope_pairs == ATN_ROPE_NEIGHBOURS ? 1 : n_pairs;
  const double factor = config->rope_scaling.attention_factor;
  g_autofree float *frequencies = g_new (float, n_pairs);
  double rotated = 0.0;

  atn_rope_fill_frequencies (config, n_tokens, frequencies);
  for (size_t i = 0; i < n_pairs; i++) {
    const double cosine = cos (distance * (double) frequencies[i]);
    const double sine = sin (distance * (double) frequencies[i]);
    const double q_low = (double) q[i * step];
    const double q_high = (double) q[i * step + partner];

    rotated += (q_low * cosine + q_high * sine) * (double) k[i * step] +
               (q_high * cosine - q_low * sine) * (double) k[i * step + partner];
  }

  return rotated / (factor * factor) +
         dot (q + 2 * n_pairs, k + 2 * n_pairs, config->d_head - 2 * n_pairs);
}

/* ‖v W_O^h‖ */
static double
measure_value (const AtnLinear *o, const float *v, size_t head, size_t d_v)
{
  const size_t row_step = o->is_out_in ? 1 : o->stride;
  const size_t col_step = o->is_out_in ? o->stride : 1;
  const float *weight = o->weight + head * d_v * row_step;
  double sum = 0.0;

  for (size_t col = 0; col < o->d_out; col++) {
    double carried = 0.0;

    for (size_t i = 0; i < d_v; i++)
      carried += (double) v[i] * (double) weight[i * row_step + col * col_step];
    sum += carried * carried;
  }

  return sqrt (sum);
}

/* From the dot product to the score that the softmax sees. */
static void
fill_score (const AtnHead *view, AtnCell *cell)
{
  if (view->position_bias != NULL)
    cell->bucket_term = (double) view->position_bias[view->n_tokens - 1 + cell->key - cell->query];
  cell->scaled = cell->dot * cell->scale;
  cell->capped = cell->cap > 0.0 ? cell->cap * tanh (cell->scaled / cell->cap) : cell->scaled;
  cell->position_term = cell->slope * (double) cell->key + cell->bucket_term;
  cell->biased = cell->capped + cell->position_term;
}

/* biased / T of another key in the same row. */
static double
compute_logit (const AtnHead *view, const float *q, size_t key, const AtnCell *like)
{
  AtnCell cell = *like;

  cell.key = key;
  cell.dot = dot (q, view->k + key * view->k_stride, view->d_head);
  fill_score (view, &cell);
  return cell.biased / cell.temperature;
}

static void
sum_row (const AtnHead *view, size_t query, AtnCell *cell)
{
  const float *q = view->q + query * view->q_stride;
  size_t begin, end;

  atn_head_get_visible (view, query, &begin, &end);
  cell->n_visible = end - begin;
  cell->row_max = -HUGE_VAL;
  for (size_t key = begin; key < end; key++)
    cell->row_max = fmax (cell->row_max, compute_logit (view, q, key, cell));
  for (size_t key = begin; key < end; key++)
    cell->row_sum += exp (compute_logit (view, q, key, cell) - cell->row_max);
}

void
atn_trace_inspect (const AtnTrace *self,
                   size_t layer,
                   size_t head,
                   const AtnWhatIf *what_if,
                   size_t query,
                   size_t key,
                   AtnCell *cell)
{
  const AtnConfig *config = atn_model_get_config (self->model);
  const AtnLinear *o;
  const float *q, *k;
  size_t begin, end;
  AtnHead view;

  g_return_if_fail (layer < config->n_layers && head < config->n_heads);
  g_return_if_fail (query < self->n_tokens && key < self->n_tokens);

  o = &atn_model_get_slots (self->model)->blocks[layer].o;
  atn_head_init (&view, config, what_if != NULL ? what_if : &self->what_if, layer, self->n_tokens);
  atn_head_set_vectors (&view, config, head, atn_trace_get_q (self, layer),
                        atn_trace_get_k (self, layer), atn_trace_get_v (self, layer),
                        self->position_bias);
  atn_head_get_visible (&view, query, &begin, &end);
  q = view.q + query * view.q_stride;
  k = view.k + key * view.k_stride;

  *cell = (AtnCell){
    .query = query,
    .key = key,
    .q_norm = sqrt (dot (q, q, view.d_head)),
    .k_norm = sqrt (dot (k, k, view.d_head)),
    .dot = dot (q, k, view.d_head),
    .scale = (double) view.scale,
    .cap = (double) view.cap,
    .slope = (double) view.alibi_slope,
    .has_bucket = view.position_bias != NULL,
    .is_forbidden = key < begin || key >= end,
    .temperature = (double) view.temperature,
    .value_norm = measure_value (o, view.v + key * view.v_stride, head, view.d_v),
  };
  cell->unrotated = config->positions == ATN_POSITIONS_ROPE
                      ? dot_unrotated (config, self->n_tokens, q, k, (double) query - (double) key)
                      : cell->dot;
  if (cell->has_bucket)
    cell->bucket = atn_config_get_bucket (config, query, key);
  if (cell->q_norm > 0.0 && cell->k_norm > 0.0)
    cell->cosine = cell->dot / (cell->q_norm * cell->k_norm);
  fill_score (&view, cell);

  sum_row (&view, query, cell);
  if (!cell->is_forbidden && cell->row_sum > 0.0) {
    cell->exp = exp (cell->biased / cell->temperature - cell->row_max);
    cell->weight = cell->exp / cell->row_sum;
  }
  cell->contribution = cell->weight * cell->value_norm;
}
