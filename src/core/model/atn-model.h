/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A model that is ready to run: its config, its tokenizer and its weights in
 * their slots. Immutable once opened, so any thread may read it.
 */

#pragma once

#include "base/atn-progress.h"
#include "model/atn-config.h"
#include "tokenizer/atn-tokenizer.h"
#include "weights/atn-weights.h"

G_BEGIN_DECLS

typedef struct _AtnModel AtnModel;

/* A sentence that comes with a model and shows a head worth seeing. */
typedef struct
{
  char *text;
  char *pair; /* (nullable) */
  size_t layer;
  size_t head;
  char *stage; /* in lower case */
  char *note;  /* in the language asked for, or English */
  bool has_claim;
  size_t claim_query; /* the claim: pattern[query, key] ≥ at_least */
  size_t claim_key;
  float claim_at_least;
} AtnExample;

/**
 * atn_model_open:
 * @path: see atn_weights_open()
 *
 * Opens a model: reads its files, finds its family, checks every tensor's shape and values.
 *
 * Returns: (transfer full)
 * Errors: any ATN_ERROR, one sentence that begins with the path; G_IO_ERROR_CANCELLED
 * Threads: any
 */
AtnModel *atn_model_open (const char *path,
                          AtnProgressFunc progress,
                          gpointer progress_data,
                          GCancellable *cancellable,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnModel *atn_model_ref (AtnModel *self);
void atn_model_unref (AtnModel *self);

const AtnConfig *atn_model_get_config (const AtnModel *self);
AtnTokenizer *atn_model_get_tokenizer (const AtnModel *self);
AtnWeights *atn_model_get_weights (const AtnModel *self);
const char *atn_model_get_path (const AtnModel *self);

/* From the file, or the folder's name. */
const char *atn_model_get_name (const AtnModel *self);
/* (nullable): in the first of @languages (as g_get_language_names()) that the file has,
 * else English. @languages may be NULL. */
const char *atn_model_get_description (const AtnModel *self, const char *const *languages);
const char *atn_model_get_license (const AtnModel *self);
/* Number of parameters the model uses. */
guint64 atn_model_get_n_parameters (const AtnModel *self);

/* (transfer full) (element-type AtnExample): never NULL, may be empty. */
GPtrArray *atn_model_dup_examples (const AtnModel *self, const char *const *languages);
void atn_example_free (AtnExample *self);

/* (transfer none) (element-type utf8): one sentence each, for things that load but should be known:
 * tensors that are not used, tokens without an embedding row. Never NULL. */
const GPtrArray *atn_model_get_warnings (const AtnModel *self);

/* Whether a second sentence makes sense. */
bool atn_model_has_pair (const AtnModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnModel, atn_model_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnExample, atn_example_free)

G_END_DECLS
