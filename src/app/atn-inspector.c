/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-inspector.h"

#include "app/atn-calculation.h"
#include "app/atn-compute.h"
#include "app/atn-format.h"
#include "app/atn-measure.h"

#include <glib/gi18n.h>
#include <math.h>

/* Rows of a matrix that are looked through at once. */
#define BLOCK 64
#define STEP_GAP 12
#define LINE_GAP 3

/* One line of the calculation. */
typedef struct
{
  GtkWidget *name;
  GtkWidget *value;
  GtkWidget *baseline;
  GtkWidget *detail; /* (nullable) */
} Line;

struct _AtnInspector
{
  AtnView parent_instance;

  AtnLane *lane;
  /* Of a row that is chosen without a key; a query of -1: not known yet */
  int strongest_query;
  int strongest_key;
  Line lines[ATN_N_LINES];

  /* Template children, in the order of atn-inspector.ui */
  GtkStack *stack;
  GtkLabel *query_label;
  GtkLabel *key_label;
  GtkLabel *place_label;
  GtkImage *pin_image;
  GtkLabel *now_label;
  GtkLabel *trained_label;
  GtkGrid *grid;
  GtkLabel *empty_rows_label;
};

G_DEFINE_FINAL_TYPE (AtnInspector, atn_inspector, ATN_TYPE_VIEW)

/* What the whole matrix has to say: compute thread. */
typedef struct
{
  AtnResult *result;
  size_t layer;
  size_t head;
  int query;      /* -1, or the row whose strongest key is wanted */
  int strongest;  /* -1 if it sees none */
  size_t n_empty; /* rows without a visible key */
} Count;

static void
free_count (gpointer data)
{
  Count *count = data;

  atn_result_unref (count->result);
  g_free (count);
}

static bool
is_empty_row (const float *row, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (row[i] > -INFINITY)
      return false;
  return true;
}

/* The key with the largest weight. */
static int
find_strongest (const Count *count, float *row)
{
  size_t n_tokens = count->result->tokens->n_tokens;
  size_t best = 0;

  atn_trace_compute_rows (count->result->trace, count->layer, count->head, ATN_STAGE_PATTERN,
                          atn_result_get_what_if (count->result), (size_t) count->query, 1, row);
  for (size_t i = 1; i < n_tokens; i++)
    if (row[i] > row[best])
      best = i;
  return row[best] > 0.0f ? (int) best : -1;
}

static void
run_count (gpointer data, GCancellable *cancellable)
{
  Count *count = data;
  const AtnResult *result = count->result;
  size_t n_tokens = result->tokens->n_tokens;
  g_autofree float *rows = g_new (float, BLOCK *n_tokens);

  if (count->query >= 0)
    count->strongest = find_strongest (count, rows);
  for (size_t first = 0; first < n_tokens; first += BLOCK) {
    size_t n_rows = MIN (BLOCK, n_tokens - first);

    if (g_cancellable_is_cancelled (cancellable))
      return;
    atn_trace_compute_rows (result->trace, count->layer, count->head, ATN_STAGE_MASKED,
                            atn_result_get_what_if (result), first, n_rows, rows);
    for (size_t i = 0; i < n_rows; i++)
      count->n_empty += is_empty_row (rows + i * n_tokens, n_tokens);
  }
}

static void update_cell (AtnInspector *self);

static void
count_done_cb (gpointer data, gpointer user_data)
{
  AtnInspector *self = user_data;
  Count *count = data;
  g_autofree char *text =
    g_strdup_printf (ngettext ("%zu row has no visible key: its weights are 0",
                               "%zu rows have no visible key: their weights are 0", count->n_empty),
                     count->n_empty);

  gtk_label_set_text (self->empty_rows_label, text);
  gtk_widget_set_visible (GTK_WIDGET (self->empty_rows_label), count->n_empty > 0);
  self->strongest_query = count->query;
  self->strongest_key = count->strongest;
  if (count->query >= 0)
    update_cell (self);
}

/* Where none is chosen, the last token speaks, as in the sentence under the heatmap. */
static int
get_query (AtnSession *session)
{
  int query = atn_session_get_query (session);

  return query >= 0 ? query : (int) atn_session_get_n_tokens (session) - 1;
}

static void
queue_count (AtnInspector *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnResult *result = atn_session_get_result (session);
  Count *count;

  if (result == NULL || result->trace == NULL || result->model != atn_session_get_model (session)) {
    atn_lane_cancel (self->lane);
    gtk_widget_set_visible (GTK_WIDGET (self->empty_rows_label), FALSE);
    return;
  }
  count = g_new0 (Count, 1);
  count->result = atn_result_ref (result);
  count->layer = atn_session_get_layer (session);
  count->head = atn_session_get_head (session);
  count->query = atn_session_get_key (session) < 0 ? get_query (session) : -1;
  if (count->query >= (int) result->tokens->n_tokens)
    count->query = -1;
  count->strongest = -1;
  self->strongest_query = -1;
  atn_lane_push (self->lane, &(AtnWork){ .data = count,
                                         .run = run_count,
                                         .done = count_done_cb,
                                         .free_data = free_count,
                                         .user_data = self });
}

/* GtkLabel takes its text for its name; here the name says what the number is. */
static void
set_number (GtkWidget *label, const char *text)
{
  const char *name = g_object_get_data (G_OBJECT (label), "accessible-name");

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
show_line (AtnInspector *self, AtnLine id, const AtnCell *cell, const AtnCell *baseline)
{
  const Line *line = &self->lines[id];
  g_autofree char *value = atn_line_dup_value (id, cell);
  g_autofree char *baseline_value = baseline != NULL ? atn_line_dup_value (id, baseline) : NULL;
  g_autofree char *detail = atn_line_dup_detail (id, cell);

  set_number (line->value, value);
  set_number (line->baseline, baseline_value != NULL ? baseline_value : "");
  if (line->detail != NULL)
    gtk_label_set_text (GTK_LABEL (line->detail), detail != NULL ? detail : "");
}

static void
show_line_visible (AtnInspector *self, AtnLine id, bool is_visible)
{
  gtk_widget_set_visible (self->lines[id].name, is_visible);
  gtk_widget_set_visible (self->lines[id].value, is_visible);
  gtk_widget_set_visible (self->lines[id].baseline, is_visible);
  if (self->lines[id].detail != NULL)
    gtk_widget_set_visible (self->lines[id].detail, is_visible);
}

static void
show_tokens (AtnInspector *self, const AtnResult *result, size_t query, size_t key)
{
  AtnTokenizer *tokenizer = atn_model_get_tokenizer (result->model);
  g_autofree char *query_text =
    atn_tokenizer_dup_label (tokenizer, result->tokens->tokens[query].id);
  g_autofree char *key_text = atn_tokenizer_dup_label (tokenizer, result->tokens->tokens[key].id);
  g_autofree char *place = NULL;

  /* Translators: positions of two tokens; they count from 0 */
  place = g_strdup_printf (_ ("query %zu, key %zu"), query, key);
  gtk_label_set_text (self->query_label, query_text);
  gtk_label_set_text (self->key_label, key_text);
  gtk_label_set_text (self->place_label, place);
}

static void
show_cell (AtnInspector *self, const AtnResult *result, size_t query, size_t key)
{
  AtnSession *session = atn_view_get_session (self);
  const AtnConfig *config = atn_model_get_config (result->model);
  size_t layer = atn_session_get_layer (session);
  size_t head = atn_session_get_head (session);
  const AtnWhatIf *what_if = atn_result_get_what_if (result);
  bool has_baseline = !atn_what_if_is_as_trained (&result->what_if, config);
  AtnCell cell;
  AtnCell baseline = { 0 };

  atn_trace_inspect (result->trace, layer, head, what_if, query, key, &cell);
  if (has_baseline)
    atn_trace_inspect (result->baseline, layer, head, NULL, query, key, &baseline);

  gtk_widget_set_visible (GTK_WIDGET (self->now_label), has_baseline);
  gtk_widget_set_visible (GTK_WIDGET (self->trained_label), has_baseline);
  for (guint i = 0; i < ATN_N_LINES; i++) {
    show_line (self, (AtnLine) i, &cell, has_baseline ? &baseline : NULL);
    show_line_visible (self, (AtnLine) i, atn_line_is_present ((AtnLine) i, config, what_if));
  }
  show_tokens (self, result, query, key);
}

static void
update_cell (AtnInspector *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnResult *result = atn_session_get_result (session);
  int query = get_query (session);
  int key = atn_session_get_key (session);
  int n_tokens = (int) atn_session_get_n_tokens (session);
  gint64 start;
  bool has_cell;

  if (key < 0 && query >= 0 && query == self->strongest_query)
    key = self->strongest_key;
  else if (key < 0 && query >= 0 && atn_lane_is_busy (self->lane))
    return; /* what is shown stays until the strongest key is known */

  start = atn_measure_begin ();
  has_cell = result != NULL && result->trace != NULL &&
             result->model == atn_session_get_model (session) && query >= 0 && query < n_tokens &&
             key >= 0 && key < n_tokens;

  if (has_cell)
    show_cell (self, result, (size_t) query, (size_t) key);
  gtk_widget_set_visible (GTK_WIDGET (self->pin_image), atn_session_get_pinned (session));
  gtk_stack_set_visible_child_name (self->stack, has_cell ? "cell" : "empty");
  atn_measure_end ("inspector", start);
}

static void
update_head (AtnInspector *self)
{
  queue_count (self);
  update_cell (self);
}

static void
cell_changed_cb (AtnInspector *self)
{
  AtnSession *session = atn_view_get_session (self);

  if (atn_session_get_key (session) < 0 && get_query (session) >= 0 &&
      get_query (session) != self->strongest_query)
    queue_count (self);
  update_cell (self);
}

static void
atn_inspector_bind (AtnView *view, AtnSession *session)
{
  const char *cell[] = { "notify::query", "notify::key", "notify::pinned" };
  const char *head[] = { "result-changed", "notify::layer", "notify::head" };

  for (gsize i = 0; i < G_N_ELEMENTS (cell); i++)
    g_signal_connect_object (session, cell[i], G_CALLBACK (cell_changed_cb), view,
                             G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (head); i++)
    g_signal_connect_object (session, head[i], G_CALLBACK (update_head), view, G_CONNECT_SWAPPED);
  update_head (ATN_INSPECTOR (view));
}

/* With ASCII's minus, for what the numbers are pasted into. */
static void
copy_cb (AtnInspector *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%s → %s\n", gtk_label_get_text (self->query_label),
                          gtk_label_get_text (self->key_label));
  for (guint i = 0; i < ATN_N_LINES; i++) {
    const Line *line = &self->lines[i];
    const char *baseline = gtk_label_get_text (GTK_LABEL (line->baseline));

    if (!gtk_widget_get_visible (line->value))
      continue;
    g_string_append_printf (text, "%s\t%s%s%s\n", atn_line_get_name ((AtnLine) i),
                            gtk_label_get_text (GTK_LABEL (line->value)),
                            *baseline != '\0' ? "\t" : "", baseline);
  }
  g_string_replace (text, "−", "-", 0);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
}

static GtkWidget *
create_number (const char *accessible_name)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 1.0f);
  gtk_widget_set_halign (label, GTK_ALIGN_END);
  gtk_widget_set_focusable (label, FALSE);
  gtk_widget_add_css_class (label, "numeric");
  g_object_set_data_full (G_OBJECT (label), "accessible-name", g_strdup (accessible_name), g_free);
  return label;
}

static GtkWidget *
create_name (AtnLine id)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = gtk_label_new (atn_line_get_name (id));
  GtkWidget *symbol = gtk_label_new (atn_line_get_symbol (id));

  gtk_widget_add_css_class (symbol, "dim-label");
  gtk_widget_add_css_class (symbol, "caption");
  gtk_widget_add_css_class (symbol, "formula");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), symbol);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_tooltip_text (box, atn_line_get_explanation (id));
  /* The number has the name for a screen reader, which must not hear it twice. */
  gtk_accessible_update_state (GTK_ACCESSIBLE (box), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  return box;
}

static bool
has_detail (AtnLine id)
{
  const AtnCell cell = { .temperature = 1.0 };
  g_autofree char *detail = atn_line_dup_detail (id, &cell);

  return detail != NULL;
}

static void
append_line (AtnInspector *self, AtnLine id)
{
  Line *line = &self->lines[id];
  /* Translators: a number of the calculation, such as “Weight” */
  g_autofree char *trained = g_strdup_printf (_ ("%s as trained"), atn_line_get_name (id));
  int top = atn_line_is_first_of_step (id) ? STEP_GAP : LINE_GAP;
  int row = 2 * (int) id;

  line->name = create_name (id);
  line->value = create_number (atn_line_get_name (id));
  line->baseline = create_number (trained);
  gtk_widget_add_css_class (line->baseline, "dim-label");
  gtk_widget_add_css_class (line->baseline, "caption");
  gtk_widget_set_margin_top (line->name, top);
  gtk_widget_set_margin_top (line->value, top);
  gtk_widget_set_margin_top (line->baseline, top);
  gtk_grid_attach (self->grid, line->name, 0, row, 1, 1);
  gtk_grid_attach (self->grid, line->value, 1, row, 1, 1);
  gtk_grid_attach (self->grid, line->baseline, 2, row, 1, 1);
  if (id == ATN_LINE_WEIGHT) {
    gtk_widget_add_css_class (line->name, "heading");
    gtk_widget_add_css_class (line->value, "heading");
  }
  if (!has_detail (id))
    return;
  line->detail = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (line->detail), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (line->detail), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (line->detail, "caption");
  gtk_widget_add_css_class (line->detail, "dim-label");
  gtk_widget_add_css_class (line->detail, "numeric");
  gtk_grid_attach (self->grid, line->detail, 0, row + 1, 3, 1);
}

static void
atn_inspector_dispose (GObject *object)
{
  AtnInspector *self = ATN_INSPECTOR (object);

  g_clear_pointer (&self->lane, atn_lane_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), ATN_TYPE_INSPECTOR);
  G_OBJECT_CLASS (atn_inspector_parent_class)->dispose (object);
}

static void
atn_inspector_class_init (AtnInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_inspector_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_inspector_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, stack);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, query_label);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, key_label);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, place_label);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, pin_image);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, now_label);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, trained_label);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, grid);
  gtk_widget_class_bind_template_child (widget_class, AtnInspector, empty_rows_label);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
}

static void
atn_inspector_init (AtnInspector *self)
{
  self->strongest_query = -1;
  self->lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_DETAIL);
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < ATN_N_LINES; i++)
    append_line (self, (AtnLine) i);
}
