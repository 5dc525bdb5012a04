/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * ALBERT (Lan et al. 2020) as Hugging Face stores it: BERT whose embeddings are narrower
 * than its blocks and whose layers share their weights. Keys and defaults are those of
 * AlbertConfig.
 *
 * num_hidden_layers counts steps; a step runs the inner_group_num layers of its group, and the
 * steps are dealt out to the num_hidden_groups in order. Here each run of an inner layer is a layer
 * of its own, for each has its own attention.
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>

#define LAYER "encoder.albert_layer_groups.#.albert_layers.#."
#define HEAD "/predictions."
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
  MODULE (ATN_SLOT_EMBED_PROJECT, "encoder.embedding_hidden_mapping_in"),
  MODULE (ATN_SLOT_Q, LAYER "attention.query"),
  MODULE (ATN_SLOT_K, LAYER "attention.key"),
  MODULE (ATN_SLOT_V, LAYER "attention.value"),
  MODULE (ATN_SLOT_O, LAYER "attention.dense"),
  MODULE (ATN_SLOT_NORM1, LAYER "attention.LayerNorm"),
  MODULE (ATN_SLOT_MLP_IN, LAYER "ffn"),
  MODULE (ATN_SLOT_MLP_OUT, LAYER "ffn_output"),
  MODULE (ATN_SLOT_NORM2, LAYER "full_layer_layer_norm"),
  MODULE (ATN_SLOT_MLM_DENSE, HEAD "dense"),
  MODULE (ATN_SLOT_MLM_NORM, HEAD "LayerNorm"),
  MODULE (ATN_SLOT_UNEMBED, HEAD "decoder"),
};

static const char *const prefixes[] = { "", "albert.", NULL };

static const char *const ignored[] = {
  "*position_ids", "*token_type_ids", "*pooler.*", "predictions.*", "sop_classifier.*", NULL,
};

/* Tied files hold the bias once, under its own name. */
static const AtnOldName old_names[] = {
  { "predictions.decoder.bias", "predictions.bias" },
  { NULL, NULL },
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 30000),
  ATN_COUNT_KEY ("embedding_size", d_embed, 128),
  ATN_COUNT_KEY ("hidden_size", d_model, 4096),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 12),
  ATN_COUNT_KEY ("num_hidden_groups", n_layer_groups, 1),
  ATN_COUNT_KEY ("inner_group_num", n_inner_layers, 1),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 64),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 16384),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 512),
  ATN_COUNT_KEY ("type_vocab_size", n_token_types, 2),
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error))
    return FALSE;

  if (config->n_layer_groups > config->n_layers) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“num_hidden_groups” is %zu, more than the %zu of “num_hidden_layers”"),
                 config->n_layer_groups, config->n_layers);
    return FALSE;
  }

  config->activation = ATN_ACTIVATION_GELU_TANH;
  config->n_layers *= config->n_inner_layers;
  config->embed_project = true;
  return atn_config_read_encoder (json, false, config, error);
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  atn_config_find_mlm_head (weights, "predictions.dense.weight", "predictions.decoder.weight",
                            config);
}

const AtnFamily *
atn_family_get_albert (void)
{
  static const AtnFamily family = {
    .model_type = "albert",
    .anchor = "embeddings.word_embeddings.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .old_names = old_names,
    .read_config = read_config,
    .find_head = find_head,
  };

  return &family;
}
