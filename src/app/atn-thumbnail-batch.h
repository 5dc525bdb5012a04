/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Some heads to compute and draw in one go on the compute thread.
 */

#pragma once

#include "plot/atn-figure-builder.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is out of date is told by counters: of the numbers, of the look, of the shared range. */
typedef struct
{
  guint data;
  guint look;
  guint range;
} AtnThumbnailStamp;

/* One head to do. */
typedef struct
{
  guint layer;
  guint head;
  int size;
  int scale_factor;
  AtnMatrix *matrix;   /* (nullable): computed if it is not there */
  AtnRange range;      /* of this matrix alone */
  GdkTexture *texture; /* (nullable): the outcome */
} AtnThumbnailItem;

typedef struct
{
  AtnResult *result;
  AtnFigureOptions options;
  bool has_range;
  AtnRange range; /* shared, if has_range */
  AtnThumbnailStamp stamp;
  GArray *items; /* (element-type AtnThumbnailItem) */
} AtnThumbnailBatch;

/* For arrays of items. */
void atn_thumbnail_item_clear (gpointer data);
void atn_thumbnail_batch_free (gpointer data);

/* Does items in their order until some milliseconds have gone; the rest has no texture then. */
void atn_thumbnail_batch_run (gpointer data, GCancellable *cancellable);

G_END_DECLS
