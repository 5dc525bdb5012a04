/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Where the engine finds a model's numbers. A slot borrows floats from the
 * weight store and says how they are stored; nothing is copied or transposed:
 *
 *   [in, out]   Conv1D of GPT-2, W_O of the generic family
 *   [out, in]   Linear of PyTorch
 *   parts       W_Q of the generic family: [heads, d_model, d_head], one [in, out] per head
 *   a slice     q of GPT-2's c_attn: columns of a wider [in, 3 · out], so rows are `stride` apart
 *   both        q of GPT-NeoX: [heads, 3, d_head, d_model], so heads are `part_stride` apart
 */

#pragma once

#include "model/atn-model.h"

G_BEGIN_DECLS

/* y[n, d_out] = x[n, d_in] @ W + bias */
typedef struct
{
  const float *weight; /* NULL: the model has no such layer */
  const float *bias;   /* [d_out] or NULL */
  size_t d_in;
  size_t d_out;
  bool is_out_in; /* stored [d_out, d_in] */
  size_t stride;  /* floats from one stored row to the next */
  size_t n_parts; /* 1, or the columns of y come from n_parts matrices, each d_out / n_parts wide */
  size_t part_stride; /* floats from one part to the next */
  size_t bias_part_stride;
} AtnLinear;

/* Both as wide as what is normed: [d_model] where nothing else is said, [d_head]; NULL means
 * without. */
typedef struct
{
  const float *weight;
  const float *bias;
} AtnNormWeights;

typedef struct
{
  AtnNormWeights norm1;
  AtnLinear q; /* d_model → n_heads · d_head */
  AtnLinear k; /* d_model → n_kv_heads · d_head */
  AtnLinear v; /* d_model → n_kv_heads · d_v */
  AtnLinear o; /* n_heads · d_v → d_model; head h owns the inputs from h · d_v on */
  const AtnNormWeights *q_norms; /* [1] where heads share it, [n_heads] where not, or NULL */
  const AtnNormWeights *k_norms; /* [1], [n_kv_heads] or NULL */
  AtnNormWeights norm1_post;     /* only with branch_norms */
  AtnNormWeights norm2;
  AtnNormWeights norm2_post;
  AtnLinear mlp_in;
  AtnLinear mlp_gate; /* only where the MLP is gated */
  AtnLinear mlp_out;
} AtnBlock;

typedef struct
{
  const float *embed;            /* [d_vocab, d_embed] */
  const float *pos_embed;        /* [first_position + n_ctx, d_embed] or NULL; d_model
                                    where it is added after the projection */
  const float *token_type_embed; /* [n_token_types, d_embed] or NULL */
  const float *position_bias;    /* [buckets.n_rows, n_heads] or NULL */
  AtnNormWeights embed_norm;     /* [d_embed] */
  AtnLinear embed_project;       /* d_embed → d_model, where embed_project is set */
  AtnBlock *blocks;              /* [n_layers] */
  GPtrArray *head_norms;         /* owns what q_norms and k_norms of all blocks point to */
  AtnNormWeights final_norm;
  AtnLinear mlm_dense;       /* d_model → d_embed */
  AtnNormWeights mlm_norm;   /* [d_embed] */
  AtnLinear unembed_project; /* d_model → d_embed, where unembed_project is set */
  AtnLinear unembed;    /* d_model, or d_embed after mlm_dense or unembed_project, → d_vocab; the
                           embedding again where tied */
  guint64 n_parameters; /* numbers in the tensors that are used */
  GPtrArray *used;      /* (element-type utf8) names of the tensors the slots point into */
  GPtrArray *unused;    /* (element-type utf8) names of tensors that nobody asked for */
} AtnSlots;

/* The numbers may be read after atn_model_load_weights(), as who has a trace of the model may. */
const AtnSlots *atn_model_get_slots (const AtnModel *self);

G_END_DECLS
