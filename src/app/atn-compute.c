/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Who owns what: a job is referenced by its lane (while it is the newest), by
 * the queue or the thread, and by the idle source that brings it home. Its data
 * is freed on the main thread only, because data holds GObjects of the window.
 */

#include "app/atn-compute.h"

#include "app/atn-measure.h"

/* Older work that runs may still be shown if nothing was for this long … */
#define STARVED_US (100 * 1000)
/* … and if the lane's work usually takes no longer than this. */
#define SHORT_US (250 * 1000)

typedef struct
{
  gatomicrefcount ref_count;
  AtnCompute *compute;
  AtnLane *lane; /* NULL once the lane is freed; main thread only */
  AtnWork work;
  AtnPriority priority;
  GCancellable *cancellable;
  gint is_running; /* atomic */
  gint64 duration_us;
} AtnJob;

struct _AtnLane
{
  AtnCompute *compute;
  AtnPriority priority;
  GPtrArray *jobs; /* (element-type AtnJob) those that may still be shown, newest last */
  gint64 last_done_us;
  gint64 last_duration_us;
};

struct _AtnCompute
{
  GThread *thread;
  GMutex mutex;
  GCond cond;
  GQueue queues[ATN_N_PRIORITIES]; /* guarded by mutex */
  GPtrArray *results;              /* (element-type AtnResult) guarded by mutex */
  bool wants_sweep;                /* guarded by mutex */
  bool is_ending;                  /* guarded by mutex */
  bool can_yield;                  /* compute thread: long work runs, and nothing inside it */
};

static AtnCompute *default_compute;

static void
job_unref (AtnJob *job)
{
  if (!g_atomic_ref_count_dec (&job->ref_count))
    return;
  if (job->work.free_data != NULL)
    job->work.free_data (job->work.data);
  g_object_unref (job->cancellable);
  g_free (job);
}

static AtnJob *
job_ref (AtnJob *job)
{
  g_atomic_ref_count_inc (&job->ref_count);
  return job;
}

/* What was done may have let go of an older result. */
static void
request_sweep (AtnCompute *self)
{
  g_mutex_lock (&self->mutex);
  self->wants_sweep = self->results->len > 1;
  if (self->wants_sweep)
    g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static gboolean
finish_job_cb (gpointer user_data)
{
  AtnJob *job = user_data;
  AtnLane *lane = job->lane;
  gint64 start;

  if (lane == NULL || g_cancellable_is_cancelled (job->cancellable))
    return G_SOURCE_REMOVE;
  start = atn_measure_begin ();
  lane->last_done_us = g_get_monotonic_time ();
  lane->last_duration_us = job->duration_us;
  job->lane = NULL;
  g_ptr_array_remove (lane->jobs, job);
  job->work.done (job->work.data, job->work.user_data);
  request_sweep (job->compute);
  atn_measure_end (job->work.name != NULL ? job->work.name : "work done", start);
  return G_SOURCE_REMOVE;
}

static void
send_home (AtnJob *job)
{
  /* Below GTK's own redraw, so that a stream of thumbnails never holds back a frame. */
  int priority =
    job->priority == ATN_PRIORITY_BACKGROUND ? G_PRIORITY_DEFAULT_IDLE : G_PRIORITY_DEFAULT;

  g_idle_add_full (priority, finish_job_cb, job, (GDestroyNotify) job_unref);
}

/* Drops the results that nobody else holds; the mutex is held on entry and on return. */
static void
sweep_results (AtnCompute *self)
{
  g_autoptr (GPtrArray) dead = g_ptr_array_new_with_free_func ((GDestroyNotify) atn_result_unref);

  self->wants_sweep = false;
  for (guint i = self->results->len; i-- > 0;) {
    AtnResult *result = g_ptr_array_index (self->results, i);

    if (g_atomic_ref_count_compare (&result->ref_count, 1)) {
      g_ptr_array_add (dead, atn_result_ref (result));
      g_ptr_array_remove_index_fast (self->results, i);
    }
  }
  g_mutex_unlock (&self->mutex);
  g_ptr_array_set_size (dead, 0);
  g_mutex_lock (&self->mutex);
}

/* The most urgent of the first @n priorities, NULL if none waits; the mutex is held. */
static AtnJob *
pop_job (AtnCompute *self, int n)
{
  AtnJob *job = NULL;

  for (int i = 0; job == NULL && i < n && !self->is_ending; i++)
    job = g_queue_pop_head (&self->queues[i]);
  return job;
}

static AtnJob *
wait_for_job (AtnCompute *self)
{
  AtnJob *job = NULL;

  g_mutex_lock (&self->mutex);
  while (job == NULL && !self->is_ending) {
    job = pop_job (self, ATN_N_PRIORITIES);
    if (job == NULL && self->wants_sweep)
      sweep_results (self);
    else if (job == NULL)
      g_cond_wait (&self->cond, &self->mutex);
  }
  g_mutex_unlock (&self->mutex);
  return job;
}

static void
run_job (AtnCompute *self, AtnJob *job)
{
  if (!g_cancellable_is_cancelled (job->cancellable)) {
    gint64 start = g_get_monotonic_time ();

    self->can_yield = job->priority == ATN_PRIORITY_LONG;
    g_atomic_int_set (&job->is_running, 1);
    job->work.run (job->work.data, job->cancellable);
    job->duration_us = g_get_monotonic_time () - start;
    self->can_yield = false;
  }
  send_home (job);
}

static gpointer
compute_thread (gpointer data)
{
  AtnCompute *self = data;
  AtnJob *job;

  while ((job = wait_for_job (self)) != NULL)
    run_job (self, job);
  return NULL;
}

void
atn_compute_yield (AtnCompute *self)
{
  AtnJob *job;

  if (g_thread_self () != self->thread || !self->can_yield)
    return;
  do {
    g_mutex_lock (&self->mutex);
    job = pop_job (self, ATN_PRIORITY_LONG);
    g_mutex_unlock (&self->mutex);
    if (job != NULL)
      run_job (self, job);
  } while (job != NULL);
  self->can_yield = true;
}

AtnCompute *
atn_compute_new (void)
{
  AtnCompute *self = g_new0 (AtnCompute, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  for (int i = 0; i < ATN_N_PRIORITIES; i++)
    g_queue_init (&self->queues[i]);
  self->results = g_ptr_array_new_with_free_func ((GDestroyNotify) atn_result_unref);
  self->thread = g_thread_new ("compute", compute_thread, self);
  return self;
}

void
atn_compute_free (AtnCompute *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_ending = true;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  for (int i = 0; i < ATN_N_PRIORITIES; i++)
    g_queue_clear_full (&self->queues[i], (GDestroyNotify) job_unref);
  g_ptr_array_unref (self->results);
  g_cond_clear (&self->cond);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
atn_compute_keep_result (AtnCompute *self, AtnResult *result)
{
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->results, atn_result_ref (result));
  g_mutex_unlock (&self->mutex);
}

AtnCompute *
atn_compute_get_default (void)
{
  return default_compute;
}

void
atn_compute_set_default (AtnCompute *self)
{
  default_compute = self;
}

AtnLane *
atn_lane_new (AtnCompute *compute, AtnPriority priority)
{
  AtnLane *self = g_new0 (AtnLane, 1);

  g_assert (compute != NULL);
  self->compute = compute;
  self->priority = priority;
  self->jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) job_unref);
  return self;
}

void
atn_lane_cancel (AtnLane *self)
{
  for (guint i = 0; i < self->jobs->len; i++) {
    AtnJob *job = g_ptr_array_index (self->jobs, i);

    g_cancellable_cancel (job->cancellable);
    job->lane = NULL;
  }
  g_ptr_array_set_size (self->jobs, 0);
}

void
atn_lane_free (AtnLane *self)
{
  if (self == NULL)
    return;
  atn_lane_cancel (self);
  g_ptr_array_unref (self->jobs);
  g_free (self);
}

/* Whether the running piece of a lane may still be shown although newer work comes. */
static bool
may_finish (const AtnLane *self, AtnJob *job)
{
  return g_atomic_int_get (&job->is_running) != 0 && self->last_duration_us < SHORT_US &&
         g_get_monotonic_time () - self->last_done_us > STARVED_US;
}

static void
retire_older (AtnLane *self)
{
  for (guint i = self->jobs->len; i-- > 0;) {
    AtnJob *job = g_ptr_array_index (self->jobs, i);

    if (may_finish (self, job))
      continue;
    g_cancellable_cancel (job->cancellable);
    job->lane = NULL;
    g_ptr_array_remove_index (self->jobs, i);
  }
}

void
atn_lane_push (AtnLane *self, const AtnWork *work)
{
  AtnCompute *compute = self->compute;
  AtnJob *job = g_new0 (AtnJob, 1);

  retire_older (self);
  g_atomic_ref_count_init (&job->ref_count);
  job->compute = compute;
  job->lane = self;
  job->work = *work;
  job->priority = self->priority;
  job->cancellable = g_cancellable_new ();
  g_ptr_array_add (self->jobs, job_ref (job));

  g_mutex_lock (&compute->mutex);
  g_queue_push_tail (&compute->queues[self->priority], job);
  g_cond_signal (&compute->cond);
  g_mutex_unlock (&compute->mutex);
}

bool
atn_lane_is_busy (const AtnLane *self)
{
  return self->jobs->len > 0;
}
