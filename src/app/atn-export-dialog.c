/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-export-dialog.h"

#include "app/atn-compute.h"
#include "app/atn-export-preview.h"

#include <glib/gi18n.h>

#define PREVIEW_WIDTH 520
#define PREVIEW_HEIGHT 420

struct _AtnExportDialog
{
  AdwWindow parent_instance;

  AtnSession *session;
  AtnExportSpec spec;
  AtnLane *lane;
  bool is_updating;
  GtkToggleButton *format_toggles[ATN_N_FORMATS];

  GtkBox *format_box;
  GtkToggleButton *head_toggle;
  GtkToggleButton *strip_toggle;
  GtkToggleButton *sheet_toggle;
  GtkWidget *size_group;
  GtkToggleButton *zoom_toggle;
  GtkToggleButton *width_toggle;
  GtkWidget *zoom_row;
  GtkSpinButton *zoom_spin;
  GtkWidget *width_row;
  GtkSpinButton *width_spin;
  GtkWidget *dpi_row;
  GtkSpinButton *dpi_spin;
  GtkLabel *size_label;
  GtkLabel *error_label;
  GtkStack *preview_stack;
  GtkPicture *preview_picture;
  GtkLabel *preview_label;
  GtkWidget *export_button;
};

G_DEFINE_FINAL_TYPE (AtnExportDialog, atn_export_dialog, ADW_TYPE_WINDOW)

enum
{
  SIGNAL_EXPORT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
run_preview (gpointer data, GCancellable *cancellable)
{
  atn_export_preview_run (data, cancellable);
}

static void
preview_done_cb (gpointer data, gpointer user_data)
{
  AtnExportPreview *preview = data;
  AtnExportDialog *self = user_data;
  bool has_error = preview->error != NULL;

  gtk_label_set_label (self->error_label, has_error ? preview->error->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), has_error);
  gtk_widget_set_sensitive (self->export_button, !has_error);
  gtk_label_set_label (self->size_label, preview->size != NULL ? preview->size : "");
  if (preview->texture != NULL) {
    gtk_picture_set_paintable (self->preview_picture, GDK_PAINTABLE (preview->texture));
    gtk_stack_set_visible_child_name (self->preview_stack, "picture");
  } else if (preview->text != NULL) {
    gtk_label_set_label (self->preview_label, preview->text);
    gtk_stack_set_visible_child_name (self->preview_stack, "text");
  }
}

static void
queue_preview (AtnExportDialog *self)
{
  AtnResult *result = atn_session_get_result (self->session);
  AtnFigureOptions options;
  AtnExportPreview *preview;

  if (result == NULL || result->trace == NULL)
    return;
  atn_session_fill_figure_options (self->session, &options);
  preview = atn_export_preview_new (&self->spec, &options, result);
  preview->width = PREVIEW_WIDTH;
  preview->height = PREVIEW_HEIGHT;
  preview->scale_factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  atn_lane_push (self->lane, &(AtnWork){ .data = preview,
                                         .run = run_preview,
                                         .done = preview_done_cb,
                                         .free_data = (GDestroyNotify) atn_export_preview_free,
                                         .user_data = self });
}

/* Rows that mean nothing for the chosen format are hidden, not greyed: there is one size only. */
static void
update_rows (AtnExportDialog *self)
{
  bool is_picture = atn_format_is_picture (self->spec.format);
  bool by_zoom = gtk_toggle_button_get_active (self->zoom_toggle);

  gtk_widget_set_visible (self->size_group, is_picture);
  gtk_widget_set_sensitive (GTK_WIDGET (self->strip_toggle), is_picture);
  gtk_widget_set_visible (self->zoom_row, by_zoom);
  gtk_widget_set_visible (self->width_row, !by_zoom);
  gtk_widget_set_visible (self->dpi_row, !by_zoom && self->spec.format == ATN_FORMAT_PNG);
}

static void
read_controls (AtnExportDialog *self)
{
  bool by_zoom = gtk_toggle_button_get_active (self->zoom_toggle);

  for (int i = 0; i < ATN_N_FORMATS; i++)
    if (gtk_toggle_button_get_active (self->format_toggles[i]))
      self->spec.format = (AtnFormat) i;
  if (!atn_format_is_picture (self->spec.format) &&
      gtk_toggle_button_get_active (self->strip_toggle))
    gtk_toggle_button_set_active (self->head_toggle, TRUE);
  if (gtk_toggle_button_get_active (self->sheet_toggle))
    self->spec.what = ATN_FIGURE_SHEET;
  else if (gtk_toggle_button_get_active (self->strip_toggle))
    self->spec.what = ATN_FIGURE_STRIP;
  else
    self->spec.what = ATN_FIGURE_HEAD;
  self->spec.size = (AtnExportSize){
    .zoom = by_zoom ? gtk_spin_button_get_value (self->zoom_spin) : 0.0,
    .width_mm = gtk_spin_button_get_value (self->width_spin),
    .dpi = by_zoom ? 0.0 : gtk_spin_button_get_value (self->dpi_spin),
  };
}

static void
control_changed_cb (AtnExportDialog *self)
{
  if (self->is_updating)
    return;
  self->is_updating = true;
  read_controls (self);
  update_rows (self);
  self->is_updating = false;
  queue_preview (self);
}

static void
show_spec (AtnExportDialog *self)
{
  const AtnExportSize *size = &self->spec.size;
  GtkToggleButton *what_toggles[] = { [ATN_FIGURE_HEAD] = self->head_toggle,
                                      [ATN_FIGURE_STRIP] = self->strip_toggle,
                                      [ATN_FIGURE_SHEET] = self->sheet_toggle };

  self->is_updating = true;
  gtk_toggle_button_set_active (self->format_toggles[self->spec.format], TRUE);
  gtk_toggle_button_set_active (what_toggles[self->spec.what], TRUE);
  gtk_toggle_button_set_active (size->zoom > 0.0 ? self->zoom_toggle : self->width_toggle, TRUE);
  if (size->zoom > 0.0)
    gtk_spin_button_set_value (self->zoom_spin, size->zoom);
  if (size->width_mm > 0.0)
    gtk_spin_button_set_value (self->width_spin, size->width_mm);
  if (size->dpi > 0.0)
    gtk_spin_button_set_value (self->dpi_spin, size->dpi);
  update_rows (self);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->format_toggles[self->spec.format]));
  self->is_updating = false;
}

static void
export_clicked_cb (AtnExportDialog *self)
{
  g_signal_emit (self, signals[SIGNAL_EXPORT], 0);
}

static void
add_format_toggles (AtnExportDialog *self)
{
  for (int i = 0; i < ATN_N_FORMATS; i++) {
    GtkWidget *toggle = gtk_toggle_button_new_with_label (atn_format_get_title ((AtnFormat) i));

    self->format_toggles[i] = GTK_TOGGLE_BUTTON (toggle);
    if (i > 0)
      gtk_toggle_button_set_group (self->format_toggles[i], self->format_toggles[0]);
    g_signal_connect_object (toggle, "toggled", G_CALLBACK (control_changed_cb), self,
                             G_CONNECT_SWAPPED);
    gtk_box_append (self->format_box, toggle);
  }
}

static void
atn_export_dialog_dispose (GObject *object)
{
  AtnExportDialog *self = ATN_EXPORT_DIALOG (object);

  g_clear_pointer (&self->lane, atn_lane_free);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_EXPORT_DIALOG);
  G_OBJECT_CLASS (atn_export_dialog_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, format_box);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, head_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, strip_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, sheet_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, size_group);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, zoom_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, width_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, zoom_row);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, zoom_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, width_row);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, width_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, dpi_row);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, dpi_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, size_label);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, error_label);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, preview_stack);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, preview_picture);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, preview_label);
  gtk_widget_class_bind_template_child (widget_class, AtnExportDialog, export_button);
}

static void
atn_export_dialog_class_init (AtnExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_export_dialog_dispose;
  signals[SIGNAL_EXPORT] = g_signal_new ("export", ATN_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-export-dialog.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, control_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, export_clicked_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
atn_export_dialog_init (AtnExportDialog *self)
{
  self->is_updating = true;
  gtk_widget_init_template (GTK_WIDGET (self));
  add_format_toggles (self);
  self->is_updating = false;
  self->lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_DETAIL);
}

AtnExportDialog *
atn_export_dialog_new (GtkWindow *parent, AtnSession *session, const AtnExportSpec *spec)
{
  AtnExportDialog *self = g_object_new (ATN_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);

  self->session = g_object_ref (session);
  self->spec = *spec;
  show_spec (self);
  g_signal_connect_object (session, "result-changed", G_CALLBACK (queue_preview), self,
                           G_CONNECT_SWAPPED);
  queue_preview (self);
  return self;
}

const AtnExportSpec *
atn_export_dialog_get_spec (AtnExportDialog *self)
{
  g_return_val_if_fail (ATN_IS_EXPORT_DIALOG (self), NULL);
  return &self->spec;
}
