/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * SentencePiece's Unigram, as XLM-RoBERTa and T5 have it: a table that normalizes characters, ▁ for
 * spaces and before the first word, and pieces with the logarithms of their probabilities.
 *
 * Where runs of spaces count as one, words are cut at white space first, as Hugging Face's
 * tokenizers of both do.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-tokenizer.h"

#include <glib/gi18n-lib.h>

#define CHARSMAP_KEY "tokenizer.ggml.precompiled_charsmap"
#define DEFAULT_UNKNOWN 2

static gboolean
append_charsmap (const AtnGguf *gguf, GString *json, GError **error)
{
  const AtnGgufValue *value = atn_gguf_find (gguf, CHARSMAP_KEY);
  g_autofree char *text = NULL;

  g_string_append (json, ", \"normalizer\": ");
  if (value == NULL || (value->is_array && value->n == 0)) {
    g_string_append (json, "null");
    return TRUE;
  }

  if (!value->is_array || (value->kind != ATN_GGUF_UINT8 && value->kind != ATN_GGUF_INT8)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is no array of bytes"),
                 CHARSMAP_KEY);
    return FALSE;
  }

  text = g_base64_encode (value->bytes, value->n);
  g_string_append_printf (json, "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"%s\"}",
                          text);
  return TRUE;
}

gboolean
atn_gguf_append_unigram_splits (const AtnGguf *gguf, GString *json, GError **error)
{
  bool has_prefix = true, is_single_spaced = false;

  if (!append_charsmap (gguf, json, error) ||
      !atn_gguf_read_bool (gguf, "tokenizer.ggml.add_space_prefix", ATN_JSON_OPTIONAL, &has_prefix,
                           error) ||
      !atn_gguf_read_bool (gguf, "tokenizer.ggml.remove_extra_whitespaces", ATN_JSON_OPTIONAL,
                           &is_single_spaced, error))
    return FALSE;

  g_string_append_printf (
    json,
    ", \"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [%s{\"type\": "
    "\"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"%s\", \"split\": true}]}",
    is_single_spaced ? "{\"type\": \"WhitespaceSplit\"}, " : "", has_prefix ? "always" : "never");
  return TRUE;
}

static bool
has_bytes (const AtnGgufVocabulary *vocabulary)
{
  for (guint i = 0; i < vocabulary->texts->len; i++)
    if (atn_gguf_vocabulary_get_kind (vocabulary, i) == ATN_GGUF_TOKEN_BYTE)
      return true;

  return false;
}

gboolean
atn_gguf_append_unigram (const AtnGguf *gguf,
                         const AtnGgufVocabulary *vocabulary,
                         GString *json,
                         GError **error)
{
  const guint n = vocabulary->texts->len;
  g_autoptr (GArray) scores =
    atn_gguf_dup_numbers (gguf, "tokenizer.ggml.scores", ATN_JSON_REQUIRED, n, error);
  size_t unknown = DEFAULT_UNKNOWN;

  if (scores == NULL || !atn_gguf_read_size (gguf, "tokenizer.ggml.unknown_token_id",
                                             ATN_JSON_OPTIONAL, n - 1, &unknown, error))
    return FALSE;

  g_string_append_printf (json,
                          ", \"model\": {\"type\": \"Unigram\", \"unk_id\": %zu, "
                          "\"byte_fallback\": %s, \"vocab\": [",
                          unknown, has_bytes (vocabulary) ? "true" : "false");
  for (guint i = 0; i < n; i++) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append (json, i == 0 ? "[" : ", [");
    atn_json_append_string (json, vocabulary->texts->pdata[i]);
    g_string_append_printf (json, ", %s]",
                            g_ascii_formatd (digits, sizeof digits, "%.17g",
                                             g_array_index (scores, double, i)));
  }
  g_string_append (json, "]}");
  return TRUE;
}
