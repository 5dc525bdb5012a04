/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * StableLM (Bellagente et al. 2024) as Hugging Face stores it: Llama with LayerNorms and partial
 * rotation; the larger ones have attention and MLP side by side and a norm of its own for each
 * head. Keys and defaults are those of StableLmConfig.
 */

#include "model/atn-family.h"

#define LAYER "layers.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "embed_tokens"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "input_layernorm"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_Q, LAYER "self_attn.q_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_K, LAYER "self_attn.k_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_V, LAYER "self_attn.v_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_O, LAYER "self_attn.o_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_Q_NORM, LAYER "self_attn.q_layernorm.norms.@"),
  ATN_ROW_WEIGHT (ATN_SLOT_K_NORM, LAYER "self_attn.k_layernorm.norms.@"),
  ATN_ROW_BIASED (ATN_SLOT_NORM2, LAYER "post_attention_layernorm"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_GATE, LAYER "mlp.gate_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_IN, LAYER "mlp.up_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_OUT, LAYER "mlp.down_proj"),
  ATN_ROW_BIASED (ATN_SLOT_FINAL_NORM, "norm"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "model.", "", NULL };

static const char *const ignored[] = { "*rotary_emb.inv_freq", "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 50304),
  ATN_COUNT_KEY ("hidden_size", d_model, 2560),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 32),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 32),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 6912),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 4096),
};

static const AtnFlagKey flags[] = {
  ATN_FLAG_KEY ("use_qkv_bias", attention_bias),
};

static const AtnRopeKeys rope = { .theta = "rope_theta",
                                  .partial = "partial_rotary_factor",
                                  .default_partial = 0.25 };

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_SILU,
                .gated_mlp = true,
                .n_kv_heads = 32,
                .norm = ATN_NORM_LAYERNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_OWN },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "num_attention_heads",
  .kv_heads = "num_key_value_heads",
  .activation = "hidden_act",
  .eps = "layer_norm_eps",
  .rope = &rope,
  .flags = flags,
  .n_flags = G_N_ELEMENTS (flags),
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool has_qk_norm = false, is_parallel = false;

  if (!atn_json_read_bool (json, "qk_layernorm", ATN_JSON_OPTIONAL, &has_qk_norm, error) ||
      !atn_json_read_bool (json, "use_parallel_residual", ATN_JSON_OPTIONAL, &is_parallel, error))
    return FALSE;

  config->qk_norm = has_qk_norm ? ATN_QK_NORM_PER_HEAD : ATN_QK_NORM_NONE;
  config->parallel = is_parallel ? ATN_PARALLEL_ONE_NORM : ATN_PARALLEL_NONE;
  return TRUE;
}

const AtnFamily *
atn_family_get_stablelm (void)
{
  static const AtnFamily family = {
    .model_type = "stablelm",
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
