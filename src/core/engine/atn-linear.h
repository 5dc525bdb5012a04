/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include "model/atn-slots.h"

G_BEGIN_DECLS

/**
 * atn_linear_apply:
 * @x: [n, d_in]
 * @n: rows
 * @add: (nullable) [n, d_out] what is added to the product; may be @y
 * @n_workers: threads to use, see atn-workers.h
 * @y: (out) [n, d_out]
 *
 *   y = x W + bias + add
 *
 * Bias and @add are laid down first and the product is added to them: that costs no more than
 * clearing @y would. Workers share the columns of the weight, so that each part of it is
 * packed by one of them only.
 */
void atn_linear_apply (const AtnLinear *self,
                       const float *x,
                       size_t n,
                       const float *add,
                       size_t n_workers,
                       float *y);

/* y [n, d_out] = x [n, d_in / n_groups] W[rows of group], without bias: what one head's share of
 * the inputs gives. */
void atn_linear_apply_group (const AtnLinear *self,
                             size_t group,
                             size_t n_groups,
                             const float *x,
                             size_t n,
                             size_t x_stride,
                             float *y);

G_END_DECLS
