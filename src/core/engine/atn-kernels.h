/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Everything but matrix products that touches every number: softmax, norms,
 * activations, rotation. A kernel cannot fail, allocates nothing, knows no model.
 *
 * Loops are written over fixed lanes, so that the compiler turns them into
 * vector code for each kind of processor without reordering a sum on its own:
 * a row's sum has the same order on every machine. IEEE rules hold throughout.
 */

#pragma once

#include "model/atn-config.h"

G_BEGIN_DECLS

/**
 * atn_softmax_row:
 * @row: (inout) [n] scores; -INFINITY is a key that may not be seen
 * @n: keys
 * @temperature: above 0
 *
 *   row = exp ((row - max) / temperature) / Σ exp ((row - max) / temperature)
 *
 * A row without any visible key becomes 0 everywhere. Keys at +INFINITY share the row evenly.
 */
void atn_softmax_row (float *row, size_t n, float temperature);

/**
 * atn_layernorm_rows:
 * @dst: (out) [n_rows, n], may be @src
 * @src: [n_rows, n]
 * @weight: (nullable) [n]
 * @bias: (nullable) [n]
 *
 *   dst = (src - mean) / √(variance + eps) · weight + bias
 *
 * Source: Ba et al. 2016, eq. (4), https://arxiv.org/abs/1607.06450
 */
void atn_layernorm_rows (float *dst,
                         const float *src,
                         size_t n_rows,
                         size_t n,
                         const float *weight,
                         const float *bias,
                         float eps);

/**
 * atn_rmsnorm_rows:
 * @weight: (nullable) [n]
 * @weight_offset: what is added to each weight: 1 in Gemma, whose files hold the difference
 *
 *   dst = src / √(mean (src²) + eps) · (weight + weight_offset)
 *
 * Source: Zhang and Sennrich 2019, eq. (4), https://arxiv.org/abs/1910.07467
 */
void atn_rmsnorm_rows (float *dst,
                       const float *src,
                       size_t n_rows,
                       size_t n,
                       const float *weight,
                       float weight_offset,
                       float eps);

/* values [n] = activation (values), in place. */
void atn_activate (AtnActivation activation, float *values, size_t n);

/* values [n] *= factor */
void atn_scale (float *values, size_t n, float factor);

/* values [n] = cap · tanh (values / cap): keeps them within ±cap. Gemma Team 2024, section 2,
 * https://arxiv.org/abs/2408.00118 */
void atn_cap (float *values, size_t n, float cap);

/* values [n] += slope · (0, 1, 2 …) */
void atn_add_slope (float *values, size_t n, float slope);

/* dst [n] *= src [n] */
void atn_multiply (float *dst, const float *src, size_t n);

/* dst [n_rows, n] = src [n_rows, n] + row [n]; @src and @row may each be NULL, @dst may be @src. */
void atn_add_row (float *dst, const float *src, const float *row, size_t n_rows, size_t n);

/**
 * atn_rope_fill:
 * @cos_table: (out) [n_tokens, n_pairs]
 * @sin_table: (out) likewise
 * @frequencies: [n_pairs] angle from one position to the next, see atn-rope.h
 * @factor: cosines and sines are multiplied by it
 *
 * Angles position · frequency, rounded to float as Hugging Face rounds them, so that long
 * inputs agree with it too.
 *
 * Source: Su et al. 2021, eq. (15), https://arxiv.org/abs/2104.09864
 */
void atn_rope_fill (float *cos_table,
                    float *sin_table,
                    size_t n_tokens,
                    size_t n_pairs,
                    const float *frequencies,
                    float factor);

/**
 * atn_rope_rotate:
 * @heads: (inout) [n_heads, d_head] one token's queries or keys
 * @pairs: which dimensions turn together
 * @cos_row: [n_pairs] the token's angles
 * @sin_row: likewise; its negative turns back
 *
 * Turns the first 2 · n_pairs dimensions of each head: the pairs (i, i + n_pairs), Hugging Face's
 * "split halves", or the original paper's (2i, 2i + 1), the same thing on permuted weights.
 */
void atn_rope_rotate (float *heads,
                      size_t n_heads,
                      size_t d_head,
                      AtnRopePairs pairs,
                      size_t n_pairs,
                      const float *cos_row,
                      const float *sin_row);

/* norms [n_rows] = ‖rows [n_rows, n]‖ */
void atn_row_norms (float *norms, const float *rows, size_t n_rows, size_t n);

G_END_DECLS
