/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One row for each predicted position. Rows and buttons are made once and
 * filled again, because they change with each key stroke.
 */

#include "app/atn-predictions-panel.h"

#include "app/atn-bar.h"
#include "app/atn-format.h"
#include "app/atn-measure.h"

#include <glib/gi18n.h>
#include <math.h>

#define N_BUTTONS 8
/* What a token and its probability need, and how it has moved, in pixels. */
#define BUTTON_WIDTH 132
#define CHANGE_WIDTH 56
#define TITLE_WIDTH 110
/* Of a row, whatever script its tokens are in: typing must not move what is above. */
#define ROW_HEIGHT 40
#define MAX_ROWS 8

typedef struct
{
  GtkWidget *button;
  GtkLabel *token;
  GtkLabel *percent;
  GtkLabel *change;
  AtnBar *bar;
  char *appendable; /* (nullable) */
} TokenButton;

typedef struct
{
  GtkWidget *box;
  GtkLabel *title;
  TokenButton tokens[N_BUTTONS];
} Row;

struct _AtnPredictionsPanel
{
  AtnView parent_instance;

  GPtrArray *rows;    /* (element-type Row) */
  int width;          /* for which tokens are shown */
  guint width_source; /* 0, or shows others */

  GtkBox *rows_box;
  GtkLabel *message_label;
};

G_DEFINE_FINAL_TYPE (AtnPredictionsPanel, atn_predictions_panel, ATN_TYPE_VIEW)

enum
{
  SIGNAL_APPEND,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
free_row (gpointer data)
{
  Row *row = data;

  for (int i = 0; i < N_BUTTONS; i++)
    g_free (row->tokens[i].appendable);
  g_free (row);
}

static void
token_clicked_cb (GtkButton *button, gpointer user_data)
{
  AtnPredictionsPanel *self = user_data;

  for (guint i = 0; i < self->rows->len; i++) {
    Row *row = g_ptr_array_index (self->rows, i);

    for (int j = 0; j < N_BUTTONS; j++)
      if (row->tokens[j].button == GTK_WIDGET (button) && row->tokens[j].appendable != NULL) {
        g_signal_emit (self, signals[SIGNAL_APPEND], 0, row->tokens[j].appendable);
        return;
      }
  }
}

static GtkLabel *
append_label (GtkBox *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (box, label);
  return GTK_LABEL (label);
}

static void
init_button (AtnPredictionsPanel *self, TokenButton *token)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  token->button = gtk_button_new ();
  gtk_widget_add_css_class (token->button, "flat");
  gtk_widget_add_css_class (token->button, "prediction");
  gtk_widget_set_tooltip_text (token->button, _ ("Append to the sentence"));
  token->token = append_label (GTK_BOX (line), NULL);
  gtk_label_set_ellipsize (token->token, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (token->token, 14);
  gtk_label_set_xalign (token->token, 0.0f);
  gtk_widget_set_hexpand (GTK_WIDGET (token->token), TRUE);
  token->change = append_label (GTK_BOX (line), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (token->change), "caption");
  token->percent = append_label (GTK_BOX (line), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (token->percent), "dim-label");
  token->bar = ATN_BAR (atn_bar_new ());
  gtk_box_append (GTK_BOX (column), line);
  gtk_box_append (GTK_BOX (column), GTK_WIDGET (token->bar));
  gtk_widget_set_valign (column, GTK_ALIGN_END);
  gtk_button_set_child (GTK_BUTTON (token->button), column);
  g_signal_connect_object (token->button, "clicked", G_CALLBACK (token_clicked_cb), self, 0);
}

static Row *
append_row (AtnPredictionsPanel *self)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  row->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_size_request (row->box, -1, ROW_HEIGHT);
  row->title = append_label (GTK_BOX (row->box), "dim-label");
  gtk_label_set_xalign (row->title, 0.0f);
  gtk_label_set_width_chars (row->title, 11);
  /* As wide as one another: the bars share one scale, and those of all rows stand in columns. */
  gtk_box_set_homogeneous (GTK_BOX (buttons), TRUE);
  gtk_widget_set_hexpand (buttons, TRUE);
  for (int i = 0; i < N_BUTTONS; i++) {
    init_button (self, &row->tokens[i]);
    gtk_box_append (GTK_BOX (buttons), row->tokens[i].button);
  }
  gtk_box_append (GTK_BOX (row->box), buttons);
  gtk_box_append (self->rows_box, row->box);
  g_ptr_array_add (self->rows, row);
  return row;
}

static char *
dup_change (double change)
{
  double percent = 100.0 * change;
  int digits = fabs (percent) >= 9.95 ? 0 : 1;

  /* Translators: by how many percentage points a probability has moved, with its sign */
  return g_strdup_printf (_ ("(%s%.*f %%)"), percent < 0.0 ? "−" : "+", digits, fabs (percent));
}

/* A token that can't be typed (half a character, a special one) is no button. */
static void
set_appendable (TokenButton *button, const char *appendable)
{
  bool can_append = appendable != NULL;

  if (can_append != gtk_widget_get_can_target (button->button)) {
    gtk_widget_set_can_target (button->button, can_append);
    gtk_widget_set_focusable (button->button, can_append);
    gtk_widget_set_tooltip_text (button->button, can_append ? _ ("Append to the sentence") : NULL);
  }
  g_free (button->appendable);
  button->appendable = g_strdup (appendable);
}

static void
fill_button (TokenButton *button, const AtnPredictedToken *token, bool has_baseline)
{
  g_autofree char *percent = atn_format_dup_percent (token->probability);
  g_autofree char *change = NULL;
  g_autofree char *name = NULL;
  double difference = token->probability - token->baseline;

  if (has_baseline && fabs (difference) >= 0.0005)
    change = dup_change (difference);
  gtk_label_set_label (button->token, token->label);
  gtk_label_set_label (button->percent, percent);
  gtk_label_set_label (button->change, change != NULL ? change : "");
  gtk_widget_set_visible (GTK_WIDGET (button->change), change != NULL);
  if (change != NULL) {
    gtk_widget_remove_css_class (GTK_WIDGET (button->change),
                                 difference < 0.0 ? "success" : "error");
    gtk_widget_add_css_class (GTK_WIDGET (button->change), difference < 0.0 ? "error" : "success");
  }
  atn_bar_set_fraction (button->bar, token->probability);
  set_appendable (button, token->appendable);
  name = change != NULL ? g_strdup_printf ("%s %s %s", token->label, percent, change)
                        : g_strdup_printf ("%s %s", token->label, percent);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

static guint
get_n_fitting (const AtnPredictionsPanel *self, bool has_baseline)
{
  int room = (self->width - TITLE_WIDTH) / (BUTTON_WIDTH + (has_baseline ? CHANGE_WIDTH : 0));

  return self->width > 0 ? (guint) CLAMP (room, 3, N_BUTTONS) : N_BUTTONS;
}

static void
fill_row (AtnPredictionsPanel *self,
          Row *row,
          const AtnPredictions *predictions,
          const AtnPredictedPosition *position)
{
  guint n_tokens = MIN (position->tokens->len, get_n_fitting (self, predictions->has_baseline));

  if (predictions->is_masked_lm) {
    /* Translators: a mask token and its position, e.g. "[MASK] at 5" */
    g_autofree char *title =
      g_strdup_printf (_ ("%s at %d"), predictions->mask_token, (int) position->position);

    gtk_label_set_label (row->title, title);
  } else {
    gtk_label_set_label (row->title, _ ("Next token"));
  }
  for (guint i = 0; i < N_BUTTONS; i++) {
    gtk_widget_set_visible (row->tokens[i].button, i < n_tokens);
    if (i < n_tokens)
      fill_button (&row->tokens[i], &g_array_index (position->tokens, AtnPredictedToken, i),
                   predictions->has_baseline);
  }
}

/* (nullable): what stands in place of predictions */
static char *
dup_message (const AtnPredictions *predictions)
{
  if (predictions == NULL)
    return g_strdup ("");
  if (!predictions->can_predict)
    return g_strdup (_ ("This model has no prediction head: it only attends"));
  if (predictions->positions->len > 0)
    return NULL;
  if (!predictions->is_masked_lm)
    return g_strdup (_ ("Type something to see what the model expects next"));
  if (predictions->mask_token == NULL)
    return g_strdup (_ ("This model fills gaps, but its tokenizer has no mask token to mark one"));
  return g_strdup_printf (
    /* Translators: both are the mask token, e.g. [MASK]; “Insert %s” is the label of a button */
    _ ("Put %s into the sentence to see what the model expects there: press “Insert %s” above"),
    predictions->mask_token, predictions->mask_token);
}

static void
follow_predictions (AtnPredictionsPanel *self)
{
  AtnPredictions *predictions = atn_session_get_predictions (atn_view_get_session (self));
  g_autofree char *message = dup_message (predictions);
  guint n_rows = message == NULL ? MIN (predictions->positions->len, MAX_ROWS) : 0;
  gint64 start = atn_measure_begin ();

  gtk_label_set_label (self->message_label, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message_label), message != NULL);
  while (self->rows->len < n_rows)
    append_row (self);
  for (guint i = 0; i < self->rows->len; i++) {
    Row *row = g_ptr_array_index (self->rows, i);

    gtk_widget_set_visible (row->box, i < n_rows);
    if (i < n_rows)
      fill_row (self, row, predictions, g_ptr_array_index (predictions->positions, i));
  }
  atn_measure_end ("predictions", start);
}

static gboolean
width_changed_cb (gpointer user_data)
{
  AtnPredictionsPanel *self = user_data;

  self->width_source = 0;
  if (atn_view_get_session (self) != NULL)
    follow_predictions (self);
  return G_SOURCE_REMOVE;
}

static void
atn_predictions_panel_measure (GtkWidget *widget,
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

/* What is shown must not change while sizes are given. */
static void
atn_predictions_panel_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  AtnPredictionsPanel *self = ATN_PREDICTIONS_PANEL (widget);

  if (self->width != width && self->width_source == 0)
    self->width_source = g_idle_add_full (G_PRIORITY_DEFAULT, width_changed_cb, self, NULL);
  self->width = width;
  gtk_widget_size_allocate (gtk_widget_get_first_child (widget),
                            &(GtkAllocation){ 0, 0, width, height }, baseline);
}

static void
atn_predictions_panel_bind (AtnView *view, AtnSession *session)
{
  g_signal_connect_object (session, "predictions-changed", G_CALLBACK (follow_predictions), view,
                           G_CONNECT_SWAPPED);
  follow_predictions (ATN_PREDICTIONS_PANEL (view));
}

static void
atn_predictions_panel_dispose (GObject *object)
{
  g_clear_handle_id (&ATN_PREDICTIONS_PANEL (object)->width_source, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_PREDICTIONS_PANEL);
  G_OBJECT_CLASS (atn_predictions_panel_parent_class)->dispose (object);
}

static void
atn_predictions_panel_finalize (GObject *object)
{
  g_ptr_array_unref (ATN_PREDICTIONS_PANEL (object)->rows);
  G_OBJECT_CLASS (atn_predictions_panel_parent_class)->finalize (object);
}

static void
atn_predictions_panel_class_init (AtnPredictionsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_predictions_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = atn_predictions_panel_finalize;
  widget_class->measure = atn_predictions_panel_measure;
  widget_class->size_allocate = atn_predictions_panel_size_allocate;
  ATN_VIEW_CLASS (klass)->bind = atn_predictions_panel_bind;
  signals[SIGNAL_APPEND] = g_signal_new ("append", ATN_TYPE_PREDICTIONS_PANEL, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-predictions-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnPredictionsPanel, rows_box);
  gtk_widget_class_bind_template_child (widget_class, AtnPredictionsPanel, message_label);
}

static void
atn_predictions_panel_init (AtnPredictionsPanel *self)
{
  self->rows = g_ptr_array_new_with_free_func (free_row);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  append_row (self);
}
