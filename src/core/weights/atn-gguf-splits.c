/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How a text is cut into words before its bytes are merged. GGUF says it by a name only, which
 * stands for the steps of the tokenizer.json that the model came with.
 *
 * Source: src/llama-vocab.cpp of https://github.com/ggml-org/llama.cpp (names, expressions); the
 * tokenizer.json files of the models (normalizers, order)
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-tokenizer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_EXPRESSIONS 5

#define WORDS_END "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define WORDS_BEGIN "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define CASED_END "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define CASED_BEGIN "[^\\r\\n\\p{L}\\p{N}]?"
#define ENDINGS "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

typedef struct
{
  const char *id;
  bool has_nfc;
  bool splits_digits; /* each digit by itself */
  bool uses_gpt2;     /* GPT-2's expression, which ByteLevel has built in */
  bool ignores_merges;
  bool adds_bos;
  const char *expressions[MAX_EXPRESSIONS]; /* each cuts what the one before it left */
} Split;

static const Split splits[] = {
  { .id = "gpt2", .uses_gpt2 = true },
  { .id = "gpt2-nfc", .uses_gpt2 = true, .has_nfc = true },
  { .id = "digits", .uses_gpt2 = true, .splits_digits = true },
  { .id = "digits-nfc", .uses_gpt2 = true, .splits_digits = true, .has_nfc = true },
  { .id = "llama3",
    .ignores_merges = true,
    .adds_bos = true,
    .expressions = { WORDS_BEGIN "\\p{N}{1,3}" WORDS_END } },
  { .id = "dbrx", .expressions = { WORDS_BEGIN "\\p{N}{1,3}" WORDS_END } },
  { .id = "qwen2", .has_nfc = true, .expressions = { WORDS_BEGIN "\\p{N}" WORDS_END } },
  { .id = "tekken",
    .ignores_merges = true,
    .adds_bos = true,
    .expressions = { CASED_BEGIN UPPER "*" LOWER "+|" CASED_BEGIN UPPER "+" LOWER "*|"
                                       "\\p{N}" CASED_END } },
  { .id = "gpt-4o",
    .expressions = { CASED_BEGIN UPPER "*" LOWER "+" ENDINGS "|" CASED_BEGIN UPPER "+" LOWER
                                       "*" ENDINGS "|\\p{N}{1,3}" CASED_END } },
  { .id = "bloom", .expressions = { " ?[^(\\s|.,!?…。，、।۔،)]+" } },
  { .id = "deepseek-coder",
    .splits_digits = true,
    .expressions = { "[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+" } },
};

/* Names in files, and which of the above they mean. */
static const struct
{
  const char *kind;
  const char *id;
} kinds[] = {
  { "gpt-2", "gpt2" },
  { "default", "gpt2" },
  { "phi-2", "gpt2" },
  { "jina-es", "gpt2" },
  { "jina-de", "gpt2" },
  { "jina-v2-es", "gpt2" },
  { "jina-v2-de", "gpt2" },
  { "roberta-bpe", "gpt2" },
  { "gigachat", "gpt2" },
  { "jais", "gpt2" },
  { "exaone4", "gpt2" },
  { "olmo", "gpt2-nfc" },
  { "mpt", "gpt2-nfc" },
  { "smollm", "digits" },
  { "starcoder", "digits" },
  { "refact", "digits" },
  { "codeshell", "digits" },
  { "exaone", "digits" },
  { "minerva-7b", "digits" },
  { "command-r", "digits-nfc" },
  { "llama3", "llama3" },
  { "llama-v3", "llama3" },
  { "llama-bpe", "llama3" },
  { "falcon3", "llama3" },
  { "pixtral", "llama3" },
  { "smaug-bpe", "dbrx" },
  { "dbrx", "dbrx" },
  { "qwen2", "qwen2" },
  { "deepseek-r1-qwen", "qwen2" },
  { "stablelm2", "qwen2" },
  { "tekken", "tekken" },
  { "gpt-4o", "gpt-4o" },
  { "llama4", "gpt-4o" },
  { "bloom", "bloom" },
  { "poro-chat", "bloom" },
  { "gpt3-finnish", "bloom" },
  { "deepseek-coder", "deepseek-coder" },
};

static const Split *
find_split (const char *kind)
{
  const char *id = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (kinds) && id == NULL; i++)
    if (strcmp (kinds[i].kind, kind) == 0)
      id = kinds[i].id;
  for (size_t i = 0; i < G_N_ELEMENTS (splits) && id != NULL; i++)
    if (strcmp (splits[i].id, id) == 0)
      return &splits[i];

  return NULL;
}

static void
append_expression (GString *json, const char *expression)
{
  g_string_append (json, "{\"type\": \"Split\", \"pattern\": {\"Regex\": ");
  atn_json_append_string (json, expression);
  g_string_append (json, "}, \"behavior\": \"Isolated\", \"invert\": false}, ");
}

gboolean
atn_gguf_append_splits (GString *json, const char *kind, GError **error)
{
  const Split *split = find_split (kind);

  if (split == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s” is “%s”, a way of splitting that is not known here"),
                 "tokenizer.ggml.pre", kind);
    return FALSE;
  }

  g_string_append_printf (json, ", \"normalizer\": %s",
                          split->has_nfc ? "{\"type\": \"NFC\"}" : "null");
  g_string_append (json, ", \"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [");
  for (size_t i = 0; i < MAX_EXPRESSIONS && split->expressions[i] != NULL; i++)
    append_expression (json, split->expressions[i]);
  if (split->splits_digits)
    g_string_append (json, "{\"type\": \"Digits\", \"individual_digits\": true}, ");
  g_string_append_printf (json,
                          "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, "
                          "\"trim_offsets\": false, \"use_regex\": %s}]}",
                          split->uses_gpt2 ? "true" : "false");
  return TRUE;
}

bool
atn_gguf_split_ignores_merges (const char *kind)
{
  const Split *split = find_split (kind);

  return split != NULL && split->ignores_merges;
}

bool
atn_gguf_split_adds_bos (const char *kind)
{
  const Split *split = find_split (kind);

  return split != NULL && split->adds_bos;
}
