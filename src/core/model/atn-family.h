/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a family file says: how its config keys describe the generic block, and
 * which tensor goes to which slot. Two tables and a reader, no arithmetic. A new family is a
 * new file and a line in atn_family_find().
 *
 * In tensor names '#' stands for the layer's number; where layers share weights the first '#' is
 * the group's number and the second that of the layer inside it. '@' stands for the head's (only in
 * a norm per head). A name has the family's prefix before it unless it begins with '/', which
 * stands for the file's top level.
 */

#pragma once

#include "model/atn-config-reader.h"
#include "model/atn-slots.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_SLOT_EMBED,
  ATN_SLOT_POS_EMBED,
  ATN_SLOT_TOKEN_TYPE_EMBED,
  ATN_SLOT_POSITION_BIAS, /* [buckets, heads] for all layers */
  ATN_SLOT_EMBED_NORM,
  ATN_SLOT_EMBED_PROJECT,
  ATN_SLOT_NORM1,
  ATN_SLOT_QKV, /* one tensor: q | k | v by output column, or so within each head */
  ATN_SLOT_Q,
  ATN_SLOT_K,
  ATN_SLOT_V,
  ATN_SLOT_O,
  ATN_SLOT_Q_NORM,
  ATN_SLOT_K_NORM,
  ATN_SLOT_NORM1_POST,
  ATN_SLOT_NORM2,
  ATN_SLOT_NORM2_POST,
  ATN_SLOT_MLP_IN,
  ATN_SLOT_MLP_GATE,
  ATN_SLOT_MLP_GATE_IN, /* one tensor: gate | in by output column */
  ATN_SLOT_MLP_OUT,
  ATN_SLOT_FINAL_NORM,
  ATN_SLOT_MLM_DENSE,
  ATN_SLOT_MLM_NORM,
  ATN_SLOT_UNEMBED_PROJECT,
  ATN_SLOT_UNEMBED,
} AtnSlotId;

typedef enum
{
  ATN_LAYOUT_OUT_IN,
  ATN_LAYOUT_IN_OUT,
  ATN_LAYOUT_HEADS_IN_OUT, /* [heads, d_in, d_head]; its bias [heads, d_head] */
  ATN_LAYOUT_HEADS_OUT,    /* [heads, d_v, d_model]; a matrix [in, out] with another shape */
  ATN_LAYOUT_QKV_BY_HEAD,  /* [heads · 3 · d_head, d_model]: q, k, v of head 0, of head 1 … */
} AtnLayout;

typedef enum
{
  ATN_BIAS_REQUIRED,
  ATN_BIAS_OPTIONAL,
  ATN_BIAS_BY_CONFIG, /* required or none, as attention_bias and mlp_bias say */
} AtnBiasNeed;

typedef struct
{
  AtnSlotId slot;
  const char *weight;
  const char *bias; /* NULL: none */
  AtnLayout layout;
  AtnBiasNeed bias_need;
} AtnSlotRow;

/* Rows of modules as PyTorch's Linear, LayerNorm and Embedding name their tensors. */
#define ATN_ROW_WEIGHT(slot, name)                                                                 \
  {                                                                                                \
    slot, name ".weight", NULL, ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED                               \
  }
#define ATN_ROW_BIASED(slot, name)                                                                 \
  {                                                                                                \
    slot, name ".weight", name ".bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_REQUIRED                       \
  }
#define ATN_ROW_BY_CONFIG(slot, name)                                                              \
  {                                                                                                \
    slot, name ".weight", name ".bias", ATN_LAYOUT_OUT_IN, ATN_BIAS_BY_CONFIG                      \
  }

/* Other spellings of the end of a tensor's name in older files, such as LayerNorm.gamma. */
typedef struct
{
  const char *suffix;
  const char *old_suffix;
} AtnOldName;

typedef struct
{
  const char *model_type;
  const char *anchor;          /* the tensor by which the prefix is found */
  const char *const *prefixes; /* NULL-terminated; the first is named in errors */
  const AtnSlotRow *rows;
  size_t n_rows;
  /* (nullable) where there are rows for q, k and v in one tensor and in three: the weights of q,
   * whose presence in a layer chooses the three */
  const char *apart;
  const char *const *ignored;  /* NULL-terminated globs: known, not needed, no warning */
  const AtnOldName *old_names; /* (nullable) ends in { NULL, NULL } */
  const AtnDecoderKeys *keys;  /* (nullable) read first */
  /* (nullable if there are @keys) reads the rest, or all */
  gboolean (*read_config) (const AtnJson *json, AtnConfig *config, GError **error);
  /* (nullable) tells from the tensors that are there whether the model can predict */
  void (*find_head) (const AtnWeights *weights, AtnConfig *config);
} AtnFamily;

const AtnFamily *atn_family_get_transformer (void);
const AtnFamily *atn_family_get_gpt2 (void);
const AtnFamily *atn_family_get_bert (void);
const AtnFamily *atn_family_get_roberta (void);
const AtnFamily *atn_family_get_xlm_roberta (void);
const AtnFamily *atn_family_get_camembert (void);
const AtnFamily *atn_family_get_distilbert (void);
const AtnFamily *atn_family_get_electra (void);
const AtnFamily *atn_family_get_albert (void);
const AtnFamily *atn_family_get_llama (void);
const AtnFamily *atn_family_get_mistral (void);
const AtnFamily *atn_family_get_qwen2 (void);
const AtnFamily *atn_family_get_qwen3 (void);
const AtnFamily *atn_family_get_gemma (void);
const AtnFamily *atn_family_get_gemma2 (void);
const AtnFamily *atn_family_get_phi (void);
const AtnFamily *atn_family_get_phi3 (void);
const AtnFamily *atn_family_get_stablelm (void);
const AtnFamily *atn_family_get_gpt_neo (void);
const AtnFamily *atn_family_get_gpt_neox (void);
const AtnFamily *atn_family_get_gptj (void);
const AtnFamily *atn_family_get_opt (void);
const AtnFamily *atn_family_get_bloom (void);
const AtnFamily *atn_family_get_mpnet (void);

/* By config.json's model_type. Errors: ATN_ERROR_UNSUPPORTED naming it and the known ones. */
const AtnFamily *atn_family_find (const AtnJson *json, GError **error);

/**
 * atn_config_read:
 * @json: the content of a config.json
 * @family: (out): the family it belongs to
 * @config: (out): untouched on failure
 *
 * Reads a config with the keys and defaults of its family, and checks that the sizes fit together.
 *
 * Errors: ATN_ERROR_INVALID_FORMAT or ATN_ERROR_UNSUPPORTED, naming the key
 */
gboolean
atn_config_read (const AtnJson *json, const AtnFamily **family, AtnConfig *config, GError **error);

/**
 * atn_config_read_encoder:
 * @can_decode: whether the family has `is_decoder`: then it sees no later tokens and predicts the
 *   next one
 * @config: its counts have been read, and activation is the family's usual one
 *
 * Reads what BERT's relatives share besides counts: post-norm, a norm after the embeddings, learned
 * positions, a masked-token head, and the keys hidden_act, layer_norm_eps, tie_word_embeddings.
 */
gboolean
atn_config_read_encoder (const AtnJson *json, bool can_decode, AtnConfig *config, GError **error);

/* Drops the masked-token head if the file has not the tensor @transform, or not @decoder where it
 * would be a matrix of its own. */
void atn_config_find_mlm_head (const AtnWeights *weights,
                               const char *transform,
                               const char *decoder,
                               AtnConfig *config);

/* A find_head() for families whose head of its own is lm_head.weight. */
void atn_config_find_lm_head (const AtnWeights *weights, AtnConfig *config);

/* Which slots a block of this config has; all others are neither asked for nor refused. */
bool atn_slot_is_needed (AtnSlotId self, const AtnConfig *config);
bool atn_slot_is_per_layer (AtnSlotId self);
bool atn_slot_is_of_mlp (AtnSlotId self);

/**
 * atn_slots_new:
 *
 * Finds every tensor the config asks for and checks its shape; values are not looked at.
 *
 * Errors: those of atn_weights_place_floats(); G_IO_ERROR_CANCELLED
 */
AtnSlots *atn_slots_new (const AtnFamily *family,
                         const AtnConfig *config,
                         AtnWeights *weights,
                         AtnProgressFunc progress,
                         gpointer progress_data,
                         GCancellable *cancellable,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_slots_free (AtnSlots *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnSlots, atn_slots_free)

G_END_DECLS
