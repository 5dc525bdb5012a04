/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-figure-view-private.h"

#include "app/atn-measure.h"
#include "app/atn-reading.h"

#include <glib/gi18n.h>

/* A screen reader is told at most this often. */
#define DESCRIPTION_DELAY_MS 60

G_DEFINE_FINAL_TYPE (AtnFigureView, atn_figure_view, ATN_TYPE_VIEW)

enum
{
  PROP_0,
  PROP_SHOW_NUMBERS,
  N_PROPS
};

enum
{
  SIGNAL_PICTURE_CHANGED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* One picture to draw. */
typedef struct
{
  AtnPictureRequest request; /* result and figure are owned here */
  double zoom;
  double first_row;
  double first_col;
  AtnAnchor anchor;
  AtnPicture *picture; /* (nullable): the outcome */
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;

  atn_result_unref (job->request.result);
  g_clear_pointer (&job->request.figure, atn_figure_unref);
  g_clear_pointer (&job->picture, atn_picture_unref);
  g_free (job);
}

/* Margins depend on the labels in view, so the matrix may have moved under the anchor. */
static void
move_to_anchor (Job *job, double cell)
{
  AtnPictureRequest *request = &job->request;
  AtnPanelBox box;

  atn_figure_get_boxes (request->figure, request->width, request->height, &request->viewport, &box);
  request->viewport.first_row = job->anchor.row - (job->anchor.y - box.y) / cell;
  request->viewport.first_col = job->anchor.col - (job->anchor.x - box.x) / cell;
  atn_figure_fit_viewport (request->figure, request->width, request->height, cell,
                           &request->viewport);
}

static void
choose_viewport (Job *job)
{
  AtnPictureRequest *request = &job->request;
  double zoom = MIN (job->zoom, atn_figure_view_get_max_zoom (request->figure));
  double cell = zoom * atn_figure_get_cell_size (request->figure, request->width, request->height);

  request->has_viewport = zoom > 1.0 && cell > 0.0;
  if (!request->has_viewport)
    return;
  request->viewport = (AtnViewport){ .first_row = job->first_row, .first_col = job->first_col };
  atn_figure_fit_viewport (request->figure, request->width, request->height, cell,
                           &request->viewport);
  if (job->anchor.is_set)
    move_to_anchor (job, cell);
}

static void
run_job (gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  AtnPictureRequest *request = &job->request;

  if (request->figure == NULL)
    request->figure = atn_figure_build (request->result, &request->options, cancellable, NULL);
  if (request->figure == NULL)
    return;
  choose_viewport (job);
  job->picture = atn_picture_new (request, cancellable, NULL);
}

static void
set_picture (AtnFigureView *self, AtnPicture *picture)
{
  g_clear_pointer (&self->picture, atn_picture_unref);
  self->picture = picture;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_PICTURE_CHANGED], 0);
}

static void queue_description (AtnFigureView *self);

static void
job_done_cb (gpointer data, gpointer user_data)
{
  AtnFigureView *self = user_data;
  AtnSession *session = atn_view_get_session (self);
  Job *job = data;

  if (job->picture == NULL)
    return;
  if (!atn_lane_is_busy (self->lane)) {
    bool has_viewport = job->picture->has_viewport;

    self->anchor.is_set = false;
    self->first_row = has_viewport ? job->picture->viewport.first_row : 0.0;
    self->first_col = has_viewport ? job->picture->viewport.first_col : 0.0;
  }
  set_picture (self, g_steal_pointer (&job->picture));
  queue_description (self);
  if (self->picture->result == atn_session_get_result (session) && !atn_session_is_busy (session))
    atn_measure_picture ();
}

static bool
is_same_color (const AtnColor *a, const AtnColor *b)
{
  return a->red == b->red && a->green == b->green && a->blue == b->blue;
}

static bool
is_same_style (const AtnPlotStyle *a, const AtnPlotStyle *b)
{
  return is_same_color (&a->background, &b->background) &&
         is_same_color (&a->foreground, &b->foreground) && is_same_color (&a->masked, &b->masked) &&
         a->colormap == b->colormap && a->font_size == b->font_size &&
         a->show_numbers == b->show_numbers;
}

/* Whether the figure on screen holds what is asked for, so that only its size or part differs. */
static bool
can_reuse_figure (const AtnPicture *picture, const AtnResult *result, const AtnFigureOptions *b)
{
  const AtnFigureOptions *a;

  if (picture == NULL || picture->result != result)
    return false;
  a = &picture->options;
  return a->layer == b->layer && a->head == b->head && a->stage == b->stage &&
         a->range_mode == b->range_mode && a->is_log == b->is_log && a->baseline == b->baseline &&
         is_same_style (&a->style, &b->style);
}

static void
fill_job (AtnFigureView *self, Job *job, AtnResult *result)
{
  AtnSession *session = atn_view_get_session (self);
  AtnPictureRequest *request = &job->request;

  request->result = atn_result_ref (result);
  atn_session_fill_figure_options (session, &request->options);
  atn_picture_style_init (&request->options.style, GTK_WIDGET (self),
                          atn_session_get_text_scale (session));
  request->options.style.show_numbers = self->show_numbers;
  request->width = gtk_widget_get_width (GTK_WIDGET (self));
  request->height = gtk_widget_get_height (GTK_WIDGET (self));
  request->scale_factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  if (can_reuse_figure (self->picture, result, &request->options))
    request->figure = atn_figure_ref (self->picture->figure);
  job->zoom = atn_session_get_zoom (session);
  job->first_row = self->first_row;
  job->first_col = self->first_col;
  job->anchor = self->anchor;
}

void
atn_figure_view_queue_picture (AtnFigureView *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnResult *result = session != NULL ? atn_session_get_result (session) : NULL;
  Job *job;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || gtk_widget_get_width (GTK_WIDGET (self)) < 2)
    return;
  if (result == NULL || result->trace == NULL) {
    atn_lane_cancel (self->lane);
    set_picture (self, NULL);
    queue_description (self);
    return;
  }
  if (result->model != atn_session_get_model (session))
    return;
  job = g_new0 (Job, 1);
  fill_job (self, job, result);
  atn_lane_push (self->lane, &(AtnWork){ .data = job,
                                         .run = run_job,
                                         .done = job_done_cb,
                                         .free_data = free_job,
                                         .user_data = self });
}

static gboolean
update_description_cb (gpointer user_data)
{
  AtnFigureView *self = user_data;
  AtnSession *session = atn_view_get_session (self);
  g_autofree char *text = NULL;

  self->description_source = 0;
  if (self->picture != NULL)
    text = atn_reading_dup_cell (self->picture, atn_session_get_query (session),
                                 atn_session_get_key (session));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : "", -1);
  return G_SOURCE_REMOVE;
}

static void
queue_description (AtnFigureView *self)
{
  if (self->description_source == 0)
    self->description_source = g_timeout_add (DESCRIPTION_DELAY_MS, update_description_cb, self);
}

static void
cell_changed_cb (AtnFigureView *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  queue_description (self);
}

static void
model_changed_cb (AtnFigureView *self)
{
  self->first_row = self->first_col = 0.0;
  atn_session_set_zoom (atn_view_get_session (self), 1.0);
}

static void
atn_figure_view_bind (AtnView *view, AtnSession *session)
{
  const char *redraw[] = { "result-changed",       "notify::layer",    "notify::head",
                           "notify::stage",        "notify::colormap", "notify::range-mode",
                           "notify::log-scale",    "notify::zoom",     "notify::text-scale",
                           "notify::show-baseline" };
  const char *cell[] = { "notify::query", "notify::key", "notify::pinned" };

  for (gsize i = 0; i < G_N_ELEMENTS (redraw); i++)
    g_signal_connect_object (session, redraw[i], G_CALLBACK (atn_figure_view_queue_picture), view,
                             G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (cell); i++)
    g_signal_connect_object (session, cell[i], G_CALLBACK (cell_changed_cb), view,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "model-changed", G_CALLBACK (model_changed_cb), view,
                           G_CONNECT_SWAPPED);
  atn_figure_view_queue_picture (ATN_FIGURE_VIEW (view));
}

static void
atn_figure_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  AtnFigureView *self = ATN_FIGURE_VIEW (widget);
  gint64 start = atn_measure_begin ();

  if (self->picture != NULL) {
    atn_picture_snapshot_texture (self->picture->texture, widget, snapshot,
                                  &GRAPHENE_RECT_INIT (0.0f, 0.0f, (float) self->picture->width,
                                                       (float) self->picture->height));
    atn_figure_view_snapshot_overlay (self, snapshot);
  }
  atn_measure_end ("figure-view", start);
}

static void
atn_figure_view_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  *minimum = 160;
  *natural = 480;
  *minimum_baseline = *natural_baseline = -1;
}

static void
atn_figure_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  atn_figure_view_queue_picture (ATN_FIGURE_VIEW (widget));
}

static void
atn_figure_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (atn_figure_view_parent_class)->map (widget);
  atn_figure_view_queue_picture (ATN_FIGURE_VIEW (widget));
}

static void
atn_figure_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (atn_figure_view_parent_class)->css_changed (widget, change);
  atn_figure_view_queue_picture (ATN_FIGURE_VIEW (widget));
}

static void
atn_figure_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_SHOW_NUMBERS)
    g_value_set_boolean (value, atn_figure_view_get_show_numbers (ATN_FIGURE_VIEW (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
atn_figure_view_set_property (GObject *object,
                              guint property_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  if (property_id == PROP_SHOW_NUMBERS)
    atn_figure_view_set_show_numbers (ATN_FIGURE_VIEW (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
atn_figure_view_dispose (GObject *object)
{
  AtnFigureView *self = ATN_FIGURE_VIEW (object);

  g_clear_handle_id (&self->description_source, g_source_remove);
  g_clear_pointer (&self->lane, atn_lane_free);
  g_clear_pointer (&self->picture, atn_picture_unref);
  G_OBJECT_CLASS (atn_figure_view_parent_class)->dispose (object);
}

static void
atn_figure_view_class_init (AtnFigureViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = atn_figure_view_get_property;
  object_class->set_property = atn_figure_view_set_property;
  object_class->dispose = atn_figure_view_dispose;
  widget_class->snapshot = atn_figure_view_snapshot;
  widget_class->measure = atn_figure_view_measure;
  widget_class->size_allocate = atn_figure_view_size_allocate;
  widget_class->map = atn_figure_view_map;
  widget_class->css_changed = atn_figure_view_css_changed;
  ATN_VIEW_CLASS (klass)->bind = atn_figure_view_bind;

  properties[PROP_SHOW_NUMBERS] =
    g_param_spec_boolean ("show-numbers", NULL, NULL, TRUE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SIGNAL_PICTURE_CHANGED] =
    g_signal_new ("picture-changed", ATN_TYPE_FIGURE_VIEW, 0, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  atn_figure_view_install_input (widget_class);
  gtk_widget_class_set_css_name (widget_class, "figureview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
atn_figure_view_init (AtnFigureView *self)
{
  self->show_numbers = true;
  self->lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_PICTURE);
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Heatmap"), -1);
  atn_figure_view_init_input (self);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (atn_figure_view_queue_picture), NULL);
}

AtnPicture *
atn_figure_view_get_picture (AtnFigureView *self)
{
  g_return_val_if_fail (ATN_IS_FIGURE_VIEW (self), NULL);
  return self->picture;
}

bool
atn_figure_view_is_busy (AtnFigureView *self)
{
  g_return_val_if_fail (ATN_IS_FIGURE_VIEW (self), false);
  return atn_lane_is_busy (self->lane);
}

bool
atn_figure_view_get_show_numbers (AtnFigureView *self)
{
  g_return_val_if_fail (ATN_IS_FIGURE_VIEW (self), false);
  return self->show_numbers;
}

void
atn_figure_view_set_show_numbers (AtnFigureView *self, bool show_numbers)
{
  g_return_if_fail (ATN_IS_FIGURE_VIEW (self));

  if (self->show_numbers == show_numbers)
    return;
  self->show_numbers = show_numbers;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_NUMBERS]);
  atn_figure_view_queue_picture (self);
}
