/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * GPT-Neo (Black et al. 2021) as Hugging Face stores it: GPT-2 with separate q, k and v, no scale,
 * and a window in the layers that attention_types calls "local". Keys and defaults are those of
 * GPTNeoConfig.
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LAYER "h.#."

static const AtnSlotRow rows[] = {
  ATN_ROW_WEIGHT (ATN_SLOT_EMBED, "wte"),
  ATN_ROW_WEIGHT (ATN_SLOT_POS_EMBED, "wpe"),
  ATN_ROW_BIASED (ATN_SLOT_NORM1, LAYER "ln_1"),
  ATN_ROW_WEIGHT (ATN_SLOT_Q, LAYER "attn.attention.q_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_K, LAYER "attn.attention.k_proj"),
  ATN_ROW_WEIGHT (ATN_SLOT_V, LAYER "attn.attention.v_proj"),
  ATN_ROW_BIASED (ATN_SLOT_O, LAYER "attn.attention.out_proj"),
  ATN_ROW_BIASED (ATN_SLOT_NORM2, LAYER "ln_2"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_IN, LAYER "mlp.c_fc"),
  ATN_ROW_BIASED (ATN_SLOT_MLP_OUT, LAYER "mlp.c_proj"),
  ATN_ROW_BIASED (ATN_SLOT_FINAL_NORM, "ln_f"),
  ATN_ROW_WEIGHT (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "transformer.", "", NULL };

static const char *const ignored[] = { "*.attn.attention.bias", "*.attn.attention.masked_bias",
                                       "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 50257),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 2048),
  ATN_COUNT_KEY ("hidden_size", d_model, 2048),
  ATN_COUNT_KEY ("num_layers|num_hidden_layers", n_layers, 24),
  ATN_COUNT_KEY ("num_heads|num_attention_heads", n_heads, 16),
  ATN_COUNT_KEY ("window_size", window, 256),
};

static const AtnDecoderKeys keys = {
  .defaults = { .activation = ATN_ACTIVATION_GELU_TANH,
                .positions = ATN_POSITIONS_LEARNED,
                .scale = 1.0f,
                .norm = ATN_NORM_LAYERNORM,
                .norm_eps = 1e-5f,
                .final_norm = true,
                .unembed = ATN_UNEMBED_TIED },
  .counts = counts,
  .n_counts = G_N_ELEMENTS (counts),
  .width = "hidden_size",
  .heads = "num_heads",
  .d_mlp = "intermediate_size",
  .activation = "activation_function",
  .eps = "layer_norm_epsilon",
};

/* ["global", "local"] → the next layers. */
static gboolean
read_kinds (const AtnJson *kinds, size_t *layer, AtnConfig *config, GError **error)
{
  for (const AtnJson *kind = atn_json_get_first (kinds); kind != NULL;
       kind = atn_json_get_next (kind), (*layer)++) {
    const char *name =
      atn_json_get_kind (kind) == ATN_JSON_STRING ? atn_json_get_string (kind) : "";

    if (strcmp (name, "local") != 0 && strcmp (name, "global") != 0) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                   _ ("“attention_types” has “%s”, expected “global” or “local”"), name);
      return FALSE;
    }
    if (*layer < MIN (config->n_layers, ATN_MAX_LAYERS))
      atn_config_set_window_layer (config, *layer, strcmp (name, "local") == 0);
  }

  return TRUE;
}

/* [["global", "local"], 12]: the kinds so many times. */
static gboolean
read_item (const AtnJson *item, size_t *layer, AtnConfig *config, GError **error)
{
  const AtnJson *kinds =
    atn_json_get_kind (item) == ATN_JSON_ARRAY ? atn_json_get_first (item) : NULL;
  const AtnJson *times = kinds != NULL ? atn_json_get_next (kinds) : NULL;

  /* An empty list of kinds would never come to an end. */
  if (times == NULL || atn_json_get_kind (kinds) != ATN_JSON_ARRAY ||
      atn_json_get_first (kinds) == NULL || atn_json_get_kind (times) != ATN_JSON_NUMBER) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“attention_types” is no list of lists of kinds with a number"));
    return FALSE;
  }

  for (double i = 0.0; i < atn_json_get_number (times) && *layer < config->n_layers; i += 1.0) {
    if (!read_kinds (kinds, layer, config, error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  const AtnJson *list = NULL;
  size_t n_named = 0;

  if (!atn_json_read_node (json, "attention_types", ATN_JSON_OPTIONAL, ATN_JSON_ARRAY, &list,
                           error))
    return FALSE;

  for (; list == NULL && n_named < MIN (config->n_layers, ATN_MAX_LAYERS); n_named++)
    atn_config_set_window_layer (config, n_named, n_named % 2 == 1);
  if (list == NULL)
    return TRUE;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item)) {
    if (!read_item (item, &n_named, config, error))
      return FALSE;
  }
  if (n_named == config->n_layers)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“%s” has %zu elements, expected one for each of the %zu layers"),
               "attention_types", n_named, config->n_layers);
  return FALSE;
}

const AtnFamily *
atn_family_get_gpt_neo (void)
{
  static const AtnFamily family = {
    .model_type = "gpt_neo",
    .anchor = "wte.weight",
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
