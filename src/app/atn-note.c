/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-note.h"

#include "app/atn-format.h"

struct _AtnNote
{
  AtnView parent_instance;

  GtkLabel *note_label;
};

G_DEFINE_FINAL_TYPE (AtnNote, atn_note, ATN_TYPE_VIEW)

/* A note speaks of the model as it was trained, and of one head. */
static void
follow_note (AtnNote *self)
{
  AtnSession *session = atn_view_get_session (self);
  const char *note = atn_session_get_note (session);
  bool is_true = note != NULL && atn_session_get_banner (session) == NULL;
  g_autofree char *wrappable = is_true ? atn_format_dup_wrappable (note) : NULL;

  gtk_label_set_label (self->note_label, is_true ? wrappable : "");
  gtk_widget_set_visible (GTK_WIDGET (self), is_true);
}

static void
atn_note_bind (AtnView *view, AtnSession *session)
{
  g_signal_connect_object (session, "notify::note", G_CALLBACK (follow_note), view,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::banner", G_CALLBACK (follow_note), view,
                           G_CONNECT_SWAPPED);
  follow_note (ATN_NOTE (view));
}

static void
atn_note_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_NOTE);
  G_OBJECT_CLASS (atn_note_parent_class)->dispose (object);
}

static void
atn_note_class_init (AtnNoteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_note_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_note_bind;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/attnscope/Attnscope/ui/atn-note.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnNote, note_label);
}

static void
atn_note_init (AtnNote *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
