/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * BERT (Devlin et al. 2019) as Hugging Face stores it: post-norm, a norm after
 * the embeddings, segments, Linear weights [out, in]. Keys and defaults are
 * those of BertConfig. The masked-token head is dense + activation +
 * LayerNorm, then the embedding transposed, with a bias of its own.
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LAYER "encoder.layer.#."
#define HEAD "/cls.predictions."
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
  MODULE (ATN_SLOT_Q, LAYER "attention.self.query"),
  MODULE (ATN_SLOT_K, LAYER "attention.self.key"),
  MODULE (ATN_SLOT_V, LAYER "attention.self.value"),
  MODULE (ATN_SLOT_O, LAYER "attention.output.dense"),
  MODULE (ATN_SLOT_NORM1, LAYER "attention.output.LayerNorm"),
  MODULE (ATN_SLOT_MLP_IN, LAYER "intermediate.dense"),
  MODULE (ATN_SLOT_MLP_OUT, LAYER "output.dense"),
  MODULE (ATN_SLOT_NORM2, LAYER "output.LayerNorm"),
  MODULE (ATN_SLOT_MLM_DENSE, HEAD "transform.dense"),
  MODULE (ATN_SLOT_MLM_NORM, HEAD "transform.LayerNorm"),
  { ATN_SLOT_UNEMBED, HEAD "decoder.weight", HEAD "bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
};

static const char *const prefixes[] = { "", "bert.", NULL };

/* decoder.bias is cls.predictions.bias again, decoder.weight the embedding where tied. */
static const char *const ignored[] = {
  "*position_ids",     "*token_type_ids",        "*pooler.dense.*",
  "cls.predictions.*", "cls.seq_relationship.*", NULL,
};

/* The first checkpoints were converted from TensorFlow with its names. */
static const AtnOldName old_names[] = {
  { "LayerNorm.weight", "LayerNorm.gamma" },
  { "LayerNorm.bias", "LayerNorm.beta" },
  { "cls.predictions.bias", "cls.predictions.decoder.bias" },
  { NULL, NULL },
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 30522),
  ATN_COUNT_KEY ("hidden_size", d_model, 768),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 12),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 12),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 3072),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 512),
};

#define DEFAULT_TOKEN_TYPES 2

static gboolean
check_positions (const AtnJson *json, GError **error)
{
  const char *type = "absolute";

  if (!atn_json_read_string (json, "position_embedding_type", ATN_JSON_OPTIONAL, &type, error))
    return FALSE;
  if (strcmp (type, "absolute") == 0)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“position_embedding_type” is “%s”, only “absolute” is supported"), type);
  return FALSE;
}

gboolean
atn_config_read_encoder (const AtnJson *json, bool can_decode, AtnConfig *config, GError **error)
{
  bool is_tied = true;

  config->n_kv_heads = config->n_heads;
  config->norm = ATN_NORM_LAYERNORM;
  config->norm_position = ATN_NORM_POST;
  config->norm_eps = 1e-12f;
  config->embed_norm = true;
  config->positions = ATN_POSITIONS_LEARNED;
  config->has_mlm_transform = true;

  if (!atn_config_divide_heads (config, "hidden_size", "num_attention_heads", error) ||
      !check_positions (json, error) ||
      !atn_config_read_activation (json, "hidden_act", ATN_JSON_OPTIONAL, &config->activation,
                                   error) ||
      !atn_config_read_eps (json, "layer_norm_eps", ATN_JSON_OPTIONAL, &config->norm_eps, error) ||
      !atn_json_read_bool (json, "tie_word_embeddings", ATN_JSON_OPTIONAL, &is_tied, error))
    return FALSE;

  if (can_decode &&
      (!atn_json_read_bool (json, "is_decoder", ATN_JSON_OPTIONAL, &config->causal, error) ||
       !atn_config_refuse_true (json, "add_cross_attention", error)))
    return FALSE;

  config->mlm_activation = config->activation;
  config->is_masked_lm = !config->causal;
  config->scale = (float) (1.0 / sqrt ((double) config->d_head));
  config->unembed = is_tied ? ATN_UNEMBED_TIED : ATN_UNEMBED_OWN;
  return TRUE;
}

void
atn_config_find_mlm_head (const AtnWeights *weights,
                          const char *transform,
                          const char *decoder,
                          AtnConfig *config)
{
  bool has_decoder =
    config->unembed == ATN_UNEMBED_TIED || atn_weights_find (weights, decoder) != NULL;

  if (has_decoder && atn_weights_find (weights, transform) != NULL)
    return;

  config->unembed = ATN_UNEMBED_NONE;
  config->has_mlm_transform = false;
  config->is_masked_lm = false;
}

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  config->activation = ATN_ACTIVATION_GELU;
  config->n_token_types = DEFAULT_TOKEN_TYPES;
  /* None in a DistilBERT that a GGUF file calls a BERT. */
  return atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error) &&
         atn_json_read_size (json, "type_vocab_size", ATN_JSON_OPTIONAL, 0, G_MAXINT32,
                             &config->n_token_types, error) &&
         atn_config_read_encoder (json, true, config, error);
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  atn_config_find_mlm_head (weights, "cls.predictions.transform.dense.weight",
                            "cls.predictions.decoder.weight", config);
}

const AtnFamily *
atn_family_get_bert (void)
{
  static const AtnFamily family = {
    .model_type = "bert",
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
