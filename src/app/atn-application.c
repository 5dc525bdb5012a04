/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-application.h"

#include "app/atn-compute.h"
#include "app/atn-help-window.h"
#include "app/atn-measure-run.h"
#include "app/atn-measure.h"
#include "app/atn-window.h"
#include "base/atn-paths.h"

#include <glib/gi18n.h>

struct _AtnApplication
{
  AdwApplication parent_instance;

  AtnCompute *compute;
};

G_DEFINE_FINAL_TYPE (AtnApplication, atn_application, ADW_TYPE_APPLICATION)

static AtnWindow *
open_window (AtnApplication *self, const char *path)
{
  AtnWindow *window = atn_window_new (GTK_APPLICATION (self));

  atn_measure_mark ("window made");
  /* The file is read while the window is being mapped. */
  atn_window_start (window, path);
  gtk_window_present (GTK_WINDOW (window));
  atn_measure_mark ("window presented");
  if (atn_measure_is_enabled ())
    atn_measure_run (window);
  return window;
}

static void
new_window_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  open_window (user_data, NULL);
}

static void
close_windows_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (user_data));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
  g_list_free (windows);
}

static void
help_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *parent = gtk_application_get_active_window (user_data);

  if (parent != NULL && ATN_IS_HELP_WINDOW (parent))
    return;
  gtk_window_present (GTK_WINDOW (atn_help_window_new (parent)));
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  adw_show_about_window (gtk_application_get_active_window (user_data), "application-name",
                         _ ("Attnscope"), "application-icon", "io.github.attnscope.Attnscope",
                         "version", ATN_VERSION, "developer-name", _ ("The Attnscope developers"),
                         "comments", _ ("See what the attention heads of a Transformer look at"),
                         "license-type", GTK_LICENSE_MIT_X11, "copyright",
                         "© The Attnscope developers", "translator-credits",
                         /* Translators: your names, one a line */
                         _ ("translator-credits"), NULL);
}

static void
atn_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window != NULL)
    gtk_window_present (window);
  else
    open_window (ATN_APPLICATION (application), NULL);
}

static void
atn_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  for (int i = 0; i < n_files; i++) {
    g_autofree char *path = g_file_get_path (files[i]);
    g_autofree char *name = g_file_get_basename (files[i]);
    g_autofree char *found = NULL;

    /* "attnscope six-tokens": the name of a bundled model where no such file is. */
    if (path == NULL || (!g_file_test (path, G_FILE_TEST_EXISTS)))
      found = name != NULL ? atn_paths_find_model (name) : NULL;
    open_window (ATN_APPLICATION (application), found != NULL ? found : path);
  }
}

static void
atn_application_startup (GApplication *application)
{
  AtnApplication *self = ATN_APPLICATION (application);
  const GActionEntry entries[] = {
    { "new-window", new_window_cb, NULL, NULL, NULL, { 0 } },
    { "help", help_cb, NULL, NULL, NULL, { 0 } },
    { "about", about_cb, NULL, NULL, NULL, { 0 } },
    { "quit", close_windows_cb, NULL, NULL, NULL, { 0 } },
  };
  const char *new_window_accels[] = { "<Control>n", NULL };
  const char *quit_accels[] = { "<Control>q", NULL };
  const char *close_accels[] = { "<Control>w", NULL };
  const char *help_accels[] = { "F1", NULL };

  G_APPLICATION_CLASS (atn_application_parent_class)->startup (application);
  atn_measure_mark ("toolkit ready");
  self->compute = atn_compute_new ();
  atn_compute_set_default (self->compute);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "app.new-window",
                                         new_window_accels);
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "app.quit", quit_accels);
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "window.close", close_accels);
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "app.help", help_accels);
}

static void
atn_application_shutdown (GApplication *application)
{
  AtnApplication *self = ATN_APPLICATION (application);

  G_APPLICATION_CLASS (atn_application_parent_class)->shutdown (application);
  atn_compute_set_default (NULL);
  g_clear_pointer (&self->compute, atn_compute_free);
}

static void
atn_application_class_init (AtnApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->activate = atn_application_activate;
  application_class->open = atn_application_open;
  application_class->startup = atn_application_startup;
  application_class->shutdown = atn_application_shutdown;
}

static void
atn_application_init (AtnApplication *self)
{
}

AtnApplication *
atn_application_new (void)
{
  return g_object_new (ATN_TYPE_APPLICATION, "application-id", "io.github.attnscope.Attnscope",
                       "resource-base-path", "/io/github/attnscope/Attnscope", "flags",
                       G_APPLICATION_HANDLES_OPEN, NULL);
}
