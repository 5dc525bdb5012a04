/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One small matrix without labels: a stage in the strip, a head in a grid. It
 * shows a texture at the texture's own size, never stretched, and draws the
 * linked cursor over it.
 */

#pragma once

#include "plot/atn-figure.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define ATN_TYPE_MINIATURE (atn_miniature_get_type ())
G_DECLARE_FINAL_TYPE (AtnMiniature, atn_miniature, ATN, MINIATURE, GtkWidget)

GtkWidget *atn_miniature_new (int size);
/* Side in pixels of the window. */
void atn_miniature_set_size (AtnMiniature *self, int size);
/* @texture: (nullable); @scale_factor: pixels of the texture in one of the window;
 * @box: (nullable): where its cells are, all of it if NULL */
void atn_miniature_set_texture (AtnMiniature *self,
                                GdkTexture *texture,
                                int scale_factor,
                                const AtnPanelBox *box);
/* The cell to mark in a matrix of @n_tokens; a negative one marks nothing. */
void atn_miniature_set_cursor (AtnMiniature *self, guint n_tokens, int query, int key);

/**
 * atn_miniature_render:
 * @panel: its matrix may be pooled
 * @style: colours; what it says about text is not looked at
 * @size: side in pixels of the window
 * @box: (out) (nullable): where the cells went, in pixels of the window
 *
 * Draws the cells alone, by the function that draws every figure.
 *
 * Returns: (transfer full) (nullable): NULL without memory
 * Threads: any
 */
GdkTexture *atn_miniature_render (const AtnPanel *panel,
                                  const AtnPlotStyle *style,
                                  int size,
                                  int scale_factor,
                                  AtnPanelBox *box) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
