/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * OPT (Zhang et al. 2022) as Hugging Face stores it: the first token's position is row 2; norms
 * before the branches, but in the model of 350 million parameters after them, whose embeddings are
 * also narrower than its stream. Galactica is this family without biases and with bare norms. Keys
 * and defaults are those of OPTConfig.
 */

#include "model/atn-family.h"

#define LAYER "layers.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "embed_tokens"),
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED_PROJECT, "project_in"),
  ATN_ROW_WEIGHT (ATN_SLOT_POS_EMBED, "embed_positions"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "self_attn_layer_norm"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_Q, LAYER "self_attn.q_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_K, LAYER "self_attn.k_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_V, LAYER "self_attn.v_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_O, LAYER "self_attn.out_proj"),
  ATN_ROW_BIASED (ATN_SLOT_NORM2, LAYER "final_layer_norm"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_MLP_IN, LAYER "fc1"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_MLP_OUT, LAYER "fc2"),
  ATN_ROW_BIASED (ATN_SLOT_FINAL_NORM, "final_layer_norm"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED_PROJECT, "project_out"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "model.decoder.", "decoder.", "", NULL };

static const char *const ignored[] = { "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 50272),
  ATN_COUNT_KEY ("hidden_size", d_model, 768),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 12),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 12),
  ATN_COUNT_KEY ("ffn_dim", d_mlp, 3072),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 2048),
};

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_RELU,
                .positions = ATN_POSITIONS_LEARNED,
                .first_position = 2,
                .positions_after_projection = true,
                .norm = ATN_NORM_LAYERNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_TIED },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "num_attention_heads",
  .activation = "activation_function",
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool is_pre = true, has_bias = true, has_weights = true, is_stripped = false;

  config->d_embed = config->d_model;
  if (!atn_json_read_bool (json, "do_layer_norm_before", ATN_JSON_OPTIONAL, &is_pre, error) ||
      !atn_json_read_bool (json, "enable_bias", ATN_JSON_OPTIONAL, &has_bias, error) ||
      !atn_json_read_bool (json, "layer_norm_elementwise_affine", ATN_JSON_OPTIONAL, &has_weights,
                           error) ||
      !atn_json_read_bool (json, "_remove_final_layer_norm", ATN_JSON_OPTIONAL, &is_stripped,
                           error) ||
      !atn_config_read_count (json, "word_embed_proj_dim", ATN_JSON_OPTIONAL, &config->d_embed,
                              error))
    return FALSE;

  config->norm_position = is_pre ? ATN_NORM_PRE : ATN_NORM_POST;
  config->final_norm = is_pre && !is_stripped;
  config->attention_bias = has_bias;
  config->mlp_bias = has_bias;
  config->bare_norms = !has_weights;
  config->embed_project = config->d_embed != config->d_model;
  config->unembed_project = config->embed_project;
  return TRUE;
}

const AtnFamily *
atn_family_get_opt (void)
{
  static const AtnFamily family = {
    .model_type = "opt",
    .anchor = "embed_tokens.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .keys = &keys,
    .read_config = read_config,
    .find_head = atn_config_find_lm_head,
  };

  return &family;
}
