/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Pictures and numbers that leave the window: to the clipboard, or to a path
 * (from the dialog, or from the action export-to, which asks nothing).
 */

#include "app/atn-export-dialog.h"
#include "app/atn-window-private.h"

#include <glib/gi18n.h>

typedef struct
{
  AtnExportSpec spec;
  AtnFigureOptions options;
  AtnResult *result;
  char *path;    /* (nullable): NULL for the clipboard */
  GBytes *bytes; /* out */
  GError *error; /* out */
} ExportData;

static void
free_export_data (gpointer data)
{
  ExportData *job = data;

  atn_result_unref (job->result);
  g_free (job->path);
  g_clear_pointer (&job->bytes, g_bytes_unref);
  g_clear_error (&job->error);
  g_free (job);
}

static void
run_export (gpointer data, GCancellable *cancellable)
{
  ExportData *job = data;

  if (job->path != NULL)
    atn_export_spec_write (&job->spec, job->result, &job->options, job->path, cancellable,
                           &job->error);
  else
    job->bytes =
      atn_export_spec_render (&job->spec, job->result, &job->options, cancellable, &job->error);
}

static ExportData *
export_data_new (AtnWindow *self, const AtnExportSpec *spec, const char *path)
{
  AtnResult *result = atn_session_get_result (self->session);
  ExportData *job;

  if (result == NULL || result->trace == NULL) {
    atn_window_show_toast (self, _ ("There is nothing to export: the sentence is empty"));
    return NULL;
  }
  job = g_new0 (ExportData, 1);
  job->spec = *spec;
  job->result = atn_result_ref (result);
  job->path = g_strdup (path);
  atn_session_fill_figure_options (self->session, &job->options);
  return job;
}

static void
export_done_cb (gpointer data, gpointer user_data)
{
  ExportData *job = data;
  AtnWindow *self = user_data;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (job->error != NULL) {
    if (!g_error_matches (job->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      atn_session_set_load_error (self->session, job->error->message);
    return;
  }
  name = g_filename_display_basename (job->path);
  /* Translators: %s is the name of a file */
  text = g_strdup_printf (_ ("Saved %s"), name);
  atn_window_show_toast (self, text);
}

static void
copy_done_cb (gpointer data, gpointer user_data)
{
  ExportData *job = data;
  AtnWindow *self = user_data;
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self));

  if (job->bytes == NULL) {
    if (job->error != NULL)
      atn_window_show_toast (self, job->error->message);
    return;
  }
  if (job->spec.format == ATN_FORMAT_PNG) {
    g_autoptr (GdkContentProvider) provider =
      gdk_content_provider_new_for_bytes ("image/png", job->bytes);

    gdk_clipboard_set_content (clipboard, provider);
    atn_window_show_toast (self, _ ("Figure copied"));
  } else {
    gsize length;
    const char *contents = g_bytes_get_data (job->bytes, &length);
    g_autofree char *text = g_strndup (contents, length);

    gdk_clipboard_set_text (clipboard, text);
    atn_window_show_toast (self, _ ("Numbers copied"));
  }
}

static void
push (AtnLane *lane, ExportData *job, void (*done) (gpointer, gpointer), AtnWindow *self)
{
  if (job != NULL)
    atn_lane_push (lane, &(AtnWork){ .data = job,
                                     .run = run_export,
                                     .done = done,
                                     .free_data = free_export_data,
                                     .user_data = self });
}

static void
copy (AtnWindow *self, AtnFormat format)
{
  AtnExportSpec spec = self->export_spec;
  bool shows_all =
    g_strcmp0 (adw_view_stack_get_visible_child_name (self->view_stack), "heads") == 0;

  spec.format = format;
  spec.what = shows_all ? ATN_FIGURE_SHEET : ATN_FIGURE_HEAD;
  push (self->copy_lane, export_data_new (self, &spec, NULL), copy_done_cb, self);
}

static void
copy_figure_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  copy (ATN_WINDOW (widget), ATN_FORMAT_PNG);
}

static void
copy_numbers_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  copy (ATN_WINDOW (widget), ATN_FORMAT_TSV);
}

/* An extension that is known decides the format; another one, or none, gets the chosen one's. */
static void
export_to_path (AtnWindow *self, const char *path)
{
  AtnExportSpec spec = self->export_spec;
  g_autofree char *full = NULL;

  if (atn_format_from_path (path, &spec.format))
    full = g_strdup (path);
  else
    full = g_strconcat (path, ".", atn_format_get_extension (spec.format), NULL);
  if (!atn_format_is_picture (spec.format) && spec.what == ATN_FIGURE_STRIP)
    spec.what = ATN_FIGURE_HEAD;
  push (self->export_lane, export_data_new (self, &spec, full), export_done_cb, self);
}

static void
export_to_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  export_to_path (user_data, g_variant_get_string (parameter, NULL));
}

static void
save_response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  AtnWindow *self = user_data;

  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

    if (path != NULL)
      export_to_path (self, path);
  }
  g_clear_object (&self->chooser);
}

static void
show_save_chooser (AtnWindow *self)
{
  AtnResult *result = atn_session_get_result (self->session);
  AtnFigureOptions options;
  g_autofree char *name = NULL;

  if (self->chooser != NULL || result == NULL)
    return;
  atn_session_fill_figure_options (self->session, &options);
  name = atn_export_spec_dup_file_name (&self->export_spec, result, &options);
  self->chooser =
    gtk_file_chooser_native_new (_ ("Export"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE,
                                 _ ("_Save"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (save_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
dialog_export_cb (AtnExportDialog *dialog, gpointer user_data)
{
  AtnWindow *self = user_data;

  self->export_spec = *atn_export_dialog_get_spec (dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  show_save_chooser (self);
}

static void
export_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  AtnWindow *self = ATN_WINDOW (widget);
  AtnResult *result = atn_session_get_result (self->session);
  AtnExportDialog *dialog;

  if (result == NULL || result->trace == NULL) {
    atn_window_show_toast (self, _ ("There is nothing to export: the sentence is empty"));
    return;
  }
  dialog = atn_export_dialog_new (GTK_WINDOW (self), self->session, &self->export_spec);
  g_signal_connect_object (dialog, "export", G_CALLBACK (dialog_export_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
atn_window_install_export_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.export", NULL, export_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_e, GDK_CONTROL_MASK, "win.export",
                                       NULL);
  gtk_widget_class_install_action (widget_class, "win.copy-figure", NULL, copy_figure_cb);
  gtk_widget_class_install_action (widget_class, "win.copy-numbers", NULL, copy_numbers_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "win.copy-numbers", NULL);
}

void
atn_window_init_export (AtnWindow *self)
{
  const GActionEntry entries[] = { { "export-to", export_to_cb, "s", NULL, NULL, { 0 } } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
