/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The pattern is scanned by hand: no regular expression library has the Unicode
 * version of the reference, and the scan needs no backtracking.
 */

#include "tokenizer/atn-byte-level.h"

#include "tokenizer/atn-unicode.h"

#include <string.h>

#define N_PRINTABLE_ASCII 94 /* ! to ~ */
#define FIRST_SHIFTED 0x100

static bool
is_printable (unsigned byte)
{
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/* How many bytes below @byte are not printable. */
static unsigned
count_shifted_below (unsigned byte)
{
  if (byte <= '!')
    return byte;
  if (byte <= 0xA1)
    return byte - N_PRINTABLE_ASCII;
  return 0xA1 - N_PRINTABLE_ASCII;
}

gunichar
atn_byte_level_get_character (uint8_t byte)
{
  if (is_printable (byte))
    return byte;
  if (byte == 0xAD)
    return FIRST_SHIFTED + 0xA1 - N_PRINTABLE_ASCII;
  return FIRST_SHIFTED + count_shifted_below (byte);
}

int
atn_byte_level_get_byte (gunichar character)
{
  unsigned rank = character - FIRST_SHIFTED;

  if (character < FIRST_SHIFTED)
    return is_printable (character) ? (int) character : -1;
  if (rank < '!')
    return (int) rank;
  if (rank < 0xA1 - N_PRINTABLE_ASCII)
    return (int) rank + N_PRINTABLE_ASCII;
  return rank == 0xA1 - N_PRINTABLE_ASCII ? 0xAD : -1;
}

void
atn_byte_level_edit (const gunichar *characters,
                     size_t n_characters,
                     GArray *edits,
                     size_t *n_dropped,
                     gconstpointer data)
{
  for (size_t i = 0; i < n_characters; i++) {
    char utf8[6];
    int n_bytes = g_unichar_to_utf8 (characters[i], utf8);

    for (int b = 0; b < n_bytes; b++) {
      AtnEdit edit = { atn_byte_level_get_character ((uint8_t) utf8[b]), b > 0 ? 1 : 0 };

      g_array_append_val (edits, edit);
    }
  }
}

/* The class of the character at @p: a letter, a number, white space or (0) another. */
static unsigned
class_at (const char *p)
{
  return atn_unicode_get_flags (g_utf8_get_char (p)) &
         (ATN_UNICODE_LETTER | ATN_UNICODE_NUMBER | ATN_UNICODE_SPACE);
}

static size_t
contraction_length (const char *p, const char *limit)
{
  static const char *const endings[] = { "s", "t", "re", "ve", "m", "ll", "d" };

  if (*p != '\'')
    return 0;

  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++) {
    size_t length = strlen (endings[i]);

    if ((size_t) (limit - p) > length && memcmp (p + 1, endings[i], length) == 0)
      return length + 1;
  }
  return 0;
}

/* White space before a word leaves its last character to the word. */
static const char *
end_of_space (const char *p, const char *limit)
{
  const char *last = p;

  for (const char *q = p; q < limit; q = g_utf8_next_char (q)) {
    if (class_at (q) != ATN_UNICODE_SPACE)
      return last > p ? last : q;
    last = q;
  }
  return limit;
}

static const char *
end_of_word (const char *p, const char *limit)
{
  size_t contraction = contraction_length (p, limit);
  const char *q = p;
  unsigned word_class;

  if (contraction > 0)
    return p + contraction;

  if (*q == ' ' && q + 1 < limit)
    q++;
  word_class = class_at (q);
  if (word_class == ATN_UNICODE_SPACE)
    return end_of_space (p, limit);
  while (q < limit && class_at (q) == word_class)
    q = g_utf8_next_char (q);
  return q;
}

gboolean
atn_byte_level_split (const char *text,
                      size_t length,
                      GArray *matches,
                      gconstpointer data,
                      GError **error)
{
  const char *limit = text + length;

  for (const char *p = text; p < limit;) {
    const char *end = end_of_word (p, limit);
    AtnMatch match = { (size_t) (p - text), (size_t) (end - text), true };

    g_array_append_val (matches, match);
    p = end;
  }
  return TRUE;
}
