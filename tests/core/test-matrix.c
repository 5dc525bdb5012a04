/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test.h"
#include "base/atn-matrix.h"

static void
test_a_new_matrix_is_zero_and_without_mask (void)
{
  g_autoptr (AtnMatrix) matrix = atn_matrix_new (2, 3);

  g_assert_cmpuint (matrix->n_rows, ==, 2);
  g_assert_cmpuint (matrix->n_cols, ==, 3);
  g_assert_null (matrix->forbidden);
  for (size_t row = 0; row < 2; row++)
    for (size_t col = 0; col < 3; col++)
      g_assert_cmpfloat (atn_matrix_get (matrix, row, col), ==, 0);
}

static void
test_rows_are_queries_and_columns_are_keys (void)
{
  g_autoptr (AtnMatrix) matrix = atn_matrix_new (2, 3);

  for (size_t i = 0; i < 6; i++)
    matrix->values[i] = (float) i;
  matrix->forbidden = g_new0 (guint8, 6);
  matrix->forbidden[5] = 1;

  g_assert_cmpfloat (atn_matrix_get (matrix, 1, 0), ==, 3);
  g_assert_true (atn_matrix_is_forbidden (matrix, 1, 2));
  g_assert_false (atn_matrix_is_forbidden (matrix, 0, 2));
}

static void
test_references_keep_it_alive (void)
{
  AtnMatrix *matrix = atn_matrix_new (1, 1);

  g_assert_true (atn_matrix_ref (matrix) == matrix);
  atn_matrix_unref (matrix);
  g_assert_cmpfloat (atn_matrix_get (matrix, 0, 0), ==, 0);
  atn_matrix_unref (matrix);
}

static void
test_an_empty_matrix_is_allowed (void)
{
  g_autoptr (AtnMatrix) matrix = atn_matrix_new (0, 5);

  g_assert_cmpuint (matrix->n_rows, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/matrix/new", test_a_new_matrix_is_zero_and_without_mask);
  g_test_add_func ("/core/matrix/order", test_rows_are_queries_and_columns_are_keys);
  g_test_add_func ("/core/matrix/references", test_references_keep_it_alive);
  g_test_add_func ("/core/matrix/empty", test_an_empty_matrix_is_allowed);

  return g_test_run ();
}
