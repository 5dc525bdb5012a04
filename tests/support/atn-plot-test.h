/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Figures with numbers that are known, and pixels to look at.
 */

#pragma once

#include "plot/atn-figure.h"

#include <math.h>
#include <string.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_t, cairo_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_surface_t, cairo_surface_destroy)

/* [n, n] weights that are all different, rows that sum to 1; causal: later keys are forbidden. */
static inline AtnMatrix *
atn_plot_test_create_weights (size_t n, bool is_causal)
{
  AtnMatrix *matrix = atn_matrix_new (n, n);

  if (is_causal)
    matrix->forbidden = g_new0 (guint8, n * n);
  for (size_t row = 0; row < n; row++) {
    const size_t end = is_causal ? row + 1 : n;
    double sum = 0;

    for (size_t col = 0; col < end; col++)
      sum += exp (2 * sin ((double) (row * 7 + col * 3)) + (double) (row * n + col) * 1e-3);
    for (size_t col = 0; col < end; col++)
      matrix->values[row * n + col] =
        (float) (exp (2 * sin ((double) (row * 7 + col * 3)) + (double) (row * n + col) * 1e-3) /
                 sum);
    for (size_t col = end; col < n; col++) {
      matrix->values[row * n + col] = 0;
      matrix->forbidden[row * n + col] = 1;
    }
  }
  return matrix;
}

/* The same as scores; a forbidden score is -INFINITY. */
static inline AtnMatrix *
atn_plot_test_create_scores (size_t n, bool is_causal)
{
  AtnMatrix *matrix = atn_plot_test_create_weights (n, is_causal);

  for (size_t i = 0; i < n * n; i++) {
    if (matrix->forbidden != NULL && matrix->forbidden[i])
      matrix->values[i] = -INFINITY;
    else
      matrix->values[i] = logf (matrix->values[i]) + 2;
  }
  return matrix;
}

static inline char **
atn_plot_test_dup_labels (size_t n, const char *const *labels)
{
  static const char *const WORDS[] = { "The", "␣cat", "␣sat", "␣on", "␣the", "␣mat", "␣because" };
  char **copies = g_new0 (char *, n);

  for (size_t i = 0; i < n; i++)
    copies[i] = g_strdup (labels != NULL ? labels[i] : WORDS[i % G_N_ELEMENTS (WORDS)]);
  return copies;
}

/* A head with one panel that takes over @matrix. @labels: (nullable) [n_rows] */
static inline AtnFigure *
atn_plot_test_create_head (AtnMatrix *matrix, bool is_signed, const char *const *labels)
{
  AtnFigure *figure = atn_figure_new (ATN_FIGURE_HEAD);

  figure->n_rows = matrix->n_rows;
  figure->n_cols = matrix->n_cols;
  figure->query_labels = atn_plot_test_dup_labels (matrix->n_rows, labels);
  figure->key_labels = atn_plot_test_dup_labels (matrix->n_cols, labels);
  figure->query_title = g_strdup ("query");
  figure->key_title = g_strdup ("key");
  figure->n_panels = figure->n_panel_cols = 1;
  figure->panels = g_new0 (AtnPanel, 1);
  figure->panels[0].matrix = matrix;
  atn_range_from_matrix (&figure->panels[0].range, matrix, is_signed);
  figure->title = g_strdup ("model · L1 H3 · softmax");
  figure->caption = g_strdup ("model · layer 1, head 3 · softmax · as trained");
  return figure;
}

/* Nothing but cells, so that their geometry can be said exactly. */
static inline void
atn_plot_test_show_cells_only (AtnFigure *figure)
{
  figure->style.show_numbers = figure->style.show_labels = figure->style.show_title = false;
  figure->style.show_caption = figure->style.show_color_bar = false;
}

/* Panels side by side or in a grid; each takes over a matrix of its own. */
static inline AtnFigure *
atn_plot_test_create_grid (AtnFigureKind kind, size_t n_tokens, size_t n_rows, size_t n_cols)
{
  AtnFigure *figure = atn_figure_new (kind);

  figure->n_rows = figure->n_cols = n_tokens;
  figure->query_labels = atn_plot_test_dup_labels (n_tokens, NULL);
  figure->key_labels = atn_plot_test_dup_labels (n_tokens, NULL);
  figure->n_panels = n_rows * n_cols;
  figure->n_panel_cols = n_cols;
  figure->panels = g_new0 (AtnPanel, figure->n_panels);
  for (size_t i = 0; i < figure->n_panels; i++) {
    AtnPanel *panel = &figure->panels[i];
    const bool is_signed = kind == ATN_FIGURE_STRIP && i % 2 == 0;

    panel->title = g_strdup_printf ("panel %zu", i);
    panel->matrix = is_signed ? atn_plot_test_create_scores (n_tokens, i > 1)
                              : atn_plot_test_create_weights (n_tokens, true);
    atn_range_from_matrix (&panel->range, panel->matrix, is_signed);
  }
  if (kind == ATN_FIGURE_SHEET) {
    figure->row_titles = g_new0 (char *, n_rows);
    figure->col_titles = g_new0 (char *, n_cols);
    for (size_t i = 0; i < n_rows; i++)
      figure->row_titles[i] = g_strdup_printf ("L%zu", i);
    for (size_t i = 0; i < n_cols; i++)
      figure->col_titles[i] = g_strdup_printf ("H%zu", i);
  }
  figure->title = g_strdup ("model · L1 H3");
  figure->caption = g_strdup ("model · layer 1, head 3 · as trained");
  return figure;
}

/* (transfer full): the figure on an image of so many pixels. */
static inline cairo_surface_t *
atn_plot_test_draw (const AtnFigure *figure,
                    int width,
                    int height,
                    const AtnViewport *view,
                    AtnPanelBox *boxes)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  g_autoptr (cairo_t) cr = cairo_create (surface);

  atn_figure_draw (figure, cr, width, height, view, boxes);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_flush (surface);
  return surface;
}

/* 0xRRGGBB */
static inline guint32
atn_plot_test_get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *row = cairo_image_surface_get_data (surface) +
                      (gsize) y * (gsize) cairo_image_surface_get_stride (surface);
  guint32 pixel;

  g_assert_cmpint (x, >=, 0);
  g_assert_cmpint (y, >=, 0);
  g_assert_cmpint (x, <, cairo_image_surface_get_width (surface));
  g_assert_cmpint (y, <, cairo_image_surface_get_height (surface));
  memcpy (&pixel, row + (gsize) x * sizeof pixel, sizeof pixel);
  return pixel & 0xffffff;
}

static inline guint32
atn_plot_test_get_rgb (AtnColor color)
{
  return (guint32) lrint (color.red * 255) << 16 | (guint32) lrint (color.green * 255) << 8 |
         (guint32) lrint (color.blue * 255);
}

/* The colour that the cell of a panel must have. */
static inline guint32
atn_plot_test_get_cell_rgb (const AtnFigure *figure, size_t panel, size_t row, size_t col)
{
  const AtnRange *range = &figure->panels[panel].range;
  const double value = (double) atn_matrix_get (figure->panels[panel].matrix, row, col);

  return atn_plot_test_get_rgb (
    atn_colormap_get_color (atn_colormap_resolve (figure->style.colormap, range->is_signed),
                            atn_range_get_position (range, value)));
}

G_END_DECLS
