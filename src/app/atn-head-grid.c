/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The properties min-size and max-size bound the side of a thumbnail; between
 * them it is what makes all heads of a layer fit into the width, and with
 * fit-height all layers into the height. content-height is what all layers need.
 */

#include "app/atn-head-grid-private.h"

#include <glib/gi18n.h>

#define DEFAULT_SIZE 24

static void atn_head_grid_scrollable_init (GtkScrollableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (AtnHeadGrid,
                               atn_head_grid,
                               ATN_TYPE_VIEW,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE,
                                                      atn_head_grid_scrollable_init))

enum
{
  PROP_0,
  PROP_MIN_SIZE,
  PROP_MAX_SIZE,
  PROP_FIT_HEIGHT,
  PROP_ZOOM,
  PROP_CONTENT_HEIGHT,
  N_PROPS,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY
};

enum
{
  SIGNAL_ACTIVATED,
  SIGNAL_HOVERED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

char *
atn_head_grid_dup_head_name (guint layer, guint head)
{
  /* Translators: both are numbers that count from 0 */
  return g_strdup_printf (_ ("Layer %u head %u"), layer, head);
}

static void
atn_head_grid_scrollable_init (GtkScrollableInterface *iface)
{
}

static void
choose (AtnHeadGrid *self, guint layer, guint head)
{
  AtnSession *session = atn_view_get_session (self);

  if (session != NULL)
    atn_session_set_layer_and_head (session, layer, head);
  atn_head_grid_update_state (self);
}

void
atn_head_grid_clicked (AtnHeadGrid *self, guint layer, guint head)
{
  choose (self, layer, head);
}

static void
focus_chosen (AtnHeadGrid *self)
{
  GtkWidget *toggle =
    atn_head_grid_find_toggle (self, atn_session_get_layer (atn_view_get_session (self)),
                               atn_session_get_head (atn_view_get_session (self)));

  if (toggle != NULL)
    gtk_widget_grab_focus (toggle);
}

static gboolean
move_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (widget);
  AtnSession *session = atn_view_get_session (self);
  int layer;
  int head;

  if (session == NULL || atn_session_get_model (session) == NULL)
    return FALSE;
  g_variant_get (arguments, "(ii)", &layer, &head);
  layer = CLAMP ((int) atn_session_get_layer (session) + layer, 0, (int) self->n_layers - 1);
  head = CLAMP ((int) atn_session_get_head (session) + head, 0, (int) self->n_heads - 1);
  choose (self, (guint) layer, (guint) head);
  atn_head_grid_scroll_to (self, (guint) layer, (guint) head);
  focus_chosen (self);
  return TRUE;
}

static gboolean
activate_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (widget);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  guint layer;
  guint head;

  if (focus == NULL || !atn_head_grid_get_toggle_head (self, focus, &layer, &head))
    return FALSE;
  choose (self, layer, head);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
  return TRUE;
}

static void
pressed_cb (AtnHeadGrid *self, int n_press, double x, double y)
{
  guint layer;
  guint head;

  if (n_press == 2 && atn_head_grid_get_head_at (self, x, y, &layer, &head))
    g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
motion_cb (AtnHeadGrid *self, double x, double y)
{
  guint layer;
  guint head;
  bool is_inside = atn_head_grid_get_head_at (self, x, y, &layer, &head);

  g_signal_emit (self, signals[SIGNAL_HOVERED], 0, is_inside ? (int) layer : -1,
                 is_inside ? (int) head : -1);
}

static void
leave_cb (AtnHeadGrid *self)
{
  g_signal_emit (self, signals[SIGNAL_HOVERED], 0, -1, -1);
}

static char *
dup_tooltip (AtnHeadGrid *self, guint layer, guint head)
{
  g_autofree char *name = atn_head_grid_dup_head_name (layer, head);
  const guint first = head - head % self->group_size;

  if (self->group_size <= 1)
    return g_steal_pointer (&name);
  /* Translators: name of a head, then numbers of heads */
  return g_strdup_printf (_ ("%s: shares keys and values with heads %u to %u"), name, first,
                          first + self->group_size - 1);
}

static gboolean
query_tooltip_cb (AtnHeadGrid *self,
                  int x,
                  int y,
                  gboolean keyboard,
                  GtkTooltip *tooltip,
                  gpointer user_data)
{
  g_autofree char *name = NULL;
  guint layer;
  guint head;

  if (keyboard || !atn_head_grid_get_head_at (self, x, y, &layer, &head))
    return FALSE;
  name = dup_tooltip (self, layer, head);
  gtk_tooltip_set_text (tooltip, name);
  return TRUE;
}

static gboolean
atn_head_grid_focus (GtkWidget *widget, GtkDirectionType direction)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (widget);

  /* One stop for the Tab key; arrows move inside. */
  if (gtk_widget_get_focus_child (widget) != NULL || atn_view_get_session (self) == NULL)
    return FALSE;
  atn_head_grid_scroll_to (self, atn_session_get_layer (atn_view_get_session (self)),
                           atn_session_get_head (atn_view_get_session (self)));
  focus_chosen (self);
  return gtk_widget_get_focus_child (widget) != NULL;
}

static void
model_changed_cb (AtnHeadGrid *self)
{
  AtnModel *model = atn_session_get_model (atn_view_get_session (self));
  const AtnConfig *config = model != NULL ? atn_model_get_config (model) : NULL;

  self->n_layers = config != NULL ? (guint) config->n_layers : 0;
  self->n_heads = config != NULL ? (guint) config->n_heads : 0;
  self->group_size = config != NULL ? (guint) (config->n_heads / config->n_kv_heads) : 1;
  self->seeks_chosen = true;
  atn_head_grid_reset_zoom (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  atn_head_grid_reset (self);
}

static void
selection_changed_cb (AtnHeadGrid *self)
{
  AtnSession *session = atn_view_get_session (self);

  atn_head_grid_scroll_to (self, atn_session_get_layer (session), atn_session_get_head (session));
  atn_head_grid_update_state (self);
}

static void
atn_head_grid_bind (AtnView *view, AtnSession *session)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (view);

  self->thumbnails = g_object_ref (atn_thumbnails_get (session));
  g_signal_connect_object (self->thumbnails, "changed", G_CALLBACK (atn_head_grid_update_textures),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "model-changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "result-changed", G_CALLBACK (atn_head_grid_update_wish), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::layer", G_CALLBACK (selection_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::head", G_CALLBACK (selection_changed_cb), self,
                           G_CONNECT_SWAPPED);
  model_changed_cb (self);
}

static void
set_adjustment (AtnHeadGrid *self, GtkAdjustment **field, GtkAdjustment *adjustment)
{
  if (adjustment == NULL)
    adjustment = gtk_adjustment_new (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
  if (*field == adjustment)
    return;
  if (*field != NULL)
    g_signal_handlers_disconnect_by_data (*field, self);
  g_set_object (field, adjustment);
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (atn_head_grid_scrolled), self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
atn_head_grid_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (object);

  switch (property_id) {
  case PROP_MIN_SIZE:
    g_value_set_int (value, self->min_size);
    break;
  case PROP_MAX_SIZE:
    g_value_set_int (value, self->max_size);
    break;
  case PROP_FIT_HEIGHT:
    g_value_set_boolean (value, self->fit_height);
    break;
  case PROP_ZOOM:
    g_value_set_double (value, self->zoom);
    break;
  case PROP_CONTENT_HEIGHT:
    g_value_set_int (value, self->content_height);
    break;
  case PROP_HADJUSTMENT:
    g_value_set_object (value, self->hadjustment);
    break;
  case PROP_VADJUSTMENT:
    g_value_set_object (value, self->vadjustment);
    break;
  case PROP_HSCROLL_POLICY:
    g_value_set_enum (value, self->hscroll_policy);
    break;
  case PROP_VSCROLL_POLICY:
    g_value_set_enum (value, self->vscroll_policy);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  }
}

static void
atn_head_grid_set_property (GObject *object,
                            guint property_id,
                            const GValue *value,
                            GParamSpec *pspec)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (object);

  switch (property_id) {
  case PROP_MIN_SIZE:
    self->min_size = g_value_get_int (value);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    break;
  case PROP_MAX_SIZE:
    self->max_size = g_value_get_int (value);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    break;
  case PROP_FIT_HEIGHT:
    self->fit_height = g_value_get_boolean (value);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    break;
  case PROP_HADJUSTMENT:
    set_adjustment (self, &self->hadjustment, g_value_get_object (value));
    break;
  case PROP_VADJUSTMENT:
    set_adjustment (self, &self->vadjustment, g_value_get_object (value));
    break;
  case PROP_HSCROLL_POLICY:
    self->hscroll_policy = g_value_get_enum (value);
    break;
  case PROP_VSCROLL_POLICY:
    self->vscroll_policy = g_value_get_enum (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  }
}

static void
atn_head_grid_dispose (GObject *object)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (object);

  if (self->thumbnails != NULL)
    atn_thumbnails_set_wish (self->thumbnails, self, NULL);
  g_clear_object (&self->thumbnails);
  if (self->hadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->hadjustment, self);
  if (self->vadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->vadjustment, self);
  g_clear_object (&self->hadjustment);
  g_clear_object (&self->vadjustment);
  g_clear_handle_id (&self->height_source, g_source_remove);
  g_clear_handle_id (&self->seek_source, g_source_remove);
  atn_head_grid_clear_children (self);
  G_OBJECT_CLASS (atn_head_grid_parent_class)->dispose (object);
}

static void
atn_head_grid_finalize (GObject *object)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (object);

  g_array_unref (self->slots);
  g_ptr_array_unref (self->row_labels);
  g_ptr_array_unref (self->col_labels);
  G_OBJECT_CLASS (atn_head_grid_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  properties[PROP_MIN_SIZE] =
    g_param_spec_int ("min-size", NULL, NULL, 8, 1024, DEFAULT_SIZE, flags);
  properties[PROP_MAX_SIZE] =
    g_param_spec_int ("max-size", NULL, NULL, 8, 1024, DEFAULT_SIZE, flags);
  properties[PROP_FIT_HEIGHT] = g_param_spec_boolean ("fit-height", NULL, NULL, FALSE, flags);
  properties[PROP_ZOOM] =
    g_param_spec_double ("zoom", NULL, NULL, ATN_HEAD_GRID_ZOOM_MIN, ATN_HEAD_GRID_ZOOM_MAX, 1.0,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_CONTENT_HEIGHT] = g_param_spec_int ("content-height", NULL, NULL, 0, G_MAXINT, 0,
                                                      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
}

static void
add_move (GtkWidgetClass *widget_class, guint key, guint keypad, int layer, int head)
{
  gtk_widget_class_add_binding (widget_class, key, 0, move_cb, "(ii)", layer, head);
  gtk_widget_class_add_binding (widget_class, keypad, 0, move_cb, "(ii)", layer, head);
}

static void
install_bindings (GtkWidgetClass *widget_class)
{
  add_move (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1);
  add_move (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1);
  add_move (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0);
  add_move (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0);
  add_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, 0, -G_MAXUINT16);
  add_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 0, G_MAXUINT16);
  add_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, -G_MAXUINT16, 0);
  add_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, G_MAXUINT16, 0);
  atn_head_grid_install_zoom (widget_class);
}

static void
atn_head_grid_class_init (AtnHeadGridClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = atn_head_grid_get_property;
  object_class->set_property = atn_head_grid_set_property;
  object_class->dispose = atn_head_grid_dispose;
  object_class->finalize = atn_head_grid_finalize;
  install_properties (object_class);
  atn_head_grid_install_layout (widget_class);
  widget_class->focus = atn_head_grid_focus;
  ATN_VIEW_CLASS (klass)->bind = atn_head_grid_bind;

  signals[SIGNAL_ACTIVATED] =
    g_signal_new ("activated", ATN_TYPE_HEAD_GRID, 0, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HOVERED] = g_signal_new ("hovered", ATN_TYPE_HEAD_GRID, 0, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  install_bindings (widget_class);
  gtk_widget_class_set_css_name (widget_class, "headgrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

/* Before the buttons, which would choose instead. */
static void
add_enter_keys (AtnHeadGrid *self)
{
  const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (keys[i], 0),
                                                            gtk_callback_action_new (activate_cb,
                                                                                     NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

static void
add_pointer (AtnHeadGrid *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
atn_head_grid_init (AtnHeadGrid *self)
{
  self->min_size = DEFAULT_SIZE;
  self->max_size = DEFAULT_SIZE;
  self->group_size = 1;
  self->zoom = 1.0;
  self->slots = g_array_new (FALSE, TRUE, sizeof (AtnHeadSlot));
  self->row_labels = g_ptr_array_new ();
  self->col_labels = g_ptr_array_new ();
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  add_enter_keys (self);
  add_pointer (self);
  atn_head_grid_init_zoom (self);
}
