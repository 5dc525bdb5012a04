/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test-json.h"
#include "atn-test.h"
#include "base/atn-json-scan.h"
#include "base/atn-json.h"

#include <locale.h>
#include <math.h>

/* Bad text: one row per fault. */

typedef struct
{
  const char *name;
  const char *text;
  const char *message;
} BadText;

static const BadText bad_texts[] = {
  { "empty", "", "the file is empty" },
  { "blank", " \n\t ", "the file is empty" },
  { "only-a-byte-order-mark", "\xEF\xBB\xBF", "the file is empty" },
  { "trailing-word", "{} x", "line 1, column 4: found “x”, expected nothing more" },
  { "two-documents", "{}{}", "line 1, column 3: found “{”" },
  { "two-lines", "{\n\"a\": ,\n}", "line 2, column 6: found “,”, expected a value" },
  { "columns-are-characters", "[\"é漢\", x]", "line 1, column 8: found “x”" },
  { "open-object", "{\"a\":1", "found the end of the text, expected a comma or }" },
  { "open-array", "[1", "expected a comma or ]" },
  { "open-string", "[\"ab", "line 1, column 2: this string has no end" },
  { "mixed-brackets", "[1}", "found “}”, expected a comma or ]" },
  { "lone-bracket", "]", "found “]”, expected a value" },
  { "trailing-comma", "[1,]", "found “]”, expected a value" },
  { "trailing-comma-object", "{\"a\":1,}", "found “}”, expected a key" },
  { "no-colon", "{\"a\" 1}", "found “1”, expected a colon" },
  { "number-as-key", "{1:2}", "found “1”, expected a key in double quotes" },
  { "single-quotes", "{'a':1}", "found “'”, expected a key in double quotes" },
  { "line-comment", "// weights\n{}", "line 1, column 1: comments are not JSON" },
  { "block-comment", "[1, /* two */ 2]", "comments are not JSON" },
  { "leading-zero", "[01]", "“01” is not a number" },
  { "negative-leading-zero", "[-01]", "“-01” is not a number" },
  { "no-fraction", "[1.]", "“1.” is not a number" },
  { "no-whole-part", "[.5]", "found “.5”, expected a value" },
  { "plus", "[+1]", "found “+1”, expected a value" },
  { "no-exponent", "[1e]", "“1e” is not a number" },
  { "hexadecimal", "[0x1F]", "“0x1F” is not a number" },
  { "only-minus", "[-]", "“-” is not a number" },
  { "too-large", "[1e400]", "the number 1e400 is too large" },
  { "too-small", "[-1e400]", "the number -1e400 is too large" },
  { "nan", "{\"a\":\n  NaN}", "line 2, column 3: NaN is not JSON; a training run probably" },
  { "infinity", "[Infinity]", "Infinity is not JSON" },
  { "minus-infinity", "[-Infinity]", "-Infinity is not JSON" },
  { "c-nan", "[nan]", "nan is not JSON" },
  { "capital-true", "[True]", "found “True”, expected a value" },
  { "longer-word", "[nulls]", "found “nulls”, expected a value" },
  { "lone-high", "[\"\\ud83d\"]", "line 1, column 3: \\ud83d is half of a character" },
  { "lone-low", "[\"\\udc4d\"]", "\\udc4d is half of a character" },
  { "swapped-pair", "[\"\\udc4d\\ud83d\"]", "\\udc4d is half" },
  { "high-then-letter", "[\"\\ud83dA\"]", "\\ud83d is half" },
  { "high-then-high", "[\"\\ud83d\\ud83d\"]", "\\ud83d is half" },
  { "high-then-end", "[\"\\ud83d", "\\ud83d is half" },
  { "lone-in-a-key", "{\"\\ud83d\":1}", "\\ud83d is half" },
  { "escaped-nul", "[\"a\\u0000b\"]", "line 1, column 4: \\u0000" },
  { "short-escape", "[\"\\u12\"]", "four hexadecimal digits" },
  { "wrong-escape", "[\"\\x41\"]", "a backslash must be followed by" },
  { "backslash-at-the-end", "[\"\\", "a backslash must be followed by" },
  { "raw-line-end", "[\"a\nb\"]", "control character U+000A" },
  { "raw-tab-in-a-key", "{\"a\tb\":1}", "control character U+0009" },
  { "lone-continuation", "[\"\x80\"]", "the byte 0x80 is not valid UTF-8" },
  { "overlong", "[\"\xC0\xAF\"]", "the byte 0xC0 is not valid UTF-8" },
  { "utf8-surrogate", "[\"\xED\xA0\x80\"]", "the byte 0xED is not valid UTF-8" },
  { "cut-character", "[\"\xE6\xBC", "the byte 0xE6 is not valid UTF-8" },
  { "bytes-outside-strings", "\xFF", "found the byte 0xFF, expected a value" },
};

static void
test_bad_text_is_refused_with_its_place (gconstpointer data)
{
  const BadText *bad = data;
  g_autoptr (GError) error = NULL;
  /* A copy of the exact size, so that a read past its end is seen. */
  g_autofree char *exact = g_memdup2 (bad->text, strlen (bad->text));

  g_assert_null (atn_json_parse (exact, strlen (bad->text), &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, bad->message);
}

static void
test_every_prefix_of_a_document_is_refused (void)
{
  static const char text[] = "{\"a\": [1.5e3, true, null, \"x\\u00e9\\ud83d\\udc4d漢\"]}";

  for (size_t n = 0; n < strlen (text); n++) {
    g_autofree char *exact = g_memdup2 (text, n);
    g_autoptr (GError) error = NULL;

    g_assert_null (atn_json_parse (exact, n, &error));
    g_assert_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT);
  }
}

/* Files of tests/cases. */

typedef struct
{
  const char *path;
  const char *message; /* NULL: is read */
} CaseFile;

static const CaseFile case_files[] = {
  { "049-decimal-comma-locale/neutral.json", NULL },
  { "050-deep-nesting/d1000.json", NULL },
  { "050-deep-nesting/d1001.json", "nested more than 1000 deep" },
  { "052-nan-infinity-tokens-as-python/nan.json", "column 172: NaN is not JSON; a training run" },
  { "052-nan-infinity-tokens-as-python/inf.json", "Infinity is not JSON" },
  { "052-nan-infinity-tokens-as-python/neginf.json", "-Infinity is not JSON" },
  { "053-numbers-too-big-for-float-double/w1e400.json", "the number 1e400 is too large" },
  { "055-lone-surrogate-escapes-in-a/pair.json", NULL },
  { "055-lone-surrogate-escapes-in-a/lone_high.json", "line 1, column 13: \\ud83d is half" },
  { "055-lone-surrogate-escapes-in-a/lone_low.json", "line 1, column 13: \\udc4d is half" },
  { "055-lone-surrogate-escapes-in-a/swapped.json", "line 1, column 13: \\udc4d is half" },
  { "055-lone-surrogate-escapes-in-a/high_then_ascii.json", "column 13: \\ud83d is half" },
  { "056-byte-order-mark-trailing-garbage/bom.json", NULL },
  { "056-byte-order-mark-trailing-garbage/blank.json", "the file is empty" },
  { "056-byte-order-mark-trailing-garbage/comment.json", "line 1, column 1: comments" },
  { "056-byte-order-mark-trailing-garbage/single_quotes.json", "line 1, column 2: found “'”" },
  { "056-byte-order-mark-trailing-garbage/trailing.json", "expected nothing more after the doc" },
  { "056-byte-order-mark-trailing-garbage/twice.json", "expected nothing more after the doc" },
  { "056-byte-order-mark-trailing-garbage/utf16.json", "the text is UTF-16, expected UTF-8" },
};

static void
test_case_file_is_read_or_refused (gconstpointer data)
{
  const CaseFile *file = data;
  gsize length;
  g_autofree char *text = atn_test_dup_case (file->path, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnJson) root = atn_json_parse (text, length, &error);

  if (file->message == NULL) {
    g_assert_no_error (error);
    g_assert_nonnull (root);
  } else {
    atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, file->message);
  }
}

static void
test_a_good_surrogate_pair_is_one_character (void)
{
  gsize length;
  g_autofree char *text = atn_test_dup_case ("055-lone-surrogate-escapes-in-a/pair.json", &length);
  g_autoptr (AtnJson) root = atn_json_parse (text, length, NULL);

  g_assert_cmpfloat (atn_json_get_number (atn_json_get_member (root, "👍")), ==, 1);
}

static char *
nest (size_t depth, const char *open, const char *close)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < depth; i++)
    g_string_append (text, open);
  for (size_t i = 0; i < depth; i++)
    g_string_append (text, close);

  return g_string_free (text, FALSE);
}

static gpointer
parse_deep_thread (gpointer user_data)
{
  for (size_t depth = 1000; depth <= 100000; depth *= 10) {
    g_autofree char *arrays = nest (depth, "[", "]");
    g_autofree char *objects = nest (depth, "{\"a\":", "}");
    g_autoptr (AtnJson) root = atn_json_parse (arrays, strlen (arrays), NULL);

    g_assert_true ((root != NULL) == (depth == 1000));
    g_assert_null (atn_json_parse (objects, strlen (objects), NULL));
  }

  return NULL;
}

static void
test_deep_nesting_is_refused_on_a_thread_too (void)
{
  g_thread_join (g_thread_new ("deep", parse_deep_thread, NULL));
}

/* Values. */

static void
test_numbers_are_read_like_strtod_reads_them (void)
{
  /* The last one is longer than what cJSON's own parser reads of a number. */
  static const char *const numbers[] = {
    "0",
    "-0",
    "1",
    "-1.5",
    "0.1",
    "1e2",
    "1E+2",
    "1e-2",
    "3000000000",
    "9007199254740993",
    "0.30000000000000004",
    "1.7976931348623157e308",
    "5e-324",
    "2.2250738585072014e-308",
    "123456789012345678",
    "1e22",
    "1e23",
    "-0.000001",
    "8.5e-7",
    "1e-400",
    "0.1000000000000000055511151231257827021181583404541015625000000000000000000000000001",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree char *exact = g_memdup2 (numbers[i], strlen (numbers[i]));
    g_autoptr (AtnJson) root = atn_json_parse (exact, strlen (numbers[i]), NULL);

    g_assert_nonnull (root);
    g_assert_cmpfloat (atn_json_get_number (root), ==, g_ascii_strtod (numbers[i], NULL));
    g_assert_cmpint (signbit (atn_json_get_number (root)), ==,
                     signbit (g_ascii_strtod (numbers[i], NULL)));
  }
}

static void
test_a_decimal_comma_locale_changes_nothing (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));
  g_autoptr (AtnJson) root = NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL) {
    g_test_skip ("no locale with a decimal comma here");
    return;
  }

  root = atn_test_parse_json ("[1.5, 2.25e1]");
  atn_json_append_node (out, root);
  atn_json_append_float (out, 0.1f);
  setlocale (LC_NUMERIC, before);
  g_assert_cmpstr (out->str, ==, "[1.5,22.5]0.1");
}

static void
test_escapes_become_characters (void)
{
  g_autoptr (AtnJson) root =
    atn_test_parse_json ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u6f22\\ud83d\\udc4d!\"");

  g_assert_cmpstr (atn_json_get_string (root), ==, "\"\\/\b\f\n\r\té漢👍!");
}

static void
test_members_are_found_by_exact_name_and_the_last_counts (void)
{
  g_autoptr (AtnJson) root =
    atn_test_parse_json ("{\"a\":1,\"A\":2,\"\\u0062\":3,\"n\":null,\"a\":4}");

  g_assert_cmpfloat (atn_json_get_number (atn_json_get_member (root, "a")), ==, 4);
  g_assert_cmpfloat (atn_json_get_number (atn_json_get_member (root, "A")), ==, 2);
  g_assert_cmpfloat (atn_json_get_number (atn_json_get_member (root, "b")), ==, 3);
  g_assert_null (atn_json_get_member (root, "B"));
  g_assert_null (atn_json_get_member (root, "n"));
  g_assert_null (atn_json_get_member (NULL, "a"));
  g_assert_null (atn_json_get_member (atn_json_get_member (root, "a"), "a"));
  g_assert_cmpuint (atn_json_count (root), ==, 5);
}

static void
test_walking_gives_names_kinds_and_order (void)
{
  g_autoptr (AtnJson) root =
    atn_test_parse_json ("{\"o\":{},\"a\":[],\"s\":\"\",\"n\":1,\"b\":false,\"z\":null}");
  static const AtnJsonKind kinds[] = { ATN_JSON_OBJECT, ATN_JSON_ARRAY, ATN_JSON_STRING,
                                       ATN_JSON_NUMBER, ATN_JSON_BOOL,  ATN_JSON_NULL };
  static const char names[] = "oasnbz";
  size_t i = 0;

  for (const AtnJson *child = atn_json_get_first (root); child != NULL;
       child = atn_json_get_next (child), i++) {
    g_assert_cmpint (atn_json_get_kind (child), ==, kinds[i]);
    g_assert_cmpint (atn_json_get_name (child)[0], ==, names[i]);
  }

  g_assert_cmpuint (i, ==, 6);
  g_assert_null (atn_json_get_name (root));
}

static const BadText bad_sizes[] = {
  { "missing", "{}", "“n_head” is missing" },
  { "null", "{\"n_head\":null}", "“n_head” is missing" },
  { "other-case", "{\"N_HEAD\":1}", "“n_head” is missing" },
  { "fraction", "{\"n_head\":4.5}", "“n_head” is 4.5, expected a whole number from 1 to 4096" },
  { "string", "{\"n_head\":\"4\"}", "“n_head” is \"4\", expected a whole number" },
  { "zero", "{\"n_head\":0}", "“n_head” is 0, expected" },
  { "negative", "{\"n_head\":-4}", "“n_head” is -4, expected" },
  { "saturating", "{\"n_head\":3000000000}", "“n_head” is 3000000000, expected" },
  { "huge", "{\"n_head\":1e300}", "“n_head” is 1e+300, expected" },
  { "boolean", "{\"n_head\":true}", "“n_head” is true, expected" },
  { "array", "{\"n_head\":[4]}", "“n_head” is an array, expected" },
};

static void
test_bad_size_is_refused_and_changes_nothing (gconstpointer data)
{
  const BadText *bad = data;
  g_autoptr (AtnJson) root = atn_test_parse_json (bad->text);
  g_autoptr (GError) error = NULL;
  size_t n_heads = 77;

  g_assert_false (
    atn_json_read_size (root, "n_head", ATN_JSON_REQUIRED, 1, 4096, &n_heads, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, bad->message);
  g_assert_cmpuint (n_heads, ==, 77);
}

static void
test_readers_give_the_value_or_leave_it (void)
{
  g_autoptr (AtnJson) root =
    atn_test_parse_json ("{\"n\":12,\"x\":-0.5,\"b\":true,\"s\":\"hi\",\"o\":{\"k\":1}}");
  g_autoptr (GError) error = NULL;
  size_t n = 0;
  double x = 0;
  bool b = false;
  const char *s = NULL;
  const AtnJson *o = NULL;

  g_assert_true (atn_json_read_size (root, "n", ATN_JSON_REQUIRED, 12, 12, &n, &error));
  g_assert_true (atn_json_read_double (root, "x", ATN_JSON_REQUIRED, -1, 1, &x, &error));
  g_assert_true (atn_json_read_bool (root, "b", ATN_JSON_REQUIRED, &b, &error));
  g_assert_true (atn_json_read_string (root, "s", ATN_JSON_REQUIRED, &s, &error));
  g_assert_true (atn_json_read_node (root, "o", ATN_JSON_REQUIRED, ATN_JSON_OBJECT, &o, &error));
  g_assert_cmpuint (n, ==, 12);
  g_assert_cmpfloat (x, ==, -0.5);
  g_assert_true (b);
  g_assert_cmpstr (s, ==, "hi");
  g_assert_nonnull (atn_json_get_member (o, "k"));

  g_assert_true (atn_json_read_size (root, "absent", ATN_JSON_OPTIONAL, 0, 1, &n, &error));
  g_assert_cmpuint (n, ==, 12);
  g_assert_false (atn_json_read_double (root, "x", ATN_JSON_OPTIONAL, 0, 1, &x, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "“x” is -0.5, expected a number from 0");
  g_clear_error (&error);
  g_assert_false (atn_json_read_bool (root, "n", ATN_JSON_OPTIONAL, &b, &error));
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "“n” is 12, expected true or false");
}

/* Writing. */

static void
test_a_tree_written_and_read_is_the_same_text (void)
{
  static const char text[] = "{\"a\":[1,-2.5,1e+300,0.1,[],{}],\"s\":\"q\\\"\\\\\\n\\u0001é漢👍\","
                             "\"t\":true,\"f\":false,\"z\":null}";
  g_autoptr (AtnJson) root = atn_test_parse_json (text);
  g_autoptr (GString) out = g_string_new (NULL);

  atn_json_append_node (out, root);
  g_assert_cmpstr (out->str, ==, text);
}

static void
test_invalid_bytes_are_written_as_replacement_characters (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  atn_json_append_string (out, "a\xFF"
                               "b");
  g_assert_cmpstr (out->str, ==,
                   "\"a\xEF\xBF\xBD"
                   "b\"");
}

static void
test_floats_come_back_with_few_digits (void)
{
  static const struct
  {
    float value;
    const char *text;
  } rows[] = {
    { 0.0f, "0" },
    { -0.0f, "-0" },
    { 1.0f, "1" },
    { 0.1f, "0.1" },
    { 16777216.0f, "16777216" },
    { 1.0f / 3.0f, "0.33333334" },
    { 1e-45f, "1.4013e-45" },
    { 3.4028235e38f, "3.4028235e+38" },
    { INFINITY, "null" },
    { NAN, "null" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GString) out = g_string_new (NULL);

    atn_json_append_float (out, rows[i].value);
    g_assert_cmpstr (out->str, ==, rows[i].text);
  }
}

static void
test_any_float_comes_back_bit_by_bit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (int i = 0; i < 50000; i++) {
    guint32 bits = g_rand_int (rand), back_bits;
    g_autoptr (GString) out = NULL;
    float value, back;

    memcpy (&value, &bits, sizeof value);
    if (!isfinite (value))
      continue;

    out = g_string_new (NULL);
    atn_json_append_float (out, value);
    back = (float) g_ascii_strtod (out->str, NULL);
    memcpy (&back_bits, &back, sizeof back_bits);
    g_assert_cmphex (back_bits, ==, bits);
  }
}

/* The scanner by itself. */

static void
test_the_scanner_gives_events_in_order (void)
{
  static const char text[] = " {\"a\\n\": [1, \"x\", true], \"b\": null} ";
  static const AtnJsonEvent events[] = {
    ATN_JSON_EVENT_OBJECT,     ATN_JSON_EVENT_KEY,    ATN_JSON_EVENT_ARRAY,
    ATN_JSON_EVENT_NUMBER,     ATN_JSON_EVENT_STRING, ATN_JSON_EVENT_BOOL,
    ATN_JSON_EVENT_ARRAY_END,  ATN_JSON_EVENT_KEY,    ATN_JSON_EVENT_NULL,
    ATN_JSON_EVENT_OBJECT_END, ATN_JSON_EVENT_END,
  };
  g_autoptr (GError) error = NULL;
  AtnJsonScan scan;

  atn_json_scan_init (&scan, text, strlen (text));
  for (size_t i = 0; i < G_N_ELEMENTS (events); i++) {
    g_assert_cmpint (atn_json_scan_next (&scan, &error), ==, events[i]);
    if (i == 1)
      g_assert_true (atn_json_scan_is (&scan, "a\n"));
  }

  g_assert_no_error (error);
  g_assert_cmpfloat (atn_json_scan_get_fraction (&scan), ==, 1);
}

static void
test_skipping_steps_over_a_whole_value (void)
{
  static const char text[] = "[{\"a\":[1,[2]]}, 7]";
  AtnJsonScan scan;
  size_t size = 0;

  atn_json_scan_init (&scan, text, strlen (text));
  g_assert_cmpint (atn_json_scan_next (&scan, NULL), ==, ATN_JSON_EVENT_ARRAY);
  g_assert_true (atn_json_scan_skip (&scan, atn_json_scan_next (&scan, NULL), NULL));
  g_assert_cmpint (atn_json_scan_next (&scan, NULL), ==, ATN_JSON_EVENT_NUMBER);
  g_assert_true (atn_json_scan_get_size (&scan, &size));
  g_assert_cmpuint (size, ==, 7);
}

static void
test_sizes_are_digits_up_to_two_to_the_53 (void)
{
  static const struct
  {
    const char *text;
    bool is_size;
  } rows[] = { { "0", true },   { "9007199254740992", true },      { "9007199254740993", false },
               { "-1", false }, { "18446744073709551616", false }, { "1.0", false },
               { "1e2", false } };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    AtnJsonScan scan;
    size_t size;

    atn_json_scan_init (&scan, rows[i].text, strlen (rows[i].text));
    g_assert_cmpint (atn_json_scan_next (&scan, NULL), ==, ATN_JSON_EVENT_NUMBER);
    g_assert_cmpint (atn_json_scan_get_size (&scan, &size), ==, rows[i].is_size);
  }
}

static void
add_bad_texts (const char *prefix, const BadText *rows, size_t n_rows, GTestDataFunc func)
{
  for (size_t i = 0; i < n_rows; i++) {
    g_autofree char *path = g_strdup_printf ("/core/json/%s/%s", prefix, rows[i].name);

    g_test_add_data_func (path, &rows[i], func);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_bad_texts ("bad-text", bad_texts, G_N_ELEMENTS (bad_texts),
                 test_bad_text_is_refused_with_its_place);
  add_bad_texts ("bad-size", bad_sizes, G_N_ELEMENTS (bad_sizes),
                 test_bad_size_is_refused_and_changes_nothing);
  for (size_t i = 0; i < G_N_ELEMENTS (case_files); i++) {
    g_autofree char *path =
      g_strdup_printf ("/cases/%.3s%s", case_files[i].path, strchr (case_files[i].path, '/'));

    g_test_add_data_func (path, &case_files[i], test_case_file_is_read_or_refused);
  }

  g_test_add_func ("/core/json/prefixes", test_every_prefix_of_a_document_is_refused);
  g_test_add_func ("/core/json/pair", test_a_good_surrogate_pair_is_one_character);
  g_test_add_func ("/core/json/deep", test_deep_nesting_is_refused_on_a_thread_too);
  g_test_add_func ("/core/json/numbers", test_numbers_are_read_like_strtod_reads_them);
  g_test_add_func ("/core/json/locale", test_a_decimal_comma_locale_changes_nothing);
  g_test_add_func ("/core/json/escapes", test_escapes_become_characters);
  g_test_add_func ("/core/json/members", test_members_are_found_by_exact_name_and_the_last_counts);
  g_test_add_func ("/core/json/walk", test_walking_gives_names_kinds_and_order);
  g_test_add_func ("/core/json/readers", test_readers_give_the_value_or_leave_it);
  g_test_add_func ("/core/json/round-trip", test_a_tree_written_and_read_is_the_same_text);
  g_test_add_func ("/core/json/invalid-bytes",
                   test_invalid_bytes_are_written_as_replacement_characters);
  g_test_add_func ("/core/json/floats", test_floats_come_back_with_few_digits);
  g_test_add_func ("/core/json/float-bits", test_any_float_comes_back_bit_by_bit);
  g_test_add_func ("/core/json/events", test_the_scanner_gives_events_in_order);
  g_test_add_func ("/core/json/skip", test_skipping_steps_over_a_whole_value);
  g_test_add_func ("/core/json/sizes", test_sizes_are_digits_up_to_two_to_the_53);

  return g_test_run ();
}
