/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Known: BertNormalizer, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip,
 * Prepend, Replace (of a string or a regular expression), Precompiled (of
 * SentencePiece), Nmt, ByteLevel, Sequence. Others are refused by name.
 */

#include "tokenizer/atn-text-step.h"

#include "base/atn-error.h"
#include "tokenizer/atn-byte-level.h"
#include "tokenizer/atn-normal-form.h"
#include "tokenizer/atn-unicode.h"

#include <glib/gi18n-lib.h>

/* Drops @n_dropped or the change of the last edit: what a filter does with a character. */
static void
drop_character (GArray *edits, size_t *n_dropped)
{
  if (edits->len == 0)
    *n_dropped += 1;
  else
    g_array_index (edits, AtnEdit, edits->len - 1).change--;
}

static void
keep_character (GArray *edits, gunichar character)
{
  AtnEdit edit = { character, 0 };

  g_array_append_val (edits, edit);
}

static void
clean_text (const gunichar *characters,
            size_t n_characters,
            GArray *edits,
            size_t *n_dropped,
            gconstpointer data)
{
  for (size_t i = 0; i < n_characters; i++) {
    unsigned flags = atn_unicode_get_flags (characters[i]);

    if ((flags & ATN_UNICODE_CONTROL) != 0)
      drop_character (edits, n_dropped);
    else
      keep_character (edits, (flags & ATN_UNICODE_SPACE) != 0 ? ' ' : characters[i]);
  }
}

static bool
is_chinese (gunichar c)
{
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

static void
isolate_chinese (const gunichar *characters,
                 size_t n_characters,
                 GArray *edits,
                 size_t *n_dropped,
                 gconstpointer data)
{
  for (size_t i = 0; i < n_characters; i++) {
    /* In this order, because the space takes the place of the character. */
    AtnEdit isolated[] = { { ' ', 0 }, { characters[i], 1 }, { ' ', 1 } };

    if (is_chinese (characters[i]))
      g_array_append_vals (edits, isolated, G_N_ELEMENTS (isolated));
    else
      keep_character (edits, characters[i]);
  }
}

static void
drop_flagged (const gunichar *characters,
              size_t n_characters,
              GArray *edits,
              size_t *n_dropped,
              unsigned flag)
{
  for (size_t i = 0; i < n_characters; i++) {
    if ((atn_unicode_get_flags (characters[i]) & flag) != 0)
      drop_character (edits, n_dropped);
    else
      keep_character (edits, characters[i]);
  }
}

static void
drop_nonspacing (const gunichar *characters,
                 size_t n_characters,
                 GArray *edits,
                 size_t *n_dropped,
                 gconstpointer data)
{
  drop_flagged (characters, n_characters, edits, n_dropped, ATN_UNICODE_NONSPACING);
}

static void
drop_combining (const gunichar *characters,
                size_t n_characters,
                GArray *edits,
                size_t *n_dropped,
                gconstpointer data)
{
  drop_flagged (characters, n_characters, edits, n_dropped, ATN_UNICODE_COMBINING);
}

static void
to_lower (const gunichar *characters,
          size_t n_characters,
          GArray *edits,
          size_t *n_dropped,
          gconstpointer data)
{
  for (size_t i = 0; i < n_characters; i++) {
    gunichar lower[2];
    size_t n_lower = atn_unicode_to_lower (characters[i], lower);
    AtnEdit pair[] = { { lower[0], 0 }, { lower[n_lower - 1], 1 } };

    g_array_append_vals (edits, pair, (guint) n_lower);
  }
}

static bool
is_space (gunichar character)
{
  return (atn_unicode_get_flags (character) & ATN_UNICODE_SPACE) != 0;
}

static void
strip (const gunichar *characters,
       size_t n_characters,
       GArray *edits,
       size_t *n_dropped,
       gconstpointer data)
{
  const AtnTextStep *step = data;
  size_t start = 0;
  size_t end = n_characters;

  while (step->strip_left && start < n_characters && is_space (characters[start]))
    start++;
  while (step->strip_right && end > start && is_space (characters[end - 1]))
    end--;

  for (size_t i = 0; i < n_characters; i++) {
    if (i < start || i >= end)
      drop_character (edits, n_dropped);
    else
      keep_character (edits, characters[i]);
  }
}

static bool
is_nmt_space (gunichar c)
{
  return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF ||
         c == 0xFFFD;
}

/* Controls go and odd spaces become spaces, as in SentencePiece's nmt_ rules. */
static void
clean_nmt (const gunichar *characters,
           size_t n_characters,
           GArray *edits,
           size_t *n_dropped,
           gconstpointer data)
{
  for (size_t i = 0; i < n_characters; i++) {
    gunichar c = characters[i];

    if ((c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
        c == 0x8F || c == 0x9F)
      drop_character (edits, n_dropped);
    else
      keep_character (edits, is_nmt_space (c) ? ' ' : c);
  }
}

static void
apply_charsmap (const gunichar *characters,
                size_t n_characters,
                GArray *edits,
                size_t *n_dropped,
                gconstpointer data)
{
  const AtnTextStep *step = data;

  atn_charsmap_edit (step->charsmap, characters, n_characters, edits);
}

static gboolean
read_precompiled (const AtnJson *json, GPtrArray *steps, GError **error)
{
  const char *base64 = NULL;
  AtnCharsmap *charsmap;

  if (!atn_json_read_string (json, "precompiled_charsmap", ATN_JSON_REQUIRED, &base64, error))
    return FALSE;

  charsmap = atn_charsmap_new (base64, error);
  if (charsmap == NULL)
    return FALSE;

  atn_text_steps_add_edit (steps, apply_charsmap)->charsmap = charsmap;
  return TRUE;
}

static gboolean
read_bert (const AtnJson *json, GPtrArray *steps, GError **error)
{
  bool cleans, isolates, lowers, strips;

  if (!atn_json_read_bool (json, "clean_text", ATN_JSON_REQUIRED, &cleans, error) ||
      !atn_json_read_bool (json, "handle_chinese_chars", ATN_JSON_REQUIRED, &isolates, error) ||
      !atn_json_read_bool (json, "lowercase", ATN_JSON_REQUIRED, &lowers, error))
    return FALSE;

  strips = lowers; /* null means: as lowercase */
  if (!atn_json_read_bool (json, "strip_accents", ATN_JSON_OPTIONAL, &strips, error))
    return FALSE;

  if (cleans)
    atn_text_steps_add_edit (steps, clean_text);
  if (isolates)
    atn_text_steps_add_edit (steps, isolate_chinese);
  if (strips) {
    atn_text_steps_add_edit (steps, atn_normal_form_nfd);
    atn_text_steps_add_edit (steps, drop_nonspacing);
  }
  if (lowers)
    atn_text_steps_add_edit (steps, to_lower);
  return TRUE;
}

static gboolean
read_strip (const AtnJson *json, GPtrArray *steps, GError **error)
{
  bool left, right;
  AtnTextStep *step;

  if (!atn_json_read_bool (json, "strip_left", ATN_JSON_REQUIRED, &left, error) ||
      !atn_json_read_bool (json, "strip_right", ATN_JSON_REQUIRED, &right, error))
    return FALSE;

  step = atn_text_steps_add_edit (steps, strip);
  step->strip_left = left;
  step->strip_right = right;
  return TRUE;
}

static gboolean
read_prepend (const AtnJson *json, GPtrArray *steps, GError **error)
{
  const char *content;
  AtnTextStep *step;

  if (!atn_json_read_string (json, "prepend", ATN_JSON_REQUIRED, &content, error))
    return FALSE;

  step = atn_text_steps_add_rewrite (steps, atn_text_step_prepend);
  step->content = g_strdup (content);
  step->prepend_scheme = ATN_PREPEND_ALWAYS;
  return TRUE;
}

static gboolean
read_replace (const AtnJson *json, GPtrArray *steps, GError **error)
{
  const char *content;
  AtnTextStep *step;

  if (!atn_json_read_string (json, "content", ATN_JSON_REQUIRED, &content, error))
    return FALSE;

  step = atn_text_steps_add_rewrite (steps, atn_text_step_replace);
  step->content = g_strdup (content);
  if (!atn_text_step_read_pattern (step, json, error))
    return FALSE;
  if (step->regex != NULL)
    step->rewrite = atn_text_step_replace_regex;
  return TRUE;
}

static gboolean
read_normalizers (const AtnJson *json, GPtrArray *steps, GError **error)
{
  return atn_text_step_read_sequence (json, "normalizers", atn_normalizer_read, steps, error);
}

gboolean
atn_normalizer_read (const AtnJson *json, GPtrArray *steps, GError **error)
{
  static const struct
  {
    const char *type;
    AtnEditFunc edit;
    AtnTextStepReadFunc read;
  } kinds[] = {
    { "BertNormalizer", NULL, read_bert },
    { "ByteLevel", atn_byte_level_edit, NULL },
    { "Lowercase", to_lower, NULL },
    { "NFC", atn_normal_form_nfc, NULL },
    { "NFD", atn_normal_form_nfd, NULL },
    { "NFKC", atn_normal_form_nfkc, NULL },
    { "NFKD", atn_normal_form_nfkd, NULL },
    { "Prepend", NULL, read_prepend },
    { "Replace", NULL, read_replace },
    { "Nmt", clean_nmt, NULL },
    { "Precompiled", NULL, read_precompiled },
    { "Sequence", NULL, read_normalizers },
    { "Strip", NULL, read_strip },
    { "StripAccents", drop_combining, NULL },
  };
  const char *type;

  if (!atn_text_step_read_type (json, "normalizer", &type, error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (!g_str_equal (kinds[i].type, type))
      continue;
    if (kinds[i].read != NULL)
      return kinds[i].read (json, steps, error);
    atn_text_steps_add_edit (steps, kinds[i].edit);
    return TRUE;
  }
  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("Normalizer “%s” is not supported"),
               type);
  return FALSE;
}
