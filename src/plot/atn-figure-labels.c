/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Tokens along the two axes. Labels thin out by 2, 5, 10 … rather than shrink or overlap,
 * always beginning with the first token; a small tick then says which row a label means.
 */

#include "plot/atn-figure-private.h"

/* In em. */
#define LINE_PITCH 1.3
#define DIAGONAL_PITCH (LINE_PITCH * G_SQRT2)
#define MAX_STACK_PITCH 1.5
#define FLAT_MARGIN 0.4
#define TICK 0.3

/* So many labels are measured one by one, of more only the longest by a guess. */
#define MAX_MEASURED 64
#define N_LONGEST 4

static double
measure_one (const AtnText *text, const char *label, double max)
{
  PangoLayout *layout = atn_text_create_line (text, label, max);
  double width, height;

  atn_text_get_size (layout, &width, &height);
  g_object_unref (layout);
  return width;
}

/* Indices of the labels that are probably the longest. */
static size_t
find_longest (char **labels, size_t n_labels, size_t *longest)
{
  size_t widths[N_LONGEST] = { 0 };
  size_t n_found = 0;

  for (size_t i = 0; i < n_labels; i++) {
    const size_t width = atn_text_estimate_width (labels[i]);
    size_t at = n_found;

    while (at > 0 && widths[at - 1] < width)
      at--;
    if (at == N_LONGEST)
      continue;
    n_found = MIN (n_found + 1, N_LONGEST);
    memmove (&widths[at + 1], &widths[at], (n_found - at - 1) * sizeof *widths);
    memmove (&longest[at + 1], &longest[at], (n_found - at - 1) * sizeof *longest);
    widths[at] = width;
    longest[at] = i;
  }
  return n_found;
}

double
atn_labels_measure (const AtnText *text, char **labels, size_t n_labels, double max)
{
  double width = 0;

  if (n_labels <= MAX_MEASURED) {
    for (size_t i = 0; i < n_labels && width < max; i++)
      width = fmax (width, measure_one (text, labels[i], max));
  } else {
    size_t longest[N_LONGEST];
    const size_t n_longest = find_longest (labels, n_labels, longest);

    for (size_t i = 0; i < n_longest; i++)
      width = fmax (width, measure_one (text, labels[longest[i]], max));
  }
  return fmin (width, max);
}

static bool
has_stackable (char **labels, size_t n_labels)
{
  for (size_t i = 0; i < n_labels; i++)
    if (atn_text_is_stackable (labels[i]))
      return true;
  return false;
}

/* The longest upright label: stacks are as long as they are high. */
static double
measure_vertical (const AtnText *text, char **labels, size_t n_labels, double max)
{
  double length = 0;

  for (size_t i = 0; i < n_labels && length < max; i++) {
    if (atn_text_is_stackable (labels[i])) {
      PangoLayout *layout = atn_text_create_stack (text, labels[i]);
      double width, height;

      atn_text_get_size (layout, &width, &height);
      length = fmax (length, height);
      g_object_unref (layout);
    } else if (n_labels <= MAX_MEASURED) {
      length = fmax (length, measure_one (text, labels[i], max));
    }
  }
  if (n_labels > MAX_MEASURED)
    length = fmax (length, atn_labels_measure (text, labels, n_labels, max));
  return length;
}

void
atn_labels_measure_keys (const AtnFigure *figure,
                         const AtnText *text,
                         double cell,
                         double max,
                         AtnKeyMode *mode,
                         double *height,
                         double *overhang)
{
  const size_t n = figure->n_cols;
  const double em = text->size;
  const double longest = atn_labels_measure (text, figure->key_labels, n, max);
  double widest_at_end = 0;

  *overhang = 0;
  if (longest <= cell - FLAT_MARGIN * em) {
    *mode = ATN_KEYS_FLAT;
    *height = LINE_PITCH * em;
    return;
  }
  if (cell < DIAGONAL_PITCH * em || has_stackable (figure->key_labels, n)) {
    *mode = ATN_KEYS_VERTICAL;
    *height = measure_vertical (text, figure->key_labels, n, max);
    return;
  }

  *mode = ATN_KEYS_DIAGONAL;
  *height = (longest + 0.6 * em) * M_SQRT1_2;
  for (size_t i = n > MAX_MEASURED ? n - MAX_MEASURED : 0; i < n; i++) {
    const double width = measure_one (text, figure->key_labels[i], max) + 0.6 * em;

    widest_at_end = fmax (widest_at_end, width * M_SQRT1_2 - ((double) (n - 1 - i) + 0.5) * cell);
  }
  *overhang = widest_at_end;
}

size_t
atn_labels_get_step (double cell, double pitch)
{
  static const size_t FACTORS[] = { 1, 2, 5 };

  for (size_t power = 1; power < G_MAXSIZE / 100; power *= 10)
    for (size_t i = 0; i < G_N_ELEMENTS (FACTORS); i++)
      if ((double) (FACTORS[i] * power) * cell >= pitch)
        return FACTORS[i] * power;
  return G_MAXSIZE;
}

/* The labels of an axis that are in view: multiples of @step whose cell's middle shows. */
static size_t
get_first (double first, size_t step)
{
  const size_t index = (size_t) fmax (0, ceil (first - 0.5));

  return (index + step - 1) / step * step;
}

static void
draw_tick (const AtnLayout *layout, cairo_t *cr, double x, double y, double dx, double dy)
{
  cairo_move_to (cr, x, y);
  cairo_rel_line_to (cr, dx * TICK * layout->em, dy * TICK * layout->em);
  cairo_stroke (cr);
}

static void
draw_query_labels (const AtnFigure *figure,
                   const AtnLayout *layout,
                   const AtnPanelBox *box,
                   cairo_t *cr)
{
  const AtnViewport *view = &layout->view;
  const double cell = box->height / view->n_rows;
  const size_t step = atn_labels_get_step (cell, LINE_PITCH * layout->em);
  const double x = box->x - ATN_GAP_EM * layout->em;
  AtnText text;

  atn_text_init (&text, cr, layout->em, PANGO_WEIGHT_NORMAL);
  for (size_t i = get_first (view->first_row, step); i < figure->n_rows; i += step) {
    const double y = box->y + ((double) i + 0.5 - view->first_row) * cell;

    if (y > box->y + box->height)
      break;
    atn_text_show_line (cr,
                        atn_text_create_line (&text, figure->query_labels[i], layout->query_width),
                        x, y, 1);
    if (step > 1)
      draw_tick (layout, cr, box->x, y, -1, 0);
  }
  atn_text_clear (&text);
}

/* Sets the origin to the foot of a key label and turns the axes so that it lies along x. */
static void
turn (cairo_t *cr, AtnKeyMode mode)
{
  if (mode == ATN_KEYS_VERTICAL)
    cairo_rotate (cr, -G_PI_2);
  else if (mode == ATN_KEYS_DIAGONAL)
    cairo_rotate (cr, -G_PI_4);
}

static void
draw_key_label (const AtnLayout *layout,
                const AtnText *turned,
                const AtnText *upright,
                const char *label,
                double cell,
                cairo_t *cr)
{
  const double em = layout->em;

  switch (layout->key_mode) {
  case ATN_KEYS_FLAT:
    atn_text_show (cr, atn_text_create_line (upright, label, cell), 0, 0, 0.5, 1);
    break;
  case ATN_KEYS_DIAGONAL:
    turn (cr, layout->key_mode);
    /* Its foot stands over the middle of the column. */
    atn_text_show_line (cr, atn_text_create_line (turned, label, layout->key_max), 0.1 * em, 0, 0);
    break;
  case ATN_KEYS_VERTICAL:
    if (atn_text_is_stackable (label)) {
      atn_text_show (cr, atn_text_create_stack (upright, label), 0, 0.2 * em, 0.5, 1);
    } else {
      turn (cr, layout->key_mode);
      atn_text_show_line (cr, atn_text_create_line (turned, label, layout->key_height), 0, 0, 0);
    }
    break;
  }
}

static double
get_key_pitch (const AtnFigure *figure, const AtnLayout *layout)
{
  if (layout->key_mode == ATN_KEYS_FLAT)
    return 0;
  if (layout->key_mode == ATN_KEYS_DIAGONAL)
    return DIAGONAL_PITCH * layout->em;
  return (has_stackable (figure->key_labels, figure->n_cols) ? MAX_STACK_PITCH : LINE_PITCH) *
         layout->em;
}

static void
draw_key_labels (const AtnFigure *figure,
                 const AtnLayout *layout,
                 const AtnPanelBox *box,
                 cairo_t *cr)
{
  const AtnViewport *view = &layout->view;
  const double cell = box->width / view->n_cols;
  const size_t step = atn_labels_get_step (cell, get_key_pitch (figure, layout));
  AtnText turned, upright;

  atn_text_init (&upright, cr, layout->em, PANGO_WEIGHT_NORMAL);
  cairo_save (cr);
  turn (cr, layout->key_mode);
  atn_text_init (&turned, cr, layout->em, PANGO_WEIGHT_NORMAL);
  cairo_restore (cr);

  for (size_t i = get_first (view->first_col, step); i < figure->n_cols; i += step) {
    const double x = box->x + ((double) i + 0.5 - view->first_col) * cell;

    if (x > box->x + box->width)
      break;
    cairo_save (cr);
    cairo_translate (cr, x, box->y - ATN_GAP_EM * layout->em);
    draw_key_label (layout, &turned, &upright, figure->key_labels[i], cell, cr);
    cairo_restore (cr);
    if (step > 1)
      draw_tick (layout, cr, x, box->y, 0, -1);
  }
  atn_text_clear (&turned);
  atn_text_clear (&upright);
}

/* "key →" and "query ↓" where the axes meet. */
static void
draw_corner (const AtnFigure *figure, const AtnLayout *layout, cairo_t *cr)
{
  const double gap = ATN_GAP_EM * layout->em;
  const double room = layout->first.x - layout->pad / 2;
  const char *const titles[] = { figure->query_title, figure->key_title };
  static const char *const ARROWS[] = { "↓", "→" };
  AtnText text;

  atn_text_init (&text, cr, 0.8 * layout->em, PANGO_WEIGHT_NORMAL);
  atn_set_source_color (cr, atn_plot_style_get_muted (&figure->style));
  for (int i = 0; i < 2; i++) {
    g_autofree char *label = NULL;
    PangoLayout *line;
    double width, height;

    if (titles[i] == NULL)
      continue;
    label = g_strconcat (titles[i], " ", ARROWS[i], NULL);
    line = atn_text_create_line (&text, label, 0);
    atn_text_get_size (line, &width, &height);
    if (width > room || (i + 1) * height > layout->key_height + gap) {
      g_object_unref (line);
      continue;
    }
    atn_text_show (cr, line, layout->first.x - gap, layout->first.y - 0.5 * gap - i * 1.1 * height,
                   1, 1);
  }
  atn_text_clear (&text);
}

static void
draw_sheet_titles (const AtnFigure *figure, const AtnLayout *layout, cairo_t *cr)
{
  const double gap = ATN_GAP_EM * layout->em;
  AtnText text;
  AtnPanelBox box;

  atn_text_init (&text, cr, layout->em, PANGO_WEIGHT_NORMAL);
  for (size_t row = 0; figure->row_titles != NULL && row < layout->n_panel_rows; row++) {
    atn_layout_get_panel (layout, row * layout->n_panel_cols, &box);
    atn_text_show_line (cr,
                        atn_text_create_line (&text, figure->row_titles[row], layout->query_width),
                        box.x - gap, box.y + box.height / 2, 1);
  }
  for (size_t col = 0; figure->col_titles != NULL && col < layout->n_panel_cols; col++) {
    atn_layout_get_panel (layout, col, &box);
    atn_text_show (cr, atn_text_create_line (&text, figure->col_titles[col], box.width),
                   box.x + box.width / 2, box.y - gap, 0.5, 1);
  }
  atn_text_clear (&text);
}

void
atn_labels_draw (const AtnFigure *figure, const AtnLayout *layout, cairo_t *cr)
{
  AtnPanelBox box;

  if (!figure->style.show_labels)
    return;

  atn_set_source_color (cr, figure->style.foreground);
  cairo_set_line_width (cr, 0.07 * layout->em);
  if (figure->kind == ATN_FIGURE_SHEET) {
    draw_sheet_titles (figure, layout, cr);
    return;
  }

  for (size_t i = 0; i < figure->n_panels; i++) {
    atn_layout_get_panel (layout, i, &box);
    if (figure->query_labels != NULL && i % layout->n_panel_cols == 0)
      draw_query_labels (figure, layout, &box, cr);
    if (figure->key_labels != NULL)
      draw_key_labels (figure, layout, &box, cr);
  }
  if (figure->query_labels != NULL && figure->key_labels != NULL)
    draw_corner (figure, layout, cr);
}
