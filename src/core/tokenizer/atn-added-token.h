/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Added tokens are cut out of the text before the model sees it, in two rounds: those
 * with "normalized": false from the typed text, the others from the normalized text,
 * after they were normalized themselves. In each round the leftmost match wins, and
 * among those that begin at the same place the longest.
 */

#pragma once

#include "tokenizer/atn-text-step.h"
#include "tokenizer/atn-vocabulary.h"

G_BEGIN_DECLS

typedef struct _AtnAddedTokens AtnAddedTokens;

/**
 * atn_added_tokens_new:
 * @json: (nullable): the "added_tokens" of a tokenizer.json
 * @vocabulary: the model's
 * @normalizer: steps of the normalizer
 *
 * Errors: ATN_ERROR_INVALID_FORMAT naming a token whose id is not the one that the model's
 *   vocabulary gives it, or that follows from the number of tokens before it. The reference
 *   silently uses that one, so the model behind it would read the wrong row.
 */
AtnAddedTokens *atn_added_tokens_new (const AtnJson *json,
                                      const AtnVocabulary *vocabulary,
                                      const GPtrArray *normalizer,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_added_tokens_free (AtnAddedTokens *self);

/* Turns matches into pieces with a token; @normalized says which round. */
void atn_added_tokens_split (const AtnAddedTokens *self, bool normalized, AtnAlignedText *text);

/* Those that the model's vocabulary does not have. */
const AtnVocabulary *atn_added_tokens_get_vocabulary (const AtnAddedTokens *self);
bool atn_added_tokens_has (const AtnAddedTokens *self, uint32_t id);
bool atn_added_tokens_is_special (const AtnAddedTokens *self, uint32_t id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnAddedTokens, atn_added_tokens_free)

G_END_DECLS
