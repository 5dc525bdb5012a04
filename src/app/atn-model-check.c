/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-model-check.h"

#include "analysis/atn-self-check.h"
#include "app/atn-compute.h"

#include <glib/gi18n.h>

#define PROGRESS_INTERVAL_MS 50

/* What both threads see. */
typedef struct
{
  gatomicrefcount ref_count;
  AtnCompute *compute;
  AtnModel *model;
  gint permille;       /* atomic */
  AtnSelfCheck *check; /* (nullable): written by the compute thread before it is done */
} Work;

struct _AtnModelCheck
{
  AdwWindow parent_instance;

  AtnLane *lane;
  Work *work;
  guint timer;

  /* Template children, in the order of atn-model-check.ui */
  AdwWindowTitle *window_title;
  GtkLabel *verdict_label;
  GtkProgressBar *progress_bar;
  GtkListBox *lines_box;
};

G_DEFINE_FINAL_TYPE (AtnModelCheck, atn_model_check, ADW_TYPE_WINDOW)

static void
work_unref (gpointer data)
{
  Work *work = data;

  if (!g_atomic_ref_count_dec (&work->ref_count))
    return;
  g_clear_pointer (&work->check, atn_self_check_free);
  atn_model_unref (work->model);
  g_free (work);
}

/* Between two tensors, layers or heads: a sentence that was typed meanwhile is drawn. */
static void
progress_cb (double fraction, gpointer user_data)
{
  Work *work = user_data;

  atn_compute_yield (work->compute);
  g_atomic_int_set (&work->permille, (gint) (CLAMP (fraction, 0.0, 1.0) * 1000.0));
}

static void
run_check (gpointer data, GCancellable *cancellable)
{
  Work *work = data;

  work->check = atn_self_check_run (work->model, progress_cb, work, cancellable, NULL);
}

static void
append_line (AtnModelCheck *self, AtnSelfCheckKind kind, const AtnSelfCheckLine *line)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (line->passed ? "object-select-symbolic"
                                                               : "dialog-warning-symbolic");

  gtk_widget_add_css_class (icon, line->passed ? "success" : "error");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), atn_self_check_get_title (kind));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), line->sentence);
  gtk_list_box_append (self->lines_box, row);
}

static void
done_cb (gpointer data, gpointer user_data)
{
  AtnModelCheck *self = user_data;
  const Work *work = data;

  g_clear_handle_id (&self->timer, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), FALSE);
  if (work->check == NULL)
    return;
  for (int kind = 0; kind < ATN_N_SELF_CHECKS; kind++)
    append_line (self, (AtnSelfCheckKind) kind, &work->check->lines[kind]);
  gtk_widget_set_visible (GTK_WIDGET (self->lines_box), TRUE);
  gtk_label_set_label (self->verdict_label, atn_self_check_has_passed (work->check)
                                              ? _ ("The model passes every check")
                                              : _ ("The model does not pass every check"));
}

static gboolean
progress_timer_cb (gpointer user_data)
{
  AtnModelCheck *self = user_data;

  gtk_progress_bar_set_fraction (self->progress_bar,
                                 (double) g_atomic_int_get (&self->work->permille) / 1000.0);
  return G_SOURCE_CONTINUE;
}

static void
start (AtnModelCheck *self, AtnModel *model)
{
  Work *work = g_new0 (Work, 1);

  g_atomic_ref_count_init (&work->ref_count);
  g_atomic_ref_count_inc (&work->ref_count);
  work->compute = atn_compute_get_default ();
  work->model = atn_model_ref (model);
  self->work = work;
  self->timer = g_timeout_add (PROGRESS_INTERVAL_MS, progress_timer_cb, self);
  gtk_label_set_label (self->verdict_label, _ ("The model is being checked…"));
  atn_lane_push (self->lane, &(AtnWork){ .data = work,
                                         .run = run_check,
                                         .done = done_cb,
                                         .free_data = work_unref,
                                         .user_data = self,
                                         .name = "model check" });
}

static void
atn_model_check_dispose (GObject *object)
{
  AtnModelCheck *self = ATN_MODEL_CHECK (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->lane, atn_lane_free);
  g_clear_pointer (&self->work, work_unref);
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_MODEL_CHECK);
  G_OBJECT_CLASS (atn_model_check_parent_class)->dispose (object);
}

static void
atn_model_check_class_init (AtnModelCheckClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_model_check_dispose;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-model-check.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnModelCheck, window_title);
  gtk_widget_class_bind_template_child (widget_class, AtnModelCheck, verdict_label);
  gtk_widget_class_bind_template_child (widget_class, AtnModelCheck, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, AtnModelCheck, lines_box);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
atn_model_check_init (AtnModelCheck *self)
{
  self->lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_LONG);
  gtk_widget_init_template (GTK_WIDGET (self));
}

AtnModelCheck *
atn_model_check_new (GtkWindow *parent, AtnModel *model)
{
  AtnModelCheck *self = g_object_new (ATN_TYPE_MODEL_CHECK, "transient-for", parent, NULL);

  adw_window_title_set_subtitle (self->window_title, atn_model_get_name (model));
  start (self, model);
  return self;
}
