/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A figure as pixels that the window can show: drawn on the compute thread by
 * the function that also exports it, shown as a texture. Cursor and hover are
 * drawn over it, so that moving the pointer lays out no text.
 */

#pragma once

#include "plot/atn-figure-builder.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  AtnResult *result;        /* borrowed; with at least one token */
  AtnFigureOptions options; /* style: see atn_picture_style_init() */
  double width;             /* in pixels of the window (not of the screen) */
  double height;
  int scale_factor; /* gtk_widget_get_scale_factor() */
  bool has_viewport;
  AtnViewport viewport;
  AtnFigure
    *figure; /* (nullable) borrowed: of the last picture, where result and options are equal */
} AtnPictureRequest;

typedef struct
{
  gatomicrefcount ref_count;
  AtnFigure *figure;
  AtnResult *result;
  AtnFigureOptions options;
  GdkTexture *texture;
  double width;
  double height;
  bool has_viewport;
  AtnViewport viewport;
  AtnPanelBox *boxes; /* [figure->n_panels] in pixels of the window */
} AtnPicture;

/**
 * atn_picture_new:
 *
 * Returns: (transfer full): NULL if cancelled or with @error set
 * Threads: the compute thread
 */
AtnPicture *atn_picture_new (const AtnPictureRequest *request,
                             GCancellable *cancellable,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnPicture *atn_picture_ref (AtnPicture *self);
void atn_picture_unref (AtnPicture *self);

/* The cell under a point of the picture; false outside. Cheap. */
bool atn_picture_hit_test (const AtnPicture *self,
                           double x,
                           double y,
                           size_t *panel,
                           size_t *query,
                           size_t *key);

/* Where a cell is drawn. */
void atn_picture_get_cell_box (const AtnPicture *self,
                               size_t panel,
                               size_t query,
                               size_t key,
                               graphene_rect_t *box);

/* Pixels of @surface as a texture that keeps it alive. (transfer full) */
GdkTexture *atn_picture_dup_texture (cairo_surface_t *surface) G_GNUC_WARN_UNUSED_RESULT;
/* Draws such a texture into @bounds of @widget, which is part of a window. */
void atn_picture_snapshot_texture (GdkTexture *texture,
                                   GtkWidget *widget,
                                   GtkSnapshot *snapshot,
                                   const graphene_rect_t *bounds);

/**
 * atn_picture_style_init:
 * @widget: whose colours are taken: text colour as foreground, transparent ground
 * @text_scale: of the session
 *
 * The style of a figure in the window; colormap is left as it is. Main thread.
 */
void atn_picture_style_init (AtnPlotStyle *style, GtkWidget *widget, double text_scale);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnPicture, atn_picture_unref)

G_END_DECLS
