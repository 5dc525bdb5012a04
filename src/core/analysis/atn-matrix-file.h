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
} AtnMatrixFormat;

bool atn_matrix_format_from_name (const char *name, AtnMatrixFormat *format);

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
 * All layers and heads: NPY [layer, head, query, key]; JSON an array of the objects above; CSV and
 * TSV one table, whose first columns are layer, head and query.
 *
 * Returns: (transfer full)
 * Errors: ATN_ERROR_TOO_LARGE if the numbers alone are more than 2 GiB
 */
GBytes *atn_result_dup_file_all (const AtnResult *result,
                                 AtnStage stage,
                                 AtnMatrixFormat format,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
