/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What one window is looking at: model, sentence, what-if, which head at which
 * stage, which cell. It has no widget and computes nothing: it asks the compute
 * thread and holds the last whole answer.
 *
 *   widget ── set property ──► session ── lane ──► compute thread
 *   widget ◄─ notify, signals ──┘  ◄──── result ────────┘
 *
 * Widgets set properties and redraw on notify:: and the signals; they never
 * talk to each other. Properties that depend on the result (layer, head, query
 * …) are clamped to what exists.
 *
 * Signals:
 *   result-changed       get_result () is another one (also NULL)
 *   model-changed        get_model () is another one; the old result stays until the next is whole
 *   predictions-changed  get_predictions () is another one (also NULL)
 *   message (char *)     one sentence that passes, for a toast
 */

#pragma once

#include "app/atn-predictions.h"
#include "engine/atn-request.h"
#include "plot/atn-figure-builder.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define ATN_TYPE_SESSION (atn_session_get_type ())
G_DECLARE_FINAL_TYPE (AtnSession, atn_session, ATN, SESSION, GObject)

#define ATN_TEMPERATURE_MIN 0.05
#define ATN_TEMPERATURE_MAX 10.0
#define ATN_ZOOM_MIN 1.0
#define ATN_ZOOM_MAX 32.0

AtnSession *atn_session_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The model. (nullable) (transfer none) */
AtnModel *atn_session_get_model (AtnSession *self);
/* Replaces the model at once and everything that depended on the old one. */
void atn_session_set_model (AtnSession *self, AtnModel *model);

/* Loads @path in a thread of its own: the old model stays usable meanwhile and stays if that fails
 * (then "load-error" says why). "loading" and "load-progress" follow it. */
void atn_session_open (AtnSession *self, const char *path);
void atn_session_cancel_open (AtnSession *self);
bool atn_session_is_loading (AtnSession *self);
double atn_session_get_load_progress (AtnSession *self);
const char *atn_session_get_load_path (AtnSession *self); /* "" while nothing is loaded */
/* (nullable): why the last file was not opened. NULL dismisses it. */
const char *atn_session_get_load_error (AtnSession *self);
void atn_session_set_load_error (AtnSession *self, const char *error);

/* (transfer none) (element-type AtnExample): of the model, in the user's language; never NULL. */
GPtrArray *atn_session_get_examples (AtnSession *self);
/* Sets sentence, head and stage as the model's example says. */
void atn_session_show_example (AtnSession *self, guint index);
/* (nullable): of the example that is shown, until the sentence is changed. */
const char *atn_session_get_note (AtnSession *self);
void atn_session_hide_note (AtnSession *self);

const char *atn_session_get_text (AtnSession *self); /* never NULL */
void atn_session_set_text (AtnSession *self, const char *text);
const char *atn_session_get_pair (AtnSession *self); /* never NULL; "" is no second sentence */
void atn_session_set_pair (AtnSession *self, const char *pair);
bool atn_session_has_pair (AtnSession *self); /* whether the model can use one */

guint atn_session_get_layer (AtnSession *self);
void atn_session_set_layer (AtnSession *self, guint layer);
guint atn_session_get_head (AtnSession *self);
void atn_session_set_head (AtnSession *self, guint head);
void atn_session_set_layer_and_head (AtnSession *self, guint layer, guint head);
AtnStage atn_session_get_stage (AtnSession *self);
void atn_session_set_stage (AtnSession *self, AtnStage stage);

/* Settings of the what-if: the whole, and each as its control shows it. */
const AtnWhatIf *atn_session_get_what_if (AtnSession *self);
void atn_session_set_what_if (AtnSession *self, const AtnWhatIf *what_if);
bool atn_session_is_as_trained (AtnSession *self);
bool atn_session_get_causal_mask (AtnSession *self);
void atn_session_set_causal_mask (AtnSession *self, bool causal_mask);
bool atn_session_get_scale_by_sqrt (AtnSession *self);
void atn_session_set_scale_by_sqrt (AtnSession *self, bool scale_by_sqrt);
double atn_session_get_scale_number (AtnSession *self); /* the factor that holds */
void atn_session_set_scale_number (AtnSession *self, double factor);
double atn_session_get_temperature (AtnSession *self);
void atn_session_set_temperature (AtnSession *self, double temperature);
AtnScope atn_session_get_scope (AtnSession *self);
void atn_session_set_scope (AtnSession *self, AtnScope scope);

/* The cell under the pointer or the keyboard's cursor, -1 for none. While a cell is pinned, it is
 * the pinned one and atn_session_set_cell() changes nothing. */
int atn_session_get_query (AtnSession *self);
int atn_session_get_key (AtnSession *self);
void atn_session_set_cell (AtnSession *self, int query, int key);
bool atn_session_get_pinned (AtnSession *self);
/* Pins a cell; key may be -1 (a whole row). (-1, -1) unpins. */
void atn_session_pin_cell (AtnSession *self, int query, int key);

/* How pictures look. */
AtnColormap atn_session_get_colormap (AtnSession *self);
void atn_session_set_colormap (AtnSession *self, AtnColormap colormap);
AtnRangeMode atn_session_get_range_mode (AtnSession *self);
void atn_session_set_range_mode (AtnSession *self, AtnRangeMode range_mode);
bool atn_session_get_log_scale (AtnSession *self);
void atn_session_set_log_scale (AtnSession *self, bool log_scale);
double atn_session_get_zoom (AtnSession *self); /* of the large matrix; 1 fits it in */
void atn_session_set_zoom (AtnSession *self, double zoom);
double atn_session_get_text_scale (AtnSession *self); /* of figures and text, 0.5 … 3 */
void atn_session_set_text_scale (AtnSession *self, double text_scale);
bool atn_session_get_show_baseline (AtnSession *self); /* numbers as trained in the pictures */
void atn_session_set_show_baseline (AtnSession *self, bool show_baseline);

/* The last whole result. (nullable) (transfer none): take a reference to keep it over a turn. */
AtnResult *atn_session_get_result (AtnSession *self);
AtnPredictions *atn_session_get_predictions (AtnSession *self); /* likewise */
/* Number of tokens of the result, 0 without one. */
guint atn_session_get_n_tokens (AtnSession *self);
bool atn_session_is_busy (AtnSession *self);
/* (nullable): why the sentence can't be shown; the last good result stays. */
const char *atn_session_get_error (AtnSession *self);
/* (nullable): what is not as trained, as atn_what_if_describe(). */
const char *atn_session_get_banner (AtnSession *self);
/* (nullable): that the text was cut to what the model reads. */
const char *atn_session_get_cut_notice (AtnSession *self);

/* Fills @options from the session: kind, layer, head, stage, range, colour map. The caller sets
 * the rest of the style. */
void atn_session_fill_figure_options (AtnSession *self, AtnFigureOptions *options);

G_END_DECLS
