/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the two files of the translator share: atn-regex-syntax.c reads a pattern,
 * atn-regex-class.c what matches one character.
 */

#pragma once

#include "tokenizer/atn-regex.h"

G_BEGIN_DECLS

/* Members of a class, as Unicode 16 and the reference have them. */
#define ATN_REGEX_SPACE                                                                            \
  "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"      \
  "\\x{205f}\\x{3000}"
#define ATN_REGEX_WORD                                                                             \
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
} AtnRegexSyntax;

/* The members of a class, as far as it was read: what PCRE2 can write between brackets, and parts
 * that match one character each. */
typedef struct
{
  GString *flat;
  GString *parts;
} AtnRegexClass;

/* Each sets the error: @length bytes from @at on are not known, or @missing is not there. */
gboolean atn_regex_refuse (const AtnRegexSyntax *self, const char *at, int length, GError **error);
gboolean atn_regex_refuse_end (const AtnRegexSyntax *self, const char *missing, GError **error);
/* One level deeper, if that is not too deep. */
gboolean atn_regex_enter (AtnRegexSyntax *self, GError **error);

/* One character, which may be written with a backslash. */
gboolean atn_regex_parse_literal (AtnRegexSyntax *self, gunichar *c, GError **error);
/* Writes the characters from @first to @last, which stand at @at, for between brackets. */
gboolean atn_regex_append_range (AtnRegexSyntax *self,
                                 GString *out,
                                 gunichar first,
                                 gunichar last,
                                 const char *at,
                                 GError **error);

/* From [ to ], which becomes one part that matches one character. */
gboolean atn_regex_parse_class (AtnRegexSyntax *self, GString *out, GError **error);
/* What stands behind a backslash, if it is a set like \s or \p{L}, into @class. */
gboolean
atn_regex_parse_set (AtnRegexSyntax *self, AtnRegexClass *class, bool *is_set, GError **error);
/* Writes the union that @class holds and empties it. */
void atn_regex_append_union (AtnRegexClass *class, GString *out);

G_END_DECLS
