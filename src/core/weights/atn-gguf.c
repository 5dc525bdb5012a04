/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The head of a file and its metadata; atn-gguf-table.c reads the tensors, atn-gguf-values.c gives
 * the values out.
 */

#include "weights/atn-gguf.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define KEY_MAX_LEN 65535
/* llama.cpp writes no array of arrays; the format allows them. */
#define MAX_DEPTH 4

/* Bytes of a value, or the least it can have. */
static const struct
{
  guint8 size;
  bool is_fixed;
} kinds[ATN_GGUF_N_KINDS] = {
  [ATN_GGUF_UINT8] = { 1, true },   [ATN_GGUF_INT8] = { 1, true },
  [ATN_GGUF_UINT16] = { 2, true },  [ATN_GGUF_INT16] = { 2, true },
  [ATN_GGUF_UINT32] = { 4, true },  [ATN_GGUF_INT32] = { 4, true },
  [ATN_GGUF_FLOAT32] = { 4, true }, [ATN_GGUF_BOOL] = { 1, true },
  [ATN_GGUF_STRING] = { 8, false }, [ATN_GGUF_ARRAY] = { 12, false },
  [ATN_GGUF_UINT64] = { 8, true },  [ATN_GGUF_INT64] = { 8, true },
  [ATN_GGUF_FLOAT64] = { 8, true },
};

/* Cursor. */

static gboolean
take (AtnGgufCursor *self, guint64 n, const guint8 **bytes, GError **error)
{
  if (n > self->size - self->at) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%" PRIu64 " bytes are expected at byte %zu, but the file ends after %zu; it "
                    "is cut off or damaged"),
                 n, self->at, self->size);
    return FALSE;
  }

  *bytes = self->data + self->at;
  self->at += (size_t) n;
  return TRUE;
}

gboolean
atn_gguf_cursor_u32 (AtnGgufCursor *self, guint32 *value, GError **error)
{
  const guint8 *bytes;

  if (!take (self, sizeof *value, &bytes, error))
    return FALSE;

  memcpy (value, bytes, sizeof *value);
  *value = GUINT32_FROM_LE (*value);
  return TRUE;
}

gboolean
atn_gguf_cursor_u64 (AtnGgufCursor *self, guint64 *value, GError **error)
{
  const guint8 *bytes;

  if (!take (self, sizeof *value, &bytes, error))
    return FALSE;

  memcpy (value, bytes, sizeof *value);
  *value = GUINT64_FROM_LE (*value);
  return TRUE;
}

static bool
is_one_line (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);

    if (g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029)
      return false;
  }

  return true;
}

char *
atn_gguf_cursor_dup_name (AtnGgufCursor *self, const char *what, size_t max_len, GError **error)
{
  const size_t start = self->at;
  g_autofree char *name = NULL;
  const guint8 *bytes;
  guint64 length;

  if (!atn_gguf_cursor_u64 (self, &length, error))
    return NULL;

  if (length == 0 || length > max_len) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%s at byte %zu has %" PRIu64 " bytes, expected 1 to %zu"), what, start, length,
                 max_len);
    return NULL;
  }

  if (!take (self, length, &bytes, error))
    return NULL;
  if (g_utf8_validate ((const char *) bytes, (gssize) length, NULL))
    name = g_strndup ((const char *) bytes, (gsize) length);
  if (name == NULL || !is_one_line (name)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%s at byte %zu is no UTF-8 text of one line"), what, start);
    return NULL;
  }

  return g_steal_pointer (&name);
}

/* Metadata. */

static gboolean
skip_string (AtnGgufCursor *cursor, GError **error)
{
  const guint8 *bytes;
  guint64 length;

  return atn_gguf_cursor_u64 (cursor, &length, error) && take (cursor, length, &bytes, error);
}

static gboolean
take_kind (AtnGgufCursor *cursor, AtnGgufKind *kind, GError **error)
{
  guint32 number;

  if (!atn_gguf_cursor_u32 (cursor, &number, error))
    return FALSE;

  if (number >= ATN_GGUF_N_KINDS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("it has the kind %u, expected 0 to %d"), number, ATN_GGUF_N_KINDS - 1);
    return FALSE;
  }

  *kind = (AtnGgufKind) number;
  return TRUE;
}

/* Kind and length of an array, whose elements may not need more bytes than there are. */
static gboolean
take_array_head (AtnGgufCursor *cursor, AtnGgufKind *kind, size_t *n, GError **error)
{
  guint64 count;

  if (!take_kind (cursor, kind, error) || !atn_gguf_cursor_u64 (cursor, &count, error))
    return FALSE;

  if (count > (cursor->size - cursor->at) / kinds[*kind].size) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("an array of %" PRIu64 " elements begins at byte %zu, but the file ends after "
                    "%zu; it is cut off or damaged"),
                 count, cursor->at, cursor->size);
    return FALSE;
  }

  *n = (size_t) count;
  return TRUE;
}

/* Steps over @n elements of @kind. */
static gboolean
skip_elements (AtnGgufCursor *cursor, AtnGgufKind kind, size_t n, int depth, GError **error)
{
  if (kinds[kind].is_fixed) {
    cursor->at += n * kinds[kind].size;
    return TRUE;
  }

  if (depth > MAX_DEPTH) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("arrays lie in arrays more than %d deep"), MAX_DEPTH);
    return FALSE;
  }

  for (size_t i = 0; i < n; i++) {
    AtnGgufKind inner;
    size_t n_inner;

    if (kind == ATN_GGUF_STRING) {
      if (!skip_string (cursor, error))
        return FALSE;
    } else if (!take_array_head (cursor, &inner, &n_inner, error) ||
               !skip_elements (cursor, inner, n_inner, depth + 1, error)) {
      return FALSE;
    }
  }

  return TRUE;
}

static gboolean
read_value (AtnGgufCursor *cursor, AtnGgufValue *value, GError **error)
{
  if (!take_kind (cursor, &value->kind, error))
    return FALSE;

  value->n = 1;
  value->is_array = value->kind == ATN_GGUF_ARRAY;
  if (value->is_array && !take_array_head (cursor, &value->kind, &value->n, error))
    return FALSE;

  value->bytes = cursor->data + cursor->at;
  if (!value->is_array && kinds[value->kind].is_fixed)
    return take (cursor, kinds[value->kind].size, &value->bytes, error);
  return skip_elements (cursor, value->kind, value->n, 1, error);
}

static gboolean
read_metadata (AtnGguf *self, AtnGgufCursor *cursor, guint64 n, GError **error)
{
  for (guint64 i = 0; i < n; i++) {
    g_autofree char *key =
      atn_gguf_cursor_dup_name (cursor, _ ("the key of a value"), KEY_MAX_LEN, error);
    g_autofree AtnGgufValue *value = g_new0 (AtnGgufValue, 1);

    if (key == NULL) {
      g_prefix_error (error, _ ("metadata: "));
      return FALSE;
    }
    if (!read_value (cursor, value, error)) {
      g_prefix_error (error, "“%s”: ", key);
      return FALSE;
    }
    if (g_hash_table_contains (self->values, key)) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is in the metadata twice"),
                   key);
      return FALSE;
    }
    g_hash_table_insert (self->values, g_steal_pointer (&key), g_steal_pointer (&value));
  }

  return TRUE;
}

/* The head. */

static gboolean
check_version (guint32 version, GError **error)
{
  if (version == 2 || version == 3)
    return TRUE;

  /* Small numbers of the other byte order have their only byte on the other end. */
  if (version != 0 && (version & 0xFFFF) == 0)
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                         _ ("the file was written for big-endian machines, which is not "
                            "supported"));
  else
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("the file is of GGUF version %u, expected 2 or 3"), version);
  return FALSE;
}

static gboolean
read_split (AtnGguf *self, GError **error)
{
  self->n_parts = 1;
  return atn_gguf_read_size (self, "split.count", ATN_JSON_OPTIONAL, G_MAXUINT32, &self->n_parts,
                             error) &&
         atn_gguf_read_size (self, "split.no", ATN_JSON_OPTIONAL, G_MAXUINT32, &self->part, error);
}

static gboolean
read_head (AtnGgufCursor *cursor, guint64 *n_tensors, guint64 *n_values, GError **error)
{
  const guint8 *magic;
  guint32 version;

  if (!take (cursor, 4, &magic, error))
    return FALSE;
  if (memcmp (magic, "GGUF", 4) != 0) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                         _ ("the file does not begin with “GGUF”; this is no GGUF file"));
    return FALSE;
  }

  return atn_gguf_cursor_u32 (cursor, &version, error) && check_version (version, error) &&
         atn_gguf_cursor_u64 (cursor, n_tensors, error) &&
         atn_gguf_cursor_u64 (cursor, n_values, error);
}

static gboolean
read_file (AtnGguf *self, AtnGgufCursor *cursor, GError **error)
{
  guint64 n_tensors, n_values;

  return read_head (cursor, &n_tensors, &n_values, error) &&
         read_metadata (self, cursor, n_values, error) && read_split (self, error) &&
         atn_gguf_read_tensors (self, cursor, n_tensors, error);
}

static void
clear_tensor_cb (gpointer data)
{
  g_clear_pointer (&((AtnGgufTensor *) data)->name, g_free);
}

static AtnGguf *
create_empty (GBytes *bytes, AtnGgufCursor *cursor)
{
  AtnGguf *self = g_new0 (AtnGguf, 1);

  self->bytes = g_bytes_ref (bytes);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->tensors = g_array_new (FALSE, TRUE, sizeof (AtnGgufTensor));
  g_array_set_clear_func (self->tensors, clear_tensor_cb);
  *cursor = (AtnGgufCursor){ .at = 0 };
  cursor->data = g_bytes_get_data (bytes, &cursor->size);
  return self;
}

AtnGguf *
atn_gguf_new (GBytes *bytes, GError **error)
{
  g_autoptr (AtnGguf) self = NULL;
  AtnGgufCursor cursor;

  g_return_val_if_fail (bytes != NULL, NULL);

  self = create_empty (bytes, &cursor);
  if (!read_file (self, &cursor, error))
    return NULL;

  return g_steal_pointer (&self);
}

AtnGguf *
atn_gguf_new_from_beginning (GBytes *bytes, GError **error)
{
  g_autoptr (AtnGguf) self = NULL;
  guint64 n_tensors, n_values;
  AtnGgufCursor cursor;

  g_return_val_if_fail (bytes != NULL, NULL);

  self = create_empty (bytes, &cursor);
  if (!read_head (&cursor, &n_tensors, &n_values, error))
    return NULL;
  /* The value in which the bytes end is left out; what stands before it counts. */
  (void) read_metadata (self, &cursor, n_values, NULL);

  return g_steal_pointer (&self);
}

void
atn_gguf_free (AtnGguf *self)
{
  g_hash_table_unref (self->values);
  g_array_unref (self->tensors);
  g_bytes_unref (self->bytes);
  g_free (self);
}

const AtnGgufValue *
atn_gguf_find (const AtnGguf *self, const char *key)
{
  return g_hash_table_lookup (self->values, key);
}
