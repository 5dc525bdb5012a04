/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How long the window keeps the main thread, for the bench: --measure lets the
 * program type and move a slider by itself and prints what it saw. Costs one
 * comparison a call while it is off.
 *
 * Each number comes twice: by the clock on the wall and by the processor's. On
 * a machine that does other things as well, the first says what a person would
 * have waited and the second what we are to blame for.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

/* Turns recording on; before the first frame. @is_start_only: nothing is typed, see
 * atn_measure_run(). */
void atn_measure_enable (bool is_start_only);
bool atn_measure_is_start_only (void);
bool atn_measure_is_enabled (void);

/* Brackets one callback of ours on the main thread; @name is a static string. Brackets may nest:
 * the outermost counts. Returns a start for atn_measure_end(). */
gint64 atn_measure_begin (void);
void atn_measure_end (const char *name, gint64 start);

/* Microseconds: the clock on the wall, and the processor's of the calling thread or of all. */
typedef struct
{
  gint64 wall;
  gint64 thread;
  gint64 process;
} AtnMoment;

AtnMoment atn_measure_now (void);
/* Adds a sample to the series of the static string @name: the time since @start. */
void atn_measure_add (const char *name, const AtnMoment *start);

/* Brackets a frame: GTK's layout and painting, with our parts of them. */
void atn_measure_begin_frame (void);
void atn_measure_end_frame (void);

/* A step of the start is done; only the first of a name counts. */
void atn_measure_mark (const char *name);

/* A key or a slider changed something now … */
void atn_measure_input (void);
/* … and the picture of the newest numbers is ready to show. */
void atn_measure_picture (void);

typedef void (*AtnMeasureFunc) (gpointer user_data);

/* Called once, on the main thread, after the first picture. */
void atn_measure_set_first_picture_func (AtnMeasureFunc func, gpointer user_data);

/* Forgets the samples up to now. */
void atn_measure_reset (void);

/* (transfer full): the samples by series, as JSON: {"NAME": {"n": …, "wall_ms": [median, 9 of 10,
 * largest], "cpu_ms": [likewise]}, …}. Names of callbacks begin with "callback ". */
char *atn_measure_dup_report (void);
/* (transfer full): the marks, as JSON: {"NAME": {"at_us": monotonic time, "cpu_ms": …}, …}. */
char *atn_measure_dup_marks (void);

G_END_DECLS
