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

#include "tokenizer/atn-regex.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DEPTH 100
#define MAX_REPEAT 1000
#define MAX_SHOWN_BYTES 120 /* of a pattern in a message; real ones have 400 */

#define SPACE                                                                                      \
  "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"      \
  "\\x{205f}\\x{3000}"
#define WORD                                                                                       \
  "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}\\x{24b6}-\\x{24e9}"       \
  "\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}"

typedef struct
{
  const char *pattern;
  const char *p; /* what comes next */
  GString *out;
  GArray *ranges; /* AtnRegexRange */
  int depth;
  bool folds_case;
  bool dot_is_all;
  gunichar last; /* the literal before this one, 0 if there is none: for pairs under (?i) */
} Syntax;

/* The members of a class, as far as it was read: what PCRE2 can write between brackets, and parts
 * that match one character each. */
typedef struct
{
  GString *flat;
  GString *parts;
} Class;

static gboolean parse_alternatives (Syntax *self, GError **error);
static gboolean parse_class (Syntax *self, GString *out, GError **error);

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

static gboolean
refuse (const Syntax *self, const char *at, int length, GError **error)
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

static gboolean
refuse_end (const Syntax *self, const char *missing, GError **error)
{
  g_autofree char *shown = atn_regex_dup_shown (self->pattern);

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("Regular expression “%s” ends where “%s” is expected"), shown, missing);
  return FALSE;
}

static gboolean
enter (Syntax *self, GError **error)
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

static gboolean
append_range (Syntax *self,
              GString *out,
              gunichar first,
              gunichar last,
              const char *at,
              GError **error)
{
  AtnRegexRange range = { first, last };
  bool is_cased = self->folds_case && last >= 0x80 && (first != last || has_case (first));

  if (first > last || is_cased)
    return refuse (self, at, (int) (self->p - at), error);

  g_string_append_printf (out, "\\x{%x}", first);
  if (first != last)
    g_string_append_printf (out, "-\\x{%x}", last);
  if (last >= 0x80)
    g_array_append_val (self->ranges, range);
  return TRUE;
}

static bool
is_property (const char *name, size_t length, bool *is_script)
{
  static const char *const categories[] = {
    "C",  "Cc", "Cf", "Cn", "Co", "L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",
    "Mc", "Me", "Mn", "N",  "Nd", "Nl", "No", "P",  "Pc", "Pd", "Pe", "Pf",
    "Pi", "Po", "Ps", "S",  "Sc", "Sk", "Sm", "So", "Z",  "Zl", "Zp", "Zs",
  };
  static const char *const scripts[] = {
    "Han", "Hiragana", "Katakana", "Hangul", "Latin", "Thai",
  };

  *is_script = false;
  for (size_t i = 0; i < G_N_ELEMENTS (categories); i++)
    if (strlen (categories[i]) == length && memcmp (categories[i], name, length) == 0)
      return true;
  *is_script = true;
  for (size_t i = 0; i < G_N_ELEMENTS (scripts); i++)
    if (strlen (scripts[i]) == length && memcmp (scripts[i], name, length) == 0)
      return true;
  return false;
}

/* {L}, behind \p or \P. */
static gboolean
parse_property (Syntax *self, GString *out, bool is_negated, GError **error)
{
  const char *at = self->p - 2;
  const char *end = strchr (self->p, '}');
  const char *name = self->p + 1;
  bool is_script;
  bool is_cased;

  if (*self->p != '{' || end == NULL)
    return refuse (self, at, 3, error);

  self->p = end + 1;
  if (*name == '^') {
    is_negated = !is_negated;
    name++;
  }
  is_cased = end - name == 2 && name[0] == 'L' && strchr ("ult", name[1]) != NULL;
  if (!is_property (name, (size_t) (end - name), &is_script) || (is_cased && self->folds_case))
    return refuse (self, at, (int) (self->p - at), error);

  g_string_append_printf (out, "\\%c{%s%.*s}", is_negated ? 'P' : 'p', is_script ? "sc:" : "",
                          (int) (end - name), name);
  return TRUE;
}

/* \s, \w, \d, \p{…} and their opposites; @is_set: whether it was one of them. What can't stand
 * between brackets goes to the parts. */
static gboolean
parse_set (Syntax *self, Class *class, bool *is_set, GError **error)
{
  *is_set = true;
  switch (*self->p++) {
  case 's':
    g_string_append (class->flat, SPACE);
    return TRUE;
  case 'S':
    g_string_append (class->parts, "|[^" SPACE "]");
    return TRUE;
  case 'w':
    g_string_append (class->flat, WORD);
    return TRUE;
  case 'W':
    g_string_append (class->parts, "|[^" WORD "]");
    return TRUE;
  case 'd':
    g_string_append (class->flat, "\\p{Nd}");
    return TRUE;
  case 'D':
    g_string_append (class->flat, "\\P{Nd}");
    return TRUE;
  case 'h':
    g_string_append (class->flat, "0-9A-Fa-f");
    return TRUE;
  case 'p':
  case 'P':
    return parse_property (self, class->flat, self->p[-1] == 'P', error);
  default:
    self->p--;
    *is_set = false;
    return TRUE;
  }
}

/* Up to @max hexadecimal digits. */
static bool
parse_hex (Syntax *self, size_t min, size_t max, gunichar *c)
{
  size_t n = 0;

  for (*c = 0; n < max && g_ascii_isxdigit (*self->p); n++)
    *c = *c * 16 + (gunichar) g_ascii_xdigit_value (*self->p++);
  return n >= min;
}

/* One character behind a backslash. */
static gboolean
parse_escape (Syntax *self, gunichar *c, GError **error)
{
  static const char names[] = "tnrfvae";
  static const char values[] = "\t\n\r\f\v\a\033";
  const char *at = self->p - 1;
  gunichar escaped = g_utf8_get_char (self->p);
  const char *name = escaped < 0x80 ? strchr (names, (int) escaped) : NULL;
  bool is_known = true;

  if (*self->p == '\0')
    return refuse_end (self, "\\", error);

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
  return refuse (self, at, (int) (self->p - at), error);
}

static gboolean
parse_literal (Syntax *self, gunichar *c, GError **error)
{
  if (*self->p == '\\') {
    self->p++;
    return parse_escape (self, c, error);
  }
  *c = g_utf8_get_char (self->p);
  self->p = g_utf8_next_char (self->p);
  return TRUE;
}

/* A character or a range of a class. */
static gboolean
parse_range (Syntax *self, GString *flat, GError **error)
{
  const char *at = self->p;
  gunichar first, last;

  if (!parse_literal (self, &first, error))
    return FALSE;

  last = first;
  if (self->p[0] == '-' && self->p[1] != ']' && self->p[1] != '\0') {
    self->p++;
    /* A set or a class does not end a range, and what else it means is nobody's guess. */
    if (*self->p == '[' || (*self->p == '\\' && strchr ("swdhpSWDHP", self->p[1]) != NULL))
      return refuse (self, at, (int) (self->p + 1 - at), error);
    if (!parse_literal (self, &last, error))
      return FALSE;
  }
  return append_range (self, flat, first, last, at, error);
}

/* [:space:] */
static gboolean
parse_posix (Syntax *self, GString *flat, GError **error)
{
  const char *at = self->p;

  if (g_str_has_prefix (at, "[:space:]")) {
    g_string_append (flat, SPACE);
    self->p += strlen ("[:space:]");
    return TRUE;
  }
  if (g_str_has_prefix (at, "[:digit:]")) {
    g_string_append (flat, "\\p{Nd}");
    self->p += strlen ("[:digit:]");
    return TRUE;
  }
  return refuse (self, at, (int) strcspn (at, "]") + 1, error);
}

static gboolean
parse_member (Syntax *self, Class *class, GError **error)
{
  bool is_set = false;

  if (g_str_has_prefix (self->p, "[:"))
    return parse_posix (self, class->flat, error);
  if (*self->p == '[') {
    g_string_append_c (class->parts, '|');
    return parse_class (self, class->parts, error);
  }
  if (*self->p == '\\') {
    self->p++;
    if (!parse_set (self, class, &is_set, error))
      return FALSE;
    if (is_set)
      return TRUE;
    self->p--;
  }
  return parse_range (self, class->flat, error);
}

/* Writes the union that @class holds and empties it. */
static void
append_union (Class *class, GString *out)
{
  const char *parts = class->parts->len > 0 ? class->parts->str + 1 : "";

  if (class->parts->len == 0)
    g_string_append_printf (out, "[%s]", class->flat->str);
  else if (class->flat->len == 0)
    g_string_append_printf (out, "(?:%s)", parts);
  else
    g_string_append_printf (out, "(?:[%s]|%s)", class->flat->str, parts);
  g_string_truncate (class->flat, 0);
  g_string_truncate (class->parts, 0);
}

static gboolean
parse_members (Syntax *self, Class *class, GString *before, GError **error)
{
  const char *start = self->p;

  while (*self->p != ']') {
    if (*self->p == '\0')
      return refuse_end (self, "]", error);
    if (self->p[0] == '&' && self->p[1] == '&') {
      if (class->flat->len + class->parts->len == 0)
        return refuse (self, self->p, 2, error);
      g_string_append (before, "(?=");
      append_union (class, before);
      g_string_append_c (before, ')');
      self->p += 2;
    } else if (!parse_member (self, class, error)) {
      return FALSE;
    }
  }
  if (class->flat->len + class->parts->len == 0)
    return refuse (self, start - 1, 2, error);

  self->p++;
  return TRUE;
}

/* From [ to ], which becomes one part that matches one character. */
static gboolean
parse_class (Syntax *self, GString *out, GError **error)
{
  g_autoptr (GString) flat = g_string_new (NULL);
  g_autoptr (GString) parts = g_string_new (NULL);
  g_autoptr (GString) before = g_string_new (NULL);
  Class class = { flat, parts };
  bool is_negated;

  self->p++;
  is_negated = *self->p == '^';
  if (is_negated)
    self->p++;
  if (!enter (self, error) || !parse_members (self, &class, before, error))
    return FALSE;

  self->depth--;
  if (parts->len == 0 && before->len == 0) {
    g_string_append_printf (out, is_negated ? "[^%s]" : "[%s]", flat->str);
    return TRUE;
  }
  append_union (&class, before);
  g_string_append_printf (out, is_negated ? "(?:(?!%s)(?s:.))" : "(?:%s)", before->str);
  return TRUE;
}

/* (?i), (?m-i: …: what comes before the colon or the parenthesis. */
static gboolean
parse_options (Syntax *self, GError **error)
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
      return refuse (self, at - 2, (int) (self->p + 1 - at) + 2, error);
  }
  return TRUE;
}

/* What stands behind (, up to where its alternatives begin. @is_rest: an option for the rest of
 * the group around it. */
static gboolean
open_group (Syntax *self, bool *is_rest, GError **error)
{
  static const char *const kinds[] = { "(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!" };

  *is_rest = false;
  if (self->p[1] != '?') {
    if (self->p[1] == '*')
      return refuse (self, self->p, 2, error);
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
parse_group (Syntax *self, GError **error)
{
  bool folds_case = self->folds_case;
  bool dot_is_all = self->dot_is_all;
  bool is_rest;

  if (!enter (self, error) || !open_group (self, &is_rest, error))
    return FALSE;

  self->last = 0;
  if (!parse_alternatives (self, error))
    return FALSE;
  if (*self->p != ')' && !is_rest)
    return refuse_end (self, ")", error);

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
parse_anchor (Syntax *self)
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
    { "\\b", "(?:(?<=[" WORD "])(?![" WORD "])|(?<![" WORD "])(?=[" WORD "]))" },
    { "\\B", "(?:(?<=[" WORD "])(?=[" WORD "])|(?<![" WORD "])(?![" WORD "]))" },
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
parse_character (Syntax *self, GError **error)
{
  const char *at = self->p;
  gunichar c;

  if (!parse_literal (self, &c, error))
    return FALSE;
  if (self->folds_case && is_folded_pair (self->last, c))
    return refuse (self, at, (int) (self->p - at), error);

  self->last = c;
  return append_range (self, self->out, c, c, at, error);
}

static gboolean
parse_atom (Syntax *self, GError **error)
{
  g_autoptr (GString) flat = g_string_new (NULL);
  g_autoptr (GString) parts = g_string_new (NULL);
  Class class = { flat, parts };
  bool is_set = false;

  if (*self->p == '(')
    return parse_group (self, error);
  if (*self->p == '\\') {
    self->p++;
    if (!parse_set (self, &class, &is_set, error))
      return FALSE;
    self->p -= is_set ? 0 : 1;
  }
  if (!is_set && *self->p != '[' && *self->p != '.')
    return parse_character (self, error);

  self->last = 0;
  if (is_set) {
    append_union (&class, self->out);
    return TRUE;
  }
  if (*self->p == '[')
    return parse_class (self, self->out, error);
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
parse_interval (Syntax *self, unsigned *min, unsigned *max, bool *has_max)
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
parse_braces (Syntax *self, gsize start, GError **error)
{
  const char *at = self->p;
  unsigned min, max;
  bool has_max;

  if (!parse_interval (self, &min, &max, &has_max))
    return TRUE;
  if (min > MAX_REPEAT || (has_max && (max > MAX_REPEAT || max < min)))
    return refuse (self, at, (int) (self->p - at), error);

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
parse_quantifier (Syntax *self, gsize start, GError **error)
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
    return refuse (self, self->p, 1, error);
  return TRUE;
}

static gboolean
parse_alternatives (Syntax *self, GError **error)
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
      return refuse (self, self->p, 1, error);
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
  Syntax syntax = { .pattern = pattern, .p = pattern, .out = out, .ranges = ranges };

  if (!parse_alternatives (&syntax, error))
    return NULL;
  if (*syntax.p == ')') {
    refuse (&syntax, syntax.p, 1, error);
    return NULL;
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
