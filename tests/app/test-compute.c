/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The compute thread and its lanes, without a window.
 */

#include "app/atn-compute.h"

typedef struct
{
  AtnCompute *compute;
  AtnLane *lane;
  GMainLoop *loop;
  GThread *main_thread;
  GString *log; /* letters of what was done, on the main thread */
} Fixture;

typedef struct
{
  char letter;
  gint *gate; /* (nullable): waits until this is set */
  GString *order;
  GThread *thread; /* out: where it ran */
  bool was_cancelled;
} Task;

static void
run_task (gpointer data, GCancellable *cancellable)
{
  Task *task = data;

  task->thread = g_thread_self ();
  while (task->gate != NULL && g_atomic_int_get (task->gate) == 0 &&
         !g_cancellable_is_cancelled (cancellable))
    g_usleep (500);
  task->was_cancelled = g_cancellable_is_cancelled (cancellable);
}

static void
done_cb (gpointer data, gpointer user_data)
{
  Task *task = data;
  Fixture *fixture = user_data;

  g_assert_true (g_thread_self () == fixture->main_thread);
  g_assert_true (task->thread != fixture->main_thread);
  g_string_append_c (fixture->log, task->letter);
}

static void
push_task (Fixture *fixture, AtnLane *lane, char letter, gint *gate)
{
  Task *task = g_new0 (Task, 1);

  task->letter = letter;
  task->gate = gate;
  atn_lane_push (lane, &(AtnWork){ .data = task,
                                   .run = run_task,
                                   .done = done_cb,
                                   .free_data = g_free,
                                   .user_data = fixture });
}

static gboolean
quit_cb (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

/* Runs the main loop until the lane has nothing left, and a little longer. */
static void
settle (Fixture *fixture)
{
  for (int i = 0; i < 2000 && atn_lane_is_busy (fixture->lane); i++) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (500);
  }
  g_timeout_add (20, quit_cb, fixture->loop);
  g_main_loop_run (fixture->loop);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->compute = atn_compute_new ();
  fixture->lane = atn_lane_new (fixture->compute, ATN_PRIORITY_PICTURE);
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->main_thread = g_thread_self ();
  fixture->log = g_string_new (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->lane, atn_lane_free);
  atn_compute_free (fixture->compute);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_main_loop_unref (fixture->loop);
  g_string_free (fixture->log, TRUE);
}

static void
test_work_runs_elsewhere_and_comes_home (Fixture *fixture, gconstpointer data)
{
  push_task (fixture, fixture->lane, 'a', NULL);
  settle (fixture);
  g_assert_cmpstr (fixture->log->str, ==, "a");
}

static void
test_newest_wins_and_older_are_cancelled (Fixture *fixture, gconstpointer data)
{
  gint gate = 0;

  /* A lane that has just shown something does not wait for the piece that runs. */
  push_task (fixture, fixture->lane, 'a', NULL);
  settle (fixture);
  push_task (fixture, fixture->lane, 'b', &gate);
  g_usleep (5000);
  for (char letter = 'c'; letter <= 'z'; letter++)
    push_task (fixture, fixture->lane, letter, NULL);
  settle (fixture);
  g_assert_cmpstr (fixture->log->str, ==, "az");
}

static void
test_nothing_comes_after_the_lane_is_freed (Fixture *fixture, gconstpointer data)
{
  gint gate = 0;

  push_task (fixture, fixture->lane, 'a', &gate);
  g_usleep (2000);
  g_clear_pointer (&fixture->lane, atn_lane_free);
  g_timeout_add (50, quit_cb, fixture->loop);
  g_main_loop_run (fixture->loop);
  g_assert_cmpstr (fixture->log->str, ==, "");
}

static void
test_urgent_work_overtakes (Fixture *fixture, gconstpointer data)
{
  AtnLane *thumbnails = atn_lane_new (fixture->compute, ATN_PRIORITY_BACKGROUND);
  AtnLane *run = atn_lane_new (fixture->compute, ATN_PRIORITY_RUN);
  gint gate = 0;

  push_task (fixture, fixture->lane, 'a', &gate);
  g_usleep (2000);
  push_task (fixture, thumbnails, 't', NULL);
  push_task (fixture, run, 'r', NULL);
  g_atomic_int_set (&gate, 1);
  while (atn_lane_is_busy (thumbnails) || atn_lane_is_busy (run))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->log->str, ==, "art");
  atn_lane_free (thumbnails);
  atn_lane_free (run);
}

#define add(path, function)                                                                        \
  g_test_add ("/app/compute/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("home", test_work_runs_elsewhere_and_comes_home);
  add ("newest-wins", test_newest_wins_and_older_are_cancelled);
  add ("freed-lane", test_nothing_comes_after_the_lane_is_freed);
  add ("urgent-first", test_urgent_work_overtakes);
  return g_test_run ();
}
