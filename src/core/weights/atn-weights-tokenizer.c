/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The tokenizer of a Hugging Face folder, as a tokenizer.json:
 *
 *   tokenizer.json            as it is; only where it wraps a text in nothing does
 *                             tokenizer_config.json add what add_bos_token asks for
 *   vocab.json, merges.txt    byte-level BPE of GPT-2, OPT, RoBERTa, Qwen2 and kin
 *   vocab.txt                 BERT's WordPiece, MPNet's between RoBERTa's special tokens
 *
 * The older files hold no rules: those are what the family's tokenizer class in
 * transformers builds, with the settings of tokenizer_config.json, and special tokens
 * from there, special_tokens_map.json, added_tokens.json or the class's own defaults.
 */

#include "base/atn-error.h"
#include "weights/atn-tokenizer-source.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define VOCABULARY_MAX_SIZE (G_GUINT64_CONSTANT (64) << 20)
#define CONFIG_MAX_SIZE (G_GUINT64_CONSTANT (16) << 20)
#define TOKENIZER_MAX_SIZE (G_GUINT64_CONSTANT (256) << 20)

#define QWEN2_PATTERN                                                                              \
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| "                            \
  "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

#define GPT2_LIKE(type)                                                                            \
  {                                                                                                \
    type, "vocab.json", "<|endoftext|>", "<|endoftext|>", "<|endoftext|>"                          \
  }
#define BERT_LIKE(type)                                                                            \
  {                                                                                                \
    type, "vocab.txt", "[UNK]", NULL, NULL, "[CLS]", "[SEP]", "[PAD]", "[MASK]"                    \
  }

static const AtnTokenizerFamily families[] = {
  GPT2_LIKE ("gpt2"),
  GPT2_LIKE ("gpt_neo"),
  GPT2_LIKE ("gptj"),
  GPT2_LIKE ("phi"),
  { "opt", "vocab.json", "</s>", "</s>", "</s>", .pad = "<pad>", .adds_bos = true },
  { "roberta", "vocab.json", "<unk>", "<s>", "</s>", "<s>", "</s>", "<pad>", "<mask>",
    .is_roberta = true },
  { "qwen2", "vocab.json", NULL, NULL, "<|endoftext|>", .pattern = QWEN2_PATTERN },
  { "qwen3", "vocab.json", NULL, NULL, "<|endoftext|>", .pattern = QWEN2_PATTERN },
  BERT_LIKE ("bert"),
  BERT_LIKE ("distilbert"),
  BERT_LIKE ("electra"),
  { "mpnet", "vocab.txt", "[UNK]", "<s>", "</s>", "<s>", "</s>", "<pad>", "<mask>",
    .is_roberta = true },
};

static char *
dup_path (const char *folder, const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static bool
has_file (const char *folder, const char *name)
{
  g_autofree char *path = dup_path (folder, name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

const char *
atn_weights_find_tokenizer (const char *folder)
{
  if (has_file (folder, "tokenizer.json"))
    return "tokenizer.json";
  if (has_file (folder, "vocab.json") && has_file (folder, "merges.txt"))
    return "vocab.json";
  if (has_file (folder, "vocab.txt"))
    return "vocab.txt";
  return NULL;
}

static gboolean
read_optional (const char *folder, const char *name, AtnJson **json, GError **error)
{
  if (!has_file (folder, name))
    return TRUE;

  *json = atn_weights_read_json (folder, name, CONFIG_MAX_SIZE, error);
  return *json != NULL;
}

/* Files. */

static GBytes *
read_text (const char *folder, const char *name, GError **error)
{
  const AtnProgress quiet = { .func = NULL };
  g_autofree char *path = dup_path (folder, name);
  GBytes *bytes = atn_input_read_file (path, VOCABULARY_MAX_SIZE, &quiet, error);

  if (bytes == NULL)
    atn_weights_prefix_path (error, path);
  return bytes;
}

/* Gets the lines of a file without their ends, of either kind, and without those that are empty. */
typedef gboolean (*LineFunc) (const char *line, size_t index, GString *out, GError **error);

static gboolean
read_line (const char *start,
           size_t length,
           size_t index,
           LineFunc func,
           GString *out,
           GError **error)
{
  g_autofree char *line = NULL;

  if (length > 0 && start[length - 1] == '\r')
    length--;
  if (!g_utf8_validate_len (start, length, NULL)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("line %zu is not valid UTF-8 or holds U+0000"), index + 1);
    return FALSE;
  }
  line = g_strndup (start, length);
  return *line == '\0' || func (line, index, out, error);
}

static gboolean
for_each_line (const char *folder, const char *name, LineFunc func, GString *out, GError **error)
{
  g_autoptr (GBytes) bytes = read_text (folder, name, error);
  gsize length;
  const char *text;
  size_t index = 0;

  if (bytes == NULL)
    return FALSE;

  text = g_bytes_get_data (bytes, &length);
  for (gsize start = 0; start < length; index++) {
    const char *feed = memchr (text + start, '\n', length - start);
    gsize end = feed == NULL ? length : (gsize) (feed - text);

    if (!read_line (text + start, end - start, index, func, out, error)) {
      g_autofree char *path = dup_path (folder, name);

      atn_weights_prefix_path (error, path);
      return FALSE;
    }
    start = end + 1;
  }
  return TRUE;
}

static gboolean
append_merge (const char *line, size_t index, GString *out, GError **error)
{
  if (g_str_has_prefix (line, "#version"))
    return TRUE;

  g_string_append (out, out->len > 1 ? ", " : "");
  atn_json_append_string (out, line);
  return TRUE;
}

static gboolean
append_entry (const char *line, size_t index, GString *out, GError **error)
{
  g_string_append (out, out->len > 1 ? ", " : "");
  atn_json_append_string (out, line);
  g_string_append_printf (out, ": %zu", index);
  return TRUE;
}

/* The lines of a file as one JSON value between the two @ends. */
static AtnJson *
read_lines (const char *folder, const char *name, LineFunc func, const char *ends, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_c (text, ends[0]);
  if (!for_each_line (folder, name, func, text, error))
    return NULL;
  g_string_append_c (text, ends[1]);
  return atn_json_parse (text->str, text->len, error);
}

/* {"type": "BPE", …} with its vocabulary and merges. */
static AtnJson *
read_model (const AtnTokenizerSource *self, GError **error)
{
  const bool is_bpe = g_str_equal (self->family->file, "vocab.json");
  g_autoptr (GString) text = g_string_new ("{\"type\": ");
  g_autoptr (AtnJson) vocab =
    is_bpe ? atn_weights_read_json (self->folder, "vocab.json", VOCABULARY_MAX_SIZE, error)
           : read_lines (self->folder, "vocab.txt", append_entry, "{}", error);
  g_autoptr (AtnJson) merges = NULL;
  AtnJson *model;

  if (vocab == NULL)
    return NULL;
  if (is_bpe) {
    merges = read_lines (self->folder, "merges.txt", append_merge, "[]", error);
    if (merges == NULL)
      return NULL;
    g_string_append (text, "\"BPE\"}");
  } else {
    g_string_append (text, "\"WordPiece\", \"continuing_subword_prefix\": \"##\", \"unk_token\": ");
    atn_json_append_string (text, atn_tokenizer_source_find (self, "unk_token", self->family->unk));
    g_string_append_c (text, '}');
  }
  model = atn_json_parse (text->str, text->len, error);
  if (model == NULL)
    return NULL;

  atn_json_add (model, "vocab", g_steal_pointer (&vocab));
  if (merges != NULL)
    atn_json_add (model, "merges", g_steal_pointer (&merges));
  return model;
}

/* A tokenizer.json of the older files. */
static AtnJson *
build (const AtnTokenizerSource *self, GError **error)
{
  g_autoptr (AtnJson) model = read_model (self, error);
  g_autoptr (GString) text = g_string_new ("{");
  const AtnJson *vocab = atn_json_get_member (model, "vocab");
  AtnJson *root;

  if (model == NULL || !atn_tokenizer_source_append_added (self, vocab, text, error))
    return NULL;

  if (!atn_tokenizer_source_append_rules (self, vocab, text, error))
    return NULL;

  g_string_append_c (text, '}');
  root = atn_json_parse (text->str, text->len, error);
  if (root != NULL)
    atn_json_add (root, "model", g_steal_pointer (&model));
  return root;
}

static const AtnTokenizerFamily *
find_family (const AtnJson *config, const char *file, GError **error)
{
  const char *type = NULL;

  if (!atn_json_read_string (config, "model_type", ATN_JSON_REQUIRED, &type, error))
    return NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_str_equal (families[i].model_type, type) && g_str_equal (families[i].file, file))
      return &families[i];

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("%s of model type “%s” cannot be read without a tokenizer.json"), file, type);
  return NULL;
}

/* Whether something already puts tokens around a text. */
static bool
has_template (const AtnJson *processor)
{
  const AtnJson *type = atn_json_get_member (processor, "type");
  const AtnJson *list = atn_json_get_member (processor, "processors");

  if (type == NULL || atn_json_get_kind (type) != ATN_JSON_STRING)
    return processor != NULL;
  if (g_str_equal (atn_json_get_string (type), "ByteLevel"))
    return false;
  if (!g_str_equal (atn_json_get_string (type), "Sequence") || list == NULL)
    return true;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item))
    if (has_template (item))
      return true;
  return false;
}

static bool
has_content (const AtnJson *token, const char *content)
{
  const AtnJson *member = atn_json_get_member (token, "content");

  return member != NULL && atn_json_get_kind (member) == ATN_JSON_STRING &&
         g_str_equal (atn_json_get_string (member), content);
}

/* (transfer full): {string: id} of @begin and @end, from the added tokens or the vocabulary. */
static AtnJson *
dup_ids (const AtnJson *root, const char *begin, const char *end)
{
  const AtnJson *vocab = atn_json_get_member (atn_json_get_member (root, "model"), "vocab");
  const AtnJson *added = atn_json_get_member (root, "added_tokens");
  const char *const tokens[] = { begin, end };
  AtnJson *ids = atn_json_new_object ();

  for (size_t i = 0; i < G_N_ELEMENTS (tokens); i++) {
    const AtnJson *id = tokens[i] == NULL ? NULL : atn_json_get_member (vocab, tokens[i]);
    g_autoptr (GString) text = g_string_new (NULL);

    for (const AtnJson *item = added == NULL || tokens[i] == NULL ? NULL
                                                                  : atn_json_get_first (added);
         id == NULL && item != NULL; item = atn_json_get_next (item))
      if (has_content (item, tokens[i]))
        id = atn_json_get_member (item, "id");
    if (id == NULL)
      continue;
    atn_json_append_node (text, id);
    atn_json_add (ids, tokens[i], atn_json_parse (text->str, text->len, NULL));
  }
  return ids;
}

/* The processors of @old, if any, and behind them a template for what the settings ask for. */
static gboolean
add_ends (const AtnTokenizerSource *self, AtnJson *root, GError **error)
{
  const AtnJson *old = atn_json_get_member (root, "post_processor");
  g_autoptr (AtnJson) ids = NULL;
  g_autoptr (GString) text = g_string_new ("{\"type\": \"Sequence\", \"processors\": [");
  const char *begin, *end;
  AtnJson *processor;

  if (has_template (old))
    return TRUE;
  if (!atn_tokenizer_source_read_ends (self, false, &begin, &end, error))
    return FALSE;
  if (begin == NULL && end == NULL)
    return TRUE;

  if (old != NULL) {
    atn_json_append_node (text, old);
    g_string_append (text, ", ");
  }
  ids = dup_ids (root, begin, end);
  if (!atn_tokenizer_append_template (text, ids, begin, end, true, error))
    return FALSE;
  g_string_append (text, "]}");
  processor = atn_json_parse (text->str, text->len, error);
  if (processor == NULL)
    return FALSE;

  atn_json_add (root, "post_processor", processor);
  return TRUE;
}

static void
clear_source (AtnTokenizerSource *self)
{
  g_clear_pointer (&self->settings, atn_json_free);
  g_clear_pointer (&self->specials, atn_json_free);
  g_clear_pointer (&self->added, atn_json_free);
}

static AtnJson *
read_source (AtnTokenizerSource *self, const AtnJson *config, const char *file, GError **error)
{
  g_autoptr (AtnJson) root = NULL;

  if (!read_optional (self->folder, "tokenizer_config.json", &self->settings, error))
    return NULL;
  if (g_str_equal (file, "tokenizer.json")) {
    root = atn_weights_read_json (self->folder, file, TOKENIZER_MAX_SIZE, error);
    return root != NULL && add_ends (self, root, error) ? g_steal_pointer (&root) : NULL;
  }

  self->family = find_family (config, file, error);
  if (self->family == NULL ||
      !read_optional (self->folder, "special_tokens_map.json", &self->specials, error) ||
      !read_optional (self->folder, "added_tokens.json", &self->added, error))
    return NULL;
  return build (self, error);
}

AtnJson *
atn_weights_read_tokenizer (const char *folder, const AtnJson *config, GError **error)
{
  const char *file = atn_weights_find_tokenizer (folder);
  AtnTokenizerSource source = { .folder = folder };
  AtnJson *root;

  g_return_val_if_fail (file != NULL, NULL);

  root = read_source (&source, config, file, error);
  clear_source (&source);
  return root;
}
