/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the window remembers. The sentence and the selection wait for the model
 * of the last time: should its file be gone, they would mean nothing. And the size
 * of all text, which is the settings' of the display.
 */

#include "app/atn-window-private.h"
#include "base/atn-paths.h"

#include <math.h>
#include <string.h>

/* Of an icon beside text of the normal size, in pixels. */
#define ICON_SIZE 16.0
#define ICONS_KEY "attnscope-icons"

/* The first of these that is installed is what the first start shows. Who reads Chinese begins
 * with poems that everybody knows by heart. */
static const char *const default_models[] = { "english-small", "cat-chases-mouse", NULL };
static const char *const chinese_default_models[] = { "chinese-poems", "english-small",
                                                      "cat-chases-mouse", NULL };

static void
activate (AtnWindow *self, const char *action, const char *value)
{
  g_action_group_activate_action (G_ACTION_GROUP (self), action, g_variant_new_string (value));
}

static void
restore_look (AtnWindow *self)
{
  g_autofree char *view = g_settings_get_string (self->settings, "view");
  g_autofree char *colormap = g_settings_get_string (self->settings, "colormap");
  g_autofree char *range = g_settings_get_string (self->settings, "range");

  activate (self, "view", view);
  activate (self, "colormap", colormap);
  activate (self, "range", range);
  activate (self, "scale", g_settings_get_boolean (self->settings, "log-scale") ? "log" : "linear");
  atn_session_set_text_scale (self->session, g_settings_get_double (self->settings, "text-scale"));
}

void
atn_window_restore (AtnWindow *self)
{
  const char *first_view = "stages";

  if (self->settings == NULL) {
    activate (self, "view", first_view);
    return;
  }
  gtk_window_set_default_size (GTK_WINDOW (self),
                               g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "is-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->sidebar_flap,
                            g_settings_get_boolean (self->settings, "show-sidebar"));
  adw_flap_set_reveal_flap (self->inspector_flap,
                            g_settings_get_boolean (self->settings, "show-inspector"));
  restore_look (self);
}

static void
save_look (AtnWindow *self)
{
  g_autoptr (GVariant) view = g_action_group_get_action_state (G_ACTION_GROUP (self), "view");

  g_settings_set_string (self->settings, "view", g_variant_get_string (view, NULL));
  g_settings_set_string (self->settings, "colormap",
                         atn_session_get_colormap (self->session) == ATN_COLORMAP_AUTO
                           ? "auto"
                           : atn_colormap_get_name (atn_session_get_colormap (self->session)));
  g_settings_set_string (self->settings, "range",
                         atn_session_get_range_mode (self->session) == ATN_RANGE_SHARED ? "shared"
                                                                                        : "head");
  g_settings_set_boolean (self->settings, "log-scale", atn_session_get_log_scale (self->session));
  g_settings_set_double (self->settings, "text-scale", atn_session_get_text_scale (self->session));
}

static void
save_selection (AtnWindow *self)
{
  AtnModel *model = atn_session_get_model (self->session);

  if (model == NULL || !g_utf8_validate (atn_model_get_path (model), -1, NULL))
    return;
  g_settings_set_string (self->settings, "last-model", atn_model_get_path (model));
  g_settings_set_string (self->settings, "last-text", atn_session_get_text (self->session));
  g_settings_set_string (self->settings, "last-pair", atn_session_get_pair (self->session));
  g_settings_set_uint (self->settings, "layer", atn_session_get_layer (self->session));
  g_settings_set_uint (self->settings, "head", atn_session_get_head (self->session));
  g_settings_set_string (self->settings, "stage",
                         atn_stage_get_name (atn_session_get_stage (self->session)));
}

void
atn_window_save (AtnWindow *self)
{
  int width, height;

  if (self->settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (width > 0 && height > 0) {
    g_settings_set_int (self->settings, "window-width", width);
    g_settings_set_int (self->settings, "window-height", height);
  }
  g_settings_set_boolean (self->settings, "is-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (self->settings, "show-sidebar",
                          adw_flap_get_reveal_flap (self->sidebar_flap));
  g_settings_set_boolean (self->settings, "show-inspector",
                          adw_flap_get_reveal_flap (self->inspector_flap));
  save_look (self);
  save_selection (self);
  g_settings_set_boolean (self->settings, "is-first-start", FALSE);
  g_settings_sync ();
}

/* Icons keep to pixels, whatever the size of the text beside them. */
static void
scale_icons (GtkWidget *widget, GtkSettings *settings, double scale)
{
  GtkCssProvider *provider = g_object_get_data (G_OBJECT (settings), ICONS_KEY);
  g_autofree char *css = NULL;

  if (provider == NULL) {
    provider = gtk_css_provider_new ();
    gtk_style_context_add_provider_for_display (gtk_widget_get_display (widget),
                                                GTK_STYLE_PROVIDER (provider),
                                                GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_set_data_full (G_OBJECT (settings), ICONS_KEY, provider, g_object_unref);
  }
  if (scale != 1.0)
    css = g_strdup_printf ("window, popover { -gtk-icon-size: %dpx; }",
                           (int) round (ICON_SIZE * scale));
  gtk_css_provider_load_from_data (provider, css != NULL ? css : "", -1);
}

void
atn_window_follow_text_scale (AtnWindow *self)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  double scale = atn_session_get_text_scale (self->session);

  gtk_settings_reset_property (settings, "gtk-xft-dpi");
  if (scale != 1.0) {
    int dpi;

    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
    g_object_set (settings, "gtk-xft-dpi", (int) (dpi * scale), NULL);
  }
  scale_icons (GTK_WIDGET (self), settings, scale);
}

static void
restore_selection_cb (AtnWindow *self)
{
  g_autofree char *stage_name = NULL;
  g_autofree char *text = NULL;
  g_autofree char *pair = NULL;
  AtnStage stage;

  if (!self->restores)
    return;
  self->restores = false;
  stage_name = g_settings_get_string (self->settings, "stage");
  text = g_settings_get_string (self->settings, "last-text");
  pair = g_settings_get_string (self->settings, "last-pair");
  atn_session_set_layer_and_head (self->session, g_settings_get_uint (self->settings, "layer"),
                                  g_settings_get_uint (self->settings, "head"));
  if (atn_stage_from_name (stage_name, &stage))
    atn_session_set_stage (self->session, stage);
  atn_session_set_text (self->session, text);
  atn_session_set_pair (self->session, pair);
}

static char *
find_default_model (void)
{
  bool is_chinese = g_str_has_prefix (g_get_language_names ()[0], "zh");
  const char *const *names = is_chinese ? chinese_default_models : default_models;

  for (size_t i = 0; names[i] != NULL; i++) {
    char *path = atn_paths_find_model (names[i]);

    if (path != NULL)
      return path;
  }
  return NULL;
}

void
atn_window_start (AtnWindow *self, const char *path)
{
  g_autofree char *last = NULL;
  g_autofree char *found = NULL;

  if (path != NULL) {
    atn_session_open (self->session, path);
    return;
  }
  if (self->settings != NULL && !g_settings_get_boolean (self->settings, "is-first-start")) {
    last = g_settings_get_string (self->settings, "last-model");
    found = *last != '\0' ? atn_paths_find_model (last) : NULL;
    self->restores = found != NULL;
    if (self->restores)
      g_signal_connect_object (self->session, "model-changed", G_CALLBACK (restore_selection_cb),
                               self, G_CONNECT_SWAPPED);
  }
  if (found == NULL)
    found = find_default_model ();
  if (found != NULL)
    atn_session_open (self->session, found);
}
