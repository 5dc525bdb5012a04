/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Values of the metadata, by what is expected of them. A file may write one number in any width, so
 * what counts is the number.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const kind_names[ATN_GGUF_N_KINDS] = {
  "UINT8", "INT8",   "UINT16", "INT16",  "UINT32", "INT32",   "FLOAT32",
  "BOOL",  "STRING", "ARRAY",  "UINT64", "INT64",  "FLOAT64",
};

static gboolean
refuse_kind (const char *key, const AtnGgufValue *value, const char *expected, GError **error)
{
  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               value->is_array ? _ ("“%s” is an array of %s, expected %s")
                               : _ ("“%s” is a %s, expected %s"),
               key, kind_names[value->kind], expected);
  return FALSE;
}

/* Finds @key; NULL without an error if it is absent and optional. */
static gboolean
look_up (const AtnGguf *self,
         const char *key,
         AtnJsonNeed need,
         const AtnGgufValue **value,
         GError **error)
{
  *value = atn_gguf_find (self, key);
  if (*value != NULL || need == ATN_JSON_OPTIONAL)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is missing in the metadata"),
               key);
  return FALSE;
}

/* Reads @size bytes, little endian. */
static guint64
read_bits (const guint8 *bytes, size_t size)
{
  guint64 bits = 0;

  for (size_t i = size; i-- > 0;)
    bits = bits << 8 | bytes[i];
  return bits;
}

/* A number of any kind as a double, which holds all counts below 2⁵³. */
static bool
get_number (const AtnGgufValue *value, size_t index, double *number)
{
  const guint8 *bytes = value->bytes;
  guint64 bits;
  guint32 word;
  float real;

  switch (value->kind) {
  case ATN_GGUF_UINT8:
    *number = bytes[index];
    return true;
  case ATN_GGUF_INT8:
    *number = (gint8) bytes[index];
    return true;
  case ATN_GGUF_UINT16:
    *number = (double) read_bits (bytes + 2 * index, 2);
    return true;
  case ATN_GGUF_INT16:
    *number = (gint16) read_bits (bytes + 2 * index, 2);
    return true;
  case ATN_GGUF_UINT32:
    *number = (double) read_bits (bytes + 4 * index, 4);
    return true;
  case ATN_GGUF_INT32:
    *number = (gint32) read_bits (bytes + 4 * index, 4);
    return true;
  case ATN_GGUF_UINT64:
    *number = (double) read_bits (bytes + 8 * index, 8);
    return true;
  case ATN_GGUF_INT64:
    *number = (double) (gint64) read_bits (bytes + 8 * index, 8);
    return true;
  case ATN_GGUF_FLOAT32:
    word = (guint32) read_bits (bytes + 4 * index, 4);
    memcpy (&real, &word, sizeof real);
    *number = (double) real;
    return true;
  case ATN_GGUF_FLOAT64:
    bits = read_bits (bytes + 8 * index, 8);
    memcpy (number, &bits, sizeof *number);
    return true;
  case ATN_GGUF_BOOL:
  case ATN_GGUF_STRING:
  case ATN_GGUF_ARRAY:
  case ATN_GGUF_N_KINDS:
  default:
    return false;
  }
}

gboolean
atn_gguf_read_size (const AtnGguf *self,
                    const char *key,
                    AtnJsonNeed need,
                    size_t max,
                    size_t *size,
                    GError **error)
{
  const AtnGgufValue *value;
  double first = 0, number;

  if (!look_up (self, key, need, &value, error))
    return FALSE;
  if (value == NULL)
    return TRUE;
  if (value->n == 0 || !get_number (value, 0, &first))
    return refuse_kind (key, value, _ ("a whole number"), error);

  for (size_t i = 1; i < value->n; i++) {
    if (get_number (value, i, &number) && number == first)
      continue;
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s” differs from layer to layer, which is not supported"), key);
    return FALSE;
  }

  if (!(first >= 0) || first > (double) MIN (max, G_GUINT64_CONSTANT (1) << 53) ||
      floor (first) != first) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” is %s, expected a whole number from 0 to %zu"), key,
                 g_ascii_formatd (digits, sizeof digits, "%.10g", first), max);
    return FALSE;
  }

  *size = (size_t) first;
  return TRUE;
}

gboolean
atn_gguf_read_double (const AtnGguf *self,
                      const char *key,
                      AtnJsonNeed need,
                      double *number,
                      GError **error)
{
  const AtnGgufValue *value;
  double found = NAN;

  if (!look_up (self, key, need, &value, error))
    return FALSE;
  if (value == NULL)
    return TRUE;
  if (value->is_array || !get_number (value, 0, &found) || !isfinite (found))
    return refuse_kind (key, value, _ ("a finite number"), error);

  *number = found;
  return TRUE;
}

gboolean
atn_gguf_read_bool (const AtnGguf *self,
                    const char *key,
                    AtnJsonNeed need,
                    bool *is_true,
                    GError **error)
{
  const AtnGgufValue *value;

  if (!look_up (self, key, need, &value, error))
    return FALSE;
  if (value == NULL)
    return TRUE;
  if (value->is_array || value->kind != ATN_GGUF_BOOL)
    return refuse_kind (key, value, _ ("true or false"), error);

  *is_true = value->bytes[0] != 0;
  return TRUE;
}

/* (transfer full) (nullable): the string at @bytes, which are moved behind it. It was inside the
 * file when that was opened; a file that is mapped may have been written over since. */
static char *
dup_string (const AtnGguf *self,
            const guint8 **bytes,
            const char *key,
            size_t index,
            GError **error)
{
  gsize size;
  const guint8 *start = g_bytes_get_data (self->bytes, &size);
  const size_t n_left = size - (size_t) (*bytes - start);
  const guint64 length = n_left >= 8 ? read_bits (*bytes, 8) : G_MAXUINT64;
  const char *text = (const char *) *bytes + 8;

  if (n_left < 8 || length > n_left - 8) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_IO,
                         _ ("the file has changed since it was opened; open it again"));
    return NULL;
  }

  *bytes += 8 + length;
  if (g_utf8_validate (text, (gssize) length, NULL))
    return g_strndup (text, (gsize) length);

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s”: string %zu is no UTF-8 text"),
               key, index);
  return NULL;
}

gboolean
atn_gguf_read_string (const AtnGguf *self,
                      const char *key,
                      AtnJsonNeed need,
                      char **text,
                      GError **error)
{
  const AtnGgufValue *value;
  const guint8 *bytes;
  char *found;

  if (!look_up (self, key, need, &value, error))
    return FALSE;
  if (value == NULL)
    return TRUE;
  if (value->is_array || value->kind != ATN_GGUF_STRING)
    return refuse_kind (key, value, _ ("a string"), error);

  bytes = value->bytes;
  found = dup_string (self, &bytes, key, 0, error);
  if (found == NULL)
    return FALSE;

  g_free (*text);
  *text = found;
  return TRUE;
}

GPtrArray *
atn_gguf_dup_strings (const AtnGguf *self, const char *key, AtnJsonNeed need, GError **error)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);
  const AtnGgufValue *value;
  const guint8 *bytes;

  if (!look_up (self, key, need, &value, error))
    return NULL;
  if (value == NULL)
    return g_steal_pointer (&strings);
  if (!value->is_array || value->kind != ATN_GGUF_STRING) {
    refuse_kind (key, value, _ ("an array of strings"), error);
    return NULL;
  }

  bytes = value->bytes;
  for (size_t i = 0; i < value->n; i++) {
    char *text = dup_string (self, &bytes, key, i, error);

    if (text == NULL)
      return NULL;
    g_ptr_array_add (strings, text);
  }

  return g_steal_pointer (&strings);
}

GArray *
atn_gguf_dup_numbers (const AtnGguf *self,
                      const char *key,
                      AtnJsonNeed need,
                      size_t n,
                      GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  const AtnGgufValue *value;

  if (!look_up (self, key, need, &value, error))
    return NULL;
  if (value == NULL)
    return g_steal_pointer (&numbers);
  if (!value->is_array) {
    refuse_kind (key, value, _ ("an array of numbers"), error);
    return NULL;
  }
  if (value->n != n) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” has %zu elements, expected %zu"), key, value->n, n);
    return NULL;
  }

  for (size_t i = 0; i < n; i++) {
    double number = NAN;

    if (!get_number (value, i, &number) || !isfinite (number)) {
      refuse_kind (key, value, _ ("an array of finite numbers"), error);
      return NULL;
    }
    g_array_append_val (numbers, number);
  }

  return g_steal_pointer (&numbers);
}
