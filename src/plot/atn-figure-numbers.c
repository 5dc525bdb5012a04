/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Numbers in cells. A hundred Pango layouts would cost more than the whole rest of a
 * picture, and digits need no shaping, so the glyphs come from one Cairo font.
 */

#include "plot/atn-figure-private.h"

#define FONT_EM 0.8
#define MARGIN_EM 0.3
/* Where cells are large, numbers grow until the longest takes this share of the width. */
#define MAX_SHARE 0.6
#define MAX_GROWTH 1.5

/* Longest number: "−12.34". */
#define MAX_NUMBER 32

static const char *
format_number (float value, int n_decimals, char *buffer)
{
  char format[] = "%.2f";
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  /* A true zero has no decimals: 0.00 is a small number that was rounded. */
  if (value == 0)
    return "0";

  format[2] = (char) ('0' + n_decimals);
  g_ascii_formatd (digits, sizeof digits, format, fabs ((double) value));
  g_snprintf (buffer, MAX_NUMBER, "%s%s", value < 0 && strtod (digits, NULL) != 0 ? "−" : "",
              digits);
  return buffer;
}

static double
get_text_width (cairo_t *cr, const char *text)
{
  cairo_text_extents_t extents;

  cairo_text_extents (cr, text, &extents);
  return extents.x_advance;
}

static void
set_font (double size, cairo_t *cr)
{
  PangoFontMap *fonts = pango_cairo_font_map_get_default ();
  AtnText text;
  PangoFont *font;

  atn_text_init (&text, cr, size, PANGO_WEIGHT_NORMAL);
  font = pango_font_map_load_font (fonts, text.context,
                                   pango_context_get_font_description (text.context));
  if (font != NULL) {
    cairo_set_scaled_font (cr, pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (font)));
    g_object_unref (font);
  }
  atn_text_clear (&text);
}

static double
get_longest_width (const AtnRange *range, int n_decimals, cairo_t *cr)
{
  char buffer[MAX_NUMBER];
  const double low = get_text_width (cr, format_number ((float) range->low, n_decimals, buffer));

  return fmax (low, get_text_width (cr, format_number ((float) range->high, n_decimals, buffer)));
}

/* Sets the font, of @size or larger, and returns the decimals with which every number of the
 * panel's range fits into @width, or -1. */
static int
choose_decimals (const AtnRange *range, double *size, double width, cairo_t *cr)
{
  set_font (*size, cr);
  for (int n_decimals = 2; n_decimals >= 1; n_decimals--) {
    const double longest = get_longest_width (range, n_decimals, cr);
    const double growth = fmin (MAX_SHARE * width / longest, MAX_GROWTH);

    if (longest > width)
      continue;
    if (growth > 1.0) {
      *size *= growth;
      set_font (*size, cr);
    }
    return n_decimals;
  }
  return -1;
}

static void
draw_number (const AtnFigure *figure,
             const AtnPanel *panel,
             float value,
             int n_decimals,
             double x,
             double y,
             cairo_t *cr)
{
  const AtnColormap map = atn_colormap_resolve (figure->style.colormap, panel->range.is_signed);
  const double position = atn_range_get_position (&panel->range, (double) value);
  char buffer[MAX_NUMBER];
  const char *text;

  if (!isfinite (value))
    return;

  text = format_number (value, n_decimals, buffer);
  atn_set_source_color (cr, atn_color_get_text_color (atn_colormap_get_color (map, position)));
  cairo_move_to (cr, x - get_text_width (cr, text) / 2, y);
  cairo_show_text (cr, text);
}

void
atn_cells_draw_numbers (const AtnFigure *figure,
                        const AtnPanel *panel,
                        const AtnPanelBox *box,
                        const AtnViewport *view,
                        cairo_t *cr)
{
  const double em = atn_plot_style_get_em (&figure->style);
  const double cell_width = box->width / view->n_cols;
  const double cell_height = box->height / view->n_rows;
  const AtnMatrix *matrix = panel->matrix;
  const double margin = MARGIN_EM * em;
  double size = FONT_EM * em;
  int n_decimals;

  /* A pooled panel has no numbers; the cheap tests come first, since most figures fail them. */
  if (matrix->n_rows != figure->n_rows || matrix->n_cols != figure->n_cols ||
      cell_width < 2 * em * FONT_EM || cell_height < em * FONT_EM + margin)
    return;

  cairo_save (cr);
  n_decimals =
    choose_decimals (&panel->range, &size, fmin (cell_width, 2.0 * cell_height) - 2.0 * margin, cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  if (view->n_rows < (double) figure->n_rows || view->n_cols < (double) figure->n_cols)
    cairo_clip (cr);
  cairo_new_path (cr);

  for (size_t row = (size_t) view->first_row; n_decimals > 0 && row < matrix->n_rows; row++) {
    const double y = box->y + ((double) row + 0.5 - view->first_row) * cell_height;

    if (y > box->y + box->height + cell_height)
      break;
    for (size_t col = (size_t) view->first_col; col < matrix->n_cols; col++) {
      const double x = box->x + ((double) col + 0.5 - view->first_col) * cell_width;

      if (x > box->x + box->width + cell_width)
        break;
      draw_number (figure, panel, atn_cells_get_value (matrix, row, col), n_decimals, x,
                   y + 0.36 * size, cr);
    }
  }
  cairo_restore (cr);
}
