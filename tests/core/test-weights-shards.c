/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Weights in several files: what an index may say, and what it must not.
 */

#include "atn-test.h"
#include "weights/atn-weights.h"

#define ONE "model-00001-of-00002.safetensors"
#define TWO "model-00002-of-00002.safetensors"
#define INDEX "model.safetensors.index.json"
#define MAP(entries) "{\"metadata\":{\"total_size\":8},\"weight_map\":{" entries "}}"

typedef struct
{
  char *folder;
} Fixture;

static void
add_text (Fixture *fixture, const char *name, const char *text)
{
  g_free (atn_test_write_file (fixture->folder, name, text, -1));
}

/* A file of one F32 tensor of one number. */
static void
add_shard (Fixture *fixture, const char *name, const char *tensor, float value)
{
  g_autofree char *header =
    g_strdup_printf ("{\"%s\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", tensor);
  const guint64 length = GUINT64_TO_LE (strlen (header));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) strlen (header));
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
  g_free (atn_test_write_file (fixture->folder, name, bytes->data, (gssize) bytes->len));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = atn_test_make_folder ();
  add_text (fixture, "config.json", "{\"model_type\":\"gpt2\"}");
  add_text (fixture, "tokenizer.json", "{}");
  add_text (fixture, INDEX, MAP ("\"a\":\"" ONE "\",\"b\":\"" TWO "\""));
  add_shard (fixture, ONE, "a", 1);
  add_shard (fixture, TWO, "b", 2);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  atn_test_remove_folder (fixture->folder);
}

static void
test_all_shards_make_one_store (Fixture *fixture, gconstpointer data)
{
  static const size_t one[] = { 1 };
  static const char *const names[] = { NULL, ONE, TWO };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnWeights) weights = atn_weights_open (path, NULL, NULL, NULL, &error);

    g_assert_no_error (error);
    g_assert_true (atn_weights_is_mapped (weights));
    g_assert_cmpuint (atn_weights_get_n_tensors (weights), ==, 2);
    g_assert_cmpfloat (atn_weights_get_floats (weights, "a", 1, one, &error)[0], ==, 1);
    g_assert_cmpfloat (atn_weights_get_floats (weights, "b", 1, one, &error)[0], ==, 2);
    g_assert_cmpint (atn_weights_get_file_size (weights), >, 100);
  }
}

static void
test_one_whole_file_comes_before_shards (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AtnWeights) weights = NULL;

  add_shard (fixture, "model.safetensors", "c", 3);
  weights = atn_weights_open (fixture->folder, NULL, NULL, NULL, NULL);
  g_assert_nonnull (weights);
  g_assert_nonnull (atn_weights_find (weights, "c"));
  g_assert_null (atn_weights_find (weights, "a"));
}

static void
assert_refused (Fixture *fixture, int code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (atn_weights_open (fixture->folder, NULL, NULL, NULL, &error));
  atn_test_assert_error (error, code, message);
  g_assert_true (g_str_has_prefix (error->message, fixture->folder));
}

static void
test_a_missing_or_broken_shard_is_named (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, TWO, NULL);

  add_text (fixture, TWO, "short");
  assert_refused (fixture, ATN_ERROR_INVALID_FORMAT, "/" TWO ": the file has 5 bytes");
  g_assert_cmpint (g_unlink (path), ==, 0);
  assert_refused (fixture, ATN_ERROR_IO, "/" INDEX ": the folder has no " TWO);
  add_shard (fixture, TWO, "a", 2);
  assert_refused (fixture, ATN_ERROR_INVALID_FORMAT, "/" TWO);
  assert_refused (fixture, ATN_ERROR_INVALID_FORMAT, "there are two tensors “a”");
}

static const struct
{
  const char *name;
  const char *index;
  int code;
  const char *message;
} bad_indices[] = {
  { "no-json", "x", ATN_ERROR_INVALID_FORMAT, "/" INDEX ": line 1" },
  { "array", "[]", ATN_ERROR_INVALID_FORMAT, "does not begin with" },
  { "no-map", "{}", ATN_ERROR_INVALID_FORMAT, "weight_map" },
  { "map-of-another-kind", "{\"weight_map\":[]}", ATN_ERROR_INVALID_FORMAT, "weight_map" },
  { "empty", MAP (""), ATN_ERROR_INVALID_FORMAT, "names no file" },
  { "number", MAP ("\"a\":1"), ATN_ERROR_INVALID_FORMAT, "“a” must be a file's name" },
  { "absolute", MAP ("\"a\":\"/etc/x.safetensors\""), ATN_ERROR_INVALID_FORMAT, "same folder" },
  { "above", MAP ("\"a\":\"../" ONE "\""), ATN_ERROR_INVALID_FORMAT, "same folder" },
  { "below", MAP ("\"a\":\"b/" ONE "\""), ATN_ERROR_INVALID_FORMAT, "same folder" },
  { "no-name", MAP ("\"a\":\"\""), ATN_ERROR_INVALID_FORMAT, "same folder" },
  { "other-ending", MAP ("\"a\":\"config.json\""), ATN_ERROR_INVALID_FORMAT, ".safetensors" },
  { "absent-tensor", MAP ("\"a\":\"" ONE "\",\"c\":\"" TWO "\""), ATN_ERROR_MISSING_TENSOR,
    "tensor “c” should be in " TWO ", which does not have it" },
  { "another-shard", MAP ("\"a\":\"" TWO "\",\"b\":\"" ONE "\""), ATN_ERROR_INVALID_FORMAT,
    "tensor “a” should be in " TWO ", but is in " ONE },
};

static void
test_a_bad_index_is_refused (Fixture *fixture, gconstpointer data)
{
  const size_t i = GPOINTER_TO_SIZE (data);

  add_text (fixture, INDEX, bad_indices[i].index);
  assert_refused (fixture, bad_indices[i].code, bad_indices[i].message);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/core/weights-shards/all", Fixture, NULL, set_up, test_all_shards_make_one_store,
              tear_down);
  g_test_add ("/core/weights-shards/whole", Fixture, NULL, set_up,
              test_one_whole_file_comes_before_shards, tear_down);
  g_test_add ("/core/weights-shards/missing", Fixture, NULL, set_up,
              test_a_missing_or_broken_shard_is_named, tear_down);
  for (size_t i = 0; i < G_N_ELEMENTS (bad_indices); i++) {
    g_autofree char *path = g_strdup_printf ("/core/weights-shards/bad/%s", bad_indices[i].name);

    g_test_add (path, Fixture, GSIZE_TO_POINTER (i), set_up, test_a_bad_index_is_refused,
                tear_down);
  }

  return g_test_run ();
}
