/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Phi-3 (Abdin et al. 2024) as Hugging Face stores it: Llama with q, k and v in one tensor, gate
 * and up in another, and longrope for long texts; q, k and v apart are taken, too, as a GGUF file
 * may have them. Keys and defaults are those of Phi3Config.
 */

#include "model/atn-family.h"

#define LAYER "layers.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "embed_tokens"),
  ATN_ROW_WEIGHT (ATN_SLOT_NORM1, LAYER "input_layernorm"),
  ATN_ROW_WEIGHT (ATN_SLOT_QKV, LAYER "self_attn.qkv_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_Q, LAYER "self_attn.q_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_K, LAYER "self_attn.k_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_V, LAYER "self_attn.v_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_O, LAYER "self_attn.o_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_NORM2, LAYER "post_attention_layernorm"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_GATE_IN, LAYER "mlp.gate_up_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_OUT, LAYER "mlp.down_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_FINAL_NORM, "norm"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "model.", "", NULL };

static const char *const ignored[] = { "*rotary_emb.inv_freq", "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 32064),
  ATN_COUNT_KEY ("hidden_size", d_model, 3072),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 32),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 32),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 8192),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 4096),
};

static const AtnRopeKeys rope = { .theta = "rope_theta", .partial = "partial_rotary_factor" };

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_SILU,
                .gated_mlp = true,
                .norm = ATN_NORM_RMSNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_OWN },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "num_attention_heads",
  .kv_heads = "num_key_value_heads",
  .head_dim = "head_dim",
  .activation = "hidden_act",
  .eps = "rms_norm_eps",
  .rope = &rope,
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  for (size_t layer = 0; layer < MIN (config->n_layers, ATN_MAX_LAYERS); layer++)
    atn_config_set_window_layer (config, layer, true);

  return atn_config_read_nullable_count (json, "sliding_window", &config->window, error);
}

const AtnFamily *
atn_family_get_phi3 (void)
{
  static const AtnFamily family = {
    .model_type = "phi3",
    .anchor = "embed_tokens.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .apart = LAYER "self_attn.q_proj.weight",
    .ignored = ignored,
    .keys = &keys,
    .read_config = read_config,
    .find_head = atn_config_find_lm_head,
  };

  return &family;
}
