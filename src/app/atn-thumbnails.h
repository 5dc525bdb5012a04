/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Small pictures of all heads at the session's stage, one store per session,
 * shared by the grids that show them. A grid says which heads it has on screen
 * and how large; only those are drawn, on the compute thread behind everything
 * else, a few milliseconds at a time:
 *
 *   grid ── wish ──► thumbnails ── batch ──► compute thread
 *   grid ◄─ changed ──┘   ▲ matrices, textures │
 *                         └────────────────────┘
 *
 * The pooled matrix of a head is kept beside its textures, so that another
 * size, colour map or range draws again without computing again. What is out
 * of date stays until its successor is there. A shared range covers the heads
 * that were on screen.
 */

#pragma once

#include "app/atn-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define ATN_TYPE_THUMBNAILS (atn_thumbnails_get_type ())
G_DECLARE_FINAL_TYPE (AtnThumbnails, atn_thumbnails, ATN, THUMBNAILS, GObject)

/* What one grid has on screen. */
typedef struct
{
  guint first_layer;
  guint n_layers;
  guint first_head;
  guint n_heads;
  int size; /* side in pixels of the window */
  int scale_factor;
  AtnPlotStyle style; /* colours */
} AtnThumbnailWish;

/* (transfer none): lives as long as the session. Emits "changed" when textures are new. */
AtnThumbnails *atn_thumbnails_get (AtnSession *session);

/* @owner: whose wish it is; @wish: (nullable): NULL takes the wish back */
void atn_thumbnails_set_wish (AtnThumbnails *self, gpointer owner, const AtnThumbnailWish *wish);

/* (nullable) (transfer none): of @size pixels of the window, maybe out of date. */
GdkTexture *atn_thumbnails_get_texture (AtnThumbnails *self, guint layer, guint head, int size);

/* Whether everything that is wished for is up to date. */
bool atn_thumbnails_is_settled (AtnThumbnails *self);

G_END_DECLS
