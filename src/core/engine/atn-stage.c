/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-stage.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  const char *name;
  const char *title;
  const char *explanation;
  bool is_signed;
} StageRow;

/* In the order of the enum. */
static const StageRow stages[ATN_N_STAGES] = {
  { "unrotated", N_ ("q·k unrotated"),
    N_ ("What query and key would say to each other without their positions"), true },
  { "dot", N_ ("q·k"), N_ ("How well each query matches each key: their dot product"), true },
  { "scaled", N_ ("÷√d"),
    N_ ("The scores made smaller, so that their size does not grow with the width of the head"),
    true },
  { "capped", N_ ("capped"), N_ ("The scores bent so that none passes a limit"), true },
  { "biased", N_ ("+ position"), N_ ("The scores with a term for the distance added"), true },
  { "masked", N_ ("+ mask"),
    N_ ("The scores with forbidden keys at −∞: a causal model may not look ahead"), true },
  { "pattern", N_ ("softmax"), N_ ("The attention weights: each row is positive and sums to 1"),
    false },
  { "dropped", N_ ("dropout"), N_ ("The weights after some were dropped by chance"), false },
  { "contribution", N_ ("× ‖v W_O‖"),
    N_ ("What the head really adds: each weight times the length of the vector it carries"),
    false },
};

const char *
atn_stage_get_name (AtnStage self)
{
  g_return_val_if_fail (self < ATN_N_STAGES, NULL);

  return stages[self].name;
}

bool
atn_stage_from_name (const char *name, AtnStage *self)
{
  g_return_val_if_fail (name != NULL, false);

  for (int i = 0; i < ATN_N_STAGES; i++) {
    if (strcmp (stages[i].name, name) == 0) {
      *self = (AtnStage) i;
      return true;
    }
  }

  return false;
}

const char *
atn_stage_get_title (AtnStage self)
{
  g_return_val_if_fail (self < ATN_N_STAGES, NULL);

  return _ (stages[self].title);
}

const char *
atn_stage_get_explanation (AtnStage self)
{
  g_return_val_if_fail (self < ATN_N_STAGES, NULL);

  return _ (stages[self].explanation);
}

/* SCALED and MASKED are steps of every model, even where a factor of 1 or an empty mask makes them
 * equal to the step before; a stage must not vanish while a switch is flipped. */
bool
atn_stage_is_present (AtnStage self, const AtnConfig *config, const AtnWhatIf *what_if)
{
  switch (self) {
  case ATN_STAGE_UNROTATED:
    return config->positions == ATN_POSITIONS_ROPE;
  case ATN_STAGE_CAPPED:
    return config->score_cap > 0.0f;
  case ATN_STAGE_BIASED:
    return atn_config_has_position_term (config);
  case ATN_STAGE_DROPPED:
    return false;
  case ATN_STAGE_DOT:
  case ATN_STAGE_SCALED:
  case ATN_STAGE_MASKED:
  case ATN_STAGE_PATTERN:
  case ATN_STAGE_CONTRIBUTION:
    return true;
  case ATN_N_STAGES:
  default:
    return false;
  }
}

bool
atn_stage_is_signed (AtnStage self)
{
  g_return_val_if_fail (self < ATN_N_STAGES, false);

  return stages[self].is_signed;
}
