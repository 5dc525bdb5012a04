/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The rules that stand around a vocabulary of the older files: added tokens, what cuts
 * words, what is put around a text.
 */

#include "weights/atn-tokenizer-source.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* (nullable): a special token is a string or an object with its content. */
static const char *
token_of (const AtnJson *json, const char *key)
{
  const AtnJson *token = atn_json_get_member (json, key);
  const AtnJson *content = atn_json_get_member (token, "content");

  if (content != NULL)
    token = content;
  return token != NULL && atn_json_get_kind (token) == ATN_JSON_STRING ? atn_json_get_string (token)
                                                                       : NULL;
}

/* (nullable): @key such as "bos_token". */
const char *
atn_tokenizer_source_find (const AtnTokenizerSource *self, const char *key, const char *usual)
{
  const char *token = token_of (self->settings, key);

  if (token == NULL)
    token = token_of (self->specials, key);
  return token == NULL ? usual : token;
}

gboolean
atn_tokenizer_source_read_switch (const AtnTokenizerSource *self,
                                  const char *key,
                                  bool usual,
                                  bool *value,
                                  GError **error)
{
  *value = usual;
  if (self->settings == NULL)
    return TRUE;
  if (atn_json_read_bool (self->settings, key, ATN_JSON_OPTIONAL, value, error))
    return TRUE;

  g_prefix_error (error, "tokenizer_config.json: ");
  return FALSE;
}

/* The id of @text in @vocab, an object {string: id}; FALSE naming it if it is not there. */
static gboolean
find_id (const AtnJson *vocab, const char *text, size_t *id, GError **error)
{
  if (atn_json_get_member (vocab, text) == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("special token “%s” is not in the vocabulary"), text);
    return FALSE;
  }
  return atn_json_read_size (vocab, text, ATN_JSON_REQUIRED, 0, G_MAXINT32, id, error);
}

/* Added tokens. */

typedef struct
{
  size_t id;
  const char *content;
  const AtnJson *flags; /* (nullable): an object with lstrip … */
  bool is_special;
  bool strips_left;
} Added;

static void
append_added (GArray *list, const Added *token)
{
  for (guint i = 0; i < list->len; i++)
    if (strcmp (g_array_index (list, Added, i).content, token->content) == 0)
      return;
  g_array_append_val (list, *token);
}

/* {"50256": {"content": "<|endoftext|>", "lstrip": false, …}} */
static gboolean
append_decoder (const AtnTokenizerSource *self, GArray *list, GError **error)
{
  const AtnJson *decoder = atn_json_get_member (self->settings, "added_tokens_decoder");

  for (const AtnJson *item = decoder == NULL ? NULL : atn_json_get_first (decoder); item != NULL;
       item = atn_json_get_next (item)) {
    const char *name = atn_json_get_name (item);
    guint64 id;
    Added token = { .flags = item };

    if (name == NULL || atn_json_get_kind (item) != ATN_JSON_OBJECT ||
        !g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT32, &id, NULL)) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("tokenizer_config.json: “%s” is not an object of ids with their tokens"),
                   "added_tokens_decoder");
      return FALSE;
    }
    if (!atn_json_read_string (item, "content", ATN_JSON_REQUIRED, &token.content, error) ||
        !atn_json_read_bool (item, "special", ATN_JSON_OPTIONAL, &token.is_special, error)) {
      g_prefix_error (error, "tokenizer_config.json: added_tokens_decoder: ");
      return FALSE;
    }
    token.id = (size_t) id;
    append_added (list, &token);
  }
  return TRUE;
}

/* The special tokens that the vocabulary has. */
static gboolean
append_specials (const AtnTokenizerSource *self, const AtnJson *vocab, GArray *list, GError **error)
{
  const AtnTokenizerFamily *family = self->family;
  const struct
  {
    const char *key;
    const char *usual;
  } specials[] = {
    { "unk_token", family->unk },   { "bos_token", family->bos }, { "eos_token", family->eos },
    { "cls_token", family->cls },   { "sep_token", family->sep }, { "pad_token", family->pad },
    { "mask_token", family->mask },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (specials); i++) {
    Added token = { .content = atn_tokenizer_source_find (self, specials[i].key, specials[i].usual),
                    .is_special = true,
                    .strips_left =
                      g_str_equal (specials[i].key, "mask_token") && family->is_roberta };

    if (token.content == NULL || atn_json_get_member (vocab, token.content) == NULL)
      continue;
    if (!find_id (vocab, token.content, &token.id, error))
      return FALSE;
    append_added (list, &token);
  }
  return TRUE;
}

/* {"<|im_start|>": 151644} */
static gboolean
append_old_list (const AtnTokenizerSource *self, GArray *list, GError **error)
{
  for (const AtnJson *item = self->added == NULL ? NULL : atn_json_get_first (self->added);
       item != NULL; item = atn_json_get_next (item)) {
    Added token = { .content = atn_json_get_name (item) };

    if (!atn_json_read_size (self->added, token.content, ATN_JSON_REQUIRED, 0, G_MAXINT32,
                             &token.id, error)) {
      g_prefix_error (error, "added_tokens.json: ");
      return FALSE;
    }
    append_added (list, &token);
  }
  return TRUE;
}

static gint
compare_ids (gconstpointer a, gconstpointer b)
{
  const size_t first = ((const Added *) a)->id;
  const size_t second = ((const Added *) b)->id;

  return first < second ? -1 : first > second;
}

static gboolean
append_flag (const Added *token, const char *key, bool usual, GString *out, GError **error)
{
  bool value = usual;

  if (token->flags != NULL &&
      !atn_json_read_bool (token->flags, key, ATN_JSON_OPTIONAL, &value, error)) {
    g_prefix_error (error, "tokenizer_config.json: added_tokens_decoder: ");
    return FALSE;
  }
  g_string_append_printf (out, ", \"%s\": %s", key, value ? "true" : "false");
  return TRUE;
}

gboolean
atn_tokenizer_source_append_added (const AtnTokenizerSource *self,
                                   const AtnJson *vocab,
                                   GString *out,
                                   GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Added));

  if (!append_decoder (self, list, error) || !append_specials (self, vocab, list, error) ||
      !append_old_list (self, list, error))
    return FALSE;

  g_array_sort (list, compare_ids);
  g_string_append (out, "\"added_tokens\": [");
  for (guint i = 0; i < list->len; i++) {
    const Added *token = &g_array_index (list, Added, i);

    g_string_append_printf (out, "%s{\"id\": %zu, \"content\": ", i > 0 ? ", " : "", token->id);
    atn_json_append_string (out, token->content);
    if (!append_flag (token, "single_word", false, out, error) ||
        !append_flag (token, "lstrip", token->strips_left, out, error) ||
        !append_flag (token, "rstrip", false, out, error) ||
        !append_flag (token, "normalized", !token->is_special, out, error) ||
        !append_flag (token, "special", token->is_special, out, error))
      return FALSE;
    g_string_append_c (out, '}');
  }
  g_string_append (out, "]");
  return TRUE;
}

/* What is put around a text. */

static void
append_template_part (GString *out, const char *kind, const char *id, unsigned type_id)
{
  g_string_append_printf (out, "{\"%s\": {\"id\": ", kind);
  atn_json_append_string (out, id);
  g_string_append_printf (out, ", \"type_id\": %u}}", type_id);
}

/* begin A end, and for a pair begin A end between B end; @between: whether it begins with begin. */
static void
append_sides (GString *out, const char *begin, const char *end, bool is_pair, bool begins_second)
{
  for (unsigned side = 0; side <= (is_pair ? 1u : 0u); side++) {
    if (begin != NULL && (side == 0 || begins_second)) {
      g_string_append (out, side > 0 ? ", " : "");
      append_template_part (out, "SpecialToken", begin, side);
      g_string_append (out, ", ");
    } else if (side > 0) {
      g_string_append (out, ", ");
    }
    append_template_part (out, "Sequence", side == 0 ? "A" : "B", side);
    if (end != NULL) {
      g_string_append (out, ", ");
      append_template_part (out, "SpecialToken", end, side);
    }
  }
}

gboolean
atn_tokenizer_append_template (GString *out,
                               const AtnJson *vocab,
                               const char *begin,
                               const char *end,
                               bool begins_second,
                               GError **error)
{
  const char *const specials[] = { begin, end };
  const char *comma = "";

  g_string_append (out, "{\"type\": \"TemplateProcessing\", \"single\": [");
  append_sides (out, begin, end, false, begins_second);
  g_string_append (out, "], \"pair\": [");
  append_sides (out, begin, end, true, begins_second);
  g_string_append (out, "], \"special_tokens\": {");
  for (size_t i = 0; i < G_N_ELEMENTS (specials); i++) {
    size_t id;

    if (specials[i] == NULL || (i == 1 && g_strcmp0 (begin, end) == 0))
      continue;
    if (!find_id (vocab, specials[i], &id, error))
      return FALSE;
    g_string_append (out, comma);
    atn_json_append_string (out, specials[i]);
    g_string_append_printf (out, ": {\"id\": \"\", \"ids\": [%zu], \"tokens\": [\"\"]}", id);
    comma = ", ";
  }
  g_string_append (out, "}}");
  return TRUE;
}

/* add_bos_token and add_eos_token; NULL for what is not added. */
gboolean
atn_tokenizer_source_read_ends (const AtnTokenizerSource *self,
                                bool adds_bos,
                                const char **begin,
                                const char **end,
                                GError **error)
{
  const AtnTokenizerFamily *family = self->family;
  bool has_begin, has_end;

  if (!atn_tokenizer_source_read_switch (self, "add_bos_token", adds_bos, &has_begin, error) ||
      !atn_tokenizer_source_read_switch (self, "add_eos_token", false, &has_end, error))
    return FALSE;

  *begin = has_begin
             ? atn_tokenizer_source_find (self, "bos_token", family == NULL ? NULL : family->bos)
             : NULL;
  *end = has_end
           ? atn_tokenizer_source_find (self, "eos_token", family == NULL ? NULL : family->eos)
           : NULL;
  return TRUE;
}

static gboolean
append_roberta (const AtnTokenizerSource *self,
                const AtnJson *vocab,
                bool has_prefix,
                GString *out,
                GError **error)
{
  const char *cls = atn_tokenizer_source_find (self, "cls_token", self->family->cls);
  const char *sep = atn_tokenizer_source_find (self, "sep_token", self->family->sep);
  bool trims;
  size_t cls_id, sep_id;

  if (!atn_tokenizer_source_read_switch (self, "trim_offsets", true, &trims, error) ||
      !find_id (vocab, cls, &cls_id, error) || !find_id (vocab, sep, &sep_id, error))
    return FALSE;

  g_string_append (out, "{\"type\": \"RobertaProcessing\", \"cls\": [");
  atn_json_append_string (out, cls);
  g_string_append_printf (out, ", %zu], \"sep\": [", cls_id);
  atn_json_append_string (out, sep);
  g_string_append_printf (out, ", %zu], \"trim_offsets\": %s, \"add_prefix_space\": %s}", sep_id,
                          trims ? "true" : "false", has_prefix ? "true" : "false");
  return TRUE;
}

static gboolean
append_byte_level (const AtnTokenizerSource *self,
                   const AtnJson *vocab,
                   GString *out,
                   GError **error)
{
  const AtnTokenizerFamily *family = self->family;
  bool has_prefix;
  const char *begin, *end;

  if (!atn_tokenizer_source_read_switch (self, "add_prefix_space", false, &has_prefix, error))
    return FALSE;

  g_string_append (out, ", \"decoder\": {\"type\": \"ByteLevel\"}, \"pre_tokenizer\": ");
  if (family->pattern != NULL) {
    g_string_append (out,
                     "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\", "
                     "\"behavior\": \"Isolated\", \"invert\": false, \"pattern\": {\"Regex\": ");
    atn_json_append_string (out, family->pattern);
    g_string_append (out, "}}, ");
  }
  g_string_append_printf (out,
                          "{\"type\": \"ByteLevel\", \"add_prefix_space\": %s, \"use_regex\": %s}",
                          has_prefix ? "true" : "false",
                          family->pattern == NULL ? "true" : "false");
  if (family->pattern != NULL)
    g_string_append (out, "]}, \"normalizer\": {\"type\": \"NFC\"}");

  g_string_append (out, ", \"post_processor\": ");
  if (family->is_roberta)
    return append_roberta (self, vocab, has_prefix, out, error);
  if (!atn_tokenizer_source_read_ends (self, family->adds_bos, &begin, &end, error))
    return FALSE;
  if (begin == NULL && end == NULL) {
    g_string_append (out, "null");
    return TRUE;
  }
  return atn_tokenizer_append_template (out, vocab, begin, end, true, error);
}

static gboolean
append_bert (const AtnTokenizerSource *self, const AtnJson *vocab, GString *out, GError **error)
{
  bool lowers, isolates, strips;

  if (!atn_tokenizer_source_read_switch (self, "do_lower_case", true, &lowers, error) ||
      !atn_tokenizer_source_read_switch (self, "tokenize_chinese_chars", true, &isolates, error) ||
      !atn_tokenizer_source_read_switch (self, "strip_accents", lowers, &strips, error))
    return FALSE;

  g_string_append_printf (
    out,
    ", \"normalizer\": {\"type\": \"BertNormalizer\", \"clean_text\": true, "
    "\"handle_chinese_chars\": %s, \"strip_accents\": %s, \"lowercase\": %s}, "
    "\"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}, "
    "\"decoder\": {\"type\": \"WordPiece\", \"prefix\": \"##\", \"cleanup\": true}, "
    "\"post_processor\": ",
    isolates ? "true" : "false", strips ? "true" : "false", lowers ? "true" : "false");
  if (self->family->is_roberta)
    return append_roberta (self, vocab, false, out, error);
  return atn_tokenizer_append_template (
    out, vocab, atn_tokenizer_source_find (self, "cls_token", self->family->cls),
    atn_tokenizer_source_find (self, "sep_token", self->family->sep), false, error);
}

gboolean
atn_tokenizer_source_append_rules (const AtnTokenizerSource *self,
                                   const AtnJson *vocab,
                                   GString *out,
                                   GError **error)
{
  return g_str_equal (self->family->file, "vocab.json")
           ? append_byte_level (self, vocab, out, error)
           : append_bert (self, vocab, out, error);
}
