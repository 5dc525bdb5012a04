/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "analysis/atn-matrix-text.h"

#include "base/atn-json.h"

#include <math.h>
#include <string.h>

void
atn_matrix_text_append_field (GString *out, const char *text, char separator)
{
  const char special[] = { separator, '"', '\r', '\n', '\0' };

  if (strpbrk (text, special) == NULL) {
    g_string_append (out, text);
    return;
  }

  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *p);
  }
  g_string_append_c (out, '"');
}

void
atn_matrix_text_append_header (GString *out,
                               const char *const *titles,
                               size_t n_titles,
                               const char *const *col_names,
                               size_t n_cols,
                               char separator)
{
  for (size_t i = 0; i < n_titles + n_cols; i++) {
    if (i > 0)
      g_string_append_c (out, separator);
    atn_matrix_text_append_field (out, i < n_titles ? titles[i] : col_names[i - n_titles],
                                  separator);
  }

  g_string_append_c (out, '\n');
}

void
atn_matrix_text_append_rows (GString *out,
                             const AtnMatrix *matrix,
                             const char *prefix,
                             const char *const *row_names,
                             char separator)
{
  for (size_t row = 0; row < matrix->n_rows; row++) {
    g_string_append (out, prefix);
    atn_matrix_text_append_field (out, row_names[row], separator);

    for (size_t col = 0; col < matrix->n_cols; col++) {
      const float value = atn_matrix_get (matrix, row, col);

      g_string_append_c (out, separator);
      if (isfinite (value))
        atn_json_append_float (out, value);
    }
    g_string_append_c (out, '\n');
  }
}

void
atn_matrix_text_append_json (GString *out, const AtnMatrix *matrix)
{
  g_string_append_c (out, '[');
  for (size_t row = 0; row < matrix->n_rows; row++) {
    g_string_append (out, row == 0 ? "\n  [" : ",\n  [");
    for (size_t col = 0; col < matrix->n_cols; col++) {
      if (col > 0)
        g_string_append_c (out, ',');
      atn_json_append_float (out, atn_matrix_get (matrix, row, col));
    }
    g_string_append_c (out, ']');
  }
  g_string_append_c (out, ']');
}

void
atn_matrix_text_append_npy_header (GString *out, const size_t *shape, size_t n_dims)
{
  /* magic, version 1.0, length of the rest; all in all a multiple of 64 */
  enum
  {
    PREFIX_SIZE = 10,
    ALIGNMENT = 64
  };
  g_autoptr (GString) text = g_string_new ("{'descr': '<f4', 'fortran_order': False, 'shape': (");
  guint8 prefix[PREFIX_SIZE] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0 };

  for (size_t i = 0; i < n_dims; i++)
    g_string_append_printf (text, "%zu, ", shape[i]);
  /* Python wants (3,) but (3, 4). */
  if (n_dims > 0)
    g_string_truncate (text, text->len - (n_dims == 1 ? 1 : 2));
  g_string_append (text, "), }");

  while ((PREFIX_SIZE + text->len + 1) % ALIGNMENT != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');

  prefix[8] = (guint8) (text->len & 0xFF);
  prefix[9] = (guint8) (text->len >> 8);
  g_string_append_len (out, (const char *) prefix, sizeof prefix);
  g_string_append_len (out, text->str, (gssize) text->len);
}

void
atn_matrix_text_append_npy_values (GString *out, const float *values, size_t n)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  g_string_append_len (out, (const char *) values, (gssize) (n * sizeof *values));
#else
  for (size_t i = 0; i < n; i++) {
    guint32 bits;

    memcpy (&bits, &values[i], sizeof bits);
    bits = GUINT32_TO_LE (bits);
    g_string_append_len (out, (const char *) &bits, sizeof bits);
  }
#endif
}
