/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The whole generic block against its twin in double, over kinds of blocks and
 * settings, and what must hold of any trace.
 */

#include "atn-test.h"
#include "atn-twin.h"
#include "engine/atn-attention.h"
#include "engine/atn-prediction.h"
#include "engine/atn-trace.h"
#include "engine/atn-workers.h"
#include "model/atn-slots.h"

#include <math.h>

/* Worst seen over these configurations: 4.2e-6. */
#define WEIGHT_TOLERANCE 1e-5
/* · max (1, |value|). Worst seen: 4.6e-5, where no scale makes weights of 0 and 1. */
#define SCORE_TOLERANCE 1e-4

#define BASE                                                                                       \
  .n_layers = 2, .n_heads = 4, .n_kv_heads = 4, .d_model = 16, .d_head = 4, .d_v = 4, .d_mlp = 24, \
  .d_vocab = 11, .n_ctx = 160, .norm_eps = 1e-5, .rope_theta = 100.0, .rotary_dim = 4,             \
  .causal = true, .has_biases = true, .unembed = ATN_UNEMBED_OWN, .norm = ATN_NORM_LAYERNORM,      \
  .final_norm = true

/* Later initialisers win over those of BASE. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"

static const AtnTwinSpec specs[] = {
  { BASE, .name = "pre-layernorm", .positions = ATN_POSITIONS_LEARNED },
  { BASE, .name = "post-layernorm", .norm_position = ATN_NORM_POST, .causal = false,
    .activation = ATN_ACTIVATION_GELU },
  { BASE, .name = "post-rmsnorm", .norm_position = ATN_NORM_POST, .norm = ATN_NORM_RMSNORM,
    .final_norm = false, .positions = ATN_POSITIONS_SINUSOIDAL },
  { BASE, .name = "llama-like", .norm = ATN_NORM_RMSNORM, .gated_mlp = true, .n_kv_heads = 2,
    .positions = ATN_POSITIONS_ROPE, .activation = ATN_ACTIVATION_SILU, .has_biases = false },
  { BASE, .name = "partial-rotation", .positions = ATN_POSITIONS_ROPE, .rotary_dim = 2,
    .n_kv_heads = 1, .activation = ATN_ACTIVATION_GELU_TANH },
  { BASE, .name = "wide-values", .d_v = 7, .n_kv_heads = 2, .positions = ATN_POSITIONS_SINUSOIDAL,
    .unembed = ATN_UNEMBED_TIED },
  { BASE, .name = "attention-only", .d_mlp = 0, .norm = ATN_NORM_NONE, .final_norm = false,
    .n_layers = 3, .unembed = ATN_UNEMBED_TIED, .has_biases = false },
  { BASE, .name = "gated-without-norm", .norm = ATN_NORM_NONE, .gated_mlp = true, .n_layers = 1,
    .activation = ATN_ACTIVATION_GELU_TANH, .positions = ATN_POSITIONS_LEARNED },
  { BASE, .name = "no-limit", .n_ctx = 0, .positions = ATN_POSITIONS_ROPE, .scale = 0.3,
    .causal = false, .unembed = ATN_UNEMBED_NONE },
  { BASE, .name = "one-head-odd-width", .n_heads = 1, .n_kv_heads = 1, .d_model = 5, .d_head = 3,
    .d_v = 2, .scale = 1.0, .positions = ATN_POSITIONS_SINUSOIDAL },
  { BASE, .name = "parallel-two-norms", .parallel = ATN_PARALLEL_TWO_NORMS, .rotary_dim = 2,
    .positions = ATN_POSITIONS_ROPE, .activation = ATN_ACTIVATION_GELU },
  { BASE, .name = "parallel-one-norm", .parallel = ATN_PARALLEL_ONE_NORM, .n_kv_heads = 2,
    .positions = ATN_POSITIONS_ROPE, .rope_pairs = ATN_ROPE_NEIGHBOURS, .rotary_dim = 2,
    .qk_norm = ATN_QK_NORM_SHARED },
  { BASE, .name = "parallel-without-norm", .parallel = ATN_PARALLEL_TWO_NORMS,
    .norm = ATN_NORM_NONE, .n_layers = 1 },
  { BASE, .name = "gemma2-like", .norm = ATN_NORM_RMSNORM, .norm_offset = 1.0, .n_layers = 3,
    .branch_norms = true, .gated_mlp = true, .activation = ATN_ACTIVATION_GELU_TANH,
    .n_kv_heads = 2, .positions = ATN_POSITIONS_ROPE, .embed_scale = 1.7, .window = 5,
    .window_on_odd_layers = true, .score_cap = 3.0, .logit_scale = 0.5, .logit_cap = 2.0,
    .has_biases = false },
  { BASE, .name = "post-and-branch-norms", .norm_position = ATN_NORM_POST, .branch_norms = true,
    .window = 3, .causal = false },
  { BASE, .name = "alibi", .n_heads = 6, .n_kv_heads = 6, .positions = ATN_POSITIONS_ALIBI,
    .embed_norm = true },
  { BASE, .name = "alibi-shared", .n_kv_heads = 2, .positions = ATN_POSITIONS_ALIBI, .window = 70,
    .norm = ATN_NORM_RMSNORM, .score_cap = 4.0 },
  { BASE, .name = "buckets", .n_buckets = 32, .max_distance = 128, .is_bidirectional = true,
    .norm_position = ATN_NORM_POST, .causal = false, .positions = ATN_POSITIONS_LEARNED },
  { BASE, .name = "buckets-one-way", .n_buckets = 9, .max_distance = 30, .n_kv_heads = 2,
    .window = 40, .score_cap = 4.0, .norm = ATN_NORM_RMSNORM, .has_biases = false },
  { BASE, .name = "buckets-few", .n_buckets = 5, .max_distance = 2, .is_bidirectional = true,
    .scale = 1.0, .positions = ATN_POSITIONS_ROPE, .n_layers = 1 },
  { BASE, .name = "norms-per-head", .qk_norm = ATN_QK_NORM_PER_HEAD, .n_kv_heads = 2,
    .positions = ATN_POSITIONS_ROPE },
  { BASE, .name = "qwen3-like", .qk_norm = ATN_QK_NORM_SHARED, .norm = ATN_NORM_RMSNORM,
    .n_kv_heads = 2, .positions = ATN_POSITIONS_ROPE, .d_head = 6, .rotary_dim = 6 },
  { BASE, .name = "longrope", .positions = ATN_POSITIONS_ROPE, .rope_short = { 1.5, 3.0 },
    .rope_long = { 2.5, 4.0 }, .rope_original = 7, .rope_attention = 1.2 },
  { BASE, .name = "position-offset", .positions = ATN_POSITIONS_LEARNED, .position_offset = 2,
    .n_ctx = 80 },
};

#pragma GCC diagnostic pop

static const AtnWhatIf settings[] = {
  { 0 },
  { .causal = ATN_CAUSAL_ON },
  { .causal = ATN_CAUSAL_OFF, .scale = ATN_SCALE_NONE },
  { .scale = ATN_SCALE_SQRT, .temperature = 0.5f },
  { .scale = ATN_SCALE_NUMBER, .scale_number = 0.2f, .temperature = 2.0f },
};

/* One token, a few, and more than one block of rows. */
static const size_t lengths[] = { 1, 2, 7, ATN_ATTENTION_BLOCK + 9 };

static AtnModel *
open_twin (const AtnTwin *twin)
{
  char *folder = atn_test_make_folder ();
  g_autofree char *json = atn_twin_dup_json (twin);
  g_autofree char *path = atn_test_write_file (folder, "twin.json", json, -1);
  g_autoptr (GError) error = NULL;
  AtnModel *model = atn_model_open (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  atn_test_remove_folder (folder);
  return model;
}

static AtnTokens *
make_tokens (AtnModel *model, const uint32_t *ids, size_t n_tokens)
{
  AtnTokens *tokens = g_new0 (AtnTokens, 1);

  g_atomic_ref_count_init (&tokens->ref_count);
  tokens->tokenizer = atn_tokenizer_ref (atn_model_get_tokenizer (model));
  tokens->n_tokens = n_tokens;
  tokens->tokens = g_new0 (AtnToken, n_tokens);
  for (size_t t = 0; t < n_tokens; t++)
    tokens->tokens[t] = (AtnToken){ .id = ids[t], .text = "t", .start = -1, .end = -1 };

  return tokens;
}

/* The same ids in every test. */
static void
fill_ids (uint32_t *ids, size_t n_tokens, size_t d_vocab)
{
  for (size_t t = 0; t < n_tokens; t++)
    ids[t] = (uint32_t) ((t * t + 3 * t + 1) % d_vocab);
}

static AtnTrace *
run_model (AtnModel *model, size_t n_tokens, const AtnWhatIf *what_if)
{
  g_autofree uint32_t *ids = g_new (uint32_t, n_tokens);
  g_autoptr (AtnTokens) tokens = NULL;
  g_autoptr (GError) error = NULL;
  AtnTrace *trace;

  fill_ids (ids, n_tokens, atn_model_get_config (model)->d_vocab);
  tokens = make_tokens (model, ids, n_tokens);
  trace = atn_trace_run (model, tokens, what_if, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

/* The spec called @name, opened and run as trained over @n_tokens. */
static AtnTrace *
run_spec (const char *name, size_t n_tokens)
{
  for (size_t i = 0; i < G_N_ELEMENTS (specs); i++) {
    if (strcmp (specs[i].name, name) == 0) {
      g_autoptr (AtnTwin) twin = atn_twin_new (&specs[i], 5);
      g_autoptr (AtnModel) model = open_twin (twin);

      return run_model (model, n_tokens, NULL);
    }
  }

  g_assert_not_reached ();
}

static double worst_weight, worst_score; /* in tolerances' units, for the comments above */

static void
compare (const char *what, const float *values, const double *expected, size_t n, bool is_weight)
{
  for (size_t i = 0; i < n; i++) {
    const double difference = fabs ((double) values[i] - expected[i]);
    const double tolerance =
      is_weight ? WEIGHT_TOLERANCE : SCORE_TOLERANCE * fmax (1.0, fabs (expected[i]));

    if (isinf (expected[i]) && (double) values[i] == expected[i])
      continue;
    if (is_weight)
      worst_weight = fmax (worst_weight, difference);
    else
      worst_score = fmax (worst_score, difference / fmax (1.0, fabs (expected[i])));
    if (!(difference <= tolerance))
      g_error ("%s[%zu] is %g, expected %g", what, i, (double) values[i], expected[i]);
  }
}

static void
compare_stages (const AtnTwin *twin,
                const AtnTwinRun *run,
                const AtnTrace *trace,
                size_t layer,
                size_t head)
{
  const AtnConfig *c = atn_model_get_config (atn_trace_get_model (trace));
  const size_t n = run->n_tokens * run->n_tokens;

  for (int i = 0; i < ATN_N_STAGES; i++) {
    const AtnStage stage = (AtnStage) i;
    const bool is_weight = stage == ATN_STAGE_PATTERN;
    g_autoptr (AtnMatrix) matrix = NULL;

    if (!atn_stage_is_present (stage, c, atn_trace_get_what_if (trace)))
      continue;
    matrix = atn_trace_dup_matrix (trace, layer, head, stage, NULL);
    compare (atn_stage_get_name (stage), matrix->values,
             atn_twin_run_get_stage (twin, run, layer, head, stage), n, is_weight);
  }
}

static void
compare_layer (const AtnTwin *twin, const AtnTwinRun *run, const AtnTrace *trace, size_t layer)
{
  const AtnConfig *c = atn_model_get_config (atn_trace_get_model (trace));
  const size_t n_tokens = run->n_tokens;
  const size_t n_q = n_tokens * c->n_heads * c->d_head;
  const size_t n_k = n_tokens * c->n_kv_heads * c->d_head;
  const size_t n_v = n_tokens * c->n_kv_heads * c->d_v;
  g_autofree float *z = g_new (float, n_tokens * c->d_v);

  compare ("resid_pre", atn_trace_get_resid_pre (trace, layer),
           run->resid_pre + layer * n_tokens * c->d_model, n_tokens * c->d_model, false);
  compare ("q", atn_trace_get_q (trace, layer), run->q + layer * n_q, n_q, false);
  compare ("k", atn_trace_get_k (trace, layer), run->k + layer * n_k, n_k, false);
  compare ("v", atn_trace_get_v (trace, layer), run->v + layer * n_v, n_v, false);

  for (size_t head = 0; head < c->n_heads; head++) {
    compare_stages (twin, run, trace, layer, head);
    atn_trace_compute_z (trace, layer, head, NULL, z);
    for (size_t t = 0; t < n_tokens; t++)
      compare ("z", z + t * c->d_v, run->z + ((layer * n_tokens + t) * c->n_heads + head) * c->d_v,
               c->d_v, false);
  }
}

static void
compare_run (const AtnTwin *twin, AtnModel *model, size_t n_tokens, const AtnWhatIf *what_if)
{
  const AtnConfig *c = atn_model_get_config (model);
  g_autofree uint32_t *ids = g_new (uint32_t, n_tokens);
  g_autofree float *logits = g_new (float, c->d_vocab);
  g_autoptr (AtnTrace) trace = run_model (model, n_tokens, what_if);
  g_autoptr (AtnTwinRun) run = NULL;

  fill_ids (ids, n_tokens, c->d_vocab);
  run = atn_twin_run (twin, ids, n_tokens, what_if);
  for (size_t layer = 0; layer < c->n_layers; layer++)
    compare_layer (twin, run, trace, layer);
  compare ("resid_final", atn_trace_get_resid_final (trace),
           run->resid_pre + c->n_layers * n_tokens * c->d_model, n_tokens * c->d_model, false);

  for (size_t t = 0; t < n_tokens && atn_model_can_predict (model); t++) {
    atn_trace_compute_logits (trace, t, logits);
    compare ("logits", logits, run->logits + t * c->d_vocab, c->d_vocab, false);
  }
}

static void
test_the_block_equals_its_twin (gconstpointer data)
{
  const AtnTwinSpec *spec = data;
  g_autoptr (AtnTwin) twin = atn_twin_new (spec, 5);
  g_autoptr (AtnModel) model = open_twin (twin);

  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++) {
    /* The twin is slow: long texts run with two of the settings. */
    for (size_t j = 0; j<G_N_ELEMENTS (settings); j += lengths[i]> ATN_ATTENTION_BLOCK ? 3 : 1)
      compare_run (twin, model, lengths[i], &settings[j]);
  }

  g_test_message ("worst weight %g, worst score %g", worst_weight, worst_score);
}

static void
test_rows_sum_to_one_and_the_future_is_zero (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("pre-layernorm", 70);

  for (size_t i = 0; i < 2 * 4; i++) {
    g_autoptr (AtnMatrix) matrix =
      atn_trace_dup_matrix (trace, i / 4, i % 4, ATN_STAGE_PATTERN, NULL);

    for (size_t query = 0; query < 70; query++) {
      double sum = 0.0;

      for (size_t key = 0; key < 70; key++) {
        sum += (double) atn_matrix_get (matrix, query, key);
        g_assert_cmpint (atn_matrix_is_forbidden (matrix, query, key), ==, key > query);
        if (key > query)
          g_assert_cmpfloat (atn_matrix_get (matrix, query, key), ==, 0.0f);
      }
      g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-6);
    }
  }
}

static void
test_only_stages_after_the_mask_have_forbidden_cells (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("pre-layernorm", 3);
  g_autoptr (AtnMatrix) scaled = atn_trace_dup_matrix (trace, 0, 0, ATN_STAGE_SCALED, NULL);
  g_autoptr (AtnMatrix) masked = atn_trace_dup_matrix (trace, 0, 0, ATN_STAGE_MASKED, NULL);

  g_assert_null (scaled->forbidden);
  g_assert_true (isfinite (atn_matrix_get (scaled, 0, 2)));
  g_assert_true (atn_matrix_is_forbidden (masked, 0, 2));
  g_assert_true (isinf (atn_matrix_get (masked, 0, 2)) && atn_matrix_get (masked, 0, 2) < 0.0f);
}

static void
test_a_prefix_has_the_trace_of_the_prefix (void)
{
  g_autoptr (AtnTrace) whole = run_spec ("llama-like", 70);
  g_autoptr (AtnTrace) prefix = run_spec ("llama-like", 20);
  const size_t d_model = atn_model_get_config (atn_trace_get_model (whole))->d_model;

  for (size_t i = 0; i < 20 * d_model; i++)
    g_assert_cmpfloat_with_epsilon ((double) atn_trace_get_resid_final (whole)[i],
                                    (double) atn_trace_get_resid_final (prefix)[i], 1e-5);
}

/* resid_mid = resid_pre + Σ_h z_h W_O^h + b_O; without an MLP that is the next layer's input. */
static void
test_heads_add_up_to_the_stream (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("attention-only", 9);
  const AtnModel *model = atn_trace_get_model (trace);
  const AtnConfig *c = atn_model_get_config (model);
  const AtnLinear *o = &atn_model_get_slots (model)->blocks[0].o;
  g_autofree double *sum = g_new (double, 9 * c->d_model);
  g_autofree float *z = g_new (float, 9 * c->d_v);

  for (size_t i = 0; i < 9 * c->d_model; i++)
    sum[i] = (double) atn_trace_get_resid_pre (trace, 0)[i];
  for (size_t head = 0; head < c->n_heads; head++) {
    atn_trace_compute_z (trace, 0, head, NULL, z);
    for (size_t i = 0; i < 9 * c->d_model; i++) {
      for (size_t d = 0; d < c->d_v; d++)
        sum[i] += (double) z[i / c->d_model * c->d_v + d] *
                  (double) o->weight[(head * c->d_v + d) * c->d_model + i % c->d_model];
    }
  }
  compare ("resid_pre of layer 1", atn_trace_get_resid_pre (trace, 1), sum, 9 * c->d_model, false);
}

static void
test_rows_equal_the_whole_matrix (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("llama-like", 70);
  float rows[5 * 70];

  for (int i = 0; i < ATN_N_STAGES; i++) {
    g_autoptr (AtnMatrix) matrix = atn_trace_dup_matrix (trace, 1, 3, (AtnStage) i, NULL);

    atn_trace_compute_rows (trace, 1, 3, (AtnStage) i, NULL, 62, 5, rows);
    for (size_t j = 0; j < G_N_ELEMENTS (rows); j++) {
      if (rows[j] != matrix->values[62 * 70 + j])
        g_assert_cmpfloat_with_epsilon ((double) rows[j], (double) matrix->values[62 * 70 + j],
                                        2e-6);
    }
  }
}

static void
test_a_head_s_what_if_keeps_q_and_k (void)
{
  const AtnWhatIf off = { .causal = ATN_CAUSAL_OFF, .scope = ATN_SCOPE_HEAD };
  g_autoptr (AtnTrace) trace = run_spec ("pre-layernorm", 4);
  g_autoptr (AtnMatrix) scaled = atn_trace_dup_matrix (trace, 1, 2, ATN_STAGE_SCALED, NULL);
  g_autoptr (AtnMatrix) masked = atn_trace_dup_matrix (trace, 1, 2, ATN_STAGE_MASKED, &off);

  g_assert_null (masked->forbidden);
  g_assert_cmpmem (scaled->values, 16 * sizeof (float), masked->values, 16 * sizeof (float));
}

static void
test_a_small_thumbnail_is_the_matrix (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("pre-layernorm", 7);
  g_autoptr (AtnMatrix) matrix = atn_trace_dup_matrix (trace, 0, 1, ATN_STAGE_MASKED, NULL);
  g_autoptr (AtnMatrix) picture = atn_trace_dup_thumbnail (trace, 0, 1, ATN_STAGE_MASKED, NULL, 48);

  g_assert_cmpuint (picture->n_rows, ==, 7);
  for (size_t i = 0; i < 49; i++) {
    g_assert_cmpint (picture->forbidden[i], ==, matrix->forbidden[i]);
    if (picture->values[i] != matrix->values[i])
      g_assert_cmpfloat_with_epsilon ((double) picture->values[i], (double) matrix->values[i],
                                      2e-6);
  }
}

static void
test_a_thumbnail_keeps_the_largest_magnitude (void)
{
  const AtnStage stages[] = { ATN_STAGE_DOT, ATN_STAGE_MASKED, ATN_STAGE_PATTERN };
  g_autoptr (AtnTrace) trace = run_spec ("pre-layernorm", 100);

  for (size_t i = 0; i < G_N_ELEMENTS (stages); i++) {
    g_autoptr (AtnMatrix) matrix = atn_trace_dup_matrix (trace, 0, 1, stages[i], NULL);
    g_autoptr (AtnMatrix) picture = atn_trace_dup_thumbnail (trace, 0, 1, stages[i], NULL, 7);
    float best = 0.0f, best_shown = 0.0f;

    for (size_t j = 0; j < 100 * 100; j++)
      if (!atn_matrix_is_forbidden (matrix, j / 100, j % 100))
        best = fmaxf (best, fabsf (matrix->values[j]));
    for (size_t j = 0; j < 7 * 7; j++)
      if (!atn_matrix_is_forbidden (picture, j / 7, j % 7))
        best_shown = fmaxf (best_shown, fabsf (picture->values[j]));
    g_assert_cmpfloat_with_epsilon ((double) best, (double) best_shown, 1e-5 * (double) best);

    /* The corner lies wholly in the future. */
    g_assert_cmpint (atn_matrix_is_forbidden (picture, 0, 6), ==, stages[i] != ATN_STAGE_DOT);
    g_assert_false (atn_matrix_is_forbidden (picture, 3, 3));
  }
}

/* The inspector's numbers are those of the matrices. */
static void
check_cell (const AtnTrace *trace, const AtnWhatIf *what_if, size_t query, size_t key)
{
  const AtnStage stages[] = { ATN_STAGE_UNROTATED, ATN_STAGE_DOT,          ATN_STAGE_SCALED,
                              ATN_STAGE_PATTERN,   ATN_STAGE_CONTRIBUTION, ATN_STAGE_CAPPED,
                              ATN_STAGE_BIASED };
  float shown[G_N_ELEMENTS (stages)][9];
  AtnCell cell;

  atn_trace_inspect (trace, 1, 2, what_if, query, key, &cell);
  for (size_t i = 0; i < G_N_ELEMENTS (stages); i++)
    atn_trace_compute_rows (trace, 1, 2, stages[i], what_if, query, 1, shown[i]);

  g_assert_cmpfloat_with_epsilon (cell.unrotated, (double) shown[0][key], 1e-5);
  g_assert_cmpfloat_with_epsilon (cell.dot, (double) shown[1][key], 1e-5);
  g_assert_cmpfloat_with_epsilon (cell.scaled, (double) shown[2][key], 1e-5);
  g_assert_cmpfloat_with_epsilon (cell.weight, (double) shown[3][key], 1e-6);
  g_assert_cmpfloat_with_epsilon (cell.contribution, (double) shown[4][key], 1e-5);
  g_assert_cmpfloat_with_epsilon (cell.capped, (double) shown[5][key], 1e-5);
  g_assert_cmpfloat_with_epsilon (cell.biased, (double) shown[6][key], 1e-5);
  g_assert_cmpfloat_with_epsilon (cell.dot, cell.q_norm * cell.k_norm * cell.cosine, 1e-9);
  g_assert_cmpfloat_with_epsilon (cell.scaled, cell.dot * cell.scale, 1e-12);
  g_assert_cmpfloat_with_epsilon (cell.weight, cell.exp / cell.row_sum, 1e-12);
}

static void
test_the_inspector_shows_the_same_numbers (void)
{
  const char *const names[] = { "llama-like",        "gemma2-like", "alibi",          "longrope",
                                "parallel-one-norm", "buckets",     "buckets-one-way" };

  for (size_t name = 0; name < G_N_ELEMENTS (names); name++) {
    g_autoptr (AtnTrace) trace = run_spec (names[name], 9);

    for (size_t i = 0; i < G_N_ELEMENTS (settings); i++) {
      for (size_t j = 0; j < 9 * 9; j++)
        check_cell (trace, &settings[i], j / 9, j % 9);
    }
  }
}

static void
test_a_window_forbids_what_is_far (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("gemma2-like", 9);
  g_autoptr (AtnMatrix) wide = atn_trace_dup_matrix (trace, 0, 0, ATN_STAGE_PATTERN, NULL);
  g_autoptr (AtnMatrix) narrow = atn_trace_dup_matrix (trace, 1, 0, ATN_STAGE_PATTERN, NULL);
  g_autoptr (AtnMatrix) picture = atn_trace_dup_thumbnail (trace, 1, 0, ATN_STAGE_MASKED, NULL, 3);
  AtnCell cell;

  for (size_t i = 0; i < 9 * 9; i++) {
    g_assert_cmpint (wide->forbidden[i], ==, i % 9 > i / 9);
    g_assert_cmpint (narrow->forbidden[i], ==, i % 9 > i / 9 || i % 9 + 5 <= i / 9);
    if (narrow->forbidden[i])
      g_assert_cmpfloat (narrow->values[i], ==, 0.0f);
  }
  /* Rows 6 to 8, columns 0 to 2: query 6 still sees key 2. */
  g_assert_false (atn_matrix_is_forbidden (picture, 2, 0));
  g_assert_true (atn_matrix_is_forbidden (picture, 0, 2));

  atn_trace_inspect (trace, 1, 0, NULL, 7, 2, &cell);
  g_assert_true (cell.is_forbidden);
  g_assert_cmpuint (cell.n_visible, ==, 5);
}

static void
test_the_inspector_knows_what_is_forbidden (void)
{
  g_autoptr (AtnTrace) trace = run_spec ("pre-layernorm", 9);
  AtnCell cell;

  atn_trace_inspect (trace, 0, 0, NULL, 3, 5, &cell);
  g_assert_true (cell.is_forbidden);
  g_assert_cmpuint (cell.n_visible, ==, 4);
  g_assert_cmpfloat (cell.weight, ==, 0.0);
  g_assert_cmpfloat (cell.exp, ==, 0.0);
  g_assert_cmpfloat (cell.contribution, ==, 0.0);
}

static void
test_a_trace_grows_with_its_length_only (void)
{
  const AtnConfig gpt2 = { .n_layers = 12,
                           .n_heads = 12,
                           .n_kv_heads = 12,
                           .d_model = 768,
                           .d_head = 64,
                           .d_v = 64 };
  size_t one, thousand, huge;

  g_assert_true (atn_trace_measure (&gpt2, 1, &one));
  g_assert_true (atn_trace_measure (&gpt2, 1024, &thousand));
  g_assert_cmpuint (thousand, ==, 1024 * one);
  g_assert_cmpuint (thousand, <, 160u << 20);
  g_assert_false (atn_trace_measure (&gpt2, SIZE_MAX / 1000, &huge));
}

static void
test_a_text_of_unbounded_length_is_refused_before_memory (void)
{
  /* 32,800 floats a token, so that not too many tokens are needed. */
  const AtnTwinSpec wide = { .n_layers = 2,
                             .n_heads = 16,
                             .n_kv_heads = 16,
                             .d_model = 16,
                             .d_head = 512,
                             .d_v = 4,
                             .d_vocab = 3 };
  g_autoptr (AtnTwin) twin = atn_twin_new (&wide, 5);
  g_autoptr (AtnModel) model = open_twin (twin);
  const size_t n_tokens = 40 * 1000;
  g_autofree uint32_t *ids = g_new0 (uint32_t, n_tokens);
  g_autoptr (AtnTokens) tokens = make_tokens (model, ids, n_tokens);
  g_autoptr (GError) error = NULL;

  g_assert_null (atn_trace_run (model, tokens, NULL, NULL, NULL, NULL, &error));
  atn_test_assert_error (error, ATN_ERROR_TOO_LARGE, "40000");
}

/* Large enough for several threads, where there are: the short run has one. */
static void
test_a_large_run_begins_like_a_small_one (void)
{
  const AtnTwinSpec large = { .n_layers = 2,
                              .n_heads = 4,
                              .n_kv_heads = 4,
                              .d_model = 256,
                              .d_head = 64,
                              .d_v = 64,
                              .d_mlp = 1024,
                              .d_vocab = 50,
                              .activation = ATN_ACTIVATION_GELU_TANH,
                              .norm = ATN_NORM_LAYERNORM,
                              .norm_eps = 1e-5,
                              .final_norm = true,
                              .causal = true,
                              .has_biases = true };
  g_autoptr (AtnTwin) twin = atn_twin_new (&large, 5);
  g_autoptr (AtnModel) model = open_twin (twin);
  g_autoptr (AtnTrace) whole = run_model (model, 700, NULL);
  g_autoptr (AtnTrace) prefix = run_model (model, 70, NULL);

  for (size_t i = 0; i < 70 * 256; i++)
    g_assert_cmpfloat_with_epsilon ((double) atn_trace_get_resid_final (whole)[i],
                                    (double) atn_trace_get_resid_final (prefix)[i], 1e-4);
}

static void
test_several_threads_give_the_same (void)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_setenv (launcher, "OPENBLAS_NUM_THREADS", "3", TRUE);
  process =
    g_subprocess_launcher_spawn (launcher, &error, program, "-p", "/core/engine/large", NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
}

static void
count_task_cb (size_t task, size_t worker, gpointer user_data)
{
  int *counts = user_data;

  g_assert_cmpuint (worker, <, 3);
  g_atomic_int_inc (&counts[task]);
}

static void
test_workers_do_every_task_once (void)
{
  const size_t sizes[] = { 0, 1, 2, 500 };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    int counts[500] = { 0 };

    atn_workers_run (3, sizes[i], count_task_cb, counts);
    for (size_t task = 0; task < 500; task++)
      g_assert_cmpint (counts[task], ==, task < sizes[i] ? 1 : 0);
  }
}

static void
test_a_cancelled_run_gives_nothing (void)
{
  g_autoptr (AtnTwin) twin = atn_twin_new (&specs[0], 5);
  g_autoptr (AtnModel) model = open_twin (twin);
  const uint32_t ids[] = { 1, 2, 3 };
  g_autoptr (AtnTokens) tokens = make_tokens (model, ids, 3);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (atn_trace_run (model, tokens, NULL, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
count_progress_cb (double fraction, gpointer user_data)
{
  double *last = user_data;

  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1.0);
  *last = fraction;
}

static void
test_progress_goes_up_to_one (void)
{
  g_autoptr (AtnTwin) twin = atn_twin_new (&specs[0], 5);
  g_autoptr (AtnModel) model = open_twin (twin);
  const uint32_t ids[] = { 1, 2, 3 };
  g_autoptr (AtnTokens) tokens = make_tokens (model, ids, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnTrace) trace = NULL;
  double last = 0.0;

  trace = atn_trace_run (model, tokens, NULL, count_progress_cb, &last, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (last, ==, 1.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (specs); i++) {
    g_autofree char *path = g_strdup_printf ("/core/engine/twin/%s", specs[i].name);

    g_test_add_data_func (path, &specs[i], test_the_block_equals_its_twin);
  }
  g_test_add_func ("/core/engine/rows", test_rows_sum_to_one_and_the_future_is_zero);
  g_test_add_func ("/core/engine/forbidden", test_only_stages_after_the_mask_have_forbidden_cells);
  g_test_add_func ("/core/engine/prefix", test_a_prefix_has_the_trace_of_the_prefix);
  g_test_add_func ("/core/engine/heads-add-up", test_heads_add_up_to_the_stream);
  g_test_add_func ("/core/engine/compute-rows", test_rows_equal_the_whole_matrix);
  g_test_add_func ("/core/engine/scope-head", test_a_head_s_what_if_keeps_q_and_k);
  g_test_add_func ("/core/engine/thumbnail/small", test_a_small_thumbnail_is_the_matrix);
  g_test_add_func ("/core/engine/thumbnail/pooled", test_a_thumbnail_keeps_the_largest_magnitude);
  g_test_add_func ("/core/engine/window", test_a_window_forbids_what_is_far);
  g_test_add_func ("/core/engine/inspect/numbers", test_the_inspector_shows_the_same_numbers);
  g_test_add_func ("/core/engine/inspect/forbidden", test_the_inspector_knows_what_is_forbidden);
  g_test_add_func ("/core/engine/measure", test_a_trace_grows_with_its_length_only);
  g_test_add_func ("/core/engine/too-long",
                   test_a_text_of_unbounded_length_is_refused_before_memory);
  g_test_add_func ("/core/engine/large", test_a_large_run_begins_like_a_small_one);
  g_test_add_func ("/core/engine/threads", test_several_threads_give_the_same);
  g_test_add_func ("/core/engine/workers", test_workers_do_every_task_once);
  g_test_add_func ("/core/engine/cancelled", test_a_cancelled_run_gives_nothing);
  g_test_add_func ("/core/engine/progress", test_progress_goes_up_to_one);

  return g_test_run ();
}
