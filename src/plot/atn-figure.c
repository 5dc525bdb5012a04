/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The figure as data, and the order in which its parts are drawn.
 */

#include "plot/atn-figure-private.h"

/* A bar along a matrix of a thousand tokens would have its ends far apart. */
#define MAX_BAR_EM 100.0

void
atn_plot_style_init (AtnPlotStyle *self)
{
  g_return_if_fail (self != NULL);

  *self = (AtnPlotStyle){
    .background = { 1, 1, 1 },
    .foreground = { 0, 0, 0 },
    .masked = { 0.68, 0.68, 0.68 },
    .colormap = ATN_COLORMAP_AUTO,
    .font_size = 9,
    .show_numbers = true,
    .show_labels = true,
    .show_title = true,
    .show_caption = true,
    .show_color_bar = true,
  };
}

void
atn_plot_style_init_dark (AtnPlotStyle *self)
{
  g_return_if_fail (self != NULL);

  atn_plot_style_init (self);
  self->background = (AtnColor){ 0.118, 0.118, 0.118 };
  self->foreground = (AtnColor){ 1, 1, 1 };
  self->masked = (AtnColor){ 0.42, 0.42, 0.42 };
}

AtnFigure *
atn_figure_new (AtnFigureKind kind)
{
  AtnFigure *self = g_new0 (AtnFigure, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = kind;
  self->metadata = g_ptr_array_new_with_free_func (g_free);
  atn_plot_style_init (&self->style);
  return self;
}

AtnFigure *
atn_figure_ref (AtnFigure *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
free_strings (char **strings, size_t n_strings)
{
  for (size_t i = 0; strings != NULL && i < n_strings; i++)
    g_free (strings[i]);
  g_free (strings);
}

void
atn_figure_unref (AtnFigure *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (size_t i = 0; i < self->n_panels; i++) {
    g_free (self->panels[i].title);
    g_clear_pointer (&self->panels[i].matrix, atn_matrix_unref);
  }
  g_free (self->panels);
  free_strings (self->query_labels, self->n_rows);
  free_strings (self->key_labels, self->n_cols);
  if (self->n_panel_cols > 0) {
    free_strings (self->row_titles, (self->n_panels + self->n_panel_cols - 1) / self->n_panel_cols);
    free_strings (self->col_titles, self->n_panel_cols);
  }
  g_free (self->title);
  g_free (self->caption);
  g_free (self->query_title);
  g_free (self->key_title);
  g_ptr_array_unref (self->metadata);
  g_free (self);
}

void
atn_figure_add_metadata (AtnFigure *self, const char *key, const char *value)
{
  g_return_if_fail (self != NULL && key != NULL);

  if (value == NULL || *value == '\0')
    return;

  g_ptr_array_add (self->metadata, g_strdup (key));
  g_ptr_array_add (self->metadata, g_strdup (value));
}

bool
atn_figure_has_one_range (const AtnFigure *self)
{
  const AtnRange *first = &self->panels[0].range;

  for (size_t i = 1; i < self->n_panels; i++) {
    const AtnRange *range = &self->panels[i].range;

    if (range->min != first->min || range->max != first->max || range->is_log != first->is_log ||
        range->is_signed != first->is_signed)
      return false;
  }
  return true;
}

static void
draw_title (const AtnFigure *self, const AtnLayout *layout, cairo_t *cr)
{
  AtnText text;

  if (layout->title_height <= 0)
    return;

  atn_text_init (&text, cr, ATN_TITLE_EM * layout->em, PANGO_WEIGHT_BOLD);
  atn_set_source_color (cr, self->style.foreground);
  atn_text_show (cr, atn_text_create_line (&text, self->title, layout->text_width), layout->text_x,
                 layout->title_y, 0, 0);
  atn_text_clear (&text);
}

static void
draw_caption (const AtnFigure *self, const AtnLayout *layout, cairo_t *cr)
{
  AtnText text;

  if (layout->caption_height <= 0)
    return;

  atn_text_init (&text, cr, ATN_CAPTION_EM * layout->em, PANGO_WEIGHT_NORMAL);
  atn_set_source_color (cr, atn_plot_style_get_muted (&self->style));
  atn_text_show (cr, atn_text_create_paragraph (&text, self->caption, layout->text_width),
                 layout->text_x, layout->caption_y, 0, 0);
  atn_text_clear (&text);
}

/* The arrow from a stage to the next, in the middle of the gap between two panels. */
static void
draw_arrow (const AtnFigure *self, const AtnLayout *layout, const AtnPanelBox *box, cairo_t *cr)
{
  const double y = box->y + box->height / 2;
  const double half = 0.55 * layout->em;
  const double middle = box->x + box->width + layout->gap_x / 2;
  const double head = 0.38 * layout->em;

  cairo_save (cr);
  atn_set_source_color (cr, atn_plot_style_get_muted (&self->style));
  cairo_set_line_width (cr, 0.11 * layout->em);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_move_to (cr, middle - half, y);
  cairo_line_to (cr, middle + half, y);
  cairo_move_to (cr, middle + half - head, y - head);
  cairo_line_to (cr, middle + half, y);
  cairo_line_to (cr, middle + half - head, y + head);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Titles and bars of a strip, the one bar of the other kinds. */
static void
draw_bars (const AtnFigure *self, const AtnLayout *layout, const AtnPixels *pixels, cairo_t *cr)
{
  const double gap = 2 * ATN_GAP_EM * layout->em;
  AtnPanelBox box;

  if (!self->style.show_color_bar)
    return;

  if (self->kind != ATN_FIGURE_STRIP) {
    const double rows = (double) layout->n_panel_rows;
    const double height = rows * layout->first.height + (rows - 1) * layout->gap_y;

    atn_layout_get_panel (layout, layout->n_panel_cols - 1, &box);
    box.x += box.width + gap;
    box.width = 0.9 * layout->em;
    box.height = CLAMP (height, ATN_MIN_BAR_EM * layout->em, MAX_BAR_EM * layout->em);
    atn_color_bar_draw (self, &self->panels[0].range, true, &box, pixels, cr);
    return;
  }

  for (size_t i = 0; i < self->n_panels; i++) {
    atn_layout_get_panel (layout, i, &box);
    box.y += box.height + gap;
    box.height = 0.6 * layout->em;
    atn_color_bar_draw (self, &self->panels[i].range, false, &box, pixels, cr);
  }
}

static void
draw_strip_parts (const AtnFigure *self, const AtnLayout *layout, cairo_t *cr)
{
  AtnText text;
  AtnPanelBox box;

  if (self->kind != ATN_FIGURE_STRIP)
    return;

  for (size_t i = 0; i + 1 < self->n_panels; i++) {
    atn_layout_get_panel (layout, i, &box);
    if ((i + 1) % layout->n_panel_cols != 0)
      draw_arrow (self, layout, &box, cr);
  }
  if (layout->panel_title_height <= 0)
    return;

  atn_text_init (&text, cr, layout->em, PANGO_WEIGHT_BOLD);
  atn_set_source_color (cr, self->style.foreground);
  for (size_t i = 0; i < self->n_panels; i++) {
    if (self->panels[i].title == NULL)
      continue;
    atn_layout_get_panel (layout, i, &box);
    atn_text_show (
      cr, atn_text_create_line (&text, self->panels[i].title, box.width + layout->gap_x / 2),
      box.x + box.width / 2,
      box.y - layout->key_height - (layout->key_height > 0 ? ATN_GAP_EM * layout->em : 0) -
        layout->panel_title_height,
      0.5, 0);
  }
  atn_text_clear (&text);
}

void
atn_figure_draw (const AtnFigure *self,
                 cairo_t *cr,
                 double width,
                 double height,
                 const AtnViewport *viewport,
                 AtnPanelBox *boxes)
{
  AtnLayout layout;
  AtnPixels pixels;

  g_return_if_fail (self != NULL && cr != NULL);
  g_return_if_fail (viewport == NULL || self->n_panels == 1);

  if (cairo_status (cr) != CAIRO_STATUS_SUCCESS || width <= 0 || height <= 0)
    return;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  atn_set_source_color (cr, self->style.background);
  cairo_fill (cr);

  if (self->n_panels > 0 && self->n_rows > 0 && self->n_cols > 0) {
    atn_pixels_init (&pixels, cr);
    atn_layout_init (&layout, self, width, height, viewport, &pixels);
    draw_title (self, &layout, cr);
    atn_cells_draw_panels (self, &layout, &pixels, cr);
    atn_labels_draw (self, &layout, cr);
    draw_strip_parts (self, &layout, cr);
    draw_bars (self, &layout, &pixels, cr);
    draw_caption (self, &layout, cr);

    for (size_t i = 0; boxes != NULL && i < self->n_panels; i++)
      atn_layout_get_panel (&layout, i, &boxes[i]);
  }
  cairo_restore (cr);
}

bool
atn_figure_hit_test (const AtnFigure *self,
                     const AtnPanelBox *boxes,
                     const AtnViewport *viewport,
                     double x,
                     double y,
                     size_t *panel,
                     size_t *query,
                     size_t *key)
{
  const AtnViewport all = { 0, 0, (double) self->n_rows, (double) self->n_cols };
  const AtnViewport *view = viewport != NULL ? viewport : &all;

  for (size_t i = 0; i < self->n_panels; i++) {
    const AtnPanelBox *box = &boxes[i];
    double row, col;

    if (x < box->x || y < box->y || x >= box->x + box->width || y >= box->y + box->height)
      continue;

    row = view->first_row + (y - box->y) / box->height * view->n_rows;
    col = view->first_col + (x - box->x) / box->width * view->n_cols;
    if (row < 0 || col < 0 || row >= (double) self->n_rows || col >= (double) self->n_cols)
      continue;

    *panel = i;
    *query = (size_t) row;
    *key = (size_t) col;
    return true;
  }
  return false;
}
