/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Gemma 2 (Gemma Team 2024) as Hugging Face stores it: Gemma with norms of what each branch adds,
 * soft-capped scores and logits, a scale of its own, and a window in every second layer. Keys
 * and defaults are those of Gemma2Config.
 */

#include "model/atn-family.h"

#include <math.h>

#define LAYER "layers.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "embed_tokens"),
  ATN_ROW_WEIGHT (ATN_SLOT_NORM1, LAYER "input_layernorm"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_Q, LAYER "self_attn.q_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_K, LAYER "self_attn.k_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_V, LAYER "self_attn.v_proj"),
  ATN_ROW_BY_CONFIG (ATN_SLOT_O, LAYER "self_attn.o_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_NORM1_POST, LAYER "post_attention_layernorm"),
  ATN_ROW_WEIGHT (ATN_SLOT_NORM2, LAYER "pre_feedforward_layernorm"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_GATE, LAYER "mlp.gate_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_IN, LAYER "mlp.up_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_MLP_OUT, LAYER "mlp.down_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_NORM2_POST, LAYER "post_feedforward_layernorm"),
  ATN_ROW_WEIGHT (ATN_SLOT_FINAL_NORM, "norm"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "model.", "", NULL };

static const char *const ignored[] = { "*rotary_emb.inv_freq", "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 256000),
  ATN_COUNT_KEY ("hidden_size", d_model, 2304),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 26),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 8),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 9216),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 8192),
};

static const AtnFlagKey flags[] = {
  ATN_FLAG_KEY ("attention_bias", attention_bias),
};

static const AtnRopeKeys rope = { .theta = "rope_theta", .partial = "partial_rotary_factor" };

static const char *const refused[] = { "use_bidirectional_attention", NULL };

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_GELU_TANH,
                .gated_mlp = true,
                .norm = ATN_NORM_RMSNORM,
                .norm_eps = 1e-6f,
                .norm_offset = 1.0f,
                .final_norm = true,
                .branch_norms = true,
                .n_kv_heads = 4,
                .d_head = 256,
                .window = 4096,
                .score_cap = 50.0f,
                .logit_cap = 30.0f,
                .unembed = ATN_UNEMBED_TIED },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "num_attention_heads",
  .kv_heads = "num_key_value_heads",
  .head_dim = "head_dim",
  .activation = "hidden_activation",
  .eps = "rms_norm_eps",
  .rope = &rope,
  .flags = flags,
  .n_flags = G_N_ELEMENTS (flags),
  .refused = refused,
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  size_t scalar = 256;

  if (!atn_config_read_count (json, "query_pre_attn_scalar", ATN_JSON_OPTIONAL, &scalar, error) ||
      !atn_config_read_nullable_float (json, "attn_logit_softcapping", &config->score_cap, error) ||
      !atn_config_read_nullable_float (json, "final_logit_softcapping", &config->logit_cap,
                                       error) ||
      !atn_config_read_nullable_count (json, "sliding_window", &config->window, error))
    return FALSE;

  config->scale = (float) (1.0 / sqrt ((double) scalar));
  config->embed_scale = (float) sqrt ((double) config->d_model);
  return atn_config_read_layer_types (json, atn_window_on_even_layers, 0, config, error);
}

const AtnFamily *
atn_family_get_gemma2 (void)
{
  static const AtnFamily family = {
    .model_type = "gemma2",
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
