/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-text-step.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A sequence of sequences of … in a file must not use up the stack. */
#define MAX_SEQUENCE_STEPS 256

static void
free_step (gpointer data)
{
  AtnTextStep *step = data;

  g_free (step->pattern);
  g_free (step->content);
  g_clear_pointer (&step->regex, atn_regex_free);
  g_clear_pointer (&step->charsmap, atn_charsmap_free);
  g_free (step);
}

static AtnTextStep *
add_step (GPtrArray *self)
{
  AtnTextStep *step = g_new0 (AtnTextStep, 1);

  g_ptr_array_add (self, step);
  return step;
}

GPtrArray *
atn_text_steps_new (void)
{
  return g_ptr_array_new_with_free_func (free_step);
}

AtnTextStep *
atn_text_steps_add_split (GPtrArray *self, AtnSplitFunc func, AtnSplitBehavior behavior)
{
  AtnTextStep *step = add_step (self);

  step->split = func;
  step->behavior = behavior;
  return step;
}

AtnTextStep *
atn_text_steps_add_edit (GPtrArray *self, AtnEditFunc func)
{
  AtnTextStep *step = add_step (self);

  step->edit = func;
  return step;
}

AtnTextStep *
atn_text_steps_add_rewrite (GPtrArray *self, AtnRewriteFunc func)
{
  AtnTextStep *step = add_step (self);

  step->rewrite = func;
  return step;
}

gboolean
atn_text_steps_apply (const GPtrArray *self, AtnAlignedText *text, GError **error)
{
  for (guint i = 0; i < self->len; i++) {
    const AtnTextStep *step = self->pdata[i];

    if (step->edit != NULL)
      atn_aligned_text_edit (text, step->edit, step);
    else if (step->split != NULL &&
             !atn_aligned_text_split (text, step->split, step->behavior, step, error))
      return FALSE;
    else if (step->rewrite != NULL && !atn_aligned_text_rewrite (text, step->rewrite, step, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
atn_text_step_prepend (const AtnAlignedText *text,
                       const AtnPiece *piece,
                       AtnAlignedText *target,
                       gconstpointer data,
                       GError **error)
{
  const AtnTextStep *step = data;
  size_t length, pattern_len = step->pattern == NULL ? 0 : strlen (step->pattern);
  const char *bytes = atn_aligned_text_get_piece (text, piece, &length);
  bool is_there =
    pattern_len > 0 && length >= pattern_len && memcmp (bytes, step->pattern, pattern_len) == 0;
  bool may_prepend = step->prepend_scheme == ATN_PREPEND_ALWAYS ||
                     (step->prepend_scheme == ATN_PREPEND_FIRST && piece->origin.start == 0);

  /* What is prepended stands for the first character: a label must point somewhere. */
  if (length > 0 && may_prepend && !is_there)
    atn_aligned_text_append (target, step->content, strlen (step->content),
                             g_array_index (text->spans, AtnSpan, piece->start));
  atn_aligned_text_append_part (target, text, piece->start, piece->end);
  return TRUE;
}

gboolean
atn_text_step_replace (const AtnAlignedText *text,
                       const AtnPiece *piece,
                       AtnAlignedText *target,
                       gconstpointer data,
                       GError **error)
{
  const AtnTextStep *step = data;
  size_t length, pattern_len = strlen (step->pattern);
  const char *bytes = atn_aligned_text_get_piece (text, piece, &length);
  const char *limit = bytes + length;
  size_t position = piece->start;

  for (const char *p = bytes; pattern_len > 0; p += pattern_len) {
    size_t start;

    p = memmem (p, (size_t) (limit - p), step->pattern, pattern_len);
    if (p == NULL)
      break;
    start = piece->start + (size_t) (p - bytes);
    atn_aligned_text_append_part (target, text, position, start);
    position = start + pattern_len;
    atn_aligned_text_append (target, step->content, strlen (step->content),
                             g_array_index (text->spans, AtnSpan, position - 1));
  }
  atn_aligned_text_append_part (target, text, position, piece->end);
  return TRUE;
}

gboolean
atn_text_step_replace_regex (const AtnAlignedText *text,
                             const AtnPiece *piece,
                             AtnAlignedText *target,
                             gconstpointer data,
                             GError **error)
{
  const AtnTextStep *step = data;
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (AtnMatch));
  size_t length;
  const char *bytes = atn_aligned_text_get_piece (text, piece, &length);

  if (!atn_regex_split (step->regex, bytes, length, matches, error))
    return FALSE;

  for (guint i = 0; i < matches->len; i++) {
    const AtnMatch *match = &g_array_index (matches, AtnMatch, i);
    AtnSpan span = { piece->origin.start, piece->origin.start };

    if (!match->is_match) {
      atn_aligned_text_append_part (target, text, piece->start + match->start,
                                    piece->start + match->end);
      continue;
    }
    /* What is put in the place of nothing stands for what is before it. */
    if (match->end > 0)
      span = g_array_index (text->spans, AtnSpan, piece->start + match->end - 1);
    atn_aligned_text_append (target, step->content, strlen (step->content), span);
  }
  return TRUE;
}

gboolean
atn_text_step_read_pattern (AtnTextStep *self, const AtnJson *json, GError **error)
{
  const AtnJson *pattern;
  const char *string;

  if (!atn_json_read_node (json, "pattern", ATN_JSON_REQUIRED, ATN_JSON_OBJECT, &pattern, error))
    return FALSE;

  if (atn_json_get_member (pattern, "Regex") != NULL) {
    if (!atn_json_read_string (pattern, "Regex", ATN_JSON_REQUIRED, &string, error))
      return FALSE;
    self->regex = atn_regex_new (string, error);
    return self->regex != NULL;
  }
  if (!atn_json_read_string (pattern, "String", ATN_JSON_REQUIRED, &string, error))
    return FALSE;

  self->pattern = g_strdup (string);
  return TRUE;
}

gboolean
atn_text_step_read_type (const AtnJson *json, const char *what, const char **type, GError **error)
{
  if (atn_json_get_kind (json) != ATN_JSON_OBJECT) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 /* Translators: the first is a key of a file, the second such as “a number” */
                 _ ("“%s” is %s, expected an object"), what,
                 atn_json_kind_get_name (atn_json_get_kind (json)));
    return FALSE;
  }
  if (!atn_json_read_string (json, "type", ATN_JSON_REQUIRED, type, error)) {
    g_prefix_error (error, "%s: ", what);
    return FALSE;
  }
  return TRUE;
}

gboolean
atn_text_step_read_sequence (const AtnJson *json,
                             const char *key,
                             AtnTextStepReadFunc func,
                             GPtrArray *steps,
                             GError **error)
{
  const AtnJson *list;
  size_t index = 0;

  if (!atn_json_read_node (json, key, ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item), index++) {
    if (!func (item, steps, error)) {
      g_prefix_error (error, "%s[%zu]: ", key, index);
      return FALSE;
    }
    if (steps->len > MAX_SEQUENCE_STEPS) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("“%s” has more than %d steps"), key,
                   MAX_SEQUENCE_STEPS);
      return FALSE;
    }
  }
  return TRUE;
}
