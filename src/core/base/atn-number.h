/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Numbers as text, whatever the locale, and fast: a file of all heads of a
 * sentence has millions of them.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Room for any float that atn_number_write_float() writes, with its NUL. */
#define ATN_NUMBER_FLOAT_SIZE 24

/**
 * atn_number_write_float:
 * @out: (out) [ATN_NUMBER_FLOAT_SIZE]
 * @value: a finite float
 *
 * Writes the shortest of %.6g, %.7g, %.8g and %.9g that comes back as the same float, read as a
 * float or as a double.
 *
 * Returns: the length
 */
size_t atn_number_write_float (char *out, float value);

/**
 * atn_number_read:
 * @text: [length] a number as JSON writes it, which the caller has checked
 *
 * Returns: the nearest double; an infinity if it is too large
 */
double atn_number_read (const char *text, size_t length);

G_END_DECLS
