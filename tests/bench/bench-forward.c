/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The forward pass of a random model of GPT-2 small's shape against the best
 * matrix product of the same machine in the same run: a ratio that means the
 * same on every machine.
 *
 *   bench-forward [T …]      (32, 128 and 512 if none is given)
 *
 * Writes the model, 0.5 GB, to the folder for temporary files and removes it.
 */

#include "base/atn-blas.h"
#include "engine/atn-trace.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_LAYERS 12
#define D_MODEL 768
#define D_VOCAB 50257
#define N_CTX 1024

/* Every measurement is the best of as many runs as fit into this time, but of at least three:
 * other programs only ever make a run slower. */
#define SECONDS 4.0

typedef struct
{
  const char *name; /* '#' is the layer */
  size_t rows;
  size_t cols; /* 0: a vector */
} TensorShape;

static const TensorShape shapes[] = {
  { "wte.weight", D_VOCAB, D_MODEL },
  { "wpe.weight", N_CTX, D_MODEL },
  { "ln_f.weight", D_MODEL, 0 },
  { "ln_f.bias", D_MODEL, 0 },
  { "h.#.ln_1.weight", D_MODEL, 0 },
  { "h.#.ln_1.bias", D_MODEL, 0 },
  { "h.#.attn.c_attn.weight", D_MODEL, 3 * D_MODEL },
  { "h.#.attn.c_attn.bias", 3 * D_MODEL, 0 },
  { "h.#.attn.c_proj.weight", D_MODEL, D_MODEL },
  { "h.#.attn.c_proj.bias", D_MODEL, 0 },
  { "h.#.ln_2.weight", D_MODEL, 0 },
  { "h.#.ln_2.bias", D_MODEL, 0 },
  { "h.#.mlp.c_fc.weight", D_MODEL, 4 * D_MODEL },
  { "h.#.mlp.c_fc.bias", 4 * D_MODEL, 0 },
  { "h.#.mlp.c_proj.weight", 4 * D_MODEL, D_MODEL },
  { "h.#.mlp.c_proj.bias", D_MODEL, 0 },
};

static const char config[] = "{\"model_type\":\"gpt2\"}";
static const char tokenizer[] =
  "{\"added_tokens\":[],\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},"
  "\"post_processor\":null,\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"a\","
  "\"vocab\":{\"a\":0}}}";

static guint32 random_state = 1;

static size_t
count_elements (const TensorShape *shape)
{
  return shape->rows * (shape->cols > 0 ? shape->cols : 1);
}

static void
append_header (GString *header, const TensorShape *shape, int layer, size_t *offset)
{
  const size_t size = count_elements (shape) * sizeof (float);
  const char *hash = strchr (shape->name, '#');
  g_autofree char *name =
    hash == NULL ? g_strdup (shape->name) : g_strdup_printf ("h.%d%s", layer, hash + 1);

  g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu",
                          header->len > 1 ? "," : "", name, shape->rows);
  if (shape->cols > 0)
    g_string_append_printf (header, ",%zu", shape->cols);
  g_string_append_printf (header, "],\"data_offsets\":[%zu,%zu]}", *offset, *offset + size);
  *offset += size;
}

static void
write_tensor (FILE *file, const TensorShape *shape)
{
  float values[1024];
  size_t left = count_elements (shape);
  /* Uniform with a deviation of 1/√fan-in; norm weights around 1. */
  const float width = sqrtf (12.0f / (float) shape->rows);
  const float center = strstr (shape->name, "ln_") != NULL ? 1.0f : 0.0f;

  while (left > 0) {
    const size_t n = MIN (left, G_N_ELEMENTS (values));

    for (size_t i = 0; i < n; i++) {
      random_state = random_state * 1664525u + 1013904223u;
      values[i] = center + width * ((float) (random_state >> 8) / 16777216.0f - 0.5f);
    }
    if (fwrite (values, sizeof *values, n, file) != n)
      g_error ("cannot write the model");
    left -= n;
  }
}

static void
write_weights (const char *path)
{
  g_autoptr (GString) header = g_string_new ("{");
  FILE *file = fopen (path, "wb");
  size_t offset = 0;
  guint64 length;

  if (file == NULL)
    g_error ("cannot write %s", path);

  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++) {
    const int n = strchr (shapes[i].name, '#') != NULL ? N_LAYERS : 1;

    for (int layer = 0; layer < n; layer++)
      append_header (header, &shapes[i], layer, &offset);
  }
  g_string_append_c (header, '}');
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');

  length = GUINT64_TO_LE (header->len);
  fwrite (&length, sizeof length, 1, file);
  fwrite (header->str, 1, header->len, file);
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++) {
    const int n = strchr (shapes[i].name, '#') != NULL ? N_LAYERS : 1;

    for (int layer = 0; layer < n; layer++)
      write_tensor (file, &shapes[i]);
  }
  fclose (file);
}

/* The files can go once the model is open: its weights are mapped. */
static AtnModel *
make_model (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("attnscope-bench-XXXXXX", &error);
  g_autofree char *config_path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *tokenizer_path = g_build_filename (folder, "tokenizer.json", NULL);
  g_autofree char *weights_path = g_build_filename (folder, "model.safetensors", NULL);
  AtnModel *model;

  g_assert_no_error (error);
  g_file_set_contents (config_path, config, -1, &error);
  g_assert_no_error (error);
  g_file_set_contents (tokenizer_path, tokenizer, -1, &error);
  g_assert_no_error (error);
  write_weights (weights_path);

  model = atn_model_open (folder, NULL, NULL, NULL, &error);
  g_unlink (config_path);
  g_unlink (tokenizer_path);
  g_unlink (weights_path);
  g_rmdir (folder);
  g_assert_no_error (error);
  return model;
}

static double
get_seconds (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

/* The best GFLOP/s of large square products. */
static double
measure_peak (void)
{
  const size_t n = 1536;
  g_autofree float *a = g_new (float, n *n);
  g_autofree float *b = g_new (float, n *n);
  g_autofree float *c = g_new (float, n *n);
  const double start = get_seconds ();
  double best = 0.0;

  for (size_t i = 0; i < n * n; i++)
    a[i] = b[i] = (float) (i % 17) - 8.0f;

  for (int run = 0; run < 3 || get_seconds () - start < SECONDS; run++) {
    const double before = get_seconds ();

    atn_blas_gemm (&(AtnGemm){ .m = n,
                               .n = n,
                               .k = n,
                               .a = a,
                               .lda = n,
                               .b = b,
                               .ldb = n,
                               .c = c,
                               .ldc = n,
                               .alpha = 1.0f });
    best = MAX (best, 2.0 * pow ((double) n, 3.0) / (get_seconds () - before) / 1e9);
  }

  return best;
}

/* Multiplications and additions of the forward pass, half of the square under a causal mask. */
static double
count_flops (size_t n_tokens)
{
  const double T = (double) n_tokens;
  const double linear = 2.0 * T * 12.0 * D_MODEL * D_MODEL;
  const double attention = 4.0 * D_MODEL * T * (T + 1.0) / 2.0;

  return N_LAYERS * (linear + attention);
}

static double
measure_forward (AtnModel *model, size_t n_tokens)
{
  AtnTokens *tokens = g_new0 (AtnTokens, 1);
  const double start = get_seconds ();
  double best = HUGE_VAL;

  g_atomic_ref_count_init (&tokens->ref_count);
  tokens->tokenizer = atn_tokenizer_ref (atn_model_get_tokenizer (model));
  tokens->n_tokens = n_tokens;
  tokens->tokens = g_new0 (AtnToken, n_tokens);
  for (size_t t = 0; t < n_tokens; t++)
    tokens->tokens[t].id = (uint32_t) (t * 97 % D_VOCAB);

  for (int run = 0; run < 3 || get_seconds () - start < SECONDS; run++) {
    const double before = get_seconds ();
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnTrace) trace = atn_trace_run (model, tokens, NULL, NULL, NULL, NULL, &error);

    g_assert_no_error (error);
    best = MIN (best, get_seconds () - before);
  }

  atn_tokens_unref (tokens);
  return best;
}

int
main (int argc, char **argv)
{
  const size_t lengths[] = { 32, 128, 512 };
  const size_t n_lengths = argc > 1 ? (size_t) argc - 1 : G_N_ELEMENTS (lengths);
  g_autoptr (AtnModel) model = make_model ();
  const double peak = measure_peak ();

  printf ("sgemm peak: %.1f GFLOP/s, %d threads, %s\n", peak, atn_blas_get_n_threads (),
          atn_blas_get_core_name ());
  for (size_t i = 0; i < n_lengths; i++) {
    const size_t n_tokens =
      argc > 1 ? (size_t) g_ascii_strtoull (argv[i + 1], NULL, 10) : lengths[i];
    const double seconds = measure_forward (model, n_tokens);
    const double speed = count_flops (n_tokens) / seconds / 1e9;

    printf ("forward T=%zu: %.1f ms, %.1f GFLOP/s, %.2f of the peak\n", n_tokens, seconds * 1e3,
            speed, speed / peak);
  }

  return 0;
}
