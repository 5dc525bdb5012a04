/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The angles of rotary positions. Pair i turns by position · frequency[i]; what kinds of RoPE
 * differ in is how they stretch the frequencies for long texts (b = rope_theta, R = rotary_dim, s =
 * factor, L = original_n_ctx, f_i = b^(-2i/R), T = tokens of the text):
 *
 *   default   f_i
 *   linear    f_i / s
 *   dynamic   f_i with b · (s · max (T, L) / L - (s - 1))^(R / (R - 2)) for b
 *   llama3    f_i where the wavelength 2π / f_i < L / high, f_i / s where it is > L / low, and
 *             between them a mixture by L / wavelength
 *   yarn      f_i for pairs that turn often within L, f_i / s for those that turn seldom, a ramp
 *             between; cosines and sines times attention_factor
 *   longrope  f_i / short_i, or f_i / long_i if T > L; times attention_factor
 */

#pragma once

#include "model/atn-config.h"

G_BEGIN_DECLS

/**
 * atn_rope_fill_frequencies:
 * @n_tokens: length of the text
 * @frequencies: (out) [rotary_dim / 2]
 *
 * The angle of each pair from one position to the next, in the float arithmetic of Hugging Face's
 * modeling_rope_utils.py, so that angles agree at large positions, too.
 *
 * Source: Peng et al. 2023 (linear, dynamic, yarn), https://arxiv.org/abs/2309.00071;
 *   Ding et al. 2024 (longrope), https://arxiv.org/abs/2402.13753
 */
void atn_rope_fill_frequencies (const AtnConfig *config, size_t n_tokens, float *frequencies);

/**
 * atn_rope_fill_tables:
 * @cos_table: (out) [n_tokens, rotary_dim / 2]
 * @sin_table: (out) likewise
 * @back: tables that undo what the others do, scaling included
 *
 * Cost: allocates rotary_dim / 2 floats
 */
void atn_rope_fill_tables (const AtnConfig *config,
                           size_t n_tokens,
                           bool back,
                           float *cos_table,
                           float *sin_table);

G_END_DECLS
