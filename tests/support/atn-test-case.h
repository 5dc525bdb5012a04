/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Models of tests/cases and tests/fixtures that are run on a text, and rows of their heads.
 */

#pragma once

#include "atn-test.h"
#include "engine/atn-request.h"

G_BEGIN_DECLS

/* Of the cases' numbers, which are rounded to six digits. */
#define ATN_TEST_CASE_TOLERANCE 2e-5

#define ATN_TEST_CASE_2 "002-query-key-axes-swapped"

static inline AtnModel *
atn_test_open_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  AtnModel *model = atn_model_open (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static inline AtnModel *
atn_test_open_case (const char *folder)
{
  g_autofree char *path = atn_test_dup_case_path (folder);

  return atn_test_open_path (path);
}

static inline AtnModel *
atn_test_open_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "models", name, NULL);

  return atn_test_open_path (path);
}

/* @what_if: (nullable) */
static inline AtnResult *
atn_test_run_text (AtnModel *model, const char *text, const AtnWhatIf *what_if)
{
  const AtnRequest request = { .model = model,
                               .text = text,
                               .text_len = -1,
                               .what_if = what_if != NULL ? *what_if : (AtnWhatIf){ 0 } };
  g_autoptr (GError) error = NULL;
  AtnResult *result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static inline AtnMatrix *
atn_test_dup_matrix (const AtnResult *result, size_t layer, size_t head, AtnStage stage)
{
  return atn_trace_dup_matrix (result->trace, layer, head, stage, atn_result_get_what_if (result));
}

/* One row of @matrix against numbers with four digits. */
static inline void
atn_test_assert_row (const AtnMatrix *matrix, size_t row, const double *expected)
{
  for (size_t key = 0; key < matrix->n_cols; key++)
    g_assert_cmpfloat_with_epsilon ((double) atn_matrix_get (matrix, row, key), expected[key],
                                    5e-5 + ATN_TEST_CASE_TOLERANCE);
}

G_END_DECLS
