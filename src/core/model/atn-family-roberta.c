/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * RoBERTa (Liu et al. 2019) as Hugging Face stores it, and XLM-RoBERTa and CamemBERT,
 * which are the same block with other vocabularies. BERT but for its positions, which
 * begin after the row of the padding token, and for its head, whose activation is GELU
 * (erf) whatever hidden_act says. Keys and defaults are those of RobertaConfig and
 * XLMRobertaConfig.
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>

#define LAYER "encoder.layer.#."
#define HEAD "/lm_head."
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
  MODULE (ATN_SLOT_MLM_DENSE, HEAD "dense"),
  MODULE (ATN_SLOT_MLM_NORM, HEAD "layer_norm"),
  MODULE (ATN_SLOT_UNEMBED, HEAD "decoder"),
};

static const char *const prefixes[] = { "", "roberta.", NULL };

static const char *const ignored[] = {
  "*position_ids", "*token_type_ids", "*pooler.dense.*", "lm_head.*", NULL,
};

/* Tied files hold the bias once, under its own name. */
static const AtnOldName old_names[] = {
  { "lm_head.decoder.bias", "lm_head.bias" },
  { NULL, NULL },
};

#define ROBERTA_COUNTS(vocabulary)                                                                 \
  {                                                                                                \
    ATN_COUNT_KEY ("vocab_size", d_vocab, vocabulary),                                             \
      ATN_COUNT_KEY ("hidden_size", d_model, 768),                                                 \
      ATN_COUNT_KEY ("num_hidden_layers", n_layers, 12),                                           \
      ATN_COUNT_KEY ("num_attention_heads", n_heads, 12),                                          \
      ATN_COUNT_KEY ("intermediate_size", d_mlp, 3072),                                            \
      ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 512),                                       \
      ATN_COUNT_KEY ("type_vocab_size", n_token_types, 2),                                         \
  }

static const AtnCountKey roberta_counts[] = ROBERTA_COUNTS (50265);
static const AtnCountKey xlm_roberta_counts[] = ROBERTA_COUNTS (30522);

/* max_position_embeddings counts the rows of the table, also those that no text can use. */
static gboolean
read_positions (const AtnJson *json, AtnConfig *config, GError **error)
{
  size_t pad_id = 1;

  if (!atn_json_read_size (json, "pad_token_id", ATN_JSON_OPTIONAL, 0, config->d_vocab - 1, &pad_id,
                           error))
    return FALSE;

  if (pad_id + 1 >= config->n_ctx) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“max_position_embeddings” is %zu; positions begin after “pad_token_id”, which "
                    "is %zu, so none is left"),
                 config->n_ctx, pad_id);
    return FALSE;
  }

  config->first_position = pad_id + 1;
  config->n_ctx -= config->first_position;
  config->skips_padding = true;
  return TRUE;
}

static gboolean
read_any (const AtnJson *json, AtnConfig *config, GError **error)
{
  config->activation = ATN_ACTIVATION_GELU;
  if (!atn_config_read_encoder (json, true, config, error) || !read_positions (json, config, error))
    return FALSE;

  config->mlm_activation = ATN_ACTIVATION_GELU;
  return TRUE;
}

static gboolean
read_roberta (const AtnJson *json, AtnConfig *config, GError **error)
{
  return atn_config_read_counts (json, roberta_counts, G_N_ELEMENTS (roberta_counts), config,
                                 error) &&
         read_any (json, config, error);
}

static gboolean
read_xlm_roberta (const AtnJson *json, AtnConfig *config, GError **error)
{
  return atn_config_read_counts (json, xlm_roberta_counts, G_N_ELEMENTS (xlm_roberta_counts),
                                 config, error) &&
         read_any (json, config, error);
}

static void
find_head (const AtnWeights *weights, AtnConfig *config)
{
  atn_config_find_mlm_head (weights, "lm_head.dense.weight", "lm_head.decoder.weight", config);
}

#define ROBERTA_FAMILY(type, reader)                                                               \
  {                                                                                                \
    .model_type = type, .anchor = "embeddings.word_embeddings.weight", .prefixes = prefixes,       \
    .rows = rows, .n_rows = G_N_ELEMENTS (rows), .ignored = ignored, .old_names = old_names,       \
    .read_config = reader, .find_head = find_head,                                                 \
  }

const AtnFamily *
atn_family_get_roberta (void)
{
  static const AtnFamily family = ROBERTA_FAMILY ("roberta", read_roberta);

  return &family;
}

const AtnFamily *
atn_family_get_xlm_roberta (void)
{
  static const AtnFamily family = ROBERTA_FAMILY ("xlm-roberta", read_xlm_roberta);

  return &family;
}

const AtnFamily *
atn_family_get_camembert (void)
{
  static const AtnFamily family = ROBERTA_FAMILY ("camembert", read_xlm_roberta);

  return &family;
}
