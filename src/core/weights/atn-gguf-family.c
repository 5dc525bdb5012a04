/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Tables only: one architecture is a list of names, a list of keys and a few traits.
 *
 * Source: https://github.com/ggml-org/llama.cpp, gguf-py/gguf/constants.py (names and keys) and
 * convert_hf_to_gguf.py (which rows it moves)
 */

#include "weights/atn-gguf-family.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define BLOCK "blk.#."
#define LAYER "model.layers.#."

/* Names of the Llama block. */

#define LLAMA_NAMES(norm_order, query_order, key_order)                                            \
  { "token_embd", "model.embed_tokens", ATN_GGUF_ORDER_SAME },                                     \
    { "output_norm", "model.norm", norm_order }, { "output", "lm_head", ATN_GGUF_ORDER_SAME },     \
    { BLOCK "attn_norm", LAYER "input_layernorm", norm_order },                                    \
    { BLOCK "attn_q", LAYER "self_attn.q_proj", query_order },                                     \
    { BLOCK "attn_k", LAYER "self_attn.k_proj", key_order },                                       \
    { BLOCK "attn_v", LAYER "self_attn.v_proj", ATN_GGUF_ORDER_SAME },                             \
    { BLOCK "attn_output", LAYER "self_attn.o_proj", ATN_GGUF_ORDER_SAME },                        \
    { BLOCK "attn_q_norm", LAYER "self_attn.q_norm", ATN_GGUF_ORDER_SAME },                        \
    { BLOCK "attn_k_norm", LAYER "self_attn.k_norm", ATN_GGUF_ORDER_SAME },                        \
    { BLOCK "ffn_gate", LAYER "mlp.gate_proj", ATN_GGUF_ORDER_SAME },                              \
    { BLOCK "ffn_up", LAYER "mlp.up_proj", ATN_GGUF_ORDER_SAME },                                  \
  {                                                                                                \
    BLOCK "ffn_down", LAYER "mlp.down_proj", ATN_GGUF_ORDER_SAME                                   \
  }

static const AtnGgufNameRow llama_names[] = {
  LLAMA_NAMES (ATN_GGUF_ORDER_SAME, ATN_GGUF_ORDER_QUERY, ATN_GGUF_ORDER_KEY),
  { BLOCK "ffn_norm", LAYER "post_attention_layernorm", ATN_GGUF_ORDER_SAME },
};

static const AtnGgufNameRow qwen_names[] = {
  LLAMA_NAMES (ATN_GGUF_ORDER_SAME, ATN_GGUF_ORDER_SAME, ATN_GGUF_ORDER_SAME),
  { BLOCK "ffn_norm", LAYER "post_attention_layernorm", ATN_GGUF_ORDER_SAME },
};

static const AtnGgufNameRow gemma_names[] = {
  LLAMA_NAMES (ATN_GGUF_ORDER_PLUS_ONE, ATN_GGUF_ORDER_SAME, ATN_GGUF_ORDER_SAME),
  { BLOCK "ffn_norm", LAYER "post_attention_layernorm", ATN_GGUF_ORDER_PLUS_ONE },
};

static const AtnGgufNameRow gemma2_names[] = {
  LLAMA_NAMES (ATN_GGUF_ORDER_PLUS_ONE, ATN_GGUF_ORDER_SAME, ATN_GGUF_ORDER_SAME),
  { BLOCK "post_attention_norm", LAYER "post_attention_layernorm", ATN_GGUF_ORDER_PLUS_ONE },
  { BLOCK "ffn_norm", LAYER "pre_feedforward_layernorm", ATN_GGUF_ORDER_PLUS_ONE },
  { BLOCK "post_ffw_norm", LAYER "post_feedforward_layernorm", ATN_GGUF_ORDER_PLUS_ONE },
};

static const AtnGgufNameRow phi3_names[] = {
  { "token_embd", "model.embed_tokens", ATN_GGUF_ORDER_SAME },
  { "output_norm", "model.norm", ATN_GGUF_ORDER_SAME },
  { "output", "lm_head", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_norm", LAYER "input_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_qkv", LAYER "self_attn.qkv_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_q", LAYER "self_attn.q_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_k", LAYER "self_attn.k_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_v", LAYER "self_attn.v_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_output", LAYER "self_attn.o_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_norm", LAYER "post_attention_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_up", LAYER "mlp.gate_up_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_down", LAYER "mlp.down_proj", ATN_GGUF_ORDER_SAME },
};

static const AtnGgufNameRow phi2_names[] = {
  { "token_embd", "model.embed_tokens", ATN_GGUF_ORDER_SAME },
  { "output_norm", "model.final_layernorm", ATN_GGUF_ORDER_SAME },
  { "output", "lm_head", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_norm", LAYER "input_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_q", LAYER "self_attn.q_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_k", LAYER "self_attn.k_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_v", LAYER "self_attn.v_proj", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_output", LAYER "self_attn.dense", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_up", LAYER "mlp.fc1", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_down", LAYER "mlp.fc2", ATN_GGUF_ORDER_SAME },
};

/* Names of the others. */

#define GPT2_LAYER "transformer.h.#."

static const AtnGgufNameRow gpt2_names[] = {
  { "token_embd", "transformer.wte", ATN_GGUF_ORDER_SAME },
  { "position_embd", "transformer.wpe", ATN_GGUF_ORDER_SAME },
  { "output_norm", "transformer.ln_f", ATN_GGUF_ORDER_SAME },
  { "output", "lm_head", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_norm", GPT2_LAYER "ln_1", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_qkv", GPT2_LAYER "attn.c_attn", ATN_GGUF_ORDER_TRANSPOSED },
  { BLOCK "attn_output", GPT2_LAYER "attn.c_proj", ATN_GGUF_ORDER_TRANSPOSED },
  { BLOCK "ffn_norm", GPT2_LAYER "ln_2", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_up", GPT2_LAYER "mlp.c_fc", ATN_GGUF_ORDER_TRANSPOSED },
  { BLOCK "ffn_down", GPT2_LAYER "mlp.c_proj", ATN_GGUF_ORDER_TRANSPOSED },
};

#define NEOX_LAYER "gpt_neox.layers.#."

static const AtnGgufNameRow gptneox_names[] = {
  { "token_embd", "gpt_neox.embed_in", ATN_GGUF_ORDER_SAME },
  { "output_norm", "gpt_neox.final_layer_norm", ATN_GGUF_ORDER_SAME },
  { "output", "embed_out", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_norm", NEOX_LAYER "input_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_qkv", NEOX_LAYER "attention.query_key_value", ATN_GGUF_ORDER_QKV },
  { BLOCK "attn_output", NEOX_LAYER "attention.dense", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_norm", NEOX_LAYER "post_attention_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_up", NEOX_LAYER "mlp.dense_h_to_4h", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_down", NEOX_LAYER "mlp.dense_4h_to_h", ATN_GGUF_ORDER_SAME },
};

static const AtnGgufNameRow bloom_names[] = {
  { "token_embd", "transformer.word_embeddings", ATN_GGUF_ORDER_SAME },
  { "token_embd_norm", "transformer.word_embeddings_layernorm", ATN_GGUF_ORDER_SAME },
  { "output_norm", "transformer.ln_f", ATN_GGUF_ORDER_SAME },
  { "output", "lm_head", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_norm", GPT2_LAYER "input_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_qkv", GPT2_LAYER "self_attention.query_key_value", ATN_GGUF_ORDER_QKV },
  { BLOCK "attn_output", GPT2_LAYER "self_attention.dense", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_norm", GPT2_LAYER "post_attention_layernorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_up", GPT2_LAYER "mlp.dense_h_to_4h", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_down", GPT2_LAYER "mlp.dense_4h_to_h", ATN_GGUF_ORDER_SAME },
};

#define BERT_LAYER "bert.encoder.layer.#."

static const AtnGgufNameRow bert_names[] = {
  { "token_embd", "bert.embeddings.word_embeddings", ATN_GGUF_ORDER_SAME },
  { "position_embd", "bert.embeddings.position_embeddings", ATN_GGUF_ORDER_SAME },
  { "token_types", "bert.embeddings.token_type_embeddings", ATN_GGUF_ORDER_SAME },
  { "token_embd_norm", "bert.embeddings.LayerNorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_q", BERT_LAYER "attention.self.query", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_k", BERT_LAYER "attention.self.key", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_v", BERT_LAYER "attention.self.value", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_output", BERT_LAYER "attention.output.dense", ATN_GGUF_ORDER_SAME },
  { BLOCK "attn_output_norm", BERT_LAYER "attention.output.LayerNorm", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_up", BERT_LAYER "intermediate.dense", ATN_GGUF_ORDER_SAME },
  { BLOCK "ffn_down", BERT_LAYER "output.dense", ATN_GGUF_ORDER_SAME },
  { BLOCK "layer_output_norm", BERT_LAYER "output.LayerNorm", ATN_GGUF_ORDER_SAME },
};

/* Keys. */

#define SIZE_KEY(key, hf_key)                                                                      \
  {                                                                                                \
    key, hf_key, ATN_GGUF_KEY_SIZE, ATN_JSON_REQUIRED                                              \
  }
#define NUMBER_KEY(key, hf_key, need)                                                              \
  {                                                                                                \
    key, hf_key, ATN_GGUF_KEY_NUMBER, need                                                         \
  }

#define SIZES                                                                                      \
  SIZE_KEY ("context_length", "max_position_embeddings"),                                          \
    SIZE_KEY ("embedding_length", "hidden_size"), SIZE_KEY ("block_count", "num_hidden_layers"),   \
    SIZE_KEY ("feed_forward_length", "intermediate_size"),                                         \
    SIZE_KEY ("attention.head_count", "num_attention_heads")
#define RMS_EPS NUMBER_KEY ("attention.layer_norm_rms_epsilon", "rms_norm_eps", ATN_JSON_REQUIRED)
#define LAYER_EPS(hf_key) NUMBER_KEY ("attention.layer_norm_epsilon", hf_key, ATN_JSON_REQUIRED)
#define WINDOW                                                                                     \
  {                                                                                                \
    "attention.sliding_window", "sliding_window", ATN_GGUF_KEY_SIZE, ATN_JSON_OPTIONAL             \
  }

static const AtnGgufKeyRow llama_keys[] = { SIZES, RMS_EPS };

static const AtnGgufKeyRow phi3_keys[] = {
  SIZES,
  RMS_EPS,
  WINDOW,
  { "rope.scaling.original_context_length", "original_max_position_embeddings", ATN_GGUF_KEY_SIZE,
    ATN_JSON_OPTIONAL },
};

static const AtnGgufKeyRow gemma2_keys[] = {
  SIZES,
  RMS_EPS,
  WINDOW,
  NUMBER_KEY ("attn_logit_softcapping", "attn_logit_softcapping", ATN_JSON_OPTIONAL),
  NUMBER_KEY ("final_logit_softcapping", "final_logit_softcapping", ATN_JSON_OPTIONAL),
};

static const AtnGgufKeyRow phi2_keys[] = { SIZES, LAYER_EPS ("layer_norm_eps") };

static const AtnGgufKeyRow gpt2_keys[] = {
  SIZE_KEY ("context_length", "n_positions"),  SIZE_KEY ("embedding_length", "n_embd"),
  SIZE_KEY ("block_count", "n_layer"),         SIZE_KEY ("feed_forward_length", "n_inner"),
  SIZE_KEY ("attention.head_count", "n_head"), LAYER_EPS ("layer_norm_epsilon"),
};

static const AtnGgufKeyRow gptneox_keys[] = {
  SIZES,
  LAYER_EPS ("layer_norm_eps"),
  { "use_parallel_residual", "use_parallel_residual", ATN_GGUF_KEY_BOOL, ATN_JSON_OPTIONAL },
};

static const AtnGgufKeyRow bloom_keys[] = {
  SIZE_KEY ("embedding_length", "hidden_size"),
  SIZE_KEY ("block_count", "n_layer"),
  SIZE_KEY ("attention.head_count", "n_head"),
  LAYER_EPS ("layer_norm_epsilon"),
};

static const AtnGgufKeyRow bert_keys[] = { SIZES, LAYER_EPS ("layer_norm_eps") };

/* Architectures. */

#define TABLES(names, keys) names, G_N_ELEMENTS (names), keys, G_N_ELEMENTS (keys)
#define LLAMA_TRAITS                                                                               \
  (ATN_GGUF_HAS_KV_HEADS | ATN_GGUF_HAS_HEAD_DIM | ATN_GGUF_HAS_ROPE | ATN_GGUF_HAS_BIAS_KEYS)
#define GEMMA_ACTIVATION                                                                           \
  "\"hidden_act\": \"gelu_pytorch_tanh\", \"hidden_activation\": \"gelu_pytorch_tanh\""

#define PARTIAL_ROPE (ATN_GGUF_HAS_KV_HEADS | ATN_GGUF_HAS_ROPE | ATN_GGUF_HAS_PARTIAL_ROPE)
#define SILU "\"hidden_act\": \"silu\""
#define NO_WINDOW ", \"use_sliding_window\": false"

static const AtnGgufFamily families[] = {
  { "llama", "llama", TABLES (llama_names, llama_keys), LLAMA_TRAITS, SILU },
  { "qwen2", "qwen2", TABLES (qwen_names, llama_keys), ATN_GGUF_HAS_KV_HEADS | ATN_GGUF_HAS_ROPE,
    SILU NO_WINDOW },
  { "qwen3", "qwen3", TABLES (qwen_names, llama_keys), LLAMA_TRAITS, SILU NO_WINDOW },
  { "gemma", "gemma", TABLES (gemma_names, llama_keys), LLAMA_TRAITS, GEMMA_ACTIVATION },
  { "gemma2", "gemma2", TABLES (gemma2_names, gemma2_keys), LLAMA_TRAITS, GEMMA_ACTIVATION },
  { "phi3", "phi3", TABLES (phi3_names, phi3_keys), PARTIAL_ROPE, SILU },
  { "phi2", "phi", TABLES (phi2_names, phi2_keys), PARTIAL_ROPE, "\"hidden_act\": \"gelu_new\"" },
  { "stablelm", "stablelm", TABLES (qwen_names, gptneox_keys),
    PARTIAL_ROPE | ATN_GGUF_HAS_QKV_BIAS_KEYS, SILU },
  { "gpt2", "gpt2", TABLES (gpt2_names, gpt2_keys), 0, "\"activation_function\": \"gelu_new\"" },
  { "gptneox", "gpt_neox", TABLES (gptneox_names, gptneox_keys),
    ATN_GGUF_HAS_ROPE | ATN_GGUF_HAS_PARTIAL_ROPE | ATN_GGUF_HAS_BIAS_KEYS,
    "\"hidden_act\": \"gelu\"" },
  { "bloom", "bloom", TABLES (bloom_names, bloom_keys), 0, NULL },
  { "bert", "bert", TABLES (bert_names, bert_keys), 0, "\"hidden_act\": \"gelu\"" },
};

const AtnGgufFamily *
atn_gguf_family_find (const AtnGguf *gguf, GError **error)
{
  g_autofree char *architecture = NULL;
  g_autoptr (GString) known = g_string_new (NULL);

  if (!atn_gguf_read_string (gguf, "general.architecture", ATN_JSON_REQUIRED, &architecture, error))
    return NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (families); i++) {
    if (strcmp (families[i].architecture, architecture) == 0)
      return &families[i];
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", families[i].architecture);
  }

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“general.architecture” is “%s”, known are %s"), architecture, known->str);
  return NULL;
}

/* "blk.12.attn_q" → "blk.#.attn_q" and "12"; other names as they are. */
static char *
dup_pattern (const char *stem, size_t stem_len, char **layer)
{
  size_t n_digits = 0;

  if (g_str_has_prefix (stem, "blk."))
    while (4 + n_digits < stem_len && g_ascii_isdigit (stem[4 + n_digits]))
      n_digits++;
  if (n_digits == 0)
    return g_strndup (stem, stem_len);

  *layer = g_strndup (stem + 4, n_digits);
  return g_strdup_printf (BLOCK "%.*s", (int) (stem_len - MIN (stem_len, 5 + n_digits)),
                          stem + MIN (stem_len, 5 + n_digits));
}

char *
atn_gguf_family_dup_name (const AtnGgufFamily *self, const char *name, AtnGgufOrder *order)
{
  const char *suffix = strrchr (name, '.');
  g_autofree char *pattern = NULL;
  g_autofree char *layer = NULL;

  if (suffix == NULL || (strcmp (suffix, ".weight") != 0 && strcmp (suffix, ".bias") != 0))
    return NULL;

  pattern = dup_pattern (name, (size_t) (suffix - name), &layer);
  for (size_t i = 0; i < self->n_names; i++) {
    const AtnGgufNameRow *row = &self->names[i];
    const char *hash = strchr (row->hf_name, '#');

    if (strcmp (row->name, pattern) != 0)
      continue;
    *order = row->order;
    if (hash == NULL || layer == NULL)
      return g_strconcat (row->hf_name, suffix, NULL);
    return g_strdup_printf ("%.*s%s%s%s", (int) (hash - row->hf_name), row->hf_name, layer,
                            hash + 1, suffix);
  }

  return NULL;
}
