/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The entries of the colour maps, made by make-colormap-table.py.
 */

#pragma once

#include "plot/atn-colormap.h"

G_BEGIN_DECLS

#define ATN_COLORMAP_N_ENTRIES 256

/* [ATN_COLORMAP_N_ENTRIES] red, green, blue, 0 … 255; AUTO is viridis. */
const guint8 (*atn_colormap_get_table (AtnColormap self))[3];

G_END_DECLS
