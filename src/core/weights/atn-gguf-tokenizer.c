/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Four kinds of vocabulary, each the tokenizer.json of another family:
 *
 *   gpt2    byte-level BPE: tokens and merges
 *   llama   SentencePiece's BPE: pieces with scores, spaces as ▁, <0x00> … for other bytes
 *   bert    WordPiece: a word's first piece begins with ▁, the others lost their ##
 *   t5      Unigram (atn-gguf-unigram.c)
 */

#include "weights/atn-gguf-tokenizer.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SPACE_MARK "▁" /* U+2581 */

typedef struct
{
  const AtnGguf *gguf;
  AtnGgufVocabulary *vocabulary;
  GString *json;
  GError **error;
} Builder;

/* Tokens with a task. */

/* Reads an id that must be one of a token; false if there is none and none is needed. */
static gboolean
find_token (const Builder *self, const char *key, size_t default_id, const char **text)
{
  size_t id = default_id;

  if (!atn_gguf_read_size (self->gguf, key, ATN_JSON_OPTIONAL, G_MAXUINT32, &id, self->error))
    return FALSE;

  *text = atn_gguf_vocabulary_get_text (self->vocabulary, id);
  if (*text != NULL)
    return TRUE;

  g_set_error (self->error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“%s” is %zu, but there are %zu tokens"), key, id,
               (size_t) self->vocabulary->texts->len);
  return FALSE;
}

/* The tokens that begin and end a text, NULL where the metadata, or else the default, say none. */
static gboolean
read_ends (const Builder *self,
           bool adds_bos,
           bool adds_eos,
           size_t bos_id,
           size_t eos_id,
           AtnGgufEnds *ends)
{
  if (!atn_gguf_read_bool (self->gguf, "tokenizer.ggml.add_bos_token", ATN_JSON_OPTIONAL, &adds_bos,
                           self->error) ||
      !atn_gguf_read_bool (self->gguf, "tokenizer.ggml.add_eos_token", ATN_JSON_OPTIONAL, &adds_eos,
                           self->error) ||
      (adds_bos && !find_token (self, "tokenizer.ggml.bos_token_id", bos_id, &ends->before)) ||
      (adds_eos && !find_token (self, "tokenizer.ggml.eos_token_id", eos_id, &ends->after)))
    return FALSE;

  ends->between = ends->after;
  ends->second_type = 1;
  return TRUE;
}

static gboolean
append_ends (const Builder *self, bool adds_bos, bool adds_eos, size_t bos_id, size_t eos_id)
{
  AtnGgufEnds ends = { .before = NULL };

  if (!read_ends (self, adds_bos, adds_eos, bos_id, eos_id, &ends))
    return FALSE;

  atn_gguf_append_post_processor (self->vocabulary, &ends, self->json);
  return TRUE;
}

static bool
has_architecture (const Builder *self, const char *name)
{
  g_autofree char *architecture = NULL;

  return atn_gguf_read_string (self->gguf, "general.architecture", ATN_JSON_OPTIONAL, &architecture,
                               NULL) &&
         g_strcmp0 (architecture, name) == 0;
}

/* RoBERTa and XLM-RoBERTa: "<s> A </s>" and "<s> A </s></s> B </s>", without segments. */
static gboolean
append_roberta_ends (const Builder *self, bool trims_offsets)
{
  AtnGgufEnds ends = { .before = NULL };

  if (!read_ends (self, true, true, 0, 2, &ends))
    return FALSE;

  ends.is_twice = true;
  ends.second_type = 0;
  if (!trims_offsets || ends.before == NULL || ends.after == NULL) {
    atn_gguf_append_post_processor (self->vocabulary, &ends, self->json);
    return TRUE;
  }

  atn_gguf_append_roberta_processor (self->vocabulary, &ends, self->json);
  return TRUE;
}

/* Members that all kinds have. */

static bool
is_added (AtnGgufTokenKind kind)
{
  return kind == ATN_GGUF_TOKEN_CONTROL || kind == ATN_GGUF_TOKEN_USER_DEFINED ||
         kind == ATN_GGUF_TOKEN_UNKNOWN;
}

/* Blanks that belong to a token, which GGUF does not say: those before the mask of RoBERTa's kind,
 * and those after a token of Phi-3's, as in their tokenizer.json. */
static const char *
get_strip (const char *text, bool is_phi3)
{
  static const char *const phi3_keeps[] = { "<unk>", "<s>", "<|endoftext|>", NULL };

  if (strcmp (text, "<mask>") == 0)
    return ", \"lstrip\": true";
  return is_phi3 && !g_strv_contains (phi3_keeps, text) ? ", \"rstrip\": true" : "";
}

static void
append_added_tokens (const Builder *self, bool is_phi3)
{
  bool is_first = true;

  g_string_append (self->json, ", \"added_tokens\": [");
  for (guint i = 0; i < self->vocabulary->texts->len; i++) {
    const AtnGgufTokenKind kind = atn_gguf_vocabulary_get_kind (self->vocabulary, i);

    if (!is_added (kind))
      continue;
    g_string_append_printf (self->json, "%s{\"id\": %u, \"content\": ", is_first ? "" : ", ", i);
    atn_json_append_string (self->json, self->vocabulary->texts->pdata[i]);
    g_string_append_printf (self->json, ", \"normalized\": false, \"special\": %s%s}",
                            kind == ATN_GGUF_TOKEN_USER_DEFINED ? "false" : "true",
                            get_strip (self->vocabulary->texts->pdata[i], is_phi3));
    is_first = false;
  }
  g_string_append (self->json, "]");
}

static void
append_vocabulary (const Builder *self)
{
  g_string_append (self->json, "\"vocab\": {");
  for (guint i = 0; i < self->vocabulary->texts->len; i++) {
    g_string_append (self->json, i == 0 ? "" : ", ");
    atn_json_append_string (self->json, self->vocabulary->texts->pdata[i]);
    g_string_append_printf (self->json, ": %u", i);
  }
  g_string_append (self->json, "}");
}

static gboolean
append_merges (const Builder *self)
{
  g_autoptr (GPtrArray) merges =
    atn_gguf_dup_strings (self->gguf, "tokenizer.ggml.merges", ATN_JSON_REQUIRED, self->error);

  if (merges == NULL)
    return FALSE;

  g_string_append (self->json, ", \"merges\": [");
  for (guint i = 0; i < merges->len; i++) {
    g_string_append (self->json, i == 0 ? "" : ", ");
    atn_json_append_string (self->json, merges->pdata[i]);
  }
  g_string_append (self->json, "]");
  return TRUE;
}

/* gpt2. */

static gboolean
build_byte_level (const Builder *self)
{
  g_autofree char *pre = g_strdup ("default");
  g_autofree char *model = NULL;

  if (!atn_gguf_read_string (self->gguf, "tokenizer.ggml.pre", ATN_JSON_OPTIONAL, &pre,
                             self->error) ||
      !atn_gguf_append_splits (self->json, pre, self->error))
    return FALSE;

  append_added_tokens (self, false);
  if (has_architecture (self, "bert")
        ? !append_roberta_ends (self, true)
        : !append_ends (self, atn_gguf_split_adds_bos (pre), false, 11, 11))
    return FALSE;

  g_string_append_printf (self->json, ", \"model\": {\"type\": \"BPE\", \"ignore_merges\": %s, ",
                          atn_gguf_split_ignores_merges (pre) ? "true" : "false");
  append_vocabulary (self);
  if (!append_merges (self))
    return FALSE;

  g_string_append (self->json, "}");
  return TRUE;
}

/* llama. */

/* Gemma's pieces of many spaces are written with spaces. */
static void
respell_spaces (AtnGgufVocabulary *vocabulary)
{
  for (guint i = 0; i < vocabulary->texts->len; i++) {
    const char *text = vocabulary->texts->pdata[i];
    const size_t length = strlen (text);
    g_autoptr (GString) respelt = NULL;

    if (length == 0 || strspn (text, " ") != length)
      continue;
    respelt = g_string_new (NULL);
    for (size_t j = 0; j < length; j++)
      g_string_append (respelt, SPACE_MARK);
    if (g_hash_table_contains (vocabulary->by_text, respelt->str))
      continue;

    g_hash_table_remove (vocabulary->by_text, text);
    g_free (vocabulary->texts->pdata[i]);
    vocabulary->texts->pdata[i] = g_string_free (g_steal_pointer (&respelt), FALSE);
    g_hash_table_insert (vocabulary->by_text, vocabulary->texts->pdata[i],
                         GUINT_TO_POINTER (i + 1));
  }
}

static void
append_space_normalizer (GString *json, bool has_prefix)
{
  g_string_append (json, ", \"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [");
  if (has_prefix)
    g_string_append (json, "{\"type\": \"Prepend\", \"prepend\": \"" SPACE_MARK "\"}, ");
  g_string_append (json, "{\"type\": \"Replace\", \"pattern\": {\"String\": \" \"}, "
                         "\"content\": \"" SPACE_MARK "\"}]}, \"pre_tokenizer\": null");
}

static gboolean
build_sentencepiece (const Builder *self)
{
  const bool has_merges = atn_gguf_find (self->gguf, "tokenizer.ggml.merges") != NULL;
  bool has_prefix = true;
  const char *unknown;

  respell_spaces (self->vocabulary);
  if (!atn_gguf_read_bool (self->gguf, "tokenizer.ggml.add_space_prefix", ATN_JSON_OPTIONAL,
                           &has_prefix, self->error) ||
      !find_token (self, "tokenizer.ggml.unknown_token_id", 0, &unknown))
    return FALSE;

  append_space_normalizer (self->json, has_prefix);
  append_added_tokens (self, has_architecture (self, "phi3"));
  if (!append_ends (self, true, false, 1, 2))
    return FALSE;

  g_string_append (self->json, ", \"model\": {\"type\": \"BPE\", \"byte_fallback\": true, "
                               "\"fuse_unk\": true, \"unk_token\": ");
  atn_json_append_string (self->json, unknown);
  g_string_append (self->json, ", ");
  append_vocabulary (self);
  if (has_merges) {
    if (!append_merges (self))
      return FALSE;
  } else {
    g_string_append (self->json, ", \"merges\": ");
    if (!atn_gguf_append_score_merges (self->gguf, self->vocabulary, self->json, self->error))
      return FALSE;
  }

  g_string_append (self->json, "}");
  return TRUE;
}

/* bert. */

/* "▁the" → "the", "ing" → "##ing"; [CLS] and its like have no mark. Older files have none on other
 * texts in brackets, either. */
static void
respell_word_pieces (AtnGgufVocabulary *vocabulary)
{
  g_hash_table_remove_all (vocabulary->by_text);
  for (guint i = 0; i < vocabulary->texts->len; i++) {
    const char *text = vocabulary->texts->pdata[i];
    char *respelt;

    if (g_str_has_prefix (text, SPACE_MARK))
      respelt = g_strdup (text + strlen (SPACE_MARK));
    else if (atn_gguf_vocabulary_get_kind (vocabulary, i) == ATN_GGUF_TOKEN_CONTROL ||
             (text[0] == '[' && g_str_has_suffix (text, "]") && strlen (text) > 2))
      respelt = g_strdup (text);
    else
      respelt = g_strconcat ("##", text, NULL);

    g_free (vocabulary->texts->pdata[i]);
    vocabulary->texts->pdata[i] = respelt;
    g_hash_table_insert (vocabulary->by_text, respelt, GUINT_TO_POINTER (i + 1));
  }
}

/* Most files do not say whether a text is put into small letters; a vocabulary that has capitals
 * is not for such texts. */
static bool
has_capitals (const AtnGgufVocabulary *vocabulary)
{
  for (guint i = 0; i < vocabulary->texts->len; i++) {
    const char *text = vocabulary->texts->pdata[i];

    if (*text == '[')
      continue;
    for (const char *p = text; *p != '\0'; p++)
      if (g_ascii_isupper (*p))
        return true;
  }

  return false;
}

static gboolean
append_bert_normalizer (const Builder *self)
{
  const char *strip_key = "tokenizer.ggml.normalizer.strip_accents";
  bool is_lower = !has_capitals (self->vocabulary), strips = false;
  const char *strip = "null"; /* as is_lower */

  if (!atn_gguf_read_bool (self->gguf, "tokenizer.ggml.normalizer.lowercase", ATN_JSON_OPTIONAL,
                           &is_lower, self->error) ||
      !atn_gguf_read_bool (self->gguf, strip_key, ATN_JSON_OPTIONAL, &strips, self->error))
    return FALSE;

  if (atn_gguf_find (self->gguf, strip_key) != NULL)
    strip = strips ? "true" : "false";
  g_string_append_printf (self->json,
                          ", \"normalizer\": {\"type\": \"BertNormalizer\", \"clean_text\": true, "
                          "\"handle_chinese_chars\": true, \"strip_accents\": %s, "
                          "\"lowercase\": %s}, \"pre_tokenizer\": {\"type\": "
                          "\"BertPreTokenizer\"}",
                          strip, is_lower ? "true" : "false");
  return TRUE;
}

static gboolean
build_word_piece (const Builder *self)
{
  const char *separator = atn_gguf_find (self->gguf, "tokenizer.ggml.seperator_token_id") != NULL
                            ? "tokenizer.ggml.seperator_token_id"
                            : "tokenizer.ggml.eos_token_id";
  const char *begin = atn_gguf_find (self->gguf, "tokenizer.ggml.cls_token_id") != NULL
                        ? "tokenizer.ggml.cls_token_id"
                        : "tokenizer.ggml.bos_token_id";
  AtnGgufEnds ends = { .second_type = 1 };
  const char *unknown;

  respell_word_pieces (self->vocabulary);
  if (!find_token (self, "tokenizer.ggml.unknown_token_id", 100, &unknown) ||
      !find_token (self, begin, 101, &ends.before) ||
      !find_token (self, separator, 102, &ends.after) || !append_bert_normalizer (self))
    return FALSE;

  ends.between = ends.after;
  append_added_tokens (self, false);
  atn_gguf_append_post_processor (self->vocabulary, &ends, self->json);
  g_string_append (self->json, ", \"model\": {\"type\": \"WordPiece\", \"unk_token\": ");
  atn_json_append_string (self->json, unknown);
  g_string_append (self->json, ", \"continuing_subword_prefix\": \"##\", "
                               "\"max_input_chars_per_word\": 100, ");
  append_vocabulary (self);
  g_string_append (self->json, "}");
  return TRUE;
}

/* t5. */

static gboolean
build_unigram (const Builder *self)
{
  if (!atn_gguf_append_unigram_splits (self->gguf, self->json, self->error))
    return FALSE;

  append_added_tokens (self, false);
  return (has_architecture (self, "bert") ? append_roberta_ends (self, false)
                                          : append_ends (self, false, true, 0, 1)) &&
         atn_gguf_append_unigram (self->gguf, self->vocabulary, self->json, self->error);
}

/* All. */

static const struct
{
  const char *name;
  gboolean (*build) (const Builder *self);
} models[] = {
  { "gpt2", build_byte_level },
  { "llama", build_sentencepiece },
  { "bert", build_word_piece },
  { "t5", build_unigram },
};

static gboolean
build (const Builder *self)
{
  g_autofree char *name = NULL;

  if (!atn_gguf_read_string (self->gguf, "tokenizer.ggml.model", ATN_JSON_REQUIRED, &name,
                             self->error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (models); i++)
    if (strcmp (models[i].name, name) == 0)
      return models[i].build (self);

  g_set_error (self->error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“%s” is “%s”, known are gpt2, llama, bert and t5"), "tokenizer.ggml.model",
               name);
  return FALSE;
}

AtnJson *
atn_gguf_dup_tokenizer (const AtnGguf *self, GError **error)
{
  g_autoptr (AtnGgufVocabulary) vocabulary = atn_gguf_vocabulary_new (self, error);
  g_autoptr (GString) json = g_string_new ("{\"version\": \"1.0\"");
  const Builder builder = { self, vocabulary, json, error };

  if (vocabulary == NULL || !build (&builder))
    return NULL;

  g_string_append (json, "}");
  return atn_json_parse (json->str, json->len, error);
}
