/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-blas.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Up to so many rows sgemv is used if b has so many floats at least. */
#define MAX_ROWS 3
#define MIN_PACKED 16384

/* c = beta · c, without reading c if beta is 0. */
static void
scale_output (const AtnGemm *gemm)
{
  for (size_t row = 0; row < gemm->m; row++) {
    float *c = gemm->c + row * gemm->ldc;

    if (gemm->beta == 0.0f) {
      memset (c, 0, gemm->n * sizeof *c);
      continue;
    }
    for (size_t col = 0; col < gemm->n; col++)
      c[col] *= gemm->beta;
  }
}

/* c[row, n] += alpha · op(a)[row, k] @ op(b) */
static void
add_row (const AtnGemm *gemm, size_t row)
{
  const int n_rows = (int) (gemm->transpose_b ? gemm->n : gemm->k);
  const int n_cols = (int) (gemm->transpose_b ? gemm->k : gemm->n);
  const float *a = gemm->transpose_a ? gemm->a + row : gemm->a + row * gemm->lda;
  const int step = gemm->transpose_a ? (int) gemm->lda : 1;

  /* y[n] += alpha * op(b)[n, k] @ x[k] */
  cblas_sgemv (CblasRowMajor, gemm->transpose_b ? CblasNoTrans : CblasTrans, n_rows, n_cols,
               gemm->alpha, gemm->b, (int) gemm->ldb, a, step, 1.0f, gemm->c + row * gemm->ldc, 1);
}

void
atn_blas_gemm (const AtnGemm *gemm)
{
  g_assert (gemm->m <= INT_MAX && gemm->n <= INT_MAX && gemm->k <= INT_MAX);
  g_assert (gemm->lda <= INT_MAX && gemm->ldb <= INT_MAX && gemm->ldc <= INT_MAX);
  g_assert (gemm->lda >= (gemm->transpose_a ? gemm->m : gemm->k));
  g_assert (gemm->ldb >= (gemm->transpose_b ? gemm->k : gemm->n));
  g_assert (gemm->ldc >= gemm->n);

  if (gemm->m == 0 || gemm->n == 0)
    return;

  if (gemm->k == 0 || gemm->alpha == 0.0f) {
    scale_output (gemm);
    return;
  }

  /* sgemm packs b before it multiplies; for few rows that costs more than the products.
   * Measured for [m, 768] @ [768, 768]: m = 1: 50 µs instead of 210, 2: 90 and 240, 4: equal. */
  if (gemm->m == 1 || (gemm->m <= MAX_ROWS && gemm->n * gemm->k >= MIN_PACKED)) {
    scale_output (gemm);
    for (size_t row = 0; row < gemm->m; row++)
      add_row (gemm, row);
    return;
  }

  /* c[m, n] = alpha * op(a)[m, k] @ op(b)[k, n] + beta * c[m, n] */
  cblas_sgemm (CblasRowMajor, gemm->transpose_a ? CblasTrans : CblasNoTrans,
               gemm->transpose_b ? CblasTrans : CblasNoTrans, (int) gemm->m, (int) gemm->n,
               (int) gemm->k, gemm->alpha, gemm->a, (int) gemm->lda, gemm->b, (int) gemm->ldb,
               gemm->beta, gemm->c, (int) gemm->ldc);
}

float
atn_blas_dot (const float *a, const float *b, size_t n)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += (double) a[i] * (double) b[i];

  return (float) sum;
}

void
atn_blas_set_n_threads (int n_threads)
{
  openblas_set_num_threads (n_threads);
}

int
atn_blas_get_n_threads (void)
{
  return openblas_get_num_threads ();
}

const char *
atn_blas_get_core_name (void)
{
  return openblas_get_corename ();
}

/* Self-check. */

/* Kernels work on blocks of 4, 8, 16, 32 …: one less and one more is where they go wrong. */
static const size_t check_sizes[] = { 1, 2, 3, 5, 8, 15, 17, 33, 65 };

#define CHECK_MAX_SIZE 65

static float
read_operand (const float *x, size_t ld, bool is_transposed, size_t row, size_t col)
{
  return is_transposed ? x[col * ld + row] : x[row * ld + col];
}

/* The largest |c - Σ a·b| / Σ |a·b| of a product that was computed. */
static double
measure_product (const AtnGemm *gemm)
{
  double worst = 0.0;

  for (size_t cell = 0; cell < gemm->m * gemm->n; cell++) {
    const size_t row = cell / gemm->n, col = cell % gemm->n;
    double sum = 0.0, magnitude = 0.0, difference;

    for (size_t i = 0; i < gemm->k; i++) {
      double term = (double) read_operand (gemm->a, gemm->lda, gemm->transpose_a, row, i) *
                    (double) read_operand (gemm->b, gemm->ldb, gemm->transpose_b, i, col);

      sum += term;
      magnitude += fabs (term);
    }

    difference = fabs ((double) gemm->c[row * gemm->ldc + col] - sum);
    /* Not fmax (), which would drop a NaN. */
    if (!(difference <= worst * magnitude))
      worst = isnan (difference) ? HUGE_VAL : difference / magnitude;
  }

  return worst;
}

/* All four transpositions of one shape. */
static double
check_shape (const float *a, const float *b, float *c, size_t m, size_t n, size_t k)
{
  double worst = 0.0;

  for (int flags = 0; flags < 4; flags++) {
    AtnGemm gemm = { .m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .ldc = n, .alpha = 1.0f };

    gemm.transpose_a = (flags & 1) != 0;
    gemm.transpose_b = (flags & 2) != 0;
    gemm.lda = gemm.transpose_a ? m : k;
    gemm.ldb = gemm.transpose_b ? k : n;
    memset (c, 0xFF, m * n * sizeof *c); /* NaN: must not be read */
    atn_blas_gemm (&gemm);
    worst = MAX (worst, measure_product (&gemm));
  }

  return worst;
}

double
atn_blas_self_check (void)
{
  const size_t max_n = CHECK_MAX_SIZE * CHECK_MAX_SIZE;
  const size_t n_sizes = G_N_ELEMENTS (check_sizes);
  g_autofree float *a = g_new (float, max_n);
  g_autofree float *b = g_new (float, max_n);
  g_autofree float *c = g_new (float, max_n);
  guint32 state = 1;
  double worst = 0.0;

  for (size_t i = 0; i < max_n; i++) {
    state = state * 1664525u + 1013904223u;
    a[i] = (float) (state >> 8) / 8388608.0f - 1.0f;
    state = state * 1664525u + 1013904223u;
    b[i] = (float) (state >> 8) / 8388608.0f - 1.0f;
  }

  for (size_t i = 0; i < n_sizes * n_sizes * n_sizes; i++) {
    const size_t m = check_sizes[i % n_sizes];
    const size_t n = check_sizes[i / n_sizes % n_sizes];
    const size_t k = check_sizes[i / (n_sizes * n_sizes)];

    worst = MAX (worst, check_shape (a, b, c, m, n, k));
  }

  return worst;
}
