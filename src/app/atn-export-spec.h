/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What to export, and how: the choices of the export dialog, as a struct that
 * the clipboard and the action without a dialog use, too.
 */

#pragma once

#include "analysis/atn-matrix-file.h"
#include "plot/atn-export.h"
#include "plot/atn-figure-builder.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_FORMAT_PNG,
  ATN_FORMAT_SVG,
  ATN_FORMAT_PDF,
  ATN_FORMAT_CSV,
  ATN_FORMAT_TSV,
  ATN_FORMAT_NPY,
  ATN_FORMAT_JSON,
  ATN_N_FORMATS
} AtnFormat;

typedef struct
{
  AtnFormat format;
  AtnFigureKind what; /* numbers: head or sheet, which means all heads */
  AtnExportSize size; /* of a picture */
} AtnExportSpec;

void atn_export_spec_init (AtnExportSpec *self);

const char *atn_format_get_title (AtnFormat self);     /* "PNG" */
const char *atn_format_get_extension (AtnFormat self); /* "png" */
bool atn_format_is_picture (AtnFormat self);
/* By the extension of @path; false if it has none that is known. */
bool atn_format_from_path (const char *path, AtnFormat *format);

/* (transfer full): a file name without folder, such as "english-small-L3H2-pattern.png". */
char *atn_export_spec_dup_file_name (const AtnExportSpec *self,
                                     const AtnResult *result,
                                     const AtnFigureOptions *options);

/**
 * atn_export_spec_render:
 * @options: layer, head, stage, colours; its kind is taken from @self
 *
 * Returns: (transfer full): the bytes of the file; NULL if cancelled or with @error set
 * Threads: the compute thread
 */
GBytes *atn_export_spec_render (const AtnExportSpec *self,
                                const AtnResult *result,
                                const AtnFigureOptions *options,
                                GCancellable *cancellable,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_export_spec_write:
 *
 * The same into a file; all heads' numbers are written head by head.
 *
 * Errors: ATN_ERROR_IO naming @path, too; no partial file stays behind
 * Threads: the compute thread
 */
gboolean atn_export_spec_write (const AtnExportSpec *self,
                                const AtnResult *result,
                                const AtnFigureOptions *options,
                                const char *path,
                                GCancellable *cancellable,
                                GError **error);

G_END_DECLS
