/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The lines of a cell's calculation: what each is called, its number and how
 * the number comes about. Adding a line is adding a row to the table.
 */

#pragma once

#include "engine/atn-trace.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_LINE_QUERY_NORM,
  ATN_LINE_KEY_NORM,
  ATN_LINE_COSINE,
  ATN_LINE_UNROTATED, /* only with RoPE */
  ATN_LINE_DOT,
  ATN_LINE_SCALE,
  ATN_LINE_SCALED,
  ATN_LINE_CAPPED,        /* only with soft-capping */
  ATN_LINE_POSITION_TERM, /* this and the next only where positions add to the scores */
  ATN_LINE_BIASED,
  ATN_LINE_MASK,
  ATN_LINE_TEMPERATURE, /* only if it is not 1 */
  ATN_LINE_EXP,
  ATN_LINE_ROW_SUM,
  ATN_LINE_WEIGHT,
  ATN_LINE_VALUE_NORM,
  ATN_LINE_CONTRIBUTION,
  ATN_N_LINES
} AtnLine;

/* "Weight": translated. */
const char *atn_line_get_name (AtnLine self);
/* "|q|": the same in every language; "" if there is none. */
const char *atn_line_get_symbol (AtnLine self);
/* One sentence, translated. */
const char *atn_line_get_explanation (AtnLine self);
/* Whether a new step of the calculation begins here. */
bool atn_line_is_first_of_step (AtnLine self);
/* Whether the calculation has this line in the model under these settings. */
bool atn_line_is_present (AtnLine self, const AtnConfig *config, const AtnWhatIf *what_if);

/* The number as it is shown. (transfer full) */
char *atn_line_dup_value (AtnLine self, const AtnCell *cell);
/* How it comes about, with numbers: "14.21 × 0.1768". (transfer full) (nullable) */
char *atn_line_dup_detail (AtnLine self, const AtnCell *cell);

G_END_DECLS
