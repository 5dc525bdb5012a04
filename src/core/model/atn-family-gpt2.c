/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * GPT-2 (Radford et al. 2019) as Hugging Face stores it: Conv1D weights are
 * [in, out], q, k and v are one tensor. Keys and defaults are those of
 * GPT2Config, which also takes the general names (hidden_size …).
 */

#include "model/atn-family.h"

#include <math.h>

static const AtnSlotRow rows[] = {
  { ATN_SLOT_EMBED, "wte.weight", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
  { ATN_SLOT_POS_EMBED, "wpe.weight", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
  { ATN_SLOT_NORM1, "h.#.ln_1.weight", "h.#.ln_1.bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
  { ATN_SLOT_QKV, "h.#.attn.c_attn.weight", "h.#.attn.c_attn.bias", ATN_LAYOUT_IN_OUT,
    ATN_BIAS_REQUIRED },
  { ATN_SLOT_O, "h.#.attn.c_proj.weight", "h.#.attn.c_proj.bias", ATN_LAYOUT_IN_OUT,
    ATN_BIAS_REQUIRED },
  { ATN_SLOT_NORM2, "h.#.ln_2.weight", "h.#.ln_2.bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
  { ATN_SLOT_MLP_IN, "h.#.mlp.c_fc.weight", "h.#.mlp.c_fc.bias", ATN_LAYOUT_IN_OUT,
    ATN_BIAS_REQUIRED },
  { ATN_SLOT_MLP_OUT, "h.#.mlp.c_proj.weight", "h.#.mlp.c_proj.bias", ATN_LAYOUT_IN_OUT,
    ATN_BIAS_REQUIRED },
  { ATN_SLOT_FINAL_NORM, "ln_f.weight", "ln_f.bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
  { ATN_SLOT_UNEMBED, "/lm_head.weight", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED },
};

static const char *const prefixes[] = { "", "transformer.", NULL };

/* attn.bias is the causal triangle, no bias; older files keep it. */
static const char *const ignored[] = {
  "*.attn.bias",
  "*.attn.masked_bias",
  "lm_head.weight",
  NULL,
};

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 50257),
  ATN_COUNT_KEY ("n_positions|max_position_embeddings", n_ctx, 1024),
  ATN_COUNT_KEY ("n_embd|hidden_size", d_model, 768),
  ATN_COUNT_KEY ("n_layer|num_hidden_layers", n_layers, 12),
  ATN_COUNT_KEY ("n_head|num_attention_heads", n_heads, 12),
};

static gboolean
read_sizes (const AtnJson *json, AtnConfig *config, GError **error)
{
  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error))
    return FALSE;

  config->d_mlp = 4 * config->d_model;
  config->n_kv_heads = config->n_heads;
  return atn_config_read_count (json, "n_inner", ATN_JSON_OPTIONAL, &config->d_mlp, error) &&
         atn_config_divide_heads (config, "n_embd", "n_head", error);
}

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool scale_by_root = true;
  bool is_tied = true;

  config->activation = ATN_ACTIVATION_GELU_TANH;
  config->norm = ATN_NORM_LAYERNORM;
  config->norm_position = ATN_NORM_PRE;
  config->norm_eps = 1e-5f;
  config->final_norm = true;
  config->positions = ATN_POSITIONS_LEARNED;
  config->causal = true;

  if (!read_sizes (json, config, error) ||
      !atn_config_read_activation (json, "activation_function", ATN_JSON_OPTIONAL,
                                   &config->activation, error) ||
      !atn_config_read_eps (json, "layer_norm_epsilon", ATN_JSON_OPTIONAL, &config->norm_eps,
                            error) ||
      !atn_json_read_bool (json, "scale_attn_weights", ATN_JSON_OPTIONAL, &scale_by_root, error) ||
      !atn_json_read_bool (json, "scale_attn_by_inverse_layer_idx", ATN_JSON_OPTIONAL,
                           &config->scale_by_inverse_layer, error) ||
      !atn_config_refuse_true (json, "add_cross_attention", error) ||
      !atn_json_read_bool (json, "tie_word_embeddings", ATN_JSON_OPTIONAL, &is_tied, error))
    return FALSE;

  config->scale = scale_by_root ? (float) (1.0 / sqrt ((double) config->d_head)) : 1.0f;
  config->unembed = is_tied ? ATN_UNEMBED_TIED : ATN_UNEMBED_OWN;
  return TRUE;
}

const AtnFamily *
atn_family_get_gpt2 (void)
{
  static const AtnFamily family = {
    .model_type = "gpt2",
    .anchor = "wte.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .read_config = read_config,
    .find_head = atn_config_find_lm_head,
  };

  return &family;
}
