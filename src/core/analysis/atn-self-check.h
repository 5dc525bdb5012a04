/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Whether a model can be believed on this machine, asked of the model itself: no reference
 * is needed, and each answer is one line with the largest difference that was seen.
 *
 *   tokenizer   text → ids → text → ids: the ids must come back
 *   tensors     every number of every tensor must be finite
 *   rows        each row of weights, of all layers and heads, must sum to 1
 *   float64     the weights of a sample of heads, recomputed in double from q and k, must be the
 * same
 *
 *   AtnSelfCheck *check = atn_self_check_run (model, progress, data, cancellable, &error);
 *   for (int i = 0; i < ATN_N_SELF_CHECKS; i++)
 *     show (atn_self_check_get_title (i), check->lines[i].passed, check->lines[i].sentence);
 */

#pragma once

#include "model/atn-model.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_SELF_CHECK_TOKENIZER,
  ATN_SELF_CHECK_TENSORS,
  ATN_SELF_CHECK_ROWS,
  ATN_SELF_CHECK_FLOAT64,
  ATN_N_SELF_CHECKS
} AtnSelfCheckKind;

typedef struct
{
  bool passed;
  /* Largest difference seen: of a row's sum from 1, of a weight from its twin in double; of the
   * first two checks the number of texts that did not come back, of tensors that are not finite. */
  double difference;
  double limit;   /* passed: difference is at most this */
  char *sentence; /* what was looked at and what was seen, translated, without a full stop */
} AtnSelfCheckLine;

typedef struct
{
  AtnSelfCheckLine lines[ATN_N_SELF_CHECKS]; /* by AtnSelfCheckKind */
} AtnSelfCheck;

/* "tokenizer", "tensors", "rows", "float64": the name in text; and the title on screen, translated.
 */
const char *atn_self_check_get_name (AtnSelfCheckKind kind);
const char *atn_self_check_get_title (AtnSelfCheckKind kind);

/**
 * atn_self_check_run:
 * @progress: (nullable): told from 0 to 1, between two tensors, layers or heads, so that it may
 * also let other work go first
 *
 * Runs all checks. What a check finds is in its line, also that tensors cannot be read; then rows
 * and float64 say that they could not be looked at, and have not passed.
 *
 * Returns: (transfer full)
 * Errors: G_IO_ERROR_CANCELLED, and nothing else
 * Cost: reads every tensor; one forward pass for each of up to three short texts
 * Threads: the compute thread
 */
AtnSelfCheck *atn_self_check_run (AtnModel *model,
                                  AtnProgressFunc progress,
                                  gpointer progress_data,
                                  GCancellable *cancellable,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_self_check_free (AtnSelfCheck *self);

/* Whether every line has passed. */
bool atn_self_check_has_passed (const AtnSelfCheck *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnSelfCheck, atn_self_check_free)

G_END_DECLS
