/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The whole pipeline against the tokenizers library: every text of every folder in
 * fixtures/tokenizers, and the inputs of cases/ that broke other tokenizers.
 */

#include "atn-test-json.h"
#include "atn-test.h"
#include "tokenizer/atn-tokenizer.h"

#include <locale.h>

static AtnTokenizer *
load_tokenizer (const char *path)
{
  g_autoptr (AtnJson) json = atn_test_read_json (path);
  g_autoptr (GError) error = NULL;
  AtnTokenizer *tokenizer = atn_tokenizer_new (json, &error);

  g_assert_no_error (error);
  return tokenizer;
}

static AtnTokenizer *
load_case (const char *name)
{
  g_autofree char *folder = atn_test_dup_case_path (name);
  g_autofree char *path = g_build_filename (folder, "tokenizer.json", NULL);

  return load_tokenizer (path);
}

static AtnTokens *
encode (AtnTokenizer *tokenizer, const char *text, const char *pair)
{
  g_autoptr (GError) error = NULL;
  AtnTokens *tokens = atn_tokenizer_encode (tokenizer, text, -1, pair, -1, &error);

  g_assert_no_error (error);
  return tokens;
}

static double
number_at (const AtnJson *list, size_t index)
{
  const AtnJson *item = atn_json_get_first (list);

  for (; index > 0; index--)
    item = atn_json_get_next (item);
  return atn_json_get_number (item);
}

static const char *
text_of (const AtnJson *line, const char *key)
{
  const AtnJson *member = atn_json_get_member (line, key);

  return member == NULL ? NULL : atn_json_get_string (member);
}

/* (nullable): the first of a list that may be absent. */
static const AtnJson *
first_of (const AtnJson *line, const char *key)
{
  const AtnJson *list = atn_json_get_member (line, key);

  return list == NULL ? NULL : atn_json_get_first (list);
}

/* The next number of a list that is walked, @otherwise where there is no list. */
static int
take_number (const AtnJson **item, int otherwise)
{
  const int value = *item == NULL ? otherwise : (int) atn_json_get_number (*item);

  if (*item != NULL)
    *item = atn_json_get_next (*item);
  return value;
}

/* The strings of a list, [n_strings], with NULL at the end; they belong to @list. */
static const char **
dup_strings (const AtnJson *list)
{
  const char **strings = g_new0 (const char *, atn_json_count (list) + 1);
  size_t n_strings = 0;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item))
    strings[n_strings++] = atn_json_get_string (item);
  return strings;
}

/* A line without sequences and segments has one text, segment 0, and added tokens at -1. */
static bool
equals_line (const AtnTokens *tokens, const AtnJson *line, const char *const *vocabulary)
{
  const AtnJson *id = first_of (line, "ids"), *place = first_of (line, "offsets");
  const AtnJson *sequence = first_of (line, "sequence"), *type = first_of (line, "type_ids");

  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];
    const int expected = take_number (&id, -1);
    const int start = take_number (&place, -1), end = take_number (&place, -1);

    if ((int) token->id != expected || strcmp (token->text, vocabulary[expected]) != 0 ||
        token->start != start || token->end != end ||
        token->sequence != take_number (&sequence, start < 0 ? -1 : 0) ||
        (int) token->type_id != take_number (&type, 0) ||
        (token->sequence < 0 && !token->is_special)) {
      g_test_message ("token %zu is %u “%s” %zd-%zd", i, token->id, token->text, token->start,
                      token->end);
      return false;
    }
  }
  return id == NULL && place == NULL && sequence == NULL && type == NULL;
}

static void
check_line (AtnTokenizer *tokenizer,
            const AtnJson *text,
            const AtnJson *line,
            const char *const *vocabulary,
            const char *where)
{
  g_autoptr (AtnTokens) tokens = encode (tokenizer, text_of (text, "text"), text_of (text, "pair"));

  if (!equals_line (tokens, line, vocabulary)) {
    g_autoptr (GString) expected = g_string_new (NULL);

    atn_json_append_node (expected, text);
    atn_json_append_node (expected, line);
    g_error ("%s: %zu tokens, expected %s", where, tokens->n_tokens, expected->str);
  }
}

/* The lines are in the order of their texts, all or some of them. */
static void
test_fixture_equals_the_reference (gconstpointer data)
{
  const char *folder = data;
  g_autofree char *path = g_build_filename (folder, "tokenizer.json", NULL);
  g_autofree char *expect_path = g_build_filename (folder, "expect.json", NULL);
  g_autofree char *texts_path = g_test_build_filename (G_TEST_DIST, "fixtures", "texts.json", NULL);
  g_autoptr (AtnTokenizer) tokenizer = load_tokenizer (path);
  g_autoptr (AtnJson) expect = atn_test_read_json (expect_path);
  g_autoptr (AtnJson) texts = atn_test_read_json (texts_path);
  g_autofree const char **vocabulary = dup_strings (atn_json_get_member (expect, "vocabulary"));
  const AtnJson *text = first_of (texts, "texts");
  size_t n_lines = 0, index = 0;

  for (const AtnJson *line = first_of (expect, "texts"); line != NULL;
       line = atn_json_get_next (line), n_lines++) {
    for (; index < (size_t) atn_json_get_number (atn_json_get_member (line, "text")); index++)
      text = atn_json_get_next (text);
    check_line (tokenizer, text, line, vocabulary, folder);
  }
  g_assert_cmpuint (n_lines, >, 150);
}

/* A case counts offsets in characters, and gives tokens that were added 0–0. */
static void
check_case_line (AtnTokenizer *tokenizer, const AtnJson *line, const char *name)
{
  const char *text = text_of (line, "text");
  g_autoptr (AtnTokens) tokens = encode (tokenizer, text, text_of (line, "pair"));
  const AtnJson *ids = atn_json_get_member (line, "ids");
  const AtnJson *raw = atn_json_get_first (atn_json_get_member (line, "tokens"));
  const AtnJson *offsets = atn_json_get_first (atn_json_get_member (line, "char_offsets"));

  if (tokens->n_tokens != atn_json_count (ids))
    g_error ("%s: %zu tokens for “%s”", name, tokens->n_tokens, text);
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];

    g_assert_cmpuint (token->id, ==, (uint32_t) number_at (ids, i));
    g_assert_cmpstr (token->text, ==, atn_json_get_string (raw));
    if (token->sequence == 0) {
      g_assert_cmpint (g_utf8_strlen (text, token->start), ==, (glong) number_at (offsets, 0));
      g_assert_cmpint (g_utf8_strlen (text, token->end), ==, (glong) number_at (offsets, 1));
    }
    raw = atn_json_get_next (raw);
    offsets = atn_json_get_next (offsets);
  }
}

static void
test_case_equals_its_answer (gconstpointer data)
{
  const char *name = data;
  g_autofree char *folder = atn_test_dup_case_path (name);
  g_autofree char *expect_path = g_build_filename (folder, "expect.json", NULL);
  g_autoptr (AtnTokenizer) tokenizer = load_case (name);
  g_autoptr (AtnJson) expect = atn_test_read_json (expect_path);

  for (const AtnJson *line = atn_json_get_first (atn_json_get_member (expect, "texts"));
       line != NULL; line = atn_json_get_next (line))
    if (atn_json_get_member (line, "ids") != NULL)
      check_case_line (tokenizer, line, name);
}

/* The expect.json of case 65 was made with other merges; its answer is that both spellings agree.
 */
static void
test_merges_as_strings_equal_merges_as_pairs (void)
{
  static const char *const names[] = { "064-merges-go-by-rank-not-left-to",
                                       "065-merges-as-strings-or-as-pairs" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (AtnTokenizer) tokenizer = load_case (names[i]);
    g_autoptr (AtnTokens) tokens = encode (tokenizer, "brutalist", NULL);

    g_assert_cmpuint (tokens->n_tokens, ==, 3);
    g_assert_cmpuint (tokens->tokens[0].id, ==, 256);
    g_assert_cmpuint (tokens->tokens[1].id, ==, 257);
    g_assert_cmpuint (tokens->tokens[2].id, ==, 261);
  }
}

/* The id is there; that the model has no row for it is found where the row is asked for. */
static void
test_id_of_an_added_token_beyond_the_model_is_given (void)
{
  g_autoptr (AtnTokenizer) tokenizer = load_case ("082-token-id-beyond-the-embedding");
  g_autoptr (AtnTokens) tokens = encode (tokenizer, "the<|endoftext|>", NULL);

  g_assert_cmpuint (atn_tokenizer_get_n_ids (tokenizer), ==, 276);
  g_assert_cmpuint (tokens->n_tokens, ==, 2);
  g_assert_cmpuint (tokens->tokens[0].id, ==, 270);
  g_assert_cmpuint (tokens->tokens[1].id, ==, 275);
  g_assert_true (tokens->tokens[1].is_special);
}

typedef struct
{
  const char *file;
  const char *message; /* where the text is wrong, NULL if it is right */
} BadText;

static const BadText bad_texts[] = {
  { "latin1", "at byte 3 (0xE9)" },   { "cut", "at byte 8 (0xE2)" },
  { "overlong", "at byte 1 (0xC0)" }, { "cesu", "at byte 1 (0xED)" },
  { "utf16", "at byte 0 (0xFF)" },    { "nul", NULL },
};

static void
test_text_that_is_no_utf_8_is_refused_with_its_byte (gconstpointer data)
{
  const BadText *row = data;
  g_autoptr (AtnTokenizer) tokenizer = load_case ("085-empty-and-blank-sentences/gpt2");
  g_autofree char *name = g_strdup_printf ("088-text-that-is-not-valid-utf-8/%s.txt", row->file);
  gsize length;
  g_autofree char *text = atn_test_dup_case (name, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokens) tokens =
    atn_tokenizer_encode (tokenizer, text, (gssize) length, NULL, 0, &error);
  g_autoptr (AtnTokens) in_pair = NULL;

  if (row->message == NULL) {
    /* Each byte is one token in this vocabulary, U+0000 too. */
    g_assert_no_error (error);
    g_assert_cmpuint (tokens->n_tokens, >, 0);
    g_assert_cmpint (tokens->tokens[tokens->n_tokens - 1].end, ==, (gssize) length);
    return;
  }
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, row->message);
  g_assert_null (tokens);
  g_clear_error (&error);
  in_pair = atn_tokenizer_encode (tokenizer, "a", 1, text, (gssize) length, &error);
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, row->message);
  g_assert_null (in_pair);
}

static void
test_pair_without_a_template_comes_right_behind_the_text (void)
{
  g_autoptr (AtnTokenizer) tokenizer = load_case ("085-empty-and-blank-sentences/gpt2");
  g_autoptr (AtnTokens) tokens = encode (tokenizer, "a", "bc");

  g_assert_false (atn_tokenizer_has_pair (tokenizer));
  g_assert_cmpuint (tokens->n_tokens, ==, 3);
  for (size_t i = 0; i < 3; i++) {
    g_assert_cmpint (tokens->tokens[i].sequence, ==, i == 0 ? 0 : 1);
    g_assert_cmpuint (tokens->tokens[i].type_id, ==, i == 0 ? 0 : 1);
  }
  g_assert_cmpint (tokens->tokens[2].start, ==, 1);
}

/* What is left of "the cat the" and "cat" (with [CLS], [SEP], [SEP]) at each length. */
static void
test_truncation_keeps_what_the_template_added (void)
{
  static const char *const expected[] = {
    "",
    "[CLS]",
    "[CLS][SEP]",
    "[CLS][SEP][SEP]",
    "[CLS]the[SEP][SEP]",
    "[CLS]the[SEP]cat[SEP]",
    "[CLS]thecat[SEP]cat[SEP]",
    "[CLS]thecatthe[SEP]cat[SEP]",
    "[CLS]thecatthe[SEP]cat[SEP]",
  };
  g_autoptr (AtnTokenizer) tokenizer = load_case ("085-empty-and-blank-sentences/bert");
  g_autoptr (AtnTokens) tokens = encode (tokenizer, "the cat the", "cat");

  g_assert_true (atn_tokenizer_has_pair (tokenizer));
  for (size_t n = 0; n < G_N_ELEMENTS (expected); n++) {
    g_autoptr (AtnTokens) kept = atn_tokens_truncate (tokens, n);
    g_autoptr (GString) text = g_string_new (NULL);

    for (size_t i = 0; i < kept->n_tokens; i++)
      g_string_append (text, kept->tokens[i].text);
    g_assert_cmpuint (kept->n_tokens, <=, n);
    g_assert_cmpstr (text->str, ==, expected[n]);
  }
}

static gpointer
encode_often_thread (gpointer data)
{
  for (int i = 0; i < 200; i++) {
    g_autoptr (AtnTokens) tokens = encode (data, "the cat's café 猫", NULL);

    g_assert_cmpuint (tokens->n_tokens, >, 8);
  }
  return NULL;
}

static void
test_threads_share_one_tokenizer (void)
{
  g_autoptr (AtnTokenizer) tokenizer = load_case ("061-g-c-and-mojibake-as-labels");
  GThread *threads[3];

  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("encode", encode_often_thread, tokenizer);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* The heap keeps a word of a whole file from costing its square. */
static void
test_word_of_a_megabyte_takes_no_minutes (void)
{
  g_autoptr (AtnTokenizer) tokenizer = load_case ("064-merges-go-by-rank-not-left-to");
  g_autofree char *word = g_strnfill (1 << 20, 'a');
  g_autoptr (AtnTokens) tokens = encode (tokenizer, word, NULL);

  g_assert_cmpuint (tokens->n_tokens, ==, 1 << 19);
}

static const char *const cases[] = {
  "061-g-c-and-mojibake-as-labels",
  "062-one-character-spread-over-several",
  "064-merges-go-by-rank-not-left-to",
  "070-accents-and-kana-marks-are",
  "071-every-chinese-character-stands",
  "073-case-mapping-outside-ascii",
  "074-lowercase-and-strip-accents-are/cased",
  "074-lowercase-and-strip-accents-are/cased_strip",
  "074-lowercase-and-strip-accents-are/lower_keep_accents",
  "076-100-characters-is-the-limit-for-a",
  "077-one-unknown-piece-makes-the-whole",
  "079-the-user-types-a-special-token",
  "080-beginning-of-text-added-twice-or",
  "083-prefix-space-first-always-never/always",
  "083-prefix-space-first-always-never/first",
  "083-prefix-space-first-always-never/never",
  "085-empty-and-blank-sentences/bert",
  "085-empty-and-blank-sentences/gpt2",
  "086-pasted-windows-line-ends-and-tabs",
  "089-emoji-made-of-several-code-points",
  "097-markup-characters-in-tokens",
  "101-right-to-left-and-combining-labels",
};

static void
add_cases (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *part = strchr (cases[i], '/');
    g_autofree char *path =
      g_strdup_printf ("/cases/%.3s/ids%s", cases[i], part == NULL ? "" : part);

    g_test_add_data_func (path, cases[i], test_case_equals_its_answer);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad_texts); i++) {
    g_autofree char *path = g_strdup_printf ("/cases/088/%s", bad_texts[i].file);

    g_test_add_data_func (path, &bad_texts[i], test_text_that_is_no_utf_8_is_refused_with_its_byte);
  }
}

static void
add_fixtures (void)
{
  g_autofree char *root = g_test_build_filename (G_TEST_DIST, "fixtures", "tokenizers", NULL);
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_strdup_printf ("/core/tokenizer/equals-the-reference/%s", name);

    g_test_add_data_func_full (path, g_build_filename (root, name, NULL),
                               test_fixture_equals_the_reference, g_free);
  }
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  add_fixtures ();
  add_cases ();
  g_test_add_func ("/cases/065", test_merges_as_strings_equal_merges_as_pairs);
  g_test_add_func ("/cases/082/ids", test_id_of_an_added_token_beyond_the_model_is_given);
  g_test_add_func ("/core/tokenizer/pair/without-a-template",
                   test_pair_without_a_template_comes_right_behind_the_text);
  g_test_add_func ("/core/tokenizer/truncate", test_truncation_keeps_what_the_template_added);
  g_test_add_func ("/core/tokenizer/threads", test_threads_share_one_tokenizer);
  g_test_add_func ("/core/tokenizer/long-word", test_word_of_a_megabyte_takes_no_minutes);
  return g_test_run ();
}
