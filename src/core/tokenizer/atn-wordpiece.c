/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The longest piece that the vocabulary has, then the longest one that continues it …
 * A word with a part that is in no piece, or with too many characters, is unknown as
 * a whole: BERT was trained with these two cliffs.
 */

#include "tokenizer/atn-word-model.h"

#include <string.h>

#define DEFAULT_MAX_CHARACTERS 100

typedef struct
{
  AtnWordModel parent;
  bool has_unknown;
  uint32_t unknown_id;
  size_t max_characters;
} WordPiece;

static gboolean
append_unknown (const WordPiece *self,
                const char *word,
                size_t length,
                GArray *parts,
                GError **error)
{
  AtnWordPart part = { self->unknown_id, 0, (uint32_t) length };

  if (!self->has_unknown) {
    atn_word_model_set_unknown_error (word, length, error);
    return FALSE;
  }
  g_array_append_val (parts, part);
  return TRUE;
}

/* Finds the longest start of @text in the vocabulary, behind @prefix_len bytes that are already in
 * @scratch; FALSE if there is none. No string is longer than the vocabulary's longest. */
static bool
find_longest (const AtnVocabulary *vocabulary,
              GString *scratch,
              size_t prefix_len,
              const char *text,
              size_t length,
              AtnWordPart *part)
{
  size_t max_len = atn_vocabulary_get_max_len (vocabulary);
  size_t end = max_len > prefix_len ? MIN (length, max_len - prefix_len) : 0;

  g_string_truncate (scratch, prefix_len);
  g_string_append_len (scratch, text, (gssize) end);
  for (; end > 0; end--) {
    bool is_boundary = end == length || ((uint8_t) text[end] & 0xC0) != 0x80;

    if (is_boundary &&
        atn_vocabulary_find (vocabulary, scratch->str, prefix_len + end, &part->id)) {
      part->end = part->start + (uint32_t) end;
      return true;
    }
  }
  return false;
}

static gboolean
encode (const AtnWordModel *model, const char *word, size_t length, GArray *parts, GError **error)
{
  const WordPiece *self = (const WordPiece *) model;
  size_t prefix_len = strlen (model->continuing_prefix);
  guint n_before = parts->len;
  g_autoptr (GString) scratch = NULL;

  if ((size_t) g_utf8_strlen (word, (gssize) length) > self->max_characters)
    return append_unknown (self, word, length, parts, error);

  scratch = g_string_new (NULL);
  for (size_t start = 0; start < length;) {
    AtnWordPart part = { 0, (uint32_t) start, 0 };

    g_string_assign (scratch, start > 0 ? model->continuing_prefix : "");
    if (!find_longest (model->vocabulary, scratch, start > 0 ? prefix_len : 0, word + start,
                       length - start, &part)) {
      g_array_set_size (parts, n_before);
      return append_unknown (self, word, length, parts, error);
    }
    g_array_append_val (parts, part);
    start = part.end;
  }
  return TRUE;
}

static void
free_wordpiece (AtnWordModel *model)
{
  g_free (model);
}

AtnWordModel *
atn_wordpiece_new (const AtnJson *json, AtnVocabulary *vocabulary, GError **error)
{
  WordPiece *wordpiece = g_new0 (WordPiece, 1);
  g_autoptr (AtnWordModel) self = &wordpiece->parent;
  const char *prefix = "##";
  const char *unknown = "[UNK]";

  self->vocabulary = vocabulary;
  self->encode = encode;
  self->free = free_wordpiece;
  self->unnamed_id = -1;
  wordpiece->max_characters = DEFAULT_MAX_CHARACTERS;
  if (!atn_json_read_string (json, "unk_token", ATN_JSON_OPTIONAL, &unknown, error) ||
      !atn_json_read_string (json, "continuing_subword_prefix", ATN_JSON_OPTIONAL, &prefix,
                             error) ||
      !atn_json_read_size (json, "max_input_chars_per_word", ATN_JSON_OPTIONAL, 0, G_MAXUINT32,
                           &wordpiece->max_characters, error))
    return NULL;

  self->continuing_prefix = g_strdup (prefix);
  wordpiece->has_unknown =
    atn_vocabulary_find (vocabulary, unknown, strlen (unknown), &wordpiece->unknown_id);
  return g_steal_pointer (&self);
}
