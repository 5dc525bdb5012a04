/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-bar.h"

#define HEIGHT 3
#define MIN_WIDTH 48

struct _AtnBar
{
  GtkWidget parent_instance;

  double fraction;
};

G_DEFINE_FINAL_TYPE (AtnBar, atn_bar, GTK_TYPE_WIDGET)

static void
atn_bar_measure (GtkWidget *widget,
                 GtkOrientation orientation,
                 int for_size,
                 int *minimum,
                 int *natural,
                 int *minimum_baseline,
                 int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
  *natural = *minimum;
}

static void
atn_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  AtnBar *self = ATN_BAR (widget);
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  GdkRGBA ground, fill;

  gtk_style_context_get_color (context, &ground);
  if (!gtk_style_context_lookup_color (context, "accent_bg_color", &fill))
    fill = ground;
  ground.alpha *= 0.15f;
  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0.0f, 0.0f, width, height));
  gtk_snapshot_append_color (snapshot, &fill,
                             &GRAPHENE_RECT_INIT (0.0f, 0.0f, width * (float) self->fraction,
                                                  height));
}

static void
atn_bar_class_init (AtnBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = atn_bar_measure;
  widget_class->snapshot = atn_bar_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
atn_bar_init (AtnBar *self)
{
}

GtkWidget *
atn_bar_new (void)
{
  return g_object_new (ATN_TYPE_BAR, NULL);
}

void
atn_bar_set_fraction (AtnBar *self, double fraction)
{
  g_return_if_fail (ATN_IS_BAR (self));

  self->fraction = CLAMP (fraction, 0.0, 1.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
