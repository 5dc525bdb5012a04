/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * No just-in-time compiler: it needs memory that is writable and executable, which
 * hardened systems refuse, and the patterns of tokenizers spend their time in runs of
 * one class, which the interpreter does not backtrack into.
 */

#include "tokenizer/atn-regex.h"

#include "base/atn-error.h"
#include "tokenizer/atn-aligned-text.h"
#include "tokenizer/atn-unicode.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Steps from one start: some for any pattern, and some for each byte that a run may give back.
 * The reference has no limit; (a|a)*b would keep it busy for ever. */
#define MIN_STEPS 1000000u
#define STEPS_PER_BYTE 16u
#define MAX_HEAP_KIB (256u << 10)
#define MAX_PATTERN_BYTES (256u << 10)
#define MAX_MESSAGE_BYTES 256

struct _AtnRegex
{
  pcre2_code *code;
  char *shown;    /* the pattern in a message */
  GArray *ranges; /* AtnRegexRange */
};

static char *
dup_message (int code)
{
  PCRE2_UCHAR message[MAX_MESSAGE_BYTES] = "";

  pcre2_get_error_message (code, message, sizeof message);
  return g_utf8_make_valid ((const char *) message, -1);
}

AtnRegex *
atn_regex_new (const char *pattern, GError **error)
{
  g_autoptr (AtnRegex) self = g_new0 (AtnRegex, 1);
  g_autofree char *translated = NULL;
  g_autofree char *message = NULL;
  g_autofree char *shown = atn_regex_dup_shown (pattern);
  int code;
  PCRE2_SIZE offset;

  self->shown = g_strdup (shown);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (AtnRegexRange));
  if (strlen (pattern) > MAX_PATTERN_BYTES) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("A regular expression has %zu bytes, more than %u"), strlen (pattern),
                 MAX_PATTERN_BYTES);
    return NULL;
  }

  translated = atn_regex_translate (pattern, self->ranges, error);
  if (translated == NULL)
    return NULL;

  self->code =
    pcre2_compile ((PCRE2_SPTR) translated, PCRE2_ZERO_TERMINATED,
                   PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY, &code,
                   &offset, NULL);
  if (self->code != NULL)
    return g_steal_pointer (&self);

  message = dup_message (code);
  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               /* Translators: the second is a reason in English */
               _ ("Regular expression “%s” is not supported: %s"), shown, message);
  return NULL;
}

void
atn_regex_free (AtnRegex *self)
{
  pcre2_code_free (self->code);
  g_array_unref (self->ranges);
  g_free (self->shown);
  g_free (self);
}

static bool
is_named (const AtnRegex *self, gunichar character)
{
  for (guint i = 0; i < self->ranges->len; i++) {
    const AtnRegexRange *range = &g_array_index (self->ranges, AtnRegexRange, i);

    if (character >= range->first && character <= range->last)
      return true;
  }
  return false;
}

/* (transfer full) (nullable): @text with stand-ins, NULL if it needs none. */
static char *
dup_with_stand_ins (const AtnRegex *self, const char *text, size_t length)
{
  char *copy = NULL;

  for (const char *p = text; p < text + length; p = g_utf8_next_char (p)) {
    gunichar character, stand_in;

    if ((uint8_t) *p < 0x80)
      continue;
    character = g_utf8_get_char (p);
    stand_in = atn_unicode_get_stand_in (character);
    if (stand_in == character || is_named (self, character) || is_named (self, stand_in))
      continue;
    if (copy == NULL)
      copy = g_memdup2 (text, length);
    g_unichar_to_utf8 (stand_in, copy + (p - text));
  }
  return copy;
}

static void
append_match (GArray *matches, size_t start, size_t end, bool is_match)
{
  AtnMatch match = { start, end, is_match };

  if (is_match || start < end)
    g_array_append_val (matches, match);
}

typedef struct
{
  const AtnRegex *regex;
  const char *text;
  size_t length;
  pcre2_match_data *data;
  pcre2_match_context *context;
} Search;

/* FALSE with @error if the search failed, else whether there is a match is in @start ≤ @end. */
static gboolean
find_next (const Search *self, size_t from, bool *found, size_t *start, size_t *end, GError **error)
{
  int result = pcre2_match (self->regex->code, (PCRE2_SPTR) self->text, self->length, from,
                            PCRE2_NO_UTF_CHECK, self->data, self->context);
  const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer (self->data);
  g_autofree char *message = NULL;

  *found = result >= 0;
  if (*found) {
    *start = offsets[0];
    *end = offsets[1];
    return TRUE;
  }
  if (result == PCRE2_ERROR_NOMATCH)
    return TRUE;

  message = dup_message (result);
  g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
               /* Translators: the last is a reason in English */
               _ ("Regular expression “%s” takes too long on this text, from byte %zu: %s"),
               self->regex->shown, from, message);
  return FALSE;
}

/* An empty match right behind another is none, as in the reference. */
static gboolean
split_all (const Search *self, GArray *matches, GError **error)
{
  size_t last = 0;
  bool has_last = false;

  for (size_t from = 0; from <= self->length;) {
    size_t start, end;
    bool found;

    if (!find_next (self, from, &found, &start, &end, error))
      return FALSE;
    if (!found)
      break;
    if (start == end && has_last && last == end) {
      from += from < self->length ? (size_t) g_utf8_skip[(uint8_t) self->text[from]] : 1;
      continue;
    }
    append_match (matches, last, start, false);
    append_match (matches, start, end, true);
    last = from = end;
    has_last = true;
  }
  append_match (matches, last, self->length, false);
  return TRUE;
}

gboolean
atn_regex_split (const AtnRegex *self,
                 const char *text,
                 size_t length,
                 GArray *matches,
                 GError **error)
{
  g_autofree char *copy = NULL;
  Search search = { .regex = self, .text = text, .length = length };
  uint64_t n_steps = MIN_STEPS + (uint64_t) STEPS_PER_BYTE * length;
  gboolean is_done;

  if (length == 0) {
    append_match (matches, 0, 0, false);
    return TRUE;
  }

  copy = dup_with_stand_ins (self, text, length);
  if (copy != NULL)
    search.text = copy;
  search.data = pcre2_match_data_create (1, NULL);
  search.context = pcre2_match_context_create (NULL);
  pcre2_set_match_limit (search.context, (uint32_t) MIN (n_steps, G_MAXUINT32));
  pcre2_set_heap_limit (search.context, MAX_HEAP_KIB);
  is_done = split_all (&search, matches, error);
  pcre2_match_context_free (search.context);
  pcre2_match_data_free (search.data);
  return is_done;
}
