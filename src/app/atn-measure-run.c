/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A hand that types, moves the slider and chooses, for --measure: the handlers
 * run as for a person's, on the same main loop, with 40 ms between two strokes
 * (a fast typist leaves 80). Each act ends with a line of JSON on standard output.
 *
 * Words are typed and deleted again, so that the number of tokens, on which all
 * times depend, stays what the act says.
 */

#include "app/atn-measure-run.h"

#include "app/atn-figure-view.h"
#include "app/atn-measure.h"
#include "base/atn-paths.h"

#define KEY_INTERVAL_MS 40
/* Between two models, which take longer than a key. */
#define MODEL_INTERVAL_MS 1500
#define SETTLE_MS 800

typedef struct
{
  AtnWindow *window;
  GtkTextBuffer *sentence;
  GtkRange *slider;
  AtnFigureView *figure_view;
  bool has_picture;
  AtnMoment phase;  /* of the frame that is drawn */
  AtnMoment opened; /* when a model began to be opened; wall is 0 when its picture is shown */
  char *path;       /* of that model */
  guint act;
  guint step;
} Hand;

typedef struct
{
  const char *name;
  const char *view;
  guint n_tokens; /* of the sentence before anything is done */
  guint n_steps;
  void (*do_step) (Hand *hand);
  guint interval_ms; /* 0: that of keys */
} Act;

static const char passage[] =
  "The cat sat on the mat because it was tired. The little dog looked at the cat and went to "
  "sleep near the door. In the morning the old woman gave them bread and milk, and they were "
  "happy until the evening came and the wind began to blow over the hills and the sea. ";

/* Depth first: the first of its type. */
static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_widget (child, type);

    if (found != NULL)
      return found;
  }
  return NULL;
}

/* As much of the passage, again and again, as makes @n_tokens. */
static char *
dup_text (AtnModel *model, guint n_tokens)
{
  GString *text = g_string_new (NULL);

  while (text->len < 16 * (gsize) n_tokens) {
    g_autoptr (AtnTokens) tokens = NULL;

    g_string_append (text, passage);
    tokens = atn_tokenizer_encode (atn_model_get_tokenizer (model), text->str, -1, NULL, 0, NULL);
    if (tokens == NULL || tokens->n_tokens <= n_tokens || tokens->tokens[n_tokens].start < 0)
      continue;
    g_string_truncate (text, (gsize) tokens->tokens[n_tokens].start);
    break;
  }
  return g_string_free (text, FALSE);
}

/* Eight steps type a word and delete it. */
static void
press_key (Hand *hand)
{
  static const char word[] = " sat";
  guint place = hand->step % 8;
  GtkTextIter end;

  if (place < 4) {
    gtk_text_buffer_insert_interactive_at_cursor (hand->sentence, &word[place], 1, TRUE);
    return;
  }
  gtk_text_buffer_get_end_iter (hand->sentence, &end);
  gtk_text_buffer_backspace (hand->sentence, &end, TRUE, TRUE);
}

/* The slider shows log₂ of the temperature; it goes up from 1 and comes back. */
static void
move_slider (Hand *hand)
{
  gtk_range_set_value (hand->slider, 0.05 * (25.0 - ABS (25.0 - (double) hand->step)));
}

/* Another head, stage, switch or cell in turn. */
static void
choose (Hand *hand)
{
  AtnSession *session = atn_window_get_session (hand->window);
  const AtnStage stages[] = { ATN_STAGE_DOT, ATN_STAGE_MASKED, ATN_STAGE_PATTERN };
  guint round = hand->step / 5;

  switch (hand->step % 5) {
  case 0:
    atn_session_set_layer_and_head (session, round % 4, round % 6);
    break;
  case 1:
    atn_session_set_stage (session, stages[round % G_N_ELEMENTS (stages)]);
    break;
  case 2:
    atn_session_pin_cell (session, -1, -1);
    atn_session_set_cell (session, (int) round + 5, (int) round);
    break;
  case 3:
    atn_session_set_causal_mask (session, round % 2 == 1);
    break;
  case 4:
    atn_session_set_zoom (session, round % 2 == 0 ? 2.0 : 1.0);
    break;
  }
}

/* A long text in place of a short one, and back. */
static void
paste (Hand *hand)
{
  AtnModel *model = atn_session_get_model (atn_window_get_session (hand->window));
  g_autofree char *text = dup_text (model, hand->step % 2 == 0 ? 200 : 30);

  gtk_text_buffer_set_text (hand->sentence, text, -1);
}

/* The bundled models in turn, as from the menu. */
static void
switch_model (Hand *hand)
{
  g_autoptr (GPtrArray) names = atn_paths_list_models ();

  g_free (hand->path);
  hand->path = atn_paths_find_model (names->pdata[hand->step % names->len]);
  hand->opened = atn_measure_now ();
  atn_session_open (atn_window_get_session (hand->window), hand->path);
}

/* After each frame: whether it shows the model that was opened last. */
static void
watch_model (Hand *hand)
{
  AtnSession *session = atn_window_get_session (hand->window);
  AtnModel *model = atn_session_get_model (session);

  if (hand->opened.wall == 0 || atn_session_is_loading (session) || atn_session_is_busy (session) ||
      model == NULL || !g_str_equal (atn_model_get_path (model), hand->path) ||
      atn_figure_view_is_busy (hand->figure_view))
    return;
  atn_measure_add ("open to picture", &hand->opened);
  hand->opened.wall = 0;
}

static const Act acts[] = {
  { "keys", "stages", 30, 100, press_key },
  { "slider", "stages", 30, 51, move_slider },
  { "keys, all heads", "heads", 30, 100, press_key },
  { "keys, long", "stages", 200, 50, press_key },
  { "choices", "stages", 30, 60, choose },
  { "pastes", "stages", 30, 20, paste },
  { "models", "stages", 10, 12, switch_model, MODEL_INTERVAL_MS },
};

static void
print_act (Hand *hand, const char *name, const char *json)
{
  g_print ("{\"act\": \"%s\", \"n_tokens\": %u, \"values\": %s}\n", name,
           atn_session_get_n_tokens (atn_window_get_session (hand->window)), json);
}

static gboolean begin_act_cb (gpointer user_data);

static gboolean
end_act_cb (gpointer user_data)
{
  Hand *hand = user_data;
  g_autofree char *report = atn_measure_dup_report ();

  print_act (hand, acts[hand->act].name, report);
  hand->act++;
  begin_act_cb (hand);
  return G_SOURCE_REMOVE;
}

static gboolean
step_cb (gpointer user_data)
{
  Hand *hand = user_data;
  gint64 start = atn_measure_begin ();

  acts[hand->act].do_step (hand);
  atn_measure_end ("input", start);
  if (++hand->step < acts[hand->act].n_steps)
    return G_SOURCE_CONTINUE;
  g_timeout_add (SETTLE_MS, end_act_cb, hand);
  return G_SOURCE_REMOVE;
}

static gboolean
first_step_cb (gpointer user_data)
{
  Hand *hand = user_data;

  atn_measure_reset ();
  hand->step = 0;
  g_timeout_add (acts[hand->act].interval_ms > 0 ? acts[hand->act].interval_ms : KEY_INTERVAL_MS,
                 step_cb, hand);
  return G_SOURCE_REMOVE;
}

static gboolean
begin_act_cb (gpointer user_data)
{
  Hand *hand = user_data;
  AtnSession *session = atn_window_get_session (hand->window);
  g_autofree char *text = NULL;

  if (atn_measure_is_start_only () || hand->act == G_N_ELEMENTS (acts)) {
    gtk_window_close (GTK_WINDOW (hand->window));
    return G_SOURCE_REMOVE;
  }
  g_action_group_activate_action (G_ACTION_GROUP (hand->window), "view",
                                  g_variant_new_string (acts[hand->act].view));
  text = dup_text (atn_session_get_model (session), acts[hand->act].n_tokens);
  gtk_text_buffer_set_text (hand->sentence, text, -1);
  g_timeout_add (SETTLE_MS, first_step_cb, hand);
  return G_SOURCE_REMOVE;
}

static gboolean
print_start_cb (gpointer user_data)
{
  Hand *hand = user_data;
  g_autofree char *marks = atn_measure_dup_marks ();

  print_act (hand, "start", marks);
  begin_act_cb (hand);
  return G_SOURCE_REMOVE;
}

static void
first_picture_cb (gpointer user_data)
{
  ((Hand *) user_data)->has_picture = true;
  g_timeout_add (SETTLE_MS, print_start_cb, user_data);
}

/* The signals of one frame come in this order; ours run after GTK's own handlers. */
static void
before_paint_cb (Hand *hand)
{
  atn_measure_begin_frame ();
  hand->phase = atn_measure_now ();
}

static void
layout_cb (Hand *hand)
{
  atn_measure_add ("layout", &hand->phase);
  hand->phase = atn_measure_now ();
}

static void
paint_cb (Hand *hand)
{
  atn_measure_add ("paint", &hand->phase);
}

static void
after_paint_cb (Hand *hand)
{
  atn_measure_end_frame ();
  watch_model (hand);
  atn_measure_mark ("first frame");
  if (hand->has_picture)
    atn_measure_mark ("first picture shown");
}

static void
watch_frames (Hand *hand)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (hand->window));

  g_signal_connect_swapped (clock, "before-paint", G_CALLBACK (before_paint_cb), hand);
  g_signal_connect_swapped (clock, "layout", G_CALLBACK (layout_cb), hand);
  g_signal_connect_swapped (clock, "paint", G_CALLBACK (paint_cb), hand);
  g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (after_paint_cb), hand);
}

void
atn_measure_run (AtnWindow *window)
{
  /* Static, because frames may still come while the window closes. */
  static Hand hand;
  GtkWidget *text_view = find_widget (GTK_WIDGET (window), GTK_TYPE_TEXT_VIEW);

  hand.window = window;
  hand.sentence = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text_view));
  hand.slider = GTK_RANGE (find_widget (GTK_WIDGET (window), GTK_TYPE_SCALE));
  hand.figure_view = ATN_FIGURE_VIEW (find_widget (GTK_WIDGET (window), ATN_TYPE_FIGURE_VIEW));
  watch_frames (&hand);
  atn_measure_set_first_picture_func (first_picture_cb, &hand);
}
