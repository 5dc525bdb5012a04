/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * MPNet (Song et al. 2020) as Hugging Face stores it. RoBERTa's block and head without segments,
 * and in addition T5's relative positions: one table for all layers, whose numbers are added to the
 * scaled scores. Keys and defaults are those of MPNetConfig.
 *
 * Three numbers are no keys, because modeling_mpnet.py has them in its code: MPNetEmbeddings begins
 * positions after row 1 whatever pad_token_id says, and compute_position_bias () sorts into 32
 * buckets up to a distance of 128 whatever relative_attention_num_buckets says, which is only the
 * length of the table.
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>

#define LAYER "encoder.layer.#."
#define HEAD "/lm_head."

#define PADDING_ID 1
#define N_BUCKETS 32
#define MAX_DISTANCE 128

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "embeddings.word_embeddings"),
  ATN_ROW_WEIGHT (ATN_SLOT_POS_EMBED, "embeddings.position_embeddings"),
  ATN_ROW_WEIGHT (ATN_SLOT_POSITION_BIAS, "encoder.relative_attention_bias"),
  ATN_ROW_BIASED (ATN_SLOT_EMBED_NORM, "embeddings.LayerNorm"),
  ATN_ROW_BIASED (ATN_SLOT_Q, LAYER "attention.attn.q"),
  ATN_ROW_BIASED (ATN_SLOT_K, LAYER "attention.attn.k"),
  ATN_ROW_BIASED (ATN_SLOT_V, LAYER "attention.attn.v"),
  ATN_ROW_BIASED (ATN_SLOT_O, LAYER "attention.attn.o"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "attention.LayerNorm"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_IN, LAYER "intermediate.dense"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_OUT, LAYER "output.dense"),
  ATN_ROW_BIASED (ATN_SLOT_NORM2, LAYER "output.LayerNorm"),
  ATN_ROW_BIASED (ATN_SLOT_MLM_DENSE, HEAD "dense"),
  ATN_ROW_BIASED (ATN_SLOT_MLM_NORM, HEAD "layer_norm"),
  ATN_ROW_BIASED (ATN_SLOT_UNEMBED, HEAD "decoder"),
};

static const char *const prefixes[] = { "", "mpnet.", NULL };

static const char *const ignored[] = { "*position_ids", "*pooler.dense.*", "lm_head.*", NULL };

/* Tied files hold the bias once, under its own name. */
static const AtnOldName old_names[] = {
  { "lm_head.decoder.bias", "lm_head.bias" },
  { NULL, NULL },
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 30527),
  ATN_COUNT_KEY ("hidden_size", d_model, 768),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 12),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 12),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 3072),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 512),
  ATN_COUNT_KEY ("relative_attention_num_buckets", buckets.n_rows, N_BUCKETS),
};

/* max_position_embeddings counts the rows of the table, also those that no text can use. */
static gboolean
read_positions (AtnConfig *config, GError **error)
{
  if (config->n_ctx <= PADDING_ID + 1) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“max_position_embeddings” is %zu; MPNet's positions begin at %d, so none is "
                    "left"),
                 config->n_ctx, PADDING_ID + 1);
    return FALSE;
  }
  if (config->buckets.n_rows < N_BUCKETS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“relative_attention_num_buckets” is %zu, but MPNet always uses %d buckets"),
                 config->buckets.n_rows, N_BUCKETS);
    return FALSE;
  }

  config->first_position = PADDING_ID + 1;
  config->n_ctx -= config->first_position;
  config->skips_padding = true;
  config->buckets.n = N_BUCKETS;
  config->buckets.max_distance = MAX_DISTANCE;
  config->buckets.is_bidirectional = true;
  return TRUE;
}

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  config->activation = ATN_ACTIVATION_GELU;
  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error) ||
      !atn_config_read_encoder (json, false, config, error) || !read_positions (config, error))
    return FALSE;

  /* The head's is GELU (erf) whatever hidden_act says. */
  config->mlm_activation = ATN_ACTIVATION_GELU;
  return TRUE;
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  atn_config_find_mlm_head (weights, "lm_head.dense.weight", "lm_head.decoder.weight", config);
}

const AtnFamily *
atn_family_get_mpnet (void)
{
  static const AtnFamily family = {
    .model_type = "mpnet",
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
