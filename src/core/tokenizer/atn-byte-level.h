/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * GPT-2's alphabet: each of the 256 bytes is written as one visible character, so
 * that a vocabulary of strings can hold any bytes. Printable Latin-1 stands for
 * itself, the others for U+0100 and up in their order: a space is Ġ, a line end Ċ.
 */

#pragma once

#include "tokenizer/atn-aligned-text.h"

G_BEGIN_DECLS

gunichar atn_byte_level_get_character (uint8_t byte);

/* The byte a character stands for, -1 if it is not of the alphabet. */
int atn_byte_level_get_byte (gunichar character);

/* An AtnEditFunc: writes every byte as its character. */
void atn_byte_level_edit (const gunichar *characters,
                          size_t n_characters,
                          GArray *edits,
                          size_t *n_dropped,
                          gconstpointer data);

/* An AtnSplitFunc: GPT-2's pattern,
 * 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ */
gboolean atn_byte_level_split (const char *text,
                               size_t length,
                               GArray *matches,
                               gconstpointer data,
                               GError **error);

G_END_DECLS
