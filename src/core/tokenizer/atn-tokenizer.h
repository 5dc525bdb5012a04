/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Text → tokens, equal in ids, strings and offsets to Hugging Face's tokenizers
 * library on the same tokenizer.json (whose padding and truncation sections are
 * ignored). Offsets here are bytes of the typed text, there characters.
 *
 *   text ─► added tokens ─► normalizer ─► pre-tokenizer ─► model ─► post-processor ─► AtnTokens
 */

#pragma once

#include "base/atn-json.h"

#include <stdint.h>

G_BEGIN_DECLS

typedef struct _AtnTokenizer AtnTokenizer;

typedef struct
{
  uint32_t id;
  const char *text; /* the vocabulary's raw string, owned by the tokenizer */
  bool is_special;  /* drawn differently; [CLS], <|endoftext|> … typed or added */
  int sequence;     /* 0 the text, 1 the pair, -1 added by the post-processor */
  uint32_t type_id; /* segment, as the post-processor's template says */
  gssize start;     /* byte offsets in the typed text, -1 for tokens that were added */
  gssize end;
} AtnToken;

typedef struct
{
  gatomicrefcount ref_count;
  AtnTokenizer *tokenizer; /* owned reference */
  size_t n_tokens;
  AtnToken *tokens; /* [n_tokens] */
} AtnTokens;

/**
 * atn_tokenizer_new:
 * @json: the content of a tokenizer.json; need not outlive the call
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming a normalizer, pre-tokenizer, model or
 *   post-processor that is not known; ATN_ERROR_INVALID_FORMAT naming an entry of
 *   the vocabulary or the merges
 */
AtnTokenizer *atn_tokenizer_new (const AtnJson *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnTokenizer *atn_tokenizer_ref (AtnTokenizer *self);
void atn_tokenizer_unref (AtnTokenizer *self);

/**
 * atn_tokenizer_encode:
 * @text: UTF-8, @text_len bytes (-1: to the NUL)
 * @pair: (nullable): a second sentence, @pair_len bytes
 *
 * An empty text gives the tokens that the post-processor adds, which may be none.
 * A pair comes right behind the text, with type id 1, where the post-processor has no template;
 * ask atn_tokenizer_has_pair() where that makes no sense. A given length may include U+0000.
 *
 * Returns: (transfer full)
 * Errors: ATN_ERROR_INVALID_FORMAT for invalid UTF-8 (byte offset) or for a word that is neither
 *   in the vocabulary nor has an unknown token; ATN_ERROR_UNSUPPORTED for a pair where the
 *   template has no place for one; ATN_ERROR_TOO_LARGE above 16 MiB
 * Cost: about 1 ms for 1,000 tokens
 * Threads: any number at once
 */
AtnTokens *atn_tokenizer_encode (AtnTokenizer *self,
                                 const char *text,
                                 gssize text_len,
                                 const char *pair,
                                 gssize pair_len,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* At most @n_tokens of @tokens as a new list: ordinary tokens are dropped from the end (of the
 * longer sequence until both are equal, then of both), tokens that the post-processor added stay.
 */
AtnTokens *atn_tokens_truncate (const AtnTokens *tokens, size_t n_tokens) G_GNUC_WARN_UNUSED_RESULT;
AtnTokens *atn_tokens_ref (AtnTokens *self);
void atn_tokens_unref (AtnTokens *self);

/* Whether the post-processor has a template with a place for a pair. */
bool atn_tokenizer_has_pair (const AtnTokenizer *self);

/* Largest id + 1 over vocabulary and added tokens. */
size_t atn_tokenizer_get_n_ids (const AtnTokenizer *self);
/* (nullable): raw string of an id, NULL for an id that is not there. */
const char *atn_tokenizer_get_text (const AtnTokenizer *self, uint32_t id);
bool atn_tokenizer_is_special (const AtnTokenizer *self, uint32_t id);
/* (nullable): finds an id by its raw string, such as "[MASK]". */
bool atn_tokenizer_find (const AtnTokenizer *self, const char *text, uint32_t *id);
/* (nullable) (transfer none): the raw string of the token that stands for a hidden one, "[MASK]" or
 * "<mask>", rather an added token than a word, whose @id is filled in; NULL where there is none. */
const char *atn_tokenizer_find_mask (const AtnTokenizer *self, uint32_t *id);

/**
 * atn_tokenizer_dup_bytes:
 *
 * The bytes a token stands for in a text: byte-level strings decoded (Ġcat → " cat"),
 * a WordPiece's ## kept out. May be no valid UTF-8 by itself.
 *
 * Returns: (transfer full): NUL-terminated, @length bytes without it
 */
char *atn_tokenizer_dup_bytes (const AtnTokenizer *self, uint32_t id, gsize *length);

/**
 * atn_tokenizer_dup_label:
 *
 * A token as it is drawn: spaces as ␣, line feeds as ↵, carriage returns as ␍, tabs as ⇥, parts
 * of a character as hex (⟨F0⟩), a lone combining mark on ◌, controls (also bidirectional) and what
 * is invisible alone as U+XXXX; a continuing WordPiece keeps its ##. An id that is not there is
 * ⟨id⟩. Always valid UTF-8 on one line, never empty.
 *
 * Returns: (transfer full)
 */
char *atn_tokenizer_dup_label (const AtnTokenizer *self, uint32_t id);

/**
 * atn_tokenizer_dup_appendable:
 *
 * What must be typed after @text so that token @id follows it, or NULL where that
 * can't be typed (half a character, a special token, a continuing piece after a space …). In a
 * byte-level vocabulary it is the token's own text, which may merge with the end of @text.
 *
 * Returns: (transfer full) (nullable)
 */
char *atn_tokenizer_dup_appendable (const AtnTokenizer *self, const char *text, uint32_t id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnTokenizer, atn_tokenizer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnTokens, atn_tokens_unref)

G_END_DECLS
