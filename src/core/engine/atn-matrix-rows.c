/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A head's matrix at any stage, rebuilt from the q, k and v that a trace
 * kept. A Rebuild holds what a stage needs once for all of its blocks: vectors
 * turned back before RoPE, lengths of v W_O.
 */

#include "engine/atn-attention.h"
#include "engine/atn-kernels.h"
#include "engine/atn-linear.h"
#include "engine/atn-rope.h"
#include "engine/atn-trace-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  AtnHead head;
  AtnStage stage;
  AtnStage block_stage; /* what the forward pass's function gives as the first step */
  float *unrotated_q;   /* [T, d_head] or NULL */
  float *unrotated_k;   /* [T, d_head] or NULL */
  float *value_norms;   /* [T] ‖v_k W_O^h‖ or NULL */
} Rebuild;

static void
rebuild_clear (Rebuild *self)
{
  g_free (self->unrotated_q);
  g_free (self->unrotated_k);
  g_free (self->value_norms);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rebuild, rebuild_clear)

/* A copy [T, d_head] of one head's vectors as they were before RoPE turned them. */
static float *
dup_unrotated (const AtnConfig *config, const float *src, size_t stride, size_t n_tokens)
{
  const size_t n_pairs = config->rotary_dim / 2;
  g_autofree float *cos_table = g_new (float, n_tokens *n_pairs);
  g_autofree float *sin_table = g_new (float, n_tokens *n_pairs);
  float *dst = g_new (float, n_tokens * config->d_head);

  atn_rope_fill_tables (config, n_tokens, true, cos_table, sin_table);
  for (size_t t = 0; t < n_tokens; t++) {
    float *row = dst + t * config->d_head;

    memcpy (row, src + t * stride, config->d_head * sizeof *row);
    atn_rope_rotate (row, 1, config->d_head, config->rope_pairs, n_pairs, cos_table + t * n_pairs,
                     sin_table + t * n_pairs);
  }

  return dst;
}

/* [T] ‖v_k W_O^h‖, in blocks of rows so that scratch stays small. */
static float *
dup_value_norms (const AtnTrace *trace, const AtnHead *view, size_t layer, size_t head)
{
  const AtnConfig *config = atn_model_get_config (trace->model);
  const AtnLinear *o = &atn_model_get_slots (trace->model)->blocks[layer].o;
  g_autofree float *carried = g_new (float, ATN_ATTENTION_BLOCK * config->d_model);
  float *norms = g_new (float, trace->n_tokens);

  for (size_t first = 0; first < trace->n_tokens; first += ATN_ATTENTION_BLOCK) {
    const size_t n = MIN (ATN_ATTENTION_BLOCK, trace->n_tokens - first);

    atn_linear_apply_group (o, head, config->n_heads, view->v + first * view->v_stride, n,
                            view->v_stride, carried);
    atn_row_norms (norms + first, carried, n, config->d_model);
  }

  return norms;
}

static void
rebuild_init (Rebuild *self,
              const AtnTrace *trace,
              size_t layer,
              size_t head,
              AtnStage stage,
              const AtnWhatIf *what_if)
{
  const AtnConfig *config = atn_model_get_config (trace->model);
  const AtnWhatIf *settings = what_if != NULL ? what_if : &trace->what_if;

  *self = (Rebuild){ .stage = stage, .block_stage = stage };
  atn_head_init (&self->head, config, settings, layer, trace->n_tokens);
  atn_head_set_vectors (&self->head, config, head, atn_trace_get_q (trace, layer),
                        atn_trace_get_k (trace, layer), atn_trace_get_v (trace, layer),
                        trace->position_bias);

  switch (stage) {
  case ATN_STAGE_UNROTATED:
    self->block_stage = ATN_STAGE_DOT;
    if (config->positions != ATN_POSITIONS_ROPE)
      break;
    self->unrotated_q = dup_unrotated (config, self->head.q, self->head.q_stride, trace->n_tokens);
    self->unrotated_k = dup_unrotated (config, self->head.k, self->head.k_stride, trace->n_tokens);
    self->head.q = self->unrotated_q;
    self->head.k = self->unrotated_k;
    self->head.q_stride = config->d_head;
    self->head.k_stride = config->d_head;
    break;
  case ATN_STAGE_DROPPED:
    self->block_stage = ATN_STAGE_PATTERN;
    break;
  case ATN_STAGE_CONTRIBUTION:
    self->block_stage = ATN_STAGE_PATTERN;
    self->value_norms = dup_value_norms (trace, &self->head, layer, head);
    break;
  case ATN_STAGE_DOT:
  case ATN_STAGE_SCALED:
  case ATN_STAGE_CAPPED:
  case ATN_STAGE_BIASED:
  case ATN_STAGE_MASKED:
  case ATN_STAGE_PATTERN:
  case ATN_N_STAGES:
  default:
    break;
  }
}

static bool
has_mask (const Rebuild *self)
{
  return self->stage >= ATN_STAGE_MASKED && atn_head_has_mask (&self->head);
}

/* values [n, T]; the same blocks as in the forward pass give the same numbers. */
static void
rebuild_rows (const Rebuild *self, size_t first, size_t n, float *values)
{
  const size_t n_tokens = self->head.n_tokens;
  const float forbidden = self->stage == ATN_STAGE_MASKED ? -INFINITY : 0.0f;
  const size_t n_keys = has_mask (self) ? atn_head_count_keys (&self->head, first, n) : n_tokens;

  atn_head_compute_block (&self->head, self->block_stage, first, n, n_keys, values, n_tokens);

  for (size_t i = 0; i < n; i++) {
    float *row = values + i * n_tokens;

    for (size_t key = n_keys; key < n_tokens; key++)
      row[key] = forbidden;
    if (self->value_norms != NULL)
      atn_multiply (row, self->value_norms, n_keys);
  }
}

static void
check_place (const AtnTrace *self, size_t layer, size_t head, AtnStage stage)
{
  const AtnConfig *config = atn_model_get_config (self->model);

  g_assert (layer < config->n_layers && head < config->n_heads && stage < ATN_N_STAGES);
}

void
atn_trace_compute_rows (const AtnTrace *self,
                        size_t layer,
                        size_t head,
                        AtnStage stage,
                        const AtnWhatIf *what_if,
                        size_t first_query,
                        size_t n_queries,
                        float *values)
{
  g_auto (Rebuild) rebuild = { 0 };

  check_place (self, layer, head, stage);
  g_assert (first_query <= self->n_tokens && n_queries <= self->n_tokens - first_query);

  rebuild_init (&rebuild, self, layer, head, stage, what_if);
  for (size_t done = 0; done < n_queries; done += ATN_ATTENTION_BLOCK)
    rebuild_rows (&rebuild, first_query + done, MIN (ATN_ATTENTION_BLOCK, n_queries - done),
                  values + done * self->n_tokens);
}

AtnMatrix *
atn_trace_dup_matrix (const AtnTrace *self,
                      size_t layer,
                      size_t head,
                      AtnStage stage,
                      const AtnWhatIf *what_if)
{
  AtnMatrix *matrix = atn_matrix_new (self->n_tokens, self->n_tokens);
  g_auto (Rebuild) rebuild = { 0 };

  check_place (self, layer, head, stage);
  rebuild_init (&rebuild, self, layer, head, stage, what_if);

  for (size_t first = 0; first < self->n_tokens; first += ATN_ATTENTION_BLOCK)
    rebuild_rows (&rebuild, first, MIN (ATN_ATTENTION_BLOCK, self->n_tokens - first),
                  matrix->values + first * self->n_tokens);

  if (has_mask (&rebuild)) {
    matrix->forbidden = g_new0 (guint8, self->n_tokens * self->n_tokens);
    for (size_t query = 0; query < self->n_tokens; query++) {
      guint8 *row = matrix->forbidden + query * self->n_tokens;
      size_t begin, end;

      atn_head_get_visible (&rebuild.head, query, &begin, &end);
      memset (row, 1, begin);
      memset (row + end, 1, self->n_tokens - end);
    }
  }

  return matrix;
}

/* Where the cells of a picture of @size cells begin among @n numbers. */
static size_t
get_edge (size_t cell, size_t size, size_t n)
{
  return cell * n / size;
}

/* The largest magnitude of the visible part of a rectangle; FALSE if none of it is visible. */
static bool
pool_cell (const Rebuild *self,
           const float *values,
           size_t first,
           size_t n,
           const size_t key_edges[2],
           float *pooled)
{
  float best = 0.0f;
  bool found = false;

  for (size_t i = 0; i < n; i++) {
    const float *row = values + i * self->head.n_tokens;
    size_t begin = 0, end = self->head.n_tokens;

    if (has_mask (self))
      atn_head_get_visible (&self->head, first + i, &begin, &end);
    for (size_t key = MAX (key_edges[0], begin); key < MIN (key_edges[1], end); key++) {
      if (!found || fabsf (row[key]) > fabsf (best))
        best = row[key];
      found = true;
    }
  }

  *pooled = best;
  return found;
}

/* One row of the picture from @n rows of the matrix. */
static void
pool_row (const Rebuild *self,
          const float *values,
          size_t first,
          size_t n,
          AtnMatrix *picture,
          size_t picture_row)
{
  for (size_t col = 0; col < picture->n_cols; col++) {
    const size_t cell = picture_row * picture->n_cols + col;
    const size_t key_edges[2] = { get_edge (col, picture->n_cols, self->head.n_tokens),
                                  get_edge (col + 1, picture->n_cols, self->head.n_tokens) };

    if (pool_cell (self, values, first, n, key_edges, &picture->values[cell]))
      continue;

    picture->forbidden[cell] = 1;
    picture->values[cell] = self->stage == ATN_STAGE_MASKED ? -INFINITY : 0.0f;
  }
}

AtnMatrix *
atn_trace_dup_thumbnail (const AtnTrace *self,
                         size_t layer,
                         size_t head,
                         AtnStage stage,
                         const AtnWhatIf *what_if,
                         size_t max_size)
{
  const size_t size = CLAMP (max_size, 1, self->n_tokens);
  const size_t max_rows = self->n_tokens / size + 1;
  g_autofree float *values = NULL;
  AtnMatrix *picture;
  g_auto (Rebuild) rebuild = { 0 };

  if (size == self->n_tokens)
    return atn_trace_dup_matrix (self, layer, head, stage, what_if);

  values = g_new (float, max_rows * self->n_tokens);
  picture = atn_matrix_new (size, size);
  check_place (self, layer, head, stage);
  rebuild_init (&rebuild, self, layer, head, stage, what_if);
  if (has_mask (&rebuild))
    picture->forbidden = g_new0 (guint8, size * size);

  for (size_t row = 0; row < size; row++) {
    const size_t first = get_edge (row, size, self->n_tokens);
    const size_t n = get_edge (row + 1, size, self->n_tokens) - first;

    rebuild_rows (&rebuild, first, n, values);
    pool_row (&rebuild, values, first, n, picture, row);
  }

  return picture;
}

void
atn_trace_compute_z (const AtnTrace *self,
                     size_t layer,
                     size_t head,
                     const AtnWhatIf *what_if,
                     float *z)
{
  g_autofree float *pattern = g_new (float, ATN_ATTENTION_BLOCK * self->n_tokens);
  g_auto (Rebuild) rebuild = { 0 };

  check_place (self, layer, head, ATN_STAGE_PATTERN);
  rebuild_init (&rebuild, self, layer, head, ATN_STAGE_PATTERN, what_if);

  for (size_t first = 0; first < self->n_tokens; first += ATN_ATTENTION_BLOCK) {
    const size_t n = MIN (ATN_ATTENTION_BLOCK, self->n_tokens - first);
    const size_t n_keys = atn_head_count_keys (&rebuild.head, first, n);

    atn_head_compute_block (&rebuild.head, ATN_STAGE_PATTERN, first, n, n_keys, pattern, n_keys);
    atn_head_mix_values (&rebuild.head, pattern, n, n_keys, z + first * rebuild.head.d_v,
                         rebuild.head.d_v);
  }
}
