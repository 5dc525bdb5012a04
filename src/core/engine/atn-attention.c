/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-attention.h"

#include "base/atn-blas.h"
#include "engine/atn-kernels.h"

#include <math.h>
#include <string.h>

void
atn_head_init (AtnHead *self,
               const AtnConfig *config,
               const AtnWhatIf *what_if,
               size_t layer,
               size_t n_tokens)
{
  *self = (AtnHead){
    .n_tokens = n_tokens,
    .d_head = config->d_head,
    .d_v = config->d_v,
    .q_stride = config->n_heads * config->d_head,
    .k_stride = config->n_kv_heads * config->d_head,
    .v_stride = config->n_kv_heads * config->d_v,
    .scale = atn_what_if_get_scale (what_if, config, layer),
    .cap = config->score_cap,
    .temperature = atn_what_if_get_temperature (what_if),
    .causal = atn_what_if_is_causal (what_if, config),
    .window = atn_config_get_window (config, layer),
  };
}

void
atn_head_set_vectors (AtnHead *self,
                      const AtnConfig *config,
                      size_t head,
                      const float *q,
                      const float *k,
                      const float *v,
                      const float *position_bias)
{
  const size_t kv_head = atn_config_get_kv_head (config, head);

  self->q = q + head * config->d_head;
  self->k = k + kv_head * config->d_head;
  self->v = v + kv_head * config->d_v;
  self->alibi_slope = atn_config_get_alibi_slope (config, head);
  self->position_bias =
    position_bias != NULL ? position_bias + head * (2 * self->n_tokens - 1) : NULL;
}

void
atn_head_get_visible (const AtnHead *self, size_t query, size_t *begin, size_t *end)
{
  const size_t n_before = self->window > 0 ? MIN (query, self->window - 1) : query;
  const size_t n_after = self->n_tokens - 1 - query;

  *begin = query - n_before;
  *end = query + 1;
  if (!self->causal)
    *end += self->window > 0 ? MIN (n_after, self->window - 1) : n_after;
}

bool
atn_head_has_mask (const AtnHead *self)
{
  return self->causal || (self->window > 0 && self->window < self->n_tokens);
}

size_t
atn_head_count_keys (const AtnHead *self, size_t first, size_t n)
{
  size_t begin, end;

  /* Both ends of the visible range grow with the query. */
  atn_head_get_visible (self, MIN (first + n, self->n_tokens) - 1, &begin, &end);
  return end;
}

/* The cap, and what positions add. */
static void
bend_block (const AtnHead *self,
            AtnStage stage,
            size_t first,
            size_t n,
            size_t n_keys,
            float *values,
            size_t stride)
{
  for (size_t i = 0; i < n; i++) {
    float *row = values + i * stride;

    if (self->cap > 0.0f)
      atn_cap (row, n_keys, self->cap);
    if (stage < ATN_STAGE_BIASED)
      continue;
    if (self->alibi_slope != 0.0f)
      atn_add_slope (row, n_keys, self->alibi_slope);
    if (self->position_bias != NULL)
      atn_add_row (row, row, self->position_bias + self->n_tokens - 1 - (first + i), 1, n_keys);
  }
}

/* Forbids what the window and the diagonal cut off within a block. */
static void
mask_block (const AtnHead *self,
            size_t first,
            size_t n,
            size_t n_keys,
            float *values,
            size_t stride)
{
  for (size_t i = 0; i < n; i++) {
    size_t begin, end;

    atn_head_get_visible (self, first + i, &begin, &end);
    for (size_t key = 0; key < MIN (begin, n_keys); key++)
      values[i * stride + key] = -INFINITY;
    for (size_t key = end; key < n_keys; key++)
      values[i * stride + key] = -INFINITY;
  }
}

static void
softmax_block (const AtnHead *self,
               size_t first,
               size_t n,
               size_t n_keys,
               float *values,
               size_t stride)
{
  for (size_t i = 0; i < n; i++) {
    float *row = values + i * stride;
    size_t begin, end;

    atn_head_get_visible (self, first + i, &begin, &end);
    begin = MIN (begin, n_keys);
    end = MIN (end, n_keys);
    memset (row, 0, begin * sizeof *row);
    atn_softmax_row (row + begin, end - begin, self->temperature);
    memset (row + end, 0, (n_keys - end) * sizeof *row);
  }
}

void
atn_head_compute_block (const AtnHead *self,
                        AtnStage stage,
                        size_t first,
                        size_t n,
                        size_t n_keys,
                        float *values,
                        size_t stride)
{
  g_assert (stage >= ATN_STAGE_DOT && stage <= ATN_STAGE_PATTERN);

  /* values[n, n_keys] = scale · q[n, d_head] @ k[n_keys, d_head]ᵀ */
  atn_blas_gemm (&(AtnGemm){
    .m = n,
    .n = n_keys,
    .k = self->d_head,
    .a = self->q + first * self->q_stride,
    .lda = self->q_stride,
    .b = self->k,
    .ldb = self->k_stride,
    .transpose_b = true,
    .c = values,
    .ldc = stride,
    .alpha = stage == ATN_STAGE_DOT ? 1.0f : self->scale,
    .beta = 0.0f,
  });

  if (stage >= ATN_STAGE_CAPPED)
    bend_block (self, stage, first, n, n_keys, values, stride);
  if (stage == ATN_STAGE_MASKED)
    mask_block (self, first, n, n_keys, values, stride);
  else if (stage == ATN_STAGE_PATTERN)
    softmax_block (self, first, n, n_keys, values, stride);
}

void
atn_head_mix_values (const AtnHead *self,
                     const float *pattern,
                     size_t n,
                     size_t n_keys,
                     float *z,
                     size_t z_stride)
{
  /* z[n, d_v] = pattern[n, n_keys] @ v[n_keys, d_v] */
  atn_blas_gemm (&(AtnGemm){
    .m = n,
    .n = self->d_v,
    .k = n_keys,
    .a = pattern,
    .lda = n_keys,
    .b = self->v,
    .ldb = self->v_stride,
    .c = z,
    .ldc = z_stride,
    .alpha = 1.0f,
    .beta = 0.0f,
  });
}
