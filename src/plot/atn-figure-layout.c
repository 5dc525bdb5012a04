/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Where everything goes. A figure is a grid of equal panels with margins:
 *
 *   pad │ left │ panel │ gap │ panel │ right │ pad      left:  query labels or row titles
 *                                                       above: key labels or column titles
 *
 * The side of a cell is what the margins leave, divided by the cells; the natural size is the
 * same sum the other way round. The margins hold the labels that are drawn, and those depend on
 * the cell: small cells leave labels out, wide ones let keys lie at 45°. So the cell is guessed
 * with room for all labels, which makes it the smallest possible, then solved for again, and once
 * more if that leads to other labels than it began with.
 */

#include "plot/atn-figure-private.h"

/* In em. */
#define PAD 1.0
#define MAX_LABEL 9.5
#define STRIP_GAP 2.4
#define SHEET_GAP 0.35
#define MIN_NATURAL_WIDTH 20.0
#define MAX_TITLE_WIDTH 38.0
#define CAPTION_GAP 0.8
/* "query ↓" and "key →" above each other */
#define CORNER_WIDTH 3.4
#define CORNER_HEIGHT 1.9

/* Natural cells, in em and units. */
#define MAX_CELL_EM 2.8
#define LABEL_CELL_EM 1.4
#define MAX_MATRIX 900.0
#define MAX_STRIP_MATRIX 420.0
#define MIN_CELL 2.0

/* Below so many pixels a cell is not cut down to whole pixels, which would waste too much room;
 * neighbours then differ by one pixel. */
#define MIN_WHOLE_PIXELS 12.0

typedef struct
{
  double left, right, above, below; /* of the grid of panels, with the gaps to it */
} Margins;

/* What was measured once, before anything is known of the cells. */
typedef struct
{
  double max;            /* longest label that is allowed */
  double bar;            /* breadth of a colour bar; 0: none */
  AtnText text;          /* of the labels */
  AtnLabelSizes queries; /* or row titles */
  AtnLabelSizes keys;
  bool are_same; /* @keys borrows from @queries */
} Sizes;

/* Where a figure goes. */
typedef struct
{
  double width;
  double height;
  const AtnPixels *pixels;
} Ground;

static void
set_grid (AtnLayout *self, const AtnFigure *figure, const AtnViewport *viewport)
{
  self->em = atn_plot_style_get_em (&figure->style);
  self->pad = PAD * self->em;
  self->n_panel_cols = figure->n_panel_cols > 0 ? figure->n_panel_cols : figure->n_panels;
  if (figure->style.show_color_bar && figure->kind != ATN_FIGURE_STRIP)
    self->min_height = ATN_MIN_BAR_EM * self->em;
  self->n_panel_rows = (figure->n_panels + self->n_panel_cols - 1) / self->n_panel_cols;
  if (viewport != NULL)
    self->view = *viewport;
  else
    self->view = (AtnViewport){ 0, 0, (double) figure->n_rows, (double) figure->n_cols };
}

/* Title and caption, which do not depend on the cells. */
static void
measure_text (AtnLayout *self, const AtnFigure *figure, double width)
{
  const AtnPlotStyle *style = &figure->style;
  double caption_width = 0, height;
  PangoLayout *layout;
  AtnText text;

  self->text_width = fmax (width - 2 * self->pad, self->em);
  self->title_height = self->title_width = self->caption_height = 0;
  self->panel_title_height =
    figure->kind == ATN_FIGURE_STRIP && style->show_title ? 1.6 * self->em : 0;

  if (style->show_title && figure->title != NULL) {
    atn_text_init (&text, NULL, ATN_TITLE_EM * self->em, PANGO_WEIGHT_BOLD);
    layout = atn_text_create_line (&text, figure->title, self->text_width);
    atn_text_get_size (layout, &self->title_width, &height);
    self->title_height = 2.1 * self->em;
    g_object_unref (layout);
    atn_text_clear (&text);
  }
  if (style->show_caption && figure->caption != NULL && *figure->caption != '\0') {
    atn_text_init (&text, NULL, ATN_CAPTION_EM * self->em, PANGO_WEIGHT_NORMAL);
    layout = atn_text_create_paragraph (&text, figure->caption, self->text_width);
    atn_text_get_size (layout, &caption_width, &height);
    self->caption_height = height + CAPTION_GAP * self->em;
    g_object_unref (layout);
    atn_text_clear (&text);
  }
  self->used_text_width = fmin (fmax (self->title_width, caption_width), self->text_width);
}

static bool
are_equal (char *const *a, char *const *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!g_str_equal (a[i], b[i]))
      return false;
  return true;
}

static void
sizes_init (Sizes *self, const AtnLayout *layout, const AtnFigure *figure, double max)
{
  const AtnPlotStyle *style = &figure->style;
  AtnText text;

  *self = (Sizes){ .max = max };
  atn_text_init (&self->text, NULL, layout->em, PANGO_WEIGHT_NORMAL);
  atn_text_init (&text, NULL, 0.85 * layout->em, PANGO_WEIGHT_NORMAL);
  if (style->show_color_bar)
    self->bar = atn_color_bar_get_breadth (figure, &text, figure->kind != ATN_FIGURE_STRIP);
  atn_text_clear (&text);
  if (!style->show_labels)
    return;

  if (figure->kind == ATN_FIGURE_SHEET) {
    if (figure->row_titles != NULL)
      atn_label_sizes_init (&self->queries, &self->text, figure->row_titles, layout->n_panel_rows,
                            max);
  } else {
    if (figure->query_labels != NULL)
      atn_label_sizes_init (&self->queries, &self->text, figure->query_labels, figure->n_rows, max);
    /* Self-attention has the same tokens on both sides. */
    self->are_same = figure->query_labels != NULL && figure->key_labels != NULL &&
                     figure->n_rows == figure->n_cols &&
                     are_equal (figure->query_labels, figure->key_labels, figure->n_cols);
    if (self->are_same)
      self->keys = self->queries;
    else if (figure->key_labels != NULL)
      atn_label_sizes_init (&self->keys, &self->text, figure->key_labels, figure->n_cols, max);
  }
}

static void
sizes_clear (Sizes *self)
{
  if (!self->are_same)
    atn_label_sizes_clear (&self->keys);
  atn_label_sizes_clear (&self->queries);
  atn_text_clear (&self->text);
}

/* @cell: 0 for room for every label, whatever is drawn. */
static void
measure_key_labels (AtnLayout *self,
                    const AtnFigure *figure,
                    Sizes *sizes,
                    double cell,
                    double *overhang)
{
  const bool has_stacks = sizes->keys.has_stacks;
  const size_t step = atn_labels_get_key_step (self->em, cell, ATN_KEYS_VERTICAL, has_stacks);
  /* The number stands before the label, and a tick takes the place of the gap. */
  const double extra =
    step > 1 ? atn_labels_get_number_width (self->em, figure->n_cols) + ATN_TICK_EM * self->em : 0;

  self->key_max = sizes->max;
  atn_label_sizes_solve (&sizes->keys, self->em, cell, cell > 0 ? step : 1, extra, &self->key_mode,
                         &self->key_height, overhang);
  self->key_step = atn_labels_get_key_step (self->em, cell, self->key_mode, has_stacks);
}

/* Likewise. */
static void
measure_query_labels (AtnLayout *self, const AtnFigure *figure, Sizes *sizes, double cell)
{
  self->query_step = atn_labels_get_query_step (self->em, cell);
  self->query_width =
    atn_label_sizes_get_lengths (&sizes->queries, cell > 0 ? self->query_step : 1).flat;
  if (self->query_step > 1)
    self->query_width +=
      atn_labels_get_number_width (self->em, figure->n_rows) + ATN_TICK_EM * self->em;
}

static void
measure_labels (AtnLayout *self,
                const AtnFigure *figure,
                Sizes *sizes,
                double cell,
                Margins *margins)
{
  double overhang = 0;

  self->query_width = self->key_height = 0;
  self->query_step = self->key_step = 1;
  self->has_corner = false;
  if (!figure->style.show_labels)
    return;

  if (figure->kind == ATN_FIGURE_SHEET) {
    self->query_width = sizes->queries.all.flat;
    self->key_height = figure->col_titles != NULL ? 1.2 * self->em : 0;
    return;
  }
  if (figure->query_labels != NULL)
    measure_query_labels (self, figure, sizes, cell);
  if (figure->key_labels != NULL)
    measure_key_labels (self, figure, sizes, cell, &overhang);

  margins->right = fmax (margins->right, overhang);
  self->has_corner = figure->query_labels != NULL && figure->key_labels != NULL &&
                     figure->query_title != NULL && figure->key_title != NULL;
  if (self->has_corner) {
    self->query_width = fmax (self->query_width, CORNER_WIDTH * self->em);
    self->key_height = fmax (self->key_height, CORNER_HEIGHT * self->em);
  }
}

/* @cell: a guess for the side of a cell, which decides what labels are drawn and how keys lie; 0
 * for room for all of them. */
static void
measure_margins (AtnLayout *self,
                 const AtnFigure *figure,
                 Sizes *sizes,
                 double cell,
                 Margins *margins)
{
  const double gap = ATN_GAP_EM * self->em;
  const bool is_strip = figure->kind == ATN_FIGURE_STRIP;

  *margins = (Margins){ 0 };
  if (sizes->bar > 0 && is_strip)
    margins->below = 2 * gap + sizes->bar;
  else if (sizes->bar > 0)
    margins->right = 2 * gap + sizes->bar;

  measure_labels (self, figure, sizes, cell, margins);
  margins->left = self->query_width > 0 ? self->query_width + gap : 0;
  margins->above = self->panel_title_height + (self->key_height > 0 ? self->key_height + gap : 0);

  self->gap_x = self->gap_y = 0;
  if (is_strip) {
    self->gap_x = ceil (STRIP_GAP * self->em);
    self->gap_y = ceil (margins->above + margins->below + self->em);
  } else if (figure->kind == ATN_FIGURE_SHEET) {
    self->gap_x = self->gap_y = ceil (SHEET_GAP * self->em);
  }
}

static double
get_fixed_width (const AtnLayout *self, const Margins *margins)
{
  return 2 * self->pad + margins->left + margins->right +
         ((double) self->n_panel_cols - 1) * self->gap_x;
}

static double
get_fixed_height (const AtnLayout *self, const Margins *margins)
{
  return 2 * self->pad + self->title_height + self->caption_height + margins->above +
         margins->below + ((double) self->n_panel_rows - 1) * self->gap_y;
}

static double
solve_for_cell (const AtnLayout *self, const Margins *margins, double width, double height)
{
  const double across =
    (width - get_fixed_width (self, margins)) / ((double) self->n_panel_cols * self->view.n_cols);
  const double down =
    (height - get_fixed_height (self, margins)) / ((double) self->n_panel_rows * self->view.n_rows);

  /* In a window that is too small for its labels something still shows. */
  return fmax (fmin (across, down), 1e-3);
}

static double
floor_to_pixels (const AtnPixels *pixels, double length)
{
  const double in_pixels = length * pixels->scale;

  if (in_pixels < MIN_WHOLE_PIXELS)
    return length;
  return floor (in_pixels + 1e-6) / pixels->scale;
}

/* The cell that the margins for cells of @guess leave. */
static void
solve (AtnLayout *self,
       const AtnFigure *figure,
       Sizes *sizes,
       double guess,
       const Ground *ground,
       Margins *margins)
{
  const AtnPixels *pixels = ground->pixels;

  measure_margins (self, figure, sizes, guess, margins);
  /* Gaps and panels are whole pixels, so that all panels of a figure have equal edges. */
  self->gap_x = ceil (self->gap_x * pixels->scale) / pixels->scale;
  self->gap_y = ceil (self->gap_y * pixels->scale) / pixels->scale;
  self->cell =
    floor_to_pixels (pixels, solve_for_cell (self, margins, ground->width, ground->height));
}

static bool
has_same_labels (const AtnLayout *a, const AtnLayout *b)
{
  return a->query_step == b->query_step && a->key_step == b->key_step && a->key_mode == b->key_mode;
}

/* A cell whose labels are those that it was solved with. Where there is no such cell, labels stay
 * as far apart as in smaller ones. */
static void
settle (AtnLayout *self,
        const AtnFigure *figure,
        Sizes *sizes,
        const Ground *ground,
        Margins *margins)
{
  AtnLayout next, last;
  Margins next_margins, last_margins;

  solve (self, figure, sizes, 0, ground, margins);
  solve (self, figure, sizes, self->cell, ground, margins);
  next = *self;
  solve (&next, figure, sizes, self->cell, ground, &next_margins);
  if (has_same_labels (&next, self))
    return;

  last = next;
  solve (&last, figure, sizes, next.cell, ground, &last_margins);
  if (has_same_labels (&last, &next)) {
    *self = next;
    *margins = next_margins;
  }
}

static void
size_panels (AtnLayout *self, const AtnPixels *pixels)
{
  self->first.width = self->cell * self->view.n_cols;
  self->first.height = self->cell * self->view.n_rows;
  self->first.width = fmax (1, floor (self->first.width * pixels->scale + 0.01)) / pixels->scale;
  self->first.height = fmax (1, floor (self->first.height * pixels->scale + 0.01)) / pixels->scale;
}

/* Puts the block of panels and margins in the middle of what title and caption leave. */
static void
place_panels (AtnLayout *self,
              const Margins *margins,
              double width,
              double height,
              const AtnPixels *pixels)
{
  const double block_width =
    get_fixed_width (self, margins) + (double) self->n_panel_cols * self->first.width;
  const double panels_height =
    fmax ((double) self->n_panel_rows * self->first.height, self->min_height);
  const double block_height = get_fixed_height (self, margins) + panels_height;
  const double shift_x = fmax (0, (width - block_width) / 2);
  const double shift_y = fmax (0, (height - block_height) / 2);

  self->title_y = self->pad + shift_y;
  self->first.x = atn_pixels_snap_x (pixels, self->pad + shift_x + margins->left);
  self->first.y =
    atn_pixels_snap_y (pixels, self->pad + shift_y + self->title_height + margins->above);
  self->caption_y = self->pad + shift_y + block_height - 2 * self->pad - self->caption_height +
                    CAPTION_GAP * self->em;
  /* At the left edge of the block, or further left where the text would not fit otherwise. */
  self->text_x = self->pad + fmin (shift_x, self->text_width - self->used_text_width);
}

static double
get_max_label (const AtnLayout *self, double width, double height)
{
  return CLAMP (0.28 * fmin (width, height), 2 * self->em, MAX_LABEL * self->em);
}

void
atn_layout_init (AtnLayout *self,
                 const AtnFigure *figure,
                 double width,
                 double height,
                 const AtnViewport *viewport,
                 const AtnPixels *pixels)
{
  const Ground ground = { .width = width, .height = height, .pixels = pixels };
  Margins margins;
  Sizes sizes;

  *self = (AtnLayout){ 0 };
  set_grid (self, figure, viewport);
  measure_text (self, figure, width);
  sizes_init (&sizes, self, figure, get_max_label (self, width, height));
  settle (self, figure, &sizes, &ground, &margins);
  size_panels (self, pixels);
  place_panels (self, &margins, width, height, pixels);
  sizes_clear (&sizes);
}

void
atn_layout_get_panel (const AtnLayout *self, size_t panel, AtnPanelBox *box)
{
  const double row = (double) (panel / self->n_panel_cols);
  const double col = (double) (panel % self->n_panel_cols);

  *box = self->first;
  box->x += col * (self->first.width + self->gap_x);
  box->y += row * (self->first.height + self->gap_y);
}

static double
get_natural_cell (const AtnFigure *figure, double em)
{
  const double n = (double) MAX (figure->n_rows, figure->n_cols);

  if (figure->kind == ATN_FIGURE_SHEET)
    return round (CLAMP (4 * n, 5.5 * em, 10 * em)) / n;

  if (figure->kind == ATN_FIGURE_STRIP)
    return CLAMP (round (MAX_STRIP_MATRIX / n), MIN_CELL / 2, round (MAX_CELL_EM * em));

  /* Where every token can keep its label, it does. */
  if (n * LABEL_CELL_EM * em <= 1.25 * MAX_MATRIX)
    return fmax (round (LABEL_CELL_EM * em),
                 fmin (round (MAX_CELL_EM * em), round (MAX_MATRIX / n)));
  return fmax (round (MAX_MATRIX / n), MIN_CELL);
}

void
atn_figure_get_natural_size (const AtnFigure *self, double zoom, double *width, double *height)
{
  AtnLayout layout = { 0 };
  Margins margins;
  Sizes sizes;
  double block_height;

  g_return_if_fail (self != NULL && zoom > 0);

  if (self->n_panels == 0 || self->n_rows == 0 || self->n_cols == 0) {
    *width = *height = 1;
    return;
  }

  set_grid (&layout, self, NULL);
  measure_text (&layout, self, 1e4);
  layout.cell = zoom * get_natural_cell (self, layout.em);
  sizes_init (&sizes, &layout, self, MAX_LABEL * layout.em);
  measure_margins (&layout, self, &sizes, layout.cell, &margins);
  sizes_clear (&sizes);

  *width = get_fixed_width (&layout, &margins) +
           (double) layout.n_panel_cols * layout.view.n_cols * layout.cell;
  *width = fmax (*width, MIN_NATURAL_WIDTH * layout.em);
  /* A long title widens the figure, a long caption is wrapped. */
  measure_text (&layout, self, MAX_TITLE_WIDTH * layout.em);
  if (layout.title_height > 0)
    *width = fmax (*width, layout.title_width + 2 * layout.pad + 1);
  *width = ceil (*width);
  measure_text (&layout, self, *width);

  block_height = (double) layout.n_panel_rows * layout.view.n_rows * layout.cell;
  block_height = fmax (block_height, layout.min_height);
  *height = ceil (get_fixed_height (&layout, &margins) + block_height);
}

double
atn_figure_get_cell_size (const AtnFigure *self, double width, double height)
{
  const AtnPixels pixels = { .scale = 1 };
  AtnLayout layout;

  g_return_val_if_fail (self != NULL, 0);

  if (self->n_panels == 0 || self->n_rows == 0 || self->n_cols == 0)
    return 0;
  atn_layout_init (&layout, self, width, height, NULL, &pixels);
  return layout.cell;
}

void
atn_figure_get_boxes (const AtnFigure *self,
                      double width,
                      double height,
                      const AtnViewport *viewport,
                      AtnPanelBox *boxes)
{
  const AtnPixels pixels = { .scale = 1 };
  AtnLayout layout;

  g_return_if_fail (self != NULL && boxes != NULL);

  atn_layout_init (&layout, self, width, height, viewport, &pixels);
  for (size_t i = 0; i < self->n_panels; i++)
    atn_layout_get_panel (&layout, i, &boxes[i]);
}

void
atn_figure_fit_viewport (const AtnFigure *self,
                         double width,
                         double height,
                         double cell_size,
                         AtnViewport *viewport)
{
  const double n_rows = (double) self->n_rows;
  const double n_cols = (double) self->n_cols;
  AtnLayout layout = { 0 };
  Margins margins;
  Sizes sizes;

  g_return_if_fail (self != NULL && viewport != NULL && cell_size > 0);

  set_grid (&layout, self, NULL);
  measure_text (&layout, self, width);
  sizes_init (&sizes, &layout, self, get_max_label (&layout, width, height));
  measure_margins (&layout, self, &sizes, cell_size, &margins);
  sizes_clear (&sizes);

  viewport->n_cols = (width - get_fixed_width (&layout, &margins)) / cell_size;
  viewport->n_rows = (height - get_fixed_height (&layout, &margins)) / cell_size;
  viewport->n_cols = CLAMP (viewport->n_cols, fmin (1, n_cols), n_cols);
  viewport->n_rows = CLAMP (viewport->n_rows, fmin (1, n_rows), n_rows);
  viewport->first_col = CLAMP (viewport->first_col, 0, n_cols - viewport->n_cols);
  viewport->first_row = CLAMP (viewport->first_row, 0, n_rows - viewport->n_rows);
}
