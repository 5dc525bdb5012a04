/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Work on several processors. OpenBLAS's own threads spin while they wait for one
 * another, which on a machine that has other work is worse than one thread: 30
 * tokens of a 2 M model took 29 ms with two of them and 2 ms with one. So OpenBLAS gets
 * one thread for good, and large runs are cut into tasks here: columns of a
 * product, blocks of a head, rows of an activation. Small runs use one thread for all.
 */

#pragma once

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Processors that may be used: what OpenBLAS found, or OPENBLAS_NUM_THREADS said, at the start.
 * The first call takes OpenBLAS's own threads away. */
size_t atn_workers_get_max (void);

/* @task counts up from 0; @worker is below n_workers and belongs to one thread at a time. */
typedef void (*AtnTaskFunc) (size_t task, size_t worker, gpointer user_data);

/**
 * atn_workers_run:
 * @n_workers: how many threads, the calling one included; 1 starts none
 *
 * Calls @func for every task below @n_tasks, in rising order as workers get free, and
 * returns when all are done. May not be called from within a task.
 */
void atn_workers_run (size_t n_workers, size_t n_tasks, AtnTaskFunc func, gpointer user_data);

G_END_DECLS
