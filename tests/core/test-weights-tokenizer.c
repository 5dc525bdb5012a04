/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The tokenizer of a folder: of a tokenizer.json with its settings, and of the older
 * files vocab.json, merges.txt, vocab.txt.
 */

#include "atn-test-json.h"
#include "atn-test.h"
#include "tokenizer/atn-tokenizer.h"
#include "weights/atn-weights-private.h"

#include <locale.h>

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static AtnTokenizer *
read_folder (const char *folder, const char *config_text, GError **error)
{
  g_autoptr (AtnJson) config = atn_test_parse_json (config_text);
  g_autoptr (AtnJson) json = atn_weights_read_tokenizer (folder, config, error);

  return json == NULL ? NULL : atn_tokenizer_new (json, error);
}

/* The raw strings of @text's tokens with | between them. */
static void
assert_tokens (AtnTokenizer *tokenizer, const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokens) tokens = atn_tokenizer_encode (tokenizer, text, -1, NULL, 0, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (size_t i = 0; i < tokens->n_tokens; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? "|" : "", tokens->tokens[i].text);
  g_assert_cmpstr (found->str, ==, expected);
}

typedef struct
{
  const char *name;
  const char *model_type;
  const char *files[8]; /* name, content, … */
  const char *text;
  const char *expected;
} Row;

#define BYTES                                                                                      \
  "{\"a\":0,\"b\":1,\"Ġ\":2,\"ab\":3,\"Ġa\":4,\"<s>\":5,\"</"                                    \
  "s>\":6,\"<mask>\":7,\"<unk>\":8,\"1\":9,\"Ġab\":10}"
#define MERGES "#version: 0.2\r\na b\r\nĠ a\r\nĠ ab"
#define WORDS "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\ncat\r\n##s\r\nCat\r\ncafe\r\n猫"
#define PLAIN                                                                                      \
  "{\"added_tokens\":[{\"id\":3,\"content\":\"<s>\",\"special\":true}],"                           \
  "\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},"                                              \
  "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0,\"b\":1,\"</s>\":2}}"

static const Row rows[] = {
  { "gpt2", "gpt2", { "vocab.json", BYTES, "merges.txt", MERGES }, "ab ab", "ab|Ġab" },
  { "gpt2-prefix",
    "gpt2",
    { "vocab.json", BYTES, "merges.txt", MERGES, "tokenizer_config.json",
      "{\"add_prefix_space\":true}" },
    "ab",
    "Ġab" },
  { "gpt2-bos",
    "gpt2",
    { "vocab.json", BYTES, "merges.txt", MERGES, "tokenizer_config.json",
      "{\"add_bos_token\":true,\"bos_token\":{\"content\":\"<s>\"}}" },
    "ab",
    "<s>|ab" },
  { "opt-begins-by-itself",
    "opt",
    { "vocab.json", BYTES, "merges.txt", MERGES, "special_tokens_map.json",
      "{\"bos_token\":\"</s>\"}" },
    "ab",
    "</s>|ab" },
  { "opt-told-not-to",
    "opt",
    { "vocab.json", BYTES, "merges.txt", MERGES, "tokenizer_config.json",
      "{\"add_bos_token\":false}" },
    "ab",
    "ab" },
  { "roberta",
    "roberta",
    { "vocab.json", BYTES, "merges.txt", MERGES },
    "ab <mask>",
    "<s>|ab|<mask>|</s>" },
  { "qwen2", "qwen2", { "vocab.json", BYTES, "merges.txt", MERGES }, "ab11", "ab|1|1" },
  { "added-tokens",
    "gpt2",
    { "vocab.json", BYTES, "merges.txt", MERGES, "added_tokens.json", "{\"<x>\":12}",
      "tokenizer_config.json",
      "{\"added_tokens_decoder\":{\"11\":{\"content\":\"<y>\",\"rstrip\":true,\"special\":true}}"
      "}" },
    "a<x><y> a",
    "a|<x>|<y>|a" },
  { "bert",
    "bert",
    { "vocab.txt", WORDS },
    "Cats Café猫 [MASK]",
    "[CLS]|cat|##s|cafe|猫|[MASK]|[SEP]" },
  { "bert-cased",
    "bert",
    { "vocab.txt", WORDS "\r\n", "tokenizer_config.json", "{\"do_lower_case\":false}" },
    "Cats Café cat",
    "[CLS]|Cat|##s|[UNK]|cat|[SEP]" },
  { "bert-accents",
    "distilbert",
    { "vocab.txt", WORDS, "tokenizer_config.json", "{\"strip_accents\":false}" },
    "Café",
    "[CLS]|[UNK]|[SEP]" },
  { "mpnet",
    "mpnet",
    { "vocab.txt", "<s>\n<pad>\n</s>\n" WORDS "\n<mask>" },
    "Cats Café <mask> [MASK]",
    "<s>|cat|##s|cafe|<mask>|[UNK]|[UNK]|[UNK]|</s>" },
  { "json-alone", "llama", { "tokenizer.json", PLAIN "}" }, "a b", "a|b" },
  { "json-and-what-is-to-be-added",
    "llama",
    { "tokenizer.json", PLAIN "}", "tokenizer_config.json",
      "{\"add_bos_token\":true,\"bos_token\":\"<s>\",\"add_eos_token\":true,\"eos_token\":\"</"
      "s>\"}" },
    "a b",
    "<s>|a|b|</s>" },
  { "json-that-adds-it-already",
    "llama",
    { "tokenizer.json",
      PLAIN ",\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"<s>\",3],\"sep\":[\"</"
            "s>\",2]}}",
      "tokenizer_config.json", "{\"add_bos_token\":true,\"bos_token\":\"<s>\"}" },
    "a",
    "<s>|a|</s>" },
};

/* Of a folder with @files, which are names and texts in turn, @n_files together or fewer. */
static AtnTokenizer *
read_files (const char *model_type, const char *const *files, size_t n_files, GError **error)
{
  g_autofree char *config = g_strdup_printf ("{\"model_type\":\"%s\"}", model_type);
  char *folder = atn_test_make_folder ();
  AtnTokenizer *tokenizer;

  for (size_t i = 0; i + 1 < n_files && files[i] != NULL; i += 2)
    write_file (folder, files[i], files[i + 1]);
  tokenizer = read_folder (folder, config, error);
  atn_test_remove_folder (folder);
  return tokenizer;
}

static void
test_folder_cuts_as_its_files_say (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer =
    read_files (row->model_type, row->files, G_N_ELEMENTS (row->files), &error);

  g_assert_no_error (error);
  assert_tokens (tokenizer, row->text, row->expected);
}

typedef struct
{
  const char *name;
  const char *model_type;
  const char *files[6];
  int code;
  const char *message;
} BadRow;

static const BadRow bad_rows[] = {
  { "unknown-family",
    "clip",
    { "vocab.json", BYTES, "merges.txt", MERGES },
    ATN_ERROR_UNSUPPORTED,
    "vocab.json of model type “clip”" },
  { "words-of-gpt2", "gpt2", { "vocab.txt", WORDS }, ATN_ERROR_UNSUPPORTED, "vocab.txt of model" },
  { "no-separator",
    "bert",
    { "vocab.txt", "[UNK]\n[CLS]\n" },
    ATN_ERROR_INVALID_FORMAT,
    "special token “[SEP]” is not in" },
  { "line-that-is-no-text",
    "bert",
    { "vocab.txt", "[UNK]\n\xFF\n" },
    ATN_ERROR_INVALID_FORMAT,
    "vocab.txt: line 2 is not" },
  { "settings-that-are-wrong",
    "gpt2",
    { "vocab.json", BYTES, "merges.txt", MERGES, "tokenizer_config.json",
      "{\"add_prefix_space\":1}" },
    ATN_ERROR_INVALID_FORMAT,
    "tokenizer_config.json: “add_prefix_space”" },
  { "added-token-without-an-id",
    "gpt2",
    { "vocab.json", BYTES, "merges.txt", MERGES, "tokenizer_config.json",
      "{\"added_tokens_decoder\":{\"x\":{\"content\":\"<y>\"}}}" },
    ATN_ERROR_INVALID_FORMAT,
    "added_tokens_decoder" },
  { "merge-of-one",
    "gpt2",
    { "vocab.json", BYTES, "merges.txt", "a b\nab\n" },
    ATN_ERROR_INVALID_FORMAT,
    "merges[1] is “ab”" },
  { "begin-that-is-nowhere",
    "llama",
    { "tokenizer.json", PLAIN "}", "tokenizer_config.json",
      "{\"add_bos_token\":true,\"bos_token\":\"<x>\"}" },
    ATN_ERROR_INVALID_FORMAT,
    "special token “<x>” is not in" },
};

static void
test_fault_is_named (gconstpointer data)
{
  const BadRow *row = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer =
    read_files (row->model_type, row->files, G_N_ELEMENTS (row->files), &error);

  g_assert_null (tokenizer);
  atn_test_assert_error (error, row->code, row->message);
}

static void
test_windows_merges_without_a_last_line_end (void)
{
  g_autofree char *folder = atn_test_dup_case_path ("067-merges-txt-with-crlf-a-version");
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = read_folder (folder, "{\"model_type\":\"gpt2\"}", &error);

  g_assert_no_error (error);
  assert_tokens (tokenizer, "brutalist", "br|ut|alist");
  assert_tokens (tokenizer, "sat", "sat");
  assert_tokens (tokenizer, "the cat sat", "the|Ġc|at|Ġs|at");
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = g_strdup_printf ("/core/weights-tokenizer/%s", rows[i].name);

    g_test_add_data_func (path, &rows[i], test_folder_cuts_as_its_files_say);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad_rows); i++) {
    g_autofree char *path = g_strdup_printf ("/core/weights-tokenizer/bad/%s", bad_rows[i].name);

    g_test_add_data_func (path, &bad_rows[i], test_fault_is_named);
  }
  g_test_add_func ("/cases/067", test_windows_merges_without_a_last_line_end);
  return g_test_run ();
}
