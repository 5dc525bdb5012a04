/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-linear.h"

#include "base/atn-blas.h"
#include "engine/atn-kernels.h"
#include "engine/atn-workers.h"

/* Columns of a task: a multiple of what OpenBLAS's kernels take at once, and not so few that
 * packing x again for each task would show. */
#define MIN_COLUMNS 192
#define COLUMN_STEP 64

typedef struct
{
  const AtnLinear *linear;
  const float *x;
  const float *add;
  float *y;
  size_t n;
  size_t width; /* columns of a task */
} Product;

/* y[n, some columns] = x W + bias + add. A task never crosses two parts. */
static void
multiply_columns_cb (size_t task, size_t worker, gpointer user_data)
{
  const Product *self = user_data;
  const AtnLinear *linear = self->linear;
  const size_t part_width = linear->d_out / linear->n_parts;
  const size_t n_tasks_per_part = (part_width - 1) / self->width + 1;
  const size_t part = task / n_tasks_per_part;
  const size_t first = task % n_tasks_per_part * self->width;
  const size_t width = MIN (self->width, part_width - first);
  const size_t column = part * part_width + first;
  const float *bias =
    linear->bias != NULL ? linear->bias + part * linear->bias_part_stride + first : NULL;
  const bool has_start = self->add != NULL || bias != NULL;

  for (size_t row = 0; has_start && row < self->n; row++) {
    const size_t offset = row * linear->d_out + column;

    atn_add_row (self->y + offset, self->add != NULL ? self->add + offset : NULL, bias, 1, width);
  }

  /* y[n, width] = x[n, d_in] @ W[d_in, width] */
  atn_blas_gemm (&(AtnGemm){
    .m = self->n,
    .n = width,
    .k = linear->d_in,
    .a = self->x,
    .lda = linear->d_in,
    .b = linear->weight + part * linear->part_stride +
         (linear->is_out_in ? first * linear->stride : first),
    .ldb = linear->stride,
    .transpose_b = linear->is_out_in,
    .c = self->y + column,
    .ldc = linear->d_out,
    .alpha = 1.0f,
    .beta = has_start ? 1.0f : 0.0f,
  });
}

/* Two tasks for each worker, so that one that is held up does not hold up the others. */
static size_t
choose_width (size_t part_width, size_t n_workers)
{
  const size_t share = part_width / (2 * n_workers) / COLUMN_STEP * COLUMN_STEP;

  return n_workers <= 1 ? part_width : CLAMP (share, MIN (MIN_COLUMNS, part_width), part_width);
}

void
atn_linear_apply (const AtnLinear *self,
                  const float *x,
                  size_t n,
                  const float *add,
                  size_t n_workers,
                  float *y)
{
  const size_t part_width = self->d_out / self->n_parts;
  const size_t width = choose_width (part_width, n_workers);
  Product product = { .linear = self, .x = x, .add = add, .y = y, .n = n, .width = width };

  atn_workers_run (n_workers, ((part_width - 1) / width + 1) * self->n_parts, multiply_columns_cb,
                   &product);
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
