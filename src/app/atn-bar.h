/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A thin bar that shows a share of 1. A picture of the number beside it, so it
 * says nothing to a screen reader.
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define ATN_TYPE_BAR (atn_bar_get_type ())
G_DECLARE_FINAL_TYPE (AtnBar, atn_bar, ATN, BAR, GtkWidget)

GtkWidget *atn_bar_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* @fraction: from 0 to 1 */
void atn_bar_set_fraction (AtnBar *self, double fraction);

G_END_DECLS
