/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Known: ByteLevel, BertPreTokenizer, Whitespace, WhitespaceSplit, Punctuation,
 * Digits, Metaspace, CharDelimiterSplit, Split (at a string or a regular expression),
 * Sequence. UnicodeScripts and FixedLength are refused by name.
 */

#include "tokenizer/atn-text-step.h"

#include "base/atn-error.h"
#include "tokenizer/atn-byte-level.h"
#include "tokenizer/atn-unicode.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
append_match (GArray *matches, size_t start, size_t end, bool is_match)
{
  AtnMatch match = { start, end, is_match };

  if (start < end)
    g_array_append_val (matches, match);
}

/* Every character with one of @flags is a match of its own. */
static gboolean
match_flagged (const char *text, size_t length, GArray *matches, unsigned flags)
{
  size_t last = 0;

  for (const char *p = text; p < text + length;) {
    const char *next = g_utf8_next_char (p);

    if ((atn_unicode_get_flags (g_utf8_get_char (p)) & flags) != 0) {
      append_match (matches, last, (size_t) (p - text), false);
      append_match (matches, (size_t) (p - text), (size_t) (next - text), true);
      last = (size_t) (next - text);
    }
    p = next;
  }
  append_match (matches, last, length, false);
  return TRUE;
}

static gboolean
match_space (const char *text, size_t length, GArray *matches, gconstpointer data, GError **error)
{
  return match_flagged (text, length, matches, ATN_UNICODE_SPACE);
}

static gboolean
match_punctuation (const char *text,
                   size_t length,
                   GArray *matches,
                   gconstpointer data,
                   GError **error)
{
  return match_flagged (text, length, matches, ATN_UNICODE_PUNCTUATION);
}

static gboolean
match_digits (const char *text, size_t length, GArray *matches, gconstpointer data, GError **error)
{
  return match_flagged (text, length, matches, ATN_UNICODE_NUMERIC);
}

/* \w+|[^\w\s]+ turned round: what is between the words is the match. */
static gboolean
match_between_words (const char *text,
                     size_t length,
                     GArray *matches,
                     gconstpointer data,
                     GError **error)
{
  const unsigned flags = ATN_UNICODE_WORD | ATN_UNICODE_SPACE;

  for (size_t start = 0; start < length;) {
    unsigned kind = atn_unicode_get_flags (g_utf8_get_char (text + start)) & flags;
    size_t end = start;

    while (end < length && (atn_unicode_get_flags (g_utf8_get_char (text + end)) & flags) == kind)
      end = (size_t) (g_utf8_next_char (text + end) - text);
    append_match (matches, start, end, (kind & ATN_UNICODE_SPACE) != 0);
    start = end;
  }
  return TRUE;
}

static gboolean
match_string (const char *text, size_t length, GArray *matches, gconstpointer data, GError **error)
{
  const AtnTextStep *step = data;
  size_t pattern_len = strlen (step->pattern);
  size_t last = 0;

  while (pattern_len > 0) {
    const char *p = memmem (text + last, length - last, step->pattern, pattern_len);
    size_t start;

    if (p == NULL)
      break;
    start = (size_t) (p - text);
    append_match (matches, last, start, step->inverted);
    append_match (matches, start, start + pattern_len, !step->inverted);
    last = start + pattern_len;
  }
  append_match (matches, last, length, step->inverted);
  return TRUE;
}

static gboolean
match_regex (const char *text, size_t length, GArray *matches, gconstpointer data, GError **error)
{
  const AtnTextStep *step = data;

  if (!atn_regex_split (step->regex, text, length, matches, error))
    return FALSE;

  for (guint i = 0; step->inverted && i < matches->len; i++) {
    AtnMatch *match = &g_array_index (matches, AtnMatch, i);

    match->is_match = !match->is_match;
  }
  return TRUE;
}

static gboolean
read_byte_level (const AtnJson *json, GPtrArray *steps, GError **error)
{
  bool has_prefix, uses_regex = true;

  if (!atn_json_read_bool (json, "add_prefix_space", ATN_JSON_REQUIRED, &has_prefix, error) ||
      !atn_json_read_bool (json, "use_regex", ATN_JSON_OPTIONAL, &uses_regex, error))
    return FALSE;

  if (has_prefix) {
    AtnTextStep *step = atn_text_steps_add_rewrite (steps, atn_text_step_prepend);

    step->pattern = g_strdup (" ");
    step->content = g_strdup (" ");
    step->prepend_scheme = ATN_PREPEND_ALWAYS;
  }
  if (uses_regex)
    atn_text_steps_add_split (steps, atn_byte_level_split, ATN_SPLIT_ISOLATED);
  atn_text_steps_add_edit (steps, atn_byte_level_edit);
  return TRUE;
}

static gboolean
read_bert (const AtnJson *json, GPtrArray *steps, GError **error)
{
  atn_text_steps_add_split (steps, match_space, ATN_SPLIT_REMOVED);
  atn_text_steps_add_split (steps, match_punctuation, ATN_SPLIT_ISOLATED);
  return TRUE;
}

static gboolean
read_whitespace (const AtnJson *json, GPtrArray *steps, GError **error)
{
  atn_text_steps_add_split (steps, match_between_words, ATN_SPLIT_REMOVED);
  return TRUE;
}

static gboolean
read_whitespace_split (const AtnJson *json, GPtrArray *steps, GError **error)
{
  atn_text_steps_add_split (steps, match_space, ATN_SPLIT_REMOVED);
  return TRUE;
}

static gboolean
read_digits (const AtnJson *json, GPtrArray *steps, GError **error)
{
  bool individually = false;

  if (!atn_json_read_bool (json, "individual_digits", ATN_JSON_REQUIRED, &individually, error))
    return FALSE;

  atn_text_steps_add_split (steps, match_digits,
                            individually ? ATN_SPLIT_ISOLATED : ATN_SPLIT_CONTIGUOUS);
  return TRUE;
}

static gboolean
read_behavior (const AtnJson *json, AtnJsonNeed need, AtnSplitBehavior *behavior, GError **error)
{
  static const char *const names[] = { "Removed", "Isolated", "Contiguous", "MergedWithPrevious",
                                       "MergedWithNext" };
  const char *name = NULL;

  if (!atn_json_read_string (json, "behavior", need, &name, error))
    return FALSE;
  if (name == NULL)
    return TRUE;

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_str_equal (name, names[i])) {
      *behavior = (AtnSplitBehavior) i;
      return TRUE;
    }
  }
  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("Unknown split behavior “%s”"), name);
  return FALSE;
}

static gboolean
read_punctuation (const AtnJson *json, GPtrArray *steps, GError **error)
{
  AtnSplitBehavior behavior = ATN_SPLIT_ISOLATED;

  if (!read_behavior (json, ATN_JSON_OPTIONAL, &behavior, error))
    return FALSE;

  atn_text_steps_add_split (steps, match_punctuation, behavior);
  return TRUE;
}

static gboolean
read_delimiter (const AtnJson *json, GPtrArray *steps, GError **error)
{
  const char *delimiter;

  if (!atn_json_read_string (json, "delimiter", ATN_JSON_REQUIRED, &delimiter, error))
    return FALSE;

  atn_text_steps_add_split (steps, match_string, ATN_SPLIT_REMOVED)->pattern = g_strdup (delimiter);
  return TRUE;
}

static gboolean
read_split (const AtnJson *json, GPtrArray *steps, GError **error)
{
  AtnSplitBehavior behavior = ATN_SPLIT_REMOVED;
  bool inverted = false;
  AtnTextStep *step;

  if (!read_behavior (json, ATN_JSON_REQUIRED, &behavior, error) ||
      !atn_json_read_bool (json, "invert", ATN_JSON_REQUIRED, &inverted, error))
    return FALSE;

  step = atn_text_steps_add_split (steps, match_string, behavior);
  step->inverted = inverted;
  if (!atn_text_step_read_pattern (step, json, error))
    return FALSE;
  if (step->regex != NULL)
    step->split = match_regex;
  return TRUE;
}

/* Files before 2024 have add_prefix_space, newer ones prepend_scheme. */
static gboolean
read_prepend_scheme (const AtnJson *json, AtnPrependScheme *scheme, GError **error)
{
  static const char *const names[] = { "never", "first", "always" };
  const char *name = NULL;
  bool has_prefix = true;

  if (!atn_json_read_bool (json, "add_prefix_space", ATN_JSON_OPTIONAL, &has_prefix, error) ||
      !atn_json_read_string (json, "prepend_scheme", ATN_JSON_OPTIONAL, &name, error))
    return FALSE;

  *scheme = has_prefix ? ATN_PREPEND_ALWAYS : ATN_PREPEND_NEVER;
  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS (names); i++) {
    if (g_str_equal (name, names[i])) {
      *scheme = (AtnPrependScheme) i;
      return TRUE;
    }
  }
  if (name == NULL)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("Unknown prepend scheme “%s”"), name);
  return FALSE;
}

static gboolean
read_metaspace (const AtnJson *json, GPtrArray *steps, GError **error)
{
  const char *replacement;
  AtnPrependScheme scheme;
  bool splits = true;
  AtnTextStep *step;

  if (!atn_json_read_string (json, "replacement", ATN_JSON_REQUIRED, &replacement, error) ||
      !read_prepend_scheme (json, &scheme, error) ||
      !atn_json_read_bool (json, "split", ATN_JSON_OPTIONAL, &splits, error))
    return FALSE;

  step = atn_text_steps_add_rewrite (steps, atn_text_step_replace);
  step->pattern = g_strdup (" ");
  step->content = g_strdup (replacement);
  step = atn_text_steps_add_rewrite (steps, atn_text_step_prepend);
  step->pattern = g_strdup (replacement);
  step->content = g_strdup (replacement);
  step->prepend_scheme = scheme;
  if (splits)
    atn_text_steps_add_split (steps, match_string, ATN_SPLIT_MERGED_WITH_NEXT)->pattern =
      g_strdup (replacement);
  return TRUE;
}

static gboolean
read_pre_tokenizers (const AtnJson *json, GPtrArray *steps, GError **error)
{
  return atn_text_step_read_sequence (json, "pretokenizers", atn_pre_tokenizer_read, steps, error);
}

gboolean
atn_pre_tokenizer_read (const AtnJson *json, GPtrArray *steps, GError **error)
{
  static const struct
  {
    const char *type;
    AtnTextStepReadFunc read;
  } kinds[] = {
    { "BertPreTokenizer", read_bert },        { "ByteLevel", read_byte_level },
    { "CharDelimiterSplit", read_delimiter }, { "Digits", read_digits },
    { "Metaspace", read_metaspace },          { "Punctuation", read_punctuation },
    { "Sequence", read_pre_tokenizers },      { "Split", read_split },
    { "Whitespace", read_whitespace },        { "WhitespaceSplit", read_whitespace_split },
  };
  const char *type;

  if (!atn_text_step_read_type (json, "pre_tokenizer", &type, error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, type))
      return kinds[i].read (json, steps, error);

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("Pre-tokenizer “%s” is not supported"),
               type);
  return FALSE;
}
