/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Every family against what transformers computed (tests/fixtures/README.md),
 * tensor by tensor in the order of the forward pass: the first that differs is named.
 */

#include "atn-expect.h"
#include "atn-test-case.h"
#include "atn-test-json.h"
#include "engine/atn-prediction.h"
#include "engine/atn-request.h"
#include "engine/atn-trace.h"

#include <math.h>

/* A float32 run of transformers itself is off by 5e-7 in weights. */
#define WEIGHT_TOLERANCE 1e-5
/* · max (1, |value|) */
#define SCORE_TOLERANCE 1e-4
/* Of more tokens the fixtures hold only weights and logits. */
#define LONG 20
/* Of even more, or with settings, only logits at two places. */
#define VERY_LONG 24

static const char *const fixtures[] = {
  "gpt2",       "gpt2-odd",       "bert",     "bert-odd",     "roberta",   "roberta-odd",
  "distilbert", "distilbert-odd", "electra",  "electra-odd",  "albert",    "albert-odd",
  "llama",      "llama-odd",      "mistral",  "mistral-odd",  "qwen2",     "qwen2-odd",
  "qwen3",      "qwen3-odd",      "gemma",    "gemma-odd",    "gemma2",    "gemma2-odd",
  "phi",        "phi-odd",        "phi3",     "phi3-odd",     "stablelm",  "stablelm-odd",
  "gpt_neo",    "gpt_neo-odd",    "gpt_neox", "gpt_neox-odd", "gptj",      "gptj-odd",
  "opt",        "opt-odd",        "opt-bare", "bloom",        "bloom-odd", "mpnet",
  "mpnet-odd",  "mpnet-bare",
};

typedef struct
{
  const char *fixture;
  const char *input;
  AtnExpect *expect;
  const AtnTrace *trace;
  const AtnConfig *config;
  bool is_long;
  bool has_settings;
} Check;

/* Tokens by id: some inputs are none that a text gives. */
static AtnTokens *
make_tokens (AtnModel *model, const AtnJson *input)
{
  AtnTokens *tokens = g_new0 (AtnTokens, 1);
  const AtnJson *ids = atn_json_get_member (input, "ids");
  const AtnJson *id = atn_json_get_first (ids);
  const AtnJson *type = atn_json_get_first (atn_json_get_member (input, "token_type_ids"));

  g_atomic_ref_count_init (&tokens->ref_count);
  tokens->tokenizer = atn_tokenizer_ref (atn_model_get_tokenizer (model));
  tokens->n_tokens = atn_json_count (ids);
  tokens->tokens = g_new0 (AtnToken, tokens->n_tokens);
  for (size_t t = 0; t < tokens->n_tokens; t++) {
    tokens->tokens[t] = (AtnToken){
      .id = (uint32_t) atn_json_get_number (id),
      .type_id = (uint32_t) atn_json_get_number (type),
      .start = -1,
      .end = -1,
    };
    id = atn_json_get_next (id);
    type = atn_json_get_next (type);
  }

  return tokens;
}

static AtnWhatIf
read_what_if (const AtnJson *json)
{
  const AtnJson *causal = atn_json_get_member (json, "causal");
  const AtnJson *scale = atn_json_get_member (json, "scale");
  const AtnJson *temperature = atn_json_get_member (json, "temperature");
  AtnWhatIf what_if = { 0 };

  if (causal != NULL)
    what_if.causal =
      strcmp (atn_json_get_string (causal), "on") == 0 ? ATN_CAUSAL_ON : ATN_CAUSAL_OFF;
  if (scale != NULL && atn_json_get_kind (scale) == ATN_JSON_STRING)
    what_if.scale = ATN_SCALE_NONE;
  else if (scale != NULL) {
    what_if.scale = ATN_SCALE_NUMBER;
    what_if.scale_number = (float) atn_json_get_number (scale);
  }
  if (temperature != NULL)
    what_if.temperature = (float) atn_json_get_number (temperature);

  return what_if;
}

static void
compare (const Check *check, const char *key, const float *values, size_t n, bool is_weight)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", check->input, key);
  g_autofree float *expected = atn_expect_dup_floats (check->expect, name, n);

  if (expected == NULL)
    g_error ("%s has no %s", check->fixture, name);

  for (size_t i = 0; i < n; i++) {
    const double difference = fabs ((double) values[i] - (double) expected[i]);
    const double tolerance =
      is_weight ? WEIGHT_TOLERANCE : SCORE_TOLERANCE * fmax (1.0, fabs ((double) expected[i]));

    if (values[i] == expected[i]) /* infinities, too */
      continue;
    /* A cell that should be forbidden: its tolerance would be infinite. */
    if (isinf (expected[i]) || !(difference <= tolerance))
      g_error ("%s: the first tensor that differs is %s[%zu]: %g, expected %g", check->fixture,
               name, i, (double) values[i], (double) expected[i]);
  }
}

static void
compare_in_layer (const Check *check,
                  size_t layer,
                  const char *hook,
                  const float *values,
                  size_t n,
                  bool is_weight)
{
  g_autofree char *key = g_strdup_printf ("blocks.%zu.%s", layer, hook);

  compare (check, key, values, n, is_weight);
}

/* All heads of one stage, [n_heads, T, T]; temperature belongs to PATTERN alone. */
static void
compare_stage (const Check *check, size_t layer, AtnStage stage, const char *hook)
{
  const size_t t2 = atn_trace_get_n_tokens (check->trace) * atn_trace_get_n_tokens (check->trace);
  g_autofree float *values = g_new (float, check->config->n_heads *t2);

  for (size_t head = 0; head < check->config->n_heads; head++)
    atn_trace_compute_rows (check->trace, layer, head, stage, NULL, 0,
                            atn_trace_get_n_tokens (check->trace), values + head * t2);
  compare_in_layer (check, layer, hook, values, check->config->n_heads * t2,
                    stage == ATN_STAGE_PATTERN);
}

/* z of all heads, [T, n_heads, d_v] */
static void
compare_z (const Check *check, size_t layer)
{
  const AtnConfig *c = check->config;
  const size_t n_tokens = atn_trace_get_n_tokens (check->trace);
  g_autofree float *z = g_new (float, n_tokens * c->d_v);
  g_autofree float *all = g_new (float, n_tokens * c->n_heads * c->d_v);

  for (size_t head = 0; head < c->n_heads; head++) {
    atn_trace_compute_z (check->trace, layer, head, NULL, z);
    for (size_t t = 0; t < n_tokens; t++)
      memcpy (all + (t * c->n_heads + head) * c->d_v, z + t * c->d_v, c->d_v * sizeof *z);
  }
  compare_in_layer (check, layer, "attn.hook_z", all, n_tokens * c->n_heads * c->d_v, false);
}

static void
compare_queries_keys_values (const Check *check, size_t layer)
{
  const AtnConfig *c = check->config;
  const bool rope = c->positions == ATN_POSITIONS_ROPE;
  const size_t n = atn_trace_get_n_tokens (check->trace);

  compare_in_layer (check, layer, rope ? "attn.hook_rot_q" : "attn.hook_q",
                    atn_trace_get_q (check->trace, layer), n * c->n_heads * c->d_head, false);
  compare_in_layer (check, layer, rope ? "attn.hook_rot_k" : "attn.hook_k",
                    atn_trace_get_k (check->trace, layer), n * c->n_kv_heads * c->d_head, false);
  compare_in_layer (check, layer, "attn.hook_v", atn_trace_get_v (check->trace, layer),
                    n * c->n_kv_heads * c->d_v, false);
}

/* What leaves a layer enters the next one. */
static void
compare_layer (const Check *check, size_t layer)
{
  const AtnConfig *c = check->config;
  const bool has_steps = !check->is_long && !check->has_settings;
  const size_t n = atn_trace_get_n_tokens (check->trace) * c->d_model;
  const float *post = layer + 1 < c->n_layers ? atn_trace_get_resid_pre (check->trace, layer + 1)
                                              : atn_trace_get_resid_final (check->trace);

  if (has_steps && layer == 0)
    compare_in_layer (check, layer, "hook_resid_pre", atn_trace_get_resid_pre (check->trace, layer),
                      n, false);
  if (has_steps)
    compare_queries_keys_values (check, layer);
  if (!check->is_long)
    compare_stage (check, layer, ATN_STAGE_MASKED, "attn.hook_attn_scores");
  compare_stage (check, layer, ATN_STAGE_PATTERN, "attn.hook_pattern");
  if (has_steps) {
    compare_z (check, layer);
    compare_in_layer (check, layer, "hook_resid_post", post, n, false);
  }
}

/* At all places, [T, d_vocab], or in the middle and at the end, [2, d_vocab]. */
static void
compare_logits (const Check *check)
{
  const size_t d_vocab = check->config->d_vocab, n = atn_trace_get_n_tokens (check->trace);
  const bool is_brief = n > VERY_LONG || check->has_settings;
  const size_t n_places = is_brief ? 2 : n;
  g_autofree float *logits = g_new (float, n_places *d_vocab);

  if (check->config->unembed == ATN_UNEMBED_NONE)
    return;

  for (size_t i = 0; i < n_places; i++) {
    const size_t place = !is_brief ? i : i == 0 ? n / 2 : n - 1;

    atn_trace_compute_logits (check->trace, place, logits + i * d_vocab);
  }
  compare (check, "logits", logits, n_places * d_vocab, false);
}

static void
check_input (const char *fixture, AtnModel *model, AtnExpect *expect, const AtnJson *input)
{
  const AtnJson *settings = atn_json_get_member (input, "whatif");
  const AtnWhatIf what_if = read_what_if (settings);
  g_autoptr (AtnTokens) tokens = make_tokens (model, input);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTrace) trace = atn_trace_run (model, tokens, &what_if, NULL, NULL, NULL, &error);
  const Check check = {
    .fixture = fixture,
    .input = atn_json_get_string (atn_json_get_member (input, "key")),
    .expect = expect,
    .trace = trace,
    .config = atn_model_get_config (model),
    .is_long = tokens->n_tokens > LONG,
    .has_settings = settings != NULL,
  };

  g_assert_no_error (error);
  for (size_t layer = 0; layer < check.config->n_layers; layer++)
    compare_layer (&check, layer);
  compare_logits (&check);
}

/* The text of an input gives its ids, and the request gives the same numbers as the trace. */
static void
check_text (AtnModel *model, const AtnJson *input)
{
  const AtnJson *text = atn_json_get_member (input, "text");
  const AtnJson *pair = atn_json_get_member (input, "pair");
  const AtnJson *id = atn_json_get_first (atn_json_get_member (input, "ids"));
  g_autoptr (AtnTokens) tokens = NULL;
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    return;

  tokens = atn_tokenizer_encode (atn_model_get_tokenizer (model), atn_json_get_string (text), -1,
                                 pair != NULL ? atn_json_get_string (pair) : NULL, -1, &error);
  g_assert_no_error (error);
  for (size_t t = 0; t < tokens->n_tokens; t++, id = atn_json_get_next (id))
    g_assert_cmpuint (tokens->tokens[t].id, ==, (guint) atn_json_get_number (id));
  g_assert_null (id);
}

static void
test_every_tensor_is_the_reference_s (gconstpointer data)
{
  const char *name = data;
  g_autofree char *numbers =
    g_test_build_filename (G_TEST_DIST, "fixtures", "models", name, "expect.safetensors", NULL);
  g_autofree char *list =
    g_test_build_filename (G_TEST_DIST, "fixtures", "models", name, "expect.json", NULL);
  g_autoptr (AtnModel) model = atn_test_open_fixture (name);
  g_autoptr (AtnExpect) expect = atn_expect_open (numbers);
  g_autoptr (AtnJson) json = atn_test_read_json (list);
  const AtnJson *input = atn_json_get_first (atn_json_get_member (json, "inputs"));
  size_t n_inputs = 0;

  for (; input != NULL; input = atn_json_get_next (input), n_inputs++) {
    check_input (name, model, expect, input);
    check_text (model, input);
  }
  g_assert_cmpuint (n_inputs, >=, 4);
}

/* MPNet's vocabulary has both spellings; BERT's is a word like others there. */
static void
test_the_mask_is_a_special_token (void)
{
  g_autoptr (AtnModel) mpnet = atn_test_open_fixture ("mpnet");
  g_autoptr (AtnModel) bert = atn_test_open_fixture ("bert");
  uint32_t id;

  g_assert_cmpstr (atn_model_get_mask_token (mpnet, &id), ==, "<mask>");
  g_assert_true (atn_tokenizer_is_special (atn_model_get_tokenizer (mpnet), id));
  g_assert_cmpstr (atn_model_get_mask_token (bert, &id), ==, "[MASK]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (fixtures); i++) {
    g_autofree char *path = g_strdup_printf ("/core/model/reference/%s", fixtures[i]);

    g_test_add_data_func (path, fixtures[i], test_every_tensor_is_the_reference_s);
  }
  g_test_add_func ("/core/model/mask", test_the_mask_is_a_special_token);

  return g_test_run ();
}
