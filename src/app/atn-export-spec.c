/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-export-spec.h"

#include "base/atn-output.h"

#include <string.h>

typedef struct
{
  const char *title;
  const char *extension;
  bool is_picture;
  AtnExportFormat picture;
  AtnMatrixFormat numbers;
} FormatEntry;

static const FormatEntry formats[ATN_N_FORMATS] = {
  [ATN_FORMAT_PNG] = { "PNG", "png", true, ATN_EXPORT_PNG, 0 },
  [ATN_FORMAT_SVG] = { "SVG", "svg", true, ATN_EXPORT_SVG, 0 },
  [ATN_FORMAT_PDF] = { "PDF", "pdf", true, ATN_EXPORT_PDF, 0 },
  [ATN_FORMAT_CSV] = { "CSV", "csv", false, 0, ATN_MATRIX_FORMAT_CSV },
  [ATN_FORMAT_TSV] = { "TSV", "tsv", false, 0, ATN_MATRIX_FORMAT_TSV },
  [ATN_FORMAT_NPY] = { "NPY", "npy", false, 0, ATN_MATRIX_FORMAT_NPY },
  [ATN_FORMAT_JSON] = { "JSON", "json", false, 0, ATN_MATRIX_FORMAT_JSON },
};

void
atn_export_spec_init (AtnExportSpec *self)
{
  *self = (AtnExportSpec){ .format = ATN_FORMAT_PNG,
                           .what = ATN_FIGURE_HEAD,
                           .size = { .zoom = 2.0, .width_mm = 120.0, .dpi = 300.0 } };
}

const char *
atn_format_get_title (AtnFormat self)
{
  return formats[self].title;
}

const char *
atn_format_get_extension (AtnFormat self)
{
  return formats[self].extension;
}

bool
atn_format_is_picture (AtnFormat self)
{
  return formats[self].is_picture;
}

bool
atn_format_from_path (const char *path, AtnFormat *format)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *dot = strrchr (name, '.');

  if (dot == NULL)
    return false;
  for (int i = 0; i < ATN_N_FORMATS; i++)
    if (g_ascii_strcasecmp (dot + 1, formats[i].extension) == 0) {
      *format = (AtnFormat) i;
      return true;
    }
  return false;
}

char *
atn_export_spec_dup_file_name (const AtnExportSpec *self,
                               const AtnResult *result,
                               const AtnFigureOptions *options)
{
  g_autofree char *name = g_strdup (atn_model_get_name (result->model));
  const char *stage = atn_stage_get_name (options->stage);
  const char *extension = formats[self->format].extension;

  g_strdelimit (name, "/\\:*?\"<>|\n\t", '-');
  if (self->what == ATN_FIGURE_SHEET)
    return g_strdup_printf ("%s-%s.%s", name, stage, extension);
  if (self->what == ATN_FIGURE_STRIP)
    return g_strdup_printf ("%s-L%zuH%zu.%s", name, options->layer, options->head, extension);
  return g_strdup_printf ("%s-L%zuH%zu-%s.%s", name, options->layer, options->head, stage,
                          extension);
}

static GBytes *
render_numbers (const AtnExportSpec *self,
                const AtnResult *result,
                const AtnFigureOptions *options,
                GError **error)
{
  AtnMatrixFormat format = formats[self->format].numbers;

  if (self->what == ATN_FIGURE_SHEET)
    return atn_result_dup_file_all (result, options->stage, format, error);
  return atn_result_dup_file (result, options->layer, options->head, options->stage, format);
}

GBytes *
atn_export_spec_render (const AtnExportSpec *self,
                        const AtnResult *result,
                        const AtnFigureOptions *options,
                        GCancellable *cancellable,
                        GError **error)
{
  AtnFigureOptions own = *options;
  g_autoptr (AtnFigure) figure = NULL;

  own.kind = self->what;
  if (!atn_format_is_picture (self->format))
    return render_numbers (self, result, &own, error);
  figure = atn_figure_build (result, &own, cancellable, error);
  if (figure == NULL)
    return NULL;
  return atn_export_render (figure, formats[self->format].picture, &self->size, error);
}

gboolean
atn_export_spec_write (const AtnExportSpec *self,
                       const AtnResult *result,
                       const AtnFigureOptions *options,
                       const char *path,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  const void *contents;
  gsize length;

  if (self->what == ATN_FIGURE_SHEET && !atn_format_is_picture (self->format))
    return atn_result_write_file_all (result, options->stage, formats[self->format].numbers, path,
                                      cancellable, error);

  bytes = atn_export_spec_render (self, result, options, cancellable, error);
  if (bytes == NULL)
    return FALSE;

  contents = g_bytes_get_data (bytes, &length);
  return atn_output_write (path, contents, length, error);
}
