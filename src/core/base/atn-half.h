/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Numbers of 16 bits as floats, exactly: every half and every bfloat16 has a
 * float of the same value, subnormal numbers, infinities and NaN included.
 */

#pragma once

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

/**
 * atn_half_to_floats:
 * @src: [2 n] bytes, little endian, of any alignment
 * @dst: (out) [n]
 *
 * Converts IEEE binary16 (F16 in files).
 */
void atn_half_to_floats (const guint8 *src, float *dst, size_t n);

/* The same for bfloat16 (BF16 in files): the upper half of a float. */
void atn_bfloat16_to_floats (const guint8 *src, float *dst, size_t n);

/* The half float nearest to @value, ties to even; infinity from 65,520 on. */
guint16 atn_half_from_float (float value);

G_END_DECLS
