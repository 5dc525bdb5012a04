/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What fuzz targets do with a model that could be opened, and with its tensors.
 */

#pragma once

#include "atn-fuzz.h"
#include "engine/atn-request.h"

/* Adds up every number, so that a read behind the file would be seen. */
static inline void
atn_fuzz_read_tensors (AtnWeights *weights)
{
  for (size_t i = 0; i < atn_weights_get_n_tensors (weights); i++) {
    const AtnTensorInfo *info = atn_weights_get_info (weights, i);
    g_autoptr (GError) error = NULL;
    const float *values =
      atn_weights_get_floats (weights, info->name, info->n_dims, info->shape, &error);
    float sum = 0;

    atn_fuzz_check_error (values != NULL, error);
    for (size_t j = 0; values != NULL && j < info->n_elements; j++)
      sum += values[j];
    g_assert (values == NULL || sum == sum || info->n_elements > 1);
  }
}

static inline void
atn_fuzz_run (AtnModel *model, const char *text)
{
  const AtnRequest request = { .model = model, .text = text, .text_len = -1, .truncate = true };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnResult) result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);

  atn_fuzz_check_error (result != NULL, error);
  if (result == NULL || result->trace == NULL)
    return;

  atn_matrix_unref (atn_trace_dup_matrix (result->trace, 0, 0, ATN_STAGE_PATTERN, NULL));
}
