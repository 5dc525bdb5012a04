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

G_END_DECLS
