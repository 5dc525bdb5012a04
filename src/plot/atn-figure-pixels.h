/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Cells → pixels.
 */

#pragma once

#include "plot/atn-figure-private.h"

G_BEGIN_DECLS

/* Colours beyond the 256 of the map. */
#define ATN_PAINT_NAN 256
#define ATN_PAINT_FORBIDDEN 257
#define ATN_PAINT_N_COLORS 258

typedef struct
{
  const AtnMatrix *matrix;
  const AtnRange *range;
  AtnColormap map; /* never AUTO */
  AtnColor colors[ATN_PAINT_N_COLORS];
} AtnPaint;

/* Index into colors. @value: -INFINITY where it is forbidden. */
int atn_paint_get_entry (const AtnPaint *self, float value);

/* One axis of an image: which cells lie on which pixels. */
typedef struct
{
  double start;     /* pixel where cell 0 begins; may be far outside */
  double cell_size; /* in pixels */
  size_t n_cells;
  int first_pixel; /* the pixels wanted */
  int n_pixels;
} AtnAxis;

/* Edges are rounded to whole pixels. On a pixel with many cells shows the one of the largest
 * magnitude, so that a thin diagonal survives; it is forbidden if all of them are. (transfer full)
 */
cairo_surface_t *
atn_paint_create_image (const AtnPaint *self, const AtnAxis *rows, const AtnAxis *columns);

/* A tile of @size pixels that repeats as lines at 45°, @width pixels wide. (transfer full) */
cairo_surface_t *atn_paint_create_hatching (int size, double width, AtnColor ground, AtnColor line);

G_END_DECLS
