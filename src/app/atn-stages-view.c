/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-stages-view.h"

#include "app/atn-figure-bar.h"
#include "app/atn-measure.h"
#include "app/atn-reading.h"
#include "app/atn-stage-strip.h"

/* What the strip takes beside the heatmap or above it, about. */
#define STRIP_WIDTH 110
#define STRIP_HEIGHT 110
/* Narrower, the reading gets the line of the explanation as well. */
#define MIN_WIDTH_FOR_EXPLANATION 620

struct _AtnStagesView
{
  AtnView parent_instance;

  /* Template children, in the order of atn-stages-view.ui */
  GtkBox *pictures_box;
  AtnStageStrip *strip;
  GtkSeparator *separator;
  AtnFigureView *figure_view;
  GtkLabel *empty_label;
  GtkLabel *sentence_label;
  GtkLabel *explanation_label;
  AtnFigureBar *bar;
};

G_DEFINE_FINAL_TYPE (AtnStagesView, atn_stages_view, ATN_TYPE_VIEW)

static void
update_empty (AtnStagesView *self)
{
  AtnSession *session = atn_view_get_session (self);

  gtk_widget_set_visible (GTK_WIDGET (self->empty_label),
                          atn_figure_view_get_picture (self->figure_view) == NULL &&
                            atn_session_get_n_tokens (session) == 0 &&
                            !atn_session_is_busy (session));
}

static void
update_sentence (AtnStagesView *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnPicture *picture = atn_figure_view_get_picture (self->figure_view);
  g_autofree char *sentence = NULL;

  if (picture != NULL)
    sentence = atn_reading_dup_sentence (picture, atn_session_get_query (session),
                                         atn_session_get_key (session));
  gtk_label_set_text (self->sentence_label, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->sentence_label), sentence != NULL);
  gtk_label_set_text (self->explanation_label,
                      atn_stage_get_explanation (atn_session_get_stage (session)));
  update_empty (self);
}

/* Asked for, because setting a tooltip's text makes GTK ask the display server where the pointer
 * is, and wait: too long for what changes with each key. */
static gboolean
query_tooltip_cb (GtkWidget *label,
                  int x,
                  int y,
                  gboolean is_keyboard,
                  GtkTooltip *tooltip,
                  gpointer user_data)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

static void
atn_stages_view_bind (AtnView *view, AtnSession *session)
{
  AtnStagesView *self = ATN_STAGES_VIEW (view);
  const char *followed[] = { "notify::query", "notify::key", "notify::stage" };

  for (gsize i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i], G_CALLBACK (update_sentence), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::busy", G_CALLBACK (update_empty), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "result-changed", G_CALLBACK (update_empty), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figure_view, "picture-changed", G_CALLBACK (update_sentence), self,
                           G_CONNECT_SWAPPED);
  /* First, so that it is first to ask when there is a new result. */
  g_object_set (self->figure_view, "session", session, NULL);
  g_object_set (self->strip, "session", session, NULL);
  g_object_set (self->bar, "session", session, NULL);
  update_sentence (self);
}

static void
atn_stages_view_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
atn_stages_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  AtnStagesView *self = ATN_STAGES_VIEW (widget);
  bool is_wide = MIN (width - STRIP_WIDTH, height) >= MIN (width, height - STRIP_HEIGHT);
  bool has_room = width >= MIN_WIDTH_FOR_EXPLANATION;

  atn_stage_strip_set_orientation (self->strip,
                                   is_wide ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->pictures_box),
                                  is_wide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->separator),
                                  is_wide ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (GTK_WIDGET (self->explanation_label), has_room);
  gtk_label_set_lines (self->sentence_label, has_room ? 1 : 2);
  gtk_widget_size_allocate (gtk_widget_get_first_child (widget),
                            &(GtkAllocation){ 0, 0, width, height }, baseline);
}

static gboolean
atn_stages_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (ATN_STAGES_VIEW (widget)->figure_view));
}

static void
atn_stages_view_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_STAGES_VIEW);
  G_OBJECT_CLASS (atn_stages_view_parent_class)->dispose (object);
}

static void
atn_stages_view_class_init (AtnStagesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (ATN_TYPE_STAGE_STRIP);
  g_type_ensure (ATN_TYPE_FIGURE_VIEW);
  g_type_ensure (ATN_TYPE_FIGURE_BAR);
  G_OBJECT_CLASS (klass)->dispose = atn_stages_view_dispose;
  widget_class->measure = atn_stages_view_measure;
  widget_class->size_allocate = atn_stages_view_size_allocate;
  widget_class->grab_focus = atn_stages_view_grab_focus;
  ATN_VIEW_CLASS (klass)->bind = atn_stages_view_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-stages-view.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, pictures_box);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, strip);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, separator);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, figure_view);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, empty_label);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, sentence_label);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, explanation_label);
  gtk_widget_class_bind_template_child (widget_class, AtnStagesView, bar);
  gtk_widget_class_bind_template_callback (widget_class, query_tooltip_cb);
}

static void
atn_stages_view_init (AtnStagesView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  atn_figure_bar_set_figure_view (self->bar, self->figure_view);
}

AtnFigureView *
atn_stages_view_get_figure_view (AtnStagesView *self)
{
  g_return_val_if_fail (ATN_IS_STAGES_VIEW (self), NULL);
  return self->figure_view;
}
