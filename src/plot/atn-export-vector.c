/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * SVG and PDF by Cairo. Its SVG backend knows no metadata, so they are put into the text
 * it has written, behind the opening tag.
 */

#include "plot/atn-export-private.h"

#include "base/atn-error.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define METADATA_NAMESPACE "https://attnscope.github.io/ns/figure"
#define REPLACEMENT_CHARACTER 0xfffd

static cairo_status_t
append_cb (gpointer closure, const guchar *data, guint length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Draws and closes the surface. Errors of the stream show only after it has been finished. */
static gboolean
draw_and_finish (const AtnExportJob *job, cairo_surface_t *surface, GError **error)
{
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  atn_export_draw (job, cr);
  cairo_show_page (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_IO, _ ("The picture could not be drawn: %s"),
               cairo_status_to_string (status));
  return FALSE;
}

/* XML has no way to write most control characters, not even as a reference. */
static char *
escape_xml (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GString) allowed = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c)) {
    const gunichar character = g_utf8_get_char (c);
    const bool is_allowed = (character >= 0x20 || strchr ("\t\n\r", (int) character) != NULL) &&
                            character != 0xfffe && character != 0xffff;

    g_string_append_unichar (allowed, is_allowed ? character : REPLACEMENT_CHARACTER);
  }
  return g_markup_escape_text (allowed->str, (gssize) allowed->len);
}

static void
append_element (GString *xml, const char *element, const char *text)
{
  g_autofree char *escaped = NULL;

  if (text == NULL)
    return;

  escaped = escape_xml (text);
  g_string_append_printf (xml, "<%s>%s</%s>\n", element, escaped, element);
}

static char *
dup_svg_metadata (const AtnExportJob *job)
{
  GString *xml = g_string_new ("\n");

  append_element (xml, "title", job->figure->title);
  append_element (xml, "desc", job->figure->caption);
  g_string_append (xml, "<metadata>\n<figure xmlns=\"" METADATA_NAMESPACE "\">\n");
  append_element (xml, "software", ATN_EXPORT_CREATOR);
  for (guint i = 0; i + 1 < job->metadata->len; i += 2) {
    g_autofree char *key = escape_xml (g_ptr_array_index (job->metadata, i));
    g_autofree char *value = escape_xml (g_ptr_array_index (job->metadata, i + 1));

    g_string_append_printf (xml, "<entry key=\"%s\">%s</entry>\n", key, value);
  }
  g_string_append (xml, "</figure>\n</metadata>");
  return g_string_free (xml, FALSE);
}

GBytes *
atn_export_render_svg (const AtnExportJob *job, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface =
    cairo_svg_surface_create_for_stream (append_cb, bytes, job->width, job->height);
  const gboolean is_drawn = draw_and_finish (job, surface, error);
  g_autofree char *metadata = NULL;
  const char *tag, *end;
  GByteArray *svg;
  gsize head;

  cairo_surface_destroy (surface);
  if (!is_drawn)
    return NULL;

  g_byte_array_append (bytes, (const guint8 *) "", 1);
  tag = strstr ((const char *) bytes->data, "<svg");
  end = tag != NULL ? strchr (tag, '>') : NULL;
  g_assert (end != NULL);

  metadata = dup_svg_metadata (job);
  head = (gsize) (end + 1 - (const char *) bytes->data);
  svg = g_byte_array_sized_new (bytes->len + (guint) strlen (metadata));
  g_byte_array_append (svg, bytes->data, (guint) head);
  g_byte_array_append (svg, (const guint8 *) metadata, (guint) strlen (metadata));
  g_byte_array_append (svg, bytes->data + head, bytes->len - 1 - (guint) head);
  return g_byte_array_free_to_bytes (svg);
}

static char *
dup_pdf_keywords (const AtnExportJob *job)
{
  GString *keywords = g_string_new (NULL);

  for (guint i = 0; i + 1 < job->metadata->len; i += 2)
    g_string_append_printf (keywords, "%s%s: %s", i > 0 ? "; " : "",
                            (const char *) g_ptr_array_index (job->metadata, i),
                            (const char *) g_ptr_array_index (job->metadata, i + 1));
  return g_string_free (keywords, FALSE);
}

static void
set_pdf_metadata (cairo_surface_t *surface, cairo_pdf_metadata_t key, const char *text)
{
  g_autofree char *valid = NULL;

  if (text == NULL)
    return;

  /* Invalid UTF-8 would put the surface into an error state. */
  valid = g_utf8_make_valid (text, -1);
  cairo_pdf_surface_set_metadata (surface, key, valid);
}

GBytes *
atn_export_render_pdf (const AtnExportJob *job, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface =
    cairo_pdf_surface_create_for_stream (append_cb, bytes, job->width, job->height);
  g_autofree char *keywords = dup_pdf_keywords (job);
  gboolean is_drawn;

  set_pdf_metadata (surface, CAIRO_PDF_METADATA_TITLE, job->figure->title);
  set_pdf_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, job->figure->caption);
  set_pdf_metadata (surface, CAIRO_PDF_METADATA_KEYWORDS, keywords);
  set_pdf_metadata (surface, CAIRO_PDF_METADATA_CREATOR, ATN_EXPORT_CREATOR);
  is_drawn = draw_and_finish (job, surface, error);
  cairo_surface_destroy (surface);
  return is_drawn ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}
