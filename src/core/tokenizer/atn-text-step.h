/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Normalizers and pre-tokenizers come down to the same few moves on the aligned
 * text, so both are read from tokenizer.json into one kind of list: sequences are
 * flattened, and BertNormalizer becomes its four steps.
 */

#pragma once

#include "base/atn-json.h"
#include "tokenizer/atn-aligned-text.h"
#include "tokenizer/atn-charsmap.h"
#include "tokenizer/atn-regex.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_PREPEND_NEVER,
  ATN_PREPEND_FIRST, /* only where the text begins */
  ATN_PREPEND_ALWAYS,
} AtnPrependScheme;

/* Exactly one of the three functions is set; it gets the step as its data. */
typedef struct
{
  AtnSplitFunc split;
  AtnSplitBehavior behavior;
  AtnEditFunc edit;
  AtnRewriteFunc rewrite;

  char *pattern;         /* what to look for, if the function looks for a string */
  char *content;         /* what to put there */
  AtnRegex *regex;       /* (nullable): likewise, if it looks for a regular expression */
  AtnCharsmap *charsmap; /* (nullable): of SentencePiece */
  AtnPrependScheme prepend_scheme;
  bool strip_left;
  bool strip_right;
  bool inverted; /* what lies between the matches counts as the match */
} AtnTextStep;

/* A list that owns its steps. */
GPtrArray *atn_text_steps_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* Errors: ATN_ERROR_TOO_LARGE where a regular expression takes too long */
gboolean atn_text_steps_apply (const GPtrArray *self, AtnAlignedText *text, GError **error);

/* Each appends a step and returns it (transfer none) to be filled further. */
AtnTextStep *
atn_text_steps_add_split (GPtrArray *self, AtnSplitFunc func, AtnSplitBehavior behavior);
AtnTextStep *atn_text_steps_add_edit (GPtrArray *self, AtnEditFunc func);
AtnTextStep *atn_text_steps_add_rewrite (GPtrArray *self, AtnRewriteFunc func);

/* Puts the step's content before a piece that does not begin with its pattern. */
gboolean atn_text_step_prepend (const AtnAlignedText *text,
                                const AtnPiece *piece,
                                AtnAlignedText *target,
                                gconstpointer data,
                                GError **error);
/* Puts the step's content in the place of its pattern. */
gboolean atn_text_step_replace (const AtnAlignedText *text,
                                const AtnPiece *piece,
                                AtnAlignedText *target,
                                gconstpointer data,
                                GError **error);
/* Likewise, of its regular expression. */
gboolean atn_text_step_replace_regex (const AtnAlignedText *text,
                                      const AtnPiece *piece,
                                      AtnAlignedText *target,
                                      gconstpointer data,
                                      GError **error);

/* Reads the "pattern" of @json, {"String": …} or {"Regex": …}, into the pattern or the regex of
 * @self. */
gboolean atn_text_step_read_pattern (AtnTextStep *self, const AtnJson *json, GError **error);

/* The "type" of a normalizer, pre-tokenizer …; @what is its name in an error. */
gboolean
atn_text_step_read_type (const AtnJson *json, const char *what, const char **type, GError **error);
/* Reads member @key of @json, such as "normalizers", element by element. */
typedef gboolean (*AtnTextStepReadFunc) (const AtnJson *json, GPtrArray *steps, GError **error);
gboolean atn_text_step_read_sequence (const AtnJson *json,
                                      const char *key,
                                      AtnTextStepReadFunc func,
                                      GPtrArray *steps,
                                      GError **error);

/* Appends the steps of tokenizer.json's "normalizer" or "pre_tokenizer" to @steps.
 * Errors: ATN_ERROR_UNSUPPORTED naming a type that is not known; ATN_ERROR_INVALID_FORMAT */
gboolean atn_normalizer_read (const AtnJson *json, GPtrArray *steps, GError **error);
gboolean atn_pre_tokenizer_read (const AtnJson *json, GPtrArray *steps, GError **error);

G_END_DECLS
