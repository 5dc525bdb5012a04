/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-load-bar.h"
#include "app/atn-measure.h"
#include "app/atn-model-list.h"
#include "app/atn-note.h"
#include "app/atn-notices.h"
#include "app/atn-token-bar.h"
#include "app/atn-views.h"
#include "app/atn-what-if-panel.h"
#include "app/atn-window-private.h"
#include "engine/atn-prediction.h"

#include <glib/gi18n.h>

#define MENUS_RESOURCE "/io/github/attnscope/Attnscope/ui/atn-menus.ui"
#define SHORTCUTS_RESOURCE "/io/github/attnscope/Attnscope/ui/atn-shortcuts.ui"

G_DEFINE_FINAL_TYPE (AtnWindow, atn_window, ADW_TYPE_APPLICATION_WINDOW)

enum
{
  PROP_0,
  PROP_SESSION,
  PROP_SHOW_SIDEBAR,
  PROP_SHOW_INSPECTOR,
  N_PROPS
};

/* The sentence may have a line for each of so many pixels of the window's height, and a long row
 * of tokens a second line from so many. */
#define HEIGHT_OF_LINE 256
#define MIN_LINES 2
#define MIN_HEIGHT_FOR_TOKENS 900

static GParamSpec *properties[N_PROPS];

void
atn_window_show_toast (AtnWindow *self, const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  /* A toast's title is markup, and a token may look like markup. */
  g_autofree char *title = g_markup_escape_text (text, -1);

  adw_toast_set_title (toast, title);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

static char *
dup_subtitle (AtnModel *model)
{
  const AtnConfig *config = atn_model_get_config (model);
  g_autofree char *layers = NULL;
  g_autofree char *heads = NULL;

  layers = g_strdup_printf (ngettext ("%d layer", "%d layers", (gulong) config->n_layers),
                            (int) config->n_layers);
  heads = g_strdup_printf (ngettext ("%d head", "%d heads", (gulong) config->n_heads),
                           (int) config->n_heads);
  /* Translators: sizes of a model, e.g. "4 layers × 6 heads · d_head 32" */
  return g_strdup_printf (_ ("%s × %s · d_head %d"), layers, heads, (int) config->d_head);
}

static void
fill_examples_menu (AtnWindow *self)
{
  GPtrArray *examples = atn_session_get_examples (self->session);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < examples->len; i++) {
    const AtnExample *example = g_ptr_array_index (examples, i);
    g_autofree char *text = g_strdup (example->text);
    g_autoptr (GMenuItem) item = NULL;

    g_strdelimit (text, "\n\r\t", ' ');
    if (g_utf8_strlen (text, -1) > 60) {
      char *start = g_utf8_substring (text, 0, 58);

      g_free (text);
      text = g_strconcat (start, "…", NULL);
      g_free (start);
    }
    item = g_menu_item_new (text, NULL);
    g_menu_item_set_action_and_target (item, "win.example", "u", i);
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_menu_model (self->examples_button, G_MENU_MODEL (menu));
  gtk_widget_set_visible (GTK_WIDGET (self->examples_button), examples->len > 0);
}

static void
enable_action (AtnWindow *self, const char *name, bool is_enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

static void
update_mask_button (AtnWindow *self, AtnModel *model)
{
  const char *token = model != NULL ? atn_model_get_mask_token (model, NULL) : NULL;
  g_autofree char *label = NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.insert-mask", token != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->mask_button), token != NULL);
  if (token == NULL)
    return;
  /* Translators: %s is the mask token, e.g. [MASK] */
  label = g_strdup_printf (_ ("Insert %s"), token);
  gtk_button_set_label (self->mask_button, label);
}

static void
follow_model (AtnWindow *self)
{
  AtnModel *model = atn_session_get_model (self->session);
  const GPtrArray *warnings;
  g_autofree char *subtitle = NULL;
  bool is_first =
    g_strcmp0 (gtk_stack_get_visible_child_name (self->main_stack), "empty") == 0 && model != NULL;

  gtk_stack_set_visible_child_name (self->main_stack, model != NULL ? "content" : "empty");
  if (is_first)
    gtk_widget_grab_focus (GTK_WIDGET (self->sentence));
  fill_examples_menu (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.export", model != NULL);
  enable_action (self, "model-info", model != NULL);
  enable_action (self, "check-model", model != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->view_buttons), model != NULL);
  update_mask_button (self, model);
  if (model == NULL)
    return;
  subtitle = dup_subtitle (model);
  adw_window_title_set_title (self->window_title, atn_model_get_name (model));
  adw_window_title_set_subtitle (self->window_title, subtitle);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->window_title),
                               atn_model_get_description (model, g_get_language_names ()));
  gtk_window_set_title (GTK_WINDOW (self), atn_model_get_name (model));
  warnings = atn_model_get_warnings (model);
  if (warnings->len > 0)
    atn_window_show_toast (self, g_ptr_array_index (warnings, 0));
}

static void
follow_result (AtnWindow *self)
{
  AtnResult *result = atn_session_get_result (self->session);
  guint n_tokens = atn_session_get_n_tokens (self->session);
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;
  double duration_ms;

  if (result == NULL)
    return;
  duration_ms = (double) result->duration_us / 1000.0;
  count = g_strdup_printf (ngettext ("%'u token", "%'u tokens", n_tokens), n_tokens);
  if (duration_ms >= 999.5)
    /* Translators: a number of tokens and how long they took, e.g. "300 tokens · 1.2 s" */
    text = g_strdup_printf (_ ("%s · %.1f s"), count, duration_ms / 1000.0);
  else
    /* Translators: a number of tokens and how long they took, e.g. "10 tokens · 3 ms" */
    text = g_strdup_printf (_ ("%s · %.*f ms"), count,
                            duration_ms < 0.1 ? 2 : (duration_ms < 9.95 ? 1 : 0), duration_ms);
  gtk_label_set_label (self->count_label, n_tokens > 0 ? text : count);
}

static void
follow_error (AtnWindow *self)
{
  const char *error = atn_session_get_error (self->session);

  if (error != NULL)
    gtk_label_set_label (self->error_label, error);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL);
}

static void
message_cb (AtnSession *session, const char *text, gpointer user_data)
{
  atn_window_show_toast (user_data, text);
}

static void
append_cb (AtnPredictionsPanel *panel, const char *text, gpointer user_data)
{
  atn_sentence_append (ATN_WINDOW (user_data)->sentence, text);
}

static void
model_chosen_cb (AtnWindow *self)
{
  adw_split_button_popdown (self->open_button);
}

static void
set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* The part of a split button that opens its menu has no name of its own. */
static void
name_dropdown (GtkWidget *widget, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    if (GTK_IS_MENU_BUTTON (child))
      set_name (child, name);
    else
      name_dropdown (child, name);
  }
}

static void
fill_views (AtnWindow *self)
{
  size_t n_views;
  const AtnViewEntry *views = atn_views_list (&n_views);

  for (size_t i = 0; i < n_views; i++) {
    const char *title = g_dgettext (GETTEXT_PACKAGE, views[i].title);
    GtkWidget *view = g_object_new (views[i].get_type (), "session", self->session, NULL);
    GtkWidget *button = gtk_toggle_button_new_with_label (title);
    g_autofree char *accel = g_strdup_printf ("Alt+%zu", i + 1);

    adw_view_stack_add_titled (self->view_stack, view, views[i].name, title);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.view");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", views[i].name);
    gtk_widget_set_tooltip_text (button, accel);
    gtk_box_append (self->view_buttons, button);
  }
  atn_views_fill_sidebar (self->sidebar_box, self->session);
  atn_views_fill_inspector (self->inspector_box, self->session);
}

static void
connect_session (AtnWindow *self)
{
  const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "model-changed", G_CALLBACK (follow_model) },
    { "result-changed", G_CALLBACK (follow_result) },
    { "notify::error", G_CALLBACK (follow_error) },
    { "notify::text-scale", G_CALLBACK (atn_window_follow_text_scale) },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_object (self->session, connections[i].signal, connections[i].callback, self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "message", G_CALLBACK (message_cb), self, 0);
  g_object_bind_property (self->session, "busy", self->spinner, "spinning", G_BINDING_SYNC_CREATE);
}

static gboolean
atn_window_close_request (GtkWindow *window)
{
  atn_window_save (ATN_WINDOW (window));
  return GTK_WINDOW_CLASS (atn_window_parent_class)->close_request (window);
}

static void
atn_window_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  AtnWindow *self = ATN_WINDOW (object);

  switch (property_id) {
  case PROP_SESSION:
    g_value_set_object (value, self->session);
    break;
  case PROP_SHOW_SIDEBAR:
    g_value_set_boolean (value, adw_flap_get_reveal_flap (self->sidebar_flap));
    break;
  case PROP_SHOW_INSPECTOR:
    g_value_set_boolean (value, adw_flap_get_reveal_flap (self->inspector_flap));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  }
}

static void
atn_window_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  AtnWindow *self = ATN_WINDOW (object);

  switch (property_id) {
  case PROP_SHOW_SIDEBAR:
    adw_flap_set_reveal_flap (self->sidebar_flap, g_value_get_boolean (value));
    break;
  case PROP_SHOW_INSPECTOR:
    adw_flap_set_reveal_flap (self->inspector_flap, g_value_get_boolean (value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  }
}

static void
reveal_flap_cb (AdwFlap *flap, GParamSpec *pspec, gpointer user_data)
{
  AtnWindow *self = user_data;

  g_object_notify_by_pspec (
    G_OBJECT (self),
    properties[flap == self->sidebar_flap ? PROP_SHOW_SIDEBAR : PROP_SHOW_INSPECTOR]);
}

/* Not in init: a window is unmaximized by its construct properties, which come after it. */
static void
atn_window_constructed (GObject *object)
{
  G_OBJECT_CLASS (atn_window_parent_class)->constructed (object);
  atn_window_restore (ATN_WINDOW (object));
}

/* The matrix is what the window is for: in a low one a long text leaves it its height. */
static gboolean
limit_lines_cb (gpointer user_data)
{
  AtnWindow *self = user_data;
  int n_lines = CLAMP (self->height / HEIGHT_OF_LINE, MIN_LINES, ATN_SENTENCE_MAX_LINES);

  self->lines_source = 0;
  atn_sentence_set_max_lines (self->sentence, n_lines);
  atn_sentence_set_max_lines (self->pair_sentence, n_lines);
  atn_token_bar_set_max_lines (self->token_bar, self->height < MIN_HEIGHT_FOR_TOKENS ? 1 : 2);
  return G_SOURCE_REMOVE;
}

static void
atn_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  AtnWindow *self = ATN_WINDOW (widget);

  /* Who asks for another size while sizes are given is not heard. */
  if (self->height != height && self->lines_source == 0)
    self->lines_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, limit_lines_cb, self, NULL);
  self->height = height;
  GTK_WIDGET_CLASS (atn_window_parent_class)->size_allocate (widget, width, height, baseline);
}

static void
atn_window_dispose (GObject *object)
{
  AtnWindow *self = ATN_WINDOW (object);

  g_clear_handle_id (&self->lines_source, g_source_remove);
  g_clear_pointer (&self->export_lane, atn_lane_free);
  g_clear_pointer (&self->copy_lane, atn_lane_free);
  g_clear_object (&self->chooser);
  if (self->session != NULL)
    atn_session_cancel_open (self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), ATN_TYPE_WINDOW);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (atn_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, window_title);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, open_button);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, view_buttons);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, examples_button);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, main_stack);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, empty_page);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, sentence);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, mask_button);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, count_label);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, pair_sentence);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, error_label);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, token_bar);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, sidebar_flap);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, sidebar_box);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, inspector_flap);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, inspector_box);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, view_stack);
  gtk_widget_class_bind_template_child (widget_class, AtnWindow, predictions_panel);
  gtk_widget_class_bind_template_callback (widget_class, append_cb);
  gtk_widget_class_bind_template_callback (widget_class, model_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, reveal_flap_cb);
}

static void
atn_window_class_init (AtnWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = atn_window_get_property;
  object_class->set_property = atn_window_set_property;
  object_class->constructed = atn_window_constructed;
  object_class->dispose = atn_window_dispose;
  widget_class->size_allocate = atn_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = atn_window_close_request;
  properties[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, ATN_TYPE_SESSION,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_SIDEBAR] =
    g_param_spec_boolean ("show-sidebar", NULL, NULL, TRUE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_SHOW_INSPECTOR] =
    g_param_spec_boolean ("show-inspector", NULL, NULL, TRUE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (ATN_TYPE_LOAD_BAR);
  g_type_ensure (ATN_TYPE_MODEL_LIST);
  g_type_ensure (ATN_TYPE_NOTE);
  g_type_ensure (ATN_TYPE_NOTICES);
  g_type_ensure (ATN_TYPE_PREDICTIONS_PANEL);
  g_type_ensure (ATN_TYPE_SENTENCE);
  g_type_ensure (ATN_TYPE_TOKEN_BAR);
  g_type_ensure (ATN_TYPE_WHAT_IF_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/attnscope/Attnscope/ui/atn-window.ui");
  bind_children (widget_class);
  atn_window_install_actions (widget_class);
  atn_window_install_file_actions (widget_class);
  atn_window_install_export_actions (widget_class);
}

static void
add_shortcuts_window (AtnWindow *self)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (SHORTCUTS_RESOURCE);

  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                           GTK_SHORTCUTS_WINDOW (
                                             gtk_builder_get_object (builder, "help_overlay")));
}

static void
atn_window_init (AtnWindow *self)
{
  g_autoptr (GtkBuilder) menus = gtk_builder_new_from_resource (MENUS_RESOURCE);

  /* Before the template, whose parts ask for it. */
  self->session = atn_session_new ();
  self->settings = atn_settings_new ();
  self->export_lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_DETAIL);
  self->copy_lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_DETAIL);
  atn_export_spec_init (&self->export_spec);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_menu_model (self->menu_button,
                                  G_MENU_MODEL (gtk_builder_get_object (menus, "primary_menu")));
  name_dropdown (GTK_WIDGET (self->open_button), _ ("Bundled, own and recent models"));
  add_shortcuts_window (self);
  atn_window_init_actions (self);
  atn_window_init_files (self);
  atn_window_init_export (self);
  fill_views (self);
  connect_session (self);
  follow_model (self);
}

AtnWindow *
atn_window_new (GtkApplication *application)
{
  return g_object_new (ATN_TYPE_WINDOW, "application", application, NULL);
}

AtnSession *
atn_window_get_session (AtnWindow *self)
{
  g_return_val_if_fail (ATN_IS_WINDOW (self), NULL);
  return self->session;
}
