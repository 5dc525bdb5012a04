/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-expect.h"

#include <string.h>

AtnExpect *
atn_expect_open (const char *path)
{
  g_autoptr (GError) error = NULL;
  AtnExpect *self = g_new0 (AtnExpect, 1);
  const char *contents;
  guint64 length;

  self->file = g_mapped_file_new (path, FALSE, &error);
  g_assert_no_error (error);
  contents = g_mapped_file_get_contents (self->file);
  memcpy (&length, contents, sizeof length);
  length = GUINT64_FROM_LE (length);
  g_assert_cmpuint (8 + length, <=, g_mapped_file_get_length (self->file));

  self->header = atn_json_parse (contents + 8, length, &error);
  g_assert_no_error (error);
  self->data = contents + 8 + length;
  return self;
}

void
atn_expect_free (AtnExpect *self)
{
  atn_json_free (self->header);
  g_mapped_file_unref (self->file);
  g_free (self);
}

float *
atn_expect_dup_floats (const AtnExpect *self, const char *name, size_t n)
{
  const AtnJson *tensor = atn_json_get_member (self->header, name);
  const AtnJson *first, *end;
  size_t begin, size;

  if (tensor == NULL)
    return NULL;

  g_assert_cmpstr (atn_json_get_string (atn_json_get_member (tensor, "dtype")), ==, "F32");
  first = atn_json_get_first (atn_json_get_member (tensor, "data_offsets"));
  end = atn_json_get_next (first);
  begin = (size_t) atn_json_get_number (first);
  size = (size_t) atn_json_get_number (end) - begin;
  g_assert_cmpuint (size, ==, n * sizeof (float));

  return g_memdup2 (self->data + begin, size);
}
