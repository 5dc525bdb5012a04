/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Writes GGUF files for tests, right or wrong ones: nothing is checked.
 */

#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

static inline void
atn_gguf_file_u32 (GByteArray *file, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (file, (const guint8 *) &value, sizeof value);
}

static inline void
atn_gguf_file_u64 (GByteArray *file, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (file, (const guint8 *) &value, sizeof value);
}

static inline void
atn_gguf_file_string (GByteArray *file, const char *text)
{
  atn_gguf_file_u64 (file, strlen (text));
  g_byte_array_append (file, (const guint8 *) text, (guint) strlen (text));
}

/* (transfer full): the head of a file. */
static inline GByteArray *
atn_gguf_file_new (guint32 version, guint64 n_tensors, guint64 n_values)
{
  GByteArray *file = g_byte_array_new ();

  g_byte_array_append (file, (const guint8 *) "GGUF", 4);
  atn_gguf_file_u32 (file, version);
  atn_gguf_file_u64 (file, n_tensors);
  atn_gguf_file_u64 (file, n_values);
  return file;
}

/* A value of kind UINT32. */
static inline void
atn_gguf_file_value (GByteArray *file, const char *key, guint32 value)
{
  atn_gguf_file_string (file, key);
  atn_gguf_file_u32 (file, 4);
  atn_gguf_file_u32 (file, value);
}

/* The head of an array; its elements follow. */
static inline void
atn_gguf_file_array (GByteArray *file, const char *key, guint32 kind, guint64 n)
{
  atn_gguf_file_string (file, key);
  atn_gguf_file_u32 (file, 9);
  atn_gguf_file_u32 (file, kind);
  atn_gguf_file_u64 (file, n);
}

/* A row of the table; @dims come fastest first. */
static inline void
atn_gguf_file_tensor (GByteArray *file,
                      const char *name,
                      const guint64 *dims,
                      guint32 n_dims,
                      guint32 type,
                      guint64 offset)
{
  atn_gguf_file_string (file, name);
  atn_gguf_file_u32 (file, n_dims);
  for (guint32 i = 0; i < n_dims; i++)
    atn_gguf_file_u64 (file, dims[i]);
  atn_gguf_file_u32 (file, type);
  atn_gguf_file_u64 (file, offset);
}

/* Zeros up to a multiple of @alignment, then @n_data more. */
static inline void
atn_gguf_file_data (GByteArray *file, guint alignment, guint n_data)
{
  const guint end = (file->len + alignment - 1) / alignment * alignment + n_data;

  while (file->len < end)
    g_byte_array_append (file, (const guint8 *) "", 1);
}

G_END_DECLS
