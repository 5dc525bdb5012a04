/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A figure: one or more panels (a head at a stage) with labels, title, colour
 * bar and a caption that says every setting. One function draws it for the
 * window, PNG, SVG and PDF; it reads no global state (theme, screen, settings).
 *
 *   ┌ title ───────────────────────────────┐
 *   │        key labels (rotated)           │
 *   │ query  ┌──────────────────┐  ▐ colour │
 *   │ labels │ cells            │  ▐ bar    │
 *   │        └──────────────────┘  ▐        │
 *   │ caption: model, layer, head, settings │
 *   └───────────────────────────────────────┘
 */

#pragma once

#include "base/atn-matrix.h"
#include "plot/atn-colormap.h"

#include <cairo.h>

G_BEGIN_DECLS

typedef enum
{
  ATN_FIGURE_HEAD,
  ATN_FIGURE_STRIP,
  ATN_FIGURE_SHEET
} AtnFigureKind;

/* The scale of colours of a panel. */
typedef struct
{
  double min;
  double max;
  bool is_signed; /* zero-centred: min = -max */
  bool is_log; /* position = log scale between the smallest visible weight and max; weights only */
} AtnRange;

typedef struct
{
  char *title;       /* owned; "L1 H3", "softmax" … */
  AtnMatrix *matrix; /* owned reference */
  AtnRange range;
} AtnPanel;

typedef struct
{
  AtnColor background;
  AtnColor foreground; /* text and lines */
  AtnColor masked;     /* hatching of forbidden cells */
  AtnColormap colormap;
  double font_size;  /* points */
  bool show_numbers; /* in cells, where they fit */
  bool show_title;
  bool show_caption;
  bool show_color_bar;
} AtnPlotStyle;

typedef struct
{
  gatomicrefcount ref_count;
  AtnFigureKind kind;
  char *title;   /* owned, nullable */
  char *caption; /* owned, nullable: model, layer, head, stage, settings that are not as trained */
  size_t n_rows; /* tokens: labels of queries */
  size_t n_cols; /* and of keys */
  char **query_labels; /* [n_rows] owned, valid UTF-8 */
  char **key_labels;   /* [n_cols] owned */
  size_t n_panels;
  AtnPanel
    *panels; /* [n_panels]: 1 for a head, the stages for a strip, layer-major heads for a sheet */
  size_t n_panel_cols; /* panels in a row */
  GPtrArray
    *metadata; /* pairs of key, value for the file: model, text, layer, head, stage, settings */
  AtnPlotStyle style;
} AtnFigure;

/* Style of a file: white ground, black text, 9 pt. */
void atn_plot_style_init (AtnPlotStyle *self);

/* An empty figure; the caller fills it before the first draw and never after. */
AtnFigure *atn_figure_new (AtnFigureKind kind) G_GNUC_WARN_UNUSED_RESULT;
AtnFigure *atn_figure_ref (AtnFigure *self);
void atn_figure_unref (AtnFigure *self);

/* Smallest and largest value that is visible (not forbidden, finite) of a matrix as a range that
 * always has max > min; signed ranges are zero-centred; weights start at 0. */
void atn_range_from_matrix (AtnRange *self, const AtnMatrix *matrix, bool is_signed);
void atn_range_extend (AtnRange *self, const AtnRange *other);

/* Which part of the matrix is shown, in cells; NULL everywhere below means all of it. */
typedef struct
{
  double first_row, first_col; /* may be fractions while scrolling */
  double n_rows, n_cols;
} AtnViewport;

/* Where things are, for the cursor and for tests; in the units of the size drawn at. */
typedef struct
{
  double x, y, width, height; /* of the cells of one panel */
} AtnPanelBox;

/**
 * atn_figure_get_natural_size:
 * @zoom: 1 is the normal size of a cell
 *
 * The size in points at which cells are square and labels fit.
 */
void
atn_figure_get_natural_size (const AtnFigure *self, double zoom, double *width, double *height);

/**
 * atn_figure_draw:
 * @cr: any Cairo context, its origin at the figure's top left corner
 * @width: to draw at, in the units of @cr
 * @height: likewise
 * @viewport: (nullable): for one-panel figures
 * @boxes: (out) (nullable): [n_panels] where the cells went
 *
 * Draws the figure. Cells have hard edges in every format; runs of equal colour are merged; above
 * 65,536 rectangles in a panel they are an embedded image enlarged by a whole factor (pooled by
 * magnitude where many cells share a pixel). Labels thin out and never overlap. Leaves the state of
 * @cr as it was; errors stay in the context's status.
 */
void atn_figure_draw (const AtnFigure *self,
                      cairo_t *cr,
                      double width,
                      double height,
                      const AtnViewport *viewport,
                      AtnPanelBox *boxes);

/* The cell under a point, the inverse of drawing; false outside the cells. */
bool atn_figure_hit_test (const AtnFigure *self,
                          const AtnPanelBox *boxes,
                          const AtnViewport *viewport,
                          double x,
                          double y,
                          size_t *panel,
                          size_t *query,
                          size_t *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnFigure, atn_figure_unref)

G_END_DECLS
