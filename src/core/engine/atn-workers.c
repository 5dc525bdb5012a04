/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-workers.h"

#include "base/atn-blas.h"

typedef struct
{
  size_t n_tasks;
  AtnTaskFunc func;
  gpointer user_data;
  gsize next_task;   /* atomic */
  gsize next_worker; /* atomic */
  GMutex mutex;
  GCond cond;
  size_t n_running; /* helpers that have not finished */
} Job;

size_t
atn_workers_get_max (void)
{
  static gsize max = 0;

  if (g_once_init_enter (&max)) {
    const int n_threads = atn_blas_get_n_threads ();

    atn_blas_set_n_threads (1);
    g_once_init_leave (&max, (gsize) MAX (n_threads, 1));
  }

  return max;
}

static void
work (Job *job)
{
  const size_t worker = g_atomic_pointer_add (&job->next_worker, 1);
  size_t task;

  while ((task = (size_t) g_atomic_pointer_add (&job->next_task, 1)) < job->n_tasks)
    job->func (task, worker, job->user_data);
}

static void
helper_thread (gpointer data, gpointer user_data)
{
  Job *job = data;

  work (job);

  g_mutex_lock (&job->mutex);
  if (--job->n_running == 0)
    g_cond_signal (&job->cond);
  g_mutex_unlock (&job->mutex);
}

/* Threads that wait for work, kept from one layer to the next. */
static GThreadPool *
get_pool (void)
{
  static gsize pool = 0;

  if (g_once_init_enter (&pool)) {
    g_thread_pool_set_max_unused_threads ((int) atn_workers_get_max ());
    g_once_init_leave (&pool, (gsize) g_thread_pool_new (helper_thread, NULL, -1, FALSE, NULL));
  }

  return (GThreadPool *) pool;
}

void
atn_workers_run (size_t n_workers, size_t n_tasks, AtnTaskFunc func, gpointer user_data)
{
  Job job = { .n_tasks = n_tasks, .func = func, .user_data = user_data };

  n_workers = MIN (n_workers, n_tasks);
  if (n_workers <= 1) {
    work (&job);
    return;
  }

  g_mutex_init (&job.mutex);
  g_cond_init (&job.cond);
  job.n_running = n_workers - 1;
  for (size_t i = 1; i < n_workers; i++)
    g_thread_pool_push (get_pool (), &job, NULL);

  work (&job);
  g_mutex_lock (&job.mutex);
  while (job.n_running > 0)
    g_cond_wait (&job.cond, &job.mutex);
  g_mutex_unlock (&job.mutex);

  g_mutex_clear (&job.mutex);
  g_cond_clear (&job.cond);
}
