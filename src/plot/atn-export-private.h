/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One function for each kind of file. Sizes have been checked by the caller.
 */

#pragma once

#include "plot/atn-export.h"

G_BEGIN_DECLS

#define ATN_EXPORT_CREATOR "Attnscope"

/* A figure on its way into a file. */
typedef struct
{
  const AtnFigure *figure;
  double natural_width; /* in units of the figure */
  double natural_height;
  double scale; /* pixels (PNG) or points in a unit */
  double width; /* of the file: whole pixels or points */
  double height;
  double dpi;                /* PNG: pixels an inch */
  const GPtrArray *metadata; /* key, value, key, value … with notes about the file itself */
} AtnExportJob;

GBytes *atn_export_render_png (const AtnExportJob *job, GError **error);
GBytes *atn_export_render_svg (const AtnExportJob *job, GError **error);
GBytes *atn_export_render_pdf (const AtnExportJob *job, GError **error);

/* Draws the job's figure on a context whose unit is the file's. */
void atn_export_draw (const AtnExportJob *job, cairo_t *cr);

G_END_DECLS
