/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * GPT-NeoX and Pythia (Black et al. 2022, Biderman et al. 2023) as Hugging Face stores them:
 * attention and MLP side by side, each behind its own LayerNorm; partial rotation; q, k and v in
 * one tensor, head by head. Keys and defaults are those of GPTNeoXConfig. The head is called
 * embed_out in older files.
 */

#include "model/atn-family.h"

#define LAYER "layers.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "embed_in"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "input_layernorm"),
  { ATN_SLOT_QKV, LAYER "attention.query_key_value.weight", LAYER "attention.query_key_value.bias",
    ATN_LAYOUT_QKV_BY_HEAD, ATN_BIAS_BY_CONFIG },
  ATN_ROW_BY_CONFIG (ATN_SLOT_O, LAYER "attention.dense"),
  ATN_ROW_BIASED (ATN_SLOT_NORM2, LAYER "post_attention_layernorm"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_IN, LAYER "mlp.dense_h_to_4h"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_OUT, LAYER "mlp.dense_4h_to_h"),
  ATN_ROW_BIASED (ATN_SLOT_FINAL_NORM, "final_layer_norm"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "gpt_neox.", "", NULL };

static const char *const ignored[] = { "*.attention.bias",     "*.attention.masked_bias",
                                       "*rotary_emb.inv_freq", "lm_head.weight",
                                       "embed_out.weight",     NULL };

static const AtnOldName old_names[] = {
  { "lm_head.weight", "embed_out.weight" },
  { NULL, NULL },
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 50432),
  ATN_COUNT_KEY ("hidden_size", d_model, 6144),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 44),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 64),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 24576),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 2048),
};

static const AtnFlagKey flags[] = {
  ATN_FLAG_KEY ("attention_bias", attention_bias),
};

static const AtnRopeKeys rope = { .theta = "rotary_emb_base",
                                  .partial = "rotary_pct",
                                  .default_partial = 0.25 };

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_GELU,
                .attention_bias = true,
                .norm = ATN_NORM_LAYERNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_OWN },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "num_attention_heads",
  .activation = "hidden_act",
  .eps = "layer_norm_eps",
  .rope = &rope,
  .flags = flags,
  .n_flags = G_N_ELEMENTS (flags),
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool is_parallel = true;

  if (!atn_json_read_bool (json, "use_parallel_residual", ATN_JSON_OPTIONAL, &is_parallel, error))
    return FALSE;

  config->parallel = is_parallel ? ATN_PARALLEL_TWO_NORMS : ATN_PARALLEL_NONE;
  return TRUE;
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  if (atn_weights_find (weights, "embed_out.weight") == NULL)
    atn_config_find_lm_head (weights, config);
}

const AtnFamily *
atn_family_get_gpt_neox (void)
{
  static const AtnFamily family = {
    .model_type = "gpt_neox",
    .anchor = "embed_in.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .old_names = old_names,
    .keys = &keys,
    .read_config = read_config,
    .find_head = find_head,
  };

  return &family;
}
