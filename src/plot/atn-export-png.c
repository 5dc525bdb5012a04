/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * PNG by libpng, since Cairo's writer knows neither iTXt nor pHYs. The figure is drawn in
 * bands, each with a clip: a picture at Cairo's limit has 32,767² pixels, 4 GiB, and a
 * band never more than 64 MiB.
 */

#include "plot/atn-export-private.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <png.h>
#include <string.h>

#define MAX_BAND_BYTES (64u << 20)
#define COMPRESS_TEXT_FROM 256
/* PNG, 11.3.4: Latin-1, so ASCII keys are safe; 79 bytes. */
#define MAX_KEY_LEN 79

/* All that must be freed when libpng jumps out. */
typedef struct
{
  const AtnExportJob *job;
  GByteArray *bytes;
  png_structp png;
  png_infop info;
  cairo_surface_t *band;
  char *message; /* owned: why it failed */
} Writer;

static void
write_bytes_cb (png_structp png, png_bytep data, png_size_t length)
{
  Writer *self = png_get_io_ptr (png);

  g_byte_array_append (self->bytes, data, (guint) length);
}

static void
flush_cb (png_structp png)
{
}

static void
error_cb (png_structp png, png_const_charp message)
{
  Writer *self = png_get_error_ptr (png);

  g_free (self->message);
  self->message = g_strdup (message);
  png_longjmp (png, 1);
}

static void
warning_cb (png_structp png, png_const_charp message)
{
  g_debug ("libpng: %s", message);
}

static void
write_text (Writer *self, const char *key, const char *value)
{
  g_autofree char *key_copy = g_strndup (key, MAX_KEY_LEN);
  g_autofree char *value_copy = g_utf8_make_valid (value, -1);
  png_text text = {
    .compression = strlen (value_copy) > COMPRESS_TEXT_FROM ? PNG_ITXT_COMPRESSION_zTXt
                                                            : PNG_ITXT_COMPRESSION_NONE,
    .key = key_copy,
    .text = value_copy,
    .itxt_length = strlen (value_copy),
  };

  png_set_text (self->png, self->info, &text, 1);
}

static void
write_header (Writer *self)
{
  const AtnExportJob *job = self->job;
  const png_uint_32 per_metre = (png_uint_32) lrint (job->dpi / 0.0254);

  png_set_IHDR (self->png, self->info, (png_uint_32) job->width, (png_uint_32) job->height, 8,
                PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB (self->png, self->info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_pHYs (self->png, self->info, per_metre, per_metre, PNG_RESOLUTION_METER);
  /* Rows of a heatmap repeat the row above; trying every filter costs more than it saves. */
  png_set_filter (self->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);

  write_text (self, "Software", ATN_EXPORT_CREATOR);
  if (job->figure->title != NULL)
    write_text (self, "Title", job->figure->title);
  if (job->figure->caption != NULL)
    write_text (self, "Description", job->figure->caption);
  for (guint i = 0; i + 1 < job->metadata->len; i += 2)
    write_text (self, g_ptr_array_index (job->metadata, i),
                g_ptr_array_index (job->metadata, i + 1));

  png_write_info (self->png, self->info);
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  png_set_bgr (self->png);
  png_set_filler (self->png, 0, PNG_FILLER_AFTER);
#else
  png_set_filler (self->png, 0, PNG_FILLER_BEFORE);
#endif
}

static void
draw_band (Writer *self, int first_row)
{
  cairo_t *cr = cairo_create (self->band);
  cairo_status_t status;

  cairo_translate (cr, 0, -first_row);
  atn_export_draw (self->job, cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_flush (self->band);
  if (status != CAIRO_STATUS_SUCCESS)
    png_error (self->png, cairo_status_to_string (status));
}

static void
write_rows (Writer *self)
{
  const int width = (int) self->job->width;
  const int height = (int) self->job->height;
  const int stride = cairo_format_stride_for_width (CAIRO_FORMAT_RGB24, width);
  const int band_height = CLAMP ((int) (MAX_BAND_BYTES / (unsigned) stride), 1, height);

  self->band = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, band_height);
  if (cairo_surface_status (self->band) != CAIRO_STATUS_SUCCESS)
    png_error (self->png, cairo_status_to_string (cairo_surface_status (self->band)));

  for (int first = 0; first < height; first += band_height) {
    const guint8 *data;

    draw_band (self, first);
    data = cairo_image_surface_get_data (self->band);
    for (int row = 0; row < MIN (band_height, height - first); row++)
      png_write_row (self->png, data + (gsize) row * (gsize) stride);
  }
  png_write_end (self->png, self->info);
}

/* Nothing here may own memory but through @self: libpng jumps over the frames between. */
static gboolean
write_png (Writer *self)
{
  if (setjmp (png_jmpbuf (self->png)))
    return FALSE;

  png_set_write_fn (self->png, self, write_bytes_cb, flush_cb);
  write_header (self);
  write_rows (self);
  return TRUE;
}

GBytes *
atn_export_render_png (const AtnExportJob *job, GError **error)
{
  Writer self = { .job = job, .bytes = g_byte_array_new () };
  gboolean is_written = FALSE;

  self.png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &self, error_cb, warning_cb);
  if (self.png != NULL)
    self.info = png_create_info_struct (self.png);
  if (self.info != NULL)
    is_written = write_png (&self);

  if (!is_written)
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("The picture of %.0f × %.0f pixels could not be made: %s"), job->width,
                 job->height, self.message != NULL ? self.message : "libpng");

  png_destroy_write_struct (&self.png, &self.info);
  g_clear_pointer (&self.band, cairo_surface_destroy);
  g_free (self.message);
  if (!is_written) {
    g_byte_array_unref (self.bytes);
    return NULL;
  }
  return g_byte_array_free_to_bytes (self.bytes);
}
