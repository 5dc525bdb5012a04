/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The vocabulary of a GGUF file, and what the files that build a tokenizer from it share.
 */

#pragma once

#include "weights/atn-gguf-family.h"

G_BEGIN_DECLS

/* Longer than any piece of a real vocabulary; finding the merges of one costs its square. */
#define ATN_GGUF_TOKEN_MAX_LEN 1024

typedef enum
{
  ATN_GGUF_TOKEN_NORMAL = 1,
  ATN_GGUF_TOKEN_UNKNOWN,
  ATN_GGUF_TOKEN_CONTROL,
  ATN_GGUF_TOKEN_USER_DEFINED,
  ATN_GGUF_TOKEN_UNUSED,
  ATN_GGUF_TOKEN_BYTE,
} AtnGgufTokenKind;

typedef struct
{
  GPtrArray *texts;    /* (element-type utf8), each once; the index is the id */
  GArray *kinds;       /* (element-type double) AtnGgufTokenKind; may be empty */
  GHashTable *by_text; /* text → id + 1; borrows from texts */
} AtnGgufVocabulary;

AtnGgufVocabulary *atn_gguf_vocabulary_new (const AtnGguf *gguf,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_gguf_vocabulary_free (AtnGgufVocabulary *self);

AtnGgufTokenKind atn_gguf_vocabulary_get_kind (const AtnGgufVocabulary *self, size_t id);
/* (nullable) (transfer none): NULL for an id that is not there. */
const char *atn_gguf_vocabulary_get_text (const AtnGgufVocabulary *self, size_t id);

/**
 * atn_gguf_append_score_merges:
 *
 * Appends the array of merges that make the same pieces as SentencePiece's rule does: of two
 * neighbours whose text together is a piece, those are joined first whose piece has the highest
 * score. Every piece that is two others gives a merge; merges are sorted by the piece's score.
 * They are those of Hugging Face's generate_merges(), in its order.
 *
 * Errors: ATN_ERROR_INVALID_FORMAT for scores that are no numbers
 * Cost: for each piece the square of its length
 */
gboolean atn_gguf_append_score_merges (const AtnGguf *gguf,
                                       const AtnGgufVocabulary *vocabulary,
                                       GString *json,
                                       GError **error);

/**
 * atn_gguf_append_splits:
 * @kind: what tokenizer.ggml.pre says
 *
 * Appends the members normalizer and pre_tokenizer of a byte-level vocabulary.
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming @kind
 */
gboolean atn_gguf_append_splits (GString *json, const char *kind, GError **error);
/* Whether llama.cpp takes a word that is in the vocabulary as it is, and whether it begins a text
 * with the token for that, where the metadata do not say. */
bool atn_gguf_split_ignores_merges (const char *kind);
bool atn_gguf_split_adds_bos (const char *kind);

/* What stands around a text, or between and around two; the texts are those of tokens. */
typedef struct
{
  const char *before;  /* (nullable) */
  const char *between; /* (nullable) */
  const char *after;   /* (nullable) */
  bool is_twice;       /* two of them between */
  int second_type;     /* segment of the second text */
} AtnGgufEnds;

/* Appends the member post_processor. */
void atn_gguf_append_post_processor (const AtnGgufVocabulary *vocabulary,
                                     const AtnGgufEnds *ends,
                                     GString *json);
/* The same for RoBERTa's byte-level tokenizer, whose places leave out the blanks around a word;
 * before and after must be there. */
void atn_gguf_append_roberta_processor (const AtnGgufVocabulary *vocabulary,
                                        const AtnGgufEnds *ends,
                                        GString *json);

/* Appends the members normalizer and pre_tokenizer of a Unigram vocabulary. */
gboolean atn_gguf_append_unigram_splits (const AtnGguf *gguf, GString *json, GError **error);

/**
 * atn_gguf_append_unigram:
 *
 * Appends the member model: each piece with its score.
 *
 * Errors: ATN_ERROR_INVALID_FORMAT naming the key
 */
gboolean atn_gguf_append_unigram (const AtnGguf *gguf,
                                  const AtnGgufVocabulary *vocabulary,
                                  GString *json,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnGgufVocabulary, atn_gguf_vocabulary_free)

G_END_DECLS
