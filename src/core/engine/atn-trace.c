/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-trace.h"

#include "base/atn-error.h"
#include "engine/atn-trace-private.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

/* GPT-2 small at its 1,024 tokens needs 151 MB; a text that needs more than this is a mistake. */
#define MAX_BYTES ((size_t) 4 << 30)

/* Wide enough for any vector instruction. */
#define ALIGNMENT 64

typedef struct
{
  size_t q;
  size_t k;
  size_t v;
  size_t layer;         /* floats of a whole layer */
  size_t position_bias; /* where it begins */
  size_t total;         /* floats of the trace */
} Layout;

/* FALSE if a size overflows. */
static gboolean
lay_out (const AtnConfig *c, size_t n_tokens, Layout *layout)
{
  size_t resid, q, k, v, n;

  if (!g_size_checked_mul (&resid, n_tokens, c->d_model) ||
      !g_size_checked_mul (&q, n_tokens, c->n_heads * c->d_head) ||
      !g_size_checked_mul (&k, n_tokens, c->n_kv_heads * c->d_head) ||
      !g_size_checked_mul (&v, n_tokens, c->n_kv_heads * c->d_v))
    return FALSE;

  layout->q = resid;
  if (!g_size_checked_add (&layout->k, layout->q, q) ||
      !g_size_checked_add (&layout->v, layout->k, k) ||
      !g_size_checked_add (&layout->layer, layout->v, v) ||
      !g_size_checked_mul (&n, layout->layer, c->n_layers))
    return FALSE;

  if (!g_size_checked_add (&layout->position_bias, n, resid) ||
      !g_size_checked_mul (&n, n_tokens, c->buckets.n > 0 ? 2 * c->n_heads : 0))
    return FALSE;

  /* One number more for each head than there are distances. */
  return g_size_checked_add (&layout->total, layout->position_bias, n);
}

bool
atn_trace_measure (const AtnConfig *config, size_t n_tokens, size_t *n_bytes)
{
  Layout layout = { 0 };

  g_return_val_if_fail (config != NULL && n_bytes != NULL, false);

  return lay_out (config, n_tokens, &layout) &&
         g_size_checked_mul (n_bytes, layout.total, sizeof (float));
}

/* What the buckets add, spread over distances: blocks of rows then add a stretch of it. */
static void
fill_position_bias (AtnTrace *self, const AtnConfig *c)
{
  const float *table = atn_model_get_slots (self->model)->position_bias;
  const size_t n_distances = 2 * self->n_tokens - 1;

  for (size_t i = 0; i < n_distances; i++) {
    const size_t query = i < self->n_tokens ? self->n_tokens - 1 - i : 0;
    const size_t key = i < self->n_tokens ? 0 : i - (self->n_tokens - 1);
    const float *row = table + atn_config_get_bucket (c, query, key) * c->n_heads;

    for (size_t head = 0; head < c->n_heads; head++)
      self->position_bias[head * n_distances + i] = row[head];
  }
}

AtnTrace *
atn_trace_new (AtnModel *model, AtnTokens *tokens, const AtnWhatIf *what_if, GError **error)
{
  const AtnConfig *config = atn_model_get_config (model);
  void *block = NULL;
  AtnTrace *self;
  Layout layout = { 0 };
  size_t n_bytes;

  if (!atn_trace_measure (config, tokens->n_tokens, &n_bytes) || n_bytes > MAX_BYTES ||
      posix_memalign (&block, ALIGNMENT, n_bytes) != 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("%zu tokens need more memory than there is for one sentence (%zu MiB)"),
                 tokens->n_tokens, MAX_BYTES >> 20);
    return NULL;
  }

  lay_out (config, tokens->n_tokens, &layout);
  self = g_new0 (AtnTrace, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->model = atn_model_ref (model);
  self->tokens = atn_tokens_ref (tokens);
  if (what_if != NULL)
    self->what_if = *what_if;
  self->n_tokens = tokens->n_tokens;
  self->block = block;
  self->layer_size = layout.layer;
  self->q_offset = layout.q;
  self->k_offset = layout.k;
  self->v_offset = layout.v;
  if (config->buckets.n > 0) {
    self->position_bias = self->block + layout.position_bias;
    fill_position_bias (self, config);
  }
  return self;
}

AtnTrace *
atn_trace_ref (AtnTrace *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_trace_unref (AtnTrace *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  free (self->block);
  atn_tokens_unref (self->tokens);
  atn_model_unref (self->model);
  g_free (self);
}

AtnModel *
atn_trace_get_model (const AtnTrace *self)
{
  return self->model;
}

AtnTokens *
atn_trace_get_tokens (const AtnTrace *self)
{
  return self->tokens;
}

size_t
atn_trace_get_n_tokens (const AtnTrace *self)
{
  return self->n_tokens;
}

const AtnWhatIf *
atn_trace_get_what_if (const AtnTrace *self)
{
  return &self->what_if;
}

static const float *
get_part (const AtnTrace *self, size_t layer, size_t offset)
{
  g_return_val_if_fail (layer < atn_model_get_config (self->model)->n_layers, NULL);

  return atn_trace_layer (self, layer) + offset;
}

const float *
atn_trace_get_resid_pre (const AtnTrace *self, size_t layer)
{
  return get_part (self, layer, 0);
}

const float *
atn_trace_get_resid_final (const AtnTrace *self)
{
  return atn_trace_layer (self, atn_model_get_config (self->model)->n_layers);
}

const float *
atn_trace_get_q (const AtnTrace *self, size_t layer)
{
  return get_part (self, layer, self->q_offset);
}

const float *
atn_trace_get_k (const AtnTrace *self, size_t layer)
{
  return get_part (self, layer, self->k_offset);
}

const float *
atn_trace_get_v (const AtnTrace *self, size_t layer)
{
  return get_part (self, layer, self->v_offset);
}
