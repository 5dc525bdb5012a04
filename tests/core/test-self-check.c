/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "analysis/atn-round-trip.h"
#include "analysis/atn-self-check.h"
#include "atn-test-case.h"

static void
test_a_sound_model_passes (gconstpointer data)
{
  g_autoptr (AtnModel) model = atn_test_open_fixture (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnSelfCheck) check = atn_self_check_run (model, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  for (int i = 0; i < ATN_N_SELF_CHECKS; i++) {
    const AtnSelfCheckLine *line = &check->lines[i];

    if (!line->passed)
      g_error ("%s: %s", atn_self_check_get_name (i), line->sentence);
    g_assert_cmpfloat (line->difference, <=, line->limit);
    g_assert_cmpstr (atn_self_check_get_title (i), !=, "");
  }
  g_assert_true (atn_self_check_has_passed (check));
  /* Float sums are never all exact: the check has looked at numbers. */
  g_assert_cmpfloat (check->lines[ATN_SELF_CHECK_ROWS].difference, >, 0.0);
  g_assert_cmpfloat (check->lines[ATN_SELF_CHECK_FLOAT64].difference, >, 0.0);
}

static void
test_progress_ends_at_one_cb (double fraction, gpointer user_data)
{
  double *last = user_data;

  g_assert_cmpfloat (fraction, >=, *last);
  *last = fraction;
}

static void
test_progress_goes_up_to_one (void)
{
  g_autoptr (AtnModel) model = atn_test_open_fixture ("gpt2");
  g_autoptr (AtnSelfCheck) check = NULL;
  double last = 0.0;

  check = atn_self_check_run (model, test_progress_ends_at_one_cb, &last, NULL, NULL);
  g_assert_nonnull (check);
  g_assert_cmpfloat (last, ==, 1.0);
}

static void
test_a_cancelled_check_says_nothing (void)
{
  g_autoptr (AtnModel) model = atn_test_open_fixture ("gpt2");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (atn_self_check_run (model, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static const struct
{
  const char *fixture;
  const char *text;
  AtnRoundTrip expected;
} trips[] = {
  { "gpt2", "", ATN_ROUND_TRIP_SAME },
  { "gpt2", "  a\tb\n\n猫 👍", ATN_ROUND_TRIP_SAME },
  { "bert", "The CAFÉ, didn't", ATN_ROUND_TRIP_SAME },
  { "bert", "[MASK] cat", ATN_ROUND_TRIP_SAME },
  { "bert", "a ☂ umbrella", ATN_ROUND_TRIP_UNKNOWN },
  { "roberta", " the<mask> cat<pad>", ATN_ROUND_TRIP_SAME },
};

static void
test_ids_come_back (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (trips); i++) {
    g_autoptr (AtnModel) model = atn_test_open_fixture (trips[i].fixture);

    g_assert_cmpint (atn_model_round_trip (model, trips[i].text), ==, trips[i].expected);
  }
}

int
main (int argc, char **argv)
{
  static const char *const fixtures[] = {
    "gpt2", "bert-odd", "roberta", "distilbert", "electra-odd", "albert", "llama-odd",
  };

  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (fixtures); i++) {
    g_autofree char *path = g_strdup_printf ("/core/self-check/passes/%s", fixtures[i]);

    g_test_add_data_func (path, fixtures[i], test_a_sound_model_passes);
  }
  g_test_add_func ("/core/self-check/progress", test_progress_goes_up_to_one);
  g_test_add_func ("/core/self-check/cancelled", test_a_cancelled_check_says_nothing);
  g_test_add_func ("/core/self-check/round-trip", test_ids_come_back);

  return g_test_run ();
}
