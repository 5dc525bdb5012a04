/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Attention is a pipeline of stages; everything on screen is the matrix of one
 * head at one stage. The strip, the inspector, the exports, the command line
 * and the tests walk this enum: adding a stage is adding a row.
 */

#pragma once

#include "engine/atn-what-if.h"
#include "model/atn-config.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_STAGE_UNROTATED,    /* q·k before rotation; only with RoPE */
  ATN_STAGE_DOT,          /* q·k */
  ATN_STAGE_SCALED,       /* q·k · scale */
  ATN_STAGE_CAPPED,       /* c·tanh (s/c); only with soft-capping */
  ATN_STAGE_BIASED,       /* + position term; only with ALiBi, T5 */
  ATN_STAGE_MASKED,       /* + mask; forbidden cells are -INFINITY */
  ATN_STAGE_PATTERN,      /* softmax by row of MASKED / T */
  ATN_STAGE_DROPPED,      /* after dropout; only when p > 0 */
  ATN_STAGE_CONTRIBUTION, /* weight · ‖v_k W_O^h‖ (Kobayashi et al. 2020, eq. 3) */
  ATN_N_STAGES
} AtnStage;

/* "pattern": the name in files and on the command line. */
const char *atn_stage_get_name (AtnStage self);
bool atn_stage_from_name (const char *name, AtnStage *self);
/* A short title ("q·k", "÷√d", "+ mask", "softmax" …) and the one line that explains it,
 * translated. */
const char *atn_stage_get_title (AtnStage self);
const char *atn_stage_get_explanation (AtnStage self);

/* Whether the stage exists in this model under these settings. */
bool atn_stage_is_present (AtnStage self, const AtnConfig *config, const AtnWhatIf *what_if);
/* Whether values are weights (0 … ∞: sequential colours) or scores (signed). */
bool atn_stage_is_signed (AtnStage self);

G_END_DECLS
