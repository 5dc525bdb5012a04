/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The one thread that computes. It owns OpenBLAS (0.3.21 has only process-wide
 * thread counts), so everything that multiplies or draws a figure goes through
 * it, and the main thread only swaps pictures.
 *
 *   widget ── lane ──┐   a lane holds at most one piece of work that counts: a newer
 *   widget ── lane ──┼─► worker      one replaces it while it waits and cancels it
 *   session ─ lane ──┘   while it runs. The most urgent waiting work runs first.
 *
 * Work is cut into pieces of some milliseconds by whoever pushes it (thumbnails
 * push the next piece when one is done), so that a key stroke never waits long.
 * What cannot be cut, the check of a whole model, has the last priority and gives
 * way between its steps.
 */

#pragma once

#include "engine/atn-request.h"

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct _AtnCompute AtnCompute;
typedef struct _AtnLane AtnLane;

typedef enum
{
  ATN_PRIORITY_RUN,        /* the model over the sentence */
  ATN_PRIORITY_PICTURE,    /* what the eye is on: the large matrix */
  ATN_PRIORITY_DETAIL,     /* the strip, predictions, previews, files */
  ATN_PRIORITY_BACKGROUND, /* thumbnails */
  ATN_PRIORITY_LONG,       /* seconds: gives way by atn_compute_yield() */
  ATN_N_PRIORITIES
} AtnPriority;

/**
 * AtnWork:
 * @data: what to work on and where the outcome goes; owned by the work
 * @run: called on the compute thread; touches nothing but @data and what it references
 * @done: called on the main thread afterwards, unless the work was replaced or cancelled; may
 *   steal from @data
 * @free_data: called on the main thread in the end, whatever happened
 * @user_data: for @done; must live until its lane is freed
 * @name: (nullable): static, for measurements
 */
typedef struct
{
  gpointer data;
  void (*run) (gpointer data, GCancellable *cancellable);
  void (*done) (gpointer data, gpointer user_data);
  GDestroyNotify free_data;
  gpointer user_data;
  const char *name;
} AtnWork;

/* Starts the thread. One per process. */
AtnCompute *atn_compute_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* Cancels all work and waits for the thread to end; all lanes must be freed before. */
void atn_compute_free (AtnCompute *self);

/* The thread keeps a reference to @result until it is the only one, so that the memory of a long
 * text, which may be more than a hundred megabytes, is given back there: unmapping it takes longer
 * than a frame. */
void atn_compute_keep_result (AtnCompute *self, AtnResult *result);

/**
 * atn_compute_yield:
 *
 * Runs what waits, if the caller is itself work of %ATN_PRIORITY_LONG; else does nothing. To be
 * called between steps of some milliseconds, when no result of BLAS and no lock is held.
 *
 * Threads: any; it acts on the compute thread only
 */
void atn_compute_yield (AtnCompute *self);

/* The process's own, from application start to end; NULL in a program that has none. */
AtnCompute *atn_compute_get_default (void);
void atn_compute_set_default (AtnCompute *self);

/* All of these: main thread. A lane belongs to one object, which frees it in dispose. */
AtnLane *atn_lane_new (AtnCompute *compute, AtnPriority priority) G_GNUC_WARN_UNUSED_RESULT;
void atn_lane_free (AtnLane *self);

/**
 * atn_lane_push:
 * @work: copied; its data is owned from here on
 *
 * Replaces what the lane was doing by @work. After this call the @done of older work is not called
 * any more, with one exception: while pushes come faster than short work finishes (a slider that
 * moves), a piece that is running may finish and be shown, so that the picture keeps moving.
 */
void atn_lane_push (AtnLane *self, const AtnWork *work);
void atn_lane_cancel (AtnLane *self);
bool atn_lane_is_busy (const AtnLane *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnCompute, atn_compute_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnLane, atn_lane_free)

G_END_DECLS
