/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-json-scan.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  STATE_START,      /* nothing read yet */
  STATE_VALUE,      /* a value must come */
  STATE_KEY,        /* a key must come */
  STATE_OPENED,     /* just after { or [ */
  STATE_AFTER_VALUE /* a comma, an end, or the end of the text must come */
} State;

/* Longest piece of the text that an error message repeats. */
#define FOUND_MAX_LEN 24

void
atn_json_scan_init (AtnJsonScan *self, const char *text, size_t length)
{
  /* Without bytes there may be no address; NULL + 0 is not defined. */
  if (text == NULL)
    text = "";

  *self = (AtnJsonScan){ .text = text, .next = text, .end = text + length, .token = text };
  self->state = STATE_START;
}

double
atn_json_scan_get_fraction (const AtnJsonScan *self)
{
  return self->end == self->text
           ? 1.0
           : (double) (self->next - self->text) / (double) (self->end - self->text);
}

/* Errors. */

static void
set_error_at (const AtnJsonScan *self,
              const char *at,
              GError **error,
              int code,
              const char *message)
{
  size_t line = 1, column = 1;

  for (const char *p = self->text; p < at; p++) {
    if (*p == '\n') {
      line++;
      column = 1;
    } else if (((guchar) *p & 0xC0) != 0x80) {
      column++;
    }
  }

  g_set_error (error, ATN_ERROR, code, _ ("line %zu, column %zu: %s"), line, column, message);
}

void
atn_json_scan_set_error (const AtnJsonScan *self, GError **error, int code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  set_error_at (self, self->token, error, code, message);
}

static AtnJsonEvent G_GNUC_PRINTF (4, 5)
  fail (AtnJsonScan *self, const char *at, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  set_error_at (self, at, error, ATN_ERROR_INVALID_FORMAT, message);

  return ATN_JSON_EVENT_FAILED;
}

static bool
is_word_byte (char c)
{
  return g_ascii_isalnum (c) || c == '+' || c == '-' || c == '.' || c == '_';
}

/* What stands at @at, for a person: a word, a character, a byte, or the end. */
static char *
describe (const AtnJsonScan *self, const char *at)
{
  size_t len = 0, left = (size_t) (self->end - at);

  if (left == 0)
    return g_strdup (_ ("the end of the text"));

  while (len < left && len < FOUND_MAX_LEN && is_word_byte (at[len]))
    len++;
  if (len > 0)
    return g_strdup_printf ("“%.*s”", (int) len, at);

  if (g_utf8_get_char_validated (at, (gssize) MIN (left, 6)) < 0x110000 && (guchar) *at >= 0x20)
    return g_strdup_printf ("“%.*s”", (int) (g_utf8_next_char (at) - at), at);

  return g_strdup_printf (_ ("the byte 0x%02X"), (guint) (guchar) *at);
}

static AtnJsonEvent
fail_expected (AtnJsonScan *self, GError **error, const char *expected)
{
  g_autofree char *found = describe (self, self->next);

  if (self->next < self->end && self->next[0] == '/')
    return fail (self, self->next, error, _ ("comments are not JSON"));

  return fail (self, self->next, error, _ ("found %s, expected %s"), found, expected);
}

/* Strings. */

static bool
read_hex4 (const char *p, const char *end, guint *value)
{
  if (end - p < 4)
    return false;

  *value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value (p[i]);

    if (digit < 0)
      return false;
    *value = *value << 4 | (guint) digit;
  }

  return true;
}

static bool
is_high_surrogate (guint unit)
{
  return unit >= 0xD800 && unit < 0xDC00;
}

static bool
is_low_surrogate (guint unit)
{
  return unit >= 0xDC00 && unit < 0xE000;
}

/* The byte after \u at @p; moves @p behind the escape, or the pair of escapes. */
static bool
scan_unicode_escape (AtnJsonScan *self, const char **p, GError **error)
{
  const char *start = *p - 2;
  guint unit, low;

  if (!read_hex4 (*p, self->end, &unit)) {
    fail (self, start, error, _ ("\\u needs four hexadecimal digits"));
    return false;
  }
  *p += 4;

  if (unit == 0) {
    fail (self, start, error, _ ("\\u0000 cannot be part of a text"));
    return false;
  }

  if (is_high_surrogate (unit)) {
    if (self->end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' &&
        read_hex4 (*p + 2, self->end, &low) && is_low_surrogate (low)) {
      *p += 6;
      return true;
    }
  } else if (!is_low_surrogate (unit)) {
    return true;
  }

  fail (self, start, error, _ ("\\u%04x is half of a character without its other half"), unit);
  return false;
}

static bool
scan_escape (AtnJsonScan *self, const char **p, GError **error)
{
  const char *start = *p;

  if (self->end - start >= 2 && start[1] == 'u') {
    *p = start + 2;
    return scan_unicode_escape (self, p, error);
  }

  if (self->end - start < 2 || start[1] == '\0' || strchr ("\"\\/bfnrt", start[1]) == NULL) {
    fail (self, start, error, _ ("a backslash must be followed by one of \" \\ / b f n r t u"));
    return false;
  }

  *p = start + 2;
  return true;
}

/* One byte that is special inside a string: an escape, a byte over 127, or an error. */
static bool
scan_special (AtnJsonScan *self, const char **p, GError **error)
{
  guchar c = (guchar) * *p;

  if (c == '\\') {
    self->has_escape = true;
    return scan_escape (self, p, error);
  }

  if (c < 0x20) {
    fail (self, *p, error, _ ("the control character U+%04X inside a string must be escaped"), c);
    return false;
  }

  if (g_utf8_get_char_validated (*p, (gssize) MIN (self->end - *p, 6)) >= 0x110000) {
    fail (self, *p, error, _ ("the byte 0x%02X is not valid UTF-8"), c);
    return false;
  }

  *p = g_utf8_next_char (*p);
  return true;
}

/* Base64 weights are strings of many megabytes, so plain bytes must be cheap. */
static const char *
skip_plain (const char *p, const char *end)
{
  while (p < end && (guchar) *p >= 0x20 && (guchar) *p < 0x80 && *p != '"' && *p != '\\')
    p++;

  return p;
}

static AtnJsonEvent
scan_string (AtnJsonScan *self, AtnJsonEvent event, GError **error)
{
  const char *start = self->next + 1;
  const char *p = skip_plain (start, self->end);

  self->has_escape = false;
  while (p < self->end && *p != '"') {
    if (!scan_special (self, &p, error))
      return ATN_JSON_EVENT_FAILED;
    p = skip_plain (p, self->end);
  }

  if (p == self->end)
    return fail (self, self->next, error, _ ("this string has no end"));

  self->token = start;
  self->token_len = (size_t) (p - start);
  self->next = p + 1;
  return event;
}

/* Numbers and words. */

static const char *
skip_digits (const char *p, const char *end)
{
  while (p < end && g_ascii_isdigit (*p))
    p++;

  return p;
}

/* The end of the number at @p, or NULL if the grammar says no. */
static const char *
match_number (const char *p, const char *end)
{
  const char *digits;

  if (p < end && *p == '-')
    p++;

  digits = p;
  p = skip_digits (p, end);
  if (p == digits || (*digits == '0' && p - digits > 1))
    return NULL;

  if (p < end && *p == '.') {
    digits = ++p;
    p = skip_digits (p, end);
    if (p == digits)
      return NULL;
  }

  if (p < end && (*p == 'e' || *p == 'E')) {
    p++;
    if (p < end && (*p == '+' || *p == '-'))
      p++;
    digits = p;
    p = skip_digits (p, end);
    if (p == digits)
      return NULL;
  }

  return p < end && is_word_byte (*p) ? NULL : p;
}

/* NaN, Infinity, -inf …: what Python and C write for what JSON has no word for. */
static bool
is_non_finite_word (const char *word, size_t len)
{
  static const char *const words[] = { "nan", "inf", "infinity" };

  if (len > 0 && (*word == '+' || *word == '-')) {
    word++;
    len--;
  }

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (len == strlen (words[i]) && g_ascii_strncasecmp (word, words[i], len) == 0)
      return true;

  return false;
}

static AtnJsonEvent
scan_word (AtnJsonScan *self, GError **error)
{
  const char *word = self->next;
  size_t len = 0;

  while (word + len < self->end && is_word_byte (word[len]))
    len++;

  self->token = word;
  self->token_len = len;
  self->next = word + len;

  if (len == 4 && memcmp (word, "true", 4) == 0)
    return ATN_JSON_EVENT_BOOL;
  if (len == 5 && memcmp (word, "false", 5) == 0)
    return ATN_JSON_EVENT_BOOL;
  if (len == 4 && memcmp (word, "null", 4) == 0)
    return ATN_JSON_EVENT_NULL;

  self->next = word;
  if (is_non_finite_word (word, len))
    return fail (self, word, error, _ ("%.*s is not JSON; a training run probably diverged"),
                 (int) len, word);

  return fail_expected (self, error, _ ("a value"));
}

static AtnJsonEvent
scan_number (AtnJsonScan *self, GError **error)
{
  const char *end = match_number (self->next, self->end);

  if (end == NULL) {
    g_autofree char *found = describe (self, self->next);

    /* Sets the error of -Infinity itself. */
    if (*self->next == '-' && self->end - self->next > 1 && g_ascii_isalpha (self->next[1]))
      return scan_word (self, error);
    return fail (self, self->next, error, _ ("%s is not a number as JSON writes them"), found);
  }

  self->token = self->next;
  self->token_len = (size_t) (end - self->next);
  self->next = end;
  return ATN_JSON_EVENT_NUMBER;
}

/* Structure. */

static AtnJsonEvent
scan_open (AtnJsonScan *self, GError **error)
{
  bool is_object = *self->next == '{';

  if (self->depth == ATN_JSON_MAX_DEPTH)
    return fail (self, self->next, error, _ ("nested more than %d deep"), ATN_JSON_MAX_DEPTH);

  self->is_object[++self->depth] = is_object;
  self->token = self->next++;
  self->token_len = 1;
  self->state = STATE_OPENED;
  return is_object ? ATN_JSON_EVENT_OBJECT : ATN_JSON_EVENT_ARRAY;
}

static AtnJsonEvent
scan_close (AtnJsonScan *self)
{
  bool is_object = self->is_object[self->depth--];

  self->token = self->next++;
  self->token_len = 1;
  self->state = STATE_AFTER_VALUE;
  return is_object ? ATN_JSON_EVENT_OBJECT_END : ATN_JSON_EVENT_ARRAY_END;
}

static void
skip_space (AtnJsonScan *self)
{
  const char *p = self->next;

  while (p < self->end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
    p++;
  self->next = p;
}

static AtnJsonEvent
scan_value (AtnJsonScan *self, GError **error)
{
  char c;

  if (self->next == self->end)
    return fail_expected (self, error, _ ("a value"));

  c = *self->next;
  if (c == '{' || c == '[')
    return scan_open (self, error);

  self->state = STATE_AFTER_VALUE;
  if (c == '"')
    return scan_string (self, ATN_JSON_EVENT_STRING, error);
  if (c == '-' || g_ascii_isdigit (c))
    return scan_number (self, error);

  return scan_word (self, error);
}

static AtnJsonEvent
scan_key (AtnJsonScan *self, GError **error)
{
  AtnJsonEvent event;

  if (self->next == self->end || *self->next != '"')
    return fail_expected (self, error, _ ("a key in double quotes"));

  event = scan_string (self, ATN_JSON_EVENT_KEY, error);
  if (event == ATN_JSON_EVENT_FAILED)
    return event;

  skip_space (self);
  if (self->next == self->end || *self->next != ':')
    return fail_expected (self, error, _ ("a colon after the key"));

  self->next++;
  self->state = STATE_VALUE;
  return event;
}

/* What only the first bytes can tell. */
static bool
check_start (AtnJsonScan *self, GError **error)
{
  const guchar *p = (const guchar *) self->text;
  size_t n = (size_t) (self->end - self->text);

  if (n >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF) ||
                 (p[0] == 0) != (p[1] == 0))) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                         _ ("the text is UTF-16, expected UTF-8"));
    return false;
  }

  if (n >= 3 && memcmp (p, "\xEF\xBB\xBF", 3) == 0)
    self->next += 3;

  skip_space (self);
  if (self->next == self->end) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("the file is empty"));
    return false;
  }

  self->state = STATE_VALUE;
  return true;
}

static AtnJsonEvent
scan_after_value (AtnJsonScan *self, GError **error)
{
  bool is_object = self->is_object[self->depth];

  if (self->depth == 0) {
    if (self->next == self->end)
      return ATN_JSON_EVENT_END;
    return fail_expected (self, error, _ ("nothing more after the document"));
  }

  if (self->next < self->end && *self->next == ',') {
    self->next++;
    skip_space (self);
    return is_object ? scan_key (self, error) : scan_value (self, error);
  }

  if (self->next < self->end && *self->next == (is_object ? '}' : ']'))
    return scan_close (self);

  return fail_expected (self, error, is_object ? _ ("a comma or }") : _ ("a comma or ]"));
}

AtnJsonEvent
atn_json_scan_next (AtnJsonScan *self, GError **error)
{
  if (self->state == STATE_START && !check_start (self, error))
    return ATN_JSON_EVENT_FAILED;

  skip_space (self);

  if (self->state == STATE_AFTER_VALUE)
    return scan_after_value (self, error);

  if (self->state == STATE_OPENED) {
    bool is_object = self->is_object[self->depth];

    if (self->next < self->end && *self->next == (is_object ? '}' : ']'))
      return scan_close (self);
    return is_object ? scan_key (self, error) : scan_value (self, error);
  }

  return scan_value (self, error);
}

gboolean
atn_json_scan_skip (AtnJsonScan *self, AtnJsonEvent event, GError **error)
{
  size_t depth;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_OBJECT && event != ATN_JSON_EVENT_ARRAY)
    return TRUE;

  depth = self->depth;
  while (self->depth >= depth)
    if (atn_json_scan_next (self, error) == ATN_JSON_EVENT_FAILED)
      return FALSE;

  return TRUE;
}
