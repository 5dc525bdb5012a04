/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Strings with ids, found both ways. Look-ups take a length, because models ask for
 * parts of words; the longest string bounds how long a part is worth asking for.
 *
 *   slots    hash → entry, open addressing, at most half full
 *   entries  text offset, length, id
 *   ids      id → entry, with gaps
 */

#pragma once

#include "base/atn-json.h"

#include <stdint.h>

G_BEGIN_DECLS

typedef struct _AtnVocabulary AtnVocabulary;

/* Real vocabularies end at 262,144; a larger table is a broken file. */
#define ATN_VOCABULARY_MAX_ID ((1u << 24) - 1)

AtnVocabulary *atn_vocabulary_new (void) G_GNUC_WARN_UNUSED_RESULT;
void atn_vocabulary_free (AtnVocabulary *self);

/**
 * atn_vocabulary_new_from_json:
 * @json: an object {string: id}
 *
 * Errors: ATN_ERROR_INVALID_FORMAT naming an entry whose id is no whole number from 0 to
 *   ATN_VOCABULARY_MAX_ID, or whose id or string is there twice
 */
AtnVocabulary *atn_vocabulary_new_from_json (const AtnJson *json,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE if the string or the id is taken. */
gboolean atn_vocabulary_add (AtnVocabulary *self, const char *text, uint32_t id);

bool atn_vocabulary_find (const AtnVocabulary *self, const char *text, size_t length, uint32_t *id);
/* (nullable): NULL for an id that is not there. */
const char *atn_vocabulary_get_text (const AtnVocabulary *self, uint32_t id);
size_t atn_vocabulary_get_n_entries (const AtnVocabulary *self);
/* Largest id + 1. */
size_t atn_vocabulary_get_n_ids (const AtnVocabulary *self);
/* Bytes of the longest string. */
size_t atn_vocabulary_get_max_len (const AtnVocabulary *self);

/* A whole number from 0 to ATN_VOCABULARY_MAX_ID; @name names it in the error. */
gboolean
atn_vocabulary_read_id (const AtnJson *json, const char *name, uint32_t *id, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnVocabulary, atn_vocabulary_free)

G_END_DECLS
