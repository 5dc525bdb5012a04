/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A matrix in the formats of files, without knowing where it comes from. Cells
 * that are not finite (forbidden scores) are left empty in CSV and TSV, and
 * null in JSON.
 */

#pragma once

#include "base/atn-matrix.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Appends @text as a field of CSV or TSV: in quotes (RFC 4180) if it holds @separator, a quote or
 * a line end. */
void atn_matrix_text_append_field (GString *out, const char *text, char separator);

/**
 * atn_matrix_text_append_header:
 * @titles: [n_titles] what the columns before the numbers are called
 * @col_names: [n_cols]
 *
 * The first line of a table.
 */
void atn_matrix_text_append_header (GString *out,
                                    const char *const *titles,
                                    size_t n_titles,
                                    const char *const *col_names,
                                    size_t n_cols,
                                    char separator);

/* One line for each row of @matrix: @prefix as it is, the row's name, its numbers. */
void atn_matrix_text_append_rows (GString *out,
                                  const AtnMatrix *matrix,
                                  const char *prefix,
                                  const char *const *row_names,
                                  char separator);

/* [[…], …], each row on its own line. */
void atn_matrix_text_append_json (GString *out, const AtnMatrix *matrix);

/* The header of an NPY file, version 1.0, of little-endian floats in C order. */
void atn_matrix_text_append_npy_header (GString *out, const size_t *shape, size_t n_dims);
/* @n values as they stand behind it. */
void atn_matrix_text_append_npy_values (GString *out, const float *values, size_t n);

G_END_DECLS
