/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From ids back to text: the bytes a token stands for, what is drawn for it, and what
 * has to be typed to get it.
 */

#include "tokenizer/atn-tokenizer-private.h"

#include "tokenizer/atn-byte-level.h"
#include "tokenizer/atn-unicode.h"

#include <string.h>

#define DOTTED_CIRCLE 0x25CC
#define ZERO_WIDTH_NON_JOINER 0x200C
#define ZERO_WIDTH_JOINER 0x200D

/* <0xE2> → E2; FALSE if @text is no such token. */
static bool
parse_byte_token (const char *text, uint8_t *byte)
{
  int high, low;

  if (strlen (text) != 6 || strncmp (text, "<0x", 3) != 0 || text[5] != '>')
    return false;

  high = g_ascii_xdigit_value (text[3]);
  low = g_ascii_xdigit_value (text[4]);
  *byte = (uint8_t) (high * 16 + low);
  return high >= 0 && low >= 0;
}

static bool
append_byte_level (GString *bytes, const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    int byte = atn_byte_level_get_byte (g_utf8_get_char (p));

    if (byte < 0)
      return false;
    g_string_append_c (bytes, (char) byte);
  }
  return true;
}

/* The part of @text without what marks its place in a word. */
static const char *
strip_marks (const AtnTokenizer *self, const char *text, size_t *length)
{
  const char *prefix = self->model->continuing_prefix;
  const char *suffix = self->model->word_suffix;

  if (prefix != NULL && g_str_has_prefix (text, prefix) && text[strlen (prefix)] != '\0')
    text += strlen (prefix);
  *length = strlen (text);
  if (suffix != NULL && g_str_has_suffix (text, suffix))
    *length -= strlen (suffix);
  return text;
}

static GString *
decode (const AtnTokenizer *self, uint32_t id)
{
  const char *text = atn_tokenizer_get_text (self, id);
  GString *bytes = g_string_new (NULL);
  size_t length;
  uint8_t byte;

  if (text == NULL)
    return bytes;
  if (atn_added_tokens_has (self->added, id))
    return g_string_append (bytes, text);
  if (self->model->has_byte_tokens && parse_byte_token (text, &byte))
    return g_string_append_c (bytes, (char) byte);

  text = strip_marks (self, text, &length);
  if (self->spelling.is_byte_level) {
    g_autofree char *part = g_strndup (text, length);

    if (append_byte_level (bytes, part))
      return bytes;
    g_string_truncate (bytes, 0);
  }
  g_string_append_len (bytes, text, (gssize) length);
  if (self->spelling.space != NULL && *self->spelling.space != '\0')
    g_string_replace (bytes, self->spelling.space, " ", 0);
  return bytes;
}

char *
atn_tokenizer_dup_bytes (const AtnTokenizer *self, uint32_t id, gsize *length)
{
  GString *bytes = decode (self, id);

  *length = bytes->len;
  return g_string_free (bytes, FALSE);
}

static bool
is_bidi_control (gunichar c)
{
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

/* Invisible alone, but part of the emoji or letter before it. */
static bool
is_modifier (gunichar c)
{
  return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF) ||
         (c >= 0xE0020 && c <= 0xE007F);
}

static bool
is_joiner (gunichar c)
{
  return c == ZERO_WIDTH_JOINER || c == ZERO_WIDTH_NON_JOINER;
}

static bool
is_invisible (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_PRIVATE_USE ||
         type == G_UNICODE_SURROGATE || is_bidi_control (c) || is_modifier (c) ||
         (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) || c == 0x115F || c == 0x1160 ||
         c == 0x3164 || c == 0xFFA0 || c == 0x034F || (c >= 0x180B && c <= 0x180F) ||
         (c >= 0xFFF0 && c <= 0xFFF8);
}

/* A sign that stands for a character that would not show. */
static const char *
find_sign (gunichar c)
{
  switch (c) {
  case '\n':
  case 0x0085:
  case 0x2028:
  case 0x2029:
    return "↵";
  case '\r':
    return "␍";
  case '\t':
    return "⇥";
  default:
    return g_unichar_type (c) == G_UNICODE_SPACE_SEPARATOR ? "␣" : NULL;
  }
}

/* Appends character @c; @has_base: whether a visible character is right before it; @is_last:
 * whether nothing follows. Returns whether a mark may follow it. */
static bool
append_character (GString *label, gunichar c, bool has_base, bool is_last)
{
  const char *sign = find_sign (c);

  if (sign != NULL) {
    g_string_append (label, sign);
    return false;
  }
  if (has_base && (is_modifier (c) || (is_joiner (c) && !is_last))) {
    g_string_append_unichar (label, c);
    return true;
  }
  if (is_invisible (c)) {
    g_string_append_printf (label, "U+%04X", c);
    return false;
  }
  if (g_unichar_ismark (c) && !has_base)
    g_string_append_unichar (label, DOTTED_CIRCLE);
  g_string_append_unichar (label, c);
  return true;
}

static void
append_label (GString *label, const char *bytes, size_t length)
{
  const char *limit = bytes + length;
  bool has_base = false;

  for (const char *p = bytes; p < limit;) {
    gunichar c = *p == '\0' ? 0 : g_utf8_get_char_validated (p, limit - p);

    if (c == (gunichar) -1 || c == (gunichar) -2) {
      g_string_append_printf (label, "⟨%02X⟩", (unsigned) (uint8_t) *p);
      has_base = false;
      p++;
    } else {
      const char *next = g_utf8_next_char (p);

      has_base = append_character (label, c, has_base, next >= limit);
      p = next;
    }
  }
}

char *
atn_tokenizer_dup_label (const AtnTokenizer *self, uint32_t id)
{
  const char *text = atn_tokenizer_get_text (self, id);
  const char *prefix = self->model->continuing_prefix;
  g_autoptr (GString) bytes = decode (self, id);
  GString *label = g_string_new (NULL);
  size_t length;

  if (text == NULL) {
    g_string_printf (label, "⟨%u⟩", id);
    return g_string_free (label, FALSE);
  }
  if (prefix != NULL && !atn_added_tokens_has (self->added, id) &&
      strip_marks (self, text, &length) != text)
    append_label (label, prefix, strlen (prefix));
  append_label (label, bytes->str, bytes->len);
  if (label->len == 0)
    g_string_append (label, "⟨⟩");
  return g_string_free (label, FALSE);
}

/* Whether encoding @typed gives the tokens of @text and then @id. */
static bool
is_followed_by (AtnTokenizer *self, const AtnTokens *before, const char *typed, uint32_t id)
{
  g_autoptr (AtnTokens) after = atn_tokenizer_encode (self, typed, -1, NULL, 0, NULL);
  size_t n = 0;

  if (after == NULL)
    return false;

  for (size_t i = 0, b = 0; i < after->n_tokens; i++) {
    if (after->tokens[i].sequence < 0)
      continue;
    while (b < before->n_tokens && before->tokens[b].sequence < 0)
      b++;
    if (after->tokens[i].id != (b < before->n_tokens ? before->tokens[b].id : id))
      return false;
    n += b < before->n_tokens ? 0 : 1;
    b++;
  }
  return n == 1;
}

char *
atn_tokenizer_dup_appendable (const AtnTokenizer *self, const char *text, uint32_t id)
{
  static const char *const separators[] = { "", " " };
  g_autoptr (GString) bytes = decode (self, id);
  /* Encoding takes a reference for its result, and leaves all else as it is. */
  AtnTokenizer *tokenizer = (AtnTokenizer *) self;
  g_autoptr (AtnTokens) before = NULL;

  if (bytes->len == 0 || atn_tokenizer_is_special (self, id) ||
      !g_utf8_validate (bytes->str, (gssize) bytes->len, NULL))
    return NULL;

  /* Here the text is nothing but the tokens one after the other. */
  if (self->spelling.is_byte_level && !atn_added_tokens_has (self->added, id))
    return g_strdup (bytes->str);

  before = atn_tokenizer_encode (tokenizer, text, -1, NULL, 0, NULL);
  for (size_t i = 0; before != NULL && i < G_N_ELEMENTS (separators); i++) {
    g_autofree char *typed = g_strconcat (text, separators[i], bytes->str, NULL);

    if (is_followed_by (tokenizer, before, typed, id))
      return g_strconcat (separators[i], bytes->str, NULL);
  }
  return NULL;
}
