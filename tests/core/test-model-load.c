/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * When numbers are read, how much memory that takes, and what happens if the file changes
 * meanwhile.
 */

#include "atn-test.h"
#include "engine/atn-request.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A GPT-2 of one layer whose embedding is nearly all of it: 48 MB. Most of the file is a hole,
 * which reads as zeros. */
#define D_VOCAB 190000
#define D_MODEL 64
#define CONFIG                                                                                     \
  "{\"model_type\":\"gpt2\",\"n_embd\":64,\"n_head\":2,\"n_layer\":1,\"n_positions\":32,"          \
  "\"vocab_size\":190000}"

typedef struct
{
  char *folder;
  char *weights; /* path */
} Fixture;

typedef struct
{
  const char *name;
  size_t n_rows;
  size_t n_cols; /* 0: a vector */
} Tensor;

static const Tensor tensors[] = {
  { "wte.weight", D_VOCAB, D_MODEL },
  { "wpe.weight", 32, D_MODEL },
  { "h.0.ln_1.weight", D_MODEL, 0 },
  { "h.0.ln_1.bias", D_MODEL, 0 },
  { "h.0.attn.c_attn.weight", D_MODEL, 3 * D_MODEL },
  { "h.0.attn.c_attn.bias", 3 * D_MODEL, 0 },
  { "h.0.attn.c_proj.weight", D_MODEL, D_MODEL },
  { "h.0.attn.c_proj.bias", D_MODEL, 0 },
  { "h.0.ln_2.weight", D_MODEL, 0 },
  { "h.0.ln_2.bias", D_MODEL, 0 },
  { "h.0.mlp.c_fc.weight", D_MODEL, 4 * D_MODEL },
  { "h.0.mlp.c_fc.bias", 4 * D_MODEL, 0 },
  { "h.0.mlp.c_proj.weight", 4 * D_MODEL, D_MODEL },
  { "h.0.mlp.c_proj.bias", D_MODEL, 0 },
  { "ln_f.weight", D_MODEL, 0 },
  { "ln_f.bias", D_MODEL, 0 },
};

/* All zeros; @dtype is of @size bytes a number. Returns the bytes of the tensors. */
static size_t
write_weights (const char *path, const char *dtype, size_t size)
{
  g_autoptr (GString) header = g_string_new ("{");
  size_t n_bytes = 0;
  guint64 length;
  int fd;

  for (size_t i = 0; i < G_N_ELEMENTS (tensors); i++) {
    const Tensor *t = &tensors[i];
    const size_t end = n_bytes + t->n_rows * MAX (t->n_cols, 1) * size;

    g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%zu", i > 0 ? "," : "",
                            t->name, dtype, t->n_rows);
    if (t->n_cols > 0)
      g_string_append_printf (header, ",%zu", t->n_cols);
    g_string_append_printf (header, "],\"data_offsets\":[%zu,%zu]}", n_bytes, end);
    n_bytes = end;
  }
  g_string_append_c (header, '}');
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');

  length = GUINT64_TO_LE (header->len);
  fd = open (path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  g_assert_cmpint (write (fd, &length, sizeof length), ==, sizeof length);
  g_assert_cmpint (write (fd, header->str, header->len), ==, (gssize) header->len);
  g_assert_cmpint (ftruncate (fd, (off_t) (sizeof length + header->len + n_bytes)), ==, 0);
  close (fd);
  return n_bytes;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *tokenizer =
    g_test_build_filename (G_TEST_DIST, "fixtures", "models", "gpt2", "tokenizer.json", NULL);
  g_autofree char *text = NULL;
  gsize length;

  fixture->folder = atn_test_make_folder ();
  fixture->weights = g_build_filename (fixture->folder, "model.safetensors", NULL);
  g_assert_true (g_file_get_contents (tokenizer, &text, &length, NULL));
  g_free (atn_test_write_file (fixture->folder, "tokenizer.json", text, (gssize) length));
  g_free (atn_test_write_file (fixture->folder, "config.json", CONFIG, -1));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->weights);
  atn_test_remove_folder (fixture->folder);
}

static AtnModel *
open_folder (const Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  AtnModel *model = atn_model_open (fixture->folder, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static AtnResult *
run (AtnModel *model, GError **error)
{
  const AtnRequest request = { .model = model, .text = "the cat", .text_len = -1 };

  return atn_request_run (&request, NULL, NULL, NULL, NULL, error);
}

/* Bytes of this process that are in memory, mapped files included. */
static double
measure_resident (void)
{
  g_autofree char *text = NULL;
  guint64 n_pages;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  n_pages = g_ascii_strtoull (strchr (text, ' '), NULL, 10);
  return (double) n_pages * (double) sysconf (_SC_PAGESIZE);
}

static void
test_memory_is_what_was_touched (Fixture *fixture, gconstpointer data)
{
  const double n_bytes = (double) write_weights (fixture->weights, "F32", 4);
  const double before = measure_resident ();
  g_autoptr (AtnModel) model = open_folder (fixture);
  const double opened = measure_resident ();
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnResult) result = run (model, &error);
  const double touched = measure_resident ();

  g_assert_no_error (error);
  g_test_message ("%.1f MB of weights; opened %.1f MB more, run %.1f MB more", n_bytes / 1e6,
                  (opened - before) / 1e6, (touched - before) / 1e6);
  g_assert_cmpfloat (opened - before, <, 0.1 * n_bytes);
  g_assert_cmpfloat (touched - before, >, 0.9 * n_bytes);
  g_assert_cmpfloat (touched - before, <, 1.2 * n_bytes);
}

static void
test_half_floats_are_converted_when_they_are_used (Fixture *fixture, gconstpointer data)
{
  const double n_bytes = (double) write_weights (fixture->weights, "BF16", 2);
  const double before = measure_resident ();
  g_autoptr (AtnModel) model = open_folder (fixture);
  g_autoptr (AtnResult) result = NULL;

  g_assert_cmpstr (atn_model_get_config (model)->family, ==, "gpt2");
  g_assert_cmpfloat (measure_resident () - before, <, 0.2 * n_bytes);
  result = run (model, NULL);
  g_assert_nonnull (result);
  /* The file's pages and the floats. */
  g_assert_cmpfloat (measure_resident () - before, >, 1.9 * n_bytes);
  g_assert_cmpfloat (measure_resident () - before, <, 1.2 * 3 * n_bytes);
}

static void
assert_run_fails (AtnModel *model, int code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (run (model, &error));
  atn_test_assert_error (error, code, message);
}

static void
test_a_file_that_is_cut_ends_in_a_sentence (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AtnModel) fresh = NULL, used = NULL;
  g_autoptr (AtnResult) result = NULL;

  write_weights (fixture->weights, "F32", 4);
  fresh = open_folder (fixture);
  used = open_folder (fixture);
  result = run (used, NULL);
  g_assert_nonnull (result);

  g_assert_cmpint (truncate (fixture->weights, 100), ==, 0);
  assert_run_fails (fresh, ATN_ERROR_IO, "model.safetensors: the file has changed");
  assert_run_fails (used, ATN_ERROR_IO, "open it again");
}

/* Cut after the last look at its size: the pages that are gone read as zeros, and the next look
 * tells. */
static void
test_a_read_behind_the_cut_does_no_harm (Fixture *fixture, gconstpointer data)
{
  static const size_t shape[] = { D_VOCAB, D_MODEL };
  g_autoptr (AtnModel) model = NULL;
  g_autoptr (GError) error = NULL;
  const float *values;

  write_weights (fixture->weights, "F32", 4);
  model = open_folder (fixture);
  g_assert_cmpint (truncate (fixture->weights, 10000), ==, 0);
  values = atn_weights_get_floats (atn_model_get_weights (model), "wte.weight", 2, shape, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (values[D_VOCAB * D_MODEL - 1], ==, 0);
  g_assert_false (atn_weights_check_files (atn_model_get_weights (model), &error));
  atn_test_assert_error (error, ATN_ERROR_IO, "has changed since it was opened");
}

static void
test_a_file_that_is_written_over_is_noticed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AtnModel) model = NULL;
  const float value = 3;
  int fd;

  write_weights (fixture->weights, "F32", 4);
  model = open_folder (fixture);
  /* A clock of the file system may stand for a few milliseconds. */
  g_usleep (20000);
  fd = open (fixture->weights, O_WRONLY);
  g_assert_cmpint (pwrite (fd, &value, sizeof value, 20000), ==, sizeof value);
  close (fd);
  assert_run_fails (model, ATN_ERROR_IO, "has changed since it was opened");
}

static void
test_a_file_that_is_replaced_changes_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_strconcat (fixture->weights, ".new", NULL);
  g_autoptr (AtnModel) model = NULL;
  g_autoptr (AtnResult) result = NULL;
  g_autoptr (GError) error = NULL;

  write_weights (fixture->weights, "F32", 4);
  model = open_folder (fixture);
  g_assert_true (g_file_set_contents (other, "x", 1, NULL));
  g_assert_cmpint (g_rename (other, fixture->weights), ==, 0);
  result = run (model, &error);
  g_assert_no_error (error);
}

static void
test_nan_is_found_when_the_tensor_is_used (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AtnModel) model = NULL;
  const float value = NAN;
  int fd;

  write_weights (fixture->weights, "F32", 4);
  fd = open (fixture->weights, O_RDWR);
  g_assert_cmpint (lseek (fd, -(off_t) sizeof value, SEEK_END), >, 0);
  g_assert_cmpint (write (fd, &value, sizeof value), ==, sizeof value);
  close (fd);

  model = open_folder (fixture);
  assert_run_fails (model, ATN_ERROR_INVALID_FORMAT, "tensor “ln_f.bias” is NaN at [63]");
  assert_run_fails (model, ATN_ERROR_INVALID_FORMAT, "tensor “ln_f.bias” is NaN at [63]");
}

static void
test_the_quantiser_of_packed_weights_is_named (Fixture *fixture, gconstpointer data)
{
  g_autofree char *members = g_strndup (CONFIG, strlen (CONFIG) - 1);
  g_autofree char *config =
    g_strconcat (members, ",\"quantization_config\":{\"quant_method\":\"fp8\"}}", NULL);
  g_autoptr (AtnModel) model = NULL, packed = NULL;
  g_autoptr (GError) error = NULL;

  g_free (atn_test_write_file (fixture->folder, "config.json", config, -1));
  write_weights (fixture->weights, "F8_E4M3", 1);
  packed = atn_model_open (fixture->folder, NULL, NULL, NULL, &error);
  g_assert_null (packed);
  atn_test_assert_error (error, ATN_ERROR_UNSUPPORTED, "“quant_method” is “fp8”");
  atn_test_assert_error (error, ATN_ERROR_UNSUPPORTED, "is of type F8_E4M3");

  /* Some tools leave the key in the config of a model that they have unpacked. */
  write_weights (fixture->weights, "F16", 2);
  model = open_folder (fixture);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/core/model-load/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("memory", test_memory_is_what_was_touched);
  ADD ("half", test_half_floats_are_converted_when_they_are_used);
  ADD ("cut", test_a_file_that_is_cut_ends_in_a_sentence);
  ADD ("cut-while-read", test_a_read_behind_the_cut_does_no_harm);
  ADD ("written-over", test_a_file_that_is_written_over_is_noticed);
  ADD ("replaced", test_a_file_that_is_replaced_changes_nothing);
  ADD ("nan", test_nan_is_found_when_the_tensor_is_used);
  ADD ("quantiser", test_the_quantiser_of_packed_weights_is_named);

  return g_test_run ();
}
