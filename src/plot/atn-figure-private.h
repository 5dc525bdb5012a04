/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the files that draw a figure share. Text is laid out by Pango in the units of
 * the figure with glyph metrics that do not depend on the surface, so that a label is as
 * wide on the screen as in every file.
 */

#pragma once

#include "plot/atn-figure.h"

#include <math.h>
#include <pango/pangocairo.h>

G_BEGIN_DECLS

/* --- text --- */

/* Layouts of one size and one orientation. */
typedef struct
{
  PangoContext *context;
  double size; /* em, in units of the figure */
} AtnText;

/* @cr: (nullable): for the orientation it has now; NULL for measuring. */
void atn_text_init (AtnText *self, cairo_t *cr, double size, PangoWeight weight);
void atn_text_clear (AtnText *self);
/* One line, never markup; ellipsized beyond @max_width unless that is 0. Marks that stand for
 * white space are paler. (transfer full) */
PangoLayout *atn_text_create_line (const AtnText *self, const char *text, double max_width);
/* A number before the label, paler and independent of the label's direction. (transfer full) */
PangoLayout *
atn_text_create_numbered (const AtnText *self, size_t number, const char *text, double max_width);
/* Wrapped at @width. (transfer full) */
PangoLayout *atn_text_create_paragraph (const AtnText *self, const char *text, double width);
/* One character under the other, for Chinese and the like. (transfer full) */
PangoLayout *atn_text_create_stack (const AtnText *self, const char *text);
/* Whether a label should rather be stacked than turned: it has wide characters (Chinese, emoji) and
 * is short. */
bool atn_text_is_stackable (const char *text);
/* A guess of the width in half ems, to find the longest labels without laying them all out. */
size_t atn_text_estimate_width (const char *text);
/* Logical size. */
void atn_text_get_size (PangoLayout *layout, double *width, double *height);
/* Shows and frees @layout with the point that is (@align_x, @align_y) of the way through it at
 * (@x, @y). */
void atn_text_show (cairo_t *cr,
                    PangoLayout *layout,
                    double x,
                    double y,
                    double align_x,
                    double align_y);

/* The same for one line whose letters are in the middle of @y, whatever fonts they came from. */
void atn_text_show_line (cairo_t *cr, PangoLayout *layout, double x, double y, double align_x);

void atn_set_source_color (cairo_t *cr, AtnColor color);
/* Colour of text that matters less; still readable. */
AtnColor atn_plot_style_get_muted (const AtnPlotStyle *self);
/* Ground of forbidden cells. */
AtnColor atn_plot_style_get_forbidden (const AtnPlotStyle *self, bool is_flat);
/* 1 em in units of the figure. */
double atn_plot_style_get_em (const AtnPlotStyle *self);

/* --- geometry --- */

typedef enum
{
  ATN_KEYS_FLAT,     /* every label is narrower than its column */
  ATN_KEYS_DIAGONAL, /* 45°: easier to read, needs wide cells */
  ATN_KEYS_VERTICAL  /* 90°; Chinese stacked upright */
} AtnKeyMode;

/* Where whole pixels are. On surfaces without any a pixel is a unit, so that a file that is shown
 * at its natural size has sharp edges, too. */
typedef struct
{
  bool is_raster;            /* an image, not rotated: its pixels can be painted one by one */
  double scale;              /* pixels in a unit */
  double origin_x, origin_y; /* pixel of the figure's origin */
} AtnPixels;

typedef struct
{
  double em;
  double pad;
  double cell; /* side of a cell */
  AtnViewport view;
  size_t n_panel_rows;
  size_t n_panel_cols;
  AtnPanelBox first; /* the cells of the first panel */
  double gap_x;      /* between panels */
  double gap_y;
  AtnKeyMode key_mode;
  size_t query_step; /* every how manyeth label is drawn; the margins have room for those alone */
  size_t key_step;
  bool has_corner;    /* "query", "key" where the axes meet */
  double query_width; /* of labels or row titles, without the gap to the cells */
  double key_height;  /* of labels or column titles, likewise */
  double key_max;     /* longest label along its own line */
  double title_height;
  double panel_title_height;
  double caption_height;
  double title_y;
  double caption_y;
  double text_x;     /* of title and caption */
  double text_width; /* room for them */
  double used_text_width;
  double title_width;
  double min_height; /* of the panels together, for the colour bar */
} AtnLayout;

void atn_pixels_init (AtnPixels *self, cairo_t *cr);
double atn_pixels_snap_x (const AtnPixels *self, double x);
double atn_pixels_snap_y (const AtnPixels *self, double y);

void atn_layout_init (AtnLayout *self,
                      const AtnFigure *figure,
                      double width,
                      double height,
                      const AtnViewport *viewport,
                      const AtnPixels *pixels);
void atn_layout_get_panel (const AtnLayout *self, size_t panel, AtnPanelBox *box);

/* --- parts of the picture --- */

/* Distance from the cells to labels and bars. */
#define ATN_GAP_EM 0.4
#define ATN_TICK_EM 0.3
#define ATN_TITLE_EM 1.2
#define ATN_CAPTION_EM 0.9
#define ATN_MIN_BAR_EM 7.0

void atn_cells_draw_panels (const AtnFigure *figure,
                            const AtnLayout *layout,
                            const AtnPixels *pixels,
                            cairo_t *cr);
/* On a vector surface: whether there are too many rectangles, so that the cells are an image. */
bool atn_cells_are_enlarged (const AtnFigure *figure);
/* How many pixels of that image are the side of a cell; 0 if a pixel holds many. */
size_t atn_cells_get_enlargement (const AtnFigure *figure);
/* Numbers in the cells of a panel, if they fit in all of them. */
void atn_cells_draw_numbers (const AtnFigure *figure,
                             const AtnPanel *panel,
                             const AtnPanelBox *box,
                             const AtnViewport *view,
                             cairo_t *cr);
/* The value of a cell as it is drawn: -INFINITY where it is forbidden. */
static inline float
atn_cells_get_value (const AtnMatrix *matrix, size_t row, size_t col)
{
  return atn_matrix_is_forbidden (matrix, row, col) ? -INFINITY : atn_matrix_get (matrix, row, col);
}

/* Lengths of the longest of some labels. */
typedef struct
{
  double flat;    /* in one line, at most what was allowed */
  double upright; /* turned by 90°, stacks included */
} AtnLabelLengths;

/* What is known of an axis's labels before the cell is. */
typedef struct
{
  const AtnText *text; /* borrowed, as are the labels; NULL: there are none */
  char **labels;
  size_t n_labels;
  double max;
  double *widths; /* [n_measured] owned: of the last n_measured labels, for the overhang */
  size_t n_measured;
  bool has_stacks;
  AtnLabelLengths all;
  AtnLabelLengths thinned; /* of every thinned_step'th label, once it was asked for */
  size_t thinned_step;
} AtnLabelSizes;

void atn_label_sizes_init (AtnLabelSizes *self,
                           const AtnText *text,
                           char **labels,
                           size_t n_labels,
                           double max);
void atn_label_sizes_clear (AtnLabelSizes *self);
/* The longest of the labels 0, @step, 2 @step … */
AtnLabelLengths atn_label_sizes_get_lengths (AtnLabelSizes *self, size_t step);
/* How key labels lie over columns of @cell, how high they stand and how far they hang over to the
 * right of the cells. @step: which of them are drawn if they are upright; @extra: width of the
 * number before a label that has lost its neighbours. */
void atn_label_sizes_solve (AtnLabelSizes *self,
                            double em,
                            double cell,
                            size_t step,
                            double extra,
                            AtnKeyMode *mode,
                            double *height,
                            double *overhang);

/* Every how manyeth label is drawn: 1, 2, 5, 10, 20 … */
size_t atn_labels_get_query_step (double em, double cell);
size_t atn_labels_get_key_step (double em, double cell, AtnKeyMode mode, bool has_stacks);
/* Width of the number of a token that stands before its label once labels are left out. */
double atn_labels_get_number_width (double em, size_t n_labels);
void atn_labels_draw (const AtnFigure *figure, const AtnLayout *layout, cairo_t *cr);

/* Width of a vertical bar with its ticks, or height of a horizontal one; gap not included. */
double atn_color_bar_get_breadth (const AtnFigure *figure, const AtnText *text, bool is_vertical);
void atn_color_bar_draw (const AtnFigure *figure,
                         const AtnRange *range,
                         bool is_vertical,
                         const AtnPanelBox *box, /* of the colours alone */
                         const AtnPixels *pixels,
                         cairo_t *cr);
/* Whether all panels have one scale; if not, a sheet's bar has no numbers. */
bool atn_figure_has_one_range (const AtnFigure *self);

G_END_DECLS
