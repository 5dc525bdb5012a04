/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Two passes for each row of pixels that differs from the one above: pool the rows of
 * cells that lie on it, then the cells of each pixel. Pooling compares magnitudes, so
 * its result does not depend on the order.
 */

#include "plot/atn-figure-pixels.h"

/* The ground of forbidden cells is there already. */
#define TRANSPARENT 0

/* The cells on a pixel. */
typedef struct
{
  size_t first, end;
} Span;

void
atn_pixels_init (AtnPixels *self, cairo_t *cr)
{
  cairo_surface_t *target = cairo_get_group_target (cr);
  cairo_matrix_t matrix;
  double scale_x, scale_y;

  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (target, &scale_x, &scale_y);
  self->scale = matrix.xx * scale_x;
  self->is_raster = cairo_surface_get_type (target) == CAIRO_SURFACE_TYPE_IMAGE && matrix.xy == 0 &&
                    matrix.yx == 0 && self->scale > 0 &&
                    fabs (self->scale - matrix.yy * scale_y) < 1e-9 * self->scale;
  if (self->is_raster) {
    self->origin_x = matrix.x0 * scale_x;
    self->origin_y = matrix.y0 * scale_y;
  } else {
    *self = (AtnPixels){ .scale = 1 };
  }
}

double
atn_pixels_snap_x (const AtnPixels *self, double x)
{
  return (round (x * self->scale + self->origin_x) - self->origin_x) / self->scale;
}

double
atn_pixels_snap_y (const AtnPixels *self, double y)
{
  return (round (y * self->scale + self->origin_y) - self->origin_y) / self->scale;
}

int
atn_paint_get_entry (const AtnPaint *self, float value)
{
  if (isnan (value))
    return ATN_PAINT_NAN;
  if (value == -INFINITY)
    return ATN_PAINT_FORBIDDEN;
  return atn_colormap_get_entry (self->map, atn_range_get_position (self->range, (double) value));
}

static Span *
create_spans (const AtnAxis *axis)
{
  Span *spans = g_new (Span, axis->n_pixels);
  const size_t last = axis->n_cells - 1;

  for (int i = 0; i < axis->n_pixels; i++) {
    const double pixel = axis->first_pixel + i - axis->start;
    double first, end;

    if (axis->cell_size >= 1) {
      /* The cell on whose rounded edges the middle of the pixel lies. */
      first = floor ((pixel + 0.5) / axis->cell_size);
      while (first > 0 && round (first * axis->cell_size + axis->start) > axis->first_pixel + i)
        first--;
      while (round ((first + 1) * axis->cell_size + axis->start) <= axis->first_pixel + i)
        first++;
      end = first + 1;
    } else {
      first = floor (pixel / axis->cell_size + 1e-9);
      end = ceil ((pixel + 1) / axis->cell_size - 1e-9);
    }
    spans[i].first = MIN ((size_t) fmax (first, 0), last);
    spans[i].end = CLAMP ((size_t) fmax (end, 1), spans[i].first + 1, axis->n_cells);
  }
  return spans;
}

/* What shows where both are on one pixel: a number rather than a forbidden cell, no number (NaN)
 * rather than one. */
static float
choose_larger (float a, float b)
{
  if (isnan (a) || b == -INFINITY)
    return a;
  if (isnan (b) || a == -INFINITY)
    return b;
  return fabsf (b) > fabsf (a) ? b : a;
}

static void
pool_rows (const AtnPaint *self, Span rows, Span columns, float *pooled)
{
  for (size_t col = columns.first; col < columns.end; col++)
    pooled[col] = atn_cells_get_value (self->matrix, rows.first, col);

  for (size_t row = rows.first + 1; row < rows.end; row++)
    for (size_t col = columns.first; col < columns.end; col++)
      pooled[col] = choose_larger (pooled[col], atn_cells_get_value (self->matrix, row, col));
}

static guint32
get_pixel (AtnColor color)
{
  return 0xff000000u | (guint32) lrint (color.red * 255) << 16 |
         (guint32) lrint (color.green * 255) << 8 | (guint32) lrint (color.blue * 255);
}

static void
fill_pixel_row (const AtnPaint *self,
                const float *pooled,
                const Span *columns,
                int n_pixels,
                const guint32 *palette,
                guint32 *pixels)
{
  for (int x = 0; x < n_pixels; x++) {
    float value;

    if (x > 0 && columns[x].first == columns[x - 1].first && columns[x].end == columns[x - 1].end) {
      pixels[x] = pixels[x - 1];
      continue;
    }
    value = pooled[columns[x].first];
    for (size_t col = columns[x].first + 1; col < columns[x].end; col++)
      value = choose_larger (value, pooled[col]);
    pixels[x] = palette[atn_paint_get_entry (self, value)];
  }
}

cairo_surface_t *
atn_paint_create_image (const AtnPaint *self, const AtnAxis *rows, const AtnAxis *columns)
{
  cairo_surface_t *image =
    cairo_image_surface_create (CAIRO_FORMAT_ARGB32, columns->n_pixels, rows->n_pixels);
  g_autofree Span *row_spans = create_spans (rows);
  g_autofree Span *col_spans = create_spans (columns);
  g_autofree float *pooled = g_new (float, self->matrix->n_cols);
  const Span all = { col_spans[0].first, col_spans[columns->n_pixels - 1].end };
  guint32 palette[ATN_PAINT_N_COLORS];
  guint8 *data = cairo_image_surface_get_data (image);
  const int stride = cairo_image_surface_get_stride (image);

  if (data == NULL)
    return image;

  for (int i = 0; i < ATN_PAINT_N_COLORS; i++)
    palette[i] = i == ATN_PAINT_FORBIDDEN ? TRANSPARENT : get_pixel (self->colors[i]);

  for (int y = 0; y < rows->n_pixels; y++) {
    guint8 *row = data + (gsize) y * (gsize) stride;

    if (y > 0 && row_spans[y].first == row_spans[y - 1].first &&
        row_spans[y].end == row_spans[y - 1].end) {
      memcpy (row, row - stride, (gsize) stride);
      continue;
    }
    pool_rows (self, row_spans[y], all, pooled);
    fill_pixel_row (self, pooled, col_spans, columns->n_pixels, palette, (guint32 *) (void *) row);
  }
  cairo_surface_mark_dirty (image);
  return image;
}

cairo_surface_t *
atn_paint_create_hatching (int size, double width, AtnColor ground, AtnColor line)
{
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_RGB24, size, size);
  guint8 *data = cairo_image_surface_get_data (tile);
  const int stride = cairo_image_surface_get_stride (tile);

  if (data == NULL)
    return tile;

  for (int y = 0; y < size; y++) {
    guint32 *pixels = (guint32 *) (void *) (data + (gsize) y * (gsize) stride);

    for (int x = 0; x < size; x++) {
      /* From the pixel's middle to the nearest line x + y = k · size. */
      const int along = (x + y + 1) % size;
      const double distance = MIN (along, size - along) * G_SQRT2 / 2;

      pixels[x] =
        get_pixel (atn_color_mix (ground, line, CLAMP (0.5 + width / 2 - distance, 0.0, 1.0)));
    }
  }
  cairo_surface_mark_dirty (tile);
  return tile;
}
