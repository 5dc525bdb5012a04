/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The forward pass of a random model of GPT-2 small's shape against the matrix
 * product of the same machine: a ratio that means the same on every machine.
 * Each run is compared with a product right before it, so that what else the
 * machine does weighs on both.
 *
 *   bench-forward [T …]      (32, 128 and 512 if none is given)
 *
 * Writes the model, 0.5 GB, to the folder for temporary files and removes it.
 */

#include "base/atn-blas.h"
#include "bench-clock.h"
#include "bench-model.h"
#include "engine/atn-trace.h"
#include "engine/atn-workers.h"

#include <stdio.h>

#define N_RUNS 9
/* Side of the product: far beyond the caches. */
#define SIDE 1536
#define GIGA 1e9

static const BenchShape gpt2_small = {
  .n_layers = 12,
  .n_heads = 12,
  .d_model = 768,
  .d_vocab = 50257,
  .n_ctx = 1024,
};

typedef struct
{
  double peak[N_RUNS]; /* GFLOP/s */
  double wall[N_RUNS]; /* ms */
  double cpu[N_RUNS];
  double ratio[N_RUNS];
  double cpu_ratio[N_RUNS]; /* per second of the processor's */
} Runs;

/* With OpenBLAS's own threads, which the engine does without. */
static BenchTime
time_product (float *matrices)
{
  const size_t n = SIDE;
  BenchTime start, time;

  atn_blas_set_n_threads ((int) atn_workers_get_max ());
  start = bench_clock_read ();
  atn_blas_gemm (&(AtnGemm){ .m = n,
                             .n = n,
                             .k = n,
                             .a = matrices,
                             .lda = n,
                             .b = matrices + n * n,
                             .ldb = n,
                             .c = matrices + 2 * n * n,
                             .ldc = n,
                             .alpha = 1.0f });
  time = bench_clock_since (&start);
  atn_blas_set_n_threads (1);
  return time;
}

/* Multiplications and additions of the forward pass, half of the square under a causal mask. */
static double
count_flops (size_t n_tokens)
{
  const double T = (double) n_tokens;
  const double M = (double) gpt2_small.d_model;
  const double linear = 2.0 * T * 12.0 * M * M;
  const double attention = 4.0 * M * T * (T + 1.0) / 2.0;

  return (double) gpt2_small.n_layers * (linear + attention);
}

static AtnTokens *
create_tokens (AtnModel *model, size_t n_tokens)
{
  AtnTokens *tokens = g_new0 (AtnTokens, 1);

  g_atomic_ref_count_init (&tokens->ref_count);
  tokens->tokenizer = atn_tokenizer_ref (atn_model_get_tokenizer (model));
  tokens->n_tokens = n_tokens;
  tokens->tokens = g_new0 (AtnToken, n_tokens);
  for (size_t t = 0; t < n_tokens; t++)
    tokens->tokens[t].id = (uint32_t) (t * 97 % gpt2_small.d_vocab);
  return tokens;
}

static BenchTime
time_forward (AtnModel *model, AtnTokens *tokens)
{
  g_autoptr (GError) error = NULL;
  BenchTime start = bench_clock_read ();
  g_autoptr (AtnTrace) trace = atn_trace_run (model, tokens, NULL, NULL, NULL, NULL, &error);
  BenchTime time = bench_clock_since (&start);

  g_assert_no_error (error);
  g_assert_nonnull (trace);
  return time;
}

static void
run_once (Runs *runs, size_t i, AtnModel *model, AtnTokens *tokens, float *matrices)
{
  const double product_flops = 2.0 * SIDE * SIDE * (double) SIDE;
  const double flops = count_flops (tokens->n_tokens);
  BenchTime product = time_product (matrices);
  BenchTime forward = time_forward (model, tokens);

  runs->peak[i] = product_flops / product.wall / GIGA;
  runs->wall[i] = forward.wall * 1e3;
  runs->cpu[i] = forward.cpu * 1e3;
  runs->ratio[i] = flops / forward.wall / (product_flops / product.wall);
  runs->cpu_ratio[i] = flops / forward.cpu / (product_flops / product.cpu);
}

static void
measure (AtnModel *model, size_t n_tokens, float *matrices)
{
  AtnTokens *tokens = create_tokens (model, n_tokens);
  g_autofree char *name = g_strdup_printf ("forward %zu", n_tokens);
  Runs runs;
  const BenchSeries series[] = {
    { "peak_gflops", runs.peak }, { "wall_ms", runs.wall },        { "cpu_ms", runs.cpu },
    { "ratio", runs.ratio },      { "cpu_ratio", runs.cpu_ratio },
  };

  time_forward (model, tokens);
  for (size_t i = 0; i < N_RUNS; i++)
    run_once (&runs, i, model, tokens, matrices);
  bench_print (name, series, G_N_ELEMENTS (series), N_RUNS);
  atn_tokens_unref (tokens);
}

int
main (int argc, char **argv)
{
  const size_t lengths[] = { 32, 128, 512 };
  g_autofree float *matrices = g_new (float, 3 * SIDE * SIDE);
  g_autoptr (AtnModel) model = NULL;

  /* Kernels that compute wrong numbers would be no measure. */
  if (!(atn_blas_self_check () < 1e-6)) {
    fprintf (stderr, "OpenBLAS (%s) computes wrong products\n", atn_blas_get_core_name ());
    return 1;
  }
  printf ("{\"bench\": \"blas\", \"core\": \"%s\", \"n_threads\": %d}\n", atn_blas_get_core_name (),
          (int) atn_workers_get_max ());
  for (size_t i = 0; i < 2 * SIDE * SIDE; i++)
    matrices[i] = (float) (i % 17) - 8.0f;
  time_product (matrices);

  model = bench_model_open_folder (&gpt2_small);
  for (int i = 1; i < argc; i++)
    measure (model, (size_t) g_ascii_strtoull (argv[i], NULL, 10), matrices);
  for (size_t i = 0; argc == 1 && i < G_N_ELEMENTS (lengths); i++)
    measure (model, lengths[i], matrices);
  return 0;
}
