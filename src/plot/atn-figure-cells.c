/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The cells of a panel, in one of three ways, none of which a viewer can blur:
 *
 *   raster    the surface is an unrotated image: its pixels are computed one by one
 *             (many cells a pixel: the largest magnitude) and painted 1 : 1
 *   vector    rectangles, a run of equal colour in a row as one
 *   enlarged  a vector surface and more than 65,536 rectangles: the pixels of the first
 *             way at a whole number per cell, painted unsmoothed
 *
 * Forbidden cells are left out of all three: their hatched ground lies under the panel.
 *
 * Rectangles overlap the next cell, which is painted over them: with edges that only
 * touch, viewers that smooth edges let the ground shine through as a grid of hairlines.
 */

#include "plot/atn-figure-pixels.h"

/* Where more are needed, files of tens of megabytes would come out. */
#define MAX_RECTANGLES 65536

/* Pixels for a cell where the size allows: viewers that smooth a little leave its middle alone. */
#define ENLARGE_CELL 4

/* Of the images behind the third way: the longest side, and pixels of all panels together. */
#define MAX_ENLARGED 8192
#define MAX_ENLARGED_PIXELS ((double) (1 << 26))

/* Hatching, in units and em. */
#define MIN_HATCHED_CELL 4.0
#define HATCH_PITCH 0.75 /* along a row */
#define HATCH_WIDTH 0.06

/* How a panel's cells become colours. */
static void
init_paint (AtnPaint *self, const AtnFigure *figure, const AtnPanel *panel, bool is_flat)
{
  const AtnColormap map = atn_colormap_resolve (figure->style.colormap, panel->range.is_signed);

  self->matrix = panel->matrix;
  self->range = &panel->range;
  self->map = map;
  for (int i = 0; i < 256; i++)
    self->colors[i] = atn_colormap_get_entry_color (map, (guint8) i);
  self->colors[ATN_PAINT_NAN] = atn_colormap_get_color (map, (double) NAN);
  self->colors[ATN_PAINT_FORBIDDEN] = atn_plot_style_get_forbidden (&figure->style, is_flat);
}

typedef struct
{
  double x, y; /* of cell 0, 0 */
  double cell_width, cell_height;
  size_t first_row, end_row; /* cells in view */
  size_t first_col, end_col;
} Grid;

/* Cells of @matrix on @box, of which @view shows a part; @view counts the figure's cells. */
static void
init_grid (Grid *self,
           const AtnFigure *figure,
           const AtnMatrix *matrix,
           const AtnPanelBox *box,
           const AtnViewport *view)
{
  const double row_scale = (double) matrix->n_rows / (double) figure->n_rows;
  const double col_scale = (double) matrix->n_cols / (double) figure->n_cols;
  const double first_row = view->first_row * row_scale;
  const double first_col = view->first_col * col_scale;

  self->cell_width = box->width / (view->n_cols * col_scale);
  self->cell_height = box->height / (view->n_rows * row_scale);
  self->x = box->x - first_col * self->cell_width;
  self->y = box->y - first_row * self->cell_height;
  self->first_row = (size_t) fmax (0, floor (first_row));
  self->first_col = (size_t) fmax (0, floor (first_col));
  self->end_row = MIN (matrix->n_rows, (size_t) ceil (first_row + view->n_rows * row_scale - 1e-9));
  self->end_col = MIN (matrix->n_cols, (size_t) ceil (first_col + view->n_cols * col_scale - 1e-9));
}

bool
atn_cells_are_enlarged (const AtnFigure *figure)
{
  size_t n_rectangles = 0;

  for (size_t i = 0; i < figure->n_panels; i++) {
    const AtnMatrix *matrix = figure->panels[i].matrix;
    AtnPaint paint;

    if (matrix == NULL)
      continue;
    init_paint (&paint, figure, &figure->panels[i], false);
    for (size_t row = 0; row < matrix->n_rows; row++) {
      int last = -1;

      for (size_t col = 0; col < matrix->n_cols; col++) {
        const int entry = atn_paint_get_entry (&paint, atn_cells_get_value (matrix, row, col));

        n_rectangles += entry != last && entry != ATN_PAINT_FORBIDDEN;
        last = entry;
      }
    }
  }
  return n_rectangles > MAX_RECTANGLES;
}

/* Whether a rectangle may run on under the cell, because that is painted later. */
static bool
is_painted (const AtnPaint *paint, const Grid *grid, size_t row, size_t col)
{
  return row < grid->end_row && col < grid->end_col &&
         atn_cells_get_value (paint->matrix, row, col) != -INFINITY;
}

static size_t
find_end_of_run (const AtnPaint *paint, const Grid *grid, size_t row, size_t col, int entry)
{
  const bool is_painted_below = is_painted (paint, grid, row + 1, col);

  do
    col++;
  while (col < grid->end_col &&
         atn_paint_get_entry (paint, atn_cells_get_value (paint->matrix, row, col)) == entry &&
         is_painted (paint, grid, row + 1, col) == is_painted_below);
  return col;
}

static void
draw_row (const AtnPaint *paint, const Grid *grid, size_t row, cairo_t *cr)
{
  const double y = grid->y + (double) row * grid->cell_height;
  size_t end;

  for (size_t col = grid->first_col; col < grid->end_col; col = end) {
    const int entry = atn_paint_get_entry (paint, atn_cells_get_value (paint->matrix, row, col));
    double right, down;

    end = find_end_of_run (paint, grid, row, col, entry);
    if (entry == ATN_PAINT_FORBIDDEN)
      continue;

    right = is_painted (paint, grid, row, end) ? 0.5 * grid->cell_width : 0;
    down = is_painted (paint, grid, row + 1, col) ? 0.5 * grid->cell_height : 0;
    atn_set_source_color (cr, paint->colors[entry]);
    cairo_rectangle (cr, grid->x + (double) col * grid->cell_width, y,
                     (double) (end - col) * grid->cell_width + right, grid->cell_height + down);
    cairo_fill (cr);
  }
}

static void
draw_rectangles (const AtnPaint *paint, const Grid *grid, const AtnPanelBox *box, cairo_t *cr)
{
  cairo_save (cr);
  /* Only where cells are cut by the edge: a clip costs a group in every file. */
  if (grid->x + (double) grid->first_col * grid->cell_width < box->x - 1e-6 ||
      grid->y + (double) grid->first_row * grid->cell_height < box->y - 1e-6 ||
      grid->x + (double) grid->end_col * grid->cell_width > box->x + box->width + 1e-6 ||
      grid->y + (double) grid->end_row * grid->cell_height > box->y + box->height + 1e-6) {
    cairo_rectangle (cr, box->x, box->y, box->width, box->height);
    cairo_clip (cr);
  }
  for (size_t row = grid->first_row; row < grid->end_row; row++)
    draw_row (paint, grid, row, cr);
  cairo_restore (cr);
}

/* Longest side of a panel's image in an enlarged figure. */
static size_t
get_max_side (const AtnFigure *figure)
{
  return (size_t) fmin (MAX_ENLARGED, sqrt (MAX_ENLARGED_PIXELS / (double) figure->n_panels));
}

size_t
atn_cells_get_enlargement (const AtnFigure *figure)
{
  size_t n = 1;

  for (size_t i = 0; i < figure->n_panels; i++)
    if (figure->panels[i].matrix != NULL)
      n = MAX (n, MAX (figure->panels[i].matrix->n_rows, figure->panels[i].matrix->n_cols));
  return MIN (get_max_side (figure) / n, ENLARGE_CELL);
}

static void
draw_enlarged (const AtnFigure *figure,
               const AtnPaint *paint,
               const Grid *grid,
               const AtnPanelBox *box,
               cairo_t *cr)
{
  const size_t per_cell = MAX (atn_cells_get_enlargement (figure), 1);
  const size_t max_side = get_max_side (figure);
  const int width = (int) MIN (paint->matrix->n_cols * per_cell, max_side);
  const int height = (int) MIN (paint->matrix->n_rows * per_cell, max_side);
  const double cell_x = (double) width / (double) paint->matrix->n_cols;
  const double cell_y = (double) height / (double) paint->matrix->n_rows;
  const AtnAxis columns = { 0, cell_x, paint->matrix->n_cols, 0, width };
  const AtnAxis rows = { 0, cell_y, paint->matrix->n_rows, 0, height };
  cairo_surface_t *image = atn_paint_create_image (paint, &rows, &columns);

  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  cairo_translate (cr, grid->x, grid->y);
  cairo_scale (cr, grid->cell_width / cell_x, grid->cell_height / cell_y);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

/* The part of @start + @length that the clip lets through, in pixels. */
static bool
clip_axis (AtnAxis *axis, double start, double length, double clip_start, double clip_end)
{
  const double first = fmax (round (start), floor (clip_start));
  const double end = fmin (round (start + length), ceil (clip_end));

  if (end <= first)
    return false;
  axis->first_pixel = (int) first;
  axis->n_pixels = (int) (end - first);
  return true;
}

static void
draw_pixels (const AtnPaint *paint,
             const Grid *grid,
             const AtnPanelBox *box,
             const AtnPixels *pixels,
             cairo_t *cr)
{
  const double scale = pixels->scale;
  const double x = pixels->origin_x;
  const double y = pixels->origin_y;
  AtnAxis columns = { grid->x * scale + x, grid->cell_width * scale, paint->matrix->n_cols, 0, 0 };
  AtnAxis rows = { grid->y * scale + y, grid->cell_height * scale, paint->matrix->n_rows, 0, 0 };
  double left, top, right, bottom, device_x, device_y;
  cairo_surface_t *image;

  cairo_clip_extents (cr, &left, &top, &right, &bottom);
  if (!clip_axis (&columns, box->x * scale + x, box->width * scale, left * scale + x,
                  right * scale + x) ||
      !clip_axis (&rows, box->y * scale + y, box->height * scale, top * scale + y,
                  bottom * scale + y))
    return;

  image = atn_paint_create_image (paint, &rows, &columns);
  cairo_save (cr);
  cairo_identity_matrix (cr);
  cairo_surface_get_device_scale (cairo_get_group_target (cr), &device_x, &device_y);
  cairo_scale (cr, 1 / device_x, 1 / device_y);
  cairo_set_source_surface (cr, image, columns.first_pixel, rows.first_pixel);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, columns.first_pixel, rows.first_pixel, columns.n_pixels, rows.n_pixels);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

static bool
has_forbidden (const AtnMatrix *matrix, const Grid *grid)
{
  for (size_t row = grid->first_row; row < grid->end_row; row++)
    for (size_t col = grid->first_col; col < grid->end_col; col++)
      if (atn_cells_get_value (matrix, row, col) == -INFINITY)
        return true;
  return false;
}

static void
hatch_by_lines (const AtnFigure *figure, const AtnPanelBox *box, cairo_t *cr)
{
  const double em = atn_plot_style_get_em (&figure->style);
  const double pitch = HATCH_PITCH * em;

  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  for (double x = box->x - box->height; x < box->x + box->width; x += pitch) {
    cairo_move_to (cr, x, box->y + box->height);
    cairo_line_to (cr, x + box->height, box->y);
  }
  atn_set_source_color (cr, figure->style.masked);
  cairo_set_line_width (cr, HATCH_WIDTH * em);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* The same lines from a tile: stroking them costs 6 ms on a panel of the screen's size. */
static void
hatch_by_tile (const AtnFigure *figure,
               const AtnPaint *paint,
               const AtnPanelBox *box,
               const AtnPixels *pixels,
               cairo_t *cr)
{
  const double em = atn_plot_style_get_em (&figure->style) * pixels->scale;
  const AtnColor ground = paint->colors[ATN_PAINT_FORBIDDEN];
  cairo_surface_t *tile =
    atn_paint_create_hatching (MAX (2, (int) lrint (HATCH_PITCH * em)), HATCH_WIDTH * em, ground,
                               figure->style.masked);

  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_translate (cr, box->x, box->y);
  cairo_scale (cr, 1 / pixels->scale, 1 / pixels->scale);
  cairo_set_source_surface (cr, tile, 0, 0);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (tile);
}

/* The ground of forbidden cells, on the whole panel: the others are painted over it, which costs a
 * tenth of a clip along all their edges. */
static void
draw_ground (const AtnFigure *figure,
             const AtnPaint *paint,
             const AtnPanelBox *box,
             const AtnPixels *pixels,
             bool is_flat,
             cairo_t *cr)
{
  if (pixels->is_raster && !is_flat) {
    hatch_by_tile (figure, paint, box, pixels, cr);
    return;
  }
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  atn_set_source_color (cr, paint->colors[ATN_PAINT_FORBIDDEN]);
  cairo_fill (cr);
  if (!is_flat)
    hatch_by_lines (figure, box, cr);
}

static void
draw_frame (const AtnFigure *figure, const AtnPanelBox *box, const AtnPixels *pixels, cairo_t *cr)
{
  const double width =
    pixels->is_raster ? fmax (1, floor (pixels->scale * 0.75)) / pixels->scale : 1;

  cairo_save (cr);
  atn_set_source_color (cr,
                        atn_color_mix (figure->style.background, figure->style.foreground, 0.35));
  cairo_set_line_width (cr, width);
  cairo_rectangle (cr, box->x - width / 2, box->y - width / 2, box->width + width,
                   box->height + width);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
atn_cells_draw_panels (const AtnFigure *figure,
                       const AtnLayout *layout,
                       const AtnPixels *pixels,
                       cairo_t *cr)
{
  const bool enlarge = !pixels->is_raster && atn_cells_are_enlarged (figure);

  for (size_t i = 0; i < figure->n_panels; i++) {
    const AtnPanel *panel = &figure->panels[i];
    AtnPanelBox box;
    AtnPaint paint;
    bool is_flat;
    Grid grid;

    if (panel->matrix == NULL || panel->matrix->n_rows == 0 || panel->matrix->n_cols == 0)
      continue;

    atn_layout_get_panel (layout, i, &box);
    init_grid (&grid, figure, panel->matrix, &box, &layout->view);
    is_flat = grid.cell_width < MIN_HATCHED_CELL || grid.cell_height < MIN_HATCHED_CELL;
    init_paint (&paint, figure, panel, is_flat);
    if (has_forbidden (panel->matrix, &grid))
      draw_ground (figure, &paint, &box, pixels, is_flat, cr);
    if (pixels->is_raster)
      draw_pixels (&paint, &grid, &box, pixels, cr);
    else if (enlarge)
      draw_enlarged (figure, &paint, &grid, &box, cr);
    else
      draw_rectangles (&paint, &grid, &box, cr);

    draw_frame (figure, &box, pixels, cr);
    if (figure->style.show_numbers)
      atn_cells_draw_numbers (figure, panel, &box, &layout->view, cr);
  }
}
