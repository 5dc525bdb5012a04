/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Regular expressions of a tokenizer.json. They are written for Oniguruma, which the
 * reference uses; PCRE2 finds them here, in three steps that keep both alike:
 *
 *   pattern ─► atn-regex-syntax.c ─► the same in PCRE2's syntax, all classes spelled out
 *   text    ─► stand-ins          ─► characters younger than the library's Unicode are
 *                                    replaced by old ones of the same class and length
 *   match   ─► limits             ─► a pattern that explodes ends with a sentence
 *
 * What the two would understand differently is refused by name.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _AtnRegex AtnRegex;

/**
 * atn_regex_new:
 * @pattern: in Oniguruma's syntax
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming what in the pattern is not known, and where;
 *   ATN_ERROR_INVALID_FORMAT for one that is malformed
 */
AtnRegex *atn_regex_new (const char *pattern, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_regex_free (AtnRegex *self);

/**
 * atn_regex_split:
 * @text: valid UTF-8, may hold U+0000
 * @matches: gets the AtnMatch-es of @text and what is between them, without gaps; a match
 *   may be empty, what is between is not
 *
 * Errors: ATN_ERROR_TOO_LARGE if finding a match takes too many steps or too much memory
 * Threads: any number at once
 */
gboolean atn_regex_split (const AtnRegex *self,
                          const char *text,
                          size_t length,
                          GArray *matches,
                          GError **error);

/* Characters that a pattern names itself: no stand-in may enter or leave them. */
typedef struct
{
  gunichar first;
  gunichar last;
} AtnRegexRange;

/* For atn-regex.c: @pattern in PCRE2's syntax; @ranges gets AtnRegexRange. */
char *
atn_regex_translate (const char *pattern, GArray *ranges, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For their messages: @pattern on one line, not longer than one reads. */
char *atn_regex_dup_shown (const char *pattern) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnRegex, atn_regex_free)

G_END_DECLS
