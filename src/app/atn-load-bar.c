/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-load-bar.h"

#include <glib/gi18n.h>

#define PATIENCE_MS 300

struct _AtnLoadBar
{
  AtnView parent_instance;

  guint timer;

  GtkRevealer *load_revealer;
  GtkLabel *load_label;
  GtkProgressBar *load_bar;
  GtkRevealer *load_error_revealer;
  GtkLabel *load_error_label;
};

G_DEFINE_FINAL_TYPE (AtnLoadBar, atn_load_bar, ATN_TYPE_VIEW)

static gboolean
reveal_cb (gpointer user_data)
{
  AtnLoadBar *self = user_data;

  self->timer = 0;
  gtk_revealer_set_reveal_child (self->load_revealer, TRUE);
  return G_SOURCE_REMOVE;
}

static void
follow_loading (AtnLoadBar *self)
{
  AtnSession *session = atn_view_get_session (self);
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (!atn_session_is_loading (session)) {
    gtk_revealer_set_reveal_child (self->load_revealer, FALSE);
    return;
  }
  name = g_path_get_basename (atn_session_get_load_path (session));
  /* Translators: %s is the name of a file */
  text = g_strdup_printf (_ ("Opening %s…"), name);
  gtk_label_set_label (self->load_label, text);
  gtk_progress_bar_set_fraction (self->load_bar, 0.0);
  self->timer = g_timeout_add (PATIENCE_MS, reveal_cb, self);
}

static void
follow_progress (AtnLoadBar *self)
{
  gtk_progress_bar_set_fraction (self->load_bar,
                                 atn_session_get_load_progress (atn_view_get_session (self)));
}

static void
follow_error (AtnLoadBar *self)
{
  const char *error = atn_session_get_load_error (atn_view_get_session (self));

  gtk_label_set_label (self->load_error_label, error != NULL ? error : "");
  gtk_revealer_set_reveal_child (self->load_error_revealer, error != NULL);
}

static void
atn_load_bar_bind (AtnView *view, AtnSession *session)
{
  AtnLoadBar *self = ATN_LOAD_BAR (view);

  g_signal_connect_object (session, "notify::loading", G_CALLBACK (follow_loading), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::load-progress", G_CALLBACK (follow_progress), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::load-error", G_CALLBACK (follow_error), self,
                           G_CONNECT_SWAPPED);
  follow_loading (self);
  follow_error (self);
}

static void
atn_load_bar_dispose (GObject *object)
{
  g_clear_handle_id (&ATN_LOAD_BAR (object)->timer, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_LOAD_BAR);
  G_OBJECT_CLASS (atn_load_bar_parent_class)->dispose (object);
}

static void
atn_load_bar_class_init (AtnLoadBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_load_bar_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_load_bar_bind;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/attnscope/Attnscope/ui/atn-load-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnLoadBar, load_revealer);
  gtk_widget_class_bind_template_child (widget_class, AtnLoadBar, load_label);
  gtk_widget_class_bind_template_child (widget_class, AtnLoadBar, load_bar);
  gtk_widget_class_bind_template_child (widget_class, AtnLoadBar, load_error_revealer);
  gtk_widget_class_bind_template_child (widget_class, AtnLoadBar, load_error_label);
}

static void
atn_load_bar_init (AtnLoadBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
