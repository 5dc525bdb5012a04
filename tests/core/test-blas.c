/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test.h"
#include "base/atn-blas.h"

#include <math.h>

/* Worst seen with the kernels Prescott, Nehalem, Sandybridge, Haswell, Zen and SkylakeX of
 * OpenBLAS 0.3.21: 2.9e-7. A wrong kernel is off by whole terms. */
#define TOLERANCE 1e-6

/* What the case allows. */
#define CASE_TOLERANCE 1e-5

static void
test_kernels_agree_with_plain_loops (void)
{
  g_test_message ("OpenBLAS core: %s", atn_blas_get_core_name ());
  g_assert_cmpfloat (atn_blas_self_check (), <, TOLERANCE);
  g_assert_cmpfloat (atn_blas_self_check (), >, 0);
}

/* One product of a[m, k] and b[k, n], each stored so or transposed, against plain loops in double.
 */
static void
assert_product (AtnGemm gemm, int flags)
{
  gemm.transpose_a = (flags & 1) != 0;
  gemm.transpose_b = (flags & 2) != 0;
  gemm.lda = gemm.transpose_a ? gemm.m : gemm.k;
  gemm.ldb = gemm.transpose_b ? gemm.k : gemm.n;
  atn_blas_gemm (&gemm);

  for (size_t i = 0; i < gemm.m * gemm.n; i++) {
    const size_t row = i / gemm.n, col = i % gemm.n;
    double sum = 0, magnitude = 0;

    for (size_t k = 0; k < gemm.k; k++) {
      const double term =
        (double) gemm.a[gemm.transpose_a ? k * gemm.lda + row : row * gemm.lda + k] *
        (double) gemm.b[gemm.transpose_b ? col * gemm.ldb + k : k * gemm.ldb + col];

      sum += term;
      magnitude += fabs (term);
    }
    g_assert_cmpfloat (fabs ((double) gemm.c[i] - sum), <=, CASE_TOLERANCE * magnitude);
  }
}

static void
test_every_shape_and_transposition_is_right (void)
{
  static const size_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65 };
  const size_t n_sizes = G_N_ELEMENTS (sizes);
  static float a[65 * 65], b[65 * 65], c[65 * 65];
  g_autoptr (GRand) rand = g_rand_new_with_seed (118);

  for (size_t i = 0; i < G_N_ELEMENTS (a); i++) {
    a[i] = (float) g_rand_double_range (rand, -1, 1);
    b[i] = (float) g_rand_double_range (rand, -1, 1);
  }

  for (size_t i = 0; i < n_sizes * n_sizes * n_sizes; i++) {
    const AtnGemm gemm = { .m = sizes[i % n_sizes],
                           .n = sizes[i / n_sizes % n_sizes],
                           .k = sizes[i / n_sizes / n_sizes],
                           .a = a,
                           .b = b,
                           .c = c,
                           .ldc = sizes[i / n_sizes % n_sizes],
                           .alpha = 1 };

    for (int flags = 0; flags < 4; flags++)
      assert_product (gemm, flags);
  }
}

/* Few rows and a large b take the other kernel, too. */
static void
test_few_rows_of_a_large_product_are_right (void)
{
  enum
  {
    N = 150,
    K = 130
  };
  static float a[4 * K], b[N * K], c[4 * N];
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (size_t i = 0; i < G_N_ELEMENTS (a); i++)
    a[i] = (float) g_rand_double_range (rand, -1, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (b); i++)
    b[i] = (float) g_rand_double_range (rand, -1, 1);

  for (size_t m = 1; m <= 4; m++)
    for (int flags = 0; flags < 4; flags++)
      assert_product (
        (AtnGemm){ .m = m, .n = N, .k = K, .a = a, .b = b, .c = c, .ldc = N, .alpha = 1 }, flags);
}

static void
test_a_product_computed_by_hand (void)
{
  static const float a[] = { 1, 2, 3, 4, 5, 6 };     /* [2, 3] */
  static const float b[] = { 1, 0, 2, 1, 0, 3 };     /* [3, 2] */
  static const float expected[] = { 5, 11, 14, 23 }; /* [2, 2] */
  float c[4] = { NAN, NAN, NAN, NAN };

  atn_blas_gemm (&(AtnGemm){ .m = 2,
                             .n = 2,
                             .k = 3,
                             .a = a,
                             .lda = 3,
                             .b = b,
                             .ldb = 2,
                             .c = c,
                             .ldc = 2,
                             .alpha = 1 });
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (c[i], ==, expected[i]);
}

/* Each row of the product must be the same whether it is computed alone or not, up to rounding:
 * one row takes another kernel. */
static void
test_one_row_and_many_rows_agree (void)
{
  enum
  {
    M = 5,
    N = 37,
    K = 29
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  float a[M * K], b[K * N], many[M * N], one[N];

  for (int i = 0; i < M * K; i++)
    a[i] = (float) g_rand_double_range (rand, -1, 1);
  for (int i = 0; i < K * N; i++)
    b[i] = (float) g_rand_double_range (rand, -1, 1);

  for (int flags = 0; flags < 4; flags++) {
    AtnGemm gemm = { .m = M, .n = N, .k = K, .a = a, .b = b, .c = many, .ldc = N, .alpha = 0.5f };

    gemm.transpose_a = (flags & 1) != 0;
    gemm.transpose_b = (flags & 2) != 0;
    gemm.lda = gemm.transpose_a ? M : K;
    gemm.ldb = gemm.transpose_b ? K : N;
    atn_blas_gemm (&gemm);

    gemm.m = 1;
    gemm.c = one;
    gemm.beta = 2.0f;
    for (int row = 0; row < M; row++) {
      gemm.a = gemm.transpose_a ? a + row : a + row * K;
      for (int i = 0; i < N; i++)
        one[i] = 1.0f;
      atn_blas_gemm (&gemm);
      for (int i = 0; i < N; i++)
        g_assert_cmpfloat_with_epsilon (one[i], 2.0f + many[row * N + i], 1e-5f);
    }
  }
}

static void
test_empty_products_leave_beta_times_the_output (void)
{
  static const float x[4] = { 1, 1, 1, 1 };
  float c[6] = { NAN, NAN, 2, 2, 7, 7 };

  /* k = 0, beta = 0: zeros, even over NaN. */
  atn_blas_gemm (
    &(AtnGemm){ .m = 1, .n = 2, .k = 0, .a = x, .b = x, .ldb = 2, .c = c, .ldc = 2, .alpha = 1 });
  g_assert_cmpfloat (c[0], ==, 0);
  g_assert_cmpfloat (c[1], ==, 0);

  /* alpha = 0: the operands are not looked at. */
  atn_blas_gemm (&(AtnGemm){ .m = 2,
                             .n = 1,
                             .k = 1,
                             .a = (float[]){ NAN, NAN },
                             .lda = 1,
                             .b = x,
                             .ldb = 1,
                             .c = c + 2,
                             .ldc = 1,
                             .alpha = 0,
                             .beta = 3 });
  g_assert_cmpfloat (c[2], ==, 6);
  g_assert_cmpfloat (c[3], ==, 6);

  /* m = 0: nothing happens. */
  atn_blas_gemm (&(AtnGemm){ .m = 0,
                             .n = 2,
                             .k = 2,
                             .a = x,
                             .lda = 2,
                             .b = x,
                             .ldb = 2,
                             .c = c + 4,
                             .ldc = 2,
                             .alpha = 1 });
  g_assert_cmpfloat (c[4], ==, 7);
}

/* beta = 0 must not read the output: 0 · NaN would be NaN. */
static void
test_beta_zero_never_reads_the_output (void)
{
  enum
  {
    MAX = 40
  };
  static float a[MAX * MAX], b[MAX * MAX], c[MAX * MAX];

  for (int i = 0; i < MAX * MAX; i++)
    a[i] = b[i] = 1.0f;

  for (size_t n = 1; n <= MAX; n++)
    for (size_t m = 1; m <= 3; m++) {
      memset (c, 0xFF, sizeof c);
      atn_blas_gemm (&(AtnGemm){ .m = m,
                                 .n = n,
                                 .k = n,
                                 .a = a,
                                 .lda = n,
                                 .b = b,
                                 .ldb = n,
                                 .c = c,
                                 .ldc = n,
                                 .alpha = 1 });
      for (size_t i = 0; i < m * n; i++)
        g_assert_cmpfloat (c[i], ==, (float) n);
    }
}

static void
test_dot_sums_in_double (void)
{
  static const float a[] = { 1e8f, 1, -1e8f, 0.5f }, ones[] = { 1, 1, 1, 1 };

  g_assert_cmpfloat (atn_blas_dot (a, ones, 4), ==, 1.5f);
  g_assert_cmpfloat (atn_blas_dot (a, ones, 0), ==, 0);
}

static void
test_the_thread_count_can_be_set (void)
{
  atn_blas_set_n_threads (1);
  g_assert_cmpint (atn_blas_get_n_threads (), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/blas/self-check", test_kernels_agree_with_plain_loops);
  g_test_add_func ("/cases/118/shapes", test_every_shape_and_transposition_is_right);
  g_test_add_func ("/core/blas/few-rows", test_few_rows_of_a_large_product_are_right);
  g_test_add_func ("/core/blas/by-hand", test_a_product_computed_by_hand);
  g_test_add_func ("/core/blas/one-row", test_one_row_and_many_rows_agree);
  g_test_add_func ("/cases/116/empty", test_empty_products_leave_beta_times_the_output);
  g_test_add_func ("/cases/116/beta-zero", test_beta_zero_never_reads_the_output);
  g_test_add_func ("/core/blas/dot", test_dot_sums_in_double);
  g_test_add_func ("/core/blas/threads", test_the_thread_count_can_be_set);

  return g_test_run ();
}
