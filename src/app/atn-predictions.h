/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The panel's numbers: the most probable tokens at each predicted position,
 * with their probabilities as trained beside those of the what-if.
 */

#pragma once

#include "engine/atn-request.h"

G_BEGIN_DECLS

typedef struct
{
  uint32_t id;
  char *label;      /* owned; as it is drawn */
  char *appendable; /* owned (nullable): what to type for it, for the next token only */
  double probability;
  double baseline; /* as trained; = probability where nothing was changed */
} AtnPredictedToken;

typedef struct
{
  size_t position; /* of the token that predicts, or of the [MASK] */
  GArray *tokens;  /* (element-type AtnPredictedToken) best first */
} AtnPredictedPosition;

typedef struct
{
  gatomicrefcount ref_count;
  bool can_predict;       /* the model has a prediction head */
  bool is_masked_lm;      /* positions are those of mask_token */
  const char *mask_token; /* (nullable): as atn_model_get_mask_token(); static */
  bool has_baseline;      /* the what-if moved the probabilities */
  GPtrArray *positions;   /* (element-type AtnPredictedPosition) may be empty */
} AtnPredictions;

/**
 * atn_predictions_new:
 * @text: (nullable): the sentence, to know what must be typed for a token
 * @n_top: tokens for each position
 *
 * Returns: (transfer full): NULL if cancelled
 * Threads: the compute thread
 */
AtnPredictions *atn_predictions_new (const AtnResult *result,
                                     const char *text,
                                     size_t n_top,
                                     GCancellable *cancellable) G_GNUC_WARN_UNUSED_RESULT;
AtnPredictions *atn_predictions_ref (AtnPredictions *self);
void atn_predictions_unref (AtnPredictions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnPredictions, atn_predictions_unref)

G_END_DECLS
