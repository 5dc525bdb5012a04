/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the bundled models promise: each has examples whose claims hold, and
 * the circuit that was built by hand is exact for every sequence.
 */

#include "atn-test-case.h"
#include "engine/atn-prediction.h"

#define MIN_EXAMPLES 4
#define MAX_EXAMPLES 8

static AtnModel *
open_bundled (const char *file)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "models", file, NULL);

  return atn_test_open_path (path);
}

static AtnResult *
run_text (AtnModel *model, const char *text, const char *pair)
{
  const AtnRequest request = { .model = model,
                               .text = text,
                               .text_len = -1,
                               .pair = pair,
                               .pair_len = -1 };
  g_autoptr (GError) error = NULL;
  AtnResult *result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
check_example (AtnModel *model, const AtnExample *example)
{
  g_autoptr (AtnResult) result = run_text (model, example->text, example->pair);
  g_autoptr (AtnMatrix) matrix = NULL;
  AtnStage stage;

  g_assert_true (atn_stage_from_name (example->stage, &stage));
  g_assert_cmpstr (example->note, !=, "");
  if (!example->has_claim)
    g_error ("“%s” of %s has no claim", example->text, atn_model_get_name (model));

  matrix =
    atn_trace_dup_matrix (result->trace, example->layer, example->head, ATN_STAGE_PATTERN, NULL);
  g_assert_cmpuint (example->claim_query, <, matrix->n_rows);
  g_assert_cmpuint (example->claim_key, <, matrix->n_cols);
  if (atn_matrix_get (matrix, example->claim_query, example->claim_key) < example->claim_at_least)
    g_error ("“%s”: layer %zu, head %zu gives %g from %zu to %zu, claimed is %g", example->text,
             example->layer, example->head,
             (double) atn_matrix_get (matrix, example->claim_query, example->claim_key),
             example->claim_query, example->claim_key, (double) example->claim_at_least);
}

/* Whether @list holds the same sentence in another language than English, too. */
static void
check_languages (const AtnModel *model, const GPtrArray *examples)
{
  const char *const chinese[] = { "zh_CN", NULL };
  g_autoptr (GPtrArray) translated = atn_model_dup_examples (model, chinese);

  g_assert_cmpstr (atn_model_get_description (model, NULL), !=,
                   atn_model_get_description (model, chinese));
  g_assert_cmpuint (translated->len, ==, examples->len);
  for (guint i = 0; i < examples->len; i++) {
    const AtnExample *english = g_ptr_array_index (examples, i);
    const AtnExample *other = g_ptr_array_index (translated, i);

    g_assert_cmpstr (english->note, !=, other->note);
  }
}

static void
check_model (const char *file)
{
  g_autoptr (AtnModel) model = open_bundled (file);
  g_autoptr (GPtrArray) examples = atn_model_dup_examples (model, NULL);

  g_assert_cmpuint (atn_model_get_warnings (model)->len, ==, 0);
  g_assert_cmpuint (examples->len, >=, MIN_EXAMPLES);
  g_assert_cmpuint (examples->len, <=, MAX_EXAMPLES);
  for (guint i = 0; i < examples->len; i++)
    check_example (model, g_ptr_array_index (examples, i));
  check_languages (model, examples);
}

static void
test_every_claim_of_a_model_in_the_tree_holds (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "models", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  size_t n_models = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".json") || g_str_has_suffix (name, ".schema.json"))
      continue;
    check_model (name);
    n_models++;
  }
  g_assert_cmpuint (n_models, >=, 4);
}

static const char *const words[] = {
  "a", "b", "c",  "d",  "e",  "f",  "g",  "h",  "i",  "j",  "k",  "l",
  "m", "n", "o",  "p",  "q",  "r",  "s",  "t",  "u",  "v",  "w",  "x",
  "y", "z", "甲", "乙", "丙", "丁", "戊", "己", "庚", "辛", "壬", "癸",
};
/* Of the text: [START] takes one of the model's 64. */
#define MAX_TOKENS 63
#define LEAST_WEIGHT 0.99f

/* @n_tokens words, of which @period different ones come again and again. */
static char *
dup_repeated (GRand *random, size_t period, size_t n_tokens)
{
  const char *order[G_N_ELEMENTS (words)];
  GString *text = g_string_new (NULL);

  memcpy (order, words, sizeof order);
  for (size_t i = 0; i < period; i++) {
    const size_t other = (size_t) g_rand_int_range (random, (gint32) i, G_N_ELEMENTS (words));
    const char *word = order[i];

    order[i] = order[other];
    order[other] = word;
  }
  for (size_t i = 0; i < n_tokens; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", order[i % period]);
  return g_string_free (text, FALSE);
}

/* Token i of the text is at position i + 1; [START] is at 0. */
static void
check_circuit (AtnModel *model, const char *text, size_t period, size_t n_tokens)
{
  g_autoptr (AtnResult) result = run_text (model, text, NULL);
  g_autoptr (AtnMatrix) previous =
    atn_trace_dup_matrix (result->trace, 0, 0, ATN_STAGE_PATTERN, NULL);
  g_autoptr (AtnMatrix) induction =
    atn_trace_dup_matrix (result->trace, 1, 0, ATN_STAGE_PATTERN, NULL);

  g_assert_cmpuint (previous->n_rows, ==, n_tokens + 1);
  for (size_t i = 1; i <= n_tokens; i++) {
    /* What followed the same word the last time; in the first copy, the rest on [START]. */
    const size_t found = i > period ? i - period + 1 : 0;

    g_assert_cmpfloat (atn_matrix_get (previous, i, i - 1), >=, LEAST_WEIGHT);
    g_assert_cmpfloat (atn_matrix_get (induction, i, found), >=, LEAST_WEIGHT);
  }
}

static void
test_the_circuit_built_by_hand_is_exact_for_every_sequence (void)
{
  g_autoptr (AtnModel) model = open_bundled ("induction-by-hand.json");
  g_autoptr (GRand) random = g_rand_new_with_seed (4);

  for (size_t period = 1; period <= G_N_ELEMENTS (words); period++) {
    for (int round = 0; round < 40; round++) {
      const size_t n_tokens =
        round == 0 ? MAX_TOKENS
                   : (size_t) g_rand_int_range (random, (gint32) period, MAX_TOKENS + 1);
      g_autofree char *text = dup_repeated (random, period, n_tokens);

      check_circuit (model, text, period, n_tokens);
    }
  }
}

/* The prediction is what the head found, with nearly all of the probability. */
static void
test_the_circuit_built_by_hand_continues_what_it_read (void)
{
  g_autoptr (AtnModel) model = open_bundled ("induction-by-hand.json");
  g_autoptr (AtnResult) result = run_text (model, "n a m e n a", NULL);
  g_autoptr (GArray) positions = atn_trace_dup_predicted_positions (result->trace);
  uint32_t wanted;
  g_autofree float *logits = NULL;

  g_assert_true (atn_tokenizer_find (atn_model_get_tokenizer (model), "m", &wanted));
  g_assert_cmpuint (positions->len, ==, 1);
  logits = g_new (float, atn_model_get_config (model)->d_vocab);
  atn_trace_compute_logits (result->trace, g_array_index (positions, size_t, 0), logits);
  atn_logits_to_probabilities (logits, atn_model_get_config (model)->d_vocab);
  g_assert_cmpfloat (logits[wanted], >=, LEAST_WEIGHT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/bundled/claims", test_every_claim_of_a_model_in_the_tree_holds);
  g_test_add_func ("/core/bundled/induction/exact",
                   test_the_circuit_built_by_hand_is_exact_for_every_sequence);
  g_test_add_func ("/core/bundled/induction/continues",
                   test_the_circuit_built_by_hand_continues_what_it_read);

  return g_test_run ();
}
