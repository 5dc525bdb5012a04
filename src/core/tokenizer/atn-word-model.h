/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The model of a tokenizer.json: one word in, ids out. BPE, Unigram, WordPiece and
 * WordLevel each begin with this struct and set its functions.
 */

#pragma once

#include "tokenizer/atn-vocabulary.h"

G_BEGIN_DECLS

typedef struct _AtnWordModel AtnWordModel;

typedef struct
{
  uint32_t id;
  uint32_t start; /* bytes of the word, end exclusive */
  uint32_t end;
} AtnWordPart;

struct _AtnWordModel
{
  AtnVocabulary *vocabulary;
  char *continuing_prefix; /* (nullable): before a part that is not a word's first */
  char *word_suffix;       /* (nullable): after a word's last part */
  bool has_byte_tokens;    /* <0x00> to <0xFF> stand for bytes */
  int64_t unnamed_id;      /* Unigram's unknown token, which the reference calls by its text; -1 */

  /* Appends the AtnWordPart-s of @word, at least one byte long, to @parts. */
  gboolean (*encode) (const AtnWordModel *self,
                      const char *word,
                      size_t length,
                      GArray *parts,
                      GError **error);
  void (*free) (AtnWordModel *self);
};

/**
 * atn_word_model_new:
 * @json: the "model" of a tokenizer.json
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming an unknown model; ATN_ERROR_INVALID_FORMAT naming an entry
 *   of the vocabulary or the merges
 */
AtnWordModel *atn_word_model_new (const AtnJson *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_word_model_free (AtnWordModel *self);

/* For atn_word_model_new(); @vocabulary becomes the model's even on failure. */
AtnWordModel *atn_unigram_new (const AtnJson *json, GError **error);
AtnWordModel *atn_bpe_new (const AtnJson *json, AtnVocabulary *vocabulary, GError **error);
AtnWordModel *atn_wordpiece_new (const AtnJson *json, AtnVocabulary *vocabulary, GError **error);
AtnWordModel *atn_wordlevel_new (const AtnJson *json, AtnVocabulary *vocabulary, GError **error);

/* The ids of <0x00> to <0xFF>, -1 where there is none. */
void atn_word_model_find_bytes (const AtnWordModel *self, int32_t ids[256]);

/* What a model says that has no token for @word, not even an unknown one. */
void atn_word_model_set_unknown_error (const char *word, size_t length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnWordModel, atn_word_model_free)

G_END_DECLS
