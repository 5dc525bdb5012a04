/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-heads-view.h"

#include "app/atn-figure-bar.h"
#include "app/atn-head-grid.h"
#include "app/atn-swatch.h"

#include <glib/gi18n.h>

struct _AtnHeadsView
{
  AtnView parent_instance;

  int hovered_layer;
  int hovered_head;

  /* Template children, in the order of atn-heads-view.ui */
  AtnHeadGrid *grid;
  GtkLabel *head_label;
  GtkLabel *stage_label;
  GtkWidget *legend_box;
  GtkLabel *low_label;
  GtkPicture *legend_picture;
  AtnFigureBar *bar;
};

G_DEFINE_FINAL_TYPE (AtnHeadsView, atn_heads_view, ATN_TYPE_VIEW)

static void
update_labels (AtnHeadsView *self)
{
  AtnSession *session = atn_view_get_session (self);
  bool is_hovered = self->hovered_layer >= 0;
  g_autofree char *name = atn_head_grid_dup_head_name (is_hovered ? (guint) self->hovered_layer
                                                                  : atn_session_get_layer (session),
                                                       is_hovered ? (guint) self->hovered_head
                                                                  : atn_session_get_head (session));
  g_autofree char *stage = NULL;

  /* Translators: a stage, such as softmax, and what it is */
  stage = g_strdup_printf (_ ("%s: %s"), atn_stage_get_title (atn_session_get_stage (session)),
                           atn_stage_get_explanation (atn_session_get_stage (session)));
  gtk_label_set_text (self->head_label, name);
  gtk_label_set_text (self->stage_label, stage);
}

/* What the colours of all heads mean: each has a range of its own, or all share one. */
static void
update_legend (AtnHeadsView *self)
{
  AtnSession *session = atn_view_get_session (self);
  bool is_signed = atn_stage_is_signed (atn_session_get_stage (session));
  bool is_log = atn_session_get_log_scale (session) && !is_signed;
  g_autoptr (GdkTexture) texture =
    atn_swatch_new_texture (atn_colormap_resolve (atn_session_get_colormap (session), is_signed));

  gtk_picture_set_paintable (self->legend_picture, GDK_PAINTABLE (texture));
  gtk_label_set_text (self->low_label, is_signed ? C_ ("colour bar", "−max")
                                                 : (is_log ? C_ ("colour bar", "min") : "0"));
  gtk_widget_set_tooltip_text (self->legend_box,
                               atn_session_get_range_mode (session) == ATN_RANGE_SHARED
                                 ? _ ("shared range")
                                 : _ ("each head has its own range"));
}

static void
hovered_cb (AtnHeadsView *self, int layer, int head)
{
  self->hovered_layer = layer;
  self->hovered_head = head;
  update_labels (self);
}

static void
activated_cb (AtnHeadsView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.view", "s", "stages");
}

static void
atn_heads_view_bind (AtnView *view, AtnSession *session)
{
  AtnHeadsView *self = ATN_HEADS_VIEW (view);
  const char *followed[] = { "notify::layer", "notify::head", "notify::stage" };
  const char *looks[] = { "notify::stage", "notify::colormap", "notify::range-mode",
                          "notify::log-scale" };

  for (gsize i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i], G_CALLBACK (update_labels), self,
                             G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    g_signal_connect_object (session, looks[i], G_CALLBACK (update_legend), self,
                             G_CONNECT_SWAPPED);
  g_object_set (self->grid, "session", session, NULL);
  g_object_set (self->bar, "session", session, NULL);
  update_labels (self);
  update_legend (self);
}

static gboolean
atn_heads_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_child_focus (GTK_WIDGET (ATN_HEADS_VIEW (widget)->grid), GTK_DIR_TAB_FORWARD);
}

static void
atn_heads_view_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_HEADS_VIEW);
  G_OBJECT_CLASS (atn_heads_view_parent_class)->dispose (object);
}

static void
atn_heads_view_class_init (AtnHeadsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (ATN_TYPE_FIGURE_BAR);
  g_type_ensure (ATN_TYPE_HEAD_GRID);
  G_OBJECT_CLASS (klass)->dispose = atn_heads_view_dispose;
  widget_class->grab_focus = atn_heads_view_grab_focus;
  ATN_VIEW_CLASS (klass)->bind = atn_heads_view_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-heads-view.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, grid);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, head_label);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, stage_label);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, legend_box);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, low_label);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, legend_picture);
  gtk_widget_class_bind_template_child (widget_class, AtnHeadsView, bar);
  gtk_widget_class_bind_template_callback (widget_class, hovered_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
atn_heads_view_init (AtnHeadsView *self)
{
  self->hovered_layer = -1;
  self->hovered_head = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  atn_figure_bar_set_head_grid (self->bar, self->grid);
}
