/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * text → ids → text → ids. The texts need not be equal, since normalizers take accents and
 * capitals away for good, but the ids must be.
 */

#pragma once

#include "model/atn-model.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_ROUND_TRIP_SAME,
  ATN_ROUND_TRIP_UNKNOWN, /* the vocabulary has no tokens for all of the text: nothing to compare */
  ATN_ROUND_TRIP_DIFFERENT,
} AtnRoundTrip;

/* What becomes of @text. A text that cannot be encoded at all is UNKNOWN. */
AtnRoundTrip atn_model_round_trip (AtnModel *model, const char *text);

G_END_DECLS
