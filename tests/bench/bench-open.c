/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From the path of a model to its first heatmap's numbers: open, tokens, forward pass, one
 * matrix. The files have just been written, so that the disk is warm.
 */

#include "bench-clock.h"
#include "bench-model.h"
#include "engine/atn-request.h"

#define N_RUNS 5

static const struct
{
  const char *name;
  BenchShape shape;
} models[] = {
  { "GPT-2 small, F32",
    { .n_layers = 12, .n_heads = 12, .d_model = 768, .d_vocab = 50257, .n_ctx = 1024 } },
  { "SmolLM2-135M, BF16",
    { .n_layers = 30,
      .n_heads = 9,
      .n_kv_heads = 3,
      .d_model = 576,
      .d_mlp = 1536,
      .d_vocab = 49152,
      .n_ctx = 8192,
      .is_bf16 = true } },
};

static void
open_once (const char *folder, double *open_ms, double *wall_ms, double *cpu_ms)
{
  const BenchTime start = bench_clock_read ();
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = atn_model_open (folder, NULL, NULL, NULL, &error);
  AtnRequest request = { .text = "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10", .text_len = -1 };
  g_autoptr (AtnResult) result = NULL;
  g_autoptr (AtnMatrix) matrix = NULL;
  BenchTime time;

  g_assert_no_error (error);
  *open_ms = bench_clock_since (&start).wall * 1e3;
  request.model = model;
  result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  matrix = atn_trace_dup_matrix (result->trace, 0, 0, ATN_STAGE_PATTERN, NULL);
  time = bench_clock_since (&start);
  *wall_ms = time.wall * 1e3;
  *cpu_ms = time.cpu * 1e3;
}

int
main (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (models); i++) {
    char *folder = bench_model_write_folder (&models[i].shape);
    g_autofree char *name = g_strdup_printf ("open %s", models[i].name);
    double opened[N_RUNS], wall[N_RUNS], cpu[N_RUNS];
    const BenchSeries series[] = { { "open_ms", opened }, { "wall_ms", wall }, { "cpu_ms", cpu } };

    for (size_t run = 0; run < N_RUNS; run++)
      open_once (folder, &opened[run], &wall[run], &cpu[run]);
    bench_print (name, series, G_N_ELEMENTS (series), N_RUNS);
    bench_model_remove_folder (folder);
  }
  return 0;
}
