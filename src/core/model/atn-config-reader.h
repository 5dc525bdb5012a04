/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Readers of config.json that the families share. The value as it was is the default; a REQUIRED
 * key has none. Most decoders need no more than a table of AtnDecoderKeys.
 */

#pragma once

#include "model/atn-config.h"

G_BEGIN_DECLS

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

/* A boolean key and the field it fills. */
typedef struct
{
  const char *key;
  size_t offset; /* of a bool in AtnConfig */
} AtnFlagKey;

#define ATN_FLAG_KEY(key, field)                                                                   \
  {                                                                                                \
    key, G_STRUCT_OFFSET (AtnConfig, field)                                                        \
  }

/* How a family spells what RoPE needs. */
typedef struct
{
  const char *theta;      /* the older key of the base, whose default is 10000 */
  const char *partial;    /* (nullable) the older key of the rotated share of a head */
  double default_partial; /* 0: all of it */
} AtnRopeKeys;

/* How the config.json of a decoder is read, for families that need no more than this. Keys may have
 * several spellings as in atn_config_read_count(); a key that is NULL is not read. */
typedef struct
{
  AtnConfig defaults;        /* what holds where the config is silent */
  const AtnCountKey *counts; /* sizes without further rules */
  size_t n_counts;
  const char *width; /* the keys of d_model and n_heads, for the error if one doesn't divide */
  const char *heads;
  const char *kv_heads; /* default: defaults.n_kv_heads, or if that is 0 n_heads */
  const char *head_dim; /* default: defaults.d_head, or if that is 0 d_model / n_heads */
  const char *d_mlp;    /* where it isn't among counts; default: 4 · d_model */
  const char *activation;
  const char *eps;
  const AtnRopeKeys *rope;
  const AtnFlagKey *flags;
  size_t n_flags;
  const char *const *refused; /* (nullable) NULL-terminated boolean keys that must not be true */
} AtnDecoderKeys;

/* A count from 1 to 2²⁴. @key may be written "n_embd|hidden_size": the first that is there counts.
 */
gboolean atn_config_read_count (const AtnJson *json,
                                const char *key,
                                AtnJsonNeed need,
                                size_t *value,
                                GError **error);

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

/* That there are buckets enough for each direction, and a distance beyond those of their own. */
gboolean atn_config_check_buckets (const AtnConfig *config, GError **error);

/* @d_model / @n_heads, or the error that names both keys. */
gboolean atn_config_divide_heads (AtnConfig *config,
                                  const char *width_key,
                                  const char *heads_key,
                                  GError **error);

/* Reads by a table; tie_word_embeddings too, and without a scale among the defaults 1/√d_head. */
gboolean atn_config_read_decoder (const AtnJson *json,
                                  const AtnDecoderKeys *keys,
                                  AtnConfig *config,
                                  GError **error);

/**
 * atn_config_read_rope:
 *
 * Reads RoPE from rope_scaling, or if there is none rope_parameters, which newer files have, or the
 * older keys beside them; n_ctx and d_head must be known.
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming a kind that is not known; ATN_ERROR_INVALID_FORMAT for a
 *   key that the kind needs
 */
gboolean atn_config_read_rope (const AtnJson *json,
                               const AtnRopeKeys *keys,
                               AtnConfig *config,
                               GError **error);

/* What rope_scaling or rope_parameters says besides base and share, if there is either; rotary_dim
 * and rope_theta must be known. */
gboolean atn_config_read_rope_scaling (const AtnJson *json, AtnConfig *config, GError **error);

/* A number above 0 where null means without (0), which isn't the same as silence. */
gboolean atn_config_read_nullable_count (const AtnJson *json,
                                         const char *key,
                                         size_t *value,
                                         GError **error);
gboolean
atn_config_read_nullable_float (const AtnJson *json, const char *key, float *value, GError **error);

/**
 * atn_config_read_layer_types:
 * @has_window: what holds where the key is silent, by layer and @n_full
 *
 * Reads layer_types, a list of "full_attention" and "sliding_attention", into the layers that have
 * the window.
 */
typedef bool (*AtnWindowRule) (size_t layer, size_t n_full);
gboolean atn_config_read_layer_types (const AtnJson *json,
                                      AtnWindowRule has_window,
                                      size_t n_full,
                                      AtnConfig *config,
                                      GError **error);

/* The keys of the Qwen families: use_sliding_window, sliding_window, max_window_layers. */
gboolean atn_config_read_qwen_window (const AtnJson *json, AtnConfig *config, GError **error);

/* Window rules: every layer; every second one from layer 0 on; those from @n_full on. */
bool atn_window_on_every_layer (size_t layer, size_t n_full);
bool atn_window_on_even_layers (size_t layer, size_t n_full);
bool atn_window_on_late_layers (size_t layer, size_t n_full);

G_END_DECLS
