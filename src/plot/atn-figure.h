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
  ATN_FIGURE_HEAD,  /* one panel with labels on both sides and a colour bar */
  ATN_FIGURE_STRIP, /* the stages of one head side by side, an arrow between two, a bar under each
                     */
  ATN_FIGURE_SHEET  /* layers × heads as thumbnails with one bar */
} AtnFigureKind;

/* The scale of colours of a panel. */
typedef struct
{
  double min; /* at the colour map's ends */
  double max;
  double low; /* smallest and largest value that is really there; the colour bar ends here */
  double high;
  bool is_signed; /* zero-centred: min = -max */
  bool is_log; /* position = log scale between the smallest visible weight and max; weights only */
} AtnRange;

typedef struct
{
  char *title;       /* owned, nullable; "L1 H3", "softmax" … */
  AtnMatrix *matrix; /* owned reference; may be pooled to fewer rows than the figure has */
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
  bool show_labels;  /* tokens, row and column headings */
  bool show_title;   /* of the figure and of the panels of a strip */
  bool show_caption;
  bool show_color_bar;
} AtnPlotStyle;

typedef struct
{
  gatomicrefcount ref_count;
  AtnFigureKind kind;
  char *title;         /* owned, nullable */
  char *caption;       /* owned, nullable: model, layer, head, stage, settings not as trained */
  char *query_title;   /* owned, nullable: what rows and columns are, in the corner ("query", */
  char *key_title;     /* "key") */
  size_t n_rows;       /* tokens: labels of queries */
  size_t n_cols;       /* and of keys */
  char **query_labels; /* [n_rows] owned, valid UTF-8; NULL: no labels */
  char **key_labels;   /* [n_cols] owned; NULL: no labels */
  size_t n_panels;
  AtnPanel *panels;    /* [n_panels] owned: 1 for a head, stages for a strip, layer-major heads for
                          a sheet */
  size_t n_panel_cols; /* panels in a row */
  char **row_titles;   /* [panel rows] owned, nullable: "L0" …, left of a sheet */
  char **col_titles;   /* [n_panel_cols] owned, nullable: "H0" …, above a sheet */
  GPtrArray *metadata; /* key, value, key, value … for the file (element-type utf8, owned) */
  AtnPlotStyle style;
} AtnFigure;

/* Style of a file: white ground, black text, 9 pt, everything shown. */
void atn_plot_style_init (AtnPlotStyle *self);
/* The same on a dark ground. */
void atn_plot_style_init_dark (AtnPlotStyle *self);

/* An empty figure; the caller fills it before the first draw and never after. Arrays and strings
 * are freed with g_free(). */
AtnFigure *atn_figure_new (AtnFigureKind kind) G_GNUC_WARN_UNUSED_RESULT;
AtnFigure *atn_figure_ref (AtnFigure *self);
void atn_figure_unref (AtnFigure *self);

/* Appends one pair to the metadata; an empty @value is left out. */
void atn_figure_add_metadata (AtnFigure *self, const char *key, const char *value);

/* Smallest and largest value that is visible (not forbidden, finite) of a matrix as a range that
 * always has max > min; signed ranges are zero-centred; weights start at 0. */
void atn_range_from_matrix (AtnRange *self, const AtnMatrix *matrix, bool is_signed);
/* Makes @self cover @other too. */
void atn_range_extend (AtnRange *self, const AtnRange *other);
/* Switches a range of weights to a log scale (signed ranges stay linear). The scale reaches from
 * the smallest positive visible weight, but at most six decades down; smaller ones get the lowest
 * colour. */
void atn_range_set_log (AtnRange *self, const AtnMatrix *matrix);
/* 0 … 1 along the colour map, clamped; NaN for NaN. */
double atn_range_get_position (const AtnRange *self, double value);

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
 * The size in units of 1/96 inch (a pixel of the screen, 0.75 points) at which cells are square,
 * numbers and labels fit. Cells are smaller the more tokens there are. @zoom enlarges the cells,
 * not the text.
 */
void
atn_figure_get_natural_size (const AtnFigure *self, double zoom, double *width, double *height);

/* The side of a cell when all of the figure is drawn at a size, in the units of @width. */
double atn_figure_get_cell_size (const AtnFigure *self, double width, double height);

/* Where the cells of each panel would go, without drawing; @boxes: (out) [n_panels]. */
void atn_figure_get_boxes (const AtnFigure *self,
                           double width,
                           double height,
                           const AtnViewport *viewport,
                           AtnPanelBox *boxes);

/**
 * atn_figure_fit_viewport:
 * @width: the size that will be drawn at
 * @height: likewise
 * @cell_size: wanted, in the units of @width
 * @viewport: (inout): first_row and first_col are the wanted corner; on return the part that
 *   fills the size with cells of @cell_size, moved so that nothing beyond the matrix shows
 *
 * For zooming and scrolling a one-panel figure.
 */
void atn_figure_fit_viewport (const AtnFigure *self,
                              double width,
                              double height,
                              double cell_size,
                              AtnViewport *viewport);

/**
 * atn_figure_draw:
 * @cr: any Cairo context, its origin at the figure's top left corner
 * @width: to draw at, in units of 1/96 inch
 * @height: likewise
 * @viewport: (nullable): for one-panel figures
 * @boxes: (out) (nullable): [n_panels] where the cells went
 *
 * Draws the figure, ground included. Cells are square, as large as fits, with hard edges in every
 * format: on a raster they fall on whole pixels; elsewhere they are rectangles with runs of equal
 * colour merged; in a figure of more than 65,536 rectangles an embedded image enlarged by a whole
 * factor. Where many cells share a pixel, the one of the largest magnitude shows. Labels thin out
 * and never overlap. Leaves the state of @cr as it was; errors stay in the context's status.
 *
 * Threads: any, each with its own @cr
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
