/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The heatmap in four files: its pictures (atn-figure-view.c), which part they
 * show (-viewport.c), keys and pointer (-input.c), what is drawn over them
 * (-overlay.c).
 */

#pragma once

#include "app/atn-compute.h"
#include "app/atn-figure-view.h"

G_BEGIN_DECLS

/* A point of the widget that should keep its cell while the zoom changes. */
typedef struct
{
  bool is_set;
  double x; /* in pixels of the window */
  double y;
  double row; /* with the fraction of the cell */
  double col;
} AtnAnchor;

struct _AtnFigureView
{
  AtnView parent_instance;

  AtnLane *lane;
  AtnPicture *picture; /* (nullable) the last whole one */
  bool show_numbers;
  guint description_source; /* 0, or tells the screen reader soon */

  /* The corner that is wanted, in cells; clamped when a picture is drawn. */
  double first_row;
  double first_col;
  AtnAnchor anchor;

  /* Where the pointer was last; events of the wheel do not always say */
  double pointer_x;
  double pointer_y;
  /* While the pointer drags */
  double drag_first_row;
  double drag_first_col;
};

/* Asks the compute thread for a picture of what the session holds now. */
void atn_figure_view_queue_picture (AtnFigureView *self);

/* atn-figure-view-viewport.c */
double atn_figure_view_get_max_zoom (const AtnFigure *figure);
/* The side of a cell of the picture on screen, 0 without one. */
double atn_figure_view_get_cell_size (AtnFigureView *self);
/* Zooms so that the point (x, y) of the widget keeps its cell. */
void atn_figure_view_zoom_at (AtnFigureView *self, double factor, double x, double y);
/* Moves the viewport to a corner, in cells. */
void atn_figure_view_scroll_to (AtnFigureView *self, double first_row, double first_col);
/* Moves the viewport as little as shows the session's cell whole. */
void atn_figure_view_reveal_cell (AtnFigureView *self);
bool atn_figure_view_is_scrollable (AtnFigureView *self);
/* The cell under a point of the widget. */
bool atn_figure_view_hit_test (AtnFigureView *self, double x, double y, int *query, int *key);

/* atn-figure-view-input.c */
void atn_figure_view_install_input (GtkWidgetClass *widget_class);
void atn_figure_view_init_input (AtnFigureView *self);

/* atn-figure-view-overlay.c */
void atn_figure_view_snapshot_overlay (AtnFigureView *self, GtkSnapshot *snapshot);

G_END_DECLS
