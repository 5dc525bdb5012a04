/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * BLOOM (BigScience 2022) as Hugging Face stores it: ALiBi, a LayerNorm after the embeddings, q, k
 * and v in one tensor, head by head. Keys and defaults are those of BloomConfig. Without a table of
 * positions there is no longest text.
 */

#include "model/atn-family.h"

#define LAYER "h.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "word_embeddings"),
  ATN_ROW_BIASED (ATN_SLOT_EMBED_NORM, "word_embeddings_layernorm"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "input_layernorm"),
  { ATN_SLOT_QKV, LAYER "self_attention.query_key_value.weight",
    LAYER "self_attention.query_key_value.bias", ATN_LAYOUT_QKV_BY_HEAD, ATN_BIAS_REQUIRED },
  ATN_ROW_BIASED (ATN_SLOT_O, LAYER "self_attention.dense"),
  ATN_ROW_BIASED (ATN_SLOT_NORM2, LAYER "post_attention_layernorm"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_IN, LAYER "mlp.dense_h_to_4h"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_OUT, LAYER "mlp.dense_4h_to_h"),
  ATN_ROW_BIASED (ATN_SLOT_FINAL_NORM, "ln_f"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "transformer.", "", NULL };

static const char *const ignored[] = { "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 250880),
  ATN_COUNT_KEY ("n_embed|hidden_size", d_model, 64),
  ATN_COUNT_KEY ("n_layer|num_hidden_layers", n_layers, 2),
  ATN_COUNT_KEY ("n_head|num_attention_heads", n_heads, 8),
};

static const char *const refused[] = { "apply_residual_connection_post_layernorm", NULL };

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_GELU_TANH,
                .positions = ATN_POSITIONS_ALIBI,
                .embed_norm = true,
                .norm = ATN_NORM_LAYERNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_TIED },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "n_head",
  .eps = "layer_norm_epsilon",
  .refused = refused,
};

const AtnFamily *
atn_family_get_bloom (void)
{
  static const AtnFamily family = {
    .model_type = "bloom",
    .anchor = "word_embeddings.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .keys = &keys,
    .find_head = atn_config_find_lm_head,
  };

  return &family;
}
