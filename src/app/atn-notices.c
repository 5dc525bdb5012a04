/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-notices.h"

#include <glib/gi18n.h>

struct _AtnNotices
{
  AtnView parent_instance;

  GtkRevealer *banner_revealer;
  GtkLabel *banner_label;
  GtkToggleButton *baseline_toggle;
  GtkRevealer *cut_revealer;
  GtkLabel *cut_label;
};

G_DEFINE_FINAL_TYPE (AtnNotices, atn_notices, ATN_TYPE_VIEW)

/* The text of a notice that goes stays while the revealer slides it away. */
static void
show_notice (GtkRevealer *revealer, GtkLabel *label, const char *text)
{
  if (text != NULL)
    gtk_label_set_label (label, text);
  gtk_revealer_set_reveal_child (revealer, text != NULL);
}

static void
follow_banner (AtnNotices *self)
{
  AtnSession *session = atn_view_get_session (self);
  const char *banner = atn_session_get_banner (session);
  g_autofree char *text = NULL;

  if (banner != NULL)
    /* Translators: %s is a list such as "causal mask off · T 0.5" */
    text = g_strdup_printf (_ ("Not as trained: %s"), banner);
  else
    atn_session_set_show_baseline (session, false);
  show_notice (self->banner_revealer, self->banner_label, text);
}

static void
follow_cut (AtnNotices *self)
{
  show_notice (self->cut_revealer, self->cut_label,
               atn_session_get_cut_notice (atn_view_get_session (self)));
}

static void
atn_notices_bind (AtnView *view, AtnSession *session)
{
  AtnNotices *self = ATN_NOTICES (view);

  g_signal_connect_object (session, "notify::banner", G_CALLBACK (follow_banner), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::cut-notice", G_CALLBACK (follow_cut), self,
                           G_CONNECT_SWAPPED);
  g_object_bind_property (session, "show-baseline", self->baseline_toggle, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  follow_banner (self);
  follow_cut (self);
}

static void
atn_notices_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_NOTICES);
  G_OBJECT_CLASS (atn_notices_parent_class)->dispose (object);
}

static void
atn_notices_class_init (AtnNoticesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_notices_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_notices_bind;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/attnscope/Attnscope/ui/atn-notices.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnNotices, banner_revealer);
  gtk_widget_class_bind_template_child (widget_class, AtnNotices, banner_label);
  gtk_widget_class_bind_template_child (widget_class, AtnNotices, baseline_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnNotices, cut_revealer);
  gtk_widget_class_bind_template_child (widget_class, AtnNotices, cut_label);
}

static void
atn_notices_init (AtnNotices *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
