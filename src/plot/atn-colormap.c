/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Colours come from tables of 8-bit entries, not from formulas: the same value has
 * the same colour in every file, and runs of equal colour can be found by comparing
 * one byte. The diverging map has an odd number of entries, so that zero has its own.
 */

#include "plot/atn-colormap.h"

#include "plot/atn-colormap-table.h"

#include <math.h>

#define N_DIVERGING_ENTRIES (ATN_COLORMAP_N_ENTRIES - 1)

/* Neutral, and unlike the greys that cividis and the diverging map pass through. */
static const AtnColor NAN_COLOR = { 0.62, 0.62, 0.62 };

static const char *const NAMES[ATN_N_COLORMAPS] = {
  [ATN_COLORMAP_AUTO] = "auto",           [ATN_COLORMAP_VIRIDIS] = "viridis",
  [ATN_COLORMAP_CIVIDIS] = "cividis",     [ATN_COLORMAP_MAGMA] = "magma",
  [ATN_COLORMAP_DIVERGING] = "diverging",
};

const char *
atn_colormap_get_name (AtnColormap self)
{
  g_return_val_if_fail (self < ATN_N_COLORMAPS, NULL);

  return NAMES[self];
}

bool
atn_colormap_from_name (const char *name, AtnColormap *self)
{
  g_return_val_if_fail (name != NULL, false);

  for (guint i = 0; i < ATN_N_COLORMAPS; i++) {
    if (g_str_equal (name, NAMES[i])) {
      *self = (AtnColormap) i;
      return true;
    }
  }
  return false;
}

AtnColormap
atn_colormap_resolve (AtnColormap self, bool is_signed)
{
  if (is_signed)
    return ATN_COLORMAP_DIVERGING;
  if (self == ATN_COLORMAP_AUTO || self == ATN_COLORMAP_DIVERGING)
    return ATN_COLORMAP_VIRIDIS;
  return self;
}

guint8
atn_colormap_get_entry (AtnColormap self, double position)
{
  const int last =
    self == ATN_COLORMAP_DIVERGING ? N_DIVERGING_ENTRIES - 1 : ATN_COLORMAP_N_ENTRIES - 1;

  return (guint8) lrint (CLAMP (position, 0.0, 1.0) * last);
}

AtnColor
atn_colormap_get_entry_color (AtnColormap self, guint8 entry)
{
  const guint8 *rgb = atn_colormap_get_table (self)[entry];

  return (AtnColor){ rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0 };
}

AtnColor
atn_colormap_get_color (AtnColormap self, double position)
{
  if (isnan (position))
    return NAN_COLOR;

  return atn_colormap_get_entry_color (self, atn_colormap_get_entry (self, position));
}

/* WCAG 2.1, "relative luminance". */
static double
get_luminance (AtnColor color)
{
  const double channels[3] = { color.red, color.green, color.blue };
  static const double WEIGHTS[3] = { 0.2126, 0.7152, 0.0722 };
  double luminance = 0;

  for (int i = 0; i < 3; i++) {
    const double c = channels[i];

    luminance += WEIGHTS[i] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
  }
  return luminance;
}

double
atn_color_get_contrast (AtnColor a, AtnColor b)
{
  const double luminance_a = get_luminance (a);
  const double luminance_b = get_luminance (b);

  return (fmax (luminance_a, luminance_b) + 0.05) / (fmin (luminance_a, luminance_b) + 0.05);
}

AtnColor
atn_color_get_text_color (AtnColor background)
{
  const AtnColor black = { 0, 0, 0 };
  const AtnColor white = { 1, 1, 1 };

  return atn_color_get_contrast (black, background) >= atn_color_get_contrast (white, background)
           ? black
           : white;
}

AtnColor
atn_color_mix (AtnColor a, AtnColor b, double amount)
{
  return (AtnColor){ a.red + (b.red - a.red) * amount, a.green + (b.green - a.green) * amount,
                     a.blue + (b.blue - a.blue) * amount };
}
