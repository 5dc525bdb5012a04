/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From tokens that the scanner has checked to strings and numbers.
 */

#include "base/atn-json-scan.h"

#include "base/atn-error.h"
#include "base/atn-number.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Longest piece of a token that an error message repeats, in bytes. */
#define EXCERPT_MAX_LEN 40

/* The code unit of the escape at @p, which is \u and four hexadecimal digits. */
static guint
read_unit (const char *p)
{
  guint unit = 0;

  for (int i = 2; i < 6; i++)
    unit = unit << 4 | (guint) g_ascii_xdigit_value (p[i]);

  return unit;
}

/* Writes the character of the escape at @p and returns what follows it. The scan has checked it. */
static const char *
unescape (const char *p, char **out)
{
  static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
  const char *name = strchr (names, p[1]);
  guint unit, low;

  if (p[1] != 'u') {
    *(*out)++ = name != NULL ? values[name - names] : p[1];
    return p + 2;
  }

  unit = read_unit (p);
  p += 6;
  if (unit >= 0xD800 && unit < 0xDC00) {
    low = read_unit (p);
    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    p += 6;
  }

  *out += g_unichar_to_utf8 (unit, *out);
  return p;
}

char *
atn_json_scan_dup_string (const AtnJsonScan *self)
{
  const char *p = self->token, *end = p + self->token_len;
  char *string, *out;

  if (!self->has_escape)
    return g_strndup (self->token, self->token_len);

  /* No escape is shorter than its character in UTF-8. */
  string = out = g_malloc (self->token_len + 1);
  while (p < end) {
    if (*p == '\\')
      p = unescape (p, &out);
    else
      *out++ = *p++;
  }

  *out = '\0';
  return string;
}

char *
atn_json_scan_dup_excerpt (const AtnJsonScan *self)
{
  size_t length = EXCERPT_MAX_LEN;

  if (self->token_len <= EXCERPT_MAX_LEN)
    return g_strndup (self->token, self->token_len);

  /* Not in the middle of a character. */
  while (length > 0 && ((guchar) self->token[length] & 0xC0) == 0x80)
    length--;

  return g_strdup_printf ("%.*s…", (int) length, self->token);
}

bool
atn_json_scan_is (const AtnJsonScan *self, const char *text)
{
  if (self->has_escape) {
    g_autofree char *string = atn_json_scan_dup_string (self);

    return strcmp (string, text) == 0;
  }

  return strlen (text) == self->token_len && memcmp (text, self->token, self->token_len) == 0;
}

gboolean
atn_json_scan_get_number (const AtnJsonScan *self, double *number, GError **error)
{
  const double value = atn_number_read (self->token, self->token_len);

  if (!isfinite (value)) {
    g_autofree char *found = atn_json_scan_dup_excerpt (self);

    atn_json_scan_set_error (self, error, ATN_ERROR_INVALID_FORMAT,
                             _ ("the number %s is too large"), found);
    return FALSE;
  }

  *number = value;
  return TRUE;
}

bool
atn_json_scan_get_size (const AtnJsonScan *self, size_t *size)
{
  guint64 value = 0;

  if (self->token_len > 16)
    return false;

  for (size_t i = 0; i < self->token_len; i++) {
    if (!g_ascii_isdigit (self->token[i]))
      return false;
    value = value * 10 + (guint64) (self->token[i] - '0');
  }

  if (value > G_GUINT64_CONSTANT (1) << 53)
    return false;

  *size = value;
  return true;
}
