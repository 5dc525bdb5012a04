/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a GGUF file calls an architecture, its keys and its tensors, and what Hugging Face calls
 * them. The families of model/ know the latter only, so a GGUF file is opened as the folder that
 * it was once made from.
 *
 * Making it, llama.cpp moved some rows. AtnGgufOrder says how; the loader moves them back.
 */

#pragma once

#include "weights/atn-gguf.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_GGUF_ORDER_SAME,
  /* Each query (key) head's rows i and i + d_head/2, which RoPE turns together, stand beside each
   * other: 2i and 2i + 1. */
  ATN_GGUF_ORDER_QUERY,
  ATN_GGUF_ORDER_KEY,
  /* Matrices [out, in]; in Hugging Face's GPT-2 [in, out]. */
  ATN_GGUF_ORDER_TRANSPOSED,
  /* All of q, then k, then v; in Hugging Face's files q, k, v of each head. */
  ATN_GGUF_ORDER_QKV,
  /* Weights of a norm with 1 added to each, which Gemma adds when it runs. */
  ATN_GGUF_ORDER_PLUS_ONE,
} AtnGgufOrder;

/* Names without ".weight" or ".bias"; '#' stands for the number of the layer. */
typedef struct
{
  const char *name;
  const char *hf_name;
  AtnGgufOrder order;
} AtnGgufNameRow;

typedef enum
{
  ATN_GGUF_KEY_SIZE,
  ATN_GGUF_KEY_NUMBER,
  ATN_GGUF_KEY_BOOL,
} AtnGgufKeyKind;

typedef struct
{
  const char *key; /* behind the architecture's name and a dot */
  const char *hf_key;
  AtnGgufKeyKind kind;
  AtnJsonNeed need;
} AtnGgufKeyRow;

/* How a family writes what its keys have in common in GGUF. */
typedef enum
{
  ATN_GGUF_HAS_KV_HEADS = 1 << 0,      /* num_key_value_heads */
  ATN_GGUF_HAS_HEAD_DIM = 1 << 1,      /* head_dim */
  ATN_GGUF_HAS_ROPE = 1 << 2,          /* rope_parameters */
  ATN_GGUF_HAS_BIAS_KEYS = 1 << 3,     /* attention_bias, mlp_bias */
  ATN_GGUF_HAS_PARTIAL_ROPE = 1 << 4,  /* a part of a head may be rotated */
  ATN_GGUF_HAS_QKV_BIAS_KEYS = 1 << 5, /* use_qkv_bias, qk_layernorm */
} AtnGgufTraits;

typedef struct
{
  const char *architecture; /* as general.architecture says */
  const char *model_type;   /* as config.json says */
  const AtnGgufNameRow *names;
  size_t n_names;
  const AtnGgufKeyRow *keys;
  size_t n_keys;
  AtnGgufTraits traits;
  const char *fixed; /* (nullable): members of the config that no key says, as JSON */
} AtnGgufFamily;

/**
 * atn_gguf_family_find:
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming the architecture and the known ones
 */
const AtnGgufFamily *atn_gguf_family_find (const AtnGguf *gguf, GError **error);

/* (transfer full) (nullable): Hugging Face's name of a tensor, and how its rows stand; NULL if the
 * family has none of this name. */
char *atn_gguf_family_dup_name (const AtnGgufFamily *self,
                                const char *name,
                                AtnGgufOrder *order) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_gguf_family_dup_config:
 *
 * Returns: (transfer full): the content of a config.json
 * Errors: ATN_ERROR_INVALID_FORMAT or ATN_ERROR_UNSUPPORTED naming the key
 */
AtnJson *atn_gguf_family_dup_config (const AtnGgufFamily *self,
                                     const AtnGguf *gguf,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_gguf_read_sizes:
 * @gguf: perhaps only the beginning of a file
 * @max: larger sizes are not believed
 * @model_type: (inout) (transfer full): the family's, or the architecture's name if it is unknown
 *
 * What a list of models says of a file, whether it can be opened or not. What is missing or wrong
 * is left as it was.
 */
void atn_gguf_read_sizes (const AtnGguf *gguf,
                          size_t max,
                          char **model_type,
                          size_t *n_layers,
                          size_t *n_heads);

/* Sizes of attention; values are as wide as keys. */
typedef struct
{
  size_t n_heads;
  size_t n_kv_heads;
  size_t d_head;
} AtnGgufHeads;

/* Errors: ATN_ERROR_INVALID_FORMAT naming the key; ATN_ERROR_UNSUPPORTED if values have another
 * width than keys */
gboolean atn_gguf_family_read_heads (const AtnGgufFamily *self,
                                     const AtnGguf *gguf,
                                     AtnGgufHeads *heads,
                                     GError **error);

/* Whether the tensor @name holds q, k and v, which the family's folder has in three tensors. */
bool atn_gguf_family_has_fused_qkv (const AtnGgufFamily *self, const char *name);

/**
 * atn_gguf_family_cut_qkv:
 * @tensor: one for which atn_gguf_family_has_fused_qkv() holds
 * @parts: (out) (array fixed-size=3): q, k and v under their own names in GGUF, inside the bytes of
 *   @tensor; their names are the caller's, the rest is borrowed
 *
 * Errors: those of atn_gguf_family_read_heads(); ATN_ERROR_SHAPE_MISMATCH if the heads have not as
 *   many rows as the tensor
 */
gboolean atn_gguf_family_cut_qkv (const AtnGgufFamily *self,
                                  const AtnGguf *gguf,
                                  const AtnGgufTensor *tensor,
                                  AtnGgufTensor *parts,
                                  GError **error);

/* Appends rope_parameters to the members of a config. */
gboolean atn_gguf_family_append_rope (const AtnGgufFamily *self,
                                      const AtnGguf *gguf,
                                      size_t d_head,
                                      GString *json,
                                      GError **error);

/**
 * atn_gguf_dup_tokenizer:
 *
 * Builds the tokenizer.json that the vocabulary in the metadata was once made from, as far as the
 * metadata tell: model, merges, added tokens, how words are split, what is put around a text.
 *
 * Returns: (transfer full): the content of a tokenizer.json
 * Errors: ATN_ERROR_UNSUPPORTED naming an unknown tokenizer or way of splitting;
 *   ATN_ERROR_INVALID_FORMAT naming the key
 */
AtnJson *atn_gguf_dup_tokenizer (const AtnGguf *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Text: one "key": value, with a comma before it unless it is the first member. */

void atn_gguf_append_key (GString *json, const char *key);
void atn_gguf_append_number (GString *json, const char *key, double value);
void atn_gguf_append_text (GString *json, const char *key, const char *value);
void atn_gguf_append_bool (GString *json, const char *key, bool value);

G_END_DECLS
