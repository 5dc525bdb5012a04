/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Opening what people have on disk: files and folders, good, broken and strange.
 */

#include "atn-test.h"
#include "base/atn-base64.h"
#include "weights/atn-weights.h"

#include <sys/stat.h>
#include <time.h>

#define HEAD                                                                                       \
  "{\"format\":\"attnscope-model\",\"version\":1,\"config\":{\"model_type\":\"transformer\"},"     \
  "\"tokenizer\":{},"

/* Files and folders. */

#define CONFIG "{\"model_type\":\"gpt2\"}"
#define WEIGHTS                                                                                    \
  "\x3d\0\0\0\0\0\0\0{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}       "      \
  "\0\0\200\077"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = atn_test_make_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  atn_test_remove_folder (fixture->folder);
}

static void
add_file (Fixture *fixture, const char *name, const void *data, gssize length)
{
  g_free (atn_test_write_file (fixture->folder, name, data, length));
}

static void
fill_folder (Fixture *fixture)
{
  add_file (fixture, "config.json", CONFIG, -1);
  add_file (fixture, "tokenizer.json", "{}", -1);
  add_file (fixture, "model.safetensors", WEIGHTS, sizeof WEIGHTS - 1);
}

static void
remove_file (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* Opening @name in the folder, or the folder, must fail so. */
static void
assert_refused (Fixture *fixture, const char *name, int code, const char *message)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (atn_weights_open (path, NULL, NULL, NULL, &error));
  atn_test_assert_error (error, code, message);
  g_assert_true (g_str_has_prefix (error->message, fixture->folder));
}

static void
test_a_folder_is_opened_by_itself_or_by_its_weights (Fixture *fixture, gconstpointer data)
{
  static const size_t one[] = { 1 };
  static const char *const names[] = { NULL, "model.safetensors" };

  fill_folder (fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnWeights) weights = atn_weights_open (path, NULL, NULL, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (atn_weights_get_path (weights), ==, path);
    g_assert_cmpint (atn_weights_get_file_size (weights), ==, sizeof WEIGHTS - 1);
    g_assert_nonnull (atn_json_get_member (atn_weights_get_config (weights), "model_type"));
    g_assert_null (atn_weights_get_card (weights));
    g_assert_cmpfloat (atn_weights_get_floats (weights, "t", 1, one, &error)[0], ==, 1);
  }
}

static void
test_a_missing_file_of_a_folder_is_named (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, NULL, ATN_ERROR_IO, "the folder has no config.json");
  add_file (fixture, "config.json", CONFIG, -1);
  assert_refused (fixture, NULL, ATN_ERROR_IO, "the folder has no model.safetensors");
  add_file (fixture, "model.safetensors", WEIGHTS, sizeof WEIGHTS - 1);
  assert_refused (fixture, NULL, ATN_ERROR_IO, "the folder has no tokenizer.json");
  assert_refused (fixture, "model.safetensors", ATN_ERROR_IO, "the folder has no tokenizer.json");
}

static void
test_files_of_other_kinds_are_named (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "tf_model.h5", "model.onnx" };
  static const char *const pickles[] = { "pytorch_model.bin", "pytorch_model.bin.index.json" };

  fill_folder (fixture);
  remove_file (fixture, "model.safetensors");
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    add_file (fixture, names[i], "x", -1);
    assert_refused (fixture, NULL, ATN_ERROR_UNSUPPORTED, names[i]);
    assert_refused (fixture, NULL, ATN_ERROR_UNSUPPORTED, "expected one file model.safetensors");
    remove_file (fixture, names[i]);
  }

  for (size_t i = 0; i < G_N_ELEMENTS (pickles); i++) {
    add_file (fixture, pickles[i], "x", -1);
    assert_refused (fixture, NULL, ATN_ERROR_UNSUPPORTED, pickles[i]);
    assert_refused (fixture, NULL, ATN_ERROR_UNSUPPORTED, "torch.load");
    remove_file (fixture, pickles[i]);
  }

  add_file (fixture, "model-q4.gguf", "x", -1);
  assert_refused (fixture, NULL, ATN_ERROR_IO, "if model-q4.gguf holds the weights, open that");
  remove_file (fixture, "model-q4.gguf");

  add_file (fixture, "gpt2.safetensors", WEIGHTS, sizeof WEIGHTS - 1);
  assert_refused (fixture, NULL, ATN_ERROR_IO, "if gpt2.safetensors holds the weights, open that");
  add_file (fixture, "model.safetensors", WEIGHTS, sizeof WEIGHTS - 1);
  remove_file (fixture, "tokenizer.json");
  add_file (fixture, "vocab.json", "{}", -1);
  assert_refused (fixture, NULL, ATN_ERROR_UNSUPPORTED,
                  "the folder has no tokenizer.json, and its vocab.json cannot be read");
}

static void
test_the_broken_file_of_a_folder_is_named (Fixture *fixture, gconstpointer data)
{
  fill_folder (fixture);
  add_file (fixture, "tokenizer.json", "{", -1);
  assert_refused (fixture, NULL, ATN_ERROR_INVALID_FORMAT, "/tokenizer.json: line 1, column 2:");
  add_file (fixture, "config.json", "[]", -1);
  assert_refused (fixture, NULL, ATN_ERROR_INVALID_FORMAT, "/config.json: the file does not begin");
  add_file (fixture, "model.safetensors", "", 0);
  assert_refused (fixture, NULL, ATN_ERROR_INVALID_FORMAT, "/model.safetensors: the file is empty");
}

static void
test_weight_files_of_other_programs_are_called_by_name (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *start;
    const char *message;
  } rows[] = {
    { "PK\3\4....", "this is a file of PyTorch (ZIP), which is not read because it can run" },
    { "\200\2}q", "this is a file of PyTorch (pickle)" },
    { "\200\2}q", "glob.glob('model.bin')" },
    { "\211HDF\r\n", "this is a file of HDF5" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    add_file (fixture, "model.bin", rows[i].start, -1);
    assert_refused (fixture, "model.bin", ATN_ERROR_UNSUPPORTED, rows[i].message);
  }

  add_file (fixture, "it's $HOME.pt", "\200\2}q", -1);
  assert_refused (fixture, "it's $HOME.pt", ATN_ERROR_UNSUPPORTED,
                  "glob.glob('pytorch_model*.bin')");
  add_file (fixture, "model.bin", WEIGHTS, sizeof WEIGHTS - 1);
  assert_refused (fixture, "model.bin", ATN_ERROR_UNSUPPORTED, "must end in .safetensors");
  add_file (fixture, "model.json", "version https://git-lfs.github.com/spec/v1\n", -1);
  assert_refused (fixture, "model.json", ATN_ERROR_INVALID_FORMAT, "this is a Git LFS pointer");
}

static void
test_what_is_no_file_is_refused_at_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pipe_path = g_build_filename (fixture->folder, "pipe", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  assert_refused (fixture, "pipe", ATN_ERROR_IO, "expected a regular file");
  assert_refused (fixture, "missing.json", ATN_ERROR_IO, g_strerror (ENOENT));
  assert_refused (fixture, "missing.safetensors", ATN_ERROR_IO, g_strerror (ENOENT));
  g_assert_null (atn_weights_open ("/dev/zero", NULL, NULL, NULL, &error));
  atn_test_assert_error (error, ATN_ERROR_IO, "/dev/zero: this is a device or a pipe");
}

typedef struct
{
  guint n_calls;
  double last;
  GCancellable *cancellable;
  double cancel_at;
} Watch;

static void
watch_cb (double fraction, gpointer user_data)
{
  Watch *watch = user_data;

  g_assert_cmpfloat (fraction, >=, watch->last);
  g_assert_cmpfloat (fraction, <=, 1);
  watch->last = fraction;
  watch->n_calls++;
  if (fraction >= watch->cancel_at)
    g_cancellable_cancel (watch->cancellable);
}

/* A file of many tensors: n × [64]. */
static void
add_many_tensors (Fixture *fixture, size_t n)
{
  g_autoptr (GString) text = g_string_new (HEAD "\"tensors\":{");
  guint8 data[256] = { 0 };

  for (size_t i = 0; i < n; i++) {
    g_string_append_printf (text, "%s\"t%zu\":{\"dtype\":\"F32\",\"shape\":[64],\"data\":\"",
                            i == 0 ? "" : ",", i);
    atn_base64_append (text, data, sizeof data);
    g_string_append (text, "\"}");
  }
  g_string_append (text, "}}");
  add_file (fixture, "many.json", text->str, (gssize) text->len);
}

static void
test_progress_rises_to_one_in_a_few_hundred_calls (Fixture *fixture, gconstpointer data)
{
  Watch watch = { .cancel_at = 2 };
  g_autofree char *path = g_build_filename (fixture->folder, "many.json", NULL);
  g_autoptr (AtnWeights) weights = NULL;

  add_many_tensors (fixture, 5000);
  weights = atn_weights_open (path, watch_cb, &watch, NULL, NULL);
  g_assert_nonnull (weights);
  g_assert_cmpuint (atn_weights_get_n_tensors (weights), ==, 5000);
  g_assert_cmpfloat (watch.last, ==, 1);
  g_assert_cmpuint (watch.n_calls, >, 20);
  g_assert_cmpuint (watch.n_calls, <, 400);
}

static void
test_a_load_can_be_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { .cancellable = cancellable, .cancel_at = 0.5 };
  g_autofree char *path = g_build_filename (fixture->folder, "many.json", NULL);
  g_autoptr (GError) error = NULL, second_error = NULL;

  add_many_tensors (fixture, 1000);
  g_assert_null (atn_weights_open (path, watch_cb, &watch, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (watch.last, <, 0.6);
  g_assert_null (atn_weights_open (path, NULL, NULL, cancellable, &second_error));
  g_assert_error (second_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Files of tests/cases. */

typedef struct
{
  const char *name;
  int code;
  const char *message; /* NULL: is opened */
} CaseFile;

static const CaseFile case_files[] = {
  { "028-index-names-a-shard-that-is-not/", .code = ATN_ERROR_IO,
    .message = "model.safetensors.index.json: the folder has no model-00002-of-00002.safetensors" },
  { "028-index-names-a-shard-that-is-not/model-00001-of-00002.safetensors", .code = ATN_ERROR_IO,
    .message = "model.safetensors.index.json: the folder has no model-00002-of-00002.safetensors" },
  { "029-weights-file-is-a-git-lfs-pointer/", .message = "this is a Git LFS pointer" },
  { "046-byte-order/le.safetensors", .code = ATN_ERROR_IO, .message = "has no config.json" },
  { "049-decimal-comma-locale/model.json", .message = NULL },
  { "050-deep-nesting/model-config-998.json", .message = NULL },
  { "050-deep-nesting/model-config-999.json", .message = "nested more than 1000 deep" },
  { "050-deep-nesting/model-array-998.json", .code = ATN_ERROR_SHAPE_MISMATCH,
    .message = "tensor “embed.W_E” has more than 8 dimensions" },
  { "050-deep-nesting/model-array-999.json", .code = ATN_ERROR_SHAPE_MISMATCH,
    .message = "tensor “embed.W_E” has more than 8 dimensions" },
  { "052-nan-infinity-tokens-as-python/model-nan.json",
    .message = "line 51, column 11: NaN is not JSON; a training run probably diverged" },
  { "052-nan-infinity-tokens-as-python/model-inf.json", .message = "Infinity is not JSON" },
  { "052-nan-infinity-tokens-as-python/model-neginf.json", .message = "-Infinity is not JSON" },
  { "053-numbers-too-big-for-float-double/model-w1e39.json",
    .message = "tensor “embed.W_E”, row 1, column 0: 1e39 does not fit into a float32" },
  { "053-numbers-too-big-for-float-double/model-w1e400.json",
    .message = "tensor “embed.W_E”, row 1, column 0: 1e400 does not fit into a float32" },
  { "055-lone-surrogate-escapes-in-a/model-pair.json", .message = NULL },
  { "055-lone-surrogate-escapes-in-a/model-lone_high.json", .message = "\\ud83d is half of a" },
  { "056-byte-order-mark-trailing-garbage/model-bom.json", .message = NULL },
  { "056-byte-order-mark-trailing-garbage/model-blank.json", .message = "the file is empty" },
  { "056-byte-order-mark-trailing-garbage/model-utf16.json", .message = "the text is UTF-16" },
  { "056-byte-order-mark-trailing-garbage/model-trailing.json", .message = "line 109, column 2" },
  { "056-byte-order-mark-trailing-garbage/model-twice.json", .message = "line 109, column 1" },
  { "059-ragged-or-wrongly-shaped-arrays/model-ragged.json", .code = ATN_ERROR_SHAPE_MISMATCH,
    .message = "tensor “blocks.0.attn.W_Q”, [1, 2]: found an array of 1, expected one of 2" },
};

static void
test_case_file_is_opened_or_refused (gconstpointer data)
{
  const CaseFile *file = data;
  g_autofree char *path = atn_test_dup_case_path (file->name);
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = atn_weights_open (path, NULL, NULL, NULL, &error);

  if (file->message == NULL) {
    g_assert_no_error (error);
    g_assert_nonnull (weights);
    return;
  }

  atn_test_assert_error (error, file->code, file->message);
  folder = g_path_get_dirname (path);
  g_assert_true (g_str_has_prefix (error->message, folder));
}

/* Case 58: the script's numbers in our layout, 256 × 256 × 8, about 5 MB. */
static void
test_a_5_mb_file_of_plain_numbers_is_read_in_time (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (HEAD "\"tensors\":{");
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree char *path = g_build_filename (fixture->folder, "big.json", NULL);
  g_autoptr (AtnWeights) weights = NULL;
  g_autoptr (GError) error = NULL;
  clock_t start;
  double seconds;

  for (int tensor = 0; tensor < 8; tensor++) {
    g_string_append_printf (text, "%s\"W%d\":[", tensor == 0 ? "" : ",", tensor);
    for (int row = 0; row < 256; row++) {
      for (int col = 0; col < 256; col++)
        g_string_append_printf (text, "%s%.6f",
                                col > 0   ? ", "
                                : row > 0 ? "], ["
                                          : "[",
                                g_rand_double_range (rand, -0.3, 0.3));
    }
    g_string_append (text, "]]");
  }
  g_string_append (text, "}}");
  add_file (fixture, "big.json", text->str, (gssize) text->len);

  /* The processor's time, so that a busy machine does not fail the test. */
  start = clock ();
  weights = atn_weights_open (path, NULL, NULL, NULL, &error);
  seconds = (double) (clock () - start) / CLOCKS_PER_SEC;
  g_assert_no_error (error);
  g_test_message ("%zu bytes in %.3f s", text->len, seconds);
  g_assert_cmpfloat (seconds, <, 2);
  g_assert_cmpuint (atn_weights_find (weights, "W7")->shape[1], ==, 256);
}

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (case_files); i++) {
    const char *file = strchr (case_files[i].name, '/');
    g_autofree char *path =
      g_strdup_printf ("/cases/%.3s%s", case_files[i].name, file[1] != '\0' ? file : "/folder");

    g_test_add_data_func (path, &case_files[i], test_case_file_is_opened_or_refused);
  }

  ADD ("/core/weights/folder", test_a_folder_is_opened_by_itself_or_by_its_weights);
  ADD ("/core/weights/missing", test_a_missing_file_of_a_folder_is_named);
  ADD ("/core/weights/other-files", test_files_of_other_kinds_are_named);
  ADD ("/core/weights/broken-file", test_the_broken_file_of_a_folder_is_named);
  ADD ("/core/weights/other-programs", test_weight_files_of_other_programs_are_called_by_name);
  ADD ("/core/weights/no-file", test_what_is_no_file_is_refused_at_once);
  ADD ("/core/weights/progress", test_progress_rises_to_one_in_a_few_hundred_calls);
  ADD ("/core/weights/cancel", test_a_load_can_be_cancelled);
  ADD ("/cases/058/time", test_a_5_mb_file_of_plain_numbers_is_read_in_time);

  return g_test_run ();
}
