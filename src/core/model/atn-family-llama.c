/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Llama (Touvron et al. 2023) as Hugging Face stores it: RMSNorm, RoPE on
 * split halves, SwiGLU, query heads that share keys and values. Keys and
 * defaults are those of LlamaConfig. RoPE's base is a key of its own in older
 * files and inside rope_parameters in newer ones.
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LAYER "layers.#."
#define LINEAR(slot, name)                                                                         \
  {                                                                                                \
    slot, name ".weight", name ".bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_BY_CONFIG                      \
  }
#define TABLE(slot, name)                                                                          \
  {                                                                                                \
    slot, name ".weight", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED                               \
  }

static const AtnSlotRow rows[] = {
  TABLE (ATN_SLOT_EMBED, "embed_tokens"),
  TABLE (ATN_SLOT_NORM1, LAYER "input_layernorm"),
  LINEAR (ATN_SLOT_Q, LAYER "self_attn.q_proj"),
  LINEAR (ATN_SLOT_K, LAYER "self_attn.k_proj"),
  LINEAR (ATN_SLOT_V, LAYER "self_attn.v_proj"),
  LINEAR (ATN_SLOT_O, LAYER "self_attn.o_proj"),
  TABLE (ATN_SLOT_NORM2, LAYER "post_attention_layernorm"),
  LINEAR (ATN_SLOT_MLP_GATE, LAYER "mlp.gate_proj"),
  LINEAR (ATN_SLOT_MLP_IN, LAYER "mlp.up_proj"),
  LINEAR (ATN_SLOT_MLP_OUT, LAYER "mlp.down_proj"),
  TABLE (ATN_SLOT_FINAL_NORM, "norm"),
  TABLE (ATN_SLOT_UNEMBED, "/lm_head"),
};

static const char *const prefixes[] = { "model.", "", NULL };

static const char *const ignored[] = { "*rotary_emb.inv_freq", "lm_head.weight", NULL };

static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 32000),
  ATN_COUNT_KEY ("hidden_size", d_model, 4096),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 32),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 32),
  ATN_COUNT_KEY ("intermediate_size", d_mlp, 11008),
  ATN_COUNT_KEY ("max_position_embeddings", n_ctx, 2048),
};

static gboolean
read_sizes (const AtnJson *json, AtnConfig *config, GError **error)
{
  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error))
    return FALSE;

  config->n_kv_heads = config->n_heads;
  if (!atn_config_read_count (json, "num_key_value_heads", ATN_JSON_OPTIONAL, &config->n_kv_heads,
                              error))
    return FALSE;

  if (atn_json_get_member (json, "head_dim") == NULL)
    return atn_config_divide_heads (config, "hidden_size", "num_attention_heads", error);

  if (!atn_config_read_count (json, "head_dim", ATN_JSON_REQUIRED, &config->d_head, error))
    return FALSE;
  config->d_v = config->d_head;
  return TRUE;
}

/* Reads rope_scaling or rope_parameters, whose type may be spelt in two ways. */
static gboolean
read_rope_node (const AtnJson *json, const char *key, AtnConfig *config, GError **error)
{
  const AtnJson *node = NULL;
  const char *type = "default";
  double partial = 1.0;

  if (!atn_json_read_node (json, key, ATN_JSON_OPTIONAL, ATN_JSON_OBJECT, &node, error))
    return FALSE;
  if (node == NULL)
    return TRUE;

  if (!atn_json_read_string (node, "type", ATN_JSON_OPTIONAL, &type, error) ||
      !atn_json_read_string (node, "rope_type", ATN_JSON_OPTIONAL, &type, error) ||
      !atn_json_read_double (node, "rope_theta", ATN_JSON_OPTIONAL, 1e-6, 1e30, &config->rope_theta,
                             error) ||
      !atn_json_read_double (node, "partial_rotary_factor", ATN_JSON_OPTIONAL, 0.0, 1.0, &partial,
                             error)) {
    g_prefix_error (error, "“%s”: ", key);
    return FALSE;
  }

  if (strcmp (type, "default") == 0 && partial >= 1.0)
    return TRUE;

  if (partial < 1.0)
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s” has a “partial_rotary_factor” below 1, which is not supported"), key);
  else
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s” has the type “%s”, only “default” is supported"), key, type);
  return FALSE;
}

static gboolean
read_rope (const AtnJson *json, AtnConfig *config, GError **error)
{
  config->positions = ATN_POSITIONS_ROPE;
  config->rope_theta = 10000.0;
  config->rotary_dim = config->d_head;

  return atn_json_read_double (json, "rope_theta", ATN_JSON_OPTIONAL, 1e-6, 1e30,
                               &config->rope_theta, error) &&
         read_rope_node (json, "rope_scaling", config, error) &&
         read_rope_node (json, "rope_parameters", config, error);
}

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool is_tied = false;

  config->activation = ATN_ACTIVATION_SILU;
  config->gated_mlp = true;
  config->norm = ATN_NORM_RMSNORM;
  config->norm_position = ATN_NORM_PRE;
  config->norm_eps = 1e-6f;
  config->final_norm = true;
  config->causal = true;

  if (!read_sizes (json, config, error) || !read_rope (json, config, error) ||
      !atn_config_read_activation (json, "hidden_act", ATN_JSON_OPTIONAL, &config->activation,
                                   error) ||
      !atn_config_read_eps (json, "rms_norm_eps", ATN_JSON_OPTIONAL, &config->norm_eps, error) ||
      !atn_json_read_bool (json, "attention_bias", ATN_JSON_OPTIONAL, &config->attention_bias,
                           error) ||
      !atn_json_read_bool (json, "mlp_bias", ATN_JSON_OPTIONAL, &config->mlp_bias, error) ||
      !atn_json_read_bool (json, "tie_word_embeddings", ATN_JSON_OPTIONAL, &is_tied, error))
    return FALSE;

  config->scale = (float) (1.0 / sqrt ((double) config->d_head));
  config->unembed = is_tied ? ATN_UNEMBED_TIED : ATN_UNEMBED_OWN;
  return TRUE;
}

const AtnFamily *
atn_family_get_llama (void)
{
  static const AtnFamily family = {
    .model_type = "llama",
    .anchor = "embed_tokens.weight",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .read_config = read_config,
    .find_head = atn_config_find_lm_head,
  };

  return &family;
}
