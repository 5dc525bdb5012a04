/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-swatch.h"

#define SWATCH_WIDTH 64
#define SWATCH_HEIGHT 10

GdkTexture *
atn_swatch_new_texture (AtnColormap colormap)
{
  guint8 *pixels = g_new (guint8, SWATCH_WIDTH * SWATCH_HEIGHT * 3);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, SWATCH_WIDTH * SWATCH_HEIGHT * 3);

  for (int i = 0; i < SWATCH_WIDTH * SWATCH_HEIGHT; i++) {
    AtnColor color =
      atn_colormap_get_color (colormap, (i % SWATCH_WIDTH + 0.5) / (double) SWATCH_WIDTH);

    pixels[3 * i] = (guint8) (color.red * 255.0 + 0.5);
    pixels[3 * i + 1] = (guint8) (color.green * 255.0 + 0.5);
    pixels[3 * i + 2] = (guint8) (color.blue * 255.0 + 0.5);
  }
  return gdk_memory_texture_new (SWATCH_WIDTH, SWATCH_HEIGHT, GDK_MEMORY_R8G8B8, bytes,
                                 SWATCH_WIDTH * 3);
}
