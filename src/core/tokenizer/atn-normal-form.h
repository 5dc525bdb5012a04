/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Unicode's normal forms as edits, so that the alignment goes through them. GLib's
 * g_utf8_normalize() gives the same text but no alignment.
 */

#pragma once

#include "tokenizer/atn-aligned-text.h"

G_BEGIN_DECLS

void atn_normal_form_nfd (const gunichar *characters,
                          size_t n_characters,
                          GArray *edits,
                          size_t *n_dropped,
                          gconstpointer data);
void atn_normal_form_nfkd (const gunichar *characters,
                           size_t n_characters,
                           GArray *edits,
                           size_t *n_dropped,
                           gconstpointer data);
void atn_normal_form_nfc (const gunichar *characters,
                          size_t n_characters,
                          GArray *edits,
                          size_t *n_dropped,
                          gconstpointer data);
void atn_normal_form_nfkc (const gunichar *characters,
                           size_t n_characters,
                           GArray *edits,
                           size_t *n_dropped,
                           gconstpointer data);

G_END_DECLS
