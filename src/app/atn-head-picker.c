/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-head-picker.h"

#include "app/atn-head-grid.h"

#include <glib/gi18n.h>
#include <string.h>

/* Layers beyond this are scrolled to. */
#define MAX_HEIGHT 236

struct _AtnHeadPicker
{
  AtnView parent_instance;

  bool is_updating;

  /* Template children, in the order of atn-head-picker.ui */
  GtkEditable *find_entry;
  GtkScrolledWindow *scroller;
  AtnHeadGrid *grid;
  GtkLabel *groups_label;
  GtkSpinButton *layer_spin;
  GtkSpinButton *head_spin;
};

G_DEFINE_FINAL_TYPE (AtnHeadPicker, atn_head_picker, ATN_TYPE_VIEW)

/* "L12H7", "l12 h7", "12.7", "12 7" */
static bool
parse_head (const char *text, guint *layer, guint *head)
{
  char *rest;
  guint64 number;

  text += strspn (text, " ");
  text += *text == 'L' || *text == 'l';
  if (!g_ascii_isdigit (*text))
    return false;
  number = g_ascii_strtoull (text, &rest, 10);
  *layer = (guint) MIN (number, G_MAXUINT);
  rest += strspn (rest, " .,:-");
  rest += *rest == 'H' || *rest == 'h';
  if (!g_ascii_isdigit (*rest))
    return false;
  number = g_ascii_strtoull (rest, &rest, 10);
  *head = (guint) MIN (number, G_MAXUINT);
  return rest[strspn (rest, " ")] == '\0';
}

typedef enum
{
  FOUND_NOTHING, /* no name of a head, perhaps not yet */
  FOUND_BEYOND,  /* one that the model does not have, whatever follows */
  FOUND_HEAD,
} Found;

/* Chooses the head that is named, if there is one. */
static Found
find_head (AtnHeadPicker *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnModel *model = session != NULL ? atn_session_get_model (session) : NULL;
  guint layer;
  guint head;

  if (model == NULL || !parse_head (gtk_editable_get_text (self->find_entry), &layer, &head))
    return FOUND_NOTHING;
  if (layer >= atn_model_get_config (model)->n_layers ||
      head >= atn_model_get_config (model)->n_heads)
    return FOUND_BEYOND;
  atn_session_set_layer_and_head (session, layer, head);
  return FOUND_HEAD;
}

static void
mark_find (AtnHeadPicker *self, bool is_wrong)
{
  if (is_wrong)
    gtk_widget_add_css_class (GTK_WIDGET (self->find_entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->find_entry), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->find_entry), GTK_ACCESSIBLE_STATE_INVALID,
                               is_wrong ? GTK_ACCESSIBLE_INVALID_TRUE
                                        : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
}

/* What is half typed is no fault yet. */
static void
find_changed_cb (AtnHeadPicker *self)
{
  mark_find (self, find_head (self) == FOUND_BEYOND);
}

static void
find_activate_cb (AtnHeadPicker *self)
{
  if (find_head (self) == FOUND_HEAD)
    gtk_editable_select_region (self->find_entry, 0, -1);
  else
    mark_find (self, true);
}

static void
focus_find (GtkWidget *widget, const char *name, GVariant *parameter)
{
  AtnHeadPicker *self = ATN_HEAD_PICKER (widget);

  gtk_widget_grab_focus (GTK_WIDGET (self->find_entry));
  gtk_editable_select_region (self->find_entry, 0, -1);
}

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
update_groups (AtnHeadPicker *self, const AtnConfig *config)
{
  const gulong size = config != NULL ? config->n_heads / config->n_kv_heads : 1;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->groups_label), size > 1);
  if (size <= 1)
    return;
  /* Translators: the number is 2 or more; the line is drawn over the headings of heads */
  text = g_strdup_printf (ngettext ("A line joins %lu head with the same keys and values",
                                    "A line joins %lu heads with the same keys and values", size),
                          size);
  gtk_label_set_label (self->groups_label, text);
}

/* An example that this model has: its last head. */
static void
update_placeholder (AtnHeadPicker *self, const AtnConfig *config)
{
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (config == NULL)
    return;
  name = g_strdup_printf ("L%zuH%zu", config->n_layers - 1, config->n_heads - 1);
  /* Translators: the name of a head, such as L12H7 */
  text = g_strdup_printf (_ ("Find %s"), name);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->find_entry), text);
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
  update_groups (self, config);
  update_placeholder (self, config);
  gtk_editable_set_text (self->find_entry, "");
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
  gtk_widget_class_install_action (widget_class, "head-picker.find", NULL, focus_find);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, find_entry);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, scroller);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, grid);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, groups_label);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, layer_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadPicker, head_spin);
  gtk_widget_class_bind_template_callback (widget_class, find_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, find_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, value_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, content_height_changed_cb);
}

static void
atn_head_picker_init (AtnHeadPicker *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
