/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-figure-view-private.h"

#include <math.h>

#define ZOOM_STEP 1.25
/* What one click of the wheel scrolls, in pixels of the window. */
#define WHEEL_STEP 48.0
/* A press that moves farther is a drag, not a click. */
#define DRAG_THRESHOLD 4.0
#define FAR 1000000

/* A pinned cell moves with the cursor and stays pinned. */
static void
set_cell (AtnFigureView *self, int query, int key)
{
  AtnSession *session = atn_view_get_session (self);

  if (atn_session_get_pinned (session))
    atn_session_pin_cell (session, query, key);
  else
    atn_session_set_cell (session, query, key);
  atn_figure_view_reveal_cell (self);
}

static bool
has_cells (AtnFigureView *self)
{
  return self->picture != NULL && atn_view_get_session (self) != NULL &&
         atn_session_get_n_tokens (atn_view_get_session (self)) > 0;
}

static gboolean
move_cell_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnFigureView *self = ATN_FIGURE_VIEW (widget);
  AtnSession *session = atn_view_get_session (self);
  int last;
  int rows;
  int cols;

  if (!has_cells (self))
    return FALSE;
  g_variant_get (arguments, "(ii)", &rows, &cols);
  last = (int) atn_session_get_n_tokens (session) - 1;
  /* The first key press shows the cursor where most is to see: at the last query. */
  if (atn_session_get_query (session) < 0) {
    set_cell (self, last, 0);
    return TRUE;
  }
  set_cell (self, CLAMP (atn_session_get_query (session) + rows, 0, last),
            CLAMP (MAX (atn_session_get_key (session), 0) + cols, 0, last));
  return TRUE;
}

static gboolean
move_head_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnSession *session = atn_view_get_session (widget);
  int layers;
  int heads;

  if (session == NULL)
    return FALSE;
  g_variant_get (arguments, "(ii)", &layers, &heads);
  atn_session_set_layer_and_head (session,
                                  (guint) MAX ((int) atn_session_get_layer (session) + layers, 0),
                                  (guint) MAX ((int) atn_session_get_head (session) + heads, 0));
  return TRUE;
}

static gboolean
pin_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnFigureView *self = ATN_FIGURE_VIEW (widget);
  AtnSession *session = atn_view_get_session (self);

  if (!has_cells (self) || atn_session_get_query (session) < 0)
    return FALSE;
  if (atn_session_get_pinned (session)) {
    int query = atn_session_get_query (session);
    int key = atn_session_get_key (session);

    atn_session_pin_cell (session, -1, -1);
    atn_session_set_cell (session, query, key);
  } else {
    atn_session_pin_cell (session, atn_session_get_query (session), atn_session_get_key (session));
  }
  return TRUE;
}

static gboolean
unpin_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnSession *session = atn_view_get_session (widget);

  if (session == NULL || !atn_session_get_pinned (session))
    return FALSE;
  return pin_cb (widget, NULL, NULL);
}

static gboolean
zoom_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnFigureView *self = ATN_FIGURE_VIEW (widget);
  int steps = g_variant_get_int32 (arguments);

  if (steps == 0)
    atn_figure_view_reset_zoom (self);
  else
    atn_figure_view_zoom_by (self, pow (ZOOM_STEP, steps));
  return TRUE;
}

static void
motion_cb (AtnFigureView *self, double x, double y)
{
  int query;
  int key;

  self->pointer_x = x;
  self->pointer_y = y;
  if (atn_figure_view_hit_test (self, x, y, &query, &key))
    atn_session_set_cell (atn_view_get_session (self), query, key);
}

static void
released_cb (AtnFigureView *self, int n_press, double x, double y)
{
  AtnSession *session = atn_view_get_session (self);
  int query;
  int key;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!atn_figure_view_hit_test (self, x, y, &query, &key))
    return;
  if (atn_session_get_pinned (session) && atn_session_get_query (session) == query &&
      atn_session_get_key (session) == key)
    pin_cb (GTK_WIDGET (self), NULL, NULL);
  else
    atn_session_pin_cell (session, query, key);
}

static gboolean
scroll_cb (AtnFigureView *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  double cell = atn_figure_view_get_cell_size (self);
  double step;

  if (cell <= 0.0)
    return FALSE;
  if ((state & GDK_CONTROL_MASK) != 0) {
    atn_figure_view_zoom_at (self, pow (ZOOM_STEP, -dy), self->pointer_x, self->pointer_y);
    return TRUE;
  }
  if (!atn_figure_view_is_scrollable (self))
    return FALSE;
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0.0) {
    dx = dy;
    dy = 0.0;
  }
  step = WHEEL_STEP / cell;
  atn_figure_view_scroll_to (self, self->first_row + dy * step, self->first_col + dx * step);
  return TRUE;
}

static void
drag_begin_cb (AtnFigureView *self)
{
  self->drag_first_row = self->first_row;
  self->drag_first_col = self->first_col;
}

static void
drag_update_cb (AtnFigureView *self, double dx, double dy, GtkGesture *gesture)
{
  double cell = atn_figure_view_get_cell_size (self);

  if (!atn_figure_view_is_scrollable (self) || cell <= 0.0 || hypot (dx, dy) < DRAG_THRESHOLD)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  atn_figure_view_scroll_to (self, self->drag_first_row - dy / cell,
                             self->drag_first_col - dx / cell);
}

static void
pinch_cb (AtnFigureView *self, double scale, GtkGesture *gesture)
{
  double *last = g_object_get_data (G_OBJECT (gesture), "last-scale");
  double x;
  double y;

  if (!gtk_gesture_get_bounding_box_center (gesture, &x, &y) || scale <= 0.0 || *last <= 0.0)
    return;
  atn_figure_view_zoom_at (self, scale / *last, x, y);
  *last = scale;
}

static void
pinch_begin_cb (GtkGesture *gesture)
{
  double *last = g_object_get_data (G_OBJECT (gesture), "last-scale");

  *last = 1.0;
}

static void
add_gestures (AtnFigureView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  g_object_set_data_full (G_OBJECT (pinch), "last-scale", g_new0 (double, 1), g_free);
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), NULL);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}

void
atn_figure_view_init_input (AtnFigureView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll =
    gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  add_gestures (self);
}

static void
add_arrow (GtkWidgetClass *widget_class, guint key, guint keypad, int rows, int cols)
{
  const guint keys[] = { key, keypad };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    gtk_widget_class_add_binding (widget_class, keys[i], 0, move_cell_cb, "(ii)", rows, cols);
    gtk_widget_class_add_binding (widget_class, keys[i], GDK_CONTROL_MASK, move_head_cb, "(ii)",
                                  rows, cols);
  }
}

static void
add_jump (GtkWidgetClass *widget_class, guint key, guint keypad, int distance)
{
  const guint keys[] = { key, keypad };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    gtk_widget_class_add_binding (widget_class, keys[i], 0, move_cell_cb, "(ii)", 0, distance);
    gtk_widget_class_add_binding (widget_class, keys[i], GDK_CONTROL_MASK, move_cell_cb, "(ii)",
                                  distance, distance);
  }
}

void
atn_figure_view_install_input (GtkWidgetClass *widget_class)
{
  const guint enter[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };
  const guint in[] = { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add };
  const guint out[] = { GDK_KEY_minus, GDK_KEY_KP_Subtract };
  const guint reset[] = { GDK_KEY_0, GDK_KEY_KP_0 };

  add_arrow (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0);
  add_arrow (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0);
  add_arrow (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1);
  add_arrow (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1);
  add_jump (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, -FAR);
  add_jump (widget_class, GDK_KEY_End, GDK_KEY_KP_End, FAR);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, unpin_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "win.copy-figure",
                                       NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (enter); i++)
    gtk_widget_class_add_binding (widget_class, enter[i], 0, pin_cb, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (in); i++)
    gtk_widget_class_add_binding (widget_class, in[i], 0, zoom_cb, "i", 1);
  for (gsize i = 0; i < G_N_ELEMENTS (out); i++)
    gtk_widget_class_add_binding (widget_class, out[i], 0, zoom_cb, "i", -1);
  for (gsize i = 0; i < G_N_ELEMENTS (reset); i++)
    gtk_widget_class_add_binding (widget_class, reset[i], 0, zoom_cb, "i", 0);
}
