/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-word-model.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A word of a whole pasted book must not fill the window with its error. */
#define MAX_SHOWN_BYTES 60

/* Files before 2021 have no type; the members tell, as in the reference. */
static const char *
guess_type (const AtnJson *json)
{
  const AtnJson *vocab = atn_json_get_member (json, "vocab");

  if (atn_json_get_member (json, "merges") != NULL)
    return "BPE";
  if (atn_json_get_member (json, "continuing_subword_prefix") != NULL ||
      atn_json_get_member (json, "max_input_chars_per_word") != NULL)
    return "WordPiece";
  if (vocab != NULL && atn_json_get_kind (vocab) == ATN_JSON_ARRAY)
    return "Unigram";
  return "WordLevel";
}

static AtnWordModel *
create_with_vocabulary (const AtnJson *json, const char *type, GError **error)
{
  static const struct
  {
    const char *type;
    AtnWordModel *(*create) (const AtnJson *json, AtnVocabulary *vocabulary, GError **error);
  } kinds[] = {
    { "BPE", atn_bpe_new },
    { "WordLevel", atn_wordlevel_new },
    { "WordPiece", atn_wordpiece_new },
  };
  const AtnJson *vocab;
  size_t kind = 0;
  AtnVocabulary *vocabulary;

  while (kind < G_N_ELEMENTS (kinds) && !g_str_equal (kinds[kind].type, type))
    kind++;
  if (kind == G_N_ELEMENTS (kinds)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("Tokenizer model “%s” is not supported"), type);
    return NULL;
  }
  if (!atn_json_read_node (json, "vocab", ATN_JSON_REQUIRED, ATN_JSON_OBJECT, &vocab, error))
    return NULL;

  vocabulary = atn_vocabulary_new_from_json (vocab, error);
  return vocabulary == NULL ? NULL : kinds[kind].create (json, vocabulary, error);
}

AtnWordModel *
atn_word_model_new (const AtnJson *json, GError **error)
{
  const char *type = guess_type (json);

  if (!atn_json_read_string (json, "type", ATN_JSON_OPTIONAL, &type, error))
    return NULL;
  if (g_str_equal (type, "Unigram"))
    return atn_unigram_new (json, error);
  return create_with_vocabulary (json, type, error);
}

void
atn_word_model_find_bytes (const AtnWordModel *self, int32_t ids[256])
{
  for (unsigned byte = 0; byte < 256; byte++) {
    char name[8];
    uint32_t id;

    g_snprintf (name, sizeof name, "<0x%02X>", byte);
    ids[byte] =
      atn_vocabulary_find (self->vocabulary, name, strlen (name), &id) ? (int32_t) id : -1;
  }
}

void
atn_word_model_free (AtnWordModel *self)
{
  atn_vocabulary_free (self->vocabulary);
  g_free (self->continuing_prefix);
  g_free (self->word_suffix);
  self->free (self);
}

void
atn_word_model_set_unknown_error (const char *word, size_t length, GError **error)
{
  g_autofree char *shown = g_utf8_make_valid (word, (gssize) MIN (length, MAX_SHOWN_BYTES));

  /* A message is one line, whatever the word holds. */
  for (char *p = shown; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = ' ';
  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“%s” is not in the vocabulary, and the tokenizer has no unknown token"), shown);
}
