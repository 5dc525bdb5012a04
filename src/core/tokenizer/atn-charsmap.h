/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * SentencePiece's precompiled_charsmap, the Precompiled normalizer of T5, XLM-R,
 * ALBERT …: a table of what is replaced by what (mostly NFKC), compiled to
 *
 *   u32 size │ trie: a double array of u32 units │ replacements, each with its NUL
 *
 * A unit has its label in bits 0-7, in bit 8 whether a key ends there, and in bits 10-30
 * the offset to its children: child = position ^ offset ^ byte. The child for byte 0 is
 * the value, with bit 31 set: where the replacement begins.
 *
 * Like the reference it asks for whole grapheme clusters below 6 bytes first, and takes
 * the shortest key that they begin with: what comes behind it in the cluster is lost.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _AtnCharsmap AtnCharsmap;

/**
 * atn_charsmap_new:
 * @base64: the precompiled_charsmap of a tokenizer.json
 *
 * Errors: ATN_ERROR_INVALID_FORMAT if it is no base64, shorter than it says, or its replacements
 *   are no UTF-8
 */
AtnCharsmap *atn_charsmap_new (const char *base64, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_charsmap_free (AtnCharsmap *self);

/* For an AtnEditFunc: appends the AtnEdit-s of @characters to @edits. */
void atn_charsmap_edit (const AtnCharsmap *self,
                        const gunichar *characters,
                        size_t n_characters,
                        GArray *edits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnCharsmap, atn_charsmap_free)

G_END_DECLS
