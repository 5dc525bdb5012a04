/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-export-preview.h"

#include "app/atn-picture.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_TEXT_BYTES 1500
#define POINTS_PER_MM (72.0 / 25.4)

AtnExportPreview *
atn_export_preview_new (const AtnExportSpec *spec,
                        const AtnFigureOptions *options,
                        AtnResult *result)
{
  AtnExportPreview *self = g_new0 (AtnExportPreview, 1);

  self->spec = *spec;
  self->options = *options;
  self->result = atn_result_ref (result);
  return self;
}

void
atn_export_preview_free (AtnExportPreview *self)
{
  atn_result_unref (self->result);
  g_clear_object (&self->texture);
  g_free (self->text);
  g_free (self->size);
  g_clear_error (&self->error);
  g_free (self);
}

static char *
dup_size (const AtnExportPreview *self, double width, double height)
{
  if (self->spec.format == ATN_FORMAT_PNG)
    /* Translators: width and height of a picture in pixels */
    return g_strdup_printf (_ ("%.0f × %.0f px"), width, height);
  /* Translators: width and height of a picture in millimetres */
  return g_strdup_printf (_ ("%.0f × %.0f mm"), width / POINTS_PER_MM, height / POINTS_PER_MM);
}

static AtnExportFormat
get_picture_format (AtnFormat format)
{
  return format == ATN_FORMAT_PNG ? ATN_EXPORT_PNG
                                  : (format == ATN_FORMAT_SVG ? ATN_EXPORT_SVG : ATN_EXPORT_PDF);
}

/* A file has the proportions of its natural size, text included; so has its preview. */
static GdkTexture *
draw_small (const AtnExportPreview *self, const AtnFigure *figure)
{
  double width, height, factor;
  cairo_surface_t *surface;
  GdkTexture *texture = NULL;
  cairo_t *cr;

  atn_figure_get_natural_size (figure, 1.0, &width, &height);
  factor = MIN (self->width / width, self->height / height) * MAX (self->scale_factor, 1);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) MAX (width * factor, 1.0),
                                        (int) MAX (height * factor, 1.0));
  cr = cairo_create (surface);
  cairo_scale (cr, factor, factor);
  atn_figure_draw (figure, cr, width, height, NULL, NULL);
  if (cairo_status (cr) == CAIRO_STATUS_SUCCESS)
    texture = atn_picture_dup_texture (surface);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return texture;
}

static void
run_picture (AtnExportPreview *self, GCancellable *cancellable)
{
  g_autoptr (AtnFigure) figure =
    atn_figure_build (self->result, &self->options, cancellable, &self->error);
  double width, height;

  if (figure == NULL)
    return;
  self->texture = draw_small (self, figure);
  if (atn_export_measure (figure, get_picture_format (self->spec.format), &self->spec.size, &width,
                          &height, &self->error))
    self->size = dup_size (self, width, height);
}

static void
run_numbers (AtnExportPreview *self, GCancellable *cancellable)
{
  AtnExportSpec spec = self->spec;
  size_t n_tokens = self->result->tokens->n_tokens;
  const AtnConfig *config = atn_model_get_config (self->result->model);
  g_autoptr (GBytes) bytes = NULL;
  const char *contents;
  gsize length;

  if (spec.what == ATN_FIGURE_SHEET)
    /* Translators: layers, heads, queries and keys of a file with all matrices */
    self->size = g_strdup_printf (_ ("%zu layers × %zu heads × %zu × %zu numbers"),
                                  config->n_layers, config->n_heads, n_tokens, n_tokens);
  else
    self->size = g_strdup_printf (_ ("%zu × %zu numbers"), n_tokens, n_tokens);
  /* One head is enough to see what the file is like. */
  spec.what = ATN_FIGURE_HEAD;
  if (spec.format == ATN_FORMAT_NPY)
    spec.format = ATN_FORMAT_TSV;
  bytes = atn_export_spec_render (&spec, self->result, &self->options, cancellable, &self->error);
  if (bytes == NULL)
    return;
  contents = g_bytes_get_data (bytes, &length);
  if (length > MAX_TEXT_BYTES) {
    g_autofree char *start = g_strndup (contents, MAX_TEXT_BYTES);
    g_autofree char *valid = g_utf8_make_valid (start, -1);

    self->text = g_strconcat (valid, "…", NULL);
  } else {
    self->text = g_utf8_make_valid (contents, (gssize) length);
  }
}

void
atn_export_preview_run (AtnExportPreview *self, GCancellable *cancellable)
{
  self->options.kind = self->spec.what;
  if (atn_format_is_picture (self->spec.format))
    run_picture (self, cancellable);
  else
    run_numbers (self, cancellable);
}
