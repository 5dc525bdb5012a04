/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Which part of the matrix is shown: zooming and scrolling.
 */

#include "app/atn-figure-view-private.h"

/* However few cells there are, at least so many stay in view. */
#define MIN_VISIBLE_CELLS 2.0

double
atn_figure_view_get_max_zoom (const AtnFigure *figure)
{
  return CLAMP ((double) figure->n_rows / MIN_VISIBLE_CELLS, ATN_ZOOM_MIN, ATN_ZOOM_MAX);
}

double
atn_figure_view_get_cell_size (AtnFigureView *self)
{
  const AtnPicture *picture = self->picture;

  if (picture == NULL)
    return 0.0;
  return picture->boxes[0].width /
         (picture->has_viewport ? picture->viewport.n_cols : (double) picture->figure->n_cols);
}

bool
atn_figure_view_is_scrollable (AtnFigureView *self)
{
  return self->picture != NULL && self->picture->has_viewport;
}

void
atn_figure_view_scroll_to (AtnFigureView *self, double first_row, double first_col)
{
  const AtnPicture *picture = self->picture;

  if (!atn_figure_view_is_scrollable (self))
    return;
  self->anchor.is_set = false;
  self->first_row =
    CLAMP (first_row, 0.0, (double) picture->figure->n_rows - picture->viewport.n_rows);
  self->first_col =
    CLAMP (first_col, 0.0, (double) picture->figure->n_cols - picture->viewport.n_cols);
  atn_figure_view_queue_picture (self);
}

void
atn_figure_view_zoom_at (AtnFigureView *self, double factor, double x, double y)
{
  AtnSession *session = atn_view_get_session (self);
  double cell = atn_figure_view_get_cell_size (self);
  const AtnPanelBox *box;
  const AtnViewport *viewport;
  double limit;
  double zoom;

  if (session == NULL || cell <= 0.0)
    return;
  box = &self->picture->boxes[0];
  viewport = self->picture->has_viewport ? &self->picture->viewport : NULL;
  x = CLAMP (x, box->x, box->x + box->width);
  y = CLAMP (y, box->y, box->y + box->height);
  self->anchor =
    (AtnAnchor){ .is_set = true,
                 .x = x,
                 .y = y,
                 .row = (y - box->y) / cell + (viewport != NULL ? viewport->first_row : 0.0),
                 .col = (x - box->x) / cell + (viewport != NULL ? viewport->first_col : 0.0) };
  limit = atn_figure_view_get_max_zoom (self->picture->figure);
  zoom = MIN (atn_session_get_zoom (session), limit) * factor;
  atn_session_set_zoom (session, CLAMP (zoom, ATN_ZOOM_MIN, limit));
}

void
atn_figure_view_zoom_by (AtnFigureView *self, double factor)
{
  g_return_if_fail (ATN_IS_FIGURE_VIEW (self));

  if (self->picture != NULL)
    atn_figure_view_zoom_at (self, factor,
                             self->picture->boxes[0].x + self->picture->boxes[0].width / 2.0,
                             self->picture->boxes[0].y + self->picture->boxes[0].height / 2.0);
}

void
atn_figure_view_reset_zoom (AtnFigureView *self)
{
  g_return_if_fail (ATN_IS_FIGURE_VIEW (self));

  self->first_row = self->first_col = 0.0;
  self->anchor.is_set = false;
  if (atn_view_get_session (self) != NULL)
    atn_session_set_zoom (atn_view_get_session (self), 1.0);
}

/* The first line of a range of @n that shows @index whole and moves as little as possible. */
static double
reveal_index (double first, double n, int index)
{
  if (index < 0)
    return first;
  if (index < first)
    return index;
  return MAX (first, (double) index + 1.0 - n);
}

void
atn_figure_view_reveal_cell (AtnFigureView *self)
{
  AtnSession *session = atn_view_get_session (self);
  double first_row;
  double first_col;

  if (!atn_figure_view_is_scrollable (self))
    return;
  first_row =
    reveal_index (self->first_row, self->picture->viewport.n_rows, atn_session_get_query (session));
  first_col =
    reveal_index (self->first_col, self->picture->viewport.n_cols, atn_session_get_key (session));
  if (first_row != self->first_row || first_col != self->first_col)
    atn_figure_view_scroll_to (self, first_row, first_col);
}

bool
atn_figure_view_hit_test (AtnFigureView *self, double x, double y, int *query, int *key)
{
  size_t panel;
  size_t row;
  size_t col;

  if (self->picture == NULL || !atn_picture_hit_test (self->picture, x, y, &panel, &row, &col))
    return false;
  *query = (int) row;
  *key = (int) col;
  return true;
}
