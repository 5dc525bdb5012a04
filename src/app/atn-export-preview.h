/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What an export will look like, computed on the compute thread: a small
 * picture, or the first lines of the numbers, and the size.
 */

#pragma once

#include "app/atn-export-spec.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  AtnExportSpec spec;
  AtnFigureOptions options;
  AtnResult *result;
  int width; /* of the space for it, in pixels */
  int height;
  int scale_factor;
  GdkTexture *texture; /* out (nullable) */
  char *text;          /* out (nullable) */
  char *size;          /* out (nullable): "1200 × 900 px" */
  GError *error;       /* out (nullable) */
} AtnExportPreview;

/* @result is referenced. */
AtnExportPreview *atn_export_preview_new (const AtnExportSpec *spec,
                                          const AtnFigureOptions *options,
                                          AtnResult *result) G_GNUC_WARN_UNUSED_RESULT;
void atn_export_preview_free (AtnExportPreview *self);

/* Fills the fields marked out. Threads: the compute thread. */
void atn_export_preview_run (AtnExportPreview *self, GCancellable *cancellable);

G_END_DECLS
