/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Offsets in a file's trie may lead anywhere, so every step is checked against its
 * size; a step outside finds nothing.
 */

#include "tokenizer/atn-charsmap.h"

#include "base/atn-base64.h"
#include "base/atn-error.h"
#include "tokenizer/atn-aligned-text.h"
#include "tokenizer/atn-grapheme.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_CLUSTER_BYTES 5 /* longer ones are replaced character by character */
#define VALUE_BIT (1u << 31)

struct _AtnCharsmap
{
  guint8 *bytes;      /* the whole table */
  size_t n_units;     /* of the trie, from byte 4 on */
  const char *values; /* [values_len] replacements, each with its NUL */
  size_t values_len;
};

static uint32_t
unit_at (const AtnCharsmap *self, size_t index)
{
  uint32_t unit;

  memcpy (&unit, self->bytes + sizeof unit + index * sizeof unit, sizeof unit);
  return GUINT32_FROM_LE (unit);
}

static gboolean
check_values (const AtnCharsmap *self, GError **error)
{
  const char *end;

  for (size_t start = 0; start < self->values_len; start = (size_t) (end - self->values) + 1) {
    if (g_utf8_validate_len (self->values + start, self->values_len - start, &end))
      break;
    if (*end != '\0') {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("“%s” holds invalid UTF-8 at byte %zu of its replacements"),
                   "precompiled_charsmap", (size_t) (end - self->values));
      return FALSE;
    }
  }
  return TRUE;
}

AtnCharsmap *
atn_charsmap_new (const char *base64, GError **error)
{
  g_autoptr (AtnCharsmap) self = g_new0 (AtnCharsmap, 1);
  size_t n_bytes;
  uint32_t trie_size;

  self->bytes = atn_base64_decode (base64, strlen (base64), &n_bytes, error);
  if (self->bytes == NULL) {
    g_prefix_error (error, "precompiled_charsmap: ");
    return NULL;
  }
  if (n_bytes >= sizeof trie_size)
    memcpy (&trie_size, self->bytes, sizeof trie_size);
  if (n_bytes < sizeof trie_size || GUINT32_FROM_LE (trie_size) > n_bytes - sizeof trie_size) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” of %zu bytes is shorter than the table that it announces"),
                 "precompiled_charsmap", n_bytes);
    return NULL;
  }
  trie_size = GUINT32_FROM_LE (trie_size);
  self->n_units = trie_size / sizeof (uint32_t);
  self->values = (const char *) self->bytes + sizeof trie_size + trie_size;
  self->values_len = n_bytes - sizeof trie_size - trie_size;
  return check_values (self, error) ? g_steal_pointer (&self) : NULL;
}

void
atn_charsmap_free (AtnCharsmap *self)
{
  g_free (self->bytes);
  g_free (self);
}

static size_t
offset_of (uint32_t unit)
{
  return (size_t) (unit >> 10) << ((unit & (1u << 9)) >> 6);
}

static const char *
value_at (const AtnCharsmap *self, size_t position, size_t *length)
{
  size_t start;

  if (position >= self->n_units)
    return NULL;
  start = unit_at (self, position) & ~VALUE_BIT;
  if (start >= self->values_len || ((uint8_t) self->values[start] & 0xC0) == 0x80)
    return NULL;

  *length = strnlen (self->values + start, self->values_len - start);
  return self->values + start;
}

/* (nullable): what replaces the shortest key that @text begins with. */
static const char *
find_shortest (const AtnCharsmap *self, const char *text, size_t text_len, size_t *length)
{
  size_t position;

  if (self->n_units == 0)
    return NULL;

  position = offset_of (unit_at (self, 0));
  for (size_t i = 0; i < text_len && text[i] != '\0'; i++) {
    uint32_t unit;

    position ^= (uint8_t) text[i];
    if (position >= self->n_units)
      return NULL;
    unit = unit_at (self, position);
    if ((unit & (VALUE_BIT | 0xFF)) != (uint8_t) text[i])
      return NULL;
    position ^= offset_of (unit);
    if ((unit & (1u << 8)) != 0)
      return value_at (self, position, length);
  }
  return NULL;
}

/* Appends the characters of @value in the place of @n_old: what is too many is new, what is too few
 * was dropped behind the last edit. Before the first one the reference forgets it, and so do we. */
static void
append_replacement (GArray *edits, const char *value, size_t length, size_t n_old)
{
  size_t n_new = 0;

  for (const char *p = value; p < value + length; p = g_utf8_next_char (p), n_new++) {
    AtnEdit edit = { g_utf8_get_char (p), n_new < n_old ? 0 : 1 };

    g_array_append_val (edits, edit);
  }
  if (n_new >= n_old)
    return;
  if (edits->len > 0)
    g_array_index (edits, AtnEdit, edits->len - 1).change -= (int32_t) (n_old - n_new);
}

static size_t
to_utf8 (const gunichar *characters, size_t n_characters, char *text, size_t max)
{
  size_t length = 0;

  for (size_t i = 0; i < n_characters; i++) {
    char utf8[6];
    size_t n_bytes = (size_t) g_unichar_to_utf8 (characters[i], utf8);

    if (length + n_bytes > max)
      return max + 1;
    memcpy (text + length, utf8, n_bytes);
    length += n_bytes;
  }
  return length;
}

static bool
replace (const AtnCharsmap *self, const gunichar *characters, size_t n_characters, GArray *edits)
{
  char text[MAX_CLUSTER_BYTES + 1];
  size_t length = to_utf8 (characters, n_characters, text, MAX_CLUSTER_BYTES);
  size_t value_len;
  const char *value =
    length > MAX_CLUSTER_BYTES ? NULL : find_shortest (self, text, length, &value_len);

  if (value == NULL)
    return false;

  append_replacement (edits, value, value_len, n_characters);
  return true;
}

/* Character by character; one that has no replacement stays. */
static void
replace_each (const AtnCharsmap *self,
              const gunichar *characters,
              size_t n_characters,
              GArray *edits)
{
  for (size_t i = 0; i < n_characters; i++) {
    AtnEdit edit = { characters[i], 0 };

    if (!replace (self, characters + i, 1, edits))
      g_array_append_val (edits, edit);
  }
}

void
atn_charsmap_edit (const AtnCharsmap *self,
                   const gunichar *characters,
                   size_t n_characters,
                   GArray *edits)
{
  for (size_t start = 0; start < n_characters;) {
    size_t end = atn_grapheme_find_end (characters, n_characters, start);

    if (!replace (self, characters + start, end - start, edits))
      replace_each (self, characters + start, end - start, edits);
    start = end;
  }
}
