/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-token-bar.h"

#include "app/atn-token-flow.h"

/* Two lines are shown whole; of more, so many and a peek at the next. */
#define MAX_LINES 2
/* Of the next line, to tell that there is one: scroll bars hide. */
#define PEEK 12

struct _AtnTokenBar
{
  AtnView parent_instance;

  GtkScrolledWindow *scroller;
  AtnTokenFlow *flow;
  guint height_idle;
  int max_lines;
};

G_DEFINE_FINAL_TYPE (AtnTokenBar, atn_token_bar, ATN_TYPE_VIEW)

/* A scrolled window does not ask its child for the height that goes with a width, so it is told,
 * once the width is there. */
static gboolean
adapt_height_cb (gpointer user_data)
{
  AtnTokenBar *self = user_data;
  int height = atn_token_flow_get_height (self->flow, MAX_LINES);
  bool has_more = atn_token_flow_get_height (self->flow, G_MAXINT16) > height;

  if (has_more)
    height = atn_token_flow_get_height (self->flow, self->max_lines);
  self->height_idle = 0;
  /* A scroll bar that is never needed would still ask for its own height. */
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER,
                                  has_more ? GTK_POLICY_AUTOMATIC : GTK_POLICY_EXTERNAL);
  gtk_widget_set_size_request (GTK_WIDGET (self->scroller), -1, has_more ? height + PEEK : height);
  return G_SOURCE_REMOVE;
}

static void
height_changed_cb (AtnTokenFlow *flow, gpointer user_data)
{
  AtnTokenBar *self = user_data;

  if (self->height_idle == 0)
    self->height_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, adapt_height_cb, self, NULL);
}

static void
follow_result (AtnTokenBar *self)
{
  AtnResult *result = atn_session_get_result (atn_view_get_session (self));

  if (result != NULL)
    atn_token_flow_set_tokens (self->flow, result->tokens);
}

static void
follow_cell (AtnTokenBar *self)
{
  AtnSession *session = atn_view_get_session (self);

  atn_token_flow_set_query (self->flow, atn_session_get_query (session),
                            atn_session_get_pinned (session));
  atn_token_flow_set_key (self->flow, atn_session_get_key (session));
}

static void
atn_token_bar_bind (AtnView *view, AtnSession *session)
{
  AtnTokenBar *self = ATN_TOKEN_BAR (view);
  const char *cell_signals[] = { "notify::query", "notify::key", "notify::pinned" };

  g_signal_connect_object (session, "result-changed", G_CALLBACK (follow_result), self,
                           G_CONNECT_SWAPPED);
  for (size_t i = 0; i < G_N_ELEMENTS (cell_signals); i++)
    g_signal_connect_object (session, cell_signals[i], G_CALLBACK (follow_cell), self,
                             G_CONNECT_SWAPPED);
  follow_result (self);
  follow_cell (self);
}

/* A click pins the token as query and keeps the key; a click on the pinned one lets it go. */
static void
token_activated_cb (AtnTokenFlow *flow, int index, gpointer user_data)
{
  AtnSession *session = atn_view_get_session (user_data);
  int key = atn_session_get_pinned (session) ? atn_session_get_key (session) : -1;

  if (atn_session_get_pinned (session) && atn_session_get_query (session) == index)
    atn_session_pin_cell (session, -1, -1);
  else
    atn_session_pin_cell (session, index, key);
}

static void
scrolled_cb (GtkAdjustment *adjustment, gpointer user_data)
{
  gtk_widget_queue_draw (GTK_WIDGET (ATN_TOKEN_BAR (user_data)->flow));
}

static void
atn_token_bar_dispose (GObject *object)
{
  g_clear_handle_id (&ATN_TOKEN_BAR (object)->height_idle, g_source_remove);
  G_OBJECT_CLASS (atn_token_bar_parent_class)->dispose (object);
}

static void
atn_token_bar_class_init (AtnTokenBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_token_bar_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_token_bar_bind;
  g_type_ensure (ATN_TYPE_TOKEN_FLOW);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-token-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnTokenBar, scroller);
  gtk_widget_class_bind_template_child (widget_class, AtnTokenBar, flow);
  gtk_widget_class_bind_template_callback (widget_class, token_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, height_changed_cb);
}

static void
atn_token_bar_init (AtnTokenBar *self)
{
  self->max_lines = MAX_LINES;
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed",
                           G_CALLBACK (scrolled_cb), self, 0);
}

void
atn_token_bar_set_max_lines (AtnTokenBar *self, int max_lines)
{
  g_return_if_fail (ATN_IS_TOKEN_BAR (self));

  if (self->max_lines == max_lines)
    return;
  self->max_lines = max_lines;
  height_changed_cb (self->flow, self);
}
