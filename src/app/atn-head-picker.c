/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-head-picker.h"

#include "app/atn-head-grid.h"

/* Layers beyond this are scrolled to. */
#define MAX_HEIGHT 236

struct _AtnHeadPicker
{
  AtnView parent_instance;

  bool is_updating;

  /* Template children, in the order of atn-head-picker.ui */
  GtkSpinButton *layer_spin;
  GtkSpinButton *head_spin;
  GtkScrolledWindow *scroller;
  AtnHeadGrid *grid;
};

G_DEFINE_FINAL_TYPE (AtnHeadPicker, atn_head_picker, ATN_TYPE_VIEW)

static void
value_changed_cb (AtnHeadPicker *self)
{
  AtnSession *session = atn_view_get_session (self);

  if (session != NULL && !self->is_updating)
    atn_session_set_layer_and_head (session,
                                    (guint) gtk_spin_button_get_value_as_int (self->layer_spin),
                                    (guint) gtk_spin_button_get_value_as_int (self->head_spin));
}

static void
follow_session (AtnHeadPicker *self)
{
  AtnSession *session = atn_view_get_session (self);

  self->is_updating = true;
  gtk_spin_button_set_value (self->layer_spin, atn_session_get_layer (session));
  gtk_spin_button_set_value (self->head_spin, atn_session_get_head (session));
  self->is_updating = false;
}

/* The pane around gives no more than what is asked for at least. */
static void
content_height_changed_cb (AtnHeadPicker *self)
{
  int height;

  g_object_get (self->grid, "content-height", &height, NULL);
  gtk_scrolled_window_set_min_content_height (self->scroller, MIN (height, MAX_HEIGHT));
}

static void
model_changed_cb (AtnHeadPicker *self)
{
  AtnModel *model = atn_session_get_model (atn_view_get_session (self));
  const AtnConfig *config = model != NULL ? atn_model_get_config (model) : NULL;

  self->is_updating = true;
  gtk_widget_set_sensitive (GTK_WIDGET (self), config != NULL);
  gtk_spin_button_set_range (self->layer_spin, 0.0,
                             config != NULL ? (double) config->n_layers - 1.0 : 0.0);
  gtk_spin_button_set_range (self->head_spin, 0.0,
                             config != NULL ? (double) config->n_heads - 1.0 : 0.0);
  self->is_updating = false;
  follow_session (self);
}

static void
atn_head_picker_bind (AtnView *view, AtnSession *session)
{
  AtnHeadPicker *self = ATN_HEAD_PICKER (view);

  g_signal_connect_object (session, "model-changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::layer", G_CALLBACK (follow_session), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::head", G_CALLBACK (follow_session), self,
                           G_CONNECT_SWAPPED);
  g_object_set (self->grid, "session", session, NULL);
  model_changed_cb (self);
}

static void
atn_head_picker_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_HEAD_PICKER);
  G_OBJECT_CLASS (atn_head_picker_parent_class)->dispose (object);
}

static void
atn_head_picker_class_init (AtnHeadPickerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (ATN_TYPE_HEAD_GRID);
  G_OBJECT_CLASS (klass)->dispose = atn_head_picker_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_head_picker_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-head-picker.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, layer_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, head_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, scroller);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, grid);
  gtk_widget_class_bind_template_callback (widget_class, value_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, content_height_changed_cb);
}

static void
atn_head_picker_init (AtnHeadPicker *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
