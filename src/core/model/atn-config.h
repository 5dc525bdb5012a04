/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One description of one block that every family is a case of. A family file
 * reads its own config keys into this; the engine reads nothing else.
 *
 *   pre:       resid += attn (norm1 (resid));   resid += mlp (norm2 (resid))
 *   post:      resid = norm1 (resid + attn (resid));   resid = norm2 (resid + mlp (resid))
 *   parallel:  resid += attn (norm1 (resid)) + mlp (norm2 (resid)), or norm1 for both
 *   branch_norms, in addition:  resid += norm1_post (attn (…));   resid += norm2_post (mlp (…))
 *
 * Rules that differ by layer or head have a function at the end of this file; nothing else
 * should look at the fields behind them:
 *
 *   groups     atn_config_get_kv_head ()       which key/value head a query head reads
 *   scale      atn_config_get_scale ()         the factor of a layer
 *   mask       causal, atn_config_get_window ()    how far back a layer sees
 *   positions  positions, atn_config_get_alibi_slope (), atn_config_get_bucket ()
 */

#pragma once

#include "base/atn-json.h"

#include <stdint.h>

G_BEGIN_DECLS

typedef enum
{
  ATN_ACTIVATION_RELU,
  ATN_ACTIVATION_GELU,      /* erf */
  ATN_ACTIVATION_GELU_TANH, /* gelu_new, gelu_pytorch_tanh */
  ATN_ACTIVATION_SILU,
} AtnActivation;

typedef enum
{
  ATN_NORM_NONE,
  ATN_NORM_LAYERNORM,
  ATN_NORM_RMSNORM
} AtnNorm;
typedef enum
{
  ATN_NORM_PRE,
  ATN_NORM_POST
} AtnNormPosition;
typedef enum
{
  ATN_POSITIONS_NONE,
  ATN_POSITIONS_LEARNED,
  ATN_POSITIONS_SINUSOIDAL,
  ATN_POSITIONS_ROPE,
  ATN_POSITIONS_ALIBI, /* none in the stream; a term is added to each score, the stage BIASED */
} AtnPositions;
typedef enum
{
  ATN_UNEMBED_NONE,
  ATN_UNEMBED_TIED,
  ATN_UNEMBED_OWN
} AtnUnembed;

/* Whether attention and MLP read the same residual. */
typedef enum
{
  ATN_PARALLEL_NONE,      /* the MLP reads what attention left */
  ATN_PARALLEL_TWO_NORMS, /* side by side, each behind its own norm: GPT-NeoX */
  ATN_PARALLEL_ONE_NORM,  /* side by side behind norm1; there is no norm2: GPT-J, Phi */
} AtnParallel;

/* A norm of each head's query and key by itself, before rotation; its kind is that of the others.
 */
typedef enum
{
  ATN_QK_NORM_NONE,
  ATN_QK_NORM_SHARED,   /* one set of weights [d_head] for all heads: Qwen3, Phi */
  ATN_QK_NORM_PER_HEAD, /* each head its own: StableLM */
} AtnQkNorm;

/* Which two dimensions turn together. */
typedef enum
{
  ATN_ROPE_HALVES,     /* (i, i + rotary_dim / 2) */
  ATN_ROPE_NEIGHBOURS, /* (2i, 2i + 1): GPT-J */
} AtnRopePairs;

/* How frequencies were stretched for texts longer than the model was first trained on. With DYNAMIC
 * and LONGROPE they depend on the length of the text, so a prefix has other numbers than the
 * same tokens in a longer text. */
typedef enum
{
  ATN_ROPE_DEFAULT,
  ATN_ROPE_LINEAR,
  ATN_ROPE_DYNAMIC,
  ATN_ROPE_YARN,
  ATN_ROPE_LLAMA3,
  ATN_ROPE_LONGROPE,
} AtnRopeKind;

#define ATN_ROPE_MAX_FACTORS 256

/* Names and meaning are those of Hugging Face's rope_parameters; see atn-rope.h for the formulas.
 */
typedef struct
{
  AtnRopeKind kind;
  double factor;
  size_t original_n_ctx;   /* original_max_position_embeddings; DYNAMIC: max_position_embeddings */
  double low_freq_factor;  /* LLAMA3 */
  double high_freq_factor; /* LLAMA3 */
  double beta_fast;        /* YARN */
  double beta_slow;        /* YARN */
  bool truncate;           /* YARN */
  double attention_factor; /* YARN and LONGROPE: cosines and sines are multiplied by it; else 1 */
  float short_factors[ATN_ROPE_MAX_FACTORS]; /* [rotary_dim / 2] LONGROPE up to original_n_ctx */
  float long_factors[ATN_ROPE_MAX_FACTORS];  /* [rotary_dim / 2] LONGROPE beyond it */
} AtnRopeScaling;

/* T5's relative positions: distances between query and key fall into buckets, and each head has
 * learned a number for each bucket, which is added to its scores: the stage BIASED. Independent of
 * AtnPositions. */
typedef struct
{
  size_t n;            /* 0: none */
  size_t n_rows;       /* of the table; those beyond the n-th are never used */
  size_t max_distance; /* from here on all distances share a bucket */
  /* Whether keys after the query have the second half of the buckets; else they share the bucket of
   * distance 0. */
  bool is_bidirectional;
} AtnBuckets;

#define ATN_MAX_LAYERS 4096

typedef struct
{
  const char *family; /* the config's model_type: "gpt2", "transformer" …; static */
  size_t n_layers;
  size_t n_heads;
  size_t n_kv_heads; /* divides n_heads; query head h uses kv head h / (n_heads / n_kv_heads) */
  size_t d_model;
  size_t d_embed; /* width of the embeddings; d_model where embed_project is not set */
  size_t d_head;  /* width of a query and a key */
  size_t d_v;     /* width of a value; d_head but in the generic family */
  size_t d_mlp;   /* 0: attention only */
  size_t d_vocab;
  size_t n_ctx;         /* longest input; 0: no limit */
  size_t n_token_types; /* 0: no segments */
  bool gated_mlp;
  bool attention_bias; /* whether files of families with ATN_BIAS_BY_CONFIG hold these biases */
  bool mlp_bias;
  AtnActivation activation;
  AtnNorm norm;
  AtnNormPosition norm_position;
  float norm_eps;
  float norm_offset;    /* norms multiply by weight + this; 1 in Gemma, else 0 */
  bool bare_norms;      /* norms have neither weight nor bias: some OPT */
  bool embed_norm;      /* BERT, Bloom: a norm after the embeddings */
  bool embed_project;   /* ELECTRA, ALBERT: then a linear layer from d_embed to d_model */
  bool unembed_project; /* OPT: a linear layer back to d_embed before the unembedding */
  /* ALBERT: layers share their weights. The n_layers are n_inner_layers for each step; the steps
   * are dealt out to n_layer_groups in order. 0: each layer has its own. */
  size_t n_layer_groups;
  size_t n_inner_layers;
  bool final_norm;
  bool branch_norms; /* Gemma 2: norm1_post and norm2_post, before a branch is added */
  AtnQkNorm qk_norm;
  AtnParallel parallel;
  float embed_scale; /* token embeddings are multiplied by it; 1 but in Gemma */
  AtnPositions positions;
  size_t first_position; /* the row of the position table that the first token takes */
  /* RoBERTa: tokens of the id first_position - 1 are padding: they are not counted, and take the
   * row before the first. */
  bool skips_padding;
  bool positions_after_projection; /* OPT: the table is as wide as the stream and added to that */
  double rope_theta;
  size_t rotary_dim; /* the first dimensions of a head that are rotated; the rest is passed on */
  AtnRopePairs rope_pairs;
  AtnRopeScaling rope_scaling;
  AtnBuckets buckets;
  bool causal;
  size_t window; /* of layers that have one: keys less than this far from the query; 0: none */
  uint8_t window_layers[ATN_MAX_LAYERS / 8]; /* bits; through atn_config_get_window() */
  float scale;                 /* as trained: scores are q·k · scale, before the next line */
  bool scale_by_inverse_layer; /* GPT-2's scale_attn_by_inverse_layer_idx: also / (layer + 1) */
  float score_cap;             /* the stage CAPPED: cap · tanh (score / cap); 0: none */
  float logit_scale;           /* logits are multiplied by it; 1: as they are */
  float logit_cap;             /* then cap · tanh (logit / cap); 0: none */
  AtnUnembed unembed;
  bool has_mlm_transform; /* BERT's dense + activation + norm before the unembedding */
  AtnActivation mlm_activation;
  bool is_masked_lm; /* predicts its mask token in place, not the next token */
} AtnConfig;

/* The factor between DOT and SCALED as trained in @layer. */
float atn_config_get_scale (const AtnConfig *self, size_t layer);

/* The key/value head that query head @head reads: query heads share them in runs of
 * n_heads / n_kv_heads. With n_kv_heads == n_heads nothing is shared. */
size_t atn_config_get_kv_head (const AtnConfig *self, size_t head);

/**
 * atn_config_get_window:
 *
 * How far a token of @layer sees: keys with |query - key| < window, and in a causal model only
 * those before it. Forbidden keys are part of the stage MASKED.
 *
 * Returns: 0 if the layer sees everything
 */
size_t atn_config_get_window (const AtnConfig *self, size_t layer);
void atn_config_set_window_layer (AtnConfig *self, size_t layer, bool has_window);

/**
 * atn_config_get_alibi_slope:
 *
 * The slope m of @head: BIASED is the score + m · key. That differs from the paper's
 * - m · (query - key) by one number for the whole row, which the softmax doesn't see; it is what
 * Hugging Face computes.
 *
 * Returns: 0 in a model without ALiBi
 * Source: Press et al. 2022, https://arxiv.org/abs/2108.12409; slopes for a number of heads that is
 *   no power of two as in Hugging Face's modeling_bloom.py
 */
float atn_config_get_alibi_slope (const AtnConfig *self, size_t head);

/**
 * atn_config_get_bucket:
 *
 * The row of the table of relative positions that holds for @query and @key in a model with
 * buckets. With n' buckets for this direction (half of them, or all) and d = |query - key|:
 *
 *   d < n'/2:  d
 *   else:      min (n' - 1, n'/2 + ⌊log (d / (n'/2)) / log (max_distance / (n'/2)) · (n' - n'/2)⌋)
 *
 * plus n' for a key after the query; or 0 for that in a model that looks only back. All halves are
 * rounded down. The logarithm is a float, as it is in the reference.
 *
 * Source: Raffel et al. 2020, section 2.1, https://arxiv.org/abs/1910.10683;
 * relative_position_bucket in Hugging Face's modeling_mpnet.py and, with the choice of direction,
 * modeling_t5.py
 */
size_t atn_config_get_bucket (const AtnConfig *self, size_t query, size_t key);

/* Whether the places of query and key add to the scores: ALiBi, buckets. */
bool atn_config_has_position_term (const AtnConfig *self);

G_END_DECLS
