/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Numbers and cells in words.
 */

#include "app/atn-calculation.h"
#include "app/atn-format.h"
#include "app/atn-reading.h"

#include <math.h>
#include <string.h>

static void
assert_takes (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_nothing_but_zero_reads_as_zero (void)
{
  assert_takes (atn_format_dup_percent (0.0), "0\u00a0%");
  assert_takes (atn_format_dup_percent (1e-9), "<\u00a00.001\u00a0%");
  assert_takes (atn_format_dup_percent (0.00042), "0.042\u00a0%");
  assert_takes (atn_format_dup_percent (0.000999), "0.1\u00a0%");
  assert_takes (atn_format_dup_percent (0.0042), "0.4\u00a0%");
  assert_takes (atn_format_dup_percent (0.0996), "10\u00a0%");
  assert_takes (atn_format_dup_percent (0.631), "63\u00a0%");
  assert_takes (atn_format_dup_percent (0.9961), "99.6\u00a0%");
  assert_takes (atn_format_dup_percent (0.99999), ">\u00a099.9\u00a0%");
  assert_takes (atn_format_dup_percent (1.0), "100\u00a0%");
  assert_takes (atn_format_dup_number (0.0), "0.0000");
  assert_takes (atn_format_dup_number (3e-7), "3.00e−07");
}

static void
test_numbers_keep_their_digits_and_their_width (void)
{
  assert_takes (atn_format_dup_number (0.63119), "0.6312");
  assert_takes (atn_format_dup_number (-14.2104), "−14.210");
  assert_takes (atn_format_dup_number (378.0971), "378.10");
  assert_takes (atn_format_dup_number (-INFINITY), "−∞");
  assert_takes (atn_format_dup_operand (-0.5), "(−0.5000)");
  assert_takes (atn_format_dup_operand (0.5), "0.5000");
}

static void
test_a_sentence_has_few_digits (void)
{
  assert_takes (atn_format_dup_rough_number (-9.6334), "−9.63");
  assert_takes (atn_format_dup_rough_number (17.6448), "17.6");
  assert_takes (atn_format_dup_rough_number (9.9951), "10.0");
  assert_takes (atn_format_dup_rough_number (378.0971), "378");
  assert_takes (atn_format_dup_rough_number (0.0), "0.00");
  assert_takes (atn_format_dup_rough_number (-0.0012), "−0.0012");
  assert_takes (atn_format_dup_rough_number (-INFINITY), "−∞");
}

static void
test_chinese_may_break_at_quotation_marks (void)
{
  assert_takes (atn_format_dup_wrappable ("标点。“是”“地”把 41 % 给逗号，“举”看它"),
                "标点。\u200b“是”\u200b“地”\u200b把 41\u00a0% 给逗号，\u200b“举”\u200b看它");
  assert_takes (atn_format_dup_wrappable ("（“键”），“床”。"), "（“键”），\u200b“床”。");
  assert_takes (atn_format_dup_wrappable ("The row “it” gives 5 % to “cat”."),
                "The row “it” gives 5\u00a0% to “cat”.");
  assert_takes (atn_format_dup_wrappable (""), "");
}

/* A picture without a texture: what is read is the figure. */
static void
init_picture (AtnPicture *picture, AtnStage stage)
{
  AtnFigure *figure = atn_figure_new (ATN_FIGURE_HEAD);
  const float values[9] = { 1.0f, 0.0f, 0.0f, 0.3f, 0.7f, 0.0f, 0.0f, 0.0f, 0.0f };
  const guint8 forbidden[9] = { 0, 1, 1, 0, 0, 1, 1, 1, 1 };
  const char *labels[3] = { "The", "␣cat", "␣sat" };

  figure->n_rows = figure->n_cols = 3;
  figure->query_labels = g_new0 (char *, 3);
  figure->key_labels = g_new0 (char *, 3);
  for (int i = 0; i < 3; i++) {
    figure->query_labels[i] = g_strdup (labels[i]);
    figure->key_labels[i] = g_strdup (labels[i]);
  }
  figure->n_panels = 1;
  figure->panels = g_new0 (AtnPanel, 1);
  figure->panels[0].matrix = atn_matrix_new (3, 3);
  figure->panels[0].matrix->forbidden = g_memdup2 (forbidden, sizeof forbidden);
  memcpy (figure->panels[0].matrix->values, values, sizeof values);
  *picture = (AtnPicture){ .figure = figure, .options = { .stage = stage } };
}

static void
assert_reads (AtnStage stage, int query, int key, const char *expected)
{
  g_autofree char *sentence = NULL;
  g_auto (GStrv) pieces = NULL;
  g_autofree char *plain = NULL;
  AtnPicture picture;

  init_picture (&picture, stage);
  sentence = atn_reading_dup_sentence (&picture, query, key);
  /* Without the isolates around tokens. */
  pieces = g_regex_split_simple ("[\u2068\u2069]", sentence, 0, 0);
  plain = g_strjoinv ("", pieces);
  g_assert_cmpstr (plain, ==, expected);
  atn_figure_unref (picture.figure);
}

static void
test_a_weight_is_a_share_of_the_attention (void)
{
  assert_reads (ATN_STAGE_PATTERN, 1, 0, "“␣cat” gives 30\u00a0% of its attention to “The”");
  assert_reads (ATN_STAGE_PATTERN, 1, 1, "“␣cat” gives 70\u00a0% of its attention to itself");
}

static void
test_without_a_key_the_strongest_speaks (void)
{
  assert_reads (ATN_STAGE_PATTERN, 1, -1, "“␣cat” gives 70\u00a0% of its attention to itself");
}

static void
test_a_forbidden_cell_says_so (void)
{
  assert_reads (ATN_STAGE_PATTERN, 0, 1, "“The” may not look at “␣cat”: the mask forbids it");
  assert_reads (ATN_STAGE_MASKED, 0, 2, "“The” may not look at “␣sat”: the mask forbids it");
}

static void
test_a_row_without_a_key_says_so (void)
{
  assert_reads (ATN_STAGE_PATTERN, -1, -1,
                "“␣sat” may look at no token at all: its weights are all 0");
}

static void
test_a_score_is_compared_with_its_row (void)
{
  assert_reads (ATN_STAGE_SCALED, 1, 0,
                "“␣cat” matches “The” with a score of 0.30; the highest of its row is “␣cat” "
                "with 0.70");
  assert_reads (ATN_STAGE_SCALED, 1, 1,
                "“␣cat” matches “␣cat” with a score of 0.70, the highest of its row");
}

static void
test_a_cell_that_is_not_there_reads_as_nothing (void)
{
  assert_reads (ATN_STAGE_PATTERN, 3, 0, "");
  assert_reads (ATN_STAGE_PATTERN, 0, 3, "");
}

static void
test_every_line_of_the_calculation_has_name_and_value (void)
{
  const AtnCell cell = { .temperature = 1.0, .n_visible = 1 };

  for (int line = 0; line < ATN_N_LINES; line++) {
    g_autofree char *value = atn_line_dup_value ((AtnLine) line, &cell);

    g_assert_cmpstr (atn_line_get_name ((AtnLine) line), !=, "");
    g_assert_cmpstr (atn_line_get_explanation ((AtnLine) line), !=, "");
    g_assert_nonnull (atn_line_get_symbol ((AtnLine) line));
    g_assert_cmpstr (value, !=, "");
  }
}

static void
test_the_weight_is_explained_with_its_numbers (void)
{
  const AtnCell cell = { .temperature = 1.0,
                         .n_visible = 3,
                         .exp = 0.5,
                         .row_sum = 2.0,
                         .weight = 0.25 };
  const AtnCell empty = { .temperature = 1.0 };

  assert_takes (atn_line_dup_detail (ATN_LINE_WEIGHT, &cell), "0.5000 ÷ 2.0000 = 25\u00a0%");
  assert_takes (atn_line_dup_detail (ATN_LINE_WEIGHT, &empty), "no visible token: defined as 0");
}

static void
test_a_line_is_there_where_the_model_has_its_step (void)
{
  const AtnConfig plain = { .n_heads = 4 };
  const AtnConfig rope = { .n_heads = 4, .positions = ATN_POSITIONS_ROPE };
  const AtnConfig capped = { .n_heads = 4, .score_cap = 30.0f };
  const AtnConfig alibi = { .n_heads = 4, .positions = ATN_POSITIONS_ALIBI };
  const AtnConfig buckets = { .n_heads = 4, .buckets = { .n = 32 } };
  const AtnWhatIf as_trained = { 0 };
  const AtnWhatIf cold = { .temperature = 0.5f };

  g_assert_false (atn_line_is_present (ATN_LINE_UNROTATED, &plain, &as_trained));
  g_assert_false (atn_line_is_present (ATN_LINE_CAPPED, &plain, &as_trained));
  g_assert_false (atn_line_is_present (ATN_LINE_POSITION_TERM, &plain, &as_trained));
  g_assert_false (atn_line_is_present (ATN_LINE_BIASED, &plain, &as_trained));
  g_assert_false (atn_line_is_present (ATN_LINE_TEMPERATURE, &plain, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_SCALED, &plain, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_UNROTATED, &rope, &as_trained));
  g_assert_false (atn_line_is_present (ATN_LINE_BIASED, &rope, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_CAPPED, &capped, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_POSITION_TERM, &alibi, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_BIASED, &alibi, &as_trained));
  g_assert_false (atn_line_is_present (ATN_LINE_CAPPED, &alibi, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_POSITION_TERM, &buckets, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_BIASED, &buckets, &as_trained));
  g_assert_true (atn_line_is_present (ATN_LINE_TEMPERATURE, &plain, &cold));
}

static void
test_caps_and_positions_are_explained_with_their_numbers (void)
{
  const AtnCell cell = { .query = 9,
                         .key = 7,
                         .temperature = 1.0,
                         .scaled = -4.5,
                         .cap = 3.0,
                         .capped = -2.7155,
                         .slope = 0.25,
                         .position_term = 1.75,
                         .biased = -0.9655 };

  assert_takes (atn_line_dup_value (ATN_LINE_CAPPED, &cell), "−2.7155");
  assert_takes (atn_line_dup_detail (ATN_LINE_CAPPED, &cell), "3.0000 × tanh (−4.5000 ÷ 3.0000)");
  assert_takes (atn_line_dup_value (ATN_LINE_POSITION_TERM, &cell), "1.7500");
  assert_takes (atn_line_dup_detail (ATN_LINE_POSITION_TERM, &cell), "slope 0.2500 × key 7");
  assert_takes (atn_line_dup_value (ATN_LINE_BIASED, &cell), "−0.9655");
  assert_takes (atn_line_dup_detail (ATN_LINE_BIASED, &cell), "−2.7155 + 1.7500");
}

static void
test_a_bucket_is_explained_with_its_distance (void)
{
  const AtnCell back = { .query = 9, .key = 7, .has_bucket = true, .bucket = 2 };
  const AtnCell ahead = { .query = 7, .key = 30, .has_bucket = true, .bucket = 27 };

  assert_takes (atn_line_dup_detail (ATN_LINE_POSITION_TERM, &back), "distance −2: bucket 2");
  assert_takes (atn_line_dup_detail (ATN_LINE_POSITION_TERM, &ahead), "distance +23: bucket 27");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/app/format/zero", test_nothing_but_zero_reads_as_zero);
  g_test_add_func ("/app/format/digits", test_numbers_keep_their_digits_and_their_width);
  g_test_add_func ("/app/format/rough", test_a_sentence_has_few_digits);
  g_test_add_func ("/app/format/wrappable", test_chinese_may_break_at_quotation_marks);
  g_test_add_func ("/app/reading/weight", test_a_weight_is_a_share_of_the_attention);
  g_test_add_func ("/app/reading/strongest", test_without_a_key_the_strongest_speaks);
  g_test_add_func ("/app/reading/forbidden", test_a_forbidden_cell_says_so);
  g_test_add_func ("/app/reading/empty-row", test_a_row_without_a_key_says_so);
  g_test_add_func ("/app/reading/score", test_a_score_is_compared_with_its_row);
  g_test_add_func ("/app/reading/outside", test_a_cell_that_is_not_there_reads_as_nothing);
  g_test_add_func ("/app/calculation/lines", test_every_line_of_the_calculation_has_name_and_value);
  g_test_add_func ("/app/calculation/weight", test_the_weight_is_explained_with_its_numbers);
  g_test_add_func ("/app/calculation/present", test_a_line_is_there_where_the_model_has_its_step);
  g_test_add_func ("/app/calculation/positions",
                   test_caps_and_positions_are_explained_with_their_numbers);
  g_test_add_func ("/app/calculation/bucket", test_a_bucket_is_explained_with_its_distance);

  return g_test_run ();
}
