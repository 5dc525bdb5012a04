/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How the numbers of a weight store are kept: for people who look at a model, not
 * for those who compute with it.
 */

#pragma once

#include "weights/atn-weights.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* (nullable) (transfer none): the type that most numbers are stored in, as the file spells it. */
const char *atn_weights_get_main_dtype (const AtnWeights *self);

G_END_DECLS
