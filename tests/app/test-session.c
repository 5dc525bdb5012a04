/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The session and the real engine, without a window: what a widget that sets
 * its properties gets back. Models come from the models folder.
 */

#include "app/atn-compute.h"
#include "app/atn-session.h"
#include "atn-test-loop.h"
#include "base/atn-paths.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct
{
  AtnCompute *compute;
  AtnSession *session;
  guint n_results;
} Fixture;

static void
count_cb (Fixture *fixture)
{
  fixture->n_results++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->compute = atn_compute_new ();
  atn_compute_set_default (fixture->compute);
  fixture->session = atn_session_new ();
  g_signal_connect_swapped (fixture->session, "result-changed", G_CALLBACK (count_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->session);
  atn_compute_set_default (NULL);
  atn_compute_free (fixture->compute);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
settle (Fixture *fixture)
{
  atn_test_wait_until (!atn_session_is_loading (fixture->session) &&
                       !atn_session_is_busy (fixture->session));
}

static gboolean
is_over_cb (gpointer data)
{
  *(bool *) data = true;
  return G_SOURCE_REMOVE;
}

/* Spins the main loop a while, so that what waits for it and for the other thread is done. */
static void
rest (void)
{
  bool is_over = false;

  g_timeout_add (100, is_over_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static void
open_model (Fixture *fixture, const char *name)
{
  g_autofree char *path = atn_paths_find_model (name);

  g_assert_nonnull (path);
  atn_session_open (fixture->session, path);
  settle (fixture);
  g_assert_null (atn_session_get_load_error (fixture->session));
}

static double
get_weight (Fixture *fixture, size_t query, size_t key)
{
  AtnResult *result = atn_session_get_result (fixture->session);
  AtnCell cell;

  g_assert_nonnull (result);
  atn_trace_inspect (result->trace, atn_session_get_layer (fixture->session),
                     atn_session_get_head (fixture->session), atn_result_get_what_if (result),
                     query, key, &cell);
  return cell.weight;
}

static void
test_a_model_opens_with_its_first_example (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "cat-chases-mouse");
  g_assert_cmpstr (atn_session_get_text (fixture->session), ==, "猫 追 老鼠");
  g_assert_nonnull (atn_session_get_note (fixture->session));
  g_assert_cmpuint (atn_session_get_n_tokens (fixture->session), ==, 3);
  g_assert_true (atn_session_get_pinned (fixture->session));
  g_assert_cmpint (atn_session_get_query (fixture->session), ==, 2);
}

/* Scores [[.9,.5,.3],[.4,.8,.6],[.2,.5,.7]]; under the mask the third row is .250, .338, .412. */
static void
test_the_switches_move_the_numbers (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "cat-chases-mouse");
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 0, 0), 0.4506, 1e-3);

  atn_session_set_causal_mask (fixture->session, true);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 0, 0), 1.0, 1e-6);
  g_assert_cmpfloat (get_weight (fixture, 0, 1), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 2, 0), 0.250, 1e-3);
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 2, 1), 0.338, 1e-3);
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 2, 2), 0.412, 1e-3);
  g_assert_nonnull (atn_session_get_banner (fixture->session));

  /* Without 1/√4 the scores double. */
  atn_session_set_scale_by_sqrt (fixture->session, false);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 2, 2) / get_weight (fixture, 2, 0),
                                  exp (2.0 * (0.7 - 0.2)), 1e-4);

  atn_session_set_what_if (fixture->session, &(AtnWhatIf){ 0 });
  settle (fixture);
  g_assert_null (atn_session_get_banner (fixture->session));
  g_assert_cmpfloat_with_epsilon (get_weight (fixture, 0, 0), 0.4506, 1e-3);
}

static void
test_flipping_a_switch_back_is_as_trained (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "six-tokens");
  g_assert_true (atn_session_get_causal_mask (fixture->session));
  g_assert_true (atn_session_get_scale_by_sqrt (fixture->session));

  atn_session_set_causal_mask (fixture->session, false);
  atn_session_set_scale_by_sqrt (fixture->session, false);
  atn_session_set_temperature (fixture->session, 2.0);
  g_assert_false (atn_session_is_as_trained (fixture->session));

  atn_session_set_causal_mask (fixture->session, true);
  atn_session_set_scale_by_sqrt (fixture->session, true);
  atn_session_set_temperature (fixture->session, 1.0);
  g_assert_true (atn_session_is_as_trained (fixture->session));

  atn_session_set_scale_number (fixture->session, 0.25);
  g_assert_false (atn_session_get_scale_by_sqrt (fixture->session));
  g_assert_cmpfloat_with_epsilon (atn_session_get_scale_number (fixture->session), 0.25, 1e-6);
  atn_session_set_scale_number (fixture->session, 0.5);
  g_assert_true (atn_session_is_as_trained (fixture->session));
}

static void
test_a_broken_file_keeps_the_model (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "atn-broken-model.json", NULL);
  AtnModel *model;

  open_model (fixture, "six-tokens");
  model = atn_session_get_model (fixture->session);
  g_assert_true (g_file_set_contents (path, "{ \"format\": ", -1, NULL));
  atn_session_open (fixture->session, path);
  settle (fixture);
  g_assert_nonnull (atn_session_get_load_error (fixture->session));
  g_assert_nonnull (strstr (atn_session_get_load_error (fixture->session), path));
  g_assert_true (atn_session_get_model (fixture->session) == model);
  g_assert_nonnull (atn_session_get_result (fixture->session));
  g_remove (path);
}

static void
test_a_cancelled_load_changes_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = atn_paths_find_model ("english-small");
  AtnModel *model;

  open_model (fixture, "six-tokens");
  model = atn_session_get_model (fixture->session);
  atn_session_open (fixture->session, path);
  g_assert_true (atn_session_is_loading (fixture->session));
  atn_session_cancel_open (fixture->session);
  g_assert_false (atn_session_is_loading (fixture->session));
  rest ();
  g_assert_true (atn_session_get_model (fixture->session) == model);
  g_assert_null (atn_session_get_load_error (fixture->session));
}

static void
test_an_empty_sentence_is_fine (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "six-tokens");
  atn_session_set_text (fixture->session, "");
  settle (fixture);
  g_assert_null (atn_session_get_error (fixture->session));
  g_assert_cmpuint (atn_session_get_n_tokens (fixture->session), ==, 0);
  g_assert_false (atn_session_get_pinned (fixture->session));
}

static void
test_a_long_text_is_cut_and_said_so (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "six-tokens");
  atn_session_set_text (fixture->session, "the cat sat on a mat the cat sat on a mat");
  settle (fixture);
  g_assert_cmpuint (atn_session_get_n_tokens (fixture->session), ==, 6);
  g_assert_nonnull (atn_session_get_cut_notice (fixture->session));
  atn_session_set_text (fixture->session, "the cat");
  settle (fixture);
  g_assert_null (atn_session_get_cut_notice (fixture->session));
}

static void
test_the_selection_stays_inside_the_model (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "six-tokens");
  atn_session_set_layer_and_head (fixture->session, 99, 99);
  g_assert_cmpuint (atn_session_get_layer (fixture->session), ==, 0);
  g_assert_cmpuint (atn_session_get_head (fixture->session), ==, 2);
  open_model (fixture, "cat-chases-mouse");
  g_assert_cmpuint (atn_session_get_head (fixture->session), ==, 0);
}

static void
test_a_pinned_cell_does_not_follow_the_pointer (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "six-tokens");
  atn_session_pin_cell (fixture->session, 2, 1);
  atn_session_set_cell (fixture->session, 4, 4);
  g_assert_cmpint (atn_session_get_query (fixture->session), ==, 2);
  atn_session_pin_cell (fixture->session, -1, -1);
  atn_session_set_cell (fixture->session, 4, 3);
  g_assert_cmpint (atn_session_get_query (fixture->session), ==, 4);
  g_assert_cmpint (atn_session_get_key (fixture->session), ==, 3);
}

static void
test_a_pinned_cell_stays_in_its_sentence (Fixture *fixture, gconstpointer data)
{
  open_model (fixture, "six-tokens");
  atn_session_set_text (fixture->session, "the cat sat");
  settle (fixture);
  atn_session_pin_cell (fixture->session, 2, 1);
  atn_session_set_text (fixture->session, "the cat sat on a mat");
  settle (fixture);
  g_assert_true (atn_session_get_pinned (fixture->session));
  atn_session_set_text (fixture->session, "a mat sat on the cat");
  settle (fixture);
  g_assert_false (atn_session_get_pinned (fixture->session));
}

static void
test_old_results_are_given_back_by_the_other_thread (Fixture *fixture, gconstpointer data)
{
  AtnResult *old;

  open_model (fixture, "six-tokens");
  old = atn_result_ref (atn_session_get_result (fixture->session));
  atn_session_set_text (fixture->session, "the cat");
  settle (fixture);
  rest ();
  /* Held by this test and by nobody but the compute thread. */
  g_assert_true (g_atomic_ref_count_compare (&old->ref_count, 2));
  atn_result_unref (old);
  atn_session_set_text (fixture->session, "the cat sat");
  settle (fixture);
  rest ();
  g_assert_cmpuint (atn_session_get_n_tokens (fixture->session), ==, 3);
}

static void
test_typing_fast_ends_with_the_last_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("the");

  open_model (fixture, "six-tokens");
  for (int i = 0; i < 50; i++) {
    g_string_append (text, i % 2 == 0 ? " cat" : " the");
    atn_session_set_text (fixture->session, text->str);
  }
  atn_session_set_text (fixture->session, "the cat sat");
  settle (fixture);
  g_assert_cmpuint (atn_session_get_n_tokens (fixture->session), ==, 3);
}

#define add(path, function)                                                                        \
  g_test_add ("/app/session/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("first-example", test_a_model_opens_with_its_first_example);
  add ("switches", test_the_switches_move_the_numbers);
  add ("as-trained", test_flipping_a_switch_back_is_as_trained);
  add ("broken-file", test_a_broken_file_keeps_the_model);
  add ("cancelled-load", test_a_cancelled_load_changes_nothing);
  add ("empty", test_an_empty_sentence_is_fine);
  add ("cut", test_a_long_text_is_cut_and_said_so);
  add ("clamp", test_the_selection_stays_inside_the_model);
  add ("pinned", test_a_pinned_cell_does_not_follow_the_pointer);
  add ("pinned-tokens", test_a_pinned_cell_stays_in_its_sentence);
  add ("memory", test_old_results_are_given_back_by_the_other_thread);
  add ("typing", test_typing_fast_ends_with_the_last_text);
  return g_test_run ();
}
