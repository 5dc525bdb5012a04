/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a family file says: how its config keys describe the generic block, and
 * which tensor goes to which slot. Two tables and a reader, no arithmetic. A new family is a
 * new file and a line in atn_family_find().
 *
 * In tensor names '#' stands for the layer's number; where layers share weights the first '#' is
 * the group's number and the second that of the layer inside it. A name has the family's
 * prefix before it unless it begins with '/', which stands for the file's top level.
 */

#pragma once

#include "model/atn-slots.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_SLOT_EMBED,
  ATN_SLOT_POS_EMBED,
  ATN_SLOT_TOKEN_TYPE_EMBED,
  ATN_SLOT_EMBED_NORM,
  ATN_SLOT_EMBED_PROJECT,
  ATN_SLOT_NORM1,
  ATN_SLOT_QKV, /* one tensor: q | k | v by output column */
  ATN_SLOT_Q,
  ATN_SLOT_K,
  ATN_SLOT_V,
  ATN_SLOT_O,
  ATN_SLOT_NORM2,
  ATN_SLOT_MLP_IN,
  ATN_SLOT_MLP_GATE,
  ATN_SLOT_MLP_OUT,
  ATN_SLOT_FINAL_NORM,
  ATN_SLOT_MLM_DENSE,
  ATN_SLOT_MLM_NORM,
  ATN_SLOT_UNEMBED,
} AtnSlotId;

typedef enum
{
  ATN_LAYOUT_OUT_IN,
  ATN_LAYOUT_IN_OUT,
  ATN_LAYOUT_HEADS_IN_OUT, /* [heads, d_in, d_head]; its bias [heads, d_head] */
  ATN_LAYOUT_HEADS_OUT,    /* [heads, d_v, d_model]; a matrix [in, out] with another shape */
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
  const char *const *ignored;  /* NULL-terminated globs: known, not needed, no warning */
  const AtnOldName *old_names; /* (nullable) ends in { NULL, NULL } */
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

/* Readers that the families share. The value as it was is the default; a REQUIRED key has none. */

/* A count from 1 to 2²⁴. @key may be written "n_embd|hidden_size": the first that is there counts.
 */
gboolean atn_config_read_count (const AtnJson *json,
                                const char *key,
                                AtnJsonNeed need,
                                size_t *value,
                                GError **error);

/* Where a count goes, and what it is where the config leaves it out; 0: it may not. */
typedef struct
{
  const char *key;
  size_t offset; /* of a size_t in AtnConfig */
  size_t default_value;
} AtnCountKey;

#define ATN_COUNT_KEY(key, field, default_value)                                                   \
  {                                                                                                \
    key, G_STRUCT_OFFSET (AtnConfig, field), default_value                                         \
  }

/* Reads a table of them. */
gboolean atn_config_read_counts (const AtnJson *json,
                                 const AtnCountKey *keys,
                                 size_t n_keys,
                                 AtnConfig *config,
                                 GError **error);

gboolean atn_config_read_eps (const AtnJson *json,
                              const char *key,
                              AtnJsonNeed need,
                              float *value,
                              GError **error);
gboolean atn_config_read_activation (const AtnJson *json,
                                     const char *key,
                                     AtnJsonNeed need,
                                     AtnActivation *value,
                                     GError **error);

/* One of @names (NULL-terminated, in the order of an enum) → its index. */
gboolean atn_config_read_name (const AtnJson *json,
                               const char *key,
                               const char *const *names,
                               int *value,
                               GError **error);

/* Refuses a boolean key that is true: a part of the family that is not computed here. */
gboolean atn_config_refuse_true (const AtnJson *json, const char *key, GError **error);

/* @d_model / @n_heads, or the error that names both keys. */
gboolean atn_config_divide_heads (AtnConfig *config,
                                  const char *width_key,
                                  const char *heads_key,
                                  GError **error);

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
