/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Value → colour. Sequential maps for weights, one zero-centred diverging map for scores.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef enum
{
  ATN_COLORMAP_AUTO, /* viridis for weights, diverging for signed values */
  ATN_COLORMAP_VIRIDIS,
  ATN_COLORMAP_CIVIDIS,
  ATN_COLORMAP_MAGMA,
  ATN_COLORMAP_DIVERGING,
  ATN_N_COLORMAPS
} AtnColormap;

typedef struct
{
  double red, green, blue; /* 0 … 1, sRGB */
} AtnColor;

const char *
atn_colormap_get_name (AtnColormap self); /* "viridis": in files and on the command line */
bool atn_colormap_from_name (const char *name, AtnColormap *self);

/* @position from 0 to 1 along the map; clamped; NaN gives a grey that no map has. */
AtnColor atn_colormap_get_color (AtnColormap self, double position);

/* Black or white: the one with the higher WCAG contrast on @background (always ≥ 4.5). */
AtnColor atn_color_get_text_color (AtnColor background);
double atn_color_get_contrast (AtnColor a, AtnColor b);

G_END_DECLS
