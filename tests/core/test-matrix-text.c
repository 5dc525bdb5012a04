/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "analysis/atn-matrix-text.h"
#include "atn-test.h"
#include "base/atn-json.h"

#include <math.h>

static AtnMatrix *
make_matrix (void)
{
  static const float values[] = { 1, -INFINITY, 0.1f, 1.0f / 3.0f };
  AtnMatrix *matrix = atn_matrix_new (2, 2);

  memcpy (matrix->values, values, sizeof values);
  return matrix;
}

static void
test_fields_are_quoted_only_where_they_must_be (void)
{
  static const struct
  {
    const char *text;
    char separator;
    const char *field;
  } rows[] = {
    { "cat", ',', "cat" },        { "", ',', "" },
    { "a,b", ',', "\"a,b\"" },    { "a,b", '\t', "a,b" },
    { "a\tb", '\t', "\"a\tb\"" }, { "\"", ',', "\"\"\"\"" },
    { "a\nb", ',', "\"a\nb\"" },  { "\r", ',', "\"\r\"" },
    { " Ġ猫 ", ',', " Ġ猫 " },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GString) out = g_string_new (NULL);

    atn_matrix_text_append_field (out, rows[i].text, rows[i].separator);
    g_assert_cmpstr (out->str, ==, rows[i].field);
  }
}

static void
test_a_table_leaves_forbidden_cells_empty (void)
{
  static const char *const names[] = { "a", "," }, *const corner[] = { "" };
  g_autoptr (AtnMatrix) matrix = make_matrix ();
  g_autoptr (GString) out = g_string_new (NULL);

  atn_matrix_text_append_header (out, corner, 1, names, 2, ',');
  atn_matrix_text_append_rows (out, matrix, "", names, ',');
  g_assert_cmpstr (out->str, ==, ",a,\",\"\na,1,\n\",\",0.1,0.33333334\n");
}

static void
test_a_prefix_comes_before_each_row (void)
{
  static const char *const names[] = { "a", "b" };
  g_autoptr (AtnMatrix) matrix = make_matrix ();
  g_autoptr (GString) out = g_string_new (NULL);

  atn_matrix_text_append_rows (out, matrix, "0\t3\t", names, '\t');
  g_assert_cmpstr (out->str, ==, "0\t3\ta\t1\t\n0\t3\tb\t0.1\t0.33333334\n");
}

static void
test_json_has_null_for_forbidden_cells (void)
{
  g_autoptr (AtnMatrix) matrix = make_matrix ();
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (AtnJson) root = NULL;

  atn_matrix_text_append_json (out, matrix);
  g_assert_cmpstr (out->str, ==, "[\n  [1,null],\n  [0.1,0.33333334]]");
  root = atn_json_parse (out->str, out->len, NULL);
  g_assert_nonnull (root);
}

static void
test_an_npy_header_is_a_multiple_of_64_bytes (void)
{
  static const size_t shape[] = { 4, 12, 1024, 1024 };

  for (size_t n_dims = 0; n_dims <= 4; n_dims++) {
    static const char *const texts[] = { "'shape': (), }", "'shape': (4,), }",
                                         "'shape': (4, 12), }", "'shape': (4, 12, 1024), }",
                                         "'shape': (4, 12, 1024, 1024), }" };
    g_autoptr (GString) out = g_string_new (NULL);
    guint length;

    atn_matrix_text_append_npy_header (out, shape, n_dims);
    length = (guchar) out->str[8] | (guint) (guchar) out->str[9] << 8;
    g_assert_cmpmem (out->str, 8, "\223NUMPY\1\0", 8);
    g_assert_cmpuint (out->len % 64, ==, 0);
    g_assert_cmpuint (out->len, ==, length + 10);
    g_assert_cmpint (out->str[out->len - 1], ==, '\n');
    g_assert_nonnull (strstr (out->str + 10, texts[n_dims]));
  }
}

static void
test_npy_values_are_little_endian_floats (void)
{
  static const float values[] = { 1.0f, -2.0f };
  g_autoptr (GString) out = g_string_new (NULL);

  atn_matrix_text_append_npy_values (out, values, 2);
  g_assert_cmpmem (out->str, out->len, "\0\0\200\077\0\0\0\300", 8);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/matrix-text/fields", test_fields_are_quoted_only_where_they_must_be);
  g_test_add_func ("/core/matrix-text/table", test_a_table_leaves_forbidden_cells_empty);
  g_test_add_func ("/core/matrix-text/prefix", test_a_prefix_comes_before_each_row);
  g_test_add_func ("/core/matrix-text/json", test_json_has_null_for_forbidden_cells);
  g_test_add_func ("/core/matrix-text/npy-header", test_an_npy_header_is_a_multiple_of_64_bytes);
  g_test_add_func ("/core/matrix-text/npy-values", test_npy_values_are_little_endian_floats);

  return g_test_run ();
}
