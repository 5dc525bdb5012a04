/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-stage-strip.h"

#include "app/atn-compute.h"
#include "app/atn-measure.h"
#include "app/atn-miniature.h"
#include "app/atn-picture.h"

#include <glib/gi18n.h>

/* Of a miniature, in pixels of the window. */
#define MIN_SIZE 36
#define MAX_SIZE 96
/* What a button and the gap after it take beside the miniature: down without the title, across
 * with the arrow. */
#define EXTRA_DOWN 12
#define EXTRA_ACROSS 40
/* Cells a side from where matrices are pooled: as many as a screen of double density shows. */
#define MAX_CELLS (2 * MAX_SIZE)

typedef struct
{
  AtnStage stage;
  GtkWidget *toggle;
  GtkWidget *miniature;
  GtkWidget *label;
  GtkWidget *arrow; /* (nullable): towards the next */
} Item;

struct _AtnStageStrip
{
  AtnView parent_instance;

  AtnLane *lane;
  GtkOrientation orientation;
  int size;
  Item items[ATN_N_STAGES];
  guint n_items;
  bool is_updating;
  guint resize_source;

  /* Template children, in the order of atn-stage-strip.ui */
  GtkBox *box;
};

G_DEFINE_FINAL_TYPE (AtnStageStrip, atn_stage_strip, ATN_TYPE_VIEW)

typedef struct
{
  AtnResult *result;
  AtnFigureOptions options;
  int size;
  int scale_factor;
  guint n_panels;
  char *titles[ATN_N_STAGES];
  GdkTexture *textures[ATN_N_STAGES];
  AtnPanelBox boxes[ATN_N_STAGES];
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;

  for (guint i = 0; i < job->n_panels; i++) {
    g_free (job->titles[i]);
    g_clear_object (&job->textures[i]);
  }
  atn_result_unref (job->result);
  g_free (job);
}

static void
run_job (gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (AtnFigure) figure = atn_figure_build (job->result, &job->options, cancellable, NULL);

  if (figure == NULL)
    return;
  for (size_t i = 0; i < MIN (figure->n_panels, ATN_N_STAGES); i++) {
    if (g_cancellable_is_cancelled (cancellable))
      return;
    job->titles[i] = g_strdup (figure->panels[i].title);
    job->textures[i] = atn_miniature_render (&figure->panels[i], &figure->style, job->size,
                                             job->scale_factor, &job->boxes[i]);
    job->n_panels++;
  }
}

static void
update_cursor (AtnStageStrip *self)
{
  AtnSession *session = atn_view_get_session (self);

  for (guint i = 0; i < self->n_items; i++)
    atn_miniature_set_cursor (ATN_MINIATURE (self->items[i].miniature),
                              atn_session_get_n_tokens (session), atn_session_get_query (session),
                              atn_session_get_key (session));
}

/* The title with the numbers that hold, which is also the button's name. */
static void
set_title (Item *item, const char *title)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (item->label)), title) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (item->label), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (item->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
}

static void
job_done_cb (gpointer data, gpointer user_data)
{
  AtnStageStrip *self = user_data;
  Job *job = data;

  if (job->n_panels != self->n_items)
    return;
  for (guint i = 0; i < job->n_panels; i++) {
    set_title (&self->items[i], job->titles[i]);
    atn_miniature_set_texture (ATN_MINIATURE (self->items[i].miniature), job->textures[i],
                               job->scale_factor, &job->boxes[i]);
  }
  update_cursor (self);
}

static void
queue_pictures (AtnStageStrip *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnResult *result = session != NULL ? atn_session_get_result (session) : NULL;
  Job *job;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || result == NULL || result->trace == NULL ||
      result->model != atn_session_get_model (session))
    return;
  job = g_new0 (Job, 1);
  job->result = atn_result_ref (result);
  atn_session_fill_figure_options (session, &job->options);
  job->options.kind = ATN_FIGURE_STRIP;
  job->options.max_thumbnail = MAX_CELLS;
  atn_picture_style_init (&job->options.style, GTK_WIDGET (self), 1.0);
  job->size = self->size;
  job->scale_factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  atn_lane_push (self->lane, &(AtnWork){ .data = job,
                                         .run = run_job,
                                         .done = job_done_cb,
                                         .free_data = free_job,
                                         .user_data = self });
}

static void
toggled_cb (AtnStageStrip *self, GtkToggleButton *toggle)
{
  if (self->is_updating || !gtk_toggle_button_get_active (toggle))
    return;
  for (guint i = 0; i < self->n_items; i++)
    if (self->items[i].toggle == GTK_WIDGET (toggle))
      atn_session_set_stage (atn_view_get_session (self), self->items[i].stage);
}

static void
update_chosen (AtnStageStrip *self)
{
  AtnStage stage = atn_session_get_stage (atn_view_get_session (self));

  self->is_updating = true;
  for (guint i = 0; i < self->n_items; i++)
    if (self->items[i].stage == stage)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->items[i].toggle), TRUE);
  self->is_updating = false;
}

/* Downwards the order is plain, and height is dear. */
static void
orient_item (AtnStageStrip *self, Item *item)
{
  if (item->arrow != NULL)
    gtk_widget_set_visible (item->arrow, self->orientation == GTK_ORIENTATION_HORIZONTAL);
}

static void
append_item (AtnStageStrip *self, AtnStage stage, bool is_last)
{
  Item *item = &self->items[self->n_items++];
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  *item = (Item){ .stage = stage,
                  .toggle = gtk_toggle_button_new (),
                  .miniature = atn_miniature_new (self->size),
                  .label = gtk_label_new (atn_stage_get_title (stage)) };
  gtk_widget_set_halign (item->miniature, GTK_ALIGN_CENTER);
  gtk_label_set_ellipsize (GTK_LABEL (item->label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (item->label), 6);
  gtk_widget_add_css_class (item->label, "caption");
  gtk_widget_add_css_class (item->label, "formula");
  gtk_box_append (GTK_BOX (box), item->miniature);
  gtk_box_append (GTK_BOX (box), item->label);
  gtk_button_set_child (GTK_BUTTON (item->toggle), box);
  gtk_widget_add_css_class (item->toggle, "flat");
  gtk_widget_add_css_class (item->toggle, "thumbnail");
  gtk_widget_set_tooltip_text (item->toggle, atn_stage_get_explanation (stage));
  gtk_accessible_update_property (GTK_ACCESSIBLE (item->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  atn_stage_get_title (stage), -1);
  if (self->n_items > 1)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (item->toggle),
                                 GTK_TOGGLE_BUTTON (self->items[0].toggle));
  g_signal_connect_swapped (item->toggle, "toggled", G_CALLBACK (toggled_cb), self);
  gtk_box_append (self->box, item->toggle);
  if (!is_last) {
    item->arrow = gtk_label_new ("→");
    gtk_widget_add_css_class (item->arrow, "dim-label");
    gtk_box_append (self->box, item->arrow);
  }
  orient_item (self, item);
}

static void
remove_items (AtnStageStrip *self)
{
  for (guint i = 0; i < self->n_items; i++) {
    gtk_box_remove (self->box, self->items[i].toggle);
    if (self->items[i].arrow != NULL)
      gtk_box_remove (self->box, self->items[i].arrow);
  }
  self->n_items = 0;
}

static guint
list_stages (AtnSession *session, AtnStage *stages)
{
  AtnModel *model = atn_session_get_model (session);
  const AtnWhatIf as_trained = { 0 };
  const AtnWhatIf *what_if =
    atn_session_get_show_baseline (session) ? &as_trained : atn_session_get_what_if (session);
  guint n_stages = 0;

  for (int i = 0; model != NULL && i < ATN_N_STAGES; i++)
    if (atn_stage_is_present ((AtnStage) i, atn_model_get_config (model), what_if))
      stages[n_stages++] = (AtnStage) i;
  return n_stages;
}

static int
get_title_height (AtnStageStrip *self)
{
  int height = 0;

  if (self->n_items > 0)
    gtk_widget_measure (self->items[0].label, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL,
                        NULL);
  return height;
}

static int
fit_size (AtnStageStrip *self, int width, int height)
{
  int n = (int) MAX (self->n_items, 1);
  int room = self->orientation == GTK_ORIENTATION_VERTICAL
               ? height / n - get_title_height (self) - EXTRA_DOWN
               : width / n - EXTRA_ACROSS;

  return CLAMP (room, MIN_SIZE, MAX_SIZE);
}

static gboolean
resize_cb (gpointer user_data)
{
  AtnStageStrip *self = user_data;

  self->resize_source = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

static void
update_size (AtnStageStrip *self)
{
  int size = fit_size (self, gtk_widget_get_width (GTK_WIDGET (self)),
                       gtk_widget_get_height (GTK_WIDGET (self)));

  if (size == self->size)
    return;
  self->size = size;
  for (guint i = 0; i < self->n_items; i++)
    atn_miniature_set_size (ATN_MINIATURE (self->items[i].miniature), size);
  /* The breadth that was asked for is that of the old size; while sizes are being given, asking
   * again would be forgotten. */
  if (self->resize_source == 0)
    self->resize_source = g_idle_add_full (G_PRIORITY_DEFAULT, resize_cb, self, NULL);
  queue_pictures (self);
}

/* Another model or setting may have other stages. */
static void
update_items (AtnStageStrip *self)
{
  AtnStage stages[ATN_N_STAGES];
  guint n_stages = list_stages (atn_view_get_session (self), stages);
  bool is_same = n_stages == self->n_items;

  for (guint i = 0; is_same && i < n_stages; i++)
    is_same = stages[i] == self->items[i].stage;
  if (!is_same) {
    self->is_updating = true;
    remove_items (self);
    for (guint i = 0; i < n_stages; i++)
      append_item (self, stages[i], i + 1 == n_stages);
    self->is_updating = false;
    update_chosen (self);
  }
  queue_pictures (self);
}

static void
result_changed_cb (AtnStageStrip *self)
{
  if (atn_session_get_n_tokens (atn_view_get_session (self)) == 0) {
    atn_lane_cancel (self->lane);
    for (guint i = 0; i < self->n_items; i++)
      atn_miniature_set_texture (ATN_MINIATURE (self->items[i].miniature), NULL, 1, NULL);
  }
  update_items (self);
}

static void
atn_stage_strip_bind (AtnView *view, AtnSession *session)
{
  const struct
  {
    const char *signal;
    GCallback callback;
  } followed[] = {
    { "model-changed", G_CALLBACK (update_items) },
    { "result-changed", G_CALLBACK (result_changed_cb) },
    { "notify::show-baseline", G_CALLBACK (update_items) },
    { "notify::layer", G_CALLBACK (queue_pictures) },
    { "notify::head", G_CALLBACK (queue_pictures) },
    { "notify::colormap", G_CALLBACK (queue_pictures) },
    { "notify::range-mode", G_CALLBACK (queue_pictures) },
    { "notify::log-scale", G_CALLBACK (queue_pictures) },
    { "notify::stage", G_CALLBACK (update_chosen) },
    { "notify::query", G_CALLBACK (update_cursor) },
    { "notify::key", G_CALLBACK (update_cursor) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i].signal, followed[i].callback, view,
                             G_CONNECT_SWAPPED);
  update_items (ATN_STAGE_STRIP (view));
}

static void
atn_stage_strip_measure (GtkWidget *widget,
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
atn_stage_strip_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_size (ATN_STAGE_STRIP (widget));
  gtk_widget_size_allocate (gtk_widget_get_first_child (widget),
                            &(GtkAllocation){ 0, 0, width, height }, baseline);
}

static void
atn_stage_strip_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (atn_stage_strip_parent_class)->map (widget);
  queue_pictures (ATN_STAGE_STRIP (widget));
}

static void
atn_stage_strip_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (atn_stage_strip_parent_class)->css_changed (widget, change);
  queue_pictures (ATN_STAGE_STRIP (widget));
}

static void
atn_stage_strip_dispose (GObject *object)
{
  AtnStageStrip *self = ATN_STAGE_STRIP (object);

  g_clear_handle_id (&self->resize_source, g_source_remove);
  g_clear_pointer (&self->lane, atn_lane_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), ATN_TYPE_STAGE_STRIP);
  G_OBJECT_CLASS (atn_stage_strip_parent_class)->dispose (object);
}

static void
atn_stage_strip_class_init (AtnStageStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_stage_strip_dispose;
  widget_class->measure = atn_stage_strip_measure;
  widget_class->size_allocate = atn_stage_strip_size_allocate;
  widget_class->map = atn_stage_strip_map;
  widget_class->css_changed = atn_stage_strip_css_changed;
  ATN_VIEW_CLASS (klass)->bind = atn_stage_strip_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-stage-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnStageStrip, box);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_RADIO_GROUP);
}

static void
atn_stage_strip_init (AtnStageStrip *self)
{
  self->size = MAX_SIZE;
  self->orientation = GTK_ORIENTATION_HORIZONTAL;
  self->lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_DETAIL);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Stage"),
                                  -1);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (queue_pictures), NULL);
}

void
atn_stage_strip_set_orientation (AtnStageStrip *self, GtkOrientation orientation)
{
  bool is_down = orientation == GTK_ORIENTATION_VERTICAL;

  g_return_if_fail (ATN_IS_STAGE_STRIP (self));

  if (self->orientation == orientation)
    return;
  self->orientation = orientation;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->box), orientation);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (adw_bin_get_child (ADW_BIN (self))),
                                  is_down ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC,
                                  is_down ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  for (guint i = 0; i < self->n_items; i++)
    orient_item (self, &self->items[i]);
}
