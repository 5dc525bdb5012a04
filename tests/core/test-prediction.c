/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-prediction.h"

#include "atn-test-case.h"

#include <math.h>

static void
test_probabilities_of_two_logits (void)
{
  float values[] = { 1.0f, 1.0f + logf (3.0f) };

  atn_logits_to_probabilities (values, 2);
  g_assert_cmpfloat_with_epsilon ((double) values[0], 0.25, 1e-7);
  g_assert_cmpfloat_with_epsilon ((double) values[1], 0.75, 1e-7);
}

static void
test_large_logits_do_not_overflow (void)
{
  float values[] = { 1000.0f, 999.0f, -1000.0f };

  atn_logits_to_probabilities (values, 3);
  g_assert_cmpfloat_with_epsilon ((double) values[0], 1.0 / (1.0 + exp (-1.0)), 1e-7);
  g_assert_cmpfloat (values[2], ==, 0.0f);
}

static void
test_the_best_come_first (void)
{
  const float logits[] = { 1.0f, 5.0f, -2.0f, 3.0f, 4.0f };
  const uint32_t order[] = { 1, 4, 3 };
  AtnPrediction top[3];
  double sum = 0.0;

  g_assert_cmpuint (atn_predict_top (logits, 5, 3, top), ==, 3);
  for (size_t i = 0; i < 5; i++)
    sum += exp ((double) logits[i]);
  for (size_t i = 0; i < 3; i++) {
    g_assert_cmpuint (top[i].id, ==, order[i]);
    g_assert_cmpfloat (top[i].logit, ==, logits[order[i]]);
    g_assert_cmpfloat_with_epsilon ((double) top[i].probability,
                                    exp ((double) logits[order[i]]) / sum, 1e-7);
  }
}

static void
test_ties_go_by_id (void)
{
  const float logits[] = { 2.0f, 7.0f, 7.0f, 7.0f };
  AtnPrediction top[2];

  g_assert_cmpuint (atn_predict_top (logits, 4, 2, top), ==, 2);
  g_assert_cmpuint (top[0].id, ==, 1);
  g_assert_cmpuint (top[1].id, ==, 2);
}

static void
test_no_more_than_there_are (void)
{
  const float logits[] = { 2.0f, 7.0f };
  AtnPrediction top[5];

  g_assert_cmpuint (atn_predict_top (logits, 2, 5, top), ==, 2);
  g_assert_cmpuint (atn_predict_top (logits, 2, 0, top), ==, 0);
}

static void
test_a_causal_model_predicts_after_the_last (void)
{
  g_autoptr (AtnModel) model = atn_test_open_fixture ("gpt2");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "a cat on the dog", NULL);
  g_autoptr (GArray) positions = atn_trace_dup_predicted_positions (result->trace);

  g_assert_true (atn_model_can_predict (model));
  g_assert_cmpuint (positions->len, ==, 1);
  g_assert_cmpuint (g_array_index (positions, size_t, 0), ==, result->tokens->n_tokens - 1);
}

static void
test_a_masked_model_predicts_at_each_mask (void)
{
  g_autoptr (AtnModel) model = atn_test_open_fixture ("bert");
  g_autoptr (AtnResult) none = atn_test_run_text (model, "the cat", NULL);
  g_autoptr (AtnResult) two = atn_test_run_text (model, "the [MASK] cat [MASK]", NULL);
  g_autoptr (GArray) no_positions = atn_trace_dup_predicted_positions (none->trace);
  g_autoptr (GArray) positions = atn_trace_dup_predicted_positions (two->trace);
  uint32_t mask_id;

  g_assert_true (atn_tokenizer_find (atn_model_get_tokenizer (model), "[MASK]", &mask_id));
  g_assert_cmpuint (no_positions->len, ==, 0);
  g_assert_cmpuint (positions->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (two->tokens->tokens[g_array_index (positions, size_t, i)].id, ==, mask_id);
}

static void
test_a_model_without_a_head_predicts_nothing (void)
{
  g_autoptr (AtnModel) model = atn_test_open_fixture ("bert-odd");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat", NULL);
  g_autoptr (GArray) positions = atn_trace_dup_predicted_positions (result->trace);

  g_assert_false (atn_model_can_predict (model));
  g_assert_cmpuint (positions->len, ==, 0);
  g_assert_cmpuint (atn_model_get_warnings (model)->len, ==, 0);
}

/* The promise of cat-chases-mouse: scaled scores to 1e-6, and the masked third row. */
static void
test_cat_chases_mouse_has_its_numbers (void)
{
  const char *const texts[] = { "猫追老鼠", "猫 追 老鼠" };
  const double scores[] = { 0.9, 0.5, 0.3, 0.4, 0.8, 0.6, 0.2, 0.5, 0.7 };
  const double third_row[] = { 0.250, 0.338, 0.412 };
  const AtnWhatIf causal = { .causal = ATN_CAUSAL_ON };
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "models", "cat-chases-mouse.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = atn_model_open (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (AtnResult) result = atn_test_run_text (model, texts[i], NULL);
    float values[9];

    g_assert_cmpuint (result->tokens->n_tokens, ==, 3);
    atn_trace_compute_rows (result->trace, 0, 0, ATN_STAGE_SCALED, NULL, 0, 3, values);
    for (size_t j = 0; j < 9; j++)
      g_assert_cmpfloat_with_epsilon ((double) values[j], scores[j], 1e-6);
    atn_trace_compute_rows (result->trace, 0, 0, ATN_STAGE_PATTERN, &causal, 2, 1, values);
    for (size_t j = 0; j < 3; j++)
      g_assert_cmpfloat_with_epsilon ((double) values[j], third_row[j], 6e-4);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/prediction/two-logits", test_probabilities_of_two_logits);
  g_test_add_func ("/core/prediction/large", test_large_logits_do_not_overflow);
  g_test_add_func ("/core/prediction/order", test_the_best_come_first);
  g_test_add_func ("/core/prediction/ties", test_ties_go_by_id);
  g_test_add_func ("/core/prediction/few", test_no_more_than_there_are);
  g_test_add_func ("/core/prediction/causal", test_a_causal_model_predicts_after_the_last);
  g_test_add_func ("/core/prediction/masked", test_a_masked_model_predicts_at_each_mask);
  g_test_add_func ("/core/prediction/headless", test_a_model_without_a_head_predicts_nothing);
  g_test_add_func ("/core/prediction/cat-chases-mouse", test_cat_chases_mouse_has_its_numbers);

  return g_test_run ();
}
