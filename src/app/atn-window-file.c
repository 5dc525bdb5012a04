/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Ways to a model: the file chooser, a path from the list of models, a file that
 * is dragged in.
 */

#include "app/atn-window-private.h"
#include "base/atn-paths.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_RECENT 10

static void
open_file (AtnWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL) {
    g_autofree char *uri = g_file_get_uri (file);
    g_autofree char *text =
      /* Translators: %s is an address such as sftp://… */
      g_strdup_printf (_ ("%s is not on this computer: copy it to a folder first"), uri);

    atn_session_set_load_error (self->session, text);
    return;
  }
  self->restores = false;
  atn_session_open (self->session, path);
}

static void
chooser_response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  AtnWindow *self = user_data;

  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

    if (file != NULL)
      open_file (self, file);
  }
  g_clear_object (&self->chooser);
}

static void
add_filters (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) models = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (models, _ ("Models"));
  gtk_file_filter_add_suffix (models, "json");
  gtk_file_filter_add_suffix (models, "safetensors");
  gtk_file_filter_add_suffix (models, "gguf");
  gtk_file_chooser_add_filter (chooser, models);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, all);
}

static void
show_chooser (AtnWindow *self, const char *title, GtkFileChooserAction action)
{
  if (self->chooser != NULL)
    return;
  self->chooser =
    gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, _ ("_Open"), _ ("_Cancel"));
  if (action == GTK_FILE_CHOOSER_ACTION_OPEN)
    add_filters (GTK_FILE_CHOOSER (self->chooser));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (chooser_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
open_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  show_chooser (ATN_WINDOW (widget), _ ("Open a model"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
open_folder_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  show_chooser (ATN_WINDOW (widget), _ ("Open a model's folder"),
                GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

static void
open_path_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  AtnWindow *self = user_data;

  self->restores = false;
  atn_session_open (self->session, g_variant_get_string (parameter, NULL));
}

void
atn_window_install_file_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.open", NULL, open_cb);
  gtk_widget_class_install_action (widget_class, "win.open-folder", NULL, open_folder_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_o, GDK_CONTROL_MASK, "win.open", NULL);
}

static bool
is_bundled (const char *path)
{
  g_autofree char *dir = atn_paths_dup_models_dir ();

  return g_str_has_prefix (path, dir);
}

static void
remember_model (AtnWindow *self)
{
  AtnModel *model = atn_session_get_model (self->session);
  g_autoptr (GPtrArray) paths = NULL;
  g_auto (GStrv) recent = NULL;
  g_autofree char *path = NULL;

  if (model == NULL || self->settings == NULL)
    return;
  path = g_canonicalize_filename (atn_model_get_path (model), NULL);
  if (is_bundled (path) || !g_utf8_validate (path, -1, NULL))
    return;
  recent = g_settings_get_strv (self->settings, "recent-models");
  paths = g_ptr_array_new ();
  g_ptr_array_add (paths, path);
  for (int i = 0; recent[i] != NULL && paths->len < MAX_RECENT; i++)
    if (!g_str_equal (recent[i], path))
      g_ptr_array_add (paths, recent[i]);
  g_ptr_array_add (paths, NULL);
  g_settings_set_strv (self->settings, "recent-models", (const char *const *) paths->pdata);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer user_data)
{
  GSList *files = g_value_get_boxed (value);

  if (files == NULL)
    return FALSE;
  open_file (user_data, files->data);
  return TRUE;
}

void
atn_window_init_files (AtnWindow *self)
{
  const GActionEntry entries[] = { { "open-path", open_path_cb, "s", NULL, NULL, { 0 } } };
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  /* Before the text view gets it, which would type the file's name. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_object (self->session, "model-changed", G_CALLBACK (remember_model), self,
                           G_CONNECT_SWAPPED);
}
