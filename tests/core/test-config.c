/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test-config.h"
#include "atn-test.h"
#include "model/atn-family.h"

#include <math.h>

#define GENERIC_BASE                                                                               \
  "\"model_type\":\"transformer\",\"vocab_size\":5,\"hidden_size\":6,\"num_hidden_layers\":1,"     \
  "\"num_attention_heads\":4,\"num_key_value_heads\":2,\"head_dim\":4,\"v_head_dim\":3,"

/* All that the generic family asks for; each row of the table of errors changes something. */
#define GENERIC                                                                                    \
  GENERIC_BASE "\"intermediate_size\":8,\"gated_mlp\":true,\"activation\":\"silu\","               \
               "\"norm\":\"rmsnorm\",\"norm_position\":\"post\",\"norm_eps\":0.5,"                 \
               "\"final_norm\":true,\"positions\":\"rope\",\"rope_theta\":100,\"rotary_dim\":2,"   \
               "\"max_position_embeddings\":9,\"causal\":false,\"attention_scale\":0.3,"           \
               "\"unembed\":\"own\""

#define GPT2_SMALL "\"model_type\":\"gpt2\",\"n_embd\":8,\"n_head\":2,\"n_layer\":2"

typedef struct
{
  const char *name;
  const char *text; /* the members of the object */
  int code;
  const char *piece; /* of the message */
} BadConfig;

static const BadConfig bad_configs[] = {
  { "no-model-type", "\"n_embd\":8", ATN_ERROR_INVALID_FORMAT, "model_type" },
  { "unknown-family", "\"model_type\":\"mamba\"", ATN_ERROR_UNSUPPORTED, "mamba" },
  { "indivisible", "\"model_type\":\"gpt2\",\"n_embd\":8,\"n_head\":3", ATN_ERROR_INVALID_FORMAT,
    "not a multiple" },
  { "fraction", "\"model_type\":\"gpt2\",\"n_layer\":2.5", ATN_ERROR_INVALID_FORMAT, "n_layer" },
  { "negative", "\"model_type\":\"gpt2\",\"n_layer\":-1", ATN_ERROR_INVALID_FORMAT, "n_layer" },
  { "text-for-a-number", "\"model_type\":\"gpt2\",\"n_head\":\"2\"", ATN_ERROR_INVALID_FORMAT,
    "n_head" },
  { "huge", "\"model_type\":\"gpt2\",\"n_embd\":3000000000", ATN_ERROR_INVALID_FORMAT, "n_embd" },
  { "layers", "\"model_type\":\"gpt2\",\"n_layer\":5000", ATN_ERROR_TOO_LARGE, "5000" },
  { "activation", GPT2_SMALL ",\"activation_function\":\"quick_gelu\"", ATN_ERROR_UNSUPPORTED,
    "“activation_function” is “quick_gelu”, expected one of " },
  { "gpt2-cross-attention", GPT2_SMALL ",\"add_cross_attention\":true", ATN_ERROR_UNSUPPORTED,
    "add_cross_attention" },
  { "bert-positions", "\"model_type\":\"bert\",\"position_embedding_type\":\"relative_key\"",
    ATN_ERROR_UNSUPPORTED, "relative_key" },
  { "roberta-padding",
    "\"model_type\":\"roberta\",\"max_position_embeddings\":10,\"pad_token_id\":9",
    ATN_ERROR_INVALID_FORMAT, "pad_token_id" },
  { "mpnet-buckets", "\"model_type\":\"mpnet\",\"relative_attention_num_buckets\":31",
    ATN_ERROR_UNSUPPORTED, "relative_attention_num_buckets" },
  { "mpnet-positions", "\"model_type\":\"mpnet\",\"max_position_embeddings\":2",
    ATN_ERROR_INVALID_FORMAT, "max_position_embeddings" },
  { "albert-groups", "\"model_type\":\"albert\",\"num_hidden_groups\":13", ATN_ERROR_INVALID_FORMAT,
    "num_hidden_groups" },
  { "llama-kv-heads",
    "\"model_type\":\"llama\",\"num_attention_heads\":4,"
    "\"num_key_value_heads\":3",
    ATN_ERROR_INVALID_FORMAT, "num_key_value_heads" },
  { "llama-rope-scaling",
    "\"model_type\":\"llama\",\"rope_scaling\":{\"type\":\"ntk\","
    "\"factor\":2.0}",
    ATN_ERROR_UNSUPPORTED, "ntk" },
  { "llama-rope-parameters",
    "\"model_type\":\"llama\",\"rope_parameters\":{\"rope_type\":"
    "\"proportional\"}",
    ATN_ERROR_UNSUPPORTED, "proportional" },
  { "llama-rope-by-layer-type",
    "\"model_type\":\"llama\",\"rope_parameters\":{\"full_attention\":"
    "{\"rope_type\":\"default\",\"rope_theta\":1e6}}",
    ATN_ERROR_UNSUPPORTED, "full_attention" },
  { "linear-without-factor", "\"model_type\":\"llama\",\"rope_scaling\":{\"type\":\"linear\"}",
    ATN_ERROR_INVALID_FORMAT, "factor" },
  { "llama3-without-frequencies",
    "\"model_type\":\"llama\",\"rope_scaling\":{\"type\":\"llama3\",\"factor\":8}",
    ATN_ERROR_INVALID_FORMAT, "low_freq_factor" },
  { "llama3-frequencies-crossed",
    "\"model_type\":\"llama\",\"rope_scaling\":{\"type\":\"llama3\",\"factor\":8,"
    "\"low_freq_factor\":4,\"high_freq_factor\":1}",
    ATN_ERROR_INVALID_FORMAT, "high_freq_factor" },
  { "dynamic-of-two-dimensions",
    "\"model_type\":\"llama\",\"head_dim\":2,\"rope_scaling\":{\"type\":\"dynamic\","
    "\"factor\":2}",
    ATN_ERROR_UNSUPPORTED, "dynamic" },
  { "longrope-short-list",
    "\"model_type\":\"llama\",\"head_dim\":6,\"rope_scaling\":{\"type\":\"longrope\","
    "\"short_factor\":[1,2],\"long_factor\":[1,2,3]}",
    ATN_ERROR_INVALID_FORMAT, "short_factor" },
  { "longrope-no-numbers",
    "\"model_type\":\"llama\",\"head_dim\":4,\"rope_scaling\":{\"type\":\"longrope\","
    "\"short_factor\":[1,2],\"long_factor\":[1,\"2\"]}",
    ATN_ERROR_INVALID_FORMAT, "long_factor" },
  { "gemma-bidirectional", "\"model_type\":\"gemma\",\"use_bidirectional_attention\":true",
    ATN_ERROR_UNSUPPORTED, "use_bidirectional_attention" },
  { "bloom-residual", "\"model_type\":\"bloom\",\"apply_residual_connection_post_layernorm\":true",
    ATN_ERROR_UNSUPPORTED, "apply_residual_connection_post_layernorm" },
  { "gpt-neo-kind", "\"model_type\":\"gpt_neo\",\"attention_types\":[[[\"sparse\"],24]]",
    ATN_ERROR_UNSUPPORTED, "sparse" },
  { "gpt-neo-count", "\"model_type\":\"gpt_neo\",\"attention_types\":[[[\"global\"],23]]",
    ATN_ERROR_INVALID_FORMAT, "attention_types" },
  { "gpt-neo-shape", "\"model_type\":\"gpt_neo\",\"attention_types\":[\"global\"]",
    ATN_ERROR_INVALID_FORMAT, "attention_types" },
  { "gpt-neo-endless", "\"model_type\":\"gpt_neo\",\"attention_types\":[[[],1e300]]",
    ATN_ERROR_INVALID_FORMAT, "attention_types" },
  { "qwen2-layer-types",
    "\"model_type\":\"qwen2\",\"num_hidden_layers\":1,\"use_sliding_window\":true,"
    "\"layer_types\":[\"linear_attention\"]",
    ATN_ERROR_UNSUPPORTED, "linear_attention" },
  { "llama-odd-head", "\"model_type\":\"llama\",\"head_dim\":5", ATN_ERROR_INVALID_FORMAT,
    "rotated" },
  { "generic-no-causal",
    GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"none\","
                 "\"positions\":\"none\",\"attention_scale\":\"sqrt\",\"unembed\":\"none\"",
    ATN_ERROR_INVALID_FORMAT, "causal" },
  { "generic-rope-without-theta",
    GENERIC_BASE
    "\"intermediate_size\":0,\"norm\":\"none\","
    "\"positions\":\"rope\",\"rotary_dim\":2,\"causal\":true,\"attention_scale\":\"sqrt\","
    "\"unembed\":\"none\"",
    ATN_ERROR_INVALID_FORMAT, "rope_theta" },
  { "generic-norm-without-eps",
    GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"layernorm\","
                 "\"norm_position\":\"pre\"",
    ATN_ERROR_INVALID_FORMAT, "norm_eps" },
  { "generic-positions",
    GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"none\","
                 "\"positions\":\"t5\"",
    ATN_ERROR_UNSUPPORTED, "t5" },
  { "generic-offset-of-layernorm",
    GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"layernorm\",\"norm_position\":\"pre\","
                 "\"norm_offset\":1",
    ATN_ERROR_UNSUPPORTED, "norm_offset" },
  { "generic-parallel-name", GENERIC ",\"parallel\":\"both\"", ATN_ERROR_UNSUPPORTED, "both" },
  { "generic-parallel-post", GENERIC ",\"parallel\":\"one_norm\"", ATN_ERROR_UNSUPPORTED,
    "side by side" },
  { "generic-window", GENERIC ",\"sliding_window\":0", ATN_ERROR_INVALID_FORMAT, "sliding_window" },
  { "generic-layer-types-count",
    GENERIC ",\"sliding_window\":3,\"layer_types\":[\"full_attention\",\"full_attention\"]",
    ATN_ERROR_INVALID_FORMAT, "layer_types" },
  { "generic-layer-types-name",
    GENERIC ",\"sliding_window\":3,\"layer_types\":[\"chunked_attention\"]", ATN_ERROR_UNSUPPORTED,
    "chunked_attention" },
  { "generic-cap", GENERIC ",\"attn_logit_softcapping\":-1", ATN_ERROR_INVALID_FORMAT,
    "attn_logit_softcapping" },
  { "generic-scale",
    GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"none\","
                 "\"positions\":\"none\",\"causal\":true,\"attention_scale\":\"root\"",
    ATN_ERROR_UNSUPPORTED, "root" },
  { "generic-learned-without-length",
    GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"none\","
                 "\"positions\":\"learned\"",
    ATN_ERROR_INVALID_FORMAT, "max_position_embeddings" },
};

static void
read_good (const char *members, AtnConfig *config)
{
  g_autoptr (GError) error = NULL;

  atn_test_read_config (members, config, &error);
  g_assert_no_error (error);
}

static void
test_a_bad_config_is_refused_by_name (gconstpointer data)
{
  const BadConfig *row = data;
  g_autoptr (GError) error = NULL;
  AtnConfig config = { .n_layers = 77 };

  g_assert_false (atn_test_read_config (row->text, &config, &error));
  atn_test_assert_error (error, row->code, row->piece);
  g_assert_cmpuint (config.n_layers, ==, 77);
}

static void
test_gpt2_has_its_defaults (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"gpt2\"", &c);
  g_assert_cmpstr (c.family, ==, "gpt2");
  g_assert_cmpuint (c.n_layers, ==, 12);
  g_assert_cmpuint (c.n_heads, ==, 12);
  g_assert_cmpuint (c.n_kv_heads, ==, 12);
  g_assert_cmpuint (c.d_model, ==, 768);
  g_assert_cmpuint (c.d_head, ==, 64);
  g_assert_cmpuint (c.d_v, ==, 64);
  g_assert_cmpuint (c.d_mlp, ==, 3072);
  g_assert_cmpuint (c.d_vocab, ==, 50257);
  g_assert_cmpuint (c.n_ctx, ==, 1024);
  g_assert_cmpint (c.activation, ==, ATN_ACTIVATION_GELU_TANH);
  g_assert_cmpint (c.norm, ==, ATN_NORM_LAYERNORM);
  g_assert_cmpint (c.norm_position, ==, ATN_NORM_PRE);
  g_assert_cmpfloat (c.norm_eps, ==, 1e-5f);
  g_assert_cmpint (c.positions, ==, ATN_POSITIONS_LEARNED);
  g_assert_cmpfloat (c.scale, ==, 0.125f);
  g_assert_cmpint (c.unembed, ==, ATN_UNEMBED_TIED);
  g_assert_true (c.causal && c.final_norm && !c.is_masked_lm && !c.gated_mlp);
}

static void
test_bert_has_its_defaults (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"bert\"", &c);
  g_assert_cmpuint (c.n_layers, ==, 12);
  g_assert_cmpuint (c.d_model, ==, 768);
  g_assert_cmpuint (c.d_mlp, ==, 3072);
  g_assert_cmpuint (c.d_vocab, ==, 30522);
  g_assert_cmpuint (c.n_ctx, ==, 512);
  g_assert_cmpuint (c.n_token_types, ==, 2);
  g_assert_cmpint (c.activation, ==, ATN_ACTIVATION_GELU);
  g_assert_cmpint (c.norm_position, ==, ATN_NORM_POST);
  g_assert_cmpfloat (c.norm_eps, ==, 1e-12f);
  g_assert_true (c.embed_norm && c.has_mlm_transform && c.is_masked_lm);
  g_assert_false (c.causal || c.final_norm);
}

static void
test_llama_has_its_defaults (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"llama\"", &c);
  g_assert_cmpuint (c.n_layers, ==, 32);
  g_assert_cmpuint (c.n_kv_heads, ==, 32);
  g_assert_cmpuint (c.d_model, ==, 4096);
  g_assert_cmpuint (c.d_head, ==, 128);
  g_assert_cmpuint (c.d_mlp, ==, 11008);
  g_assert_cmpuint (c.d_vocab, ==, 32000);
  g_assert_cmpuint (c.n_ctx, ==, 2048);
  g_assert_cmpint (c.activation, ==, ATN_ACTIVATION_SILU);
  g_assert_cmpint (c.norm, ==, ATN_NORM_RMSNORM);
  g_assert_cmpfloat (c.norm_eps, ==, 1e-6f);
  g_assert_cmpfloat (c.rope_theta, ==, 10000.0);
  g_assert_cmpuint (c.rotary_dim, ==, 128);
  g_assert_cmpint (c.unembed, ==, ATN_UNEMBED_OWN);
  g_assert_true (c.gated_mlp && c.causal && !c.attention_bias && !c.mlp_bias);
}

static void
test_null_counts_as_left_out (void)
{
  AtnConfig c;

  read_good (GPT2_SMALL ",\"n_inner\":null,\"activation_function\":null", &c);
  g_assert_cmpuint (c.d_mlp, ==, 32);
  read_good ("\"model_type\":\"llama\",\"hidden_size\":64,\"num_attention_heads\":4,"
             "\"num_key_value_heads\":null,\"head_dim\":null,\"rope_scaling\":null",
             &c);
  g_assert_cmpuint (c.n_kv_heads, ==, 4);
  g_assert_cmpuint (c.d_head, ==, 16);
}

static void
test_gpt2_takes_the_general_names (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"gpt2\",\"hidden_size\":12,\"num_attention_heads\":3,"
             "\"num_hidden_layers\":5,\"max_position_embeddings\":7",
             &c);
  g_assert_cmpuint (c.d_model, ==, 12);
  g_assert_cmpuint (c.n_heads, ==, 3);
  g_assert_cmpuint (c.n_layers, ==, 5);
  g_assert_cmpuint (c.n_ctx, ==, 7);
}

static void
test_gpt2_scale_switches_are_read (void)
{
  AtnConfig c;

  read_good (GPT2_SMALL ",\"scale_attn_weights\":false,"
                        "\"scale_attn_by_inverse_layer_idx\":true",
             &c);
  g_assert_cmpfloat (atn_config_get_scale (&c, 0), ==, 1.0f);
  g_assert_cmpfloat (atn_config_get_scale (&c, 1), ==, 0.5f);
}

static void
test_rope_theta_is_found_in_both_places (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"llama\",\"rope_theta\":100", &c);
  g_assert_cmpfloat (c.rope_theta, ==, 100.0);
  read_good ("\"model_type\":\"llama\",\"rope_parameters\":{\"rope_theta\":100.0,"
             "\"rope_type\":\"default\"}",
             &c);
  g_assert_cmpfloat (c.rope_theta, ==, 100.0);
}

static void
test_rope_scaling_is_found_in_both_places (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"llama\",\"rope_theta\":100,\"rope_scaling\":{\"type\":\"linear\","
             "\"factor\":4}",
             &c);
  g_assert_cmpint (c.rope_scaling.kind, ==, ATN_ROPE_LINEAR);
  g_assert_cmpfloat (c.rope_scaling.factor, ==, 4.0);
  g_assert_cmpfloat (c.rope_theta, ==, 100.0);
  read_good ("\"model_type\":\"llama\",\"rope_parameters\":{\"rope_type\":\"yarn\",\"factor\":8,"
             "\"rope_theta\":100,\"original_max_position_embeddings\":256,"
             "\"partial_rotary_factor\":0.5}",
             &c);
  g_assert_cmpint (c.rope_scaling.kind, ==, ATN_ROPE_YARN);
  g_assert_cmpuint (c.rope_scaling.original_n_ctx, ==, 256);
  g_assert_cmpfloat_with_epsilon (c.rope_scaling.attention_factor, 0.1 * log (8.0) + 1.0, 1e-12);
  g_assert_cmpuint (c.rotary_dim, ==, 64);
}

static void
test_dynamic_rope_goes_beyond_its_length (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"llama\",\"max_position_embeddings\":100,\"rope_scaling\":"
             "{\"type\":\"dynamic\",\"factor\":2.5}",
             &c);
  g_assert_cmpuint (c.n_ctx, ==, 250);
  g_assert_cmpuint (c.rope_scaling.original_n_ctx, ==, 100);
}

static void
test_generic_reads_what_few_models_have (void)
{
  AtnConfig c;

  read_good (GENERIC_BASE
             "\"intermediate_size\":8,\"gated_mlp\":true,\"activation\":\"silu\",\"norm\":"
             "\"rmsnorm\",\"norm_position\":\"pre\",\"norm_eps\":0.5,\"final_norm\":true,"
             "\"positions\":\"rope\",\"rope_theta\":100,\"rotary_dim\":2,\"causal\":true,"
             "\"attention_scale\":\"none\",\"unembed\":\"tied\",\"norm_offset\":1,"
             "\"embedding_norm\":true,\"branch_norms\":true,\"qk_norm\":\"per_head\","
             "\"parallel\":\"two_norms\",\"embedding_scale\":3,\"position_offset\":2,"
             "\"rope_pairs\":\"neighbours\",\"sliding_window\":7,\"attn_logit_softcapping\":50,"
             "\"logit_scale\":0.25,\"final_logit_softcapping\":30",
             &c);
  g_assert_cmpfloat (c.norm_offset, ==, 1.0f);
  g_assert_true (c.embed_norm && c.branch_norms);
  g_assert_cmpint (c.qk_norm, ==, ATN_QK_NORM_PER_HEAD);
  g_assert_cmpint (c.parallel, ==, ATN_PARALLEL_TWO_NORMS);
  g_assert_cmpfloat (c.embed_scale, ==, 3.0f);
  g_assert_cmpuint (c.first_position, ==, 2);
  g_assert_cmpint (c.rope_pairs, ==, ATN_ROPE_NEIGHBOURS);
  g_assert_cmpuint (atn_config_get_window (&c, 0), ==, 7);
  g_assert_cmpfloat (c.score_cap, ==, 50.0f);
  g_assert_cmpfloat (c.logit_scale, ==, 0.25f);
  g_assert_cmpfloat (c.logit_cap, ==, 30.0f);
}

static void
test_silence_and_null_differ_for_windows_and_caps (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"mistral\"", &c);
  g_assert_cmpuint (atn_config_get_window (&c, 31), ==, 4096);
  g_assert_cmpuint (c.n_kv_heads, ==, 8);
  read_good ("\"model_type\":\"mistral\",\"sliding_window\":null", &c);
  g_assert_cmpuint (atn_config_get_window (&c, 31), ==, 0);

  read_good ("\"model_type\":\"gemma2\"", &c);
  g_assert_cmpfloat (c.score_cap, ==, 50.0f);
  g_assert_cmpfloat (c.logit_cap, ==, 30.0f);
  g_assert_cmpuint (atn_config_get_window (&c, 0), ==, 4096);
  g_assert_cmpuint (atn_config_get_window (&c, 1), ==, 0);
  g_assert_cmpfloat (c.scale, ==, 0.0625f);
  read_good ("\"model_type\":\"gemma2\",\"attn_logit_softcapping\":null", &c);
  g_assert_cmpfloat (c.score_cap, ==, 0.0f);
}

static void
test_qwen_has_a_window_where_it_is_switched_on (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"qwen2\"", &c);
  g_assert_cmpuint (atn_config_get_window (&c, 31), ==, 0);
  read_good ("\"model_type\":\"qwen2\",\"use_sliding_window\":true,\"max_window_layers\":30", &c);
  g_assert_cmpuint (atn_config_get_window (&c, 29), ==, 0);
  g_assert_cmpuint (atn_config_get_window (&c, 30), ==, 4096);
}

static void
test_gpt_neo_s_local_layers_have_a_window (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"gpt_neo\",\"num_layers\":4,\"attention_types\":"
             "[[[\"local\"],1],[[\"global\",\"local\",\"global\"],1]]",
             &c);
  g_assert_cmpuint (atn_config_get_window (&c, 0), ==, 256);
  g_assert_cmpuint (atn_config_get_window (&c, 1), ==, 0);
  g_assert_cmpuint (atn_config_get_window (&c, 2), ==, 256);
  g_assert_cmpuint (atn_config_get_window (&c, 3), ==, 0);
  g_assert_cmpfloat (c.scale, ==, 1.0f);
}

static void
test_every_family_reads_an_empty_config (void)
{
  const char *const names[] = { "mistral", "qwen2", "qwen3",    "gemma",   "gemma2",
                                "phi",     "phi3",  "stablelm", "gpt_neo", "gpt_neox",
                                "gptj",    "opt",   "bloom" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *members = g_strdup_printf ("\"model_type\":\"%s\"", names[i]);
    AtnConfig c;

    read_good (members, &c);
    g_assert_cmpstr (c.family, ==, names[i]);
    g_assert_cmpuint (c.d_v, ==, c.d_head);
    g_assert_cmpfloat (c.embed_scale, >=, 1.0f);
    g_assert_cmpfloat (c.rope_scaling.attention_factor, ==, 1.0);
    g_assert_true (c.causal && !c.is_masked_lm);
  }
}

static void
test_heads_share_keys_in_runs (void)
{
  const AtnConfig c = { .n_heads = 6, .n_kv_heads = 2 };

  g_assert_cmpuint (atn_config_get_kv_head (&c, 2), ==, 0);
  g_assert_cmpuint (atn_config_get_kv_head (&c, 3), ==, 1);
}

/* Slopes as Hugging Face's build_alibi_tensor gives them. */
static void
test_alibi_slopes_halve (void)
{
  const AtnConfig eight = { .n_heads = 8, .positions = ATN_POSITIONS_ALIBI };
  const AtnConfig six = { .n_heads = 6, .positions = ATN_POSITIONS_ALIBI };
  const AtnConfig none = { .n_heads = 8 };
  const float of_six[] = { 0.25f, 0.0625f, 0.015625f, 0.00390625f, 0.5f, 0.125f };

  g_assert_cmpfloat (atn_config_get_alibi_slope (&eight, 0), ==, 0.5f);
  g_assert_cmpfloat (atn_config_get_alibi_slope (&eight, 7), ==, 0.00390625f);
  g_assert_cmpfloat (atn_config_get_alibi_slope (&none, 0), ==, 0.0f);
  for (size_t head = 0; head < 6; head++)
    g_assert_cmpfloat (atn_config_get_alibi_slope (&six, head), ==, of_six[head]);
}

static void
test_a_bert_decoder_looks_back_only (void)
{
  AtnConfig c;

  read_good ("\"model_type\":\"bert\",\"is_decoder\":true", &c);
  g_assert_true (c.causal);
  g_assert_false (c.is_masked_lm);
}

static void
test_generic_reads_every_key (void)
{
  AtnConfig c;

  read_good (GENERIC, &c);
  g_assert_cmpuint (c.n_kv_heads, ==, 2);
  g_assert_cmpuint (c.d_head, ==, 4);
  g_assert_cmpuint (c.d_v, ==, 3);
  g_assert_cmpuint (c.d_mlp, ==, 8);
  g_assert_cmpuint (c.n_ctx, ==, 9);
  g_assert_cmpint (c.activation, ==, ATN_ACTIVATION_SILU);
  g_assert_cmpint (c.norm, ==, ATN_NORM_RMSNORM);
  g_assert_cmpint (c.norm_position, ==, ATN_NORM_POST);
  g_assert_cmpfloat (c.norm_eps, ==, 0.5f);
  g_assert_cmpint (c.positions, ==, ATN_POSITIONS_ROPE);
  g_assert_cmpfloat (c.rope_theta, ==, 100.0);
  g_assert_cmpuint (c.rotary_dim, ==, 2);
  g_assert_cmpfloat (c.scale, ==, 0.3f);
  g_assert_cmpint (c.unembed, ==, ATN_UNEMBED_OWN);
  g_assert_true (c.gated_mlp && c.final_norm && !c.causal);
}

static void
test_generic_may_leave_out_the_meaningless (void)
{
  AtnConfig c;

  read_good (GENERIC_BASE "\"intermediate_size\":0,\"norm\":\"none\",\"positions\":\"none\","
                          "\"causal\":true,\"attention_scale\":\"sqrt\",\"unembed\":\"none\"",
             &c);
  g_assert_cmpuint (c.d_mlp, ==, 0);
  g_assert_cmpuint (c.n_ctx, ==, 0);
  g_assert_cmpfloat (c.scale, ==, 0.5f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (bad_configs); i++) {
    g_autofree char *path = g_strdup_printf ("/core/config/refuse/%s", bad_configs[i].name);

    g_test_add_data_func (path, &bad_configs[i], test_a_bad_config_is_refused_by_name);
  }
  g_test_add_func ("/core/config/gpt2/defaults", test_gpt2_has_its_defaults);
  g_test_add_func ("/core/config/bert/defaults", test_bert_has_its_defaults);
  g_test_add_func ("/core/config/llama/defaults", test_llama_has_its_defaults);
  g_test_add_func ("/core/config/null", test_null_counts_as_left_out);
  g_test_add_func ("/core/config/gpt2/general-names", test_gpt2_takes_the_general_names);
  g_test_add_func ("/core/config/gpt2/scale", test_gpt2_scale_switches_are_read);
  g_test_add_func ("/core/config/llama/rope-theta", test_rope_theta_is_found_in_both_places);
  g_test_add_func ("/core/config/rope/scaling", test_rope_scaling_is_found_in_both_places);
  g_test_add_func ("/core/config/rope/dynamic", test_dynamic_rope_goes_beyond_its_length);
  g_test_add_func ("/core/config/null-and-silence",
                   test_silence_and_null_differ_for_windows_and_caps);
  g_test_add_func ("/core/config/qwen2/window", test_qwen_has_a_window_where_it_is_switched_on);
  g_test_add_func ("/core/config/gpt-neo/window", test_gpt_neo_s_local_layers_have_a_window);
  g_test_add_func ("/core/config/empty", test_every_family_reads_an_empty_config);
  g_test_add_func ("/core/config/groups", test_heads_share_keys_in_runs);
  g_test_add_func ("/core/config/alibi", test_alibi_slopes_halve);
  g_test_add_func ("/core/config/generic/rare", test_generic_reads_what_few_models_have);
  g_test_add_func ("/core/config/bert/decoder", test_a_bert_decoder_looks_back_only);
  g_test_add_func ("/core/config/generic/all", test_generic_reads_every_key);
  g_test_add_func ("/core/config/generic/least", test_generic_may_leave_out_the_meaningless);

  return g_test_run ();
}
