/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What matches one character: sets like \s and \p{L}, and classes between brackets with
 * unions and intersections.
 */

#include "tokenizer/atn-regex-syntax.h"

#include <string.h>

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
parse_property (AtnRegexSyntax *self, GString *out, bool is_negated, GError **error)
{
  const char *at = self->p - 2;
  const char *end = strchr (self->p, '}');
  const char *name = self->p + 1;
  bool is_script;
  bool is_cased;

  if (*self->p != '{' || end == NULL)
    return atn_regex_refuse (self, at, 3, error);

  self->p = end + 1;
  if (*name == '^') {
    is_negated = !is_negated;
    name++;
  }
  is_cased = end - name == 2 && name[0] == 'L' && strchr ("ult", name[1]) != NULL;
  if (!is_property (name, (size_t) (end - name), &is_script) || (is_cased && self->folds_case))
    return atn_regex_refuse (self, at, (int) (self->p - at), error);

  g_string_append_printf (out, "\\%c{%s%.*s}", is_negated ? 'P' : 'p', is_script ? "sc:" : "",
                          (int) (end - name), name);
  return TRUE;
}

/* \s, \w, \d, \p{…} and their opposites; @is_set: whether it was one of them. What can't stand
 * between brackets goes to the parts. */
gboolean
atn_regex_parse_set (AtnRegexSyntax *self, AtnRegexClass *class, bool *is_set, GError **error)
{
  *is_set = true;
  switch (*self->p++) {
  case 's':
    g_string_append (class->flat, ATN_REGEX_SPACE);
    return TRUE;
  case 'S':
    g_string_append (class->parts, "|[^" ATN_REGEX_SPACE "]");
    return TRUE;
  case 'w':
    g_string_append (class->flat, ATN_REGEX_WORD);
    return TRUE;
  case 'W':
    g_string_append (class->parts, "|[^" ATN_REGEX_WORD "]");
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

/* A character or a range of a class. */
static gboolean
parse_range (AtnRegexSyntax *self, GString *flat, GError **error)
{
  const char *at = self->p;
  gunichar first, last;

  if (!atn_regex_parse_literal (self, &first, error))
    return FALSE;

  last = first;
  if (self->p[0] == '-' && self->p[1] != ']' && self->p[1] != '\0') {
    self->p++;
    /* A set or a class does not end a range, and what else it means is nobody's guess. */
    if (*self->p == '[' || (*self->p == '\\' && strchr ("swdhpSWDHP", self->p[1]) != NULL))
      return atn_regex_refuse (self, at, (int) (self->p + 1 - at), error);
    if (!atn_regex_parse_literal (self, &last, error))
      return FALSE;
  }
  return atn_regex_append_range (self, flat, first, last, at, error);
}

/* [:space:] */
static gboolean
parse_posix (AtnRegexSyntax *self, GString *flat, GError **error)
{
  const char *at = self->p;

  if (g_str_has_prefix (at, "[:space:]")) {
    g_string_append (flat, ATN_REGEX_SPACE);
    self->p += strlen ("[:space:]");
    return TRUE;
  }
  if (g_str_has_prefix (at, "[:digit:]")) {
    g_string_append (flat, "\\p{Nd}");
    self->p += strlen ("[:digit:]");
    return TRUE;
  }
  return atn_regex_refuse (self, at, (int) strcspn (at, "]") + 1, error);
}

static gboolean
parse_member (AtnRegexSyntax *self, AtnRegexClass *class, GError **error)
{
  bool is_set = false;

  if (g_str_has_prefix (self->p, "[:"))
    return parse_posix (self, class->flat, error);
  if (*self->p == '[') {
    g_string_append_c (class->parts, '|');
    return atn_regex_parse_class (self, class->parts, error);
  }
  if (*self->p == '\\') {
    self->p++;
    if (!atn_regex_parse_set (self, class, &is_set, error))
      return FALSE;
    if (is_set)
      return TRUE;
    self->p--;
  }
  return parse_range (self, class->flat, error);
}

/* Writes the union that @class holds and empties it. */
void
atn_regex_append_union (AtnRegexClass *class, GString *out)
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
parse_members (AtnRegexSyntax *self, AtnRegexClass *class, GString *before, GError **error)
{
  const char *start = self->p;

  while (*self->p != ']') {
    if (*self->p == '\0')
      return atn_regex_refuse_end (self, "]", error);
    if (self->p[0] == '&' && self->p[1] == '&') {
      if (class->flat->len + class->parts->len == 0)
        return atn_regex_refuse (self, self->p, 2, error);
      g_string_append (before, "(?=");
      atn_regex_append_union (class, before);
      g_string_append_c (before, ')');
      self->p += 2;
    } else if (!parse_member (self, class, error)) {
      return FALSE;
    }
  }
  if (class->flat->len + class->parts->len == 0)
    return atn_regex_refuse (self, start - 1, 2, error);

  self->p++;
  return TRUE;
}

/* From [ to ], which becomes one part that matches one character. */
gboolean
atn_regex_parse_class (AtnRegexSyntax *self, GString *out, GError **error)
{
  g_autoptr (GString) flat = g_string_new (NULL);
  g_autoptr (GString) parts = g_string_new (NULL);
  g_autoptr (GString) before = g_string_new (NULL);
  AtnRegexClass class = { flat, parts };
  bool is_negated;

  self->p++;
  is_negated = *self->p == '^';
  if (is_negated)
    self->p++;
  if (!atn_regex_enter (self, error) || !parse_members (self, &class, before, error))
    return FALSE;

  self->depth--;
  if (parts->len == 0 && before->len == 0) {
    g_string_append_printf (out, is_negated ? "[^%s]" : "[%s]", flat->str);
    return TRUE;
  }
  atn_regex_append_union (&class, before);
  g_string_append_printf (out, is_negated ? "(?:(?!%s)(?s:.))" : "(?:%s)", before->str);
  return TRUE;
}
