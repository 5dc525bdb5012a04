/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What is wrong in a tokenizer.json, one row per fault, and what is unusual but right.
 */

#include "atn-test.h"
#include "tokenizer/atn-tokenizer.h"

#include <locale.h>

static AtnTokenizer *
parse_tokenizer (const char *text, gsize length, GError **error)
{
  g_autoptr (GError) json_error = NULL;
  g_autoptr (AtnJson) json = atn_json_parse (text, length, &json_error);

  g_assert_no_error (json_error);
  return atn_tokenizer_new (json, error);
}

typedef struct
{
  const char *name;
  const char *json;
  int code;
  const char *message;
} BadFile;

#define WORDS "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"u\":0,\"a\":1},\"unk_token\":\"u\"}"
#define BPE(merges)                                                                                \
  "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[" merges "]}}"
#define ADDED(token) "{\"added_tokens\":[" token "]," WORDS "}"
#define UNIGRAM(vocab, unknown)                                                                    \
  "{\"model\":{\"type\":\"Unigram\",\"vocab\":" vocab ",\"unk_id\":" unknown "}}"
#define CHARSMAP(base64)                                                                           \
  "{\"normalizer\":{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"" base64 "\"}," WORDS "}"
#define INVALID ATN_ERROR_INVALID_FORMAT
#define UNSUPPORTED ATN_ERROR_UNSUPPORTED

static const BadFile bad_files[] = {
  { "no-model", "{}", INVALID, "model" },
  { "model-is-a-list", "{\"model\":[]}", INVALID, "model" },
  { "model-unknown", "{\"model\":{\"type\":\"Other\",\"vocab\":[]}}", UNSUPPORTED, "“Other”" },
  { "unigram-vocab-is-an-object", UNIGRAM ("{}", "null"), INVALID, "vocab" },
  { "unigram-entry-is-a-string", UNIGRAM ("[[\"a\",0],\"b\"]", "0"), INVALID, "vocab[1] is not a" },
  { "unigram-entry-without-score", UNIGRAM ("[[\"a\"]]", "0"), INVALID, "vocab[0] is not a" },
  { "unigram-entry-of-three", UNIGRAM ("[[\"a\",0,1]]", "0"), INVALID, "vocab[0] is not a" },
  { "unigram-score-is-a-string", UNIGRAM ("[[\"a\",\"0\"]]", "0"), INVALID, "vocab[0] is not a" },
  { "unigram-piece-twice", UNIGRAM ("[[\"a\",0],[\"a\",1]]", "0"), INVALID, "“a” is in the" },
  { "unigram-unknown-beyond-the-end", UNIGRAM ("[[\"a\",0]]", "1"), INVALID,
    "“unk_id” is 1, but the vocabulary has 1 entries" },
  { "unigram-unknown-of-nothing", UNIGRAM ("[]", "0"), INVALID, "the vocabulary has 0" },
  { "no-vocab", "{\"model\":{\"type\":\"WordLevel\"}}", INVALID, "vocab" },
  { "vocab-is-a-list", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":[1]}}", INVALID, "vocab" },
  { "id-is-a-string", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":\"0\"}}}", INVALID,
    "vocab: The id of “a” is a string" },
  { "id-is-negative", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":-3}}}", INVALID,
    "The id of “a” is -3" },
  { "id-is-a-fraction", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":1.5}}}", INVALID,
    "The id of “a” is 1.5" },
  { "id-is-huge", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":16777216}}}", INVALID,
    "from 0 to 16777215" },
  { "id-is-beyond-words", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":1e300}}}", INVALID,
    "The id of “a” is 1e+300" },
  { "same-id-twice", "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0,\"b\":0}}}", INVALID,
    "“a” and “b” have the same id 0" },
  { "merges-missing", "{\"model\":{\"type\":\"BPE\",\"vocab\":{}}}", INVALID, "merges" },
  { "merge-of-one-word", BPE ("\"a b\",\"ab\""), INVALID, "merges[1] is “ab”" },
  { "merge-of-three-words", BPE ("\"a b c\""), INVALID, "merges[0] is “a b c”" },
  { "merge-is-a-number", BPE ("\"a b\",3"), INVALID, "merges[1] is a number" },
  { "merge-of-three-strings", BPE ("[\"a\",\"b\",\"c\"]"), INVALID, "merges[0] is an array" },
  { "merge-of-numbers", BPE ("[1,2]"), INVALID, "merges[0] is an array" },
  { "merge-of-nothing", BPE ("[]"), INVALID, "merges[0] is an array" },
  { "merge-left-unknown", BPE ("[\"x\",\"b\"]"), INVALID, "merges[0]: “x” is not in" },
  { "merge-right-unknown", BPE ("[\"a\",\"x\"]"), INVALID, "merges[0]: “x” is not in" },
  { "merge-result-unknown", BPE ("[\"b\",\"a\"]"), INVALID, "merges[0]: “ba” is not in" },
  { "dropout", "{\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[],\"dropout\":0.1}}",
    UNSUPPORTED, "“dropout”" },
  { "added-is-an-object", "{\"added_tokens\":{}," WORDS "}", INVALID, "added_tokens" },
  { "added-is-a-string", ADDED ("\"x\""), INVALID, "added token" },
  { "added-without-content", ADDED ("{\"id\":2}"), INVALID, "content" },
  { "added-without-id", ADDED ("{\"content\":\"x\"}"), INVALID, "id" },
  { "added-id-of-another", ADDED ("{\"id\":1,\"content\":\"x\"}"), INVALID,
    "Added token “x” has id 1, but its place in the vocabulary is 2" },
  { "added-id-with-a-gap", ADDED ("{\"id\":7,\"content\":\"x\"}"), INVALID, "has id 7" },
  { "added-id-not-the-vocabulary's", ADDED ("{\"id\":2,\"content\":\"a\"}"), INVALID, "has id 2" },
  { "normalizer-unknown", "{\"normalizer\":{\"type\":\"Other\"}," WORDS "}", UNSUPPORTED,
    "Normalizer “Other”" },
  { "charsmap-missing", "{\"normalizer\":{\"type\":\"Precompiled\"}," WORDS "}", INVALID,
    "precompiled_charsmap" },
  { "charsmap-is-no-base64", CHARSMAP ("AB?="), INVALID, "precompiled_charsmap" },
  { "charsmap-is-empty", CHARSMAP (""), INVALID, "of 0 bytes is shorter" },
  { "charsmap-is-cut", CHARSMAP ("EAAAAAAA"), INVALID, "of 6 bytes is shorter" },
  { "charsmap-of-other-text", CHARSMAP ("AAAAAP8A"), INVALID, "UTF-8 at byte 0" },
  { "replace-without-pattern", "{\"normalizer\":{\"type\":\"Replace\",\"content\":\"\"}," WORDS "}",
    INVALID, "pattern" },
  { "replace-by-a-bad-pattern",
    "{\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"(\"},\"content\":\"\"}," WORDS
    "}",
    INVALID, "Regular expression “(”" },
  { "split-by-an-unknown-property",
    "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"\\\\p{Emoji}\"},\"behavior\":"
    "\"Isolated\",\"invert\":false}," WORDS "}",
    UNSUPPORTED, "“\\p{Emoji}” at byte 0" },
  { "normalizer-without-type", "{\"normalizer\":{}," WORDS "}", INVALID, "normalizer" },
  { "normalizer-is-a-string", "{\"normalizer\":\"NFC\"," WORDS "}", INVALID, "normalizer" },
  { "normalizer-in-a-sequence",
    "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},{\"type\":"
    "\"Other\"}]"
    "}," WORDS "}",
    UNSUPPORTED, "normalizers[1]: Normalizer “Other”" },
  { "bert-normalizer-without-lowercase",
    "{\"normalizer\":{\"type\":\"BertNormalizer\",\"clean_text\":true,"
    "\"handle_chinese_chars\":true}," WORDS "}",
    INVALID, "lowercase" },
  { "pre-tokenizer-unknown", "{\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}," WORDS "}",
    UNSUPPORTED, "Pre-tokenizer “UnicodeScripts”" },
  { "decoder-unknown",
    "{\"decoder\":{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Fuse\"},{\"type\":\"CTC\"}]}"
    "," WORDS "}",
    UNSUPPORTED, "decoders[1]: Decoder “CTC”" },
  { "post-processor-unknown", "{\"post_processor\":{\"type\":\"Other\"}," WORDS "}", UNSUPPORTED,
    "Post-processor “Other”" },
  { "template-token-unknown",
    "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":"
    "{\"id\":\"[X]\",\"type_id\":0}}],\"pair\":[],\"special_tokens\":{}}," WORDS "}",
    INVALID, "“[X]”" },
  { "template-id-unknown",
    "{\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"a\",1],\"sep\":[\"x\",9]}," WORDS
    "}",
    INVALID, "token 9" },
  { "template-sequence-c",
    "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"Sequence\":{\"id\":\"C\","
    "\"type_id\":0}}],\"pair\":[],\"special_tokens\":{}}," WORDS "}",
    INVALID, "“C”" },
  { "template-single-with-b",
    "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"Sequence\":{\"id\":\"B\","
    "\"type_id\":0}}],\"pair\":[],\"special_tokens\":{}}," WORDS "}",
    INVALID, "second one" },
};

static void
test_bad_file_is_refused_by_name (gconstpointer data)
{
  const BadFile *row = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (row->json, strlen (row->json), &error);

  g_assert_null (tokenizer);
  atn_test_assert_error (error, row->code, row->message);
}

typedef struct
{
  const char *file;
  const char *message; /* NULL where it loads */
} CaseRow;

static const CaseRow case_rows[] = {
  { "oov", "“ab” is not in the vocabulary" },
  { "dupid", "have the same id" },
  { "gap", NULL },
  { "negative", "The id of “ab” is -3" },
  { "merge_three", "merges[0] is “a b c”" },
};

static void
test_merges_that_disagree_with_the_vocabulary_are_refused (gconstpointer data)
{
  const CaseRow *row = data;
  g_autofree char *name = g_strdup_printf ("068-merge-table-and-vocabulary/%s.json", row->file);
  gsize length;
  g_autofree char *text = atn_test_dup_case (name, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (text, length, &error);

  if (row->message != NULL) {
    atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, row->message);
    return;
  }
  g_assert_no_error (error);
  g_assert_cmpuint (atn_tokenizer_get_n_ids (tokenizer), ==, 5001);
  g_assert_null (atn_tokenizer_get_text (tokenizer, 4999));
  g_assert_cmpstr (atn_tokenizer_get_text (tokenizer, 5000), ==, "ab");
  g_assert_null (atn_tokenizer_get_text (tokenizer, 5001));
}

static void
assert_ids (const char *json, const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (json, strlen (json), &error);
  g_autoptr (AtnTokens) tokens = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);

  g_assert_no_error (error);
  tokens = atn_tokenizer_encode (tokenizer, text, -1, NULL, 0, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < tokens->n_tokens; i++)
    g_string_append_printf (ids, "%s%u", i > 0 ? " " : "", tokens->tokens[i].id);
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
test_merges_may_begin_with_a_version (void)
{
  assert_ids (BPE ("\"#version: 0.2\",\"a b\""), "abab", "2 2");
}

static void
test_model_without_a_type_is_known_by_its_members (void)
{
  assert_ids ("{\"model\":{\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[[\"a\",\"b\"]]}}", "ab",
              "2");
  assert_ids ("{\"model\":{\"vocab\":{\"a\":0,\"##b\":1},\"max_input_chars_per_word\":100}}", "abb",
              "0 1 1");
  assert_ids ("{\"model\":{\"vocab\":{\"a b\":0}}}", "a b", "0");
}

static void
test_null_sections_count_as_left_out (void)
{
  assert_ids ("{\"normalizer\":null,\"pre_tokenizer\":null,\"post_processor\":null,"
              "\"added_tokens\":null,\"truncation\":null,\"padding\":null," WORDS "}",
              "a", "1");
}

static void
test_unknown_word_without_an_unknown_token_is_named (void)
{
  static const char json[] = "{\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},"
                             "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (json, strlen (json), &error);
  g_autoptr (AtnTokens) tokens = NULL;

  g_assert_no_error (error);
  tokens = atn_tokenizer_encode (tokenizer, "a zebra a", -1, NULL, 0, &error);
  g_assert_null (tokens);
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "“zebra” is not in the vocabulary");
}

static void
test_message_about_a_word_is_one_line (void)
{
  static const char json[] = "{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",0]]}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (json, strlen (json), &error);
  g_autoptr (AtnTokens) tokens = NULL;

  g_assert_no_error (error);
  tokens = atn_tokenizer_encode (tokenizer, "a\na", -1, NULL, 0, &error);
  g_assert_null (tokens);
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "“ ” is not in the vocabulary");
}

static void
test_pair_without_a_place_in_the_template_is_refused (void)
{
  static const char json[] =
    "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"Sequence\":{\"id\":\"A\","
    "\"type_id\":0}}],\"pair\":[{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],"
    "\"special_tokens\":{}}," WORDS "}";
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (json, strlen (json), &error);
  g_autoptr (AtnTokens) tokens = NULL;

  g_assert_no_error (error);
  g_assert_false (atn_tokenizer_has_pair (tokenizer));
  tokens = atn_tokenizer_encode (tokenizer, "a", -1, "a", -1, &error);
  g_assert_null (tokens);
  atn_test_assert_error (error, ATN_ERROR_UNSUPPORTED, "no place for a second text");
}

/* İ and I under Turkish rules, 1.5 under German ones: neither may count. */
static void
test_locale_changes_nothing (void)
{
  static const char *const locales[] = { "C", "tr_TR.UTF-8", "de_DE.UTF-8" };
  static const char json[] = "{\"normalizer\":{\"type\":\"Lowercase\"},"
                             "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"istanbul\":0,\"u\":1},"
                             "\"unk_token\":\"u\"}}";

  for (size_t i = 0; i < G_N_ELEMENTS (locales); i++) {
    if (setlocale (LC_ALL, locales[i]) == NULL)
      g_test_message ("locale %s is not installed", locales[i]);
    assert_ids (json, "ISTANBUL", "0");
    assert_ids (json, "\u0130stanbul", "1");
  }
  setlocale (LC_ALL, "C");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (bad_files); i++) {
    g_autofree char *path = g_strdup_printf ("/core/tokenizer/file/bad/%s", bad_files[i].name);

    g_test_add_data_func (path, &bad_files[i], test_bad_file_is_refused_by_name);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (case_rows); i++) {
    g_autofree char *path = g_strdup_printf ("/cases/068/%s", case_rows[i].file);

    g_test_add_data_func (path, &case_rows[i],
                          test_merges_that_disagree_with_the_vocabulary_are_refused);
  }
  g_test_add_func ("/core/tokenizer/file/version-line", test_merges_may_begin_with_a_version);
  g_test_add_func ("/core/tokenizer/file/no-type",
                   test_model_without_a_type_is_known_by_its_members);
  g_test_add_func ("/core/tokenizer/file/null-sections", test_null_sections_count_as_left_out);
  g_test_add_func ("/core/tokenizer/encode/unknown-word",
                   test_unknown_word_without_an_unknown_token_is_named);
  g_test_add_func ("/core/tokenizer/pair/no-place",
                   test_pair_without_a_place_in_the_template_is_refused);
  g_test_add_func ("/core/tokenizer/locale", test_locale_changes_nothing);
  g_test_add_func ("/core/tokenizer/encode/unknown-line-end",
                   test_message_about_a_word_is_one_line);
  return g_test_run ();
}
