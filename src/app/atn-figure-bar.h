/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What can be done to the large heatmap: zoom, colours and range, numbers in
 * its cells.
 */

#pragma once

#include "app/atn-figure-view.h"
#include "app/atn-head-grid.h"

G_BEGIN_DECLS

#define ATN_TYPE_FIGURE_BAR (atn_figure_bar_get_type ())
G_DECLARE_FINAL_TYPE (AtnFigureBar, atn_figure_bar, ATN, FIGURE_BAR, AtnView)

/* The heatmap it acts on; once, before the first click. Without one there are only the colours. */
void atn_figure_bar_set_figure_view (AtnFigureBar *self, AtnFigureView *figure_view);

/* The same for a grid of heads. */
void atn_figure_bar_set_head_grid (AtnFigureBar *self, AtnHeadGrid *head_grid);

G_END_DECLS
