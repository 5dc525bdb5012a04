/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Good numbers for the ticks of a scale: 1, 2 or 5 times a power of ten; powers of ten
 * on a log scale.
 */

#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ATN_MAX_TICKS 16

/* Fills @ticks [ATN_MAX_TICKS] with at most @n_wanted (2 … 15) + 1 increasing numbers inside
 * [@low, @high] and returns how many. */
size_t atn_ticks_linear (double low, double high, size_t n_wanted, double *ticks);
/* @low > 0. If there is no power of ten in between, 2 and 5 times one are taken, too. */
size_t atn_ticks_log (double low, double high, size_t n_wanted, double *ticks);

/* A number with @digits significant digits at most, without zeros at its end, a real minus sign
 * and an exponent only for very large and small ones; the locale plays no part. (transfer full) */
char *atn_ticks_dup_text (double value, int digits);
