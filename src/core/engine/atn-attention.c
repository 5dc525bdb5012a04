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
    .temperature = atn_what_if_get_temperature (what_if),
    .causal = atn_what_if_is_causal (what_if, config),
  };
}

void
atn_head_set_vectors (AtnHead *self,
                      const AtnConfig *config,
                      size_t head,
                      const float *q,
                      const float *k,
                      const float *v)
{
  const size_t kv_head = head / (config->n_heads / config->n_kv_heads);

  self->q = q + head * config->d_head;
  self->k = k + kv_head * config->d_head;
  self->v = v + kv_head * config->d_v;
}

size_t
atn_head_count_keys (const AtnHead *self, size_t first, size_t n)
{
  return self->causal ? MIN (first + n, self->n_tokens) : self->n_tokens;
}

/* Forbids what is right of the diagonal within a block. */
static void
mask_block (const AtnHead *self,
            size_t first,
            size_t n,
            size_t n_keys,
            float *values,
            size_t stride)
{
  for (size_t i = 0; self->causal && i < n; i++) {
    for (size_t key = first + i + 1; key < n_keys; key++)
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
    const size_t n_visible = self->causal ? MIN (first + i + 1, n_keys) : n_keys;
    float *row = values + i * stride;

    atn_softmax_row (row, n_visible, self->temperature);
    memset (row + n_visible, 0, (n_keys - n_visible) * sizeof *row);
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
