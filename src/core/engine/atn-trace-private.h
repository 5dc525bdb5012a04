/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the forward pass fills and the views read; see atn-trace.h for the layout.
 */

#pragma once

#include "engine/atn-trace.h"
#include "model/atn-slots.h"

G_BEGIN_DECLS

struct _AtnTrace
{
  gatomicrefcount ref_count;
  AtnModel *model;
  AtnTokens *tokens;
  AtnWhatIf what_if;
  size_t n_tokens;
  float *block;      /* everything below points into it */
  size_t layer_size; /* floats of one layer: resid_pre | q | k | v */
  size_t q_offset;   /* floats from the start of a layer */
  size_t k_offset;
  size_t v_offset;
  float *position_bias; /* [n_heads, 2 · n_tokens - 1] or NULL */
};

/* (transfer full): a trace whose numbers but for position_bias are not there yet; NULL with @error
 * set if it is too large. The model's weights have been loaded. */
AtnTrace *atn_trace_new (AtnModel *model,
                         AtnTokens *tokens,
                         const AtnWhatIf *what_if,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Layer n_layers is the final residual. */
static inline float *
atn_trace_layer (const AtnTrace *self, size_t layer)
{
  return self->block + layer * self->layer_size;
}

G_END_DECLS
