/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The legend of the colours. It ends at the smallest and largest value that is there and
 * says both; the good numbers between them give way where they would touch. A signed bar
 * thus shows a part of a map that is centred on zero.
 */

#include "plot/atn-figure-private.h"

#include "plot/atn-ticks.h"

#include <glib/gi18n-lib.h>

/* In em. */
#define BAR 0.9
#define FONT 0.85
#define TEXT_GAP 0.25
#define TICK_PITCH 1.5 /* between the middles of two numbers above each other */
#define NUMBER_GAP 1.0 /* between two numbers beside each other */

#define N_STOPS 128
#define END_DIGITS 3

typedef struct
{
  double fraction; /* of the bar, from its low end */
  char *text;      /* owned */
} Mark;

/* In order of importance: ends, then the rest. (element-type Mark) */
static GArray *
create_marks (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Mark));
}

static void
free_marks (GArray *marks)
{
  for (guint i = 0; i < marks->len; i++)
    g_free (g_array_index (marks, Mark, i).text);
  g_array_unref (marks);
}

static void
add_mark (GArray *marks, double fraction, char *text)
{
  const Mark mark = { fraction, text };

  g_array_append_val (marks, mark);
}

static double
get_fraction (const AtnRange *range, double value)
{
  if (range->is_log)
    return log (value / range->low) / log (range->high / range->low);
  return (value - range->low) / (range->high - range->low);
}

static double
get_value (const AtnRange *range, double fraction)
{
  if (range->is_log)
    return range->low * pow (range->high / range->low, fraction);
  return range->low + (range->high - range->low) * fraction;
}

/* Where every panel has a range of its own, the bar only says what its ends mean. */
static GArray *
dup_marks_without_numbers (const AtnRange *range)
{
  GArray *marks = create_marks ();

  add_mark (marks, 1, g_strdup (C_ ("colour bar", "max")));
  if (range->is_signed) {
    add_mark (marks, 0, g_strdup (C_ ("colour bar", "−max")));
    add_mark (marks, 0.5, g_strdup ("0"));
  } else {
    add_mark (marks, 0, g_strdup (range->is_log ? C_ ("colour bar", "min") : "0"));
  }
  return marks;
}

static GArray *
dup_marks (const AtnRange *range, size_t n_wanted)
{
  GArray *marks = create_marks ();
  double ticks[ATN_MAX_TICKS];
  size_t n_ticks;

  add_mark (marks, 0, atn_ticks_dup_text (range->low, END_DIGITS));
  add_mark (marks, 1, atn_ticks_dup_text (range->high, END_DIGITS));
  if (range->is_signed && range->low < 0 && range->high > 0)
    add_mark (marks, get_fraction (range, 0), g_strdup ("0"));

  n_ticks = range->is_log ? atn_ticks_log (range->low, range->high, n_wanted, ticks)
                          : atn_ticks_linear (range->low, range->high, n_wanted, ticks);
  for (size_t i = 0; i < n_ticks; i++)
    add_mark (marks, get_fraction (range, ticks[i]), atn_ticks_dup_text (ticks[i], 6));
  return marks;
}

static GArray *
dup_marks_of_figure (const AtnFigure *figure, const AtnRange *range, size_t n_wanted)
{
  if (figure->kind == ATN_FIGURE_SHEET && !atn_figure_has_one_range (figure))
    return dup_marks_without_numbers (range);
  return dup_marks (range, n_wanted);
}

static bool
covers_whole_map (const AtnFigure *figure)
{
  return figure->kind == ATN_FIGURE_SHEET && !atn_figure_has_one_range (figure);
}

double
atn_color_bar_get_breadth (const AtnFigure *figure, const AtnText *text, bool is_vertical)
{
  const double em = atn_plot_style_get_em (&figure->style);
  GArray *marks;
  double widest = 0;

  if (!is_vertical)
    return (0.6 + ATN_TICK_EM + 1.1) * em;

  marks = dup_marks_of_figure (figure, &figure->panels[0].range, 6);
  for (guint i = 0; i < marks->len; i++) {
    PangoLayout *layout = atn_text_create_line (text, g_array_index (marks, Mark, i).text, 0);
    double width, height;

    atn_text_get_size (layout, &width, &height);
    widest = fmax (widest, width);
    g_object_unref (layout);
  }
  free_marks (marks);
  return (BAR + ATN_TICK_EM + TEXT_GAP) * em + widest;
}

/* One gradient: steps side by side would have edges that viewers smooth. */
static void
draw_colors (const AtnFigure *figure,
             const AtnRange *range,
             bool is_vertical,
             const AtnPanelBox *box,
             cairo_t *cr)
{
  const AtnColormap map = atn_colormap_resolve (figure->style.colormap, range->is_signed);
  cairo_pattern_t *gradient = is_vertical
                                ? cairo_pattern_create_linear (0, box->y + box->height, 0, box->y)
                                : cairo_pattern_create_linear (box->x, 0, box->x + box->width, 0);

  for (int i = 0; i <= N_STOPS; i++) {
    const double fraction = (double) i / N_STOPS;
    const double position = covers_whole_map (figure)
                              ? fraction
                              : atn_range_get_position (range, get_value (range, fraction));
    const AtnColor color = atn_colormap_get_color (map, position);

    cairo_pattern_add_color_stop_rgb (gradient, fraction, color.red, color.green, color.blue);
  }
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_set_source (cr, gradient);
  cairo_fill (cr);
  cairo_pattern_destroy (gradient);
}

/* Whether a number from @start to @end touches one of those that are there already. */
static bool
is_taken (const GArray *spans, double start, double end)
{
  for (guint i = 0; i + 1 < spans->len; i += 2)
    if (start < g_array_index (spans, double, i + 1) && end > g_array_index (spans, double, i))
      return true;
  return false;
}

static void
draw_mark (const AtnText *text,
           const Mark *mark,
           bool is_vertical,
           const AtnPanelBox *box,
           GArray *spans,
           cairo_t *cr)
{
  const double em = text->size / FONT;
  PangoLayout *layout = atn_text_create_line (text, mark->text, 0);
  double width, height, at, half, start, end;

  atn_text_get_size (layout, &width, &height);
  at = is_vertical ? box->y + (1 - mark->fraction) * box->height
                   : box->x + mark->fraction * box->width;
  half = is_vertical ? TICK_PITCH * em / 2 : width / 2 + NUMBER_GAP / 2 * em;
  start = at - half;
  end = at + half;
  if (!is_vertical) {
    /* The numbers at the ends stay over the bar. */
    start = fmax (box->x - NUMBER_GAP / 2 * em,
                  fmin (start, box->x + box->width + NUMBER_GAP / 2 * em - 2 * half));
    end = start + 2 * half;
  }
  if (is_taken (spans, start, end)) {
    g_object_unref (layout);
    return;
  }
  g_array_append_val (spans, start);
  g_array_append_val (spans, end);

  if (is_vertical) {
    cairo_move_to (cr, box->x + box->width, at);
    cairo_rel_line_to (cr, ATN_TICK_EM * em, 0);
    cairo_stroke (cr);
    atn_text_show_line (cr, layout, box->x + box->width + (ATN_TICK_EM + TEXT_GAP) * em, at, 0);
  } else {
    cairo_move_to (cr, at, box->y + box->height);
    cairo_rel_line_to (cr, 0, ATN_TICK_EM * em);
    cairo_stroke (cr);
    atn_text_show (cr, layout, (start + end) / 2, box->y + box->height + ATN_TICK_EM * em, 0.5, 0);
  }
}

void
atn_color_bar_draw (const AtnFigure *figure,
                    const AtnRange *range,
                    bool is_vertical,
                    const AtnPanelBox *box,
                    const AtnPixels *pixels,
                    cairo_t *cr)
{
  const double em = atn_plot_style_get_em (&figure->style);
  const double length = is_vertical ? box->height : box->width;
  const AtnPanelBox snapped = { atn_pixels_snap_x (pixels, box->x),
                                atn_pixels_snap_y (pixels, box->y), box->width, box->height };
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (double));
  const size_t n_wanted = (size_t) CLAMP (length / (3 * em), 2, 6);
  GArray *marks = dup_marks_of_figure (figure, range, n_wanted);
  AtnText text;

  cairo_save (cr);
  draw_colors (figure, range, is_vertical, &snapped, cr);
  atn_text_init (&text, cr, FONT * em, PANGO_WEIGHT_NORMAL);
  atn_set_source_color (cr, figure->style.foreground);
  cairo_set_line_width (cr, 0.07 * em);
  for (guint i = 0; i < marks->len; i++)
    draw_mark (&text, &g_array_index (marks, Mark, i), is_vertical, &snapped, spans, cr);
  cairo_restore (cr);

  atn_text_clear (&text);
  free_marks (marks);
  g_array_unref (spans);
}
