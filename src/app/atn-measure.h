/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How long the window keeps the main thread, for the bench: --measure lets the
 * program type and move a slider by itself and prints what it saw. Costs two
 * clock readings a call while it is off.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

/* Turns recording on; before the first frame. */
void atn_measure_enable (void);
bool atn_measure_is_enabled (void);

/* Brackets one callback of ours on the main thread; @name is a static string. Brackets may nest:
 * the outermost counts. What counts is the processor time of the thread: on a machine that is busy
 * with other programs the clock on the wall says nothing about this one. */
gint64 atn_measure_begin (void);
void atn_measure_end (const char *name, gint64 start);

/* A key or a slider changed something now … */
void atn_measure_input (void);
/* … and the picture of the newest numbers is ready to show. The first call ends the start. */
void atn_measure_picture (void);

typedef void (*AtnMeasureFunc) (gpointer user_data);

/* Called once, on the main thread, after the first picture. */
void atn_measure_set_first_picture_func (AtnMeasureFunc func, gpointer user_data);

/* Forgets what was recorded up to now, such as the start. */
void atn_measure_reset (void);

/* (transfer full): what was recorded, as JSON. */
char *atn_measure_dup_report (void);

G_END_DECLS
