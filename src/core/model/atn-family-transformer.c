/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The generic family, for teaching models written by hand; it can express every block there is. Its
 * config writes the usual properties down: they have no defaults, and only a key that another key
 * makes meaningless may be left out. What few models have (soft-capping, windows, norms of heads …)
 * is absent unless a key asks for it. Its tensors have TransformerLens's names and
 * shapes (x is a row, so q = x W_Q). A gated MLP is
 *
 *   (act (x W_gate) ∘ (x W_in + b_in)) W_out + b_out
 */

#include "model/atn-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define BLOCK "blocks.#."
#define NORM(slot, name)                                                                           \
  {                                                                                                \
    slot, name ".w", name ".b", ATN_LAYOUT_OUT_IN, ATN_BIAS_OPTIONAL                               \
  }

static const AtnSlotRow rows[] = {
  { ATN_SLOT_EMBED, "embed.W_E", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_OPTIONAL },
  { ATN_SLOT_POS_EMBED, "pos_embed.W_pos", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_OPTIONAL },
  ATN_ROW_WEIGHT (ATN_SLOT_POSITION_BIAS, "rel_pos_bias"),
  NORM (ATN_SLOT_EMBED_NORM, "embed.ln"),
  NORM (ATN_SLOT_NORM1, BLOCK "ln1"),
  { ATN_SLOT_Q, BLOCK "attn.W_Q", BLOCK "attn.b_Q", ATN_LAYOUT_HEADS_IN_OUT, ATN_BIAS_OPTIONAL },
  { ATN_SLOT_K, BLOCK "attn.W_K", BLOCK "attn.b_K", ATN_LAYOUT_HEADS_IN_OUT, ATN_BIAS_OPTIONAL },
  { ATN_SLOT_V, BLOCK "attn.W_V", BLOCK "attn.b_V", ATN_LAYOUT_HEADS_IN_OUT, ATN_BIAS_OPTIONAL },
  { ATN_SLOT_O, BLOCK "attn.W_O", BLOCK "attn.b_O", ATN_LAYOUT_HEADS_OUT, ATN_BIAS_OPTIONAL },
  NORM (ATN_SLOT_Q_NORM, BLOCK "attn.q_norm"),
  NORM (ATN_SLOT_K_NORM, BLOCK "attn.k_norm"),
  NORM (ATN_SLOT_Q_NORM, BLOCK "attn.q_norm.@"),
  NORM (ATN_SLOT_K_NORM, BLOCK "attn.k_norm.@"),
  NORM (ATN_SLOT_NORM1_POST, BLOCK "ln1_post"),
  NORM (ATN_SLOT_NORM2, BLOCK "ln2"),
  NORM (ATN_SLOT_NORM2_POST, BLOCK "ln2_post"),
  { ATN_SLOT_MLP_GATE, BLOCK "mlp.W_gate", NULL, ATN_LAYOUT_IN_OUT, ATN_BIAS_OPTIONAL },
  { ATN_SLOT_MLP_IN, BLOCK "mlp.W_in", BLOCK "mlp.b_in", ATN_LAYOUT_IN_OUT, ATN_BIAS_OPTIONAL },
  { ATN_SLOT_MLP_OUT, BLOCK "mlp.W_out", BLOCK "mlp.b_out", ATN_LAYOUT_IN_OUT, ATN_BIAS_OPTIONAL },
  NORM (ATN_SLOT_FINAL_NORM, "ln_final"),
  { ATN_SLOT_UNEMBED, "unembed.W_U", "unembed.b_U", ATN_LAYOUT_IN_OUT, ATN_BIAS_OPTIONAL },
};

static const char *const prefixes[] = { "", NULL };
static const char *const ignored[] = { NULL };

/* In the order of their enums. */
static const char *const norms[] = { "none", "layernorm", "rmsnorm", NULL };
static const char *const norm_positions[] = { "pre", "post", NULL };
static const char *const positions[] = { "none", "learned", "sinusoidal", "rope", "alibi", NULL };
static const char *const parallels[] = { "none", "two_norms", "one_norm", NULL };
static const char *const qk_norms[] = { "none", "shared", "per_head", NULL };
static const char *const rope_pairs[] = { "halves", "neighbours", NULL };
static const char *const unembeds[] = { "none", "tied", "own", NULL };

/* None has a default. */
static const AtnCountKey counts[] = {
  ATN_COUNT_KEY ("vocab_size", d_vocab, 0),
  ATN_COUNT_KEY ("hidden_size", d_model, 0),
  ATN_COUNT_KEY ("num_hidden_layers", n_layers, 0),
  ATN_COUNT_KEY ("num_attention_heads", n_heads, 0),
  ATN_COUNT_KEY ("num_key_value_heads", n_kv_heads, 0),
  ATN_COUNT_KEY ("head_dim", d_head, 0),
  ATN_COUNT_KEY ("v_head_dim", d_v, 0),
};

/* A key that may be left out: then it is the first of its names. */
static gboolean
read_optional_name (const AtnJson *json,
                    const char *key,
                    const char *const *names,
                    int *value,
                    GError **error)
{
  *value = 0;
  return atn_json_get_member (json, key) == NULL ||
         atn_config_read_name (json, key, names, value, error);
}

static gboolean
read_mlp (const AtnJson *json, AtnConfig *config, GError **error)
{
  if (!atn_json_read_size (json, "intermediate_size", ATN_JSON_REQUIRED, 0, 1 << 24, &config->d_mlp,
                           error))
    return FALSE;
  if (config->d_mlp == 0)
    return TRUE;

  return atn_json_read_bool (json, "gated_mlp", ATN_JSON_REQUIRED, &config->gated_mlp, error) &&
         atn_config_read_activation (json, "activation", ATN_JSON_REQUIRED, &config->activation,
                                     error);
}

static gboolean
read_float (const AtnJson *json, const char *key, float *value, GError **error)
{
  double number = (double) *value;

  if (!atn_json_read_double (json, key, ATN_JSON_OPTIONAL, -1e6, 1e6, &number, error))
    return FALSE;

  *value = (float) number;
  return TRUE;
}

static gboolean
read_norm (const AtnJson *json, AtnConfig *config, GError **error)
{
  int norm, norm_position, qk_norm;

  if (!atn_config_read_name (json, "norm", norms, &norm, error))
    return FALSE;
  config->norm = (AtnNorm) norm;
  if (config->norm == ATN_NORM_NONE)
    return TRUE;

  if (!atn_config_read_name (json, "norm_position", norm_positions, &norm_position, error))
    return FALSE;
  config->norm_position = (AtnNormPosition) norm_position;

  if (!read_optional_name (json, "qk_norm", qk_norms, &qk_norm, error))
    return FALSE;
  config->qk_norm = (AtnQkNorm) qk_norm;

  if (!read_float (json, "norm_offset", &config->norm_offset, error))
    return FALSE;
  if (config->norm_offset != 0.0f && config->norm != ATN_NORM_RMSNORM) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“norm_offset” is only supported where “norm” is “rmsnorm”"));
    return FALSE;
  }

  return atn_config_read_eps (json, "norm_eps", ATN_JSON_REQUIRED, &config->norm_eps, error) &&
         atn_json_read_bool (json, "final_norm", ATN_JSON_REQUIRED, &config->final_norm, error) &&
         atn_json_read_bool (json, "embedding_norm", ATN_JSON_OPTIONAL, &config->embed_norm,
                             error) &&
         atn_json_read_bool (json, "branch_norms", ATN_JSON_OPTIONAL, &config->branch_norms, error);
}

static gboolean
read_positions (const AtnJson *json, AtnConfig *config, GError **error)
{
  int kind;
  AtnJsonNeed need;

  if (!atn_config_read_name (json, "positions", positions, &kind, error))
    return FALSE;
  config->positions = (AtnPositions) kind;

  /* Without a table of positions there need be no longest input. */
  need = config->positions == ATN_POSITIONS_LEARNED || config->positions == ATN_POSITIONS_SINUSOIDAL
           ? ATN_JSON_REQUIRED
           : ATN_JSON_OPTIONAL;
  if (!atn_config_read_count (json, "max_position_embeddings", need, &config->n_ctx, error))
    return FALSE;
  if (config->positions != ATN_POSITIONS_ROPE)
    return TRUE;

  if (!read_optional_name (json, "rope_pairs", rope_pairs, &kind, error))
    return FALSE;
  config->rope_pairs = (AtnRopePairs) kind;

  return atn_json_read_double (json, "rope_theta", ATN_JSON_REQUIRED, 1e-6, 1e30,
                               &config->rope_theta, error) &&
         atn_config_read_count (json, "rotary_dim", ATN_JSON_REQUIRED, &config->rotary_dim,
                                error) &&
         atn_config_read_rope_scaling (json, config, error);
}

/* T5's relative positions, with the keys of its config and the two rules that its class knows. */
static gboolean
read_buckets (const AtnJson *json, AtnConfig *config, GError **error)
{
  AtnBuckets *buckets = &config->buckets;

  if (!atn_config_read_nullable_count (json, "relative_attention_num_buckets", &buckets->n, error))
    return FALSE;

  buckets->n_rows = buckets->n;
  return buckets->n == 0 ||
         (atn_config_read_count (json, "relative_attention_max_distance", ATN_JSON_REQUIRED,
                                 &buckets->max_distance, error) &&
          atn_json_read_bool (json, "relative_attention_bidirectional", ATN_JSON_REQUIRED,
                              &buckets->is_bidirectional, error));
}

/* Which keys a token may see besides the causal rule. */
static gboolean
read_window (const AtnJson *json, AtnConfig *config, GError **error)
{
  if (!atn_config_read_nullable_count (json, "sliding_window", &config->window, error))
    return FALSE;

  return config->window == 0 ||
         atn_config_read_layer_types (json, atn_window_on_every_layer, 0, config, error);
}

/* What few models have; each is absent unless its key is there. */
static gboolean
read_rare (const AtnJson *json, AtnConfig *config, GError **error)
{
  int parallel;

  if (!read_optional_name (json, "parallel", parallels, &parallel, error))
    return FALSE;
  config->parallel = (AtnParallel) parallel;

  return read_window (json, config, error) && read_buckets (json, config, error) &&
         atn_json_read_size (json, "position_offset", ATN_JSON_OPTIONAL, 0, 1 << 24,
                             &config->first_position, error) &&
         read_float (json, "embedding_scale", &config->embed_scale, error) &&
         read_float (json, "logit_scale", &config->logit_scale, error) &&
         atn_config_read_nullable_float (json, "attn_logit_softcapping", &config->score_cap,
                                         error) &&
         atn_config_read_nullable_float (json, "final_logit_softcapping", &config->logit_cap,
                                         error);
}

static gboolean
read_scale (const AtnJson *json, AtnConfig *config, GError **error)
{
  const AtnJson *node = atn_json_get_member (json, "attention_scale");
  double scale;

  if (node != NULL && atn_json_get_kind (node) == ATN_JSON_STRING) {
    const char *name = atn_json_get_string (node);

    config->scale = 1.0f;
    if (strcmp (name, "sqrt") == 0)
      config->scale = (float) (1.0 / sqrt ((double) config->d_head));
    if (strcmp (name, "sqrt") == 0 || strcmp (name, "none") == 0)
      return TRUE;

    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“attention_scale” is “%s”, expected “sqrt”, “none” or a number"), name);
    return FALSE;
  }

  if (!atn_json_read_double (json, "attention_scale", ATN_JSON_REQUIRED, -1e6, 1e6, &scale, error))
    return FALSE;
  config->scale = (float) scale;
  return TRUE;
}

static gboolean
read_config (const AtnJson *json, AtnConfig *config, GError **error)
{
  int unembed;

  if (!atn_config_read_counts (json, counts, G_N_ELEMENTS (counts), config, error) ||
      !read_mlp (json, config, error) || !read_norm (json, config, error) ||
      !read_positions (json, config, error) ||
      !atn_json_read_bool (json, "causal", ATN_JSON_REQUIRED, &config->causal, error) ||
      !read_scale (json, config, error) || !read_rare (json, config, error) ||
      !atn_config_read_name (json, "unembed", unembeds, &unembed, error))
    return FALSE;

  config->unembed = (AtnUnembed) unembed;
  config->is_masked_lm = !config->causal && config->unembed != ATN_UNEMBED_NONE;
  return TRUE;
}

const AtnFamily *
atn_family_get_transformer (void)
{
  static const AtnFamily family = {
    .model_type = "transformer",
    .anchor = "embed.W_E",
    .prefixes = prefixes,
    .rows = rows,
    .n_rows = G_N_ELEMENTS (rows),
    .ignored = ignored,
    .read_config = read_config,
  };

  return &family;
}
