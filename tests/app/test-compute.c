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
  gint has_started;
  bool was_cancelled;
} Task;

static void
run_task (gpointer data, GCancellable *cancellable)
{
  Task *task = data;

  task->thread = g_thread_self ();
  g_atomic_int_set (&task->has_started, 1);
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

/* Without a gate the task may be gone when this returns. */
static Task *
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
  return task;
}

/* Of a task whose gate is shut. */
static void
wait_for_start (Task *task)
{
  while (g_atomic_int_get (&task->has_started) == 0)
    g_usleep (500);
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
  wait_for_start (push_task (fixture, fixture->lane, 'b', &gate));
  for (char letter = 'c'; letter <= 'z'; letter++)
    push_task (fixture, fixture->lane, letter, NULL);
  settle (fixture);
  g_assert_cmpstr (fixture->log->str, ==, "az");
}

static void
test_nothing_comes_after_the_lane_is_freed (Fixture *fixture, gconstpointer data)
{
  gint gate = 0;

  wait_for_start (push_task (fixture, fixture->lane, 'a', &gate));
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

  wait_for_start (push_task (fixture, fixture->lane, 'a', &gate));
  push_task (fixture, thumbnails, 't', NULL);
  push_task (fixture, run, 'r', NULL);
  g_atomic_int_set (&gate, 1);
  while (atn_lane_is_busy (thumbnails) || atn_lane_is_busy (run))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->log->str, ==, "art");
  atn_lane_free (thumbnails);
  atn_lane_free (run);
}

static void
long_done_cb (gpointer data, gpointer user_data)
{
  Task *task = data;
  Fixture *fixture = user_data;

  g_string_append_c (fixture->log, task->letter);
}

/* Long work that gives way once, when there is something that waits. */
static void
run_long (gpointer data, GCancellable *cancellable)
{
  Task *task = data;

  g_atomic_int_set (&task->has_started, 1);
  while (g_atomic_int_get (task->gate) == 0)
    g_usleep (500);
  atn_compute_yield (atn_compute_get_default ());
}

static void
test_long_work_gives_way (Fixture *fixture, gconstpointer data)
{
  AtnLane *check = atn_lane_new (fixture->compute, ATN_PRIORITY_LONG);
  AtnLane *other_check = atn_lane_new (fixture->compute, ATN_PRIORITY_LONG);
  gint gate = 0;
  Task *task = g_new0 (Task, 1);

  atn_compute_set_default (fixture->compute);
  task->letter = 'l';
  task->gate = &gate;
  atn_lane_push (check, &(AtnWork){ .data = task,
                                    .run = run_long,
                                    .done = long_done_cb,
                                    .free_data = g_free,
                                    .user_data = fixture });
  wait_for_start (task);
  push_task (fixture, other_check, 'm', NULL);
  push_task (fixture, fixture->lane, 'p', NULL);
  g_atomic_int_set (&gate, 1);
  while (atn_lane_is_busy (check) || atn_lane_is_busy (other_check))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->log->str, ==, "plm");
  atn_compute_set_default (NULL);
  atn_lane_free (other_check);
  atn_lane_free (check);
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
  add ("long-yields", test_long_work_gives_way);
  return g_test_run ();
}
