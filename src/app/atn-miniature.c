/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-miniature.h"

#include "app/atn-picture.h"

struct _AtnMiniature
{
  GtkWidget parent_instance;

  int size;
  GdkTexture *texture; /* (nullable) */
  int scale_factor;
  AtnPanelBox box; /* of the cells, in the texture */
  guint n_tokens;
  int query;
  int key;
};

G_DEFINE_FINAL_TYPE (AtnMiniature, atn_miniature, GTK_TYPE_WIDGET)

static void
atn_miniature_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  *minimum = *natural = ATN_MINIATURE (widget)->size;
  *minimum_baseline = *natural_baseline = -1;
}

/* Cells as narrow as this are covered by one line, wider ones stand between two. */
#define MAX_COVERED 3.0f

static void
snapshot_line (GtkSnapshot *snapshot, float x, float y, float width, float height)
{
  const GdkRGBA light = { 1.0f, 1.0f, 1.0f, 0.5f };

  gtk_snapshot_append_color (snapshot, &light, &GRAPHENE_RECT_INIT (x, y, width, height));
}

static void
snapshot_row (GtkSnapshot *snapshot, float x, float y, float side, float cell)
{
  if (cell <= MAX_COVERED) {
    snapshot_line (snapshot, x, y, side, MAX (cell, 1.0f));
    return;
  }
  snapshot_line (snapshot, x, y, side, 1.0f);
  snapshot_line (snapshot, x, y + cell - 1.0f, side, 1.0f);
}

static void
snapshot_column (GtkSnapshot *snapshot, float x, float y, float side, float cell)
{
  if (cell <= MAX_COVERED) {
    snapshot_line (snapshot, x, y, MAX (cell, 1.0f), side);
    return;
  }
  snapshot_line (snapshot, x, y, 1.0f, side);
  snapshot_line (snapshot, x + cell - 1.0f, y, 1.0f, side);
}

static void
snapshot_frame (GtkSnapshot *snapshot, float x, float y, float side, const GdkRGBA *color)
{
  gtk_snapshot_append_border (snapshot, &GSK_ROUNDED_RECT_INIT (x, y, side, side),
                              (float[4]){ 1.0f, 1.0f, 1.0f, 1.0f },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
}

static void
snapshot_cursor (AtnMiniature *self, GtkSnapshot *snapshot)
{
  const GdkRGBA dark = { 0.0f, 0.0f, 0.0f, 1.0f };
  const GdkRGBA light = { 1.0f, 1.0f, 1.0f, 1.0f };
  float side = (float) self->box.width;
  float cell = side / (float) self->n_tokens;
  float x = (float) self->box.x + (float) self->key * cell;
  float y = (float) self->box.y + (float) self->query * cell;
  float grow = MAX (3.0f - cell, 0.0f) / 2.0f;

  if (self->query >= 0)
    snapshot_row (snapshot, (float) self->box.x, y, side, cell);
  if (self->key >= 0)
    snapshot_column (snapshot, x, (float) self->box.y, side, cell);
  if (self->query < 0 || self->key < 0)
    return;
  snapshot_frame (snapshot, x - grow - 1.0f, y - grow - 1.0f, cell + 2.0f * grow + 2.0f, &dark);
  snapshot_frame (snapshot, x - grow, y - grow, cell + 2.0f * grow, &light);
}

static void
atn_miniature_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  AtnMiniature *self = ATN_MINIATURE (widget);
  int side;

  if (self->texture == NULL)
    return;
  side = gdk_texture_get_width (self->texture) / MAX (self->scale_factor, 1);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
    snapshot, &GRAPHENE_POINT_INIT ((float) ((gtk_widget_get_width (widget) - side) / 2),
                                    (float) ((gtk_widget_get_height (widget) - side) / 2)));
  atn_picture_snapshot_texture (self->texture, widget, snapshot,
                                &GRAPHENE_RECT_INIT (0.0f, 0.0f, (float) side, (float) side));
  if (self->n_tokens > 0)
    snapshot_cursor (self, snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
atn_miniature_dispose (GObject *object)
{
  g_clear_object (&ATN_MINIATURE (object)->texture);
  G_OBJECT_CLASS (atn_miniature_parent_class)->dispose (object);
}

static void
atn_miniature_class_init (AtnMiniatureClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = atn_miniature_dispose;
  widget_class->measure = atn_miniature_measure;
  widget_class->snapshot = atn_miniature_snapshot;
  gtk_widget_class_set_css_name (widget_class, "miniature");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
atn_miniature_init (AtnMiniature *self)
{
  self->query = -1;
  self->key = -1;
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
atn_miniature_new (int size)
{
  AtnMiniature *self = g_object_new (ATN_TYPE_MINIATURE, NULL);

  self->size = size;
  return GTK_WIDGET (self);
}

void
atn_miniature_set_size (AtnMiniature *self, int size)
{
  g_return_if_fail (ATN_IS_MINIATURE (self));

  if (self->size == size)
    return;
  self->size = size;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
atn_miniature_set_texture (AtnMiniature *self,
                           GdkTexture *texture,
                           int scale_factor,
                           const AtnPanelBox *box)
{
  double side;

  g_return_if_fail (ATN_IS_MINIATURE (self));

  self->scale_factor = MAX (scale_factor, 1);
  side = texture != NULL ? (double) gdk_texture_get_width (texture) / self->scale_factor : 0.0;
  self->box = box != NULL ? *box : (AtnPanelBox){ 0.0, 0.0, side, side };
  if (g_set_object (&self->texture, texture))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
atn_miniature_set_cursor (AtnMiniature *self, guint n_tokens, int query, int key)
{
  g_return_if_fail (ATN_IS_MINIATURE (self));

  if (self->n_tokens == n_tokens && self->query == query && self->key == key)
    return;
  self->n_tokens = n_tokens;
  self->query = query;
  self->key = key;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Margins of a figure are in em: without text there are none. */
#define NO_FONT 1e-3

static AtnFigure *
create_figure (const AtnPanel *panel, const AtnPlotStyle *style)
{
  AtnFigure *figure = atn_figure_new (ATN_FIGURE_HEAD);

  figure->n_rows = panel->matrix->n_rows;
  figure->n_cols = panel->matrix->n_cols;
  figure->n_panels = 1;
  figure->n_panel_cols = 1;
  figure->panels = g_new0 (AtnPanel, 1);
  figure->panels[0].matrix = atn_matrix_ref (panel->matrix);
  figure->panels[0].range = panel->range;
  figure->style = *style;
  figure->style.font_size = NO_FONT;
  figure->style.show_numbers = false;
  figure->style.show_labels = false;
  figure->style.show_title = false;
  figure->style.show_caption = false;
  figure->style.show_color_bar = false;
  return figure;
}

GdkTexture *
atn_miniature_render (const AtnPanel *panel,
                      const AtnPlotStyle *style,
                      int size,
                      int scale_factor,
                      AtnPanelBox *box)
{
  g_autoptr (AtnFigure) figure = create_figure (panel, style);
  int side = size * scale_factor;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, side, side);
  cairo_t *cr = cairo_create (surface);
  GdkTexture *texture = NULL;

  cairo_scale (cr, scale_factor, scale_factor);
  atn_figure_draw (figure, cr, size, size, NULL, box);
  if (cairo_status (cr) == CAIRO_STATUS_SUCCESS)
    texture = atn_picture_dup_texture (surface);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return texture;
}
