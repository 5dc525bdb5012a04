/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include "model/atn-slots.h"

G_BEGIN_DECLS

/* dst [n_rows, n] = the model's kind of norm of src [n_rows, n]; @dst may be @src. */
void atn_norm_apply (const AtnNormWeights *self,
                     const AtnConfig *config,
                     const float *src,
                     size_t n_rows,
                     size_t n,
                     float *dst);

/* The same for each head by itself: heads [n_rows, n_heads, d_head], in place. @norms has one entry
 * for each head, or one for all (see AtnQkNorm). */
void atn_norm_apply_to_heads (const AtnNormWeights *norms,
                              const AtnConfig *config,
                              size_t n_rows,
                              size_t n_heads,
                              float *heads);

G_END_DECLS
