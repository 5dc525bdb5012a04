/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-picture.h"

#include <adwaita.h>
#include <math.h>

#define FONT_SIZE_PT 9.0
/* One side of an image surface; larger ones end in an error status and no pixels. */
#define MAX_SIDE 16384.0
#define SURFACE_KEY "atn-surface"

AtnPicture *
atn_picture_ref (AtnPicture *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_picture_unref (AtnPicture *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->figure, atn_figure_unref);
  g_clear_pointer (&self->result, atn_result_unref);
  g_clear_object (&self->texture);
  g_free (self->boxes);
  g_free (self);
}

GdkTexture *
atn_picture_dup_texture (cairo_surface_t *surface)
{
  int width = cairo_image_surface_get_width (surface);
  int height = cairo_image_surface_get_height (surface);
  int stride = cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = NULL;
  GdkTexture *texture;

  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface),
                                      (gsize) height * (gsize) stride,
                                      (GDestroyNotify) cairo_surface_destroy,
                                      cairo_surface_reference (surface));
  texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) stride);
  g_object_set_data_full (G_OBJECT (texture), SURFACE_KEY, cairo_surface_reference (surface),
                          (GDestroyNotify) cairo_surface_destroy);
  return texture;
}

void
atn_picture_snapshot_texture (GdkTexture *texture,
                              GtkWidget *widget,
                              GtkSnapshot *snapshot,
                              const graphene_rect_t *bounds)
{
  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (widget));
  cairo_t *cr;

  if (!GSK_IS_CAIRO_RENDERER (renderer)) {
    gtk_snapshot_append_texture (snapshot, texture, bounds);
    return;
  }
  /* Without OpenGL, GTK 4.8 turns every texture of a window into floats and back in each frame,
   * wherever in the window the frame draws: 3 ms for the large heatmap. */
  cr = gtk_snapshot_append_cairo (snapshot, bounds);
  cairo_translate (cr, (double) bounds->origin.x, (double) bounds->origin.y);
  cairo_scale (cr, (double) bounds->size.width / gdk_texture_get_width (texture),
               (double) bounds->size.height / gdk_texture_get_height (texture));
  cairo_set_source_surface (cr, g_object_get_data (G_OBJECT (texture), SURFACE_KEY), 0.0, 0.0);
  cairo_paint (cr);
  cairo_destroy (cr);
}

static GdkTexture *
draw_texture (AtnPicture *self, int scale_factor)
{
  double width = CLAMP (ceil (self->width * scale_factor), 1.0, MAX_SIDE);
  double height = CLAMP (ceil (self->height * scale_factor), 1.0, MAX_SIDE);
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, (int) height);
  cairo_t *cr = cairo_create (surface);
  GdkTexture *texture = NULL;

  cairo_scale (cr, scale_factor, scale_factor);
  atn_figure_draw (self->figure, cr, self->width, self->height,
                   self->has_viewport ? &self->viewport : NULL, self->boxes);
  if (cairo_status (cr) == CAIRO_STATUS_SUCCESS)
    texture = atn_picture_dup_texture (surface);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return texture;
}

AtnPicture *
atn_picture_new (const AtnPictureRequest *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (AtnPicture) self = g_new0 (AtnPicture, 1);

  g_atomic_ref_count_init (&self->ref_count);
  if (request->figure != NULL)
    self->figure = atn_figure_ref (request->figure);
  else
    self->figure = atn_figure_build (request->result, &request->options, cancellable, error);
  if (self->figure == NULL || g_cancellable_is_cancelled (cancellable))
    return NULL;

  self->result = atn_result_ref (request->result);
  self->options = request->options;
  self->width = request->width;
  self->height = request->height;
  self->has_viewport = request->has_viewport;
  self->viewport = request->viewport;
  self->boxes = g_new0 (AtnPanelBox, self->figure->n_panels);
  self->texture = draw_texture (self, MAX (request->scale_factor, 1));
  if (self->texture == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

bool
atn_picture_hit_test (const AtnPicture *self,
                      double x,
                      double y,
                      size_t *panel,
                      size_t *query,
                      size_t *key)
{
  return atn_figure_hit_test (self->figure, self->boxes,
                              self->has_viewport ? &self->viewport : NULL, x, y, panel, query, key);
}

void
atn_picture_get_cell_box (const AtnPicture *self,
                          size_t panel,
                          size_t query,
                          size_t key,
                          graphene_rect_t *box)
{
  const AtnPanelBox *cells = &self->boxes[panel];
  AtnViewport all = { 0.0, 0.0, (double) self->figure->n_rows, (double) self->figure->n_cols };
  const AtnViewport *viewport = self->has_viewport ? &self->viewport : &all;
  double cell_width = cells->width / viewport->n_cols;
  double cell_height = cells->height / viewport->n_rows;

  graphene_rect_init (box, (float) (cells->x + ((double) key - viewport->first_col) * cell_width),
                      (float) (cells->y + ((double) query - viewport->first_row) * cell_height),
                      (float) cell_width, (float) cell_height);
}

void
atn_picture_style_init (AtnPlotStyle *style, GtkWidget *widget, double text_scale)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  AtnColormap colormap = style->colormap;
  GdkRGBA text;
  GdkRGBA ground;

  atn_plot_style_init (style);
  style->colormap = colormap;
  gtk_style_context_get_color (context, &text);
  if (!gtk_style_context_lookup_color (context, "view_bg_color", &ground))
    ground = (GdkRGBA){ 1.0f, 1.0f, 1.0f, 1.0f };
  style->foreground = (AtnColor){ (double) text.red, (double) text.green, (double) text.blue };
  style->background =
    (AtnColor){ (double) ground.red, (double) ground.green, (double) ground.blue };
  style->masked = adw_style_manager_get_dark (adw_style_manager_get_default ())
                    ? (AtnColor){ 0.42, 0.42, 0.42 }
                    : (AtnColor){ 0.72, 0.72, 0.72 };
  style->font_size = FONT_SIZE_PT * text_scale;
  style->show_title = false;
  style->show_caption = false;
}
