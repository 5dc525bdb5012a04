/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The forward pass. Each layer reads its input from the trace and writes the
 * next layer's input there; q, k and v go straight to where they are kept.
 *
 *   trace:    resid_pre[L] ── norm1 ──► q k v ── attention ──► z ── W_O ──► (+) resid_pre[L + 1]
 *                                                             resid_pre[L + 1] += mlp (norm2 (…))
 *             (parallel: the MLP reads resid_pre[L]; branch_norms: through branch, normed there)
 *   scratch:  embedded [T, d_embed], normed, branch [T, d_model], z [T, H · d_v], hidden and gate
 *             [rows, d_mlp], pattern [block, T] for each worker
 *
 * The scratch is one block, made before the first layer; nothing is allocated
 * in the loop. It grows with T alone: no [T, T] array exists, rows of weights
 * live for one block of one head.
 */

#include "base/atn-blas.h"
#include "base/atn-error.h"
#include "engine/atn-attention.h"
#include "engine/atn-kernels.h"
#include "engine/atn-linear.h"
#include "engine/atn-norm.h"
#include "engine/atn-rope.h"
#include "engine/atn-trace-private.h"
#include "engine/atn-workers.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

/* Below this a second thread waits longer than it works; see atn-workers.h. */
#define THREADING_FLOPS 2e9

/* Rows of an activation that are one worker's task. */
#define ACTIVATION_ROWS 32

/* Rows that go through the MLP at once: enough for full speed, and hidden stays small. */
#define MLP_ROWS 256

typedef struct
{
  AtnTrace *trace;
  const AtnConfig *config;
  const AtnSlots *slots;
  size_t n_tokens;
  size_t n_workers;
  size_t layer;
  AtnProgressFunc progress;
  gpointer progress_data;
  GCancellable *cancellable;
  float *scratch;
  float *embedded; /* [n_tokens, d_embed]; only where embeddings are projected */
  float *normed;   /* [n_tokens, d_model] */
  float *z;        /* [n_tokens, n_heads, d_v] */
  float *hidden;   /* [MLP_ROWS, d_mlp] */
  float *gate;     /* [MLP_ROWS, d_mlp] */
  float *branch;   /* [n_tokens, d_model] attention's or the MLP's output before its own norm */
  float *pattern;  /* [n_workers, ATN_ATTENTION_BLOCK, n_tokens] */
  float *rope_cos; /* [n_tokens, rotary_dim / 2] */
  float *rope_sin;
} Forward;

static gboolean
allocate_scratch (Forward *self, GError **error)
{
  const AtnConfig *c = self->config;
  const size_t n_mlp_rows = MIN (self->n_tokens, MLP_ROWS);
  const struct
  {
    float **part;
    size_t n_rows;
    size_t n;
  } parts[] = {
    { &self->embedded, self->n_tokens, c->embed_project ? c->d_embed : 0 },
    { &self->normed, self->n_tokens, c->d_model },
    { &self->z, self->n_tokens, c->n_heads * c->d_v },
    { &self->hidden, n_mlp_rows, c->d_mlp },
    { &self->gate, n_mlp_rows, c->gated_mlp ? c->d_mlp : 0 },
    { &self->branch, self->n_tokens, c->branch_norms ? c->d_model : 0 },
    { &self->pattern, self->n_workers * ATN_ATTENTION_BLOCK, self->n_tokens },
    { &self->rope_cos, self->n_tokens, c->rotary_dim / 2 },
    { &self->rope_sin, self->n_tokens, c->rotary_dim / 2 },
  };
  size_t total = 0;
  float *next;

  /* No overflow: the trace, which is larger, has been measured, and each size is below 2³¹. */
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    total += parts[i].n_rows * parts[i].n;

  self->scratch = g_try_new (float, total);
  if (self->scratch == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("There is not enough memory to run %zu tokens"), self->n_tokens);
    return FALSE;
  }

  next = self->scratch;
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    *parts[i].part = next;
    next += parts[i].n_rows * parts[i].n;
  }

  return TRUE;
}

static gboolean
is_cancelled (const Forward *self, GError **error)
{
  return g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* A norm of the stream. */
static void
normalize (const Forward *self, const AtnNormWeights *norm, const float *src, float *dst)
{
  atn_norm_apply (norm, self->config, src, self->n_tokens, self->config->d_model, dst);
}

/* Sines on even, cosines on odd dimensions: Vaswani et al. 2017, section 3.5. */
static void
add_sinusoids (float *row, size_t d_model, size_t position)
{
  for (size_t i = 0; i < d_model; i++) {
    const double exponent = (double) (i - i % 2) / (double) d_model;
    const double angle = (double) position / pow (10000.0, exponent);

    row[i] += (float) (i % 2 == 0 ? sin (angle) : cos (angle));
  }
}

/* The row of the position table that a token takes; @n_counted of those before it count. */
static size_t
find_position_row (const AtnConfig *config, const AtnToken *token, size_t *n_counted)
{
  if (config->skips_padding && token->id + 1 == config->first_position)
    return config->first_position - 1;

  return config->first_position + (*n_counted)++;
}

/* resid [n_tokens, d_model] += the rows of the position table. */
static void
add_positions (Forward *self, float *resid)
{
  const size_t d_model = self->config->d_model;
  const float *rows = self->slots->pos_embed + self->config->first_position * d_model;

  atn_add_row (resid, resid, rows, 1, self->n_tokens * d_model);
}

static void
embed_tokens (Forward *self)
{
  const AtnConfig *c = self->config;
  const AtnTokens *tokens = self->trace->tokens;
  const size_t width = c->d_embed;
  float *resid = atn_trace_layer (self->trace, 0);
  float *embedded = c->embed_project ? self->embedded : resid;
  size_t n_counted = 0;

  for (size_t t = 0; t < self->n_tokens; t++) {
    const AtnToken *token = &tokens->tokens[t];
    const size_t position = find_position_row (c, token, &n_counted);
    float *row = embedded + t * width;

    atn_add_row (row, self->slots->embed + token->id * width, NULL, 1, width);
    if (c->embed_scale != 1.0f)
      atn_scale (row, width, c->embed_scale);
    if (c->n_token_types > 0)
      atn_add_row (row, row, self->slots->token_type_embed + token->type_id * width, 1, width);
    if (c->positions == ATN_POSITIONS_LEARNED && !c->positions_after_projection)
      atn_add_row (row, row, self->slots->pos_embed + position * width, 1, width);
    else if (c->positions == ATN_POSITIONS_SINUSOIDAL)
      add_sinusoids (row, width, t);
  }

  if (c->embed_norm)
    atn_norm_apply (&self->slots->embed_norm, c, embedded, self->n_tokens, width, embedded);
  if (c->embed_project)
    atn_linear_apply (&self->slots->embed_project, embedded, self->n_tokens, NULL, self->n_workers,
                      resid);
  if (c->positions_after_projection)
    add_positions (self, resid);
}

static void
rotate (const Forward *self, float *q, float *k)
{
  const AtnConfig *c = self->config;
  const size_t n_pairs = c->rotary_dim / 2;

  for (size_t t = 0; t < self->n_tokens; t++) {
    const float *cos_row = self->rope_cos + t * n_pairs;
    const float *sin_row = self->rope_sin + t * n_pairs;

    atn_rope_rotate (q + t * c->n_heads * c->d_head, c->n_heads, c->d_head, c->rope_pairs, n_pairs,
                     cos_row, sin_row);
    atn_rope_rotate (k + t * c->n_kv_heads * c->d_head, c->n_kv_heads, c->d_head, c->rope_pairs,
                     n_pairs, cos_row, sin_row);
  }
}

/* A block of rows of one head. The last blocks of a causal head are the largest: they go first. */
static void
attend_block_cb (size_t task, size_t worker, gpointer user_data)
{
  Forward *self = user_data;
  const AtnConfig *c = self->config;
  const size_t z_stride = c->n_heads * c->d_v;
  const size_t n_blocks = (self->n_tokens - 1) / ATN_ATTENTION_BLOCK + 1;
  const size_t head = task % c->n_heads;
  const size_t first = (n_blocks - 1 - task / c->n_heads) * ATN_ATTENTION_BLOCK;
  const size_t n = MIN (ATN_ATTENTION_BLOCK, self->n_tokens - first);
  float *pattern = self->pattern + worker * ATN_ATTENTION_BLOCK * self->n_tokens;
  size_t n_keys;
  AtnHead view;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;

  atn_head_init (&view, c, &self->trace->what_if, self->layer, self->n_tokens);
  atn_head_set_vectors (&view, c, head, atn_trace_get_q (self->trace, self->layer),
                        atn_trace_get_k (self->trace, self->layer),
                        atn_trace_get_v (self->trace, self->layer), self->trace->position_bias);
  n_keys = atn_head_count_keys (&view, first, n);
  atn_head_compute_block (&view, ATN_STAGE_PATTERN, first, n, n_keys, pattern, n_keys);
  atn_head_mix_values (&view, pattern, n, n_keys, self->z + first * z_stride + head * c->d_v,
                       z_stride);
}

static gboolean
attend (Forward *self, size_t layer, GError **error)
{
  const size_t n_blocks = (self->n_tokens - 1) / ATN_ATTENTION_BLOCK + 1;

  self->layer = layer;
  atn_workers_run (self->n_workers, n_blocks * self->config->n_heads, attend_block_cb, self);

  return !is_cancelled (self, error);
}

typedef struct
{
  const Forward *forward;
  size_t n_rows;
} Activation;

static void
activate_rows_cb (size_t task, size_t worker, gpointer user_data)
{
  const Activation *activation = user_data;
  const Forward *self = activation->forward;
  const AtnConfig *c = self->config;
  const size_t first = task * ACTIVATION_ROWS * c->d_mlp;
  const size_t n = MIN (ACTIVATION_ROWS, activation->n_rows - task * ACTIVATION_ROWS) * c->d_mlp;

  if (c->gated_mlp) {
    atn_activate (c->activation, self->gate + first, n);
    atn_multiply (self->hidden + first, self->gate + first, n);
  } else {
    atn_activate (c->activation, self->hidden + first, n);
  }
}

/* y [n_tokens, d_model] = mlp (x) + add; @x and @add may be @y, @add may be NULL. */
static gboolean
apply_mlp (Forward *self,
           const AtnBlock *block,
           const float *x,
           const float *add,
           float *y,
           GError **error)
{
  const AtnConfig *c = self->config;

  for (size_t first = 0; first < self->n_tokens; first += MLP_ROWS) {
    const size_t n = MIN (MLP_ROWS, self->n_tokens - first);
    const size_t offset = first * c->d_model;

    if (is_cancelled (self, error))
      return FALSE;

    atn_linear_apply (&block->mlp_in, x + offset, n, NULL, self->n_workers, self->hidden);
    if (c->gated_mlp)
      atn_linear_apply (&block->mlp_gate, x + offset, n, NULL, self->n_workers, self->gate);
    atn_workers_run (self->n_workers, (n - 1) / ACTIVATION_ROWS + 1, activate_rows_cb,
                     &(Activation){ self, n });
    atn_linear_apply (&block->mlp_out, self->hidden, n, add != NULL ? add + offset : NULL,
                      self->n_workers, y + offset);
  }

  return TRUE;
}

/* resid = from + norm (branch) */
static void
add_branch (Forward *self, const AtnNormWeights *norm, const float *from, float *resid)
{
  normalize (self, norm, self->branch, self->branch);
  atn_add_row (resid, from, self->branch, 1, self->n_tokens * self->config->d_model);
}

/* q, k and v of a layer, from @x to where the trace keeps them. */
static void
project (Forward *self, const AtnBlock *block, size_t layer, const float *x)
{
  const AtnConfig *c = self->config;
  float *q = atn_trace_layer (self->trace, layer) + self->trace->q_offset;
  float *k = atn_trace_layer (self->trace, layer) + self->trace->k_offset;
  float *v = atn_trace_layer (self->trace, layer) + self->trace->v_offset;

  atn_linear_apply (&block->q, x, self->n_tokens, NULL, self->n_workers, q);
  atn_linear_apply (&block->k, x, self->n_tokens, NULL, self->n_workers, k);
  atn_linear_apply (&block->v, x, self->n_tokens, NULL, self->n_workers, v);
  if (c->qk_norm != ATN_QK_NORM_NONE) {
    atn_norm_apply_to_heads (block->q_norms, c, self->n_tokens, c->n_heads, q);
    atn_norm_apply_to_heads (block->k_norms, c, self->n_tokens, c->n_kv_heads, k);
  }
  if (c->positions == ATN_POSITIONS_ROPE)
    rotate (self, q, k);
}

/* What the MLP reads: @resid or the layer's input, behind a norm or not. */
static const float *
prepare_mlp (Forward *self, const AtnBlock *block, const float *resid_pre, const float *resid)
{
  const AtnConfig *c = self->config;
  const float *x = c->parallel == ATN_PARALLEL_NONE ? resid : resid_pre;

  if (c->norm == ATN_NORM_NONE || c->norm_position == ATN_NORM_POST)
    return x;

  if (c->parallel != ATN_PARALLEL_ONE_NORM)
    normalize (self, &block->norm2, x, self->normed);
  return self->normed;
}

static gboolean
run_layer (Forward *self, size_t layer, GError **error)
{
  const AtnConfig *c = self->config;
  const AtnBlock *block = &self->slots->blocks[layer];
  const bool pre = c->norm != ATN_NORM_NONE && c->norm_position == ATN_NORM_PRE;
  const bool post = c->norm != ATN_NORM_NONE && c->norm_position == ATN_NORM_POST;
  const float *resid_pre = atn_trace_layer (self->trace, layer);
  float *resid = atn_trace_layer (self->trace, layer + 1);
  const float *attn_add = c->branch_norms ? NULL : resid_pre;
  const float *mlp_add = c->branch_norms ? NULL : resid;

  if (pre)
    normalize (self, &block->norm1, resid_pre, self->normed);
  project (self, block, layer, pre ? self->normed : resid_pre);
  if (!attend (self, layer, error))
    return FALSE;

  atn_linear_apply (&block->o, self->z, self->n_tokens, attn_add, self->n_workers,
                    c->branch_norms ? self->branch : resid);
  if (c->branch_norms)
    add_branch (self, &block->norm1_post, resid_pre, resid);
  if (post)
    normalize (self, &block->norm1, resid, resid);
  if (c->d_mlp == 0)
    return TRUE;

  if (!apply_mlp (self, block, prepare_mlp (self, block, resid_pre, resid), mlp_add,
                  c->branch_norms ? self->branch : resid, error))
    return FALSE;
  if (c->branch_norms)
    add_branch (self, &block->norm2_post, resid, resid);
  if (post)
    normalize (self, &block->norm2, resid, resid);
  return TRUE;
}

static gboolean
check_tokens (const AtnModel *model, const AtnTokens *tokens, GError **error)
{
  const AtnConfig *c = atn_model_get_config (model);

  if (c->n_ctx > 0 && tokens->n_tokens > c->n_ctx) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("The text has %zu tokens, the model takes at most %zu"), tokens->n_tokens,
                 c->n_ctx);
    return FALSE;
  }

  for (size_t t = 0; t < tokens->n_tokens; t++) {
    const AtnToken *token = &tokens->tokens[t];

    if (token->id >= c->d_vocab) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("Token “%s” has the id %u, but the model has only %zu embedding rows"),
                   token->text, token->id, c->d_vocab);
      return FALSE;
    }
    if (c->n_token_types > 0 && token->type_id >= c->n_token_types) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("Token “%s” is in segment %u, but the model has only %zu segments"),
                   token->text, token->type_id, c->n_token_types);
      return FALSE;
    }
  }

  return TRUE;
}

static gboolean
run_layers (Forward *self, GError **error)
{
  embed_tokens (self);
  if (self->config->positions == ATN_POSITIONS_ROPE)
    atn_rope_fill_tables (self->config, self->n_tokens, false, self->rope_cos, self->rope_sin);

  for (size_t layer = 0; layer < self->config->n_layers; layer++) {
    if (self->progress != NULL)
      self->progress ((double) layer / (double) self->config->n_layers, self->progress_data);
    if (is_cancelled (self, error) || !run_layer (self, layer, error))
      return FALSE;
  }

  if (self->progress != NULL)
    self->progress (1.0, self->progress_data);
  return TRUE;
}

/* Multiplications and additions of all layers, roughly. */
static double
estimate_flops (const AtnConfig *c, size_t n_tokens)
{
  const double heads =
    (double) (c->n_heads * (c->d_head + c->d_v) + c->n_kv_heads * (c->d_head + c->d_v));
  const double mlp = (double) c->d_mlp * (c->gated_mlp ? 3.0 : 2.0);
  const double per_token = (double) c->d_model * (heads + mlp) +
                           (double) n_tokens * (double) (c->n_heads * (c->d_head + c->d_v));

  return 2.0 * (double) c->n_layers * (double) n_tokens * per_token;
}

/* Uses more than one thread only where that pays. */
static size_t
choose_n_workers (const AtnConfig *config, size_t n_tokens)
{
  /* Asked for in any case, since it takes OpenBLAS's own threads away. */
  const size_t max = atn_workers_get_max ();

  return estimate_flops (config, n_tokens) < THREADING_FLOPS ? 1 : max;
}

AtnTrace *
atn_trace_run (AtnModel *model,
               AtnTokens *tokens,
               const AtnWhatIf *what_if,
               AtnProgressFunc progress,
               gpointer progress_data,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (AtnTrace) trace = NULL;
  Forward forward = {
    .config = atn_model_get_config (model),
    .slots = atn_model_get_slots (model),
    .n_tokens = tokens->n_tokens,
    .n_workers = choose_n_workers (atn_model_get_config (model), tokens->n_tokens),
    .progress = progress,
    .progress_data = progress_data,
    .cancellable = cancellable,
  };
  const AtnProgress loading = { .cancellable = cancellable };
  gboolean success;

  g_return_val_if_fail (tokens->n_tokens > 0, NULL);

  if (!check_tokens (model, tokens, error) || !atn_model_load_weights (model, &loading, error))
    return NULL;

  trace = atn_trace_new (model, tokens, what_if, error);
  if (trace == NULL || !allocate_scratch (&forward, error))
    return NULL;

  forward.trace = trace;
  success =
    run_layers (&forward, error) && atn_weights_check_files (atn_model_get_weights (model), error);
  g_free (forward.scratch);

  return success ? g_steal_pointer (&trace) : NULL;
}
