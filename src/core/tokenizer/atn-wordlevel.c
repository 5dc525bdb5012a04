/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One word, one token.
 */

#include "tokenizer/atn-word-model.h"

#include <string.h>

typedef struct
{
  AtnWordModel parent;
  bool has_unknown;
  uint32_t unknown_id;
} WordLevel;

static gboolean
encode (const AtnWordModel *model, const char *word, size_t length, GArray *parts, GError **error)
{
  const WordLevel *self = (const WordLevel *) model;
  AtnWordPart part = { self->unknown_id, 0, (uint32_t) length };

  if (!atn_vocabulary_find (model->vocabulary, word, length, &part.id) && !self->has_unknown) {
    atn_word_model_set_unknown_error (word, length, error);
    return FALSE;
  }
  g_array_append_val (parts, part);
  return TRUE;
}

static void
free_word_level (AtnWordModel *model)
{
  g_free (model);
}

AtnWordModel *
atn_wordlevel_new (const AtnJson *json, AtnVocabulary *vocabulary, GError **error)
{
  WordLevel *word_level = g_new0 (WordLevel, 1);
  g_autoptr (AtnWordModel) self = &word_level->parent;
  const char *unknown = NULL;

  self->vocabulary = vocabulary;
  self->encode = encode;
  self->free = free_word_level;
  self->unnamed_id = -1;
  if (!atn_json_read_string (json, "unk_token", ATN_JSON_OPTIONAL, &unknown, error))
    return NULL;

  word_level->has_unknown =
    unknown != NULL &&
    atn_vocabulary_find (vocabulary, unknown, strlen (unknown), &word_level->unknown_id);
  return g_steal_pointer (&self);
}
