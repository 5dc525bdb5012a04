/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * GPT-J (Wang and Komatsuzaki 2021) as Hugging Face stores it: attention and MLP side by side
 * behind one LayerNorm, partial rotation of neighbouring dimensions, no biases in attention. Keys
 * and defaults are those of GPTJConfig.
 */

#include "model/atn-family.h"

#define LAYER "h.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "wte"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "ln_1"),
  ATN_ROW_WEIGHT (ATN_SLOT_Q, LAYER "attn.q_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_K, LAYER "attn.k_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_V, LAYER "attn.v_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_O, LAYER "attn.out_proj"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_IN, LAYER "mlp.fc_in"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_OUT, LAYER "mlp.fc_out"),
  ATN_ROW_BIASED (ATN_SLOT_FINAL_NORM, "ln_f"),
  ATN_ROW_BIASED (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "transformer.", "", NULL };

static const char *const ignored[] = { "*.attn.bias", "*.attn.masked_bias",
                                       "*.attn.embed_positions", "lm_head.*", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 50400),
  ATN_COUNT_KEY ("n_positions|max_position_embeddings", n_ctx, 2048),
  ATN_COUNT_KEY ("n_embd|hidden_size", d_model, 4096),
  ATN_COUNT_KEY ("n_layer|num_hidden_layers", n_layers, 28),
  ATN_COUNT_KEY ("n_head|num_attention_heads", n_heads, 16),
  ATN_COUNT_KEY ("rotary_dim", rotary_dim, 64),
};

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_GELU_TANH,
                .parallel = ATN_PARALLEL_ONE_NORM,
                .positions = ATN_POSITIONS_ROPE,
                .rope_pairs = ATN_ROPE_NEIGHBOURS,
                .rope_theta = 10000.0,
                .norm = ATN_NORM_LAYERNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_OWN },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "n_embd",
  .heads = "n_head",
  .d_mlp = "n_inner",
  .activation = "activation_function",
  .eps = "layer_norm_epsilon",
};

const AtnFamily *
atn_family_get_gptj (void)
{
  static const AtnFamily family = {
    .model_type = "gptj",
    .anchor = "wte.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .keys = &keys,
    .find_head = atn_config_find_lm_head,
  };

  return &family;
}
