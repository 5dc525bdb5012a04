/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A figure as a PNG, SVG or PDF file, with its metadata (PNG: iTXt and pHYs; SVG: a
 * <metadata> element; PDF: subject and keywords).
 */

#pragma once

#include "plot/atn-figure.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  ATN_EXPORT_PNG,
  ATN_EXPORT_SVG,
  ATN_EXPORT_PDF
} AtnExportFormat;

/* All zero is the natural size: 96 pixels an inch. */
typedef struct
{
  double zoom;     /* 1 … 8: pixels in a unit of the natural size; 0: by width_mm or dpi */
  double width_mm; /* of the whole figure; 0: the natural size */
  double dpi;      /* PNG: pixels an inch; 0: 96 (times zoom) */
} AtnExportSize;

bool atn_export_format_from_path (const char *path, AtnExportFormat *format);

/* Size in pixels (PNG) or points that the export will have. */
gboolean atn_export_measure (const AtnFigure *figure,
                             AtnExportFormat format,
                             const AtnExportSize *size,
                             double *width,
                             double *height,
                             GError **error);

/**
 * atn_export_render:
 *
 * Returns: (transfer full): the bytes of the file
 * Errors: ATN_ERROR_TOO_LARGE with the wanted size and the limit (32,767 px a side, memory)
 * Threads: any
 */
GBytes *atn_export_render (const AtnFigure *figure,
                           AtnExportFormat format,
                           const AtnExportSize *size,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Renders and writes by atn_output_write(). */
gboolean atn_export_write (const AtnFigure *figure,
                           AtnExportFormat format,
                           const AtnExportSize *size,
                           const char *path,
                           GError **error);

G_END_DECLS
