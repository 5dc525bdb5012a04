/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Cases of tests/cases whose answer is one row of one head, and what becomes of them when their
 * config is spelt in another way.
 */

#include "atn-test-case.h"

/* The last row of a head for "Hello world aba", and what the case's fault would make of it. */
static const struct
{
  const char *name;
  const char *folder;
  size_t head;
  double row[7];
} llama_rows[] = {
  { "010",
    "010-explicit-head-dim-hidden-size",
    0,
    { 0.1113, 0.2402, 0.1983, 0.0683, 0.2523, 0.0434, 0.0862 } },
  { "013",
    "013-grouped-query-repeat-not-tile",
    1,
    { 0.0024, 0.0174, 0.0054, 0.5297, 0.0040, 0.0169, 0.4242 } },
  { "016",
    "016-rotary-pairs-split-halves-not",
    0,
    { 0.1237, 0.2108, 0.0370, 0.1969, 0.1981, 0.1351, 0.0984 } },
  { "017",
    "017-rope-theta-taken-from-a-default",
    0,
    { 0.1339, 0.1370, 0.0325, 0.2556, 0.2023, 0.1457, 0.0930 } },
};

static void
check_llama_row (AtnModel *model, size_t head, const double *row)
{
  g_autoptr (AtnResult) result = atn_test_run_text (model, "Hello world aba", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, head, ATN_STAGE_PATTERN);

  g_assert_cmpuint (matrix->n_rows, ==, 7);
  atn_test_assert_row (matrix, 6, row);
}

static void
test_the_row_is_that_of_the_case (gconstpointer data)
{
  const size_t i = GPOINTER_TO_SIZE (data);
  g_autoptr (AtnModel) model = atn_test_open_case (llama_rows[i].folder);

  check_llama_row (model, llama_rows[i].head, llama_rows[i].row);
}

/* A copy of a case's folder in @folder, its config with @old replaced by @new. */
static AtnModel *
open_changed_case (const char *name, const char *folder, const char *old, const char *new)
{
  static const char *const files[] = { "config.json", "tokenizer.json", "model.safetensors" };

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *source = g_build_filename (name, files[i], NULL);
    gsize length;
    g_autofree char *text = atn_test_dup_case (source, &length);
    g_autoptr (GString) changed = g_string_new_len (text, (gssize) length);

    if (i == 0)
      g_assert_cmpuint (g_string_replace (changed, old, new, 0), ==, 1);
    g_free (atn_test_write_file (folder, files[i], changed->str, (gssize) changed->len));
  }

  return atn_test_open_path (folder);
}

static void
test_theta_may_stand_in_rope_parameters (void)
{
  char *folder = atn_test_make_folder ();
  g_autoptr (AtnModel) model =
    open_changed_case (llama_rows[3].folder, folder, "\"rope_theta\": 100.0",
                       "\"rope_parameters\": {\"rope_theta\": 100.0, \"rope_type\": \"default\"}");

  check_llama_row (model, 0, llama_rows[3].row);
  atn_test_remove_folder (folder);
}

static void
test_a_null_head_dim_is_not_given (void)
{
  char *folder = atn_test_make_folder ();
  g_autoptr (AtnModel) model = open_changed_case (llama_rows[2].folder, folder, "\"rope_theta\"",
                                                  "\"head_dim\": null, \"rope_theta\"");

  check_llama_row (model, 0, llama_rows[2].row);
  atn_test_remove_folder (folder);
}

/* What ran before, or runs beside, changes nothing; nobody pads. */
static void
test_a_sentence_does_not_depend_on_others (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  g_autoptr (AtnResult) alone = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnResult) longer = atn_test_run_text (model, "the cat sat on the mat", NULL);
  g_autoptr (AtnResult) after = atn_test_run_text (model, "the cat sat", NULL);
  const AtnConfig *config = atn_model_get_config (model);

  g_assert_cmpuint (longer->tokens->n_tokens, >, alone->tokens->n_tokens);
  for (size_t i = 0; i < config->n_layers * config->n_heads; i++) {
    const size_t layer = i / config->n_heads, head = i % config->n_heads;
    g_autoptr (AtnMatrix) first = atn_test_dup_matrix (alone, layer, head, ATN_STAGE_PATTERN);
    g_autoptr (AtnMatrix) second = atn_test_dup_matrix (after, layer, head, ATN_STAGE_PATTERN);

    g_assert_cmpuint (first->n_rows, ==, alone->tokens->n_tokens);
    for (size_t cell = 0; cell < first->n_rows * first->n_cols; cell++)
      g_assert_true (first->values[cell] == second->values[cell]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (llama_rows); i++) {
    g_autofree char *path = g_strdup_printf ("/cases/%s", llama_rows[i].name);

    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_the_row_is_that_of_the_case);
  }
  g_test_add_func ("/cases/010/null", test_a_null_head_dim_is_not_given);
  g_test_add_func ("/cases/017/newer", test_theta_may_stand_in_rope_parameters);
  g_test_add_func ("/cases/020", test_a_sentence_does_not_depend_on_others);

  return g_test_run ();
}
