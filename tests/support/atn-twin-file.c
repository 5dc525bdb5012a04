/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A twin as a JSON model file of the generic family.
 */

#include "atn-twin-private.h"

static void
append_number (GString *out, const char *key, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, ",\"%s\":%s", key, g_ascii_dtostr (digits, sizeof digits, number));
}

static void
append_longrope (const AtnTwinSpec *s, GString *out)
{
  const struct
  {
    const char *key;
    const double *factors;
  } lists[] = { { "short_factor", s->rope_short }, { "long_factor", s->rope_long } };

  g_string_append (out, ",\"rope_parameters\":{\"rope_type\":\"longrope\"");
  append_number (out, "attention_factor", s->rope_attention);
  g_string_append_printf (out, ",\"original_max_position_embeddings\":%zu", s->rope_original);
  for (size_t i = 0; i < G_N_ELEMENTS (lists); i++) {
    char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append_printf (out, ",\"%s\":[%s,%s]", lists[i].key,
                            g_ascii_dtostr (a, sizeof a, lists[i].factors[0]),
                            g_ascii_dtostr (b, sizeof b, lists[i].factors[1]));
  }
  g_string_append_c (out, '}');
}

/* The keys of what few models have; each only where it is there. */
static void
append_rare (const AtnTwinSpec *s, GString *out)
{
  const char *const parallels[] = { "none", "two_norms", "one_norm" };
  const char *const qk_norms[] = { "none", "shared", "per_head" };
  const struct
  {
    const char *key;
    double number;
  } numbers[] = {
    { "norm_offset", s->norm_offset },
    { "embedding_scale", s->embed_scale },
    { "position_offset", (double) s->position_offset },
    { "sliding_window", (double) s->window },
    { "relative_attention_num_buckets", (double) s->n_buckets },
    { "relative_attention_max_distance", (double) s->max_distance },
    { "attn_logit_softcapping", s->score_cap },
    { "logit_scale", s->logit_scale },
    { "final_logit_softcapping", s->logit_cap },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].number != 0.0)
      append_number (out, numbers[i].key, numbers[i].number);
  if (s->n_buckets > 0)
    g_string_append_printf (out, ",\"relative_attention_bidirectional\":%s",
                            s->is_bidirectional ? "true" : "false");
  if (s->embed_norm)
    g_string_append (out, ",\"embedding_norm\":true");
  if (s->branch_norms)
    g_string_append (out, ",\"branch_norms\":true");
  if (s->qk_norm != ATN_QK_NORM_NONE)
    g_string_append_printf (out, ",\"qk_norm\":\"%s\"", qk_norms[s->qk_norm]);
  if (s->parallel != ATN_PARALLEL_NONE)
    g_string_append_printf (out, ",\"parallel\":\"%s\"", parallels[s->parallel]);
  if (s->rope_pairs == ATN_ROPE_NEIGHBOURS)
    g_string_append (out, ",\"rope_pairs\":\"neighbours\"");
  if (s->rope_short[0] != 0.0)
    append_longrope (s, out);
  if (!s->window_on_odd_layers)
    return;
  g_string_append (out, ",\"layer_types\":[");
  for (size_t layer = 0; layer < s->n_layers; layer++)
    g_string_append_printf (out, "%s\"%s\"", layer > 0 ? "," : "",
                            layer % 2 == 1 ? "sliding_attention" : "full_attention");
  g_string_append_c (out, ']');
}

static void
append_config (const AtnTwinSpec *s, GString *out)
{
  const char *const activations[] = { "relu", "gelu", "gelu_new", "silu" };
  const char *const norms[] = { "none", "layernorm", "rmsnorm" };
  const char *const norm_positions[] = { "pre", "post" };
  const char *const positions[] = { "none", "learned", "sinusoidal", "rope", "alibi" };
  const char *const unembeds[] = { "none", "tied", "own" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const struct
  {
    const char *key;
    size_t value;
  } sizes[] = {
    { "vocab_size", s->d_vocab },
    { "hidden_size", s->d_model },
    { "num_hidden_layers", s->n_layers },
    { "num_attention_heads", s->n_heads },
    { "head_dim", s->d_head },
    { "num_key_value_heads", s->n_kv_heads },
    { "v_head_dim", s->d_v },
    { "intermediate_size", s->d_mlp },
  };

  g_string_append (out, "\"config\":{\"model_type\":\"transformer\"");
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_string_append_printf (out, ",\"%s\":%zu", sizes[i].key, sizes[i].value);
  if (s->n_ctx > 0)
    g_string_append_printf (out, ",\"max_position_embeddings\":%zu", s->n_ctx);
  g_string_append_printf (out, ",\"gated_mlp\":%s,\"activation\":\"%s\",\"norm\":\"%s\"",
                          s->gated_mlp ? "true" : "false", activations[s->activation],
                          norms[s->norm]);
  g_string_append_printf (out, ",\"norm_position\":\"%s\",\"final_norm\":%s,\"positions\":\"%s\"",
                          norm_positions[s->norm_position], s->final_norm ? "true" : "false",
                          positions[s->positions]);
  g_string_append_printf (out, ",\"norm_eps\":%s",
                          g_ascii_dtostr (number, sizeof number, s->norm_eps));
  append_rare (s, out);
  if (s->positions == ATN_POSITIONS_ROPE) {
    g_ascii_dtostr (number, sizeof number, s->rope_theta);
    g_string_append_printf (out, ",\"rope_theta\":%s,\"rotary_dim\":%zu", number, s->rotary_dim);
  }
  g_ascii_dtostr (number, sizeof number, s->scale);
  g_string_append_printf (out, ",\"causal\":%s,\"attention_scale\":%s,\"unembed\":\"%s\"}",
                          s->causal ? "true" : "false", s->scale != 0.0 ? number : "\"sqrt\"",
                          unembeds[s->unembed]);
}

static void
append_tokenizer (const AtnTwinSpec *s, GString *out)
{
  g_string_append (out,
                   ",\"tokenizer\":{\"added_tokens\":[],\"normalizer\":null,\"pre_tokenizer\":"
                   "{\"type\":\"WhitespaceSplit\"},\"post_processor\":null,\"model\":{\"type\":"
                   "\"WordLevel\",\"unk_token\":\"t0\",\"vocab\":{");
  for (size_t i = 0; i < s->d_vocab; i++)
    g_string_append_printf (out, "%s\"t%zu\":%zu", i > 0 ? "," : "", i, i);
  g_string_append (out, "}}}");
}

char *
atn_twin_dup_json (const AtnTwin *self)
{
  GString *out = g_string_new ("{\"format\":\"attnscope-model\",\"version\":1,");

  append_config (&self->spec, out);
  append_tokenizer (&self->spec, out);
  g_string_append (out, ",\"tensors\":{");
  for (guint i = 0; i < self->names->len; i++) {
    const char *name = g_ptr_array_index (self->names, i);
    const AtnTwinTensor *tensor = g_hash_table_lookup (self->tensors, name);
    g_autofree char *data =
      g_base64_encode ((const guchar *) tensor->values, tensor->n * sizeof (float));

    g_string_append_printf (out, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[", i > 0 ? "," : "", name);
    for (size_t dim = 0; dim < tensor->n_dims; dim++)
      g_string_append_printf (out, "%s%zu", dim > 0 ? "," : "", tensor->shape[dim]);
    g_string_append_printf (out, "],\"data\":\"%s\"}", data);
  }
  g_string_append (out, "}}");

  return g_string_free (out, FALSE);
}
