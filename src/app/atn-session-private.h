/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The session is one class in five files: the selection (atn-session.c), the
 * model (-model.c), what-if settings (-what-if.c), the questions to the compute
 * thread (-run.c) and the tables of properties (-properties.c).
 */

#pragma once

#include "app/atn-compute.h"
#include "app/atn-session.h"

G_BEGIN_DECLS

enum
{
  PROP_0,
  PROP_TEXT,
  PROP_PAIR,
  PROP_HAS_PAIR,
  PROP_LAYER,
  PROP_HEAD,
  PROP_STAGE,
  PROP_CAUSAL_MASK,
  PROP_SCALE_BY_SQRT,
  PROP_SCALE_NUMBER,
  PROP_TEMPERATURE,
  PROP_SCOPE,
  PROP_AS_TRAINED,
  PROP_QUERY,
  PROP_KEY,
  PROP_PINNED,
  PROP_COLORMAP,
  PROP_RANGE_MODE,
  PROP_LOG_SCALE,
  PROP_ZOOM,
  PROP_TEXT_SCALE,
  PROP_SHOW_BASELINE,
  PROP_BUSY,
  PROP_ERROR,
  PROP_BANNER,
  PROP_CUT_NOTICE,
  PROP_NOTE,
  PROP_LOADING,
  PROP_LOAD_PROGRESS,
  PROP_LOAD_ERROR,
  N_PROPS
};

enum
{
  SIGNAL_RESULT_CHANGED,
  SIGNAL_MODEL_CHANGED,
  SIGNAL_PREDICTIONS_CHANGED,
  SIGNAL_MESSAGE,
  N_SIGNALS
};

typedef struct _AtnLoad AtnLoad;

struct _AtnSession
{
  GObject parent_instance;

  AtnModel *model;     /* (nullable) */
  GPtrArray *examples; /* (element-type AtnExample) */
  char *note;          /* (nullable) */
  guint note_layer;    /* the head that it speaks of */
  guint note_head;
  bool text_is_example;

  char *text;
  char *pair;
  guint layer;
  guint head;
  AtnStage stage;
  AtnWhatIf what_if;

  int query;
  int key;
  bool pinned;

  AtnColormap colormap;
  AtnRangeMode range_mode;
  bool log_scale;
  double zoom;
  double text_scale;
  bool show_baseline;

  AtnLane *run_lane;
  AtnLane *predictions_lane;
  AtnResult *result;           /* (nullable) */
  AtnPredictions *predictions; /* (nullable) */
  bool is_busy;
  char *error;      /* (nullable) */
  char *banner;     /* (nullable) */
  char *cut_notice; /* (nullable) */

  AtnLoad *load; /* (nullable) while a file is loaded */
  char *load_error;
};

/* atn-session-properties.c */
void atn_session_install_properties (GObjectClass *object_class);
void atn_session_notify (AtnSession *self, guint property_id);

void atn_session_emit (AtnSession *self, guint signal_id);
/* Replaces a string property; notifies if it is another one. */
void atn_session_take_string (AtnSession *self, char **field, char *value, guint property_id);

/* Sets text and pair with one run; @is_example: not typed by the user. */
void
atn_session_set_sentence (AtnSession *self, const char *text, const char *pair, bool is_example);
/* Brings layer, head, stage and cell back into what exists. */
void atn_session_clamp_selection (AtnSession *self);

/* atn-session-run.c */
void atn_session_queue_run (AtnSession *self);
void atn_session_drop_result (AtnSession *self);

G_END_DECLS
