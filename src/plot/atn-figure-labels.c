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
#define DIGIT 0.56

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

/* Indices of those that are probably the longest of the labels 0, @step, 2 @step … */
static size_t
find_longest (char **labels, size_t n_labels, size_t step, size_t *longest)
{
  size_t widths[N_LONGEST] = { 0 };
  size_t n_found = 0;

  for (size_t i = 0; i < n_labels; i += MIN (step, n_labels)) {
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

static double
measure_stack (const AtnText *text, const char *label)
{
  PangoLayout *layout = atn_text_create_stack (text, label);
  double width, height;

  atn_text_get_size (layout, &width, &height);
  g_object_unref (layout);
  return height;
}

/* The longest of labels that are too many to be measured one by one. */
static AtnLabelLengths
guess_lengths (const AtnLabelSizes *self, size_t step)
{
  AtnLabelLengths lengths = { 0, 0 };
  size_t longest[N_LONGEST];
  const size_t n_longest = find_longest (self->labels, self->n_labels, step, longest);

  for (size_t i = 0; i < n_longest; i++)
    lengths.flat =
      fmax (lengths.flat, measure_one (self->text, self->labels[longest[i]], self->max));
  lengths.flat = lengths.upright = fmin (lengths.flat, self->max);
  return lengths;
}

static void
measure_all (AtnLabelSizes *self)
{
  for (size_t i = 0; i < self->n_labels; i++) {
    const bool is_stack = atn_text_is_stackable (self->labels[i]);

    self->widths[i] = measure_one (self->text, self->labels[i], self->max);
    self->has_stacks = self->has_stacks || is_stack;
    self->all.flat = fmax (self->all.flat, self->widths[i]);
    self->all.upright =
      fmax (self->all.upright,
            is_stack ? measure_stack (self->text, self->labels[i]) : self->widths[i]);
  }
  self->all.flat = fmin (self->all.flat, self->max);
}

/* Makes @lengths cover the stacks among the labels 0, @step, 2 @step … */
static void
cover_stacks (AtnLabelSizes *self, size_t step, AtnLabelLengths *lengths)
{
  for (size_t i = 0; i < self->n_labels; i += MIN (step, self->n_labels)) {
    if (!atn_text_is_stackable (self->labels[i]))
      continue;
    self->has_stacks = true;
    if (lengths->upright < self->max)
      lengths->upright = fmax (lengths->upright, measure_stack (self->text, self->labels[i]));
  }
}

void
atn_label_sizes_init (AtnLabelSizes *self,
                      const AtnText *text,
                      char **labels,
                      size_t n_labels,
                      double max)
{
  *self = (AtnLabelSizes){ .text = text, .labels = labels, .n_labels = n_labels, .max = max };
  self->n_measured = MIN (n_labels, MAX_MEASURED);
  self->widths = g_new0 (double, self->n_measured);

  if (n_labels <= MAX_MEASURED) {
    measure_all (self);
  } else {
    self->all = guess_lengths (self, 1);
    cover_stacks (self, 1, &self->all);
  }
}

void
atn_label_sizes_clear (AtnLabelSizes *self)
{
  g_clear_pointer (&self->widths, g_free);
}

AtnLabelLengths
atn_label_sizes_get_lengths (AtnLabelSizes *self, size_t step)
{
  if (step <= 1 || self->text == NULL)
    return self->all;

  if (self->thinned_step != step) {
    self->thinned = guess_lengths (self, step);
    self->thinned_step = step;
    if (self->has_stacks)
      cover_stacks (self, step, &self->thinned);
  }
  return self->thinned;
}

void
atn_label_sizes_solve (AtnLabelSizes *self,
                       double em,
                       double cell,
                       size_t step,
                       double extra,
                       AtnKeyMode *mode,
                       double *height,
                       double *overhang)
{
  *overhang = 0;
  if (self->all.flat <= cell - FLAT_MARGIN * em) {
    *mode = ATN_KEYS_FLAT;
    *height = LINE_PITCH * em;
    return;
  }
  if (cell < DIAGONAL_PITCH * em || self->has_stacks) {
    *mode = ATN_KEYS_VERTICAL;
    *height = atn_label_sizes_get_lengths (self, step).upright + extra;
    return;
  }

  *mode = ATN_KEYS_DIAGONAL;
  *height = (self->all.flat + 0.6 * em) * M_SQRT1_2;
  for (size_t i = 0; i < self->n_measured; i++) {
    const double right = (self->widths[i] + 0.6 * em) * M_SQRT1_2;

    *overhang = fmax (*overhang, right - ((double) (self->n_measured - 1 - i) + 0.5) * cell);
  }
}

static size_t
get_step (double cell, double pitch)
{
  static const size_t FACTORS[] = { 1, 2, 5 };

  for (size_t power = 1; power < G_MAXSIZE / 100; power *= 10)
    for (size_t i = 0; i < G_N_ELEMENTS (FACTORS); i++)
      if ((double) (FACTORS[i] * power) * cell >= pitch)
        return FACTORS[i] * power;
  return G_MAXSIZE;
}

size_t
atn_labels_get_query_step (double em, double cell)
{
  return get_step (cell, LINE_PITCH * em);
}

size_t
atn_labels_get_key_step (double em, double cell, AtnKeyMode mode, bool has_stacks)
{
  switch (mode) {
  case ATN_KEYS_FLAT:
    return 1;
  case ATN_KEYS_DIAGONAL:
    return get_step (cell, DIAGONAL_PITCH * em);
  default:
    return get_step (cell, (has_stacks ? MAX_STACK_PITCH : LINE_PITCH) * em);
  }
}

double
atn_labels_get_number_width (double em, size_t n_labels)
{
  double width = DIGIT + 0.28;

  for (size_t n = n_labels; n > 10; n /= 10)
    width += DIGIT;
  return width * em;
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
  cairo_rel_line_to (cr, dx * ATN_TICK_EM * layout->em, dy * ATN_TICK_EM * layout->em);
  cairo_stroke (cr);
}

static PangoLayout *
create_label (const AtnText *text, const char *label, size_t index, size_t step, double max_width)
{
  return step > 1 ? atn_text_create_numbered (text, index, label, max_width)
                  : atn_text_create_line (text, label, max_width);
}

static void
draw_query_labels (const AtnFigure *figure,
                   const AtnLayout *layout,
                   const AtnPanelBox *box,
                   cairo_t *cr)
{
  const AtnViewport *view = &layout->view;
  const double cell = box->height / view->n_rows;
  const size_t step = layout->query_step;
  const double x = box->x - (ATN_GAP_EM + (step > 1 ? ATN_TICK_EM : 0)) * layout->em;
  AtnText text;

  atn_text_init (&text, cr, layout->em, PANGO_WEIGHT_NORMAL);
  for (size_t i = get_first (view->first_row, step); i < figure->n_rows; i += step) {
    const double y = box->y + ((double) i + 0.5 - view->first_row) * cell;

    if (y > box->y + box->height)
      break;
    atn_text_show_line (cr,
                        create_label (&text, figure->query_labels[i], i, step, layout->query_width),
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
                size_t index,
                size_t step,
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
      atn_text_show_line (cr, create_label (turned, label, index, step, layout->key_height), 0, 0,
                          0);
    }
    break;
  }
}

static void
draw_key_labels (const AtnFigure *figure,
                 const AtnLayout *layout,
                 const AtnPanelBox *box,
                 cairo_t *cr)
{
  const AtnViewport *view = &layout->view;
  const double cell = box->width / view->n_cols;
  const size_t step = layout->key_step;
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
    cairo_translate (cr, x, box->y - (ATN_GAP_EM + (step > 1 ? ATN_TICK_EM : 0)) * layout->em);
    draw_key_label (layout, &turned, &upright, figure->key_labels[i], i, step, cell, cr);
    cairo_restore (cr);
    if (step > 1)
      draw_tick (layout, cr, x, box->y, 0, -1);
  }
  atn_text_clear (&turned);
  atn_text_clear (&upright);
}

/* "key →" and "query ↓" where the axes meet: both or none. */
static void
draw_corner (const AtnFigure *figure, const AtnLayout *layout, cairo_t *cr)
{
  /* Away from the first labels, which stand out where cells are small. */
  const double clear = fmax (ATN_GAP_EM, LINE_PITCH / 2 + 0.1 - layout->cell / layout->em / 2);
  const double x = layout->first.x - clear * layout->em;
  const double y = layout->first.y - (clear - 0.2) * layout->em;
  PangoLayout *lines[2];
  double width[2], height[2];
  AtnText text;

  atn_text_init (&text, cr, 0.8 * layout->em, PANGO_WEIGHT_NORMAL);
  for (int i = 0; i < 2; i++) {
    g_autofree char *label =
      g_strconcat (i == 0 ? figure->query_title : figure->key_title, i == 0 ? " ↓" : " →", NULL);

    lines[i] = atn_text_create_line (&text, label, 0);
    atn_text_get_size (lines[i], &width[i], &height[i]);
  }
  if (fmax (width[0], width[1]) <= x - layout->pad / 4) {
    atn_set_source_color (cr, atn_plot_style_get_muted (&figure->style));
    atn_text_show (cr, g_object_ref (lines[0]), x, y, 1, 1);
    atn_text_show (cr, g_object_ref (lines[1]), x, y - height[0], 1, 1);
  }
  g_object_unref (lines[0]);
  g_object_unref (lines[1]);
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
  if (layout->has_corner)
    draw_corner (figure, layout, cr);
}
