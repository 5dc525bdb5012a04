/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One description of one block that every family is a case of. A family file
 * reads its own config keys into this; the engine reads nothing else.
 *
 *   pre:   resid += attn (norm1 (resid));   resid += mlp (norm2 (resid))
 *   post:  resid = norm1 (resid + attn (resid));   resid = norm2 (resid + mlp (resid))
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
} AtnPositions;
typedef enum
{
  ATN_UNEMBED_NONE,
  ATN_UNEMBED_TIED,
  ATN_UNEMBED_OWN
} AtnUnembed;

typedef struct
{
  const char *family; /* "gpt2", "bert", "llama", "transformer"; static */
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
  bool
    attention_bias; /* Llama: whether its files hold these biases; others say it by their tensors */
  bool mlp_bias;
  AtnActivation activation;
  AtnNorm norm;
  AtnNormPosition norm_position;
  float norm_eps;
  bool embed_norm;    /* BERT: a norm after the embeddings */
  bool embed_project; /* ELECTRA, ALBERT: then a linear layer from d_embed to d_model */
  /* ALBERT: layers share their weights. The n_layers are n_inner_layers for each step; the steps
   * are dealt out to n_layer_groups in order. 0: each layer has its own. */
  size_t n_layer_groups;
  size_t n_inner_layers;
  bool final_norm;
  AtnPositions positions;
  size_t first_position; /* the row of the position table that the first token takes */
  /* RoBERTa: tokens of the id first_position - 1 are padding: they are not counted, and take the
   * row before the first. */
  bool skips_padding;
  double rope_theta;
  size_t rotary_dim;
  bool causal;
  float scale;                 /* as trained: scores are q·k · scale, before the next line */
  bool scale_by_inverse_layer; /* GPT-2's scale_attn_by_inverse_layer_idx: also / (layer + 1) */
  AtnUnembed unembed;
  bool has_mlm_transform; /* BERT's dense + activation + norm before the unembedding */
  AtnActivation mlm_activation;
  bool is_masked_lm; /* predicts its mask token in place, not the next token */
} AtnConfig;

/* The factor between DOT and SCALED as trained in @layer. */
float atn_config_get_scale (const AtnConfig *self, size_t layer);

G_END_DECLS
