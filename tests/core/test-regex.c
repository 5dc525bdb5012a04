/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Regular expressions as Oniguruma reads them. What each finds was asked from the
 * tokenizers library; whole families of patterns are in fixtures/tokenizers.
 */

#include "atn-test.h"
#include "tokenizer/atn-aligned-text.h"
#include "tokenizer/atn-regex.h"

#include <locale.h>

static AtnRegex *
new_regex (const char *pattern)
{
  g_autoptr (GError) error = NULL;
  AtnRegex *regex = atn_regex_new (pattern, &error);

  g_assert_no_error (error);
  return regex;
}

/* The parts of @text with | between them, matches in brackets. */
static char *
dup_split (const AtnRegex *regex, const char *text)
{
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (AtnMatch));
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);

  g_assert_true (atn_regex_split (regex, text, strlen (text), matches, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < matches->len; i++) {
    const AtnMatch *match = &g_array_index (matches, AtnMatch, i);

    g_string_append (out, match->is_match ? "[" : "");
    g_string_append_len (out, text + match->start, (gssize) (match->end - match->start));
    g_string_append (out, match->is_match ? "]" : "");
  }
  return g_string_free (out, FALSE);
}

typedef struct
{
  const char *name;
  const char *pattern;
  const char *text;
  const char *expected;
} Row;

static const Row rows[] = {
  { "literal", "ab", "xabab", "x[ab][ab]" },
  { "braces-that-are-no-interval", "a{x}", "aa{x}", "a[a{x}]" },
  { "interval", "a{2,3}", "aaaaa", "[aaa][aa]" },
  { "interval-up-to", "a{,2}b", "aaab", "a[aab]" },
  { "interval-and-plus-is-repeated", "a{2}+", "aaaaab", "[aaaa]ab" },
  { "interval-and-question-is-optional", "a{2}?b", "aaab", "a[aab]" },
  { "lazy", "a+?b|a{1,2}?", "aac", "[a][a]c" },
  { "possessive", "a++a|b", "aab", "aa[b]" },
  { "atomic", "(?>a+|b)c", "aac", "[aac]" },
  { "alternatives-in-their-order", "a|ab", "ab", "[a]b" },
  { "empty-matches", "x*", "axxb", "[]a[xx]b[]" },
  { "digits-of-unicode", "\\d+", "1२x²", "[1२]x²" },
  { "hex-digits", "\\h+", "xab12z", "x[ab12]z" },
  { "words-of-unicode", "\\w+", "a‿b\u200dⓐ²", "[a‿b]\u200d[ⓐ²]" },
  { "no-words", "\\W+", "a‿b \u200dc", "a‿b[ \u200d]c" },
  { "space-without-u180e", "\\s+", "a\xC2\x85\u180eb", "a[\xC2\x85]\u180eb" },
  { "negated-set-in-a-class", "[^\\S\\n]+", "a \t\nb", "a[ \t]\nb" },
  { "class-in-a-class", " ?[^(\\s|[.,])]+", "a (b|c) d.e", "[a] ([b]|[c])[ d].[e]" },
  { "intersection", "[a-z&&[^b]]+", "abc", "[a]b[c]" },
  { "posix", "[[:space:][:digit:]]+", "a 1b", "a[ 1]b" },
  { "minus-at-the-edge", "[-a]+[b-]", "-ab", "[-ab]" },
  { "line-ends", "^a$", "a\nab\na", "[a]\nab\n[a]" },
  { "ends-of-text", "\\Aa|a\\z|b\\Z", "aab\n", "[a]a[b]\n" },
  { "word-boundary", "\\bb", "b ab-b", "[b] ab-[b]" },
  { "dot", ".+", "a\rb\nc", "[a\rb]\n[c]" },
  { "dot-with-lines", "(?m:a.)b", "a\nb", "[a\nb]" },
  { "option-for-the-rest", "x|(?i)b|c", "BCx", "[B][C][x]" },
  { "case-of-long-s", "(?i:'s|'t)", "'S'ſ'T", "['S]['ſ]['T]" },
  { "look-around", "(?<=a)b|(?<!x)y(?!z)", "ab xy yz y", "a[b] xy yz [y]" },
  { "escapes", "\\u4e00\\x{732b}\\x41\\.\\t", "一猫A.\t", "[一猫A.\t]" },
  { "script", "\\p{Han}+", "漢字かな", "[漢字]かな" },
  { "not-a-property", "\\p{^L}+|\\P{L}", "a1 b", "a[1 ]b" },
  /* U+1C89 is a letter since Unicode 16, U+2EBF0 is Han since 15.1, U+0378 is nothing. */
  { "young-letters", "\\p{Lu}|\\p{Han}", "a\u1c89\U0002ebf0", "a[\u1c89][\U0002ebf0]" },
  { "named-young-letter", "[\u1c89b]", "a\u1c89b", "a[\u1c89][b]" },
  { "range-of-unassigned", "[\\x{fdd0}-\\x{fdef}]", "\ufdd0\ufffe", "[\ufdd0]\ufffe" },
};

static void
test_pattern_finds_what_the_reference_finds (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (AtnRegex) regex = new_regex (row->pattern);
  g_autofree char *found = dup_split (regex, row->text);

  g_assert_cmpstr (found, ==, row->expected);
}

typedef struct
{
  const char *name;
  const char *pattern;
  int code;
  const char *message;
} BadRow;

static const BadRow bad_rows[] = {
  { "group-without-an-end", "a(b", ATN_ERROR_INVALID_FORMAT, "ends where “)” is expected" },
  { "class-without-an-end", "[a", ATN_ERROR_INVALID_FORMAT, "ends where “]” is expected" },
  { "backslash-at-the-end", "a\\", ATN_ERROR_INVALID_FORMAT, "ends where “\\” is expected" },
  { "parenthesis-too-many", "a)", ATN_ERROR_UNSUPPORTED, "“)” at byte 1" },
  { "quantifier-of-nothing", "a|*", ATN_ERROR_UNSUPPORTED, "“*” at byte 2" },
  { "quantifier-of-a-quantifier", "a***", ATN_ERROR_UNSUPPORTED, "“*” at byte 2" },
  { "repeated-too-often", "a{2000}", ATN_ERROR_UNSUPPORTED, "“{2000}” at byte 1" },
  { "repeated-backwards", "a{3,2}", ATN_ERROR_UNSUPPORTED, "“{3,2}” at byte 1" },
  { "empty-class", "[]", ATN_ERROR_UNSUPPORTED, "“[]” at byte 0" },
  { "range-backwards", "[z-a]", ATN_ERROR_UNSUPPORTED, "“z-a” at byte 1" },
  { "range-to-a-set", "[a-\\d]", ATN_ERROR_UNSUPPORTED, "“a-\\” at byte 1" },
  { "posix-class", "[[:alpha:]]", ATN_ERROR_UNSUPPORTED, "“[:alpha:]” at byte 1" },
  { "property", "\\p{Emoji}", ATN_ERROR_UNSUPPORTED, "“\\p{Emoji}” at byte 0" },
  { "property-without-braces", "\\pL", ATN_ERROR_UNSUPPORTED, "“\\pL” at byte 0" },
  { "back-reference", "(a)\\1", ATN_ERROR_UNSUPPORTED, "“\\1” at byte 3" },
  { "named-group", "(?<n>a)", ATN_ERROR_UNSUPPORTED, "“(?<” at byte 0" },
  { "option", "(?x)a", ATN_ERROR_UNSUPPORTED, "“(?x” at byte 0" },
  { "verb", "(*FAIL)", ATN_ERROR_UNSUPPORTED, "“(*” at byte 0" },
  { "bare-byte", "\\xE9", ATN_ERROR_UNSUPPORTED, "“\\xE9” at byte 0" },
  { "surrogate", "\\ud800", ATN_ERROR_UNSUPPORTED, "“\\ud800” at byte 0" },
  { "two-letters-that-fold-to-one", "(?i:ss)", ATN_ERROR_UNSUPPORTED, "“s” at byte 5" },
  { "letters-beyond-ascii-that-fold", "(?i:é)", ATN_ERROR_UNSUPPORTED, "“é” at byte 4" },
  { "upper-case-without-case", "(?i)\\p{Lu}", ATN_ERROR_UNSUPPORTED, "“\\p{Lu}” at byte 4" },
  { "look-behind-of-any-length", "(?<=a+)b", ATN_ERROR_UNSUPPORTED, "(?<=a+)b" },
};

static void
test_what_is_not_known_is_refused_by_name (gconstpointer data)
{
  const BadRow *row = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnRegex) regex = atn_regex_new (row->pattern, &error);

  g_assert_null (regex);
  atn_test_assert_error (error, row->code, row->message);
}

static void
test_nested_pattern_does_not_use_up_the_stack (void)
{
  static const char *const openings[] = { "(", "[" };

  for (size_t i = 0; i < G_N_ELEMENTS (openings); i++) {
    g_autofree char *pattern = g_strnfill (100000, openings[i][0]);
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnRegex) regex = atn_regex_new (pattern, &error);

    atn_test_assert_error (error, ATN_ERROR_UNSUPPORTED, "nested");
    g_assert_null (regex);
  }
}

static void
test_long_pattern_is_refused (void)
{
  g_autofree char *pattern = g_strnfill (300000, 'a');
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnRegex) regex = atn_regex_new (pattern, &error);

  atn_test_assert_error (error, ATN_ERROR_TOO_LARGE, "300000 bytes");
  g_assert_null (regex);
}

static void
test_pattern_that_explodes_ends_with_a_sentence (void)
{
  g_autoptr (AtnRegex) regex = new_regex ("(?:a|a)*[bc]");
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (AtnMatch));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strnfill (60, 'a');

  g_assert_false (atn_regex_split (regex, text, strlen (text), matches, &error));
  atn_test_assert_error (error, ATN_ERROR_TOO_LARGE, "“(?:a|a)*[bc]” takes too long");
}

/* GPT-4o's runs of capitals are given back one by one. */
static void
test_long_word_of_one_class_is_no_explosion (void)
{
  g_autoptr (AtnRegex) regex = new_regex ("[\\p{Lu}\\p{Lo}]*[\\p{Ll}\\p{Lo}]+|[\\p{Lu}\\p{Lo}]+");
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (AtnMatch));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strnfill (4 << 20, 'A');

  g_assert_true (atn_regex_split (regex, text, strlen (text), matches, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (matches->len, ==, 1);
}

static void
test_message_is_one_line_of_bearable_length (void)
{
  g_autofree char *many = g_strnfill (5000, 'a');
  g_autofree char *pattern = g_strconcat ("a\n\t(", many, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnRegex) regex = atn_regex_new (pattern, &error);

  g_assert_null (regex);
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "“a  (aaaa");
  g_assert_cmpuint (strlen (error->message), <, 400);
}

static void
test_u0000_is_a_character_like_others (void)
{
  g_autoptr (AtnRegex) regex = new_regex ("[^a]+");
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (AtnMatch));

  g_assert_true (atn_regex_split (regex, "a\0b", 3, matches, NULL));
  g_assert_cmpuint (matches->len, ==, 2);
  g_assert_cmpuint (g_array_index (matches, AtnMatch, 1).end, ==, 3);
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = g_strdup_printf ("/core/regex/finds/%s", rows[i].name);

    g_test_add_data_func (path, &rows[i], test_pattern_finds_what_the_reference_finds);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad_rows); i++) {
    g_autofree char *path = g_strdup_printf ("/core/regex/refuses/%s", bad_rows[i].name);

    g_test_add_data_func (path, &bad_rows[i], test_what_is_not_known_is_refused_by_name);
  }
  g_test_add_func ("/core/regex/depth", test_nested_pattern_does_not_use_up_the_stack);
  g_test_add_func ("/core/regex/long-pattern", test_long_pattern_is_refused);
  g_test_add_func ("/core/regex/explosion", test_pattern_that_explodes_ends_with_a_sentence);
  g_test_add_func ("/core/regex/long-word", test_long_word_of_one_class_is_no_explosion);
  g_test_add_func ("/core/regex/message", test_message_is_one_line_of_bearable_length);
  g_test_add_func ("/core/regex/nul", test_u0000_is_a_character_like_others);
  return g_test_run ();
}
