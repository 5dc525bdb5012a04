/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a tokenizer puts around a text, in the words of a tokenizer.json.
 */

#include "weights/atn-gguf-tokenizer.h"

static void
append_template_token (GString *json, const char *text, int type_id)
{
  g_string_append (json, "{\"SpecialToken\": {\"id\": ");
  atn_json_append_string (json, text);
  g_string_append_printf (json, ", \"type_id\": %d}}", type_id);
}

static void
append_template (GString *json, const AtnGgufEnds *ends, bool is_pair)
{
  g_string_append (json, "[");
  if (ends->before != NULL) {
    append_template_token (json, ends->before, 0);
    g_string_append (json, ", ");
  }
  g_string_append (json, "{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}");
  if (is_pair) {
    for (int i = 0; ends->between != NULL && i < (ends->is_twice ? 2 : 1); i++) {
      g_string_append (json, ", ");
      append_template_token (json, ends->between, 0);
    }
    g_string_append_printf (json, ", {\"Sequence\": {\"id\": \"B\", \"type_id\": %d}}",
                            ends->second_type);
  }
  if (ends->after != NULL) {
    g_string_append (json, ", ");
    append_template_token (json, ends->after, is_pair ? ends->second_type : 0);
  }
  g_string_append (json, "]");
}

static guint
get_id (const AtnGgufVocabulary *vocabulary, const char *text)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (vocabulary->by_text, text)) - 1;
}

/* ["<s>", 0] */
static void
append_id_pair (const AtnGgufVocabulary *vocabulary, const char *text, GString *json)
{
  g_string_append_c (json, '[');
  atn_json_append_string (json, text);
  g_string_append_printf (json, ", %u]", get_id (vocabulary, text));
}

static void
append_special (const AtnGgufVocabulary *vocabulary, const char *text, GString *json)
{
  const guint id = get_id (vocabulary, text);

  atn_gguf_append_key (json, text);
  g_string_append (json, "{\"id\": ");
  atn_json_append_string (json, text);
  g_string_append_printf (json, ", \"ids\": [%u], \"tokens\": [", id);
  atn_json_append_string (json, text);
  g_string_append (json, "]}");
}

void
atn_gguf_append_post_processor (const AtnGgufVocabulary *vocabulary,
                                const AtnGgufEnds *ends,
                                GString *json)
{
  if (ends->before == NULL && ends->after == NULL) {
    g_string_append (json, ", \"post_processor\": null");
    return;
  }

  g_string_append (json, ", \"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": ");
  append_template (json, ends, false);
  g_string_append (json, ", \"pair\": ");
  append_template (json, ends, true);
  g_string_append (json, ", \"special_tokens\": {");
  if (ends->before != NULL)
    append_special (vocabulary, ends->before, json);
  if (ends->after != NULL && g_strcmp0 (ends->before, ends->after) != 0)
    append_special (vocabulary, ends->after, json);
  g_string_append (json, "}}");
}

void
atn_gguf_append_roberta_processor (const AtnGgufVocabulary *vocabulary,
                                   const AtnGgufEnds *ends,
                                   GString *json)
{
  g_string_append (json, ", \"post_processor\": {\"type\": \"RobertaProcessing\", "
                         "\"trim_offsets\": true, \"add_prefix_space\": false, \"sep\": ");
  append_id_pair (vocabulary, ends->after, json);
  g_string_append (json, ", \"cls\": ");
  append_id_pair (vocabulary, ends->before, json);
  g_string_append_c (json, '}');
}
