/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From Oniguruma's syntax to PCRE2's. A recursive descent that writes each part anew:
 * literals as \x{…}, classes with their members spelled out, so that nothing is left
 * that the two libraries read differently.
 *
 *   here              Oniguruma means              written as
 *   \s \w \d          Unicode's, of 2024           lists of ranges and \p{…}
 *   a{2,3}+ a{2}?     (a{2,3})+ (a{2})?            that; PCRE2's are possessive and lazy
 *   ^ $               begin and end of any line    look-arounds
 *   [a[^b]] [a&&b]    union, intersection          alternatives, a look-ahead
 *   (a)               captures                     (?:a), as nothing reads them
 *   (?i)a|b           (?i:a|b)                     that
 *
 * Case-insensitive text keeps to what both fold alike: letters of ASCII, but for pairs
 * that Oniguruma finds in one character (ss in ß, fi in a ligature).
 */

#include "tokenizer/atn-regex-syntax.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 100
#define MAX_REPEAT 1000
#define MAX_SHOWN_BYTES 120 /* of a pattern in a message; real ones have 400 */

static gboolean parse_alternatives (AtnRegexSyntax *self, GError **error);

char *
atn_regex_dup_shown (const char *pattern)
{
  size_t length = strnlen (pattern, MAX_SHOWN_BYTES);
  g_autofree char *part = NULL;

  while (((uint8_t) pattern[length] & 0xC0) == 0x80)
    length--;
  part = g_strndup (pattern, length);
  for (char *p = part; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = ' ';
  return g_strconcat (part, pattern[length] == '\0' ? NULL : "…", NULL);
}

gboolean
atn_regex_refuse (const AtnRegexSyntax *self, const char *at, int length, GError **error)
{
  g_autofree char *shown = atn_regex_dup_shown (self->pattern);
  g_autofree char *start = g_strndup (at, (gsize) length);
  g_autofree char *valid = g_utf8_make_valid (start, -1);
  g_autofree char *part = atn_regex_dup_shown (valid);

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("Regular expression “%s”: “%s” at byte %zu is not supported"), shown, part,
               (size_t) (at - self->pattern));
  return FALSE;
}

gboolean
atn_regex_refuse_end (const AtnRegexSyntax *self, const char *missing, GError **error)
{
  g_autofree char *shown = atn_regex_dup_shown (self->pattern);

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("Regular expression “%s” ends where “%s” is expected"), shown, missing);
  return FALSE;
}

gboolean
atn_regex_enter (AtnRegexSyntax *self, GError **error)
{
  if (++self->depth <= MAX_DEPTH)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("A regular expression is nested more than %d deep"), MAX_DEPTH);
  return FALSE;
}

static bool
has_case (gunichar c)
{
  return g_unichar_tolower (c) != c || g_unichar_toupper (c) != c || g_unichar_totitle (c) != c;
}

/* Pairs that are one character for Oniguruma when case is ignored. */
static bool
is_folded_pair (gunichar a, gunichar b)
{
  static const char *const pairs[] = { "ss", "ff", "fi", "fl", "st" };

  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (g_unichar_tolower (a) == (gunichar) pairs[i][0] &&
        g_unichar_tolower (b) == (gunichar) pairs[i][1])
      return true;
  return false;
}

gboolean
atn_regex_append_range (AtnRegexSyntax *self,
                        GString *out,
                        gunichar first,
                        gunichar last,
                        const char *at,
                        GError **error)
{
  AtnRegexRange range = { first, last };
  bool is_cased = self->folds_case && last >= 0x80 && (first != last || has_case (first));

  if (first > last || is_cased)
    return atn_regex_refuse (self, at, (int) (self->p - at), error);

  g_string_append_printf (out, "\\x{%x}", first);
  if (first != last)
    g_string_append_printf (out, "-\\x{%x}", last);
  if (last >= 0x80)
    g_array_append_val (self->ranges, range);
  return TRUE;
}

/* Up to @max hexadecimal digits. */
static bool
parse_hex (AtnRegexSyntax *self, size_t min, size_t max, gunichar *c)
{
  size_t n = 0;

  for (*c = 0; n < max && g_ascii_isxdigit (*self->p); n++)
    *c = *c * 16 + (gunichar) g_ascii_xdigit_value (*self->p++);
  return n >= min;
}

/* One character behind a backslash. */
static gboolean
parse_escape (AtnRegexSyntax *self, gunichar *c, GError **error)
{
  static const char names[] = "tnrfvae";
  static const char values[] = "\t\n\r\f\v\a\033";
  const char *at = self->p - 1;
  gunichar escaped = g_utf8_get_char (self->p);
  const char *name = escaped < 0x80 ? strchr (names, (int) escaped) : NULL;
  bool is_known = true;

  if (*self->p == '\0')
    return atn_regex_refuse_end (self, "\\", error);

  self->p = g_utf8_next_char (self->p);
  *c = escaped;
  if (name != NULL) {
    *c = (gunichar) values[name - names];
  } else if (escaped == 'u') {
    is_known = parse_hex (self, 4, 4, c);
  } else if (escaped == 'x' && *self->p == '{') {
    self->p++;
    is_known = parse_hex (self, 1, 6, c) && *self->p == '}';
    self->p += is_known ? 1 : 0;
  } else if (escaped == 'x') {
    is_known = parse_hex (self, 1, 2, c) && *c < 0x80;
  } else {
    is_known = escaped < 0x80 && g_ascii_ispunct ((char) escaped);
  }
  if (is_known && g_unichar_validate (*c))
    return TRUE;
  return atn_regex_refuse (self, at, (int) (self->p - at), error);
}

gboolean
atn_regex_parse_literal (AtnRegexSyntax *self, gunichar *c, GError **error)
{
  if (*self->p == '\\') {
    self->p++;
    return parse_escape (self, c, error);
  }
  *c = g_utf8_get_char (self->p);
  self->p = g_utf8_next_char (self->p);
  return TRUE;
}

/* (?i), (?m-i: …: what comes before the colon or the parenthesis. */
static gboolean
parse_options (AtnRegexSyntax *self, GError **error)
{
  const char *at = self->p;
  bool is_on = true;

  for (; *self->p != ':' && *self->p != ')'; self->p++) {
    if (*self->p == '-')
      is_on = false;
    else if (*self->p == 'i')
      self->folds_case = is_on;
    else if (*self->p == 'm')
      self->dot_is_all = is_on;
    else
      return atn_regex_refuse (self, at - 2, (int) (self->p + 1 - at) + 2, error);
  }
  return TRUE;
}

/* What stands behind (, up to where its alternatives begin. @is_rest: an option for the rest of
 * the group around it. */
static gboolean
open_group (AtnRegexSyntax *self, bool *is_rest, GError **error)
{
  static const char *const kinds[] = { "(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!" };

  *is_rest = false;
  if (self->p[1] != '?') {
    if (self->p[1] == '*')
      return atn_regex_refuse (self, self->p, 2, error);
    g_string_append (self->out, "(?:");
    self->p++;
    return TRUE;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (g_str_has_prefix (self->p, kinds[i])) {
      g_string_append (self->out, kinds[i]);
      self->p += strlen (kinds[i]);
      return TRUE;
    }
  }
  self->p += 2;
  if (!parse_options (self, error))
    return FALSE;

  *is_rest = *self->p++ == ')';
  g_string_append (self->out, self->folds_case ? "(?i:" : "(?-i:");
  return TRUE;
}

static gboolean
parse_group (AtnRegexSyntax *self, GError **error)
{
  bool folds_case = self->folds_case;
  bool dot_is_all = self->dot_is_all;
  bool is_rest;

  if (!atn_regex_enter (self, error) || !open_group (self, &is_rest, error))
    return FALSE;

  self->last = 0;
  if (!parse_alternatives (self, error))
    return FALSE;
  if (*self->p != ')' && !is_rest)
    return atn_regex_refuse_end (self, ")", error);

  if (!is_rest)
    self->p++;
  g_string_append_c (self->out, ')');
  self->folds_case = folds_case;
  self->dot_is_all = dot_is_all;
  self->last = 0;
  self->depth--;
  return TRUE;
}

/* \A, \b … : places, which can't be repeated. */
static bool
parse_anchor (AtnRegexSyntax *self)
{
  static const struct
  {
    const char *here;
    const char *there;
  } anchors[] = {
    { "^", "(?:\\A|(?<=\\n)(?!\\z))" },
    { "$", "(?=\\n|\\z)" },
    { "\\A", "\\A" },
    { "\\z", "\\z" },
    { "\\Z", "(?=\\n?\\z)" },
    { "\\b", "(?:(?<=[" ATN_REGEX_WORD "])(?![" ATN_REGEX_WORD "])|(?<![" ATN_REGEX_WORD
             "])(?=[" ATN_REGEX_WORD "]))" },
    { "\\B", "(?:(?<=[" ATN_REGEX_WORD "])(?=[" ATN_REGEX_WORD "])|(?<![" ATN_REGEX_WORD
             "])(?![" ATN_REGEX_WORD "]))" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (anchors); i++) {
    if (g_str_has_prefix (self->p, anchors[i].here)) {
      g_string_append (self->out, anchors[i].there);
      self->p += strlen (anchors[i].here);
      return true;
    }
  }
  return false;
}

static gboolean
parse_character (AtnRegexSyntax *self, GError **error)
{
  const char *at = self->p;
  gunichar c;

  if (!atn_regex_parse_literal (self, &c, error))
    return FALSE;
  if (self->folds_case && is_folded_pair (self->last, c))
    return atn_regex_refuse (self, at, (int) (self->p - at), error);

  self->last = c;
  return atn_regex_append_range (self, self->out, c, c, at, error);
}

static gboolean
parse_atom (AtnRegexSyntax *self, GError **error)
{
  g_autoptr (GString) flat = g_string_new (NULL);
  g_autoptr (GString) parts = g_string_new (NULL);
  AtnRegexClass class = { flat, parts };
  bool is_set = false;

  if (*self->p == '(')
    return parse_group (self, error);
  if (*self->p == '\\') {
    self->p++;
    if (!atn_regex_parse_set (self, &class, &is_set, error))
      return FALSE;
    self->p -= is_set ? 0 : 1;
  }
  if (!is_set && *self->p != '[' && *self->p != '.')
    return parse_character (self, error);

  self->last = 0;
  if (is_set) {
    atn_regex_append_union (&class, self->out);
    return TRUE;
  }
  if (*self->p == '[')
    return atn_regex_parse_class (self, self->out, error);
  self->p++;
  g_string_append (self->out, self->dot_is_all ? "(?s:.)" : "[^\\x{a}]");
  return TRUE;
}

static bool
parse_number (const char **p, unsigned *number)
{
  const char *start = *p;

  for (*number = 0; g_ascii_isdigit (**p) && *number <= MAX_REPEAT; (*p)++)
    *number = *number * 10 + (unsigned) (**p - '0');
  return *p > start;
}

/* {n}, {n,}, {,m}, {n,m}; FALSE for another brace, which stands for itself. */
static bool
parse_interval (AtnRegexSyntax *self, unsigned *min, unsigned *max, bool *has_max)
{
  const char *p = self->p + 1;
  bool has_min = parse_number (&p, min);

  *has_max = has_min;
  *max = *min;
  if (*p == ',') {
    p++;
    *has_max = parse_number (&p, max);
    if (!has_min && !*has_max)
      return false;
  }
  if (*p != '}' || (!has_min && !*has_max))
    return false;

  self->p = p + 1;
  return true;
}

static gboolean
parse_braces (AtnRegexSyntax *self, gsize start, GError **error)
{
  const char *at = self->p;
  unsigned min, max;
  bool has_max;

  if (!parse_interval (self, &min, &max, &has_max))
    return TRUE;
  if (min > MAX_REPEAT || (has_max && (max > MAX_REPEAT || max < min)))
    return atn_regex_refuse (self, at, (int) (self->p - at), error);

  if (has_max)
    g_string_append_printf (self->out, "{%u,%u}", min, max);
  else
    g_string_append_printf (self->out, "{%u,}", min);
  if (*self->p == '?' && (!has_max || min != max)) {
    g_string_append_c (self->out, *self->p++);
  } else if (*self->p == '?' || *self->p == '+') {
    g_string_insert (self->out, (gssize) start, "(?:");
    g_string_append_printf (self->out, ")%c", *self->p++);
  }
  return TRUE;
}

/* The quantifier behind what was written from @start on. */
static gboolean
parse_quantifier (AtnRegexSyntax *self, gsize start, GError **error)
{
  if (*self->p == '\0' || strchr ("?*+{", *self->p) == NULL)
    return TRUE;

  self->last = 0;
  if (*self->p == '{') {
    const char *brace = self->p;

    if (!parse_braces (self, start, error))
      return FALSE;
    if (self->p == brace)
      return TRUE;
  } else {
    g_string_append_c (self->out, *self->p++);
    if (*self->p == '?' || *self->p == '+')
      g_string_append_c (self->out, *self->p++);
  }
  /* A quantifier of a quantifier: the two libraries reduce it in their own ways. */
  if (*self->p != '\0' && strchr ("?*+{", *self->p) != NULL)
    return atn_regex_refuse (self, self->p, 1, error);
  return TRUE;
}

static gboolean
parse_alternatives (AtnRegexSyntax *self, GError **error)
{
  while (*self->p != '\0' && *self->p != ')') {
    gsize start = self->out->len;
    bool is_anchor = false;

    if (*self->p == '|') {
      g_string_append_c (self->out, *self->p++);
      self->last = 0;
      continue;
    }
    if (strchr ("?*+", *self->p) != NULL)
      return atn_regex_refuse (self, self->p, 1, error);
    is_anchor = parse_anchor (self);
    if (is_anchor) {
      self->last = 0;
      continue;
    }
    if (!parse_atom (self, error) || !parse_quantifier (self, start, error))
      return FALSE;
  }
  return TRUE;
}

char *
atn_regex_translate (const char *pattern, GArray *ranges, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  AtnRegexSyntax syntax = { .pattern = pattern, .p = pattern, .out = out, .ranges = ranges };

  if (!parse_alternatives (&syntax, error))
    return NULL;
  if (*syntax.p == ')') {
    atn_regex_refuse (&syntax, syntax.p, 1, error);
    return NULL;
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
