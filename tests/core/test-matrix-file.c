/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The numbers are those of models/cat-chases-mouse.json, whose scores were
 * chosen by hand: [[.9, .5, .3], [.4, .8, .6], [.2, .5, .7]].
 */

#include "analysis/atn-matrix-file.h"
#include "atn-test.h"

#include <glib/gstdio.h>
#include <math.h>

static AtnResult *
run (const char *model_path, const char *text, const AtnWhatIf *what_if)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", model_path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = atn_model_open (path, NULL, NULL, NULL, &error);
  AtnRequest request = { .model = model, .text = text, .text_len = -1, .what_if = *what_if };
  AtnResult *result;

  g_assert_no_error (error);
  result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static AtnResult *
run_causal_cat (void)
{
  return run ("models/cat-chases-mouse.json", "猫追老鼠", &(AtnWhatIf){ .causal = ATN_CAUSAL_ON });
}

static char *
dup_text (GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  return g_strndup (text, length);
}

static void
test_tables_have_tokens_on_both_sides_and_empty_forbidden_cells (void)
{
  g_autoptr (AtnResult) result = run_causal_cat ();
  g_autoptr (GBytes) csv =
    atn_result_dup_file (result, 0, 0, ATN_STAGE_MASKED, ATN_MATRIX_FORMAT_CSV);
  g_autoptr (GBytes) tsv =
    atn_result_dup_file (result, 0, 0, ATN_STAGE_MASKED, ATN_MATRIX_FORMAT_TSV);
  g_autofree char *csv_text = dup_text (csv), *tsv_text = dup_text (tsv);

  g_assert_cmpstr (csv_text, ==, ",猫,追,老鼠\n猫,0.9,,\n追,0.4,0.8,\n老鼠,0.2,0.5,0.7\n");
  g_assert_cmpstr (tsv_text, ==,
                   "\t猫\t追\t老鼠\n猫\t0.9\t\t\n追\t0.4\t0.8\t\n老鼠\t0.2\t0.5\t0.7\n");
}

static void
test_forbidden_weights_are_zero (void)
{
  g_autoptr (AtnResult) result = run_causal_cat ();
  g_autoptr (GBytes) csv =
    atn_result_dup_file (result, 0, 0, ATN_STAGE_PATTERN, ATN_MATRIX_FORMAT_CSV);
  g_autofree char *text = dup_text (csv);

  g_assert_nonnull (strstr (text, "\n猫,1,0,0\n"));
  g_assert_nonnull (strstr (text, "\n老鼠,0.250"));
}

static double
get_cell (const AtnJson *matrix, size_t row, size_t col)
{
  const AtnJson *cell = atn_json_get_first (matrix);

  while (row-- > 0)
    cell = atn_json_get_next (cell);
  cell = atn_json_get_first (cell);
  while (col-- > 0)
    cell = atn_json_get_next (cell);

  return atn_json_get_kind (cell) == ATN_JSON_NULL ? -HUGE_VAL : atn_json_get_number (cell);
}

static void
test_json_says_what_the_matrix_is (void)
{
  g_autoptr (AtnResult) result = run_causal_cat ();
  g_autoptr (GBytes) file =
    atn_result_dup_file (result, 0, 0, ATN_STAGE_MASKED, ATN_MATRIX_FORMAT_JSON);
  gsize length;
  const char *text = g_bytes_get_data (file, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnJson) root = atn_json_parse (text, length, &error);
  const AtnJson *settings = atn_json_get_member (root, "settings");
  const AtnJson *matrix = atn_json_get_member (root, "matrix");

  g_assert_no_error (error);
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (root, "model")), ==,
                   "cat-chases-mouse");
  g_assert_cmpfloat (atn_json_get_number (atn_json_get_member (root, "layer")), ==, 0);
  g_assert_cmpfloat (atn_json_get_number (atn_json_get_member (root, "head")), ==, 0);
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (root, "stage")), ==, "masked");
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (root, "attention")), ==, "self");
  g_assert_cmpuint (atn_json_count (atn_json_get_member (root, "query_tokens")), ==, 3);
  g_assert_cmpuint (atn_json_count (atn_json_get_member (root, "key_tokens")), ==, 3);
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (settings, "causal")), ==, "on");
  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (settings, "scale_by")), ==, "trained");
  g_assert_cmpfloat (get_cell (matrix, 0, 0), ==, 0.9);
  g_assert_cmpfloat (get_cell (matrix, 0, 1), ==, -HUGE_VAL);
  g_assert_cmpfloat (get_cell (matrix, 2, 1), ==, 0.5);
}

static void
test_every_setting_is_written (void)
{
  const AtnWhatIf what_if = { .causal = ATN_CAUSAL_OFF,
                              .scale = ATN_SCALE_NUMBER,
                              .scale_number = 0.25f,
                              .temperature = 2,
                              .scope = ATN_SCOPE_HEAD };
  g_autoptr (AtnResult) result = run ("models/six-tokens.json", "the cat sat", &what_if);
  g_autoptr (GBytes) file =
    atn_result_dup_file (result, 0, 1, ATN_STAGE_SCALED, ATN_MATRIX_FORMAT_JSON);
  g_autofree char *text = dup_text (file);

  g_assert_nonnull (strstr (text, "\"head\":1,"));
  g_assert_nonnull (strstr (text, "\"settings\":{\"causal\":\"off\",\"scale_by\":0.25,"
                                  "\"temperature\":2,\"scope\":\"head\"}"));
}

static void
test_npy_keeps_minus_infinity (void)
{
  g_autoptr (AtnResult) result = run_causal_cat ();
  g_autoptr (GBytes) file =
    atn_result_dup_file (result, 0, 0, ATN_STAGE_MASKED, ATN_MATRIX_FORMAT_NPY);
  gsize length;
  const char *bytes = g_bytes_get_data (file, &length);
  float values[9];

  g_assert_cmpuint (length, ==, 128 + sizeof values);
  g_assert_nonnull (strstr (bytes + 10, "'shape': (3, 3), }"));
  memcpy (values, bytes + 128, sizeof values);
  g_assert_cmpfloat (values[0], ==, 0.9f);
  g_assert_cmpfloat (values[1], ==, -INFINITY);
  g_assert_cmpfloat (values[8], ==, 0.7f);
}

static void
test_all_heads_are_one_table_one_array_and_one_npy (void)
{
  g_autoptr (AtnResult) result = run ("models/six-tokens.json", "the cat", &(AtnWhatIf){ 0 });
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) csv =
    atn_result_dup_file_all (result, ATN_STAGE_PATTERN, ATN_MATRIX_FORMAT_CSV, &error);
  g_autoptr (GBytes) json =
    atn_result_dup_file_all (result, ATN_STAGE_PATTERN, ATN_MATRIX_FORMAT_JSON, &error);
  g_autoptr (GBytes) npy =
    atn_result_dup_file_all (result, ATN_STAGE_PATTERN, ATN_MATRIX_FORMAT_NPY, &error);
  g_autofree char *csv_text = dup_text (csv), *json_text = dup_text (json);
  g_autoptr (AtnJson) root = atn_json_parse (json_text, strlen (json_text), &error);
  gsize length;
  const char *bytes = g_bytes_get_data (npy, &length);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (csv_text, "layer,head,query,the,cat\n0,0,the,1,0\n0,0,cat,"));
  g_assert_nonnull (strstr (csv_text, "\n0,2,the,1,0\n"));
  g_assert_cmpuint (atn_json_count (root), ==, 3);
  g_assert_nonnull (strstr (bytes + 10, "'shape': (1, 3, 2, 2), }"));
  g_assert_cmpuint (length, ==, 128 + 12 * sizeof (float));
}

static void
test_a_file_of_all_heads_is_the_same_head_by_head (void)
{
  g_autoptr (AtnResult) result = run ("models/six-tokens.json", "the cat", &(AtnWhatIf){ 0 });
  char *folder = atn_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "all", NULL);

  for (int format = 0; format < ATN_N_MATRIX_FORMATS; format++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) whole = atn_result_dup_file_all (result, ATN_STAGE_MASKED, format, &error);
    g_autofree char *written = NULL;
    gsize length;

    g_assert_true (
      atn_result_write_file_all (result, ATN_STAGE_MASKED, format, path, NULL, &error));
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (path, &written, &length, NULL));
    g_assert_cmpmem (written, length, g_bytes_get_data (whole, NULL), g_bytes_get_size (whole));
  }
  atn_test_remove_folder (folder);
}

static void
test_a_cancelled_file_is_not_there (void)
{
  g_autoptr (AtnResult) result = run ("models/six-tokens.json", "the cat", &(AtnWhatIf){ 0 });
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = atn_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "all", NULL);

  g_cancellable_cancel (cancellable);
  g_assert_false (atn_result_write_file_all (result, ATN_STAGE_MASKED, ATN_MATRIX_FORMAT_CSV, path,
                                             cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  /* Fails if anything was left. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/matrix-file/tables",
                   test_tables_have_tokens_on_both_sides_and_empty_forbidden_cells);
  g_test_add_func ("/core/matrix-file/zero", test_forbidden_weights_are_zero);
  g_test_add_func ("/core/matrix-file/json", test_json_says_what_the_matrix_is);
  g_test_add_func ("/core/matrix-file/settings", test_every_setting_is_written);
  g_test_add_func ("/core/matrix-file/npy", test_npy_keeps_minus_infinity);
  g_test_add_func ("/core/matrix-file/all", test_all_heads_are_one_table_one_array_and_one_npy);
  g_test_add_func ("/core/matrix-file/head-by-head",
                   test_a_file_of_all_heads_is_the_same_head_by_head);
  g_test_add_func ("/core/matrix-file/cancelled", test_a_cancelled_file_is_not_there);

  return g_test_run ();
}
