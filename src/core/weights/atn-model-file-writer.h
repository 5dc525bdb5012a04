/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A weight store as one JSON model file: config, tokenizer and card as they are, tensors
 * as base64 in the type they have in their source, or as F16.
 */

#pragma once

#include "weights/atn-weights.h"

G_BEGIN_DECLS

/**
 * atn_weights_dup_model_file:
 * @name: the model's name, for sources that have none of their own
 * @overflows: (nullable) (element-type utf8): given, all tensors are rounded to F16, and a sentence
 * is added for each that stays as it is because a value of it is beyond F16
 *
 * Tensors of types that no model reads as weights (masks and indices that old Hugging Face files
 * carry along) are left out. Half floats come out with the same bits they had.
 *
 * Returns: (transfer full): the bytes of the file
 * Errors: those of atn_weights_get_floats()
 * Cost: the whole file in memory, 4/3 of the tensors' bytes
 */
GBytes *atn_weights_dup_model_file (AtnWeights *self,
                                    const char *name,
                                    GPtrArray *overflows,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
