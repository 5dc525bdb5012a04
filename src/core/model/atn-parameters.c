/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-parameters.h"

#include "model/atn-slots.h"

static guint64
count_linear (const AtnLinear *linear)
{
  if (linear->weight == NULL)
    return 0;
  return (guint64) linear->d_in * linear->d_out + (linear->bias != NULL ? linear->d_out : 0);
}

static guint64
count_table (const float *table, size_t n_rows, size_t width)
{
  return table != NULL ? (guint64) n_rows * width : 0;
}

static guint64
count_embedding (const AtnSlots *slots, const AtnConfig *config)
{
  return count_table (slots->embed, config->d_vocab, config->d_embed) +
         count_table (slots->pos_embed, config->first_position + config->n_ctx,
                      config->positions_after_projection ? config->d_model : config->d_embed) +
         count_table (slots->token_type_embed, config->n_token_types, config->d_embed) +
         count_linear (&slots->embed_project);
}

/* ALBERT's layers are one and the same. */
static bool
is_shared (const AtnSlots *slots, size_t layer)
{
  for (size_t before = 0; before < layer; before++)
    if (slots->blocks[before].o.weight == slots->blocks[layer].o.weight)
      return true;
  return false;
}

void
atn_parameters_count (const AtnModel *model, AtnParameters *parameters)
{
  const AtnConfig *config = atn_model_get_config (model);
  const AtnSlots *slots = atn_model_get_slots (model);

  *parameters = (AtnParameters){ .total = atn_model_get_n_parameters (model) };
  parameters->embedding = count_embedding (slots, config);
  parameters->attention =
    count_table (slots->position_bias, config->buckets.n_rows, config->n_heads);
  for (size_t layer = 0; layer < config->n_layers; layer++) {
    const AtnBlock *block = &slots->blocks[layer];

    if (is_shared (slots, layer))
      continue;
    parameters->attention += count_linear (&block->q) + count_linear (&block->k) +
                             count_linear (&block->v) + count_linear (&block->o);
    parameters->mlp += count_linear (&block->mlp_in) + count_linear (&block->mlp_gate) +
                       count_linear (&block->mlp_out);
  }
  parameters->output = count_linear (&slots->mlm_dense) + count_linear (&slots->unembed_project);
  if (slots->unembed.weight != NULL && slots->unembed.weight != slots->embed)
    parameters->output += count_linear (&slots->unembed);
  else if (slots->unembed.bias != NULL)
    parameters->output += slots->unembed.d_out;
  parameters->other =
    parameters->total - MIN (parameters->total, parameters->embedding + parameters->attention +
                                                  parameters->mlp + parameters->output);
}
