/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The only door to OpenBLAS. No other file includes cblas.h.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/**
 * AtnGemm:
 *
 * One product, row-major: c[m, n] = alpha · op(a) @ op(b) + beta · c, where op
 * transposes if asked: a is stored [m, k] or [k, m], b [k, n] or [n, k]; lda,
 * ldb, ldc are floats from one stored row to the next.
 */
typedef struct
{
  size_t m, n, k;
  const float *a;
  size_t lda;
  bool transpose_a;
  const float *b;
  size_t ldb;
  bool transpose_b;
  float *c;
  size_t ldc;
  float alpha;
  float beta; /* 0 means c is written and never read */
} AtnGemm;

/* m, n or k may be 0. Sizes over INT_MAX are a bug in the caller and asserted. */
void atn_blas_gemm (const AtnGemm *gemm);

/* Plain loops in double; y[n] = x[m] @ w[m, n] style helpers are gemm with m = 1. */
float atn_blas_dot (const float *a, const float *b, size_t n);

/* OpenBLAS 0.3.21 has one process-wide count; only the compute thread sets it. */
void atn_blas_set_n_threads (int n_threads);
int atn_blas_get_n_threads (void);

/* Which kernels OpenBLAS chose, such as "Haswell" or "Prescott". */
const char *atn_blas_get_core_name (void);

/**
 * atn_blas_self_check:
 *
 * Compares products of small awkward shapes, with every combination of
 * transpositions, with plain loops in double.
 *
 * Returns: the largest difference divided by Σ|a·b|; right kernels stay below 1e-6
 */
double atn_blas_self_check (void);

G_END_DECLS
