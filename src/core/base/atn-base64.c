/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-base64.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Larger than any digit, and still larger after OR with one. */
#define BAD 0x80

static const guint8 *
get_digits (void)
{
  static guint8 digits[256];
  static gsize is_ready = 0;

  if (g_once_init_enter (&is_ready)) {
    memset (digits, BAD, sizeof digits);
    for (guint8 i = 0; i < 64; i++)
      digits[(guchar) alphabet[i]] = i;
    g_once_init_leave (&is_ready, 1);
  }

  return digits;
}

/* Decodes whole groups of four characters; returns BAD or more if one of them is bad. */
static guint
decode_groups (const guchar *text, size_t n_groups, guint8 *out)
{
  const guint8 *digits = get_digits ();
  guint seen = 0;

  for (size_t i = 0; i < n_groups; i++, text += 4, out += 3) {
    const guint a = digits[text[0]], b = digits[text[1]];
    const guint c = digits[text[2]], d = digits[text[3]];
    const guint32 bits = a << 18 | b << 12 | c << 6 | d;

    seen |= a | b | c | d;
    out[0] = (guint8) (bits >> 16);
    out[1] = (guint8) (bits >> 8);
    out[2] = (guint8) bits;
  }

  return seen;
}

static gpointer
refuse_character (const char *text, size_t length, GError **error)
{
  const guint8 *digits = get_digits ();
  size_t i = 0;

  while (i < length && digits[(guchar) text[i]] < BAD)
    i++;

  if (i < length && g_ascii_isprint (text[i]))
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("its data have “%c” at %zu, which is not base64"), text[i], i);
  else
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("its data have a byte at %zu that is not base64"), i);
  return NULL;
}

guint8 *
atn_base64_decode (const char *text, size_t length, size_t *n_bytes, GError **error)
{
  const size_t n_padding = length < 4                ? 0
                           : text[length - 1] != '=' ? 0
                                                     : (text[length - 2] == '=' ? 2 : 1);
  const size_t n_full = length / 4 - (n_padding > 0);
  g_autofree guint8 *bytes = NULL;
  guint8 last[3];

  if (length % 4 != 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("its data have %zu characters, expected a multiple of 4"), length);
    return NULL;
  }

  bytes = g_try_malloc (length / 4 * 3 + 1);
  if (bytes == NULL) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("there is no memory for it"));
    return NULL;
  }

  if (decode_groups ((const guchar *) text, n_full, bytes) >= BAD)
    return refuse_character (text, n_full * 4, error);

  if (n_padding > 0) {
    char group[4] = { 'A', 'A', 'A', 'A' };

    memcpy (group, text + n_full * 4, 4 - n_padding);
    if (decode_groups ((const guchar *) group, 1, last) >= BAD)
      return refuse_character (text, length, error);
    /* Bits that stand for nothing must be zero. */
    if (last[2] != 0 || (n_padding == 2 && last[1] != 0)) {
      g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                           _ ("its data end in the middle of a byte"));
      return NULL;
    }
    memcpy (bytes + n_full * 3, last, 3 - n_padding);
  }

  *n_bytes = n_full * 3 + (n_padding > 0 ? 3 - n_padding : 0);
  return g_steal_pointer (&bytes);
}

void
atn_base64_append (GString *out, const guint8 *data, size_t n_bytes)
{
  const gsize start = out->len, n_groups = n_bytes / 3, n_left = n_bytes % 3;
  char *p;

  g_string_set_size (out, start + (n_groups + (n_left > 0)) * 4);
  p = out->str + start;

  for (size_t i = 0; i < n_groups; i++, data += 3) {
    *p++ = alphabet[data[0] >> 2];
    *p++ = alphabet[(data[0] & 3) << 4 | data[1] >> 4];
    *p++ = alphabet[(data[1] & 15) << 2 | data[2] >> 6];
    *p++ = alphabet[data[2] & 63];
  }

  if (n_left > 0) {
    const guint8 second = n_left == 2 ? data[1] : 0;

    *p++ = alphabet[data[0] >> 2];
    *p++ = alphabet[(data[0] & 3) << 4 | second >> 4];
    *p++ = n_left == 2 ? alphabet[(second & 15) << 2] : '=';
    *p = '=';
  }
}
