/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Size first, then drawing, then the file as a whole: a picture that is too large or a
 * place that can't be written to is one sentence, and what was there before stays.
 */

#include "plot/atn-export-private.h"

#include "base/atn-error.h"
#include "base/atn-output.h"
#include "plot/atn-figure-private.h"

#include <glib/gi18n-lib.h>

#define DEFAULT_DPI 96.0
#define POINTS_PER_INCH 72.0
#define UNITS_PER_INCH 96.0
#define MM_PER_INCH 25.4

/* Cairo's image surfaces end here, and so do many viewers. */
#define MAX_PIXELS 32767.0
/* PDF 1.7, annex C: 14,400 units; other formats are held to the same. */
#define MAX_POINTS 14400.0

bool
atn_export_format_from_path (const char *path, AtnExportFormat *format)
{
  static const char *const SUFFIXES
    [] = { [ATN_EXPORT_PNG] = ".png", [ATN_EXPORT_SVG] = ".svg", [ATN_EXPORT_PDF] = ".pdf" };
  g_autofree char *lower = NULL;

  g_return_val_if_fail (path != NULL, false);

  lower = g_ascii_strdown (path, -1);
  for (guint i = 0; i < G_N_ELEMENTS (SUFFIXES); i++) {
    if (g_str_has_suffix (lower, SUFFIXES[i])) {
      *format = (AtnExportFormat) i;
      return true;
    }
  }
  return false;
}

static gboolean
check_size (const AtnExportJob *job,
            AtnExportFormat format,
            const AtnExportSize *size,
            GError **error)
{
  const double limit = format == ATN_EXPORT_PNG ? MAX_PIXELS : MAX_POINTS;
  const double longest = fmax (job->width, job->height);
  const bool by_width = !(size->zoom > 0) && size->width_mm > 0;
  const double factor = limit / longest;
  g_autofree char *largest = NULL;

  if (longest <= limit)
    return TRUE;

  if (by_width)
    /* Translators: ends the sentence "The picture would be … ; the largest that fits is …" */
    largest = g_strdup_printf (_ ("a width of %.0f mm"), floor (size->width_mm * factor));
  else
    largest =
      g_strdup_printf (_ ("a zoom of %.1f"), floor (10 * fmax (size->zoom, 0) * factor) / 10);

  if (format == ATN_EXPORT_PNG)
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("The picture would be %.0f × %.0f pixels, and a side can have at most %.0f; "
                    "the largest that fits is %s"),
                 job->width, job->height, limit, largest);
  else
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("The picture would be %.0f × %.0f points, and a side can have at most %.0f; "
                    "the largest that fits is %s"),
                 job->width, job->height, limit, largest);
  return FALSE;
}

static gboolean
init_job (AtnExportJob *job,
          const AtnFigure *figure,
          AtnExportFormat format,
          const AtnExportSize *size,
          GError **error)
{
  const bool by_width = !(size->zoom > 0) && size->width_mm > 0;
  const double zoom = size->zoom > 0 ? size->zoom : 1;

  *job = (AtnExportJob){ .figure = figure };
  atn_figure_get_natural_size (figure, 1, &job->natural_width, &job->natural_height);

  if (format == ATN_EXPORT_PNG) {
    job->dpi = size->dpi > 0 ? size->dpi : by_width ? DEFAULT_DPI : DEFAULT_DPI * zoom;
    if (by_width)
      job->scale = size->width_mm / MM_PER_INCH * job->dpi / job->natural_width;
    else
      job->scale = size->zoom > 0 ? size->zoom : job->dpi / UNITS_PER_INCH;
    job->width = fmax (1, round (job->natural_width * job->scale));
    job->height = fmax (1, round (job->natural_height * job->scale));
  } else {
    job->scale = by_width ? size->width_mm / MM_PER_INCH * POINTS_PER_INCH / job->natural_width
                          : zoom * POINTS_PER_INCH / UNITS_PER_INCH;
    job->width = job->natural_width * job->scale;
    job->height = job->natural_height * job->scale;
  }
  return check_size (job, format, size, error);
}

gboolean
atn_export_measure (const AtnFigure *figure,
                    AtnExportFormat format,
                    const AtnExportSize *size,
                    double *width,
                    double *height,
                    GError **error)
{
  AtnExportJob job;

  g_return_val_if_fail (figure != NULL && size != NULL, FALSE);

  if (!init_job (&job, figure, format, size, error))
    return FALSE;

  *width = job.width;
  *height = job.height;
  return TRUE;
}

/* (transfer full) (nullable): how the cells are stored, where that is not one by one. */
static char *
dup_cells_note (const AtnExportJob *job, AtnExportFormat format)
{
  const AtnFigure *figure = job->figure;
  size_t per_cell;

  if (format == ATN_EXPORT_PNG) {
    if (job->scale * atn_figure_get_cell_size (figure, job->natural_width, job->natural_height) < 1)
      return g_strdup ("pooled by largest magnitude");
    return NULL;
  }
  if (!atn_cells_are_enlarged (figure))
    return NULL;

  per_cell = atn_cells_get_enlargement (figure);
  if (per_cell == 0)
    return g_strdup ("embedded pixels, pooled by largest magnitude");
  return g_strdup_printf ("embedded pixels, %zu a side of a cell", per_cell);
}

/* The figure's pairs and what only the file knows. */
static GPtrArray *
dup_metadata (const AtnExportJob *job, AtnExportFormat format)
{
  const GPtrArray *pairs = job->figure->metadata;
  GPtrArray *metadata = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *note = dup_cells_note (job, format);

  for (guint i = 0; i < pairs->len; i++)
    g_ptr_array_add (metadata, g_strdup (g_ptr_array_index (pairs, i)));

  if (note != NULL) {
    g_ptr_array_add (metadata, g_strdup ("cells"));
    g_ptr_array_add (metadata, g_steal_pointer (&note));
  }
  return metadata;
}

void
atn_export_draw (const AtnExportJob *job, cairo_t *cr)
{
  /* The whole file is ground, though its last pixel may lie beyond the natural size. */
  atn_set_source_color (cr, job->figure->style.background);
  cairo_paint (cr);
  cairo_scale (cr, job->scale, job->scale);
  atn_figure_draw (job->figure, cr, job->natural_width, job->natural_height, NULL, NULL);
}

GBytes *
atn_export_render (const AtnFigure *figure,
                   AtnExportFormat format,
                   const AtnExportSize *size,
                   GError **error)
{
  g_autoptr (GPtrArray) metadata = NULL;
  AtnExportJob job;

  g_return_val_if_fail (figure != NULL && size != NULL, NULL);

  if (!init_job (&job, figure, format, size, error))
    return NULL;

  job.metadata = metadata = dup_metadata (&job, format);
  switch (format) {
  case ATN_EXPORT_PNG:
    return atn_export_render_png (&job, error);
  case ATN_EXPORT_SVG:
    return atn_export_render_svg (&job, error);
  case ATN_EXPORT_PDF:
    return atn_export_render_pdf (&job, error);
  default:
    g_return_val_if_reached (NULL);
  }
}

gboolean
atn_export_write (const AtnFigure *figure,
                  AtnExportFormat format,
                  const AtnExportSize *size,
                  const char *path,
                  GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gconstpointer data;
  gsize length;

  g_return_val_if_fail (path != NULL, FALSE);

  bytes = atn_export_render (figure, format, size, error);
  if (bytes == NULL) {
    g_prefix_error (error, "%s: ", path);
    return FALSE;
  }
  data = g_bytes_get_data (bytes, &length);
  return atn_output_write (path, data, length, error);
}
