/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-linear.h"

#include "base/atn-blas.h"
#include "engine/atn-kernels.h"

void
atn_linear_apply (const AtnLinear *self, const float *x, size_t n, const float *add, float *y)
{
  const bool has_start = add != NULL || self->bias != NULL;
  const size_t width = self->d_out / self->n_parts;

  if (has_start)
    atn_add_row (y, add, self->bias, n, self->d_out);

  for (size_t part = 0; part < self->n_parts; part++) {
    /* y[n, width] = x[n, d_in] @ W[d_in, width] */
    atn_blas_gemm (&(AtnGemm){
      .m = n,
      .n = width,
      .k = self->d_in,
      .a = x,
      .lda = self->d_in,
      .b = self->weight + part * self->part_stride,
      .ldb = self->stride,
      .transpose_b = self->is_out_in,
      .c = y + part * width,
      .ldc = self->d_out,
      .alpha = 1.0f,
      .beta = has_start ? 1.0f : 0.0f,
    });
  }
}

void
atn_linear_apply_group (const AtnLinear *self,
                        size_t group,
                        size_t n_groups,
                        const float *x,
                        size_t n,
                        size_t x_stride,
                        float *y)
{
  const size_t width = self->d_in / n_groups;
  const size_t first = group * width;

  g_assert (self->n_parts == 1);

  /* y[n, d_out] = x[n, width] @ W[first:first + width, d_out] */
  atn_blas_gemm (&(AtnGemm){
    .m = n,
    .n = self->d_out,
    .k = width,
    .a = x,
    .lda = x_stride,
    .b = self->weight + (self->is_out_in ? first : first * self->stride),
    .ldb = self->stride,
    .transpose_b = self->is_out_in,
    .c = y,
    .ldc = self->d_out,
    .alpha = 1.0f,
    .beta = 0.0f,
  });
}
