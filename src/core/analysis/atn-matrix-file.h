/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A head's numbers as a file: CSV, TSV, JSON, NPY. Numbers have enough digits
 * to come back as the same float, whatever the locale. A forbidden score is an empty
 * field in CSV and TSV, null in JSON, -inf in NPY.
 */

#pragma once

#include "base/atn-matrix.h"
#include "engine/atn-request.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_MATRIX_FORMAT_CSV,
  ATN_MATRIX_FORMAT_TSV,
  ATN_MATRIX_FORMAT_JSON,
  ATN_MATRIX_FORMAT_NPY,
  ATN_N_MATRIX_FORMATS
} AtnMatrixFormat;

/* As it is typed on the command line. */
const char *atn_matrix_format_get_name (AtnMatrixFormat format);

/**
 * atn_result_dup_file:
 * @result: with at least one token
 *
 * One head at one stage as the bytes of a file. CSV and TSV carry the tokens' raw strings as first
 * row and column; JSON is one object:
 *
 *   {"model", "layer", "head", "stage", "attention": "self", "query_tokens", "key_tokens",
 *    "settings": {"causal", "scale_by", "temperature", "scope"}, "matrix"}
 *
 * whose settings have the values of the command line ("trained", "on", …).
 *
 * Returns: (transfer full)
 */
GBytes *atn_result_dup_file (const AtnResult *result,
                             size_t layer,
                             size_t head,
                             AtnStage stage,
                             AtnMatrixFormat format) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_result_dup_file_all:
 *
 * All layers and heads at once, for the clipboard: NPY [layer, head, query, key]; JSON an array of
 * the objects above; CSV and TSV one table, whose first columns are layer, head and query.
 *
 * Returns: (transfer full)
 * Errors: ATN_ERROR_TOO_LARGE if the numbers alone are more than 2 GiB
 */
GBytes *atn_result_dup_file_all (const AtnResult *result,
                                 AtnStage stage,
                                 AtnMatrixFormat format,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_result_write_file_all:
 * @path: where to; "-" is standard output
 *
 * The same as atn_result_dup_file_all() as a file, head by head: it needs the memory of one head,
 * so that no [layer, head, query, key] array is ever held.
 *
 * Errors: ATN_ERROR_IO naming @path; G_IO_ERROR_CANCELLED; no partial file stays behind
 */
gboolean atn_result_write_file_all (const AtnResult *result,
                                    AtnStage stage,
                                    AtnMatrixFormat format,
                                    const char *path,
                                    GCancellable *cancellable,
                                    GError **error);

G_END_DECLS
