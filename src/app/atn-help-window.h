/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The help page: what the picture, the stages and the switches mean, for
 * somebody who has heard of attention once.
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_HELP_WINDOW (atn_help_window_get_type ())
G_DECLARE_FINAL_TYPE (AtnHelpWindow, atn_help_window, ATN, HELP_WINDOW, AdwWindow)

AtnHelpWindow *atn_help_window_new (GtkWindow *parent) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
