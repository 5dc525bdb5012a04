/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Any text for every kind of tokenizer of tests/fixtures. The first byte
 * chooses the tokenizer; a byte FF, which no text has, begins the pair.
 */

#include "atn-fuzz.h"
#include "tokenizer/atn-tokenizer.h"

#include <string.h>

static const char *const names[] = {
  "bpe-strings",  "bpe-prefix",       "bpe-template",   "norm-lowercase",  "norm-nfc",
  "norm-nfkc",    "norm-nfd",         "norm-sequence",  "wordpiece-cased", "wordpiece-uncased",
  "words-split",  "words-whitespace", "bpe-llama3",     "bpe-qwen2",       "bpe-gpt4o",
  "bpe-deepseek", "bpe-bloom",        "bpe-roberta",    "bpe-llama2",      "bpe-gemma",
  "unigram-t5",   "unigram-xlmr",     "unigram-albert", "unigram-bytes",
};

static AtnTokenizer *
load (const char *name)
{
  g_autofree char *path =
    g_build_filename (ATN_FIXTURES, "tokenizers", name, "tokenizer.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (AtnJson) json = NULL;
  g_autoptr (GError) error = NULL;
  AtnTokenizer *tokenizer;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &error))
    g_error ("%s", error->message);

  json = atn_json_parse (text, length, &error);
  g_assert (json != NULL);
  tokenizer = atn_tokenizer_new (json, &error);
  if (tokenizer == NULL)
    g_error ("%s: %s", path, error->message);

  return tokenizer;
}

/* Ids are in the vocabulary, offsets in the text they belong to, and everything can be drawn. */
static void
check_tokens (const AtnTokens *tokens, size_t text_len, size_t pair_len)
{
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];
    const size_t len = token->sequence == 1 ? pair_len : text_len;
    gsize n_bytes;
    g_autofree char *label = atn_tokenizer_dup_label (tokens->tokenizer, token->id);
    g_autofree char *bytes = atn_tokenizer_dup_bytes (tokens->tokenizer, token->id, &n_bytes);

    g_assert (token->id < atn_tokenizer_get_n_ids (tokens->tokenizer));
    g_assert (token->text != NULL && strlen (bytes) <= n_bytes);
    g_assert (*label != '\0' && g_utf8_validate (label, -1, NULL) && strchr (label, '\n') == NULL);
    if (token->sequence < 0) {
      g_assert (token->start == -1 && token->end == -1);
      continue;
    }
    g_assert (token->start >= 0 && token->start <= token->end && (size_t) token->end <= len);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static AtnTokenizer *tokenizers[G_N_ELEMENTS (names)];
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokens) tokens = NULL, fewer = NULL;
  AtnTokenizer **tokenizer;
  const char *text, *pair;
  size_t text_len;

  if (size == 0)
    return 0;

  tokenizer = &tokenizers[data[0] % G_N_ELEMENTS (names)];
  if (*tokenizer == NULL)
    *tokenizer = load (names[data[0] % G_N_ELEMENTS (names)]);

  text = (const char *) data + 1;
  pair = size > 1 ? memchr (text, 0xFF, size - 1) : NULL;
  text_len = pair != NULL ? (size_t) (pair - text) : size - 1;
  if (pair != NULL && !atn_tokenizer_has_pair (*tokenizer))
    return 0;

  tokens = pair != NULL
             ? atn_tokenizer_encode (*tokenizer, text, (gssize) text_len, pair + 1,
                                     (gssize) (size - 2 - text_len), &error)
             : atn_tokenizer_encode (*tokenizer, text, (gssize) text_len, NULL, 0, &error);
  atn_fuzz_check_error (tokens != NULL, error);
  if (tokens == NULL)
    return 0;

  check_tokens (tokens, text_len, pair != NULL ? size - 2 - text_len : 0);
  fewer = atn_tokens_truncate (tokens, tokens->n_tokens / 2 + 1);
  g_assert (fewer->n_tokens <= tokens->n_tokens);
  return 0;
}
