/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "weights/atn-model-file-writer.h"

#include <glib/gstdio.h>
#include <string.h>

/* All patterns of 16 bits whose exponent, of @exponent_bits below the sign, is not all ones. */
static char *
encode_finite_values (int exponent_bits, size_t *n_values)
{
  const guint exponent = (0x7fffu >> (15 - exponent_bits)) << (15 - exponent_bits);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint bits = 0; bits <= 0xffff; bits++) {
    const guint8 pair[] = { (guint8) bits, (guint8) (bits >> 8) };

    if ((bits & exponent) != exponent)
      g_byte_array_append (bytes, pair, sizeof pair);
  }

  *n_values = bytes->len / 2;
  return g_base64_encode (bytes->data, bytes->len);
}

static char *
make_model (const char *dtype, size_t n_values, const char *data)
{
  return g_strdup_printf (
    "{\"format\": \"attnscope-model\", \"version\": 1, \"name\": \"a “name”\","
    " \"license\": \"MIT\", \"examples\": [],"
    " \"config\": {\"norm_eps\": 1e-05}, \"tokenizer\": {\"model\": {}},"
    " \"tensors\": {\"t\": {\"dtype\": \"%s\", \"shape\": [%zu, 1],"
    " \"data\": \"%s\"}}}",
    dtype, n_values, data);
}

/* Writes @text to a file, opens it as weights and gives what the writer makes of them. */
static char *
write_as (const char *text, GPtrArray *overflows)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *dir = g_dir_make_tmp ("atn-writer-XXXXXX", &error);
  g_autofree char *path = g_build_filename (dir, "model.json", NULL);
  g_autoptr (AtnWeights) weights = NULL;
  g_autoptr (GBytes) file = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  weights = atn_weights_open (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  file = atn_weights_dup_model_file (weights, "a “name”", overflows, &error);
  g_assert_no_error (error);

  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (dir), ==, 0);
  return g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));
}

static char *
write_again (const char *text)
{
  return write_as (text, NULL);
}

static void
assert_bits_survive (const char *dtype, int exponent_bits)
{
  size_t n_values;
  g_autofree char *data = encode_finite_values (exponent_bits, &n_values);
  g_autofree char *model = make_model (dtype, n_values, data);
  g_autofree char *written = write_again (model);
  g_autofree char *expected = g_strdup_printf ("\"t\": {\"dtype\": \"%s\", \"shape\": [%zu, 1], "
                                               "\"data\": \"%s\"}",
                                               dtype, n_values, data);

  g_assert_nonnull (strstr (written, expected));
}

static void
test_every_half_float_comes_out_with_its_bits (void)
{
  assert_bits_survive ("F16", 5);
}

static void
test_every_bfloat16_comes_out_with_its_bits (void)
{
  assert_bits_survive ("BF16", 8);
}

static void
test_card_config_and_tokenizer_are_kept (void)
{
  g_autofree char *model = make_model ("F32", 1, "AACAPw==");
  g_autofree char *written = write_again (model);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnJson) root = atn_json_parse (written, strlen (written), &error);
  const AtnJson *config;
  double norm_eps = 0.0;

  g_assert_no_error (error);
  config = atn_json_get_member (root, "config");
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (root, "name")), ==, "a “name”");
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (root, "license")), ==, "MIT");
  g_assert_nonnull (atn_json_get_member (root, "examples"));
  g_assert_nonnull (atn_json_get_member (root, "tokenizer"));
  g_assert_true (
    atn_json_read_double (config, "norm_eps", ATN_JSON_REQUIRED, 0.0, 1.0, &norm_eps, &error));
  g_assert_cmpfloat (norm_eps, ==, 1e-05);
}

static void
test_writing_a_written_file_changes_nothing (void)
{
  g_autofree char *model = make_model ("F32", 1, "AACAPw==");
  g_autofree char *once = write_again (model);
  g_autofree char *twice = write_again (once);

  g_assert_cmpstr (once, ==, twice);
}

/* 1, 65519.99 (the largest that rounds down), 1 + 2⁻¹¹ (a tie, to even), and -65520. */
static void
test_floats_become_half_floats_unless_they_overflow (void)
{
  static const guint8 fits[] = { 0, 0, 0x80, 0x3f, 0xff, 0xef, 0x7f, 0x47, 0, 0x10, 0x80, 0x3f };
  static const guint8 beyond[] = { 0, 0, 0x80, 0x3f, 0, 0xf0, 0x7f, 0xc7 };
  g_autofree char *fits_text = g_base64_encode (fits, sizeof fits);
  g_autofree char *beyond_text = g_base64_encode (beyond, sizeof beyond);
  g_autofree char *fitting = make_model ("F32", 3, fits_text);
  g_autofree char *overflowing = make_model ("F32", 2, beyond_text);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *half = write_as (fitting, notes);
  g_autofree char *whole = NULL;

  /* 0x3c00, 0x7bff, 0x3c00 */
  g_assert_nonnull (strstr (half, "\"dtype\": \"F16\", \"shape\": [3, 1], \"data\": \"ADz/ewA8\""));
  g_assert_cmpuint (notes->len, ==, 0);

  whole = write_as (overflowing, notes);
  g_assert_nonnull (strstr (whole, "\"dtype\": \"F32\", \"shape\": [2, 1]"));
  g_assert_cmpuint (notes->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (notes, 0), ==,
                   "tensor “t” stays F32: 1 of its 2 values does not fit into F16");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/model-file-writer/every-half-float",
                   test_every_half_float_comes_out_with_its_bits);
  g_test_add_func ("/core/model-file-writer/every-bfloat16",
                   test_every_bfloat16_comes_out_with_its_bits);
  g_test_add_func ("/core/model-file-writer/card", test_card_config_and_tokenizer_are_kept);
  g_test_add_func ("/core/model-file-writer/twice", test_writing_a_written_file_changes_nothing);
  g_test_add_func ("/core/model-file-writer/f16",
                   test_floats_become_half_floats_unless_they_overflow);

  return g_test_run ();
}
