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

/* The map that draws these values: signed ones are always diverging, since a sequential map would
 * hide the sign; AUTO and DIVERGING are viridis for weights. */
AtnColormap atn_colormap_resolve (AtnColormap self, bool is_signed);

/* @position from 0 to 1 along the map; clamped; NaN gives a grey that no map has. */
AtnColor atn_colormap_get_color (AtnColormap self, double position);

/* The same in two steps: which entry of the map's table, and its colour. Equal entries are equal
 * colours, so neighbours can be drawn as one. @position must not be NaN. */
guint8 atn_colormap_get_entry (AtnColormap self, double position);
AtnColor atn_colormap_get_entry_color (AtnColormap self, guint8 entry);

/* Black or white: the one with the higher WCAG contrast on @background (always ≥ 4.5). */
AtnColor atn_color_get_text_color (AtnColor background);
/* WCAG 2 contrast ratio, 1 … 21; the order does not matter. */
double atn_color_get_contrast (AtnColor a, AtnColor b);
/* @a where @amount is 0, @b where it is 1. */
AtnColor atn_color_mix (AtnColor a, AtnColor b, double amount);

G_END_DECLS
