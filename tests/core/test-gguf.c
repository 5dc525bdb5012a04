/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The reader of GGUF files: numbers of every type, and every way in which a file can be broken.
 */

#include "weights/atn-gguf.h"

#include "atn-gguf-file.h"
#include "atn-test.h"

#include <math.h>

/* · the largest value; a processor that multiplies and adds in one step may round otherwise. */
#define TOLERANCE 1e-6

static AtnGguf *
parse (GByteArray *file, GError **error)
{
  /* A copy of the exact size, so that a read past its end is seen. */
  g_autoptr (GBytes) bytes = g_bytes_new (file->data, file->len);

  return atn_gguf_new (bytes, error);
}

/* Types. */

static AtnGguf *
open_quants (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "gguf", "quants.gguf", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &error);
  g_autoptr (GBytes) bytes = NULL;
  AtnGguf *gguf;

  g_assert_no_error (error);
  bytes = g_mapped_file_get_bytes (file);
  gguf = atn_gguf_new (bytes, &error);
  g_assert_no_error (error);
  return gguf;
}

static void
test_numbers_of_a_type_are_the_reference_s (gconstpointer data)
{
  const char *name = data;
  g_autofree char *expected_name = g_strconcat (name, ".floats", NULL);
  g_autoptr (AtnGguf) gguf = open_quants ();
  const AtnGgufTensor *tensor = atn_gguf_find_tensor (gguf, name);
  const AtnGgufTensor *expected = atn_gguf_find_tensor (gguf, expected_name);
  const size_t n = expected->shape[0] * expected->shape[1];
  g_autofree float *floats = g_new (float, n);
  g_autofree float *reference = g_new (float, n);
  double largest = 0;

  g_assert_cmpstr (tensor->type->name, ==, name);
  g_assert_cmpuint (tensor->shape[0], ==, 2);
  g_assert_cmpuint (tensor->shape[1], ==, expected->shape[1]);
  tensor->type->to_floats (tensor->bytes, floats, n / tensor->type->block_length);
  memcpy (reference, expected->bytes, n * sizeof *reference);

  for (size_t i = 0; i < n; i++)
    largest = fmax (largest, fabs ((double) reference[i]));
  g_assert_cmpfloat (largest, >, 0.1);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double) floats[i], (double) reference[i], TOLERANCE * largest);
}

static void
test_types_that_are_known_by_name_only_have_no_numbers (void)
{
  g_autofree char *names = atn_gguf_type_dup_names ();

  g_assert_cmpstr (names, ==, "F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K, BF16");
  g_assert_null (atn_gguf_type_find (10)->to_floats);
  g_assert_null (atn_gguf_type_find (4)); /* Q4_2, which no program writes any more */
}

/* Values. */

static void
test_values_are_found_by_key_and_kind (void)
{
  g_autoptr (GByteArray) file = atn_gguf_file_new (2, 0, 4);
  g_autoptr (AtnGguf) gguf = NULL;
  g_autoptr (GError) error = NULL, kind_error = NULL;
  g_autoptr (GPtrArray) strings = NULL;
  size_t size = 7, heads = 0;
  double number = 0;

  atn_gguf_file_value (file, "a.size", 12);
  atn_gguf_file_array (file, "a.strings", 8, 2);
  atn_gguf_file_string (file, "猫");
  atn_gguf_file_string (file, "");
  atn_gguf_file_array (file, "a.heads", 4, 2);
  atn_gguf_file_u32 (file, 3);
  atn_gguf_file_u32 (file, 3);
  atn_gguf_file_array (file, "a.nested", 9, 1);
  atn_gguf_file_u32 (file, 0);
  atn_gguf_file_u64 (file, 1);
  g_byte_array_append (file, (const guint8 *) "x", 1);
  gguf = parse (file, &error);
  g_assert_no_error (error);

  g_assert_true (atn_gguf_read_size (gguf, "none", ATN_JSON_OPTIONAL, 10, &size, &error));
  g_assert_cmpuint (size, ==, 7);
  g_assert_true (atn_gguf_read_size (gguf, "a.size", ATN_JSON_REQUIRED, 12, &size, &error));
  g_assert_cmpuint (size, ==, 12);
  g_assert_true (atn_gguf_read_size (gguf, "a.heads", ATN_JSON_REQUIRED, 9, &heads, &error));
  g_assert_cmpuint (heads, ==, 3);
  g_assert_true (atn_gguf_read_double (gguf, "a.size", ATN_JSON_REQUIRED, &number, &error));
  g_assert_cmpfloat (number, ==, 12);
  strings = atn_gguf_dup_strings (gguf, "a.strings", ATN_JSON_REQUIRED, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strings->len, ==, 2);
  g_assert_cmpstr (strings->pdata[0], ==, "猫");

  g_assert_null (atn_gguf_dup_strings (gguf, "a.heads", ATN_JSON_REQUIRED, &kind_error));
  atn_test_assert_error (kind_error, ATN_ERROR_INVALID_FORMAT,
                         "“a.heads” is an array of UINT32, expected an array of strings");
}

static void
test_value_that_is_too_large_or_differs_by_layer_is_refused (void)
{
  g_autoptr (GByteArray) file = atn_gguf_file_new (3, 0, 2);
  g_autoptr (AtnGguf) gguf = NULL;
  g_autoptr (GError) error = NULL, size_error = NULL, layer_error = NULL, missing_error = NULL;
  size_t size = 0;

  atn_gguf_file_value (file, "size", 13);
  atn_gguf_file_array (file, "heads", 4, 2);
  atn_gguf_file_u32 (file, 3);
  atn_gguf_file_u32 (file, 4);
  gguf = parse (file, &error);
  g_assert_no_error (error);

  g_assert_false (atn_gguf_read_size (gguf, "size", ATN_JSON_REQUIRED, 12, &size, &size_error));
  atn_test_assert_error (size_error, ATN_ERROR_INVALID_FORMAT,
                         "“size” is 13, expected a whole number from 0 to 12");
  g_assert_false (atn_gguf_read_size (gguf, "heads", ATN_JSON_REQUIRED, 12, &size, &layer_error));
  atn_test_assert_error (layer_error, ATN_ERROR_UNSUPPORTED, "differs from layer to layer");
  g_assert_false (atn_gguf_read_size (gguf, "none", ATN_JSON_REQUIRED, 12, &size, &missing_error));
  atn_test_assert_error (missing_error, ATN_ERROR_INVALID_FORMAT,
                         "“none” is missing in the metadata");
}

/* Broken metadata: each function writes one value. */

static void
write_huge_array (GByteArray *file)
{
  atn_gguf_file_array (file, "k", 8, G_GUINT64_CONSTANT (1) << 61);
}

static void
write_huge_string (GByteArray *file)
{
  atn_gguf_file_string (file, "k");
  atn_gguf_file_u32 (file, 8);
  atn_gguf_file_u64 (file, G_MAXUINT64);
}

static void
write_unknown_kind (GByteArray *file)
{
  atn_gguf_file_string (file, "k");
  atn_gguf_file_u32 (file, 13);
}

static void
write_deep_arrays (GByteArray *file)
{
  atn_gguf_file_array (file, "k", 9, 1);
  for (int i = 0; i < 6; i++) {
    atn_gguf_file_u32 (file, 9);
    atn_gguf_file_u64 (file, 1);
  }
  atn_gguf_file_u32 (file, 0);
  atn_gguf_file_u64 (file, 0);
}

static void
write_string_past_the_end (GByteArray *file)
{
  atn_gguf_file_array (file, "k", 8, 1);
  atn_gguf_file_u64 (file, 1);
}

static void
write_empty_key (GByteArray *file)
{
  atn_gguf_file_value (file, "", 1);
}

static void
write_long_key (GByteArray *file)
{
  g_autofree char *key = g_strnfill (65536, 'k');

  atn_gguf_file_value (file, key, 1);
}

static void
write_key_of_two_lines (GByteArray *file)
{
  atn_gguf_file_value (file, "a\nb", 1);
}

static void
write_key_of_bytes (GByteArray *file)
{
  atn_gguf_file_value (file, "\xFF\xFE", 1);
}

static void
write_odd_alignment (GByteArray *file)
{
  atn_gguf_file_value (file, "general.alignment", 24);
}

static void
write_no_alignment (GByteArray *file)
{
  atn_gguf_file_value (file, "general.alignment", 0);
}

typedef struct
{
  const char *name;
  void (*write) (GByteArray *file);
  int code;
  const char *message;
} BadValue;

static const BadValue bad_values[] = {
  { "huge-array", write_huge_array, ATN_ERROR_INVALID_FORMAT,
    "“k”: an array of 2305843009213693952 elements begins at byte 49, but the file ends after 49" },
  { "huge-string", write_huge_string, ATN_ERROR_INVALID_FORMAT,
    "“k”: 18446744073709551615 bytes are expected at byte 45, but the file ends after 45" },
  { "unknown-kind", write_unknown_kind, ATN_ERROR_INVALID_FORMAT,
    "“k”: it has the kind 13, expected 0 to 12" },
  { "deep-arrays", write_deep_arrays, ATN_ERROR_UNSUPPORTED,
    "“k”: arrays lie in arrays more than 4 deep" },
  { "string-past-the-end", write_string_past_the_end, ATN_ERROR_INVALID_FORMAT,
    "“k”: 1 bytes are expected" },
  { "empty-key", write_empty_key, ATN_ERROR_INVALID_FORMAT,
    "metadata: the key of a value at byte 24 has 0 bytes, expected 1 to 65535" },
  { "long-key", write_long_key, ATN_ERROR_INVALID_FORMAT, "has 65536 bytes, expected 1 to 65535" },
  { "key-of-two-lines", write_key_of_two_lines, ATN_ERROR_INVALID_FORMAT,
    "the key of a value at byte 24 is no UTF-8 text of one line" },
  { "key-of-bytes", write_key_of_bytes, ATN_ERROR_INVALID_FORMAT,
    "the key of a value at byte 24 is no UTF-8 text of one line" },
  { "odd-alignment", write_odd_alignment, ATN_ERROR_INVALID_FORMAT,
    "“general.alignment” is 24, expected a power of two" },
  { "no-alignment", write_no_alignment, ATN_ERROR_INVALID_FORMAT,
    "“general.alignment” is 0, expected a power of two" },
};

static void
test_broken_value_is_refused (gconstpointer data)
{
  const BadValue *row = data;
  g_autoptr (GByteArray) file = atn_gguf_file_new (3, 0, 1);
  g_autoptr (GError) error = NULL;

  row->write (file);
  g_assert_null (parse (file, &error));
  atn_test_assert_error (error, row->code, row->message);
}

static void
test_key_that_comes_twice_is_refused (void)
{
  g_autoptr (GByteArray) file = atn_gguf_file_new (3, 0, 2);
  g_autoptr (GError) error = NULL;

  atn_gguf_file_value (file, "k", 1);
  atn_gguf_file_value (file, "k", 1);
  g_assert_null (parse (file, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "“k” is in the metadata twice");
}

/* Broken heads. */

typedef struct
{
  const char *name;
  const char *start; /* 24 bytes, or fewer */
  size_t length;
  int code;
  const char *message;
} BadHead;

#define ONE "\1\0\0\0\0\0\0\0"
#define NONE "\0\0\0\0\0\0\0\0"
#define ALL "\377\377\377\377\377\377\377\377"

static const BadHead bad_heads[] = {
  { "empty", "", 0, ATN_ERROR_INVALID_FORMAT, "4 bytes are expected at byte 0" },
  { "other-magic", "GGML\3\0\0\0" NONE NONE, 24, ATN_ERROR_INVALID_FORMAT,
    "the file does not begin with “GGUF”" },
  { "version-1", "GGUF\1\0\0\0" NONE NONE, 24, ATN_ERROR_UNSUPPORTED,
    "the file is of GGUF version 1, expected 2 or 3" },
  { "version-4", "GGUF\4\0\0\0" NONE NONE, 24, ATN_ERROR_UNSUPPORTED, "GGUF version 4" },
  { "big-endian", "GGUF\0\0\0\3" NONE NONE, 24, ATN_ERROR_UNSUPPORTED, "for big-endian machines" },
  { "cut", "GGUF\3\0\0\0\1\0\0", 11, ATN_ERROR_INVALID_FORMAT,
    "8 bytes are expected at byte 8, but the file ends after 11" },
  { "all-values", "GGUF\3\0\0\0" NONE ALL, 24, ATN_ERROR_INVALID_FORMAT,
    "metadata: 8 bytes are expected at byte 24, but the file ends after 24" },
  { "all-tensors", "GGUF\3\0\0\0" ALL NONE, 24, ATN_ERROR_INVALID_FORMAT,
    "table of tensors: 8 bytes are expected at byte 24, but the file ends after 24" },
};

static void
test_broken_head_is_refused (gconstpointer data)
{
  const BadHead *row = data;
  g_autoptr (GBytes) bytes = g_bytes_new (row->start, row->length);
  g_autoptr (GError) error = NULL;

  g_assert_null (atn_gguf_new (bytes, &error));
  atn_test_assert_error (error, row->code, row->message);
}

/* Broken tables: one or two tensors, and how many bytes of data there are. */

#define HUGE_DIM (G_GUINT64_CONSTANT (1) << 33)

typedef struct
{
  const char *name;
  guint32 n_dims;
  guint64 dims[5];
  guint32 type;
  guint64 offset;
  guint n_data;
  int code;
  const char *message; /* NULL: is read */
} Table;

static const Table tables[] = {
  { "whole", 2, { 4, 2 }, 0, 0, 32, 0, NULL },
  { "no-dims", 0, { 0 }, 0, 0, 4, 0, NULL },
  { "no-numbers", 2, { 0, 5 }, 0, 0, 0, 0, NULL },
  { "one-byte-short",
    2,
    { 4, 2 },
    0,
    0,
    31,
    ATN_ERROR_INVALID_FORMAT,
    "tensor “t” has 32 bytes from byte 0 of the data, but the file holds 31" },
  { "behind-the-end",
    1,
    { 4 },
    0,
    64,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "tensor “t” has 16 bytes from byte 64 of the data, but the file holds 32" },
  { "far-behind-the-end",
    1,
    { 4 },
    0,
    G_MAXUINT64 - 31,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "from byte 18446744073709551584 of the data" },
  { "not-aligned",
    1,
    { 4 },
    0,
    8,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "tensor “t” begins at byte 8 of the data, which is no multiple of 32" },
  { "five-dims",
    5,
    { 1, 1, 1, 1, 1 },
    0,
    0,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "tensor “t” has 5 dimensions, expected at most 4" },
  { "overflow-to-zero",
    2,
    { HUGE_DIM, HUGE_DIM },
    0,
    0,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "tensor “t” of F32 [8589934592, 8589934592] has more elements than can be counted" },
  { "overflow-as-floats",
    3,
    { 1u << 21, 1u << 21, 1u << 21 },
    2,
    0,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "more elements than can be counted" },
  { "unknown-type",
    1,
    { 32 },
    99,
    0,
    32,
    ATN_ERROR_UNSUPPORTED,
    "tensor “t” is of the unknown type number 99; known are F32, F16" },
  { "half-a-block",
    1,
    { 48 },
    2,
    0,
    32,
    ATN_ERROR_INVALID_FORMAT,
    "tensor “t” of Q4_0 [48] does not end its rows with whole blocks" },
};

static void
test_table_is_read_or_refused (gconstpointer data)
{
  const Table *row = data;
  g_autoptr (GByteArray) file = atn_gguf_file_new (3, 1, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnGguf) gguf = NULL;

  atn_gguf_file_tensor (file, "t", row->dims, row->n_dims, row->type, row->offset);
  atn_gguf_file_data (file, 32, row->n_data);
  gguf = parse (file, &error);
  if (row->message == NULL)
    g_assert_no_error (error);
  else
    atn_test_assert_error (error, row->code, row->message);
}

static void
test_tensors_that_overlap_or_share_a_name_are_refused (void)
{
  static const struct
  {
    const char *name;
    guint64 offset;
    const char *message; /* NULL: is read */
  } rows[] = {
    { "u", 64, NULL },
    { "u", 96, NULL }, /* a gap */
    { "u", 32, "tensors “t” and “u” overlap at byte 32" },
    { "u", 0, "overlap at byte 0" },
    { "t", 64, "table of tensors: there are two tensors “t”" },
  };
  const guint64 dims[] = { 16 };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GByteArray) file = atn_gguf_file_new (3, 2, 0);
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnGguf) gguf = NULL;

    atn_gguf_file_tensor (file, "t", dims, 1, 0, 0);
    atn_gguf_file_tensor (file, rows[i].name, dims, 1, 0, rows[i].offset);
    atn_gguf_file_data (file, 32, 160);
    gguf = parse (file, &error);
    if (rows[i].message == NULL)
      g_assert_no_error (error);
    else
      atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, rows[i].message);
  }
}

static void
test_data_begin_where_the_alignment_says (void)
{
  g_autoptr (GByteArray) file = atn_gguf_file_new (3, 1, 1);
  const guint64 dims[] = { 4 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnGguf) gguf = NULL;
  const AtnGgufTensor *tensor;

  atn_gguf_file_value (file, "general.alignment", 8);
  atn_gguf_file_tensor (file, "t", dims, 1, 0, 8);
  atn_gguf_file_data (file, 8, 24);
  gguf = parse (file, &error);
  g_assert_no_error (error);
  tensor = atn_gguf_find_tensor (gguf, "t");
  g_assert_true (tensor->bytes + tensor->n_bytes ==
                 (const guint8 *) g_bytes_get_data (gguf->bytes, NULL) + file->len);
}

int
main (int argc, char *argv[])
{
  static const char *const types[] = { "F16",  "BF16", "Q8_0", "Q4_0", "Q4_1",
                                       "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K" };

  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autofree char *path = g_strdup_printf ("/core/gguf/type/%s", types[i]);

    g_test_add_data_func (path, types[i], test_numbers_of_a_type_are_the_reference_s);
  }
  g_test_add_func ("/core/gguf/type/known", test_types_that_are_known_by_name_only_have_no_numbers);
  g_test_add_func ("/core/gguf/value/kinds", test_values_are_found_by_key_and_kind);
  g_test_add_func ("/core/gguf/value/refused",
                   test_value_that_is_too_large_or_differs_by_layer_is_refused);
  for (size_t i = 0; i < G_N_ELEMENTS (bad_values); i++) {
    g_autofree char *path = g_strdup_printf ("/core/gguf/bad-value/%s", bad_values[i].name);

    g_test_add_data_func (path, &bad_values[i], test_broken_value_is_refused);
  }
  g_test_add_func ("/core/gguf/bad-value/twice", test_key_that_comes_twice_is_refused);
  for (size_t i = 0; i < G_N_ELEMENTS (bad_heads); i++) {
    g_autofree char *path = g_strdup_printf ("/core/gguf/bad-head/%s", bad_heads[i].name);

    g_test_add_data_func (path, &bad_heads[i], test_broken_head_is_refused);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autofree char *path = g_strdup_printf ("/core/gguf/table/%s", tables[i].name);

    g_test_add_data_func (path, &tables[i], test_table_is_read_or_refused);
  }
  g_test_add_func ("/core/gguf/table/pairs", test_tensors_that_overlap_or_share_a_name_are_refused);
  g_test_add_func ("/core/gguf/table/alignment", test_data_begin_where_the_alignment_says);

  return g_test_run ();
}
