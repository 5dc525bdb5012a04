/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test-json.h"
#include "atn-test.h"
#include "base/atn-json.h"
#include "engine/atn-attention.h"
#include "engine/atn-kernels.h"

#include <math.h>

/* Of the largest value. The worst seen is 2.4e-7, in a softmax over 1,000 keys. */
#define TOLERANCE 1e-6

#define MAX_N 1000

/* Lengths around the kernels' lanes. */
static const size_t lengths[] = { 1, 2, 15, 16, 17, 31, 32, 33, 100, MAX_N };

static void
fill_random (GRand *rand, float *values, size_t n, double from, double to)
{
  for (size_t i = 0; i < n; i++)
    values[i] = (float) g_rand_double_range (rand, from, to);
}

static void
assert_close (const float *values, const double *expected, size_t n)
{
  double largest = 0.0;

  for (size_t i = 0; i < n; i++)
    largest = fmax (largest, fabs (expected[i]));
  for (size_t i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double) values[i], expected[i], TOLERANCE * largest);
}

static void
compute_softmax (double *expected, const float *row, size_t n, double temperature)
{
  double max = -HUGE_VAL, sum = 0.0;

  for (size_t i = 0; i < n; i++)
    max = fmax (max, (double) row[i]);
  for (size_t i = 0; i < n; i++)
    sum += exp (((double) row[i] - max) / temperature);
  for (size_t i = 0; i < n; i++)
    expected[i] = exp (((double) row[i] - max) / temperature) / sum;
}

static void
test_softmax_matches_double (void)
{
  const float temperatures[] = { 1.0f, 0.5f, 3.0f };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  float row[MAX_N];
  double expected[MAX_N];

  for (size_t i = 0; i < G_N_ELEMENTS (lengths) * G_N_ELEMENTS (temperatures); i++) {
    const size_t n = lengths[i / G_N_ELEMENTS (temperatures)];
    const float temperature = temperatures[i % G_N_ELEMENTS (temperatures)];

    fill_random (rand, row, n, -12, 12);
    compute_softmax (expected, row, n, (double) temperature);
    atn_softmax_row (row, n, temperature);
    assert_close (row, expected, n);
  }
}

static void
test_small_weights_keep_their_digits (void)
{
  /* 1e-30 of the largest is still a number of the model; so is a denormal one. */
  const float scores[] = { -20.5f, -69.0f, -86.0f, -95.0f, -103.0f };

  for (size_t i = 0; i < G_N_ELEMENTS (scores); i++) {
    float row[] = { 0.0f, scores[i] };
    const double expected = exp ((double) scores[i]);

    atn_softmax_row (row, 2, 1.0f);
    g_assert_cmpfloat_with_epsilon ((double) row[1], expected, MAX (1e-6 * expected, 1.5e-45));
    g_assert_cmpfloat (row[1], >, 0.0f);
  }
}

static void
test_a_row_sums_to_one (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  float row[MAX_N];

  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++) {
    double sum = 0.0;

    fill_random (rand, row, lengths[i], -5, 5);
    atn_softmax_row (row, lengths[i], 1.0f);
    for (size_t key = 0; key < lengths[i]; key++)
      sum += (double) row[key];
    g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-6);
  }
}

static void
test_a_row_without_visible_keys_is_zero (void)
{
  float row[20];

  for (size_t i = 0; i < G_N_ELEMENTS (row); i++)
    row[i] = -INFINITY;
  atn_softmax_row (row, G_N_ELEMENTS (row), 1.0f);
  for (size_t i = 0; i < G_N_ELEMENTS (row); i++)
    g_assert_cmpfloat (row[i], ==, 0.0f);
}

static void
test_an_overflowed_score_gives_no_nan (void)
{
  float row[] = { INFINITY, 3.0f, INFINITY, -INFINITY };

  atn_softmax_row (row, 4, 2.0f);
  g_assert_cmpfloat (row[0], ==, 0.5f);
  g_assert_cmpfloat (row[1], ==, 0.0f);
  g_assert_cmpfloat (row[2], ==, 0.5f);
  g_assert_cmpfloat (row[3], ==, 0.0f);
}

static void
test_a_tiny_temperature_picks_the_largest (void)
{
  float row[] = { 1.0f, 2.0f, 2.0f };

  atn_softmax_row (row, 3, 1e-40f);
  g_assert_cmpfloat (row[0], ==, 0.0f);
  g_assert_cmpfloat (row[1], ==, 0.5f);
  g_assert_cmpfloat (row[2], ==, 0.5f);
}

/* Case 4: rows whose exponentials overflow unless the largest is subtracted. */
static void
test_large_scores_do_not_overflow (void)
{
  g_autofree char *path = atn_test_dup_case_path ("004-soft-max-overflows-without.json");
  g_autoptr (AtnJson) json = atn_test_read_json (path);
  const AtnJson *rows, *row;
  size_t n_rows = 0;

  rows = atn_json_get_member (json, "softmax_rows");
  for (row = atn_json_get_first (rows); row != NULL; row = atn_json_get_next (row)) {
    const AtnJson *score = atn_json_get_first (atn_json_get_member (row, "scores"));
    const AtnJson *weight = atn_json_get_first (atn_json_get_member (row, "expected"));
    float values[16];
    double expected[16];
    size_t n = 0;

    for (; score != NULL; score = atn_json_get_next (score), n++) {
      values[n] = (float) atn_json_get_number (score);
      expected[n] = atn_json_get_number (weight);
      weight = atn_json_get_next (weight);
    }
    atn_softmax_row (values, n, 1.0f);
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon ((double) values[i], expected[i], TOLERANCE);
    n_rows++;
  }

  g_assert_cmpuint (n_rows, ==, 4);
}

/* Case 5: the mask hides every key of row 1. */
static void
test_a_row_without_keys_leaves_the_others (void)
{
  g_autofree char *path = atn_test_dup_case_path ("005-row-with-every-key-masked.json");
  g_autoptr (AtnJson) json = atn_test_read_json (path);
  const AtnJson *scores, *mask;

  scores = atn_json_get_first (atn_json_get_member (json, "scores"));
  mask = atn_json_get_first (atn_json_get_member (json, "visible"));
  g_assert_nonnull (mask);

  for (size_t query = 0; query < 3; query++) {
    const AtnJson *score = atn_json_get_first (scores);
    const AtnJson *visible = atn_json_get_first (mask);
    float row[3];
    double sum = 0.0;
    bool saw_a_key = false;

    for (size_t key = 0; key < 3; key++) {
      const bool may_see = atn_json_get_kind (visible) == ATN_JSON_BOOL
                             ? atn_json_get_bool (visible)
                             : atn_json_get_number (visible) > 0.0;

      row[key] = may_see ? (float) atn_json_get_number (score) : -INFINITY;
      saw_a_key = saw_a_key || may_see;
      score = atn_json_get_next (score);
      visible = atn_json_get_next (visible);
    }
    atn_softmax_row (row, 3, 1.0f);
    for (size_t key = 0; key < 3; key++)
      sum += (double) row[key];

    g_assert_cmpint (saw_a_key, ==, query != 1);
    g_assert_cmpfloat_with_epsilon (sum, query == 1 ? 0.0 : 1.0, 1e-6);
    if (query != 1) {
      g_assert_cmpfloat_with_epsilon ((double) fmaxf (row[0], fmaxf (row[1], row[2])), 0.731059,
                                      1e-6);
    }
    scores = atn_json_get_next (scores);
    mask = atn_json_get_next (mask);
  }
}

static double
activate (AtnActivation activation, double x)
{
  switch (activation) {
  case ATN_ACTIVATION_RELU:
    return fmax (x, 0.0);
  case ATN_ACTIVATION_GELU:
    return 0.5 * x * erfc (-x / sqrt (2.0));
  case ATN_ACTIVATION_GELU_TANH:
    return 0.5 * x * (1.0 + tanh (sqrt (2.0 / G_PI) * (x + 0.044715 * x * x * x)));
  case ATN_ACTIVATION_SILU:
  default:
    return x / (1.0 + exp (-x));
  }
}

static void
test_activations_match_double (gconstpointer data)
{
  const AtnActivation activation = (AtnActivation) GPOINTER_TO_INT (data);
  float values[MAX_N];
  double expected[MAX_N];

  for (size_t i = 0; i < MAX_N; i++) {
    values[i] = ((float) i - 500.0f) * 0.02f;
    expected[i] = activate (activation, (double) values[i]);
  }
  atn_activate (activation, values, MAX_N);

  /* Absolutely, not only against the largest: small values are where the two GELUs part. */
  for (size_t i = 0; i < MAX_N; i++)
    g_assert_cmpfloat_with_epsilon ((double) values[i], expected[i],
                                    TOLERANCE * fmax (1.0, fabs (expected[i])));
}

static void
test_activations_are_quiet_far_out (gconstpointer data)
{
  float values[] = { -1e30f, -1000.0f, -200.0f, 0.0f, 200.0f, 1000.0f, 1e12f };

  atn_activate ((AtnActivation) GPOINTER_TO_INT (data), values, G_N_ELEMENTS (values));
  for (size_t i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon ((double) values[i], 0.0, 1e-6);
  g_assert_cmpfloat (values[4], ==, 200.0f);
  g_assert_cmpfloat (values[5], ==, 1000.0f);
  g_assert_cmpfloat (values[6], ==, 1e12f);
}

static void
test_layernorm_of_two_numbers (void)
{
  const float src[] = { 1.0f, 3.0f };
  const float weight[] = { 2.0f, 1.0f };
  const float bias[] = { 0.5f, 0.0f };
  float dst[2];

  /* mean 2, variance 1, eps 3: (±1) / 2 */
  atn_layernorm_rows (dst, src, 1, 2, weight, bias, 3.0f);
  g_assert_cmpfloat (dst[0], ==, -0.5f);
  g_assert_cmpfloat (dst[1], ==, 0.5f);
}

static void
test_rmsnorm_of_two_numbers (void)
{
  const float src[] = { 3.0f, 4.0f };
  const float weight[] = { 2.0f, 1.0f };
  float dst[2];

  /* mean square 12.5, eps 3.5: 3 / 4 · 2, 4 / 4 */
  atn_rmsnorm_rows (dst, src, 1, 2, weight, 0.0f, 3.5f);
  g_assert_cmpfloat (dst[0], ==, 1.5f);
  g_assert_cmpfloat (dst[1], ==, 1.0f);
}

static void
test_norms_match_double (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  float src[MAX_N], weight[MAX_N], bias[MAX_N], dst[MAX_N];
  double expected[MAX_N];

  fill_random (rand, weight, MAX_N, 0.5, 1.5);
  fill_random (rand, bias, MAX_N, -1, 1);
  for (size_t i = 1; i < G_N_ELEMENTS (lengths); i++) {
    const size_t n = lengths[i];
    double mean = 0.0, variance = 0.0, square = 0.0;

    /* Far from zero, where Σx² - (Σx)² would lose every digit. */
    fill_random (rand, src, n, 99, 101);
    for (size_t j = 0; j < n; j++)
      mean += (double) src[j] / (double) n;
    for (size_t j = 0; j < n; j++) {
      variance += ((double) src[j] - mean) * ((double) src[j] - mean) / (double) n;
      square += (double) src[j] * (double) src[j] / (double) n;
    }

    for (size_t j = 0; j < n; j++)
      expected[j] =
        ((double) src[j] - mean) / sqrt (variance + 1e-5) * (double) weight[j] + (double) bias[j];
    atn_layernorm_rows (dst, src, 1, n, weight, bias, 1e-5f);
    /* The mean of numbers near 100 is itself only good to 4e-6. */
    for (size_t j = 0; j < n; j++)
      g_assert_cmpfloat_with_epsilon ((double) dst[j], expected[j], 1e-4);

    for (size_t j = 0; j < n; j++)
      expected[j] = (double) src[j] / sqrt (square + 1e-5) * ((double) weight[j] + 1.0);
    atn_rmsnorm_rows (dst, src, 1, n, weight, 1.0f, 1e-5f);
    assert_close (dst, expected, n);
  }
}

static void
test_norms_work_in_place (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  float src[2 * 33], weight[33], apart[2 * 33];

  fill_random (rand, src, G_N_ELEMENTS (src), -1, 1);
  fill_random (rand, weight, G_N_ELEMENTS (weight), 0.5, 1.5);
  atn_layernorm_rows (apart, src, 2, 33, weight, NULL, 1e-5f);
  atn_layernorm_rows (src, src, 2, 33, weight, NULL, 1e-5f);
  g_assert_cmpmem (src, sizeof src, apart, sizeof apart);
}

static void
test_rotation_turns_split_halves (void)
{
  /* A quarter turn of the pair (0, 2), nothing for the pair (1, 3), the fifth stays. */
  float head[] = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f };
  const float cos_row[] = { 0.0f, 1.0f };
  const float sin_row[] = { 1.0f, 0.0f };
  const float expected[] = { -3.0f, 2.0f, 1.0f, 4.0f, 5.0f };

  atn_rope_rotate (head, 1, 5, ATN_ROPE_HALVES, 2, cos_row, sin_row);
  g_assert_cmpmem (head, sizeof head, expected, sizeof expected);
}

static void
test_rotation_turns_neighbours (void)
{
  /* A quarter turn of the pair (0, 1), nothing for the pair (2, 3), the fifth stays. */
  float head[] = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f };
  const float cos_row[] = { 0.0f, 1.0f };
  const float sin_row[] = { 1.0f, 0.0f };
  const float expected[] = { -2.0f, 1.0f, 3.0f, 4.0f, 5.0f };

  atn_rope_rotate (head, 1, 5, ATN_ROPE_NEIGHBOURS, 2, cos_row, sin_row);
  g_assert_cmpmem (head, sizeof head, expected, sizeof expected);
}

static void
test_the_cap_matches_double (void)
{
  for (int i = -4000; i <= 4000; i++) {
    const double x = i < 0 ? -pow (2.0, i / -200.0) + 1.0 : pow (2.0, i / 200.0) - 1.0;
    float value = (float) x;

    atn_cap (&value, 1, 30.0f);
    g_assert_cmpfloat_with_epsilon ((double) value, 30.0 * tanh ((double) (float) x / 30.0),
                                    1e-7 + 3e-7 * fmin (fabs (x), 30.0));
  }
}

static void
test_a_slope_grows_with_the_key (void)
{
  float values[] = { 1.0f, 1.0f, 1.0f };
  const float expected[] = { 1.0f, 1.5f, 2.0f };

  atn_add_slope (values, 3, 0.5f);
  g_assert_cmpmem (values, sizeof values, expected, sizeof expected);
}

static void
test_rotation_angles_grow_with_position (void)
{
  const float frequencies[] = { 1.0f, 0.1f };
  float cos_table[3 * 2], sin_table[3 * 2];

  atn_rope_fill (cos_table, sin_table, 3, 2, frequencies, 1.0f);
  g_assert_cmpfloat_with_epsilon ((double) cos_table[2 * 2], cos (2.0), 1e-6);
  g_assert_cmpfloat_with_epsilon ((double) sin_table[2 * 2], sin (2.0), 1e-6);
  g_assert_cmpfloat_with_epsilon ((double) cos_table[2 * 2 + 1], cos (0.2), 1e-6);
  g_assert_cmpfloat_with_epsilon ((double) sin_table[2 * 2 + 1], sin (0.2), 1e-6);
  g_assert_cmpfloat (cos_table[0], ==, 1.0f);
  g_assert_cmpfloat (sin_table[0], ==, 0.0f);
}

static void
test_rows_are_added (void)
{
  const float src[] = { 1.0f, 2.0f, 3.0f, 4.0f };
  const float row[] = { 10.0f, 20.0f };
  const float sum[] = { 11.0f, 22.0f, 13.0f, 24.0f };
  const float repeated[] = { 10.0f, 20.0f, 10.0f, 20.0f };
  float dst[4];

  atn_add_row (dst, src, row, 2, 2);
  g_assert_cmpmem (dst, sizeof dst, sum, sizeof sum);
  atn_add_row (dst, NULL, row, 2, 2);
  g_assert_cmpmem (dst, sizeof dst, repeated, sizeof repeated);
  atn_add_row (dst, src, NULL, 2, 2);
  g_assert_cmpmem (dst, sizeof dst, src, sizeof src);
  atn_add_row (dst, dst, NULL, 2, 2);
  g_assert_cmpmem (dst, sizeof dst, src, sizeof src);
}

/* Two tokens, two dimensions, by hand: q·k = [[1, 2], [3, 4]], scale 1/2. */
static void
test_attention_of_two_tokens (void)
{
  const float q[] = { 1.0f, 0.0f, 0.0f, 1.0f };
  const float k[] = { 1.0f, 3.0f, 2.0f, 4.0f };
  const float v[] = { 1.0f, 0.0f, 0.0f, 1.0f };
  const double e = exp (0.5);
  AtnHead head = { .n_tokens = 2,
                   .d_head = 2,
                   .d_v = 2,
                   .q = q,
                   .q_stride = 2,
                   .k = k,
                   .k_stride = 2,
                   .v = v,
                   .v_stride = 2,
                   .scale = 0.5f,
                   .temperature = 1.0f };
  float values[4], z[4];

  atn_head_compute_block (&head, ATN_STAGE_DOT, 0, 2, 2, values, 2);
  assert_close (values, (double[]){ 1, 2, 3, 4 }, 4);
  atn_head_compute_block (&head, ATN_STAGE_SCALED, 0, 2, 2, values, 2);
  assert_close (values, (double[]){ 0.5, 1, 1.5, 2 }, 4);
  atn_head_compute_block (&head, ATN_STAGE_PATTERN, 0, 2, 2, values, 2);
  assert_close (values, (double[]){ 1 / (1 + e), e / (1 + e), 1 / (1 + e), e / (1 + e) }, 4);

  head.causal = true;
  g_assert_cmpuint (atn_head_count_keys (&head, 0, 1), ==, 1);
  atn_head_compute_block (&head, ATN_STAGE_MASKED, 0, 2, 2, values, 2);
  g_assert_true (isinf (values[1]) && values[1] < 0.0f);
  g_assert_cmpfloat (values[2], ==, 1.5f);
  atn_head_compute_block (&head, ATN_STAGE_PATTERN, 0, 2, 2, values, 2);
  assert_close (values, (double[]){ 1, 0, 1 / (1 + e), e / (1 + e) }, 4);
  g_assert_cmpfloat (values[1], ==, 0.0f);

  /* v is the identity, so z is the pattern. */
  atn_head_mix_values (&head, values, 2, 2, z, 2);
  g_assert_cmpmem (z, sizeof z, values, sizeof values);
}

static void
test_equal_keys_share_attention_evenly (void)
{
  const float q[] = { 0.3f, -2.0f, 5.0f, 1.0f, 0.0f, 7.0f };
  const float k[] = { 1.0f, 2.0f, 1.0f, 2.0f, 1.0f, 2.0f };
  const AtnHead head = { .n_tokens = 3,
                         .d_head = 2,
                         .d_v = 2,
                         .q = q,
                         .q_stride = 2,
                         .k = k,
                         .k_stride = 2,
                         .v = k,
                         .v_stride = 2,
                         .scale = 1.0f,
                         .temperature = 1.0f };
  float values[9];

  atn_head_compute_block (&head, ATN_STAGE_PATTERN, 0, 3, 3, values, 3);
  for (size_t i = 0; i < 9; i++)
    g_assert_cmpfloat (values[i], ==, 1.0f / 3.0f);
}

int
main (int argc, char **argv)
{
  const char *const activations[] = { "relu", "gelu", "gelu-tanh", "silu" };

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/kernels/softmax/matches-double", test_softmax_matches_double);
  g_test_add_func ("/core/kernels/softmax/small-weights", test_small_weights_keep_their_digits);
  g_test_add_func ("/core/kernels/softmax/sums-to-one", test_a_row_sums_to_one);
  g_test_add_func ("/core/kernels/softmax/no-keys", test_a_row_without_visible_keys_is_zero);
  g_test_add_func ("/core/kernels/softmax/infinite", test_an_overflowed_score_gives_no_nan);
  g_test_add_func ("/core/kernels/softmax/cold", test_a_tiny_temperature_picks_the_largest);
  g_test_add_func ("/cases/004", test_large_scores_do_not_overflow);
  g_test_add_func ("/cases/005", test_a_row_without_keys_leaves_the_others);
  for (int i = 0; i < 4; i++) {
    g_autofree char *near = g_strdup_printf ("/core/kernels/%s/matches-double", activations[i]);
    g_autofree char *far = g_strdup_printf ("/core/kernels/%s/far-out", activations[i]);

    g_test_add_data_func (near, GINT_TO_POINTER (i), test_activations_match_double);
    g_test_add_data_func (far, GINT_TO_POINTER (i), test_activations_are_quiet_far_out);
  }
  g_test_add_func ("/core/kernels/layernorm/by-hand", test_layernorm_of_two_numbers);
  g_test_add_func ("/core/kernels/rmsnorm/by-hand", test_rmsnorm_of_two_numbers);
  g_test_add_func ("/core/kernels/norms/match-double", test_norms_match_double);
  g_test_add_func ("/core/kernels/norms/in-place", test_norms_work_in_place);
  g_test_add_func ("/core/kernels/rope/split-halves", test_rotation_turns_split_halves);
  g_test_add_func ("/core/kernels/rope/neighbours", test_rotation_turns_neighbours);
  g_test_add_func ("/core/kernels/rope/angles", test_rotation_angles_grow_with_position);
  g_test_add_func ("/core/kernels/cap", test_the_cap_matches_double);
  g_test_add_func ("/core/kernels/slope", test_a_slope_grows_with_the_key);
  g_test_add_func ("/core/kernels/add-row", test_rows_are_added);
  g_test_add_func ("/core/kernels/attention/by-hand", test_attention_of_two_tokens);
  g_test_add_func ("/core/kernels/attention/equal-keys", test_equal_keys_share_attention_evenly);

  return g_test_run ();
}
