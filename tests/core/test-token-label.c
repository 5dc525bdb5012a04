/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From ids back to text: bytes, labels, and what must be typed to get a token.
 */

#include "atn-test.h"
#include "tokenizer/atn-tokenizer.h"

static AtnTokenizer *
parse_tokenizer (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnJson) json = atn_json_parse (text, length, &error);
  AtnTokenizer *tokenizer;

  g_assert_no_error (error);
  tokenizer = atn_tokenizer_new (json, &error);
  g_assert_no_error (error);
  return tokenizer;
}

static AtnTokenizer *
load_case (const char *name)
{
  g_autofree char *file = g_build_filename (name, "tokenizer.json", NULL);
  gsize length;
  g_autofree char *text = atn_test_dup_case (file, &length);

  return parse_tokenizer (text, length);
}

/* A WordPiece tokenizer of these strings; ids count from 0, which is [UNK]. */
static AtnTokenizer *
make_wordpiece (const char *const *strings)
{
  g_autoptr (GString) json = g_string_new (
    "{\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},"
    "\"added_tokens\":[{\"id\":0,\"content\":\"[UNK]\",\"special\":true}],"
    "\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\",\"vocab\":{\"[UNK]\":0");

  for (unsigned i = 0; strings[i] != NULL; i++) {
    g_string_append_c (json, ',');
    atn_json_append_string (json, strings[i]);
    g_string_append_printf (json, ":%u", i + 1);
  }
  g_string_append (json, "}}}");
  return parse_tokenizer (json->str, json->len);
}

static char *
dup_labels (AtnTokenizer *tokenizer, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTokens) tokens = atn_tokenizer_encode (tokenizer, text, -1, NULL, 0, &error);
  GString *labels = g_string_new (NULL);

  g_assert_no_error (error);
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    g_autofree char *label = atn_tokenizer_dup_label (tokenizer, tokens->tokens[i].id);

    g_assert_true (g_utf8_validate (label, -1, NULL));
    g_string_append_printf (labels, "%s%s", i > 0 ? "|" : "", label);
  }
  return g_string_free (labels, FALSE);
}

typedef struct
{
  const char *name;
  const char *folder;
  const char *text;
  const char *labels;
} CaseRow;

static const CaseRow case_rows[] = {
  { "061/labels", "061-g-c-and-mojibake-as-labels", "the cat's café\n",
    "the|␣c|at|'s|␣c|a|f|⟨C3⟩|⟨A9⟩|↵" },
  { "062/labels", "062-one-character-spread-over-several", "👍", "⟨F0⟩|⟨9F⟩|⟨91⟩|⟨8D⟩" },
  { "086/labels", "086-pasted-windows-line-ends-and-tabs", "a\r\nb\tc", "a|␍|↵|b|⇥|c" },
  { "097/labels", "097-markup-characters-in-tokens", "<s>$x$ & <b>x</b>&amp;R&D</s>",
    "<s>|$|x|$|␣|&|␣|<b>x</b>|&amp;|R&D|</s>" },
  { "101/labels", "101-right-to-left-and-combining-labels", "سلامة cat\u0301",
    "[CLS]|سلام|##ة|cat|##◌\u0301|[SEP]" },
};

static void
test_labels_of_a_case_are_whole_and_visible (gconstpointer data)
{
  const CaseRow *row = data;
  g_autoptr (AtnTokenizer) tokenizer = load_case (row->folder);
  g_autofree char *labels = dup_labels (tokenizer, row->text);

  g_assert_cmpstr (labels, ==, row->labels);
}

typedef struct
{
  const char *string;
  const char *label;
} LabelRow;

static const LabelRow label_rows[] = {
  { "cat", "cat" },
  { "##ing", "##ing" },
  { "##", "##" },
  { "\u0301", "◌\u0301" },
  { "##\u0301", "##◌\u0301" },
  { "e\u0301\u0302", "e\u0301\u0302" },
  { " \u0301", "␣◌\u0301" },
  { "\u093e", "◌\u093e" },
  { "\u00a0", "␣" },
  { "\u3000x", "␣x" },
  { "\u2028", "↵" },
  { "\t\r\n", "⇥␍↵" },
  { "\x01", "U+0001" },
  { "\x7F", "U+007F" },
  { "\u202eabc\u2066", "U+202EabcU+2066" },
  { "\u200f", "U+200F" },
  { "\u200d", "U+200D" },
  { "\ufe0f", "U+FE0F" },
  { "\u200b", "U+200B" },
  { "\ufeff", "U+FEFF" },
  { "\u00ad", "U+00AD" },
  { "❤\ufe0f", "❤\ufe0f" },
  { "👩\u200d👧", "👩\u200d👧" },
  { "👩\u200d", "👩U+200D" },
  { "\u200d👧", "U+200D👧" },
  { "👍🏽", "👍🏽" },
  { "سلام", "سلام" },
  { "हि", "हि" },
  { "\ue000", "U+E000" },
  { "\uffff", "U+FFFF" },
  { "<b>&amp;", "<b>&amp;" },
  { "", "⟨⟩" },
  { NULL, NULL },
};

static void
test_label_shows_every_character (void)
{
  const char *strings[G_N_ELEMENTS (label_rows)];
  g_autoptr (AtnTokenizer) tokenizer = NULL;
  g_autofree char *no_token = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (label_rows); i++)
    strings[i] = label_rows[i].string;
  tokenizer = make_wordpiece (strings);

  for (uint32_t i = 0; strings[i] != NULL; i++) {
    g_autofree char *label = atn_tokenizer_dup_label (tokenizer, i + 1);

    g_assert_cmpstr (label, ==, label_rows[i].label);
  }
  no_token = atn_tokenizer_dup_label (tokenizer, 12345);
  g_assert_cmpstr (no_token, ==, "⟨12345⟩");
}

static void
assert_bytes (AtnTokenizer *tokenizer, const char *string, const char *expected, gsize n_expected)
{
  uint32_t id;
  gsize length;
  g_autofree char *bytes = NULL;

  g_assert_true (atn_tokenizer_find (tokenizer, string, &id));
  bytes = atn_tokenizer_dup_bytes (tokenizer, id, &length);
  g_assert_cmpmem (bytes, length, expected, n_expected);
  g_assert_cmpint (bytes[length], ==, '\0');
}

static void
test_bytes_are_those_of_the_text (void)
{
  static const char *const strings[] = { "cat", "##ing", "##", NULL };
  g_autoptr (AtnTokenizer) byte_level = load_case ("061-g-c-and-mojibake-as-labels");
  g_autoptr (AtnTokenizer) wordpiece = make_wordpiece (strings);

  assert_bytes (byte_level, "Ġc", " c", 2);
  assert_bytes (byte_level, "Ã", "\xC3", 1);
  assert_bytes (byte_level, "Ċ", "\n", 1);
  assert_bytes (byte_level, "Ā", "\0", 1);
  assert_bytes (byte_level, "Ń", "\xAD", 1);
  assert_bytes (byte_level, "<|endoftext|>", "<|endoftext|>", 13);
  assert_bytes (wordpiece, "cat", "cat", 3);
  assert_bytes (wordpiece, "##ing", "ing", 3);
  assert_bytes (wordpiece, "##", "##", 2);
}

/* All 256 bytes have one character each, and it leads back. */
static void
test_alphabet_of_bytes_is_a_bijection (void)
{
  g_autoptr (AtnTokenizer) tokenizer = load_case ("085-empty-and-blank-sentences/gpt2");
  bool is_seen[256] = { false };

  for (uint32_t id = 0; id < 256; id++) {
    gsize length;
    g_autofree char *bytes = atn_tokenizer_dup_bytes (tokenizer, id, &length);

    g_assert_cmpuint (length, ==, 1);
    g_assert_false (is_seen[(uint8_t) bytes[0]]);
    is_seen[(uint8_t) bytes[0]] = true;
  }
}

static void
assert_appendable (AtnTokenizer *tokenizer,
                   const char *text,
                   const char *token,
                   const char *expected)
{
  uint32_t id;
  g_autofree char *appendable = NULL;

  g_assert_true (atn_tokenizer_find (tokenizer, token, &id));
  appendable = atn_tokenizer_dup_appendable (tokenizer, text, id);
  g_assert_cmpstr (appendable, ==, expected);
}

static void
test_appendable_text_gives_the_token (void)
{
  static const char *const strings[] = { "cat", "##s", "s", ".", "猫", "the", NULL };
  g_autoptr (AtnTokenizer) byte_level = load_case ("061-g-c-and-mojibake-as-labels");
  g_autoptr (AtnTokenizer) wordpiece = make_wordpiece (strings);

  assert_appendable (byte_level, "the", "Ġc", " c");
  assert_appendable (byte_level, "the", "Ã", NULL);
  assert_appendable (byte_level, "the", "Ā", NULL);
  assert_appendable (byte_level, "the", "<|endoftext|>", NULL);
  assert_appendable (wordpiece, "", "cat", "cat");
  assert_appendable (wordpiece, "the", "cat", " cat");
  assert_appendable (wordpiece, "the ", "cat", "cat");
  assert_appendable (wordpiece, "the cat", "##s", "s");
  assert_appendable (wordpiece, "the cat ", "##s", NULL);
  assert_appendable (wordpiece, "the cat", "s", " s");
  assert_appendable (wordpiece, "the cat", ".", ".");
  assert_appendable (wordpiece, "the cat", "[UNK]", NULL);
}

/* Some files say only in the decoder how a space is spelled. */
static void
test_decoder_says_how_a_space_is_spelled (void)
{
  static const char json[] =
    "{\"decoder\":{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Replace\",\"pattern\":"
    "{\"String\":\"▁\"},\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"}]},"
    "\"model\":{\"type\":\"Unigram\",\"unk_id\":1,\"byte_fallback\":true,"
    "\"vocab\":[[\"▁a\",-1],[\"<unk>\",0],[\"<0x0A>\",-2]]}}";
  g_autoptr (AtnTokenizer) tokenizer = parse_tokenizer (json, strlen (json));
  g_autofree char *label = atn_tokenizer_dup_label (tokenizer, 0);
  g_autofree char *line_end = atn_tokenizer_dup_label (tokenizer, 2);

  g_assert_cmpstr (label, ==, "␣a");
  g_assert_cmpstr (line_end, ==, "↵");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (case_rows); i++) {
    g_autofree char *path = g_strdup_printf ("/cases/%s", case_rows[i].name);

    g_test_add_data_func (path, &case_rows[i], test_labels_of_a_case_are_whole_and_visible);
  }
  g_test_add_func ("/core/tokenizer/label/every-character", test_label_shows_every_character);
  g_test_add_func ("/core/tokenizer/bytes/of-the-text", test_bytes_are_those_of_the_text);
  g_test_add_func ("/core/tokenizer/bytes/bijection", test_alphabet_of_bytes_is_a_bijection);
  g_test_add_func ("/core/tokenizer/appendable", test_appendable_text_gives_the_token);
  g_test_add_func ("/core/token-label/decoder", test_decoder_says_how_a_space_is_spelled);
  return g_test_run ();
}
