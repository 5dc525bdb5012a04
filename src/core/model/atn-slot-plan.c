/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Which slots a config makes necessary. A row of a family's table whose slot is not needed is
 * skipped, so one table serves all variants of a family.
 */

#include "model/atn-family.h"

bool
atn_slot_is_per_layer (AtnSlotId self)
{
  switch (self) {
  case ATN_SLOT_NORM1:
  case ATN_SLOT_QKV:
  case ATN_SLOT_Q:
  case ATN_SLOT_K:
  case ATN_SLOT_V:
  case ATN_SLOT_O:
  case ATN_SLOT_Q_NORM:
  case ATN_SLOT_K_NORM:
  case ATN_SLOT_NORM1_POST:
  case ATN_SLOT_NORM2:
  case ATN_SLOT_NORM2_POST:
  case ATN_SLOT_MLP_IN:
  case ATN_SLOT_MLP_GATE:
  case ATN_SLOT_MLP_GATE_IN:
  case ATN_SLOT_MLP_OUT:
    return true;
  case ATN_SLOT_EMBED:
  case ATN_SLOT_POS_EMBED:
  case ATN_SLOT_TOKEN_TYPE_EMBED:
  case ATN_SLOT_POSITION_BIAS:
  case ATN_SLOT_EMBED_NORM:
  case ATN_SLOT_EMBED_PROJECT:
  case ATN_SLOT_FINAL_NORM:
  case ATN_SLOT_MLM_DENSE:
  case ATN_SLOT_MLM_NORM:
  case ATN_SLOT_UNEMBED_PROJECT:
  case ATN_SLOT_UNEMBED:
  default:
    return false;
  }
}

bool
atn_slot_is_of_mlp (AtnSlotId self)
{
  return self == ATN_SLOT_MLP_IN || self == ATN_SLOT_MLP_GATE || self == ATN_SLOT_MLP_GATE_IN ||
         self == ATN_SLOT_MLP_OUT;
}

bool
atn_slot_is_needed (AtnSlotId self, const AtnConfig *config)
{
  const bool has_norm = config->norm != ATN_NORM_NONE && !config->bare_norms;
  const bool has_mlp = config->d_mlp > 0;

  switch (self) {
  case ATN_SLOT_POS_EMBED:
    return config->positions == ATN_POSITIONS_LEARNED;
  case ATN_SLOT_TOKEN_TYPE_EMBED:
    return config->n_token_types > 0;
  case ATN_SLOT_POSITION_BIAS:
    return config->buckets.n > 0;
  case ATN_SLOT_EMBED_NORM:
    return config->embed_norm && has_norm;
  case ATN_SLOT_EMBED_PROJECT:
    return config->embed_project;
  case ATN_SLOT_NORM1:
    return has_norm;
  case ATN_SLOT_NORM1_POST:
    return has_norm && config->branch_norms;
  case ATN_SLOT_NORM2:
    return has_norm && has_mlp && config->parallel != ATN_PARALLEL_ONE_NORM;
  case ATN_SLOT_NORM2_POST:
    return has_norm && has_mlp && config->branch_norms;
  case ATN_SLOT_Q_NORM:
  case ATN_SLOT_K_NORM:
    return has_norm && config->qk_norm != ATN_QK_NORM_NONE;
  case ATN_SLOT_MLP_IN:
  case ATN_SLOT_MLP_OUT:
    return has_mlp;
  case ATN_SLOT_MLP_GATE:
  case ATN_SLOT_MLP_GATE_IN:
    return has_mlp && config->gated_mlp;
  case ATN_SLOT_FINAL_NORM:
    return config->final_norm && has_norm;
  case ATN_SLOT_MLM_DENSE:
  case ATN_SLOT_MLM_NORM:
    return config->has_mlm_transform;
  case ATN_SLOT_UNEMBED_PROJECT:
    return config->unembed_project && config->unembed != ATN_UNEMBED_NONE;
  case ATN_SLOT_UNEMBED:
    return config->unembed != ATN_UNEMBED_NONE;
  case ATN_SLOT_EMBED:
  case ATN_SLOT_QKV:
  case ATN_SLOT_Q:
  case ATN_SLOT_K:
  case ATN_SLOT_V:
  case ATN_SLOT_O:
  default:
    return true;
  }
}
