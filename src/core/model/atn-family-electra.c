/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * ELECTRA (Clark et al. 2020) as Hugging Face stores it: BERT whose embeddings may be
 * narrower than its blocks and are then projected. Generators have a masked-token head,
 * whose activation is GELU (erf) whatever hidden_act says; discriminators predict no tokens. Keys
 * and defaults are those of ElectraConfig.
 */

#include "model/atn-family.h"

#define LAYER "encoder.layer.#."
#define HEAD "/generator_predictions."
#define MODULE(slot, name)                                                                         \
  {                                                                                                \
    slot, name ".weight", name ".bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED                       \
  }
#define TABLE(slot, name)                                                                          \
  {                                                                                                \
    slot, name ".weight", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED                               \
  }

static const AtnSlotRow rows[] = {
  TABLE (ATN_SLOT_EMBED, "embeddings.word_embeddings"),
  TABLE (ATN_SLOT_POS_EMBED, "embeddings.position_embeddings"),
  TABLE (ATN_SLOT_TOKEN_TYPE_EMBED, "embeddings.token_type_embeddings"),
  MODULE (ATN_SLOT_EMBED_NORM, "embeddings.LayerNorm"),
  MODULE (ATN_SLOT_EMBED_PROJECT, "embeddings_project"),
  MODULE (ATN_SLOT_Q, LAYER "attention.self.query"),
  MODULE (ATN_SLOT_K, LAYER "attention.self.key"),
  MODULE (ATN_SLOT_V, LAYER "attention.self.value"),
  MODULE (ATN_SLOT_O, LAYER "attention.output.dense"),
  MODULE (ATN_SLOT_NORM1, LAYER "attention.output.LayerNorm"),
  MODULE (ATN_SLOT_MLP_IN, LAYER "intermediate.dense"),
  MODULE (ATN_SLOT_MLP_OUT, LAYER "output.dense"),
  MODULE (ATN_SLOT_NORM2, LAYER "output.LayerNorm"),
  MODULE (ATN_SLOT_MLM_DENSE, HEAD "dense"),
  MODULE (ATN_SLOT_MLM_NORM, HEAD "LayerNorm"),
  MODULE (ATN_SLOT_UNEMBED, "/generator_lm_head"),
};

static const char *const prefixes[] = { "", "electra.", NULL };

static const char *const ignored[] = {
  "*position_ids",
  "*token_type_ids",
  "generator_predictions.*",
  "generator_lm_head.*",
  "discriminator_predictions.*",
  NULL,
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 30522),
  ATN_COUNT_KEY ("embedding_size", d_embed, 128),
  ATN_COUNT_KEY ("hidden_size", d_model, 256),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 12),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 4),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 1024),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 512),
  ATN_COUNT_KEY ("type_vocab_size", n_token_types, 2),
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  config->activation = ATN_ACTIVATION_GELU;
  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error) ||
      !atn_config_read_encoder (json, true, config, error))
    return FALSE;

  config->embed_project = config->d_embed != config->d_model;
  config->mlm_activation = ATN_ACTIVATION_GELU;
  return TRUE;
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  atn_config_find_mlm_head (weights, "generator_predictions.dense.weight",
                            "generator_lm_head.weight", config);
}

const AtnFamily *
atn_family_get_electra (void)
{
  static const AtnFamily family = {
    .model_type = "electra",
    .anchor = "embeddings.word_embeddings.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .read_config = read_config,
    .find_head = find_head,
  };

  return &family;
}
