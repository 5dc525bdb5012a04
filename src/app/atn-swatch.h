/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A colour map as a small picture, from low to high.
 */

#pragma once

#include "plot/atn-colormap.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @colormap: a real one, not AUTO. (transfer full) */
GdkTexture *atn_swatch_new_texture (AtnColormap colormap);

G_END_DECLS
