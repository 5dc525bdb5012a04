/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The large heatmap: the session's head at the session's stage. The picture is
 * built and drawn on the compute thread at the size of the widget and shown as
 * a texture; cursor, hover and pinned cell are drawn over it, so that moving
 * the pointer lays out no text.
 *
 * Only what is on screen is ever drawn: zoom and scrolling choose a viewport,
 * labels and colour bar stay. While a new picture is on its way the old one
 * keeps its own size.
 *
 *   arrows, Home, End      move the cell          Ctrl + arrows   head and layer
 *   Ctrl + Home, End       first and last cell    Enter           pin, unpin
 *   + − 0, Ctrl + wheel    zoom                   Escape          unpin
 *   wheel, drag            scroll                 click           pin
 *   Ctrl + C               copies the figure
 *
 * Signals:
 *   picture-changed  get_picture () is another one (also NULL)
 */

#pragma once

#include "app/atn-picture.h"
#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_FIGURE_VIEW (atn_figure_view_get_type ())
G_DECLARE_FINAL_TYPE (AtnFigureView, atn_figure_view, ATN, FIGURE_VIEW, AtnView)

/* (nullable) (transfer none): what is on screen, maybe out of date. */
AtnPicture *atn_figure_view_get_picture (AtnFigureView *self);

/* Whether a newer picture is on its way. */
bool atn_figure_view_is_busy (AtnFigureView *self);

/* Numbers in the cells, where they fit; property "show-numbers". */
bool atn_figure_view_get_show_numbers (AtnFigureView *self);
void atn_figure_view_set_show_numbers (AtnFigureView *self, bool show_numbers);

/* Around the middle of what is shown. */
void atn_figure_view_zoom_by (AtnFigureView *self, double factor);
void atn_figure_view_reset_zoom (AtnFigureView *self);

G_END_DECLS
