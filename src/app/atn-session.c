/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-session-private.h"

#include <math.h>

G_DEFINE_FINAL_TYPE (AtnSession, atn_session, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

void
atn_session_emit (AtnSession *self, guint signal_id)
{
  g_signal_emit (self, signals[signal_id], 0);
}

void
atn_session_take_string (AtnSession *self, char **field, char *value, guint property_id)
{
  if (g_strcmp0 (*field, value) == 0) {
    g_free (value);
    return;
  }
  g_free (*field);
  *field = value;
  atn_session_notify (self, property_id);
}

static void
set_uint (AtnSession *self, guint *field, guint value, guint property_id)
{
  if (*field == value)
    return;
  *field = value;
  atn_session_notify (self, property_id);
}

static void
set_bool (AtnSession *self, bool *field, bool value, guint property_id)
{
  if (*field == value)
    return;
  *field = value;
  atn_session_notify (self, property_id);
}

static void
set_double (AtnSession *self, double *field, double value, guint property_id)
{
  if (fabs (*field - value) < 1e-9)
    return;
  *field = value;
  atn_session_notify (self, property_id);
}

static void
atn_session_dispose (GObject *object)
{
  AtnSession *self = ATN_SESSION (object);

  atn_session_cancel_open (self);
  g_clear_pointer (&self->run_lane, atn_lane_free);
  g_clear_pointer (&self->predictions_lane, atn_lane_free);
  g_clear_pointer (&self->result, atn_result_unref);
  g_clear_pointer (&self->predictions, atn_predictions_unref);
  g_clear_pointer (&self->model, atn_model_unref);
  G_OBJECT_CLASS (atn_session_parent_class)->dispose (object);
}

static void
atn_session_finalize (GObject *object)
{
  AtnSession *self = ATN_SESSION (object);

  g_ptr_array_unref (self->examples);
  g_free (self->note);
  g_free (self->text);
  g_free (self->pair);
  g_free (self->error);
  g_free (self->banner);
  g_free (self->cut_notice);
  g_free (self->load_error);
  G_OBJECT_CLASS (atn_session_parent_class)->finalize (object);
}

static guint
add_signal (const char *name, guint n_params)
{
  return g_signal_new (name, ATN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                       n_params, G_TYPE_STRING);
}

static void
atn_session_class_init (AtnSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = atn_session_dispose;
  object_class->finalize = atn_session_finalize;

  atn_session_install_properties (object_class);

  signals[SIGNAL_RESULT_CHANGED] = add_signal ("result-changed", 0);
  signals[SIGNAL_MODEL_CHANGED] = add_signal ("model-changed", 0);
  signals[SIGNAL_PREDICTIONS_CHANGED] = add_signal ("predictions-changed", 0);
  signals[SIGNAL_MESSAGE] = add_signal ("message", 1);
}

static void
atn_session_init (AtnSession *self)
{
  self->examples = g_ptr_array_new ();
  self->text = g_strdup ("");
  self->pair = g_strdup ("");
  self->text_is_example = true;
  self->stage = ATN_STAGE_PATTERN;
  self->query = -1;
  self->key = -1;
  self->zoom = 1.0;
  self->text_scale = 1.0;
  self->run_lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_RUN);
  self->predictions_lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_DETAIL);
}

AtnSession *
atn_session_new (void)
{
  return g_object_new (ATN_TYPE_SESSION, NULL);
}

void
atn_session_set_sentence (AtnSession *self, const char *text, const char *pair, bool is_example)
{
  text = text != NULL ? text : "";
  pair = pair != NULL ? pair : "";
  if (g_str_equal (self->text, text) && g_str_equal (self->pair, pair))
    return;
  self->text_is_example = is_example;
  if (!is_example)
    atn_session_take_string (self, &self->note, NULL, PROP_NOTE);
  atn_session_take_string (self, &self->text, g_strdup (text), PROP_TEXT);
  atn_session_take_string (self, &self->pair, g_strdup (pair), PROP_PAIR);
  atn_session_queue_run (self);
}

const char *
atn_session_get_text (AtnSession *self)
{
  return self->text;
}

void
atn_session_set_text (AtnSession *self, const char *text)
{
  g_return_if_fail (ATN_IS_SESSION (self));
  atn_session_set_sentence (self, text, self->pair, false);
}

const char *
atn_session_get_pair (AtnSession *self)
{
  return self->pair;
}

void
atn_session_set_pair (AtnSession *self, const char *pair)
{
  g_return_if_fail (ATN_IS_SESSION (self));
  atn_session_set_sentence (self, self->text, pair, false);
}

void
atn_session_clamp_selection (AtnSession *self)
{
  const AtnConfig *config;
  int n_tokens = (int) atn_session_get_n_tokens (self);

  if (self->model == NULL)
    return;
  config = atn_model_get_config (self->model);
  atn_session_set_layer_and_head (self, self->layer, self->head);
  if (!atn_stage_is_present (self->stage, config, &self->what_if))
    atn_session_set_stage (self, ATN_STAGE_PATTERN);
  /* An example pins a cell of the sentence that is still on its way. */
  if (self->result != NULL && !self->is_busy && (self->query >= n_tokens || self->key >= n_tokens))
    atn_session_pin_cell (self, -1, -1);
}

guint
atn_session_get_layer (AtnSession *self)
{
  return self->layer;
}

void
atn_session_set_layer (AtnSession *self, guint layer)
{
  atn_session_set_layer_and_head (self, layer, self->head);
}

guint
atn_session_get_head (AtnSession *self)
{
  return self->head;
}

void
atn_session_set_head (AtnSession *self, guint head)
{
  atn_session_set_layer_and_head (self, self->layer, head);
}

void
atn_session_set_layer_and_head (AtnSession *self, guint layer, guint head)
{
  g_return_if_fail (ATN_IS_SESSION (self));

  if (self->model != NULL) {
    const AtnConfig *config = atn_model_get_config (self->model);

    layer = (guint) MIN (layer, config->n_layers - 1);
    head = (guint) MIN (head, config->n_heads - 1);
  }
  g_object_freeze_notify (G_OBJECT (self));
  set_uint (self, &self->layer, layer, PROP_LAYER);
  set_uint (self, &self->head, head, PROP_HEAD);
  if (self->note != NULL)
    atn_session_notify (self, PROP_NOTE);
  g_object_thaw_notify (G_OBJECT (self));
}

AtnStage
atn_session_get_stage (AtnSession *self)
{
  return self->stage;
}

void
atn_session_set_stage (AtnSession *self, AtnStage stage)
{
  g_return_if_fail (ATN_IS_SESSION (self));
  g_return_if_fail ((int) stage >= 0 && stage < ATN_N_STAGES);

  if (self->stage == stage)
    return;
  self->stage = stage;
  atn_session_notify (self, PROP_STAGE);
}

int
atn_session_get_query (AtnSession *self)
{
  return self->query;
}

int
atn_session_get_key (AtnSession *self)
{
  return self->key;
}

static void
move_cell (AtnSession *self, int query, int key)
{
  g_object_freeze_notify (G_OBJECT (self));
  if (self->query != query) {
    self->query = query;
    atn_session_notify (self, PROP_QUERY);
  }
  if (self->key != key) {
    self->key = key;
    atn_session_notify (self, PROP_KEY);
  }
  g_object_thaw_notify (G_OBJECT (self));
}

void
atn_session_set_cell (AtnSession *self, int query, int key)
{
  g_return_if_fail (ATN_IS_SESSION (self));

  if (!self->pinned)
    move_cell (self, query, key);
}

bool
atn_session_get_pinned (AtnSession *self)
{
  return self->pinned;
}

void
atn_session_pin_cell (AtnSession *self, int query, int key)
{
  g_return_if_fail (ATN_IS_SESSION (self));

  g_object_freeze_notify (G_OBJECT (self));
  set_bool (self, &self->pinned, query >= 0, PROP_PINNED);
  move_cell (self, query, query >= 0 ? key : -1);
  g_object_thaw_notify (G_OBJECT (self));
}

AtnColormap
atn_session_get_colormap (AtnSession *self)
{
  return self->colormap;
}

void
atn_session_set_colormap (AtnSession *self, AtnColormap colormap)
{
  g_return_if_fail (colormap < ATN_N_COLORMAPS);

  if (self->colormap == colormap)
    return;
  self->colormap = colormap;
  atn_session_notify (self, PROP_COLORMAP);
}

AtnRangeMode
atn_session_get_range_mode (AtnSession *self)
{
  return self->range_mode;
}

void
atn_session_set_range_mode (AtnSession *self, AtnRangeMode range_mode)
{
  if (self->range_mode == range_mode)
    return;
  self->range_mode = range_mode;
  atn_session_notify (self, PROP_RANGE_MODE);
}

bool
atn_session_get_log_scale (AtnSession *self)
{
  return self->log_scale;
}

void
atn_session_set_log_scale (AtnSession *self, bool log_scale)
{
  set_bool (self, &self->log_scale, log_scale, PROP_LOG_SCALE);
}

double
atn_session_get_zoom (AtnSession *self)
{
  return self->zoom;
}

void
atn_session_set_zoom (AtnSession *self, double zoom)
{
  set_double (self, &self->zoom, CLAMP (zoom, ATN_ZOOM_MIN, ATN_ZOOM_MAX), PROP_ZOOM);
}

double
atn_session_get_text_scale (AtnSession *self)
{
  return self->text_scale;
}

void
atn_session_set_text_scale (AtnSession *self, double text_scale)
{
  set_double (self, &self->text_scale, CLAMP (text_scale, 0.5, 3.0), PROP_TEXT_SCALE);
}

bool
atn_session_get_show_baseline (AtnSession *self)
{
  return self->show_baseline;
}

void
atn_session_set_show_baseline (AtnSession *self, bool show_baseline)
{
  set_bool (self, &self->show_baseline, show_baseline, PROP_SHOW_BASELINE);
}

AtnResult *
atn_session_get_result (AtnSession *self)
{
  g_return_val_if_fail (ATN_IS_SESSION (self), NULL);
  return self->result;
}

AtnPredictions *
atn_session_get_predictions (AtnSession *self)
{
  g_return_val_if_fail (ATN_IS_SESSION (self), NULL);
  return self->predictions;
}

guint
atn_session_get_n_tokens (AtnSession *self)
{
  return self->result != NULL ? (guint) self->result->tokens->n_tokens : 0;
}

bool
atn_session_is_busy (AtnSession *self)
{
  return self->is_busy;
}

const char *
atn_session_get_error (AtnSession *self)
{
  return self->error;
}

const char *
atn_session_get_banner (AtnSession *self)
{
  return self->banner;
}

const char *
atn_session_get_cut_notice (AtnSession *self)
{
  return self->cut_notice;
}

void
atn_session_fill_figure_options (AtnSession *self, AtnFigureOptions *options)
{
  *options = (AtnFigureOptions){
    .kind = ATN_FIGURE_HEAD,
    .layer = self->layer,
    .head = self->head,
    .stage = self->stage,
    .range_mode = self->range_mode,
    .is_log = self->log_scale,
    .baseline = self->show_baseline,
  };
  atn_plot_style_init (&options->style);
  options->style.colormap = self->colormap;
}
