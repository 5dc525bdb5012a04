/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From the last residual to probabilities over the whole vocabulary.
 */

#pragma once

#include "engine/atn-trace.h"

G_BEGIN_DECLS

typedef struct
{
  uint32_t id;
  float logit;
  float probability; /* over the whole vocabulary */
} AtnPrediction;

/* Whether the model has a prediction head at all. */
bool atn_model_can_predict (const AtnModel *model);

/* Fills @logits [d_vocab] of one position (next token, or the token in place for a masked model).
 */
void atn_trace_compute_logits (const AtnTrace *self, size_t position, float *logits);

/* Softmax of @logits [n] in place, in double, largest subtracted. */
void atn_logits_to_probabilities (float *logits, size_t n);

/* The @n_top largest of @logits [d_vocab], best first, ties by id; returns how many. */
size_t atn_predict_top (const float *logits, size_t d_vocab, size_t n_top, AtnPrediction *top);

/**
 * atn_model_get_mask_token:
 * @id: (out) (optional): its id
 *
 * Returns: (nullable): what to type for the token that a masked model fills: [MASK] of BERT,
 *   <mask> of RoBERTa; NULL if the model predicts something else or has no such token
 */
const char *atn_model_get_mask_token (const AtnModel *model, uint32_t *id);

/* (element-type size_t): the positions to predict: the last one of a causal model, each mask
 * token of a masked one (none if there is none). (transfer full) */
GArray *atn_trace_dup_predicted_positions (const AtnTrace *self);

G_END_DECLS
