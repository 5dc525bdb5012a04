/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-plot-test.h"

#include "plot/atn-ticks.h"

static AtnMatrix *
create_row (size_t n, const float *values)
{
  AtnMatrix *matrix = atn_matrix_new (1, n);

  memcpy (matrix->values, values, n * sizeof *values);
  return matrix;
}

static AtnRange
get_range (size_t n, const float *values, bool is_signed)
{
  g_autoptr (AtnMatrix) matrix = create_row (n, values);
  AtnRange range;

  atn_range_from_matrix (&range, matrix, is_signed);
  return range;
}

static void
test_weights_begin_at_zero (void)
{
  const AtnRange range = get_range (3, (float[]){ 0.25f, 0.5f, 0.375f }, false);

  g_assert_cmpfloat (range.min, ==, 0);
  g_assert_cmpfloat (range.max, ==, 0.5);
  g_assert_cmpfloat (range.low, ==, 0);
  g_assert_cmpfloat (range.high, ==, 0.5);
  g_assert_cmpfloat (atn_range_get_position (&range, 0.25), ==, 0.5);
}

static void
test_scores_are_centred_on_zero (void)
{
  const AtnRange range = get_range (3, (float[]){ -2, 1, 0.5f }, true);

  g_assert_cmpfloat (range.min, ==, -2);
  g_assert_cmpfloat (range.max, ==, 2);
  g_assert_cmpfloat (range.low, ==, -2);
  g_assert_cmpfloat (range.high, ==, 1);
  g_assert_cmpfloat (atn_range_get_position (&range, 0), ==, 0.5);
}

/* The mask changes the range: what it hides takes no part. */
static void
test_forbidden_cells_take_no_part (void)
{
  const float values[] = { 0.886f, 1.504f, -2.079f, 10000.0f };
  g_autoptr (AtnMatrix) matrix = create_row (4, values);
  AtnRange range;

  matrix->forbidden = g_new0 (guint8, 4);
  matrix->forbidden[1] = matrix->forbidden[3] = 1;
  atn_range_from_matrix (&range, matrix, true);
  g_assert_cmpfloat (range.low, ==, (double) -2.079f);
  g_assert_cmpfloat (range.high, ==, (double) 0.886f);
}

static void
test_infinite_and_missing_numbers_take_no_part (void)
{
  const AtnRange range = get_range (5, (float[]){ -INFINITY, 1, NAN, 3, INFINITY }, true);

  g_assert_cmpfloat (range.max, ==, 3);
  g_assert_cmpfloat (range.low, ==, 1);
  g_assert_true (isnan (atn_range_get_position (&range, (double) NAN)));
  g_assert_cmpfloat (atn_range_get_position (&range, HUGE_VAL), ==, 1);
  g_assert_cmpfloat (atn_range_get_position (&range, -HUGE_VAL), ==, 0);
}

static void
assert_usable (AtnRange range)
{
  g_assert_true (isfinite (range.min) && isfinite (range.max));
  g_assert_cmpfloat (range.max, >, range.min);
  g_assert_cmpfloat (range.high, >, range.low);
}

static void
test_equal_values_have_a_range (void)
{
  const float all[][2] = { { 0, 0 }, { 1, 1 }, { -3, -3 }, { 1e-30f, 1e-30f }, { 5e8f, 5e8f } };

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    assert_usable (get_range (2, all[i], true));
    assert_usable (get_range (2, all[i], false));
  }
  /* One token: its weight of 1 on a scale of weights. */
  g_assert_cmpfloat (get_range (1, (float[]){ 1 }, false).min, ==, 0);
  g_assert_cmpfloat (get_range (1, (float[]){ 1 }, false).max, ==, 1);
}

static void
test_nothing_visible_has_a_range (void)
{
  assert_usable (get_range (2, (float[]){ -INFINITY, -INFINITY }, true));
  assert_usable (get_range (2, (float[]){ NAN, NAN }, false));
}

static void
test_log_scale_reaches_from_the_smallest_weight (void)
{
  const float values[] = { 0, 0.001f, 0.1f, 1 };
  g_autoptr (AtnMatrix) matrix = create_row (4, values);
  AtnRange range;

  atn_range_from_matrix (&range, matrix, false);
  atn_range_set_log (&range, matrix);
  g_assert_true (range.is_log);
  g_assert_cmpfloat_with_epsilon (range.min, 0.001, 1e-9);
  g_assert_cmpfloat (atn_range_get_position (&range, 0), ==, 0);
  g_assert_cmpfloat_with_epsilon (atn_range_get_position (&range, 0.1), 2.0 / 3, 1e-6);
  g_assert_cmpfloat (atn_range_get_position (&range, 1), ==, 1);
}

static void
test_log_scale_ends_after_six_decades (void)
{
  const float values[] = { 1e-30f, 1 };
  g_autoptr (AtnMatrix) matrix = create_row (2, values);
  AtnRange range;

  atn_range_from_matrix (&range, matrix, false);
  atn_range_set_log (&range, matrix);
  g_assert_cmpfloat_with_epsilon (range.min, 1e-6, 1e-12);
  g_assert_cmpfloat (atn_range_get_position (&range, 1e-30), ==, 0);
}

static void
test_log_scale_of_equal_weights_is_usable (void)
{
  const float values[] = { 0.25f, 0.25f };
  g_autoptr (AtnMatrix) matrix = create_row (2, values);
  AtnRange range;

  atn_range_from_matrix (&range, matrix, false);
  atn_range_set_log (&range, matrix);
  assert_usable (range);
  g_assert_cmpfloat (atn_range_get_position (&range, 0.25), ==, 1);
}

static void
test_scores_stay_linear (void)
{
  const float values[] = { -1, 1 };
  g_autoptr (AtnMatrix) matrix = create_row (2, values);
  AtnRange range;

  atn_range_from_matrix (&range, matrix, true);
  atn_range_set_log (&range, matrix);
  g_assert_false (range.is_log);
}

static void
assert_ticks (double low, double high, size_t n_wanted, const char *expected)
{
  double ticks[ATN_MAX_TICKS];
  const size_t n_ticks = atn_ticks_linear (low, high, n_wanted, ticks);
  g_autoptr (GString) text = g_string_new (NULL);

  for (size_t i = 0; i < n_ticks; i++) {
    g_autofree char *tick = atn_ticks_dup_text (ticks[i], 6);

    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", tick);
  }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_ticks_are_good_numbers (void)
{
  assert_ticks (0, 1, 5, "0 0.2 0.4 0.6 0.8 1");
  assert_ticks (0, 0.3, 3, "0 0.1 0.2 0.3");
  assert_ticks (-2.079, 0.886, 6, "−2 −1.5 −1 −0.5 0 0.5");
  assert_ticks (-12.9, 44, 5, "0 20 40");
  assert_ticks (0, 1e-7, 2, "0 5e−8 1e−7");
}

static void
test_ticks_of_no_range_are_none (void)
{
  double ticks[ATN_MAX_TICKS];

  g_assert_cmpuint (atn_ticks_linear (1, 1, 5, ticks), ==, 0);
  g_assert_cmpuint (atn_ticks_linear ((double) NAN, 1, 5, ticks), ==, 0);
  g_assert_cmpuint (atn_ticks_linear (0, HUGE_VAL, 5, ticks), ==, 0);
  g_assert_cmpuint (atn_ticks_log (0, 1, 5, ticks), ==, 0);
}

static void
test_ticks_of_a_log_scale_are_powers_of_ten (void)
{
  double ticks[ATN_MAX_TICKS];

  g_assert_cmpuint (atn_ticks_log (0.0008, 1, 6, ticks), ==, 4);
  g_assert_cmpfloat_with_epsilon (ticks[0], 0.001, 1e-12);
  g_assert_cmpfloat_with_epsilon (ticks[3], 1, 1e-12);
  /* One decade: also 2 and 5. */
  g_assert_cmpuint (atn_ticks_log (0.1, 1, 6, ticks), ==, 4);
  g_assert_cmpfloat_with_epsilon (ticks[1], 0.2, 1e-12);
}

static void
test_numbers_do_not_follow_the_locale (void)
{
  g_autofree char *half = atn_ticks_dup_text (-0.5, 3);
  g_autofree char *large = atn_ticks_dup_text (1.25e12, 3);
  g_autofree char *zero = atn_ticks_dup_text (0, 3);

  g_assert_cmpstr (half, ==, "−0.5");
  g_assert_cmpstr (large, ==, "1.25e12");
  g_assert_cmpstr (zero, ==, "0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plot/range/weights-begin-at-zero", test_weights_begin_at_zero);
  g_test_add_func ("/plot/range/scores-are-centred-on-zero", test_scores_are_centred_on_zero);
  g_test_add_func ("/plot/range/forbidden-cells-take-no-part", test_forbidden_cells_take_no_part);
  g_test_add_func ("/plot/range/infinite-and-missing-numbers-take-no-part",
                   test_infinite_and_missing_numbers_take_no_part);
  g_test_add_func ("/plot/range/equal-values-have-a-range", test_equal_values_have_a_range);
  g_test_add_func ("/plot/range/nothing-visible-has-a-range", test_nothing_visible_has_a_range);
  g_test_add_func ("/plot/range/log-scale-reaches-from-the-smallest-weight",
                   test_log_scale_reaches_from_the_smallest_weight);
  g_test_add_func ("/plot/range/log-scale-ends-after-six-decades",
                   test_log_scale_ends_after_six_decades);
  g_test_add_func ("/plot/range/log-scale-of-equal-weights-is-usable",
                   test_log_scale_of_equal_weights_is_usable);
  g_test_add_func ("/plot/range/scores-stay-linear", test_scores_stay_linear);
  g_test_add_func ("/plot/ticks/ticks-are-good-numbers", test_ticks_are_good_numbers);
  g_test_add_func ("/plot/ticks/ticks-of-no-range-are-none", test_ticks_of_no_range_are_none);
  g_test_add_func ("/plot/ticks/ticks-of-a-log-scale-are-powers-of-ten",
                   test_ticks_of_a_log_scale_are_powers_of_ten);
  g_test_add_func ("/plot/ticks/numbers-do-not-follow-the-locale",
                   test_numbers_do_not_follow_the_locale);

  return g_test_run ();
}
