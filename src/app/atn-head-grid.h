/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Layers × heads as toggle buttons with live thumbnails, headings that stay
 * while the rest scrolls. Only the heads on screen have a button: the buttons
 * that scroll out on one side are shown again on the other, so that 48 × 32
 * heads cost no more than what fits.
 *
 *          H0  H1  H2
 *     L0   ▪   ▪   ▪
 *     L1   ▪   ▣   ▪
 *
 * Where heads share their keys and values, a line over their headings and lines
 * between the groups say which.
 *
 * Signals:
 *   activated                  Enter or a double click on the chosen head
 *   hovered (int layer, head)  the head under the pointer; -1, -1 for none
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_HEAD_GRID (atn_head_grid_get_type ())
G_DECLARE_FINAL_TYPE (AtnHeadGrid, atn_head_grid, ATN, HEAD_GRID, AtnView)

/* "Layer 1 head 3": what a head is called on screen and for a screen reader. (transfer full) */
char *atn_head_grid_dup_head_name (guint layer, guint head);

#define ATN_HEAD_GRID_ZOOM_MIN 0.25
#define ATN_HEAD_GRID_ZOOM_MAX 8.0

/* Changes the size of the thumbnails; 1 is what fits, or the least that can be read well. The
 * property "zoom" follows. */
void atn_head_grid_zoom_by (AtnHeadGrid *self, double factor);
void atn_head_grid_reset_zoom (AtnHeadGrid *self);

G_END_DECLS
