/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test.h"
#include "base/atn-base64.h"
#include "weights/atn-weights-private.h"

#include <math.h>
#include <sys/resource.h>

static const AtnProgress quiet = { .func = NULL };

/* JSON model files made here. */

#define HEAD                                                                                       \
  "{\"format\":\"attnscope-model\",\"version\":1,\"config\":{\"model_type\":\"transformer\"},"     \
  "\"tokenizer\":{},"

static AtnWeights *
load_text (const char *text, size_t length, GError **error)
{
  g_autoptr (AtnWeights) weights = atn_weights_new ("made.json");
  /* A copy of the exact size, so that a read past its end is seen. */
  g_autofree char *exact = g_memdup2 (text, length);

  if (!atn_weights_load_json (weights, exact, length, &quiet, error))
    return NULL;

  return g_steal_pointer (&weights);
}

static AtnWeights *
load_tensors (const char *tensors, GError **error)
{
  g_autofree char *text = g_strconcat (HEAD "\"tensors\":{", tensors, "}}", NULL);

  return load_text (text, strlen (text), error);
}

typedef struct
{
  const char *name;
  const char *text;
  int code;
  const char *message;
} BadText;

static const BadText bad_files[] = {
  { "empty", "", ATN_ERROR_INVALID_FORMAT, "the file is empty" },
  { "array", "[]", ATN_ERROR_UNSUPPORTED, "this is no model file: it does not begin with “{”" },
  { "text", "hello", ATN_ERROR_INVALID_FORMAT, "found “hello”, expected a value" },
  { "no-format", "{\"version\":1}", ATN_ERROR_UNSUPPORTED,
    "this is no model file: “format” is missing, expected “attnscope-model”" },
  { "config-json", "{\"model_type\":\"gpt2\",\"n_head\":2}", ATN_ERROR_UNSUPPORTED,
    "this is the config.json of a model folder; open the folder instead" },
  { "other-format", "{\"format\":\"neutral\",\"version\":1}", ATN_ERROR_UNSUPPORTED,
    "“format” is “neutral”, expected “attnscope-model”" },
  { "long-format", "{\"format\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx猫猫\"}",
    ATN_ERROR_UNSUPPORTED, "“format” is “xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…”" },
  { "number-as-format", "{\"format\":1}", ATN_ERROR_UNSUPPORTED, "“format” is “1”" },
  { "version-2", "{\"format\":\"attnscope-model\",\"version\":2,\"tensors\":7}",
    ATN_ERROR_UNSUPPORTED, "version 2 of its format; this program reads version 1" },
  { "version-0", "{\"format\":\"attnscope-model\",\"version\":0}", ATN_ERROR_INVALID_FORMAT,
    "“version” is 0, expected the number 1" },
  { "version-text", "{\"format\":\"attnscope-model\",\"version\":\"1\"}", ATN_ERROR_INVALID_FORMAT,
    "“version” is 1, expected the number 1" },
  { "no-version", "{\"format\":\"attnscope-model\"}", ATN_ERROR_INVALID_FORMAT,
    "“version” is missing" },
  { "no-config", "{\"format\":\"attnscope-model\",\"version\":1}", ATN_ERROR_INVALID_FORMAT,
    "“config” is missing" },
  { "no-tokenizer", "{\"format\":\"attnscope-model\",\"version\":1,\"config\":{}}",
    ATN_ERROR_INVALID_FORMAT, "“tokenizer” is missing" },
  { "no-tensors", HEAD "\"x\":0}", ATN_ERROR_INVALID_FORMAT, "“tensors” is missing" },
  { "null-config", "{\"format\":\"attnscope-model\",\"config\":null}", ATN_ERROR_INVALID_FORMAT,
    "“config” is null, expected an object" },
  { "tensors-array", HEAD "\"tensors\":[]}", ATN_ERROR_INVALID_FORMAT, "“tensors” is no object" },
  { "trailing", HEAD "\"tensors\":{}} x", ATN_ERROR_INVALID_FORMAT, "expected nothing more" },
};

static void
test_bad_file_is_refused (gconstpointer data)
{
  const BadText *bad = data;
  g_autoptr (GError) error = NULL;

  g_assert_null (load_text (bad->text, strlen (bad->text), &error));
  atn_test_assert_error (error, bad->code, bad->message);
}

static const BadText bad_tensors[] = {
  { "number", "\"t\":1", ATN_ERROR_INVALID_FORMAT, "tensor “t” is 1, expected an object" },
  { "null", "\"t\":null", ATN_ERROR_INVALID_FORMAT, "tensor “t” is null, expected an object" },
  { "two-names", "\"t\":[1],\"t\":[1]", ATN_ERROR_INVALID_FORMAT, "there are two tensors “t”" },
  { "ragged", "\"t\":[[1,2,3,4],[1,2,3,4],[1,2,3]]", ATN_ERROR_SHAPE_MISMATCH,
    "tensor “t”, row 2: found an array of 3, expected one of 4" },
  { "longer-row", "\"t\":[[1],[1,2]]", ATN_ERROR_SHAPE_MISMATCH, "row 1: found an array of 2" },
  { "empty-row", "\"t\":[[1],[]]", ATN_ERROR_SHAPE_MISMATCH, "row 1: found an array of 0" },
  { "ragged-deeper", "\"t\":[[[1],[2]],[[3],[4,5]]]", ATN_ERROR_SHAPE_MISMATCH,
    "tensor “t”, [1, 1]: found an array of 2, expected one of 1" },
  { "number-for-a-row", "\"t\":[[1],2]", ATN_ERROR_SHAPE_MISMATCH,
    "tensor “t”, row 1: found a number, expected an array" },
  { "row-for-a-number", "\"t\":[1,[2]]", ATN_ERROR_SHAPE_MISMATCH,
    "tensor “t”, row 1: found an array, expected a number" },
  { "row-after-an-empty-one", "\"t\":[[],[[1]]]", ATN_ERROR_SHAPE_MISMATCH,
    "found an array, expected a number" },
  { "string-for-a-number", "\"t\":[[1,\"x\"]]", ATN_ERROR_INVALID_FORMAT,
    "tensor “t”, row 0, column 1: found “x”, expected a number" },
  { "null-for-a-number", "\"t\":[null]", ATN_ERROR_INVALID_FORMAT, "row 0: found “null”" },
  { "object-for-a-number", "\"t\":[{}]", ATN_ERROR_INVALID_FORMAT, "row 0: found “{”" },
  { "not-float32", "\"t\":[[0,0],[1e39,0]]", ATN_ERROR_INVALID_FORMAT,
    "tensor “t”, row 1, column 0: 1e39 does not fit into a float32" },
  { "not-double", "\"t\":[-1e400]", ATN_ERROR_INVALID_FORMAT, "row 0: -1e400 does not fit" },
  { "nan", "\"t\":[NaN]", ATN_ERROR_INVALID_FORMAT, "NaN is not JSON; a training run probably" },
  { "nine-dimensions", "\"t\":[[[[[[[[[1]]]]]]]]]", ATN_ERROR_SHAPE_MISMATCH,
    "tensor “t” has more than 8 dimensions" },
  { "no-data", "\"t\":{\"dtype\":\"F32\",\"shape\":[1]}", ATN_ERROR_INVALID_FORMAT,
    "tensor “t” lacks its dtype, shape or data" },
  { "no-shape", "\"t\":{\"dtype\":\"F32\",\"data\":\"\"}", ATN_ERROR_INVALID_FORMAT, "lacks its" },
  { "no-dtype", "\"t\":{\"shape\":[0],\"data\":\"\"}", ATN_ERROR_INVALID_FORMAT, "lacks its" },
  { "integer-dtype", "\"t\":{\"dtype\":\"I64\",\"shape\":[0],\"data\":\"\"}", ATN_ERROR_UNSUPPORTED,
    "tensor “t” has the dtype “I64”, expected F32, F16 or BF16" },
  { "unknown-dtype", "\"t\":{\"dtype\":\"float\",\"shape\":[0],\"data\":\"\"}",
    ATN_ERROR_UNSUPPORTED, "has the dtype “float”" },
  { "negative-shape", "\"t\":{\"dtype\":\"F32\",\"shape\":[-1],\"data\":\"\"}",
    ATN_ERROR_INVALID_FORMAT, "tensor “t” has -1 in its shape" },
  { "string-shape", "\"t\":{\"dtype\":\"F32\",\"shape\":\"1\",\"data\":\"\"}",
    ATN_ERROR_INVALID_FORMAT, "has a shape that is no array" },
  { "number-data", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":1}", ATN_ERROR_INVALID_FORMAT,
    "has data that are no string of base64" },
  { "overflow", "\"t\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data\":\"\"}",
    ATN_ERROR_INVALID_FORMAT, "has more elements than can be counted" },
  { "too-few-bytes", "\"t\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data\":\"AACAPwAAAEAAAEBA\"}",
    ATN_ERROR_SHAPE_MISMATCH, "tensor “t” has 12 bytes of data, expected 16 for F32 [2, 2]" },
  { "too-many-bytes", "\"t\":{\"dtype\":\"F16\",\"shape\":[1],\"data\":\"AACAPw==\"}",
    ATN_ERROR_SHAPE_MISMATCH, "tensor “t” has 4 bytes of data, expected 2 for F16 [1]" },
  { "bad-character", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AAC!Pw==\"}",
    ATN_ERROR_INVALID_FORMAT, "tensor “t”: its data have “!” at 3, which is not base64" },
  { "line-end", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AACA\\nw==\"}",
    ATN_ERROR_INVALID_FORMAT, "tensor “t”: its data have a byte at 4 that is not base64" },
  { "url-alphabet", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AAC_Pw==\"}",
    ATN_ERROR_INVALID_FORMAT, "its data have “_” at 3" },
  { "no-padding", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AACAPw\"}",
    ATN_ERROR_INVALID_FORMAT, "its data have 6 characters, expected a multiple of 4" },
  { "padding-inside", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AA==AAAA\"}",
    ATN_ERROR_INVALID_FORMAT, "its data have “=” at 2" },
  { "bits-left-over", "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AACAPx==\"}",
    ATN_ERROR_INVALID_FORMAT, "its data end in the middle of a byte" },
  { "escape-in-a-name", "\"\\u001b[2J\":[1]", ATN_ERROR_INVALID_FORMAT,
    "the name of a tensor has the control character U+001B" },
  { "lone-surrogate-in-a-name", "\"\\ud800\":[1]", ATN_ERROR_INVALID_FORMAT, "\\ud800 is half" },
};

static void
test_bad_tensor_is_refused (gconstpointer data)
{
  const BadText *bad = data;
  g_autoptr (GError) error = NULL;

  g_assert_null (load_tensors (bad->text, &error));
  atn_test_assert_error (error, bad->code, bad->message);
}

static void
test_numbers_and_base64_give_the_same_tensor (void)
{
  static const size_t shape[] = { 2, 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load_tensors (
    "\"plain\":[[1,2e0],[3.0,4]],"
    "\"f32\":{\"data\":\"AACAPwAAAEAAAEBAAACAQA==\",\"shape\":[2,2],\"x\":[1],\"dtype\":\"F32\"},"
    "\"f16\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data\":\"ADwAQABCAEQ=\"},"
    "\"bf16\":{\"dtype\":\"BF16\",\"shape\":[2,2],\"data\":\"gD8AQEBAgEA=\"}",
    &error);
  static const char *const names[] = { "plain", "f32", "f16", "bf16" };

  g_assert_no_error (error);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    const float *values = atn_weights_get_floats (weights, names[i], 2, shape, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (atn_weights_get_info (weights, i)->name, ==, names[i]);
    for (int j = 0; j < 4; j++)
      g_assert_cmpfloat (values[j], ==, (float) (j + 1));
  }

  g_assert_cmpstr (atn_weights_find (weights, "plain")->dtype_name, ==, "F32");
  g_assert_cmpstr (atn_weights_find (weights, "bf16")->dtype_name, ==, "BF16");
}

static void
test_an_escaped_slash_in_base64_is_a_slash (void)
{
  static const size_t one[] = { 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights =
    load_tensors ("\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AAC\\/Pw==\"}", &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (atn_weights_get_floats (weights, "t", 1, one, &error)[0], ==, 1.4921875f);
}

static void
test_infinity_in_base64_is_found_when_the_tensor_is_used (void)
{
  static const size_t one[] = { 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights =
    load_tensors ("\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data\":\"AACAfw==\"}", &error);

  g_assert_no_error (error);
  g_assert_null (atn_weights_get_floats (weights, "t", 1, one, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "tensor “t” is infinite at [0]");
}

static void
test_shapes_of_plain_arrays (void)
{
  static const struct
  {
    const char *text;
    size_t n_dims;
    size_t shape[4];
  } rows[] = {
    { "[5]", 1, { 1 } },
    { "[]", 1, { 0 } },
    { "[[],[]]", 2, { 2, 0 } },
    { "[[[]],[[]]]", 3, { 2, 1, 0 } },
    { "[[[1,2,3],[4,5,6]]]", 3, { 1, 2, 3 } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *text = g_strconcat ("\"t\":", rows[i].text, NULL);
    g_autoptr (AtnWeights) weights = load_tensors (text, NULL);
    const AtnTensorInfo *info = atn_weights_get_info (weights, 0);

    g_assert_cmpuint (info->n_dims, ==, rows[i].n_dims);
    for (size_t dim = 0; dim < info->n_dims; dim++)
      g_assert_cmpuint (info->shape[dim], ==, rows[i].shape[dim]);
    g_assert_nonnull (atn_weights_get_floats (weights, "t", info->n_dims, info->shape, NULL));
  }
}

static void
test_the_card_is_what_people_read (void)
{
  static const char text[] =
    HEAD "\"name\":\"Cat\",\"description\":{\"en\":\"e\",\"zh_CN\":\"猫\"},"
         "\"license\":\"CC0\",\"unknown\":[1,{\"a\":2}],\"examples\":[],"
         "\"tensors\":{}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load_text (text, strlen (text), &error);
  const AtnJson *card;

  g_assert_no_error (error);
  card = atn_weights_get_card (weights);
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (card, "name")), ==, "Cat");
  g_assert_nonnull (atn_json_get_member (atn_json_get_member (card, "description"), "zh_CN"));
  g_assert_nonnull (atn_json_get_member (card, "examples"));
  g_assert_null (atn_json_get_member (card, "unknown"));
  g_assert_null (atn_json_get_member (card, "source"));
  g_assert_nonnull (atn_json_get_member (atn_weights_get_config (weights), "model_type"));
  g_assert_nonnull (atn_weights_get_tokenizer (weights));
  g_assert_cmpuint (atn_weights_get_n_tensors (weights), ==, 0);
}

static void
test_every_prefix_of_a_model_is_refused (void)
{
  static const char text[] =
    HEAD "\"name\":\"é\",\"tensors\":{\"a\":[[1,2],[3,4]],\"b\":{\"dtype\":"
         "\"F32\",\"shape\":[1],\"data\":\"AACAPw==\"}}}";

  for (size_t n = 0; n < strlen (text); n++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (load_text (text, n, &error));
    g_assert_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT);
  }
}

/* A tensor of n numbers, all 0.5. */
static char *
make_large (size_t n)
{
  GString *text = g_string_new (HEAD "\"tensors\":{\"t\":[0.5");

  for (size_t i = 1; i < n; i++)
    g_string_append (text, ",0.5");
  g_string_append (text, "]}}");
  return g_string_free (text, FALSE);
}

static void
test_a_plain_tensor_of_more_than_4194304_numbers_is_refused (void)
{
  g_autofree char *text = make_large (4194305);
  g_autoptr (GError) error = NULL;

  g_assert_null (load_text (text, strlen (text), &error));
  atn_test_assert_error (error, ATN_ERROR_TOO_LARGE,
                         "tensor “t” has more than 4194304 plain numbers; write it as base64");
}

static long
get_peak_kib (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_maxrss;
}

/* A tree would need 64 bytes a number: 32 MiB. The array needs 4, and as much again while it grows.
 */
static void
test_numbers_need_no_node_each (void)
{
  enum
  {
    N = 524288
  };
  g_autofree char *text = make_large (N);
  g_autoptr (AtnWeights) weights = NULL;
  long before = get_peak_kib ();

  weights = load_text (text, strlen (text), NULL);
  g_assert_nonnull (weights);
#ifndef __SANITIZE_ADDRESS__
  /* The text is copied once by this test. */
  g_assert_cmpint (get_peak_kib () - before, <, 4 * N / 1024 * 3 + 2 * (long) strlen (text) / 1024);
#endif
}

/* Base64 by itself. */

static void
test_base64_comes_back_for_every_length (void)
{
  guint8 data[64];

  for (guint i = 0; i < sizeof data; i++)
    data[i] = (guint8) (i * 37 + 11);

  for (size_t n = 0; n <= sizeof data; n++) {
    g_autofree char *expected = g_base64_encode (data, n);
    g_autoptr (GString) text = g_string_new (NULL);
    g_autofree guint8 *back = NULL;
    size_t n_back;

    atn_base64_append (text, data, n);
    g_assert_cmpstr (text->str, ==, n > 0 ? expected : "");
    back = atn_base64_decode (text->str, text->len, &n_back, NULL);
    g_assert_cmpmem (back, n_back, data, n);
  }
}

static gpointer
read_floats_thread (gpointer user_data)
{
  static const size_t shape[] = { 2, 2 };

  return (gpointer) atn_weights_get_floats (user_data, "t", 2, shape, NULL);
}

static void
test_threads_get_the_same_floats (void)
{
  g_autoptr (AtnWeights) weights =
    load_tensors ("\"t\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data\":\"ADwAQABCAEQ=\"}", NULL);
  GThread *threads[4];
  gpointer first = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("floats", read_floats_thread, weights);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++) {
    gpointer floats = g_thread_join (threads[i]);

    g_assert_nonnull (floats);
    if (first == NULL)
      first = floats;
    g_assert_true (floats == first);
  }
}

static void
add_rows (const BadText *rows, size_t n_rows, const char *prefix, GTestDataFunc func)
{
  for (size_t i = 0; i < n_rows; i++) {
    const char *rest = strchr (rows[i].name, '/');
    g_autofree char *path = rest == NULL
                              ? g_strdup_printf ("%s/%s", prefix, rows[i].name)
                              : g_strdup_printf ("%s/%.3s%s", prefix, rows[i].name, rest);

    g_test_add_data_func (path, &rows[i], func);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_rows (bad_files, G_N_ELEMENTS (bad_files), "/core/weights/bad-file",
            test_bad_file_is_refused);
  add_rows (bad_tensors, G_N_ELEMENTS (bad_tensors), "/core/weights/bad-tensor",
            test_bad_tensor_is_refused);

  g_test_add_func ("/core/weights/same", test_numbers_and_base64_give_the_same_tensor);
  g_test_add_func ("/core/weights/slash", test_an_escaped_slash_in_base64_is_a_slash);
  g_test_add_func ("/core/weights/infinity",
                   test_infinity_in_base64_is_found_when_the_tensor_is_used);
  g_test_add_func ("/core/weights/shapes", test_shapes_of_plain_arrays);
  g_test_add_func ("/core/weights/card", test_the_card_is_what_people_read);
  g_test_add_func ("/core/weights/prefixes", test_every_prefix_of_a_model_is_refused);
  g_test_add_func ("/core/weights/too-many",
                   test_a_plain_tensor_of_more_than_4194304_numbers_is_refused);
  g_test_add_func ("/cases/058/memory", test_numbers_need_no_node_each);
  g_test_add_func ("/core/weights/base64", test_base64_comes_back_for_every_length);
  g_test_add_func ("/core/weights/threads", test_threads_get_the_same_floats);

  return g_test_run ();
}
