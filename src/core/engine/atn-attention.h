/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One head's attention in blocks of rows. The forward pass and the views call
 * the same function, so what is shown is what was computed.
 *
 *        keys ──►
 *   q   ┌──────┬───────────┐    A block of rows of a causal head ends at the diagonal:
 *   u   │██▄   │           │    n_keys = first row + rows; what lies right of it is
 *   e   ├──────┴──┬────────┤    neither computed nor read.
 *   r   │████████▄│        │
 *   y   └─────────┴────────┘
 *
 * With a window the row of query i begins at i - window + 1; cells before that are computed and
 * then forbidden.
 */

#pragma once

#include "engine/atn-stage.h"

G_BEGIN_DECLS

/* Rows of a block in the forward pass and in the views. Larger ones waste more of a causal
 * head's diagonal, smaller ones make poorer products. */
#define ATN_ATTENTION_BLOCK 64

typedef struct
{
  size_t n_tokens;
  size_t d_head;
  size_t d_v;
  const float *q; /* [n_tokens, d_head], rows q_stride apart; likewise the others */
  size_t q_stride;
  const float *k;
  size_t k_stride;
  const float *v; /* [n_tokens, d_v] */
  size_t v_stride;
  float scale;
  float cap;         /* scores are bent to ± this; 0: none */
  float alibi_slope; /* times the key's position is added to scores; 0: none */
  /* [2 · n_tokens - 1] is added to scores, the one at n_tokens - 1 + key - query; NULL: none */
  const float *position_bias;
  float temperature;
  bool causal;
  size_t window; /* keys less than this far away; 0: all */
} AtnHead;

/* Which scale, cap, temperature and mask hold for heads of @layer. */
void atn_head_init (AtnHead *self,
                    const AtnConfig *config,
                    const AtnWhatIf *what_if,
                    size_t layer,
                    size_t n_tokens);

/**
 * atn_head_set_vectors:
 * @q: [n_tokens, n_heads, d_head] of the whole layer
 * @k: [n_tokens, n_kv_heads, d_head]
 * @v: [n_tokens, n_kv_heads, d_v]
 * @position_bias: (nullable) [n_heads, 2 · n_tokens - 1]
 *
 * Picks the vectors of query head @head (query heads share keys and values in runs), and its slope
 * or its row of the position bias.
 */
void atn_head_set_vectors (AtnHead *self,
                           const AtnConfig *config,
                           size_t head,
                           const float *q,
                           const float *k,
                           const float *v,
                           const float *position_bias);

/* Query @query may see the keys from *@begin to before *@end, at least itself. */
void atn_head_get_visible (const AtnHead *self, size_t query, size_t *begin, size_t *end);

/* Whether any cell is forbidden. */
bool atn_head_has_mask (const AtnHead *self);

/* How many keys rows @first … @first + @n - 1 may see at most. */
size_t atn_head_count_keys (const AtnHead *self, size_t first, size_t n);

/**
 * atn_head_compute_block:
 * @stage: DOT to PATTERN; a stage that the model doesn't have equals the one before
 * @n_keys: columns wanted; for MASKED and PATTERN at most atn_head_count_keys(), since what is
 * beyond is forbidden
 * @values: (out) [n, n_keys], rows @stride apart
 */
void atn_head_compute_block (const AtnHead *self,
                             AtnStage stage,
                             size_t first,
                             size_t n,
                             size_t n_keys,
                             float *values,
                             size_t stride);

/* z [n, d_v], rows @z_stride apart, = pattern [n, n_keys] @ v */
void atn_head_mix_values (const AtnHead *self,
                          const float *pattern,
                          size_t n,
                          size_t n_keys,
                          float *z,
                          size_t z_stride);

G_END_DECLS
