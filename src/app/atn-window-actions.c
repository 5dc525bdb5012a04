/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Actions with a state (which view, which colours) are GActions of the window,
 * so that menus and buttons show the state, and so are those with a parameter,
 * so that a script can activate them by D-Bus. The others belong to the class.
 */

#include "app/atn-model-check.h"
#include "app/atn-model-info.h"
#include "app/atn-views.h"
#include "app/atn-window-private.h"
#include "engine/atn-prediction.h"

#include <glib/gi18n.h>

static void
reset_to_trained (GtkWidget *widget, const char *name, GVariant *parameter)
{
  atn_session_set_what_if (ATN_WINDOW (widget)->session, &(AtnWhatIf){ 0 });
}

static void
hide_note (GtkWidget *widget, const char *name, GVariant *parameter)
{
  atn_session_hide_note (ATN_WINDOW (widget)->session);
}

static void
dismiss_error (GtkWidget *widget, const char *name, GVariant *parameter)
{
  atn_session_set_load_error (ATN_WINDOW (widget)->session, NULL);
}

static void
cancel_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  atn_session_cancel_open (ATN_WINDOW (widget)->session);
}

static void
unpin (GtkWidget *widget, const char *name, GVariant *parameter)
{
  atn_session_pin_cell (ATN_WINDOW (widget)->session, -1, -1);
}

static void
focus_sentence (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_grab_focus (GTK_WIDGET (ATN_WINDOW (widget)->sentence));
}

/* Into the sentence that has the focus, else into the first. */
static void
insert_mask (GtkWidget *widget, const char *name, GVariant *parameter)
{
  AtnWindow *self = ATN_WINDOW (widget);
  const char *token = atn_model_get_mask_token (atn_session_get_model (self->session), NULL);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  bool is_pair = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->pair_sentence));

  if (token != NULL)
    atn_sentence_insert_word (is_pair ? self->pair_sentence : self->sentence, token);
}

/* F9 folds both panes, or brings both back. */
static void
fold_panes (GtkWidget *widget, const char *name, GVariant *parameter)
{
  AtnWindow *self = ATN_WINDOW (widget);
  gboolean shows_any = adw_flap_get_reveal_flap (self->sidebar_flap) ||
                       adw_flap_get_reveal_flap (self->inspector_flap);

  adw_flap_set_reveal_flap (self->sidebar_flap, !shows_any);
  adw_flap_set_reveal_flap (self->inspector_flap, !shows_any);
}

static void
change_text_scale (GtkWidget *widget, const char *name, GVariant *parameter)
{
  AtnSession *session = ATN_WINDOW (widget)->session;
  int direction = g_variant_get_int32 (parameter);
  double text_scale = atn_session_get_text_scale (session);

  if (direction == 0)
    text_scale = 1.0;
  else
    text_scale *= direction > 0 ? 1.1 : 1.0 / 1.1;
  atn_session_set_text_scale (session, text_scale);
}

static void
add_binding (GtkWidgetClass *widget_class, guint key, GdkModifierType modifiers, const char *action)
{
  gtk_widget_class_add_binding_action (widget_class, key, modifiers, action, NULL);
}

static void
add_text_scale_bindings (GtkWidgetClass *widget_class)
{
  const struct
  {
    guint key;
    int direction;
  } keys[] = {
    { GDK_KEY_plus, 1 },         { GDK_KEY_equal, 1 }, { GDK_KEY_KP_Add, 1 }, { GDK_KEY_minus, -1 },
    { GDK_KEY_KP_Subtract, -1 }, { GDK_KEY_0, 0 },     { GDK_KEY_KP_0, 0 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, GDK_CONTROL_MASK,
                                         "win.text-scale", "i", keys[i].direction);
}

static void
add_view_bindings (GtkWidgetClass *widget_class)
{
  size_t n_views;
  const AtnViewEntry *views = atn_views_list (&n_views);

  for (size_t i = 0; i < MIN (n_views, 9); i++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + (guint) i, GDK_ALT_MASK,
                                         "win.view", "s", views[i].name);
}

void
atn_window_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.reset-to-trained", NULL, reset_to_trained);
  gtk_widget_class_install_action (widget_class, "win.hide-note", NULL, hide_note);
  gtk_widget_class_install_action (widget_class, "win.dismiss-error", NULL, dismiss_error);
  gtk_widget_class_install_action (widget_class, "win.cancel-open", NULL, cancel_open);
  gtk_widget_class_install_action (widget_class, "win.unpin", NULL, unpin);
  gtk_widget_class_install_action (widget_class, "win.focus-sentence", NULL, focus_sentence);
  gtk_widget_class_install_action (widget_class, "win.insert-mask", NULL, insert_mask);
  gtk_widget_class_install_action (widget_class, "win.fold-panes", NULL, fold_panes);
  gtk_widget_class_install_action (widget_class, "win.text-scale", "i", change_text_scale);

  /* Not property actions of the map: those would hold references to what they belong to. */
  gtk_widget_class_install_property_action (widget_class, "win.fullscreen", "fullscreened");
  gtk_widget_class_install_property_action (widget_class, "win.show-sidebar", "show-sidebar");
  gtk_widget_class_install_property_action (widget_class, "win.show-inspector", "show-inspector");

  add_binding (widget_class, GDK_KEY_Escape, 0, "win.unpin");
  add_binding (widget_class, GDK_KEY_l, GDK_CONTROL_MASK, "win.focus-sentence");
  add_binding (widget_class, GDK_KEY_i, GDK_CONTROL_MASK, "win.model-info");
  add_binding (widget_class, GDK_KEY_m, GDK_CONTROL_MASK, "win.insert-mask");
  add_binding (widget_class, GDK_KEY_r, GDK_CONTROL_MASK, "win.reset-to-trained");
  add_binding (widget_class, GDK_KEY_question, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
               "win.show-help-overlay");
  add_binding (widget_class, GDK_KEY_F9, 0, "win.fold-panes");
  add_binding (widget_class, GDK_KEY_F11, 0, "win.fullscreen");
  add_text_scale_bindings (widget_class);
  add_view_bindings (widget_class);
}

static void
change_view_cb (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  AtnWindow *self = user_data;
  const char *name = g_variant_get_string (value, NULL);

  if (adw_view_stack_get_child_by_name (self->view_stack, name) == NULL)
    return;
  adw_view_stack_set_visible_child_name (self->view_stack, name);
  g_simple_action_set_state (action, value);
}

static void
change_colormap_cb (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  AtnWindow *self = user_data;
  const char *name = g_variant_get_string (value, NULL);
  AtnColormap colormap = ATN_COLORMAP_AUTO;

  if (!g_str_equal (name, "auto") && !atn_colormap_from_name (name, &colormap))
    return;
  atn_session_set_colormap (self->session, colormap);
  g_simple_action_set_state (action, value);
}

static void
change_range_cb (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  bool is_shared = g_str_equal (g_variant_get_string (value, NULL), "shared");

  atn_session_set_range_mode (ATN_WINDOW (user_data)->session,
                              is_shared ? ATN_RANGE_SHARED : ATN_RANGE_PER_HEAD);
  g_simple_action_set_state (action, value);
}

static void
change_scale_cb (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  atn_session_set_log_scale (ATN_WINDOW (user_data)->session,
                             g_str_equal (g_variant_get_string (value, NULL), "log"));
  g_simple_action_set_state (action, value);
}

static void
show_example_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  AtnSession *session = ATN_WINDOW (user_data)->session;
  guint index = g_variant_get_uint32 (parameter);

  if (index < atn_session_get_examples (session)->len)
    atn_session_show_example (session, index);
}

static void
show_model_info_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  AtnModel *model = atn_session_get_model (ATN_WINDOW (user_data)->session);

  if (model != NULL)
    gtk_window_present (GTK_WINDOW (atn_model_info_new (GTK_WINDOW (user_data), model)));
}

static void
check_model_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  AtnModel *model = atn_session_get_model (ATN_WINDOW (user_data)->session);

  if (model != NULL)
    gtk_window_present (GTK_WINDOW (atn_model_check_new (GTK_WINDOW (user_data), model)));
}

void
atn_window_init_actions (AtnWindow *self)
{
  const GActionEntry entries[] = {
    { "model-info", show_model_info_cb, NULL, NULL, NULL, { 0 } },
    { "check-model", check_model_cb, NULL, NULL, NULL, { 0 } },
    { "example", show_example_cb, "u", NULL, NULL, { 0 } },
    { "view", NULL, "s", "''", change_view_cb, { 0 } },
    { "colormap", NULL, "s", "'auto'", change_colormap_cb, { 0 } },
    { "range", NULL, "s", "'head'", change_range_cb, { 0 } },
    { "scale", NULL, "s", "'linear'", change_scale_cb, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
