/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The window: a frame around the parts, which share its session.
 */

#pragma once

#include "app/atn-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_WINDOW (atn_window_get_type ())
G_DECLARE_FINAL_TYPE (AtnWindow, atn_window, ATN, WINDOW, AdwApplicationWindow)

AtnWindow *atn_window_new (GtkApplication *application) G_GNUC_WARN_UNUSED_RESULT;
AtnSession *atn_window_get_session (AtnWindow *self);

/* Opens @path; without one what was open last, or the default model. */
void atn_window_start (AtnWindow *self, const char *path);

G_END_DECLS
