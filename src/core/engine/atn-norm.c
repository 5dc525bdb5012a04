/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-norm.h"

#include "engine/atn-kernels.h"

void
atn_norm_apply (const AtnNormWeights *self,
                const AtnConfig *config,
                const float *src,
                size_t n_rows,
                size_t n,
                float *dst)
{
  if (config->norm == ATN_NORM_LAYERNORM)
    atn_layernorm_rows (dst, src, n_rows, n, self->weight, self->bias, config->norm_eps);
  else
    atn_rmsnorm_rows (dst, src, n_rows, n, self->weight, config->norm_offset, config->norm_eps);
}

void
atn_norm_apply_to_heads (const AtnNormWeights *norms,
                         const AtnConfig *config,
                         size_t n_rows,
                         size_t n_heads,
                         float *heads)
{
  const size_t d_head = config->d_head;

  if (config->qk_norm == ATN_QK_NORM_SHARED) {
    atn_norm_apply (norms, config, heads, n_rows * n_heads, d_head, heads);
    return;
  }

  for (size_t i = 0; i < n_rows * n_heads; i++)
    atn_norm_apply (&norms[i % n_heads], config, heads + i * d_head, 1, d_head, heads + i * d_head);
}
