/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Which pairs of tokens merge: (left id, right id) → rank and the id they become.
 */

#pragma once

#include "tokenizer/atn-word-model.h"

G_BEGIN_DECLS

typedef struct _AtnBpeMerges AtnBpeMerges;

/**
 * atn_bpe_merges_new:
 * @json: an array of "left right" or, in files since 2024, ["left", "right"]
 * @prefix_len: bytes at the start of a right part that the merged string leaves out
 *
 * Errors: ATN_ERROR_INVALID_FORMAT naming the index of a malformed entry, or the string that is
 *   not in the vocabulary
 */
AtnBpeMerges *atn_bpe_merges_new (const AtnJson *json,
                                  const AtnVocabulary *vocabulary,
                                  size_t prefix_len,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_bpe_merges_free (AtnBpeMerges *self);

bool atn_bpe_merges_find (const AtnBpeMerges *self,
                          uint32_t left,
                          uint32_t right,
                          uint32_t *rank,
                          uint32_t *new_id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnBpeMerges, atn_bpe_merges_free)

G_END_DECLS
