/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test.h"
#include "weights/atn-weights-private.h"

#include <math.h>
#include <unistd.h>

static const AtnProgress quiet = { .func = NULL };

static AtnWeights *
load (const char *path, GError **error)
{
  g_autoptr (AtnWeights) weights = atn_weights_new (path);

  if (!atn_weights_load_safetensors (weights, path, &quiet, error))
    return NULL;

  return g_steal_pointer (&weights);
}

/* The floats of the one tensor of this shape. */
static const float *
get_floats_of (AtnWeights *weights, size_t n_elements, const size_t *shape)
{
  for (size_t i = 0; i < atn_weights_get_n_tensors (weights); i++) {
    const AtnTensorInfo *info = atn_weights_get_info (weights, i);
    g_autoptr (GError) error = NULL;
    const float *values;

    if (info->n_elements != n_elements)
      continue;
    values = atn_weights_get_floats (weights, info->name, 1, shape, &error);
    g_assert_no_error (error);
    return values;
  }

  g_assert_not_reached ();
}

/* Files of tests/cases. */

typedef struct
{
  const char *path;
  const char *message; /* NULL: is read */
} CaseFile;

static const CaseFile case_files[] = {
  { "031-header-length-larger-than-the/n_2p64m1.safetensors",
    "the header would have 18446744073709551615 bytes, expected at most 100000000" },
  { "031-header-length-larger-than-the/n_2p63.safetensors", "9223372036854775808 bytes" },
  { "031-header-length-larger-than-the/n_200MB.safetensors", "200000000 bytes" },
  { "031-header-length-larger-than-the/n_file_plus1.safetensors",
    "the header should have 74 bytes, but the file ends after 73" },
  { "032-file-shorter-than-its-own-prefix/empty.safetensors", "the file is empty" },
  { "032-file-shorter-than-its-own-prefix/seven.safetensors", "the file has 7 bytes, too few" },
  { "032-file-shorter-than-its-own-prefix/eight_zero.safetensors", "the header is empty" },
  { "032-file-shorter-than-its-own-prefix/trunc_header.safetensors",
    "the header should have 57 bytes, but the file ends after 20; it is cut off" },
  { "032-file-shorter-than-its-own-prefix/trunc_data.safetensors",
    "tensor “t” ends at byte 16 of the data, but the file holds 13" },
  { "034-tensor-data-not-aligned/model.safetensors", NULL },
  { "035-metadata-in-all-its-shapes/meta_empty.safetensors", NULL },
  { "035-metadata-in-all-its-shapes/meta_strings.safetensors", NULL },
  { "035-metadata-in-all-its-shapes/meta_number.safetensors", "“n” in __metadata__ is no string" },
  { "035-metadata-in-all-its-shapes/meta_nested.safetensors", "“a” in __metadata__ is no string" },
  { "035-metadata-in-all-its-shapes/meta_is_tensor.safetensors", "in __metadata__ is no string" },
  { "035-metadata-in-all-its-shapes/only_meta.safetensors", "the file holds no tensors" },
  { "037-offsets-beyond-the-end-of-the-file.safetensors",
    "tensor “t” ends at byte 4000000 of the data, but the file holds 4" },
  { "038-byte-range-does-not-match-shape/small.safetensors",
    "tensor “t” of F32 [128, 128] has 65536 bytes, but its data_offsets are 0 and 128" },
  { "038-byte-range-does-not-match-shape/big.safetensors",
    "tensor “t” of F32 [2] has 8 bytes, but its data_offsets are 0 and 16" },
  { "038-byte-range-does-not-match-shape/swapped.safetensors", "data_offsets are 16 and 0" },
  { "040-shape-product-overflows-to-0-or/zero.safetensors",
    "tensor “t” of F32 [4294967296, 4294967296] has more elements than can be counted" },
  { "040-shape-product-overflows-to-0-or/four.safetensors", "9223372036854775810 in shape" },
  { "041-holes-and-trailing-bytes/hole.safetensors",
    "bytes 16 to 24 of the data belong to no tensor" },
  { "041-holes-and-trailing-bytes/tail.safetensors", "the last 4 bytes of the file belong to no" },
  { "044-empty-and-zero-dimensional-tensors/legal.safetensors", NULL },
  { "044-empty-and-zero-dimensional-tensors/bad.safetensors", "tensor “s” of F32 [1] has 4 bytes" },
  { "047-integer-and-boolean-tensors/model.safetensors", NULL },
};

static void
test_case_file_is_read_or_refused (gconstpointer data)
{
  const CaseFile *file = data;
  g_autofree char *path = atn_test_dup_case_path (file->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load (path, &error);

  if (file->message == NULL) {
    g_assert_no_error (error);
    g_assert_nonnull (weights);
  } else {
    atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, file->message);
  }
}

static void
test_empty_and_scalar_tensors_have_their_shapes (void)
{
  static const size_t square[] = { 2, 2 }, empty[] = { 0, 5 };
  g_autofree char *path =
    atn_test_dup_case_path ("044-empty-and-zero-dimensional-tensors/legal.safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load (path, &error);
  const float *t;

  g_assert_no_error (error);
  g_assert_cmpuint (atn_weights_get_n_tensors (weights), ==, 4);
  g_assert_cmpuint (atn_weights_find (weights, "z1")->n_dims, ==, 2);
  g_assert_cmpuint (atn_weights_find (weights, "z1")->n_elements, ==, 0);
  g_assert_nonnull (atn_weights_get_floats (weights, "z0", 1, empty, &error));
  g_assert_nonnull (atn_weights_get_floats (weights, "z1", 2, empty, &error));
  g_assert_cmpfloat (atn_weights_get_floats (weights, "s", 0, NULL, &error)[0], ==, 2.5f);
  t = atn_weights_get_floats (weights, "t", 2, square, &error);
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (t[i], ==, (float) (i + 1));
}

static void
test_integers_beside_the_weights_are_listed_but_not_read (void)
{
  g_autofree char *path =
    atn_test_dup_case_path ("047-integer-and-boolean-tensors/model.safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load (path, &error);
  const AtnTensorInfo *info = atn_weights_find (weights, "bert.embeddings.position_ids");

  g_assert_cmpint (info->dtype, ==, ATN_DTYPE_OTHER);
  g_assert_cmpstr (info->dtype_name, ==, "I64");
  g_assert_null (atn_weights_get_floats (weights, info->name, info->n_dims, info->shape, &error));
  atn_test_assert_error (error, ATN_ERROR_UNSUPPORTED, "is of type I64, expected F32, F16 or BF16");
}

/* Files made here. */

/* (transfer full): the bytes of a file with @header and @n_data bytes of data. */
static GByteArray *
make_file (const char *header, const void *data, size_t n_data)
{
  GByteArray *file = g_byte_array_new ();
  const size_t n = strlen (header);

  for (int i = 0; i < 8; i++)
    g_byte_array_append (file, &(guint8){ (guint8) (n >> 8 * i) }, 1);
  g_byte_array_append (file, (const guint8 *) header, (guint) n);
  g_byte_array_append (file, data, (guint) n_data);
  return file;
}

static AtnWeights *
load_made (const char *header, const void *data, size_t n_data, GError **error)
{
  char *folder = atn_test_make_folder ();
  g_autoptr (GByteArray) file = make_file (header, data, n_data);
  g_autofree char *path = atn_test_write_file (folder, "made.safetensors", file->data, file->len);
  AtnWeights *weights = load (path, error);

  atn_test_remove_folder (folder);
  return weights;
}

#define ENTRY "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]"

typedef struct
{
  const char *name;
  const char *header; /* over 4 bytes of data */
  const char *message;
} BadHeader;

static const BadHeader bad_headers[] = {
  { "no-json", "weights", "the header does not begin with “{”" },
  { "leading-space", " {\"t\":{" ENTRY "}}", "the header does not begin with “{”" },
  { "cut", "{\"t\":{" ENTRY "}", "header: line 1, column 54: found the end" },
  { "text-behind", "{\"t\":{" ENTRY "}} x", "header: line 1, column 56: found “x”" },
  { "two-names", "{\"t\":{" ENTRY "},\"t\":{" ENTRY "}}", "there are two tensors “t”" },
  { "two-names-escaped", "{\"t\":{" ENTRY "},\"\\u0074\":{" ENTRY "}}", "two tensors “t”" },
  { "nul-in-a-name", "{\"t\\u0000\":{" ENTRY "}}", "\\u0000 cannot be part of a text" },
  { "line-end-in-a-name", "{\"t\\nu\":{" ENTRY "}}",
    "the name of a tensor has the control character U+000A" },
  { "two-members", "{\"t\":{" ENTRY ",\"dtype\":\"F32\"}}", "tensor “t” has two members “dtype”" },
  { "no-object", "{\"t\":[0,4]}", "tensor “t” is no object" },
  { "no-dtype", "{\"t\":{\"shape\":[1],\"data_offsets\":[0,4]}}", "tensor “t” lacks its dtype" },
  { "no-shape", "{\"t\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", "tensor “t” lacks its" },
  { "no-offsets", "{\"t\":{\"dtype\":\"F32\",\"shape\":[1]}}", "tensor “t” lacks its" },
  { "number-as-dtype", "{\"t\":{\"dtype\":32,\"shape\":[1],\"data_offsets\":[0,4]}}",
    "dtype is no" },
  { "unknown-dtype", "{\"t\":{\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]}}",
    "tensor “t” has the unknown dtype “F33”" },
  { "shape-is-a-number", "{\"t\":{\"dtype\":\"F32\",\"shape\":1,\"data_offsets\":[0,4]}}",
    "tensor “t”: shape is no array" },
  { "negative-shape", "{\"t\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}",
    "tensor “t”: -1 in shape is no whole number" },
  { "fraction-in-shape", "{\"t\":{\"dtype\":\"F32\",\"shape\":[1.0],\"data_offsets\":[0,4]}}",
    "tensor “t”: 1.0 in shape is no whole number" },
  { "string-in-shape", "{\"t\":{\"dtype\":\"F32\",\"shape\":[\"1\"],\"data_offsets\":[0,4]}}",
    "tensor “t”: shape holds something else" },
  { "nine-dimensions",
    "{\"t\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}",
    "tensor “t”: shape has more than 8 numbers" },
  { "one-offset", "{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4]}}",
    "tensor “t”: data_offsets has 1 numbers, expected 2" },
  { "three-offsets", "{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,4]}}",
    "tensor “t”: data_offsets has more than 2 numbers" },
  { "offset-over-2-to-the-53",
    "{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[9007199254740993,9007199254740997]}"
    "}",
    "9007199254740993 in data_offsets is no whole number" },
  { "offsets-that-wrap",
    "{\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[18446744073709551612,0]}}",
    "18446744073709551612 in data_offsets" },
  { "overlap",
    "{\"t\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
    "\"u\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}",
    "tensors “t” and “u” overlap at byte 2" },
  { "the-same-range-twice", "{\"t\":{" ENTRY "},\"u\":{" ENTRY "}}", "overlap at byte 0" },
  { "hole-at-the-start", "{\"t\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[1,4]}}",
    "bytes 0 to 1 of the data belong to no tensor" },
  { "half-a-byte", "{\"t\":{\"dtype\":\"F4\",\"shape\":[1],\"data_offsets\":[0,1]}}",
    "tensor “t” of F4 [1] has no size in bytes" },
  { "bits-that-overflow",
    "{\"t\":{\"dtype\":\"F64\",\"shape\":[4503599627370496,1024],\"data_offsets\":[0,4]}}",
    "tensor “t” of F64 [4503599627370496, 1024] has more elements than can be counted" },
  { "nothing", "{}", "the file holds no tensors" },
  { "metadata-is-a-string", "{\"__metadata__\":\"pt\",\"t\":{" ENTRY "}}",
    "__metadata__ is no object" },
};

static void
test_bad_header_is_refused (gconstpointer data)
{
  const BadHeader *bad = data;
  g_autoptr (GError) error = NULL;

  g_assert_null (load_made (bad->header, "\0\0\200\077", 4, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, bad->message);
}

static void
test_a_deep_header_is_refused (void)
{
  g_autoptr (GString) header = g_string_new ("{\"t\":{\"x\":");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 100000; i++)
    g_string_append_c (header, '[');

  g_assert_null (load_made (header->str, "", 0, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "nested more than 1000 deep");
}

static void
test_every_cut_of_a_good_file_is_refused (void)
{
  g_autofree char *folder = atn_test_make_folder ();
  g_autoptr (GByteArray) file =
    make_file ("{\"__metadata__\":{\"format\":\"pt\"},\"t\":{" ENTRY "}}  ", "\0\0\200\077", 4);

  for (guint n = 0; n <= file->len; n++) {
    g_autofree char *path = atn_test_write_file (folder, "cut.safetensors", file->data, n);
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnWeights) weights = load (path, &error);

    g_assert_true ((weights != NULL) == (n == file->len));
    if (weights == NULL)
      g_assert_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT);
  }

  atn_test_remove_folder (g_steal_pointer (&folder));
}

static void
test_half_floats_are_converted_and_order_is_that_of_the_file (void)
{
  static const guint8 data[] = { 0x00, 0x3C, 0x00, 0xC0, 0x80, 0x3F, 0x49, 0x40 };
  static const size_t two[] = { 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights =
    load_made ("{\"z\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[4,8]},"
               "\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4],\"new\":[{}]}}",
               data, sizeof data, &error);
  const float *z, *a;

  g_assert_no_error (error);
  g_assert_cmpstr (atn_weights_get_info (weights, 0)->name, ==, "z");
  g_assert_cmpint (atn_weights_get_info (weights, 0)->dtype, ==, ATN_DTYPE_BF16);
  z = atn_weights_get_floats (weights, "z", 1, two, &error);
  a = atn_weights_get_floats (weights, "a", 1, two, &error);
  g_assert_cmpfloat (z[0], ==, 1);
  g_assert_cmpfloat (z[1], ==, 3.140625f);
  g_assert_cmpfloat (a[0], ==, 1);
  g_assert_cmpfloat (a[1], ==, -2);
  /* Converted once and kept. */
  g_assert_true (atn_weights_get_floats (weights, "z", 1, two, &error) == z);
}

static void
test_floats_at_odd_offsets_are_read_rightly (void)
{
  static const guint8 data[] = { 0xEE, 0x00, 0x00, 0x80, 0x3F };
  static const size_t one[] = { 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights =
    load_made ("{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
               "\"t\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}",
               data, sizeof data, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (atn_weights_get_floats (weights, "t", 1, one, &error)[0], ==, 1);
}

static void
test_nan_and_infinity_are_named_with_their_place (void)
{
  static const float nan_data[] = { 1, 2, NAN, 4 }, inf_data[] = { 1, 2, 3, -INFINITY };
  static const char header[] =
    "{\"t\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}";
  static const size_t square[] = { 2, 2 };
  g_autoptr (GError) nan_error = NULL, inf_error = NULL;
  g_autoptr (AtnWeights) with_nan = load_made (header, nan_data, 16, NULL);
  g_autoptr (AtnWeights) with_inf = load_made (header, inf_data, 16, NULL);

  g_assert_null (atn_weights_get_floats (with_nan, "t", 2, square, &nan_error));
  atn_test_assert_error (nan_error, ATN_ERROR_INVALID_FORMAT, "tensor “t” is NaN at [1, 0]");
  g_assert_null (atn_weights_get_floats (with_inf, "t", 2, square, &inf_error));
  atn_test_assert_error (inf_error, ATN_ERROR_INVALID_FORMAT, "tensor “t” is infinite at [1, 1]");
}

static void
test_wrong_and_missing_tensors_are_named (void)
{
  static const size_t row[] = { 1, 4 };
  g_autoptr (GError) shape_error = NULL, missing_error = NULL;
  g_autoptr (AtnWeights) weights = load_made ("{\"t\":{" ENTRY "}}", "\0\0\200\077", 4, NULL);

  g_assert_null (atn_weights_get_floats (weights, "t", 2, row, &shape_error));
  atn_test_assert_error (shape_error, ATN_ERROR_SHAPE_MISMATCH,
                         "tensor “t” is [1], expected [1, 4]");
  g_assert_null (atn_weights_get_floats (weights, "u", 1, row, &missing_error));
  atn_test_assert_error (missing_error, ATN_ERROR_MISSING_TENSOR,
                         "the model has no tensor “u”, expected one of [1]");
  g_assert_null (atn_weights_find (weights, "u"));
}

/* A training run that saves over its file truncates it first. */
static void
test_truncating_the_file_later_does_no_harm (void)
{
  enum
  {
    N = 100000
  };
  static const size_t shape[] = { N };
  g_autofree char *folder = atn_test_make_folder ();
  g_autofree float *data = g_new0 (float, N);
  g_autofree char *header =
    g_strdup_printf ("{\"t\":{\"dtype\":\"F32\",\"shape\":[%d],\"data_offsets\":[0,%d]}}", N,
                     4 * N);
  g_autoptr (GByteArray) file = make_file (header, data, 4 * N);
  g_autofree char *path = atn_test_write_file (folder, "t.safetensors", file->data, file->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load (path, &error);

  g_assert_no_error (error);
  g_assert_cmpint (truncate (path, 0), ==, 0);
  g_assert_nonnull (atn_weights_get_floats (weights, "t", 1, shape, &error));
  atn_test_remove_folder (g_steal_pointer (&folder));
}

static void
test_a_git_lfs_pointer_is_called_so (void)
{
  static const char pointer[] =
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 548105171\n";
  g_autofree char *folder = atn_test_make_folder ();
  g_autofree char *path = atn_test_write_file (folder, "t.safetensors", pointer, -1);
  g_autoptr (GError) error = NULL;

  g_assert_null (load (path, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "this is a Git LFS pointer");
  atn_test_remove_folder (g_steal_pointer (&folder));
}

/* Always little endian; a file with swapped bytes can't be told from one with odd numbers. */
static void
test_numbers_are_little_endian (void)
{
  static const size_t three[] = { 3 }, one[] = { 1 };
  g_autofree char *path = atn_test_dup_case_path ("046-byte-order/le.safetensors");
  g_autofree char *swapped_path = atn_test_dup_case_path ("046-byte-order/be.safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnWeights) weights = load (path, &error);
  g_autoptr (AtnWeights) swapped = load (swapped_path, NULL);
  static const float expected[] = { 1, -2, 0.5f };

  g_assert_no_error (error);
  g_assert_cmpmem (get_floats_of (weights, 3, three), sizeof expected, expected, sizeof expected);
  g_assert_cmpfloat (*get_floats_of (weights, 1, one), ==, 1);
  g_assert_cmpfloat (get_floats_of (swapped, 3, three)[0], <, 1e-38f);
}

/* Case 43's file holds what no weight may be. */
static void
test_half_floats_that_are_not_finite_are_refused (void)
{
  g_autofree char *path = atn_test_dup_case_path ("043-f16-bf16-conversion-incl/half.safetensors");
  g_autoptr (AtnWeights) weights = load (path, NULL);
  const AtnTensorInfo *info = atn_weights_find (weights, "h");
  g_autoptr (GError) error = NULL;

  g_assert_null (atn_weights_get_floats (weights, "h", info->n_dims, info->shape, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "tensor “h” is infinite at [9]");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (case_files); i++) {
    g_autofree char *path =
      g_strdup_printf ("/cases/%.3s%s", case_files[i].path,
                       strchr (case_files[i].path, '/') != NULL ? strchr (case_files[i].path, '/')
                                                                : "");

    g_test_add_data_func (path, &case_files[i], test_case_file_is_read_or_refused);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad_headers); i++) {
    g_autofree char *path = g_strdup_printf ("/core/safetensors/bad/%s", bad_headers[i].name);

    g_test_add_data_func (path, &bad_headers[i], test_bad_header_is_refused);
  }

  g_test_add_func ("/cases/043/file", test_half_floats_that_are_not_finite_are_refused);
  g_test_add_func ("/cases/046", test_numbers_are_little_endian);
  g_test_add_func ("/cases/044/values", test_empty_and_scalar_tensors_have_their_shapes);
  g_test_add_func ("/cases/047/integers", test_integers_beside_the_weights_are_listed_but_not_read);
  g_test_add_func ("/core/safetensors/deep", test_a_deep_header_is_refused);
  g_test_add_func ("/core/safetensors/cuts", test_every_cut_of_a_good_file_is_refused);
  g_test_add_func ("/core/safetensors/half",
                   test_half_floats_are_converted_and_order_is_that_of_the_file);
  g_test_add_func ("/core/safetensors/odd", test_floats_at_odd_offsets_are_read_rightly);
  g_test_add_func ("/core/safetensors/non-finite",
                   test_nan_and_infinity_are_named_with_their_place);
  g_test_add_func ("/core/safetensors/wrong", test_wrong_and_missing_tensors_are_named);
  g_test_add_func ("/core/safetensors/truncated", test_truncating_the_file_later_does_no_harm);
  g_test_add_func ("/core/safetensors/lfs", test_a_git_lfs_pointer_is_called_so);

  return g_test_run ();
}
