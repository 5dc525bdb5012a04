/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * DistilBERT (Sanh et al. 2019) as Hugging Face stores it: BERT without segments, with
 * names of its own and an epsilon that no key changes. Keys and defaults are those of
 * DistilBertConfig. sinusoidal_pos_embds is not read: the file holds the table in either case.
 */

#include "model/atn-family.h"

#include <math.h>

#define LAYER "transformer.layer.#."
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
  MODULE (ATN_SLOT_EMBED_NORM, "embeddings.LayerNorm"),
  MODULE (ATN_SLOT_Q, LAYER "attention.q_lin"),
  MODULE (ATN_SLOT_K, LAYER "attention.k_lin"),
  MODULE (ATN_SLOT_V, LAYER "attention.v_lin"),
  MODULE (ATN_SLOT_O, LAYER "attention.out_lin"),
  MODULE (ATN_SLOT_NORM1, LAYER "sa_layer_norm"),
  MODULE (ATN_SLOT_MLP_IN, LAYER "ffn.lin1"),
  MODULE (ATN_SLOT_MLP_OUT, LAYER "ffn.lin2"),
  MODULE (ATN_SLOT_NORM2, LAYER "output_layer_norm"),
  MODULE (ATN_SLOT_MLM_DENSE, "/vocab_transform"),
  MODULE (ATN_SLOT_MLM_NORM, "/vocab_layer_norm"),
  MODULE (ATN_SLOT_UNEMBED, "/vocab_projector"),
};

static const char *const prefixes[] = { "", "distilbert.", NULL };

static const char *const ignored[] = {
  "*position_ids", "vocab_transform.*", "vocab_layer_norm.*", "vocab_projector.*", NULL,
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 30522),
  ATN_COUNT_KEY ("dim|hidden_size", d_model, 768),
  ATN_COUNT_KEY ("n_layers|num_hidden_layers", n_layers, 6),
  ATN_COUNT_KEY ("n_heads|num_attention_heads", n_heads, 12),
  ATN_COUNT_KEY ("hidden_dim", d_mlp, 3072),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 512),
};

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool is_tied = true;

  config->activation = ATN_ACTIVATION_GELU;
  config->norm = ATN_NORM_LAYERNORM;
  config->norm_position = ATN_NORM_POST;
  config->norm_eps = 1e-12f;
  config->embed_norm = true;
  config->positions = ATN_POSITIONS_LEARNED;
  config->has_mlm_transform = true;
  config->is_masked_lm = true;

  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error) ||
      !atn_config_divide_heads (config, "dim", "n_heads", error) ||
      !atn_config_read_activation (json, "activation", ATN_JSON_OPTIONAL, &config->activation,
                                   error) ||
      !atn_json_read_bool (json, "tie_word_embeddings", ATN_JSON_OPTIONAL, &is_tied, error))
    return FALSE;

  config->n_kv_heads = config->n_heads;
  config->mlm_activation = config->activation;
  config->scale = (float) (1.0 / sqrt ((double) config->d_head));
  config->unembed = is_tied ? ATN_UNEMBED_TIED : ATN_UNEMBED_OWN;
  return TRUE;
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  atn_config_find_mlm_head (weights, "vocab_transform.weight", "vocab_projector.weight", config);
}

const AtnFamily *
atn_family_get_distilbert (void)
{
  static const AtnFamily family = {
    .model_type = "distilbert",
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
