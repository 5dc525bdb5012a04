/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Other thumbnails than those that fit: larger ones to look into, smaller ones to
 * see 48 × 32 heads at once. Buttons beside the grid, plus, minus and 0 on the
 * keyboard, Ctrl and the wheel.
 */

#include "app/atn-head-grid-private.h"

#include <math.h>

#define ZOOM_STEP 1.5

void
atn_head_grid_zoom_by (AtnHeadGrid *self, double factor)
{
  double zoom;

  g_return_if_fail (ATN_IS_HEAD_GRID (self));

  zoom = CLAMP (self->zoom * factor, ATN_HEAD_GRID_ZOOM_MIN, ATN_HEAD_GRID_ZOOM_MAX);
  if (zoom == self->zoom || !self->fit_height)
    return;
  self->zoom = zoom;
  self->seeks_chosen = true;
  g_object_notify (G_OBJECT (self), "zoom");
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
atn_head_grid_reset_zoom (AtnHeadGrid *self)
{
  atn_head_grid_zoom_by (self, 1.0 / self->zoom);
}

static gboolean
zoom_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  double factor;

  g_variant_get (arguments, "(d)", &factor);
  if (factor > 0.0)
    atn_head_grid_zoom_by (ATN_HEAD_GRID (widget), factor);
  else
    atn_head_grid_reset_zoom (ATN_HEAD_GRID (widget));
  return TRUE;
}

static void
add_zoom (GtkWidgetClass *widget_class, guint key, guint keypad, double factor)
{
  gtk_widget_class_add_binding (widget_class, key, 0, zoom_cb, "(d)", factor);
  gtk_widget_class_add_binding (widget_class, keypad, 0, zoom_cb, "(d)", factor);
}

void
atn_head_grid_install_zoom (GtkWidgetClass *widget_class)
{
  add_zoom (widget_class, GDK_KEY_plus, GDK_KEY_KP_Add, ZOOM_STEP);
  add_zoom (widget_class, GDK_KEY_minus, GDK_KEY_KP_Subtract, 1.0 / ZOOM_STEP);
  add_zoom (widget_class, GDK_KEY_0, GDK_KEY_KP_0, 0.0);
}

/* Ctrl and the wheel; without Ctrl what is around scrolls. */
static gboolean
scroll_cb (AtnHeadGrid *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (!self->fit_height || (state & GDK_CONTROL_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  atn_head_grid_zoom_by (self, pow (ZOOM_STEP, -dy));
  return GDK_EVENT_STOP;
}

void
atn_head_grid_init_zoom (AtnHeadGrid *self)
{
  GtkEventController *scroll =
    gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}
