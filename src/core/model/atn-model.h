/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A model that is ready to run: its config, its tokenizer and its weights in
 * their slots. Immutable once opened, so any thread may read it; the numbers come when they are
 * first needed.
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
 * Opens a model: reads its config and tokenizer, finds its family, checks every tensor's shape.
 * A JSON model file is read whole, and its values are checked; those of other files are read by
 * atn_model_load_weights().
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

/**
 * atn_model_load_weights:
 *
 * Reads every tensor that the model uses, converts it if need be, and checks that it is finite;
 * the second time nothing is to be done. atn_trace_run() calls it. Asks each time whether the files
 * are still those that were opened.
 *
 * Errors: ATN_ERROR_INVALID_FORMAT for NaN and infinity, with the path, tensor and index;
 * ATN_ERROR_IO for a file that has changed; ATN_ERROR_TOO_LARGE; G_IO_ERROR_CANCELLED Threads: any
 */
gboolean atn_model_load_weights (AtnModel *self, const AtnProgress *progress, GError **error);

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
