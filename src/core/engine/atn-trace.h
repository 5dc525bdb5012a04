/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Everything one forward pass leaves behind, in one block:
 *
 *   | layer 0                          | layer 1 …          | final                  |
 *   | resid_pre    q      k       v    |                    | resid_final            |
 *     [T, d_model] [T,H,D] [T,G,D] [T,G,V]                    [T, d_model]
 *
 * and behind that, where the model has buckets of distances, what they add to the scores of each
 * head by key - query: [H, 2T - 1], the same in every layer.
 *
 * No [T, T] matrix is kept: memory grows with T. Any head's matrix at any
 * stage is rebuilt when it is looked at. With RoPE, q and k are kept rotated.
 *
 * A trace never changes after atn_trace_run() returned it, so any thread may
 * read it while it holds a reference. T = n_tokens, H = n_heads, G = n_kv_heads, D = d_head, V =
 * d_v.
 */

#pragma once

#include "base/atn-matrix.h"
#include "engine/atn-stage.h"
#include "engine/atn-what-if.h"
#include "model/atn-model.h"

G_BEGIN_DECLS

typedef struct _AtnTrace AtnTrace;

/**
 * atn_trace_run:
 * @tokens: at least 1, at most n_ctx
 * @what_if: (nullable): what to change in every layer (its scope is not looked at)
 *
 * Runs the model over the tokens.
 *
 * Returns: (transfer full)
 * Errors: ATN_ERROR_TOO_LARGE for more tokens than n_ctx (naming both numbers) or more memory than
 *   there should be; ATN_ERROR_INVALID_FORMAT for a token whose id has no embedding row (naming
 *   token, id and rows); G_IO_ERROR_CANCELLED
 * Threads: the compute thread (BLAS threads are process-wide)
 */
AtnTrace *atn_trace_run (AtnModel *model,
                         AtnTokens *tokens,
                         const AtnWhatIf *what_if,
                         AtnProgressFunc progress,
                         gpointer progress_data,
                         GCancellable *cancellable,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnTrace *atn_trace_ref (AtnTrace *self);
void atn_trace_unref (AtnTrace *self);

/* Bytes that a trace of @n_tokens will hold; FALSE if that overflows. */
bool atn_trace_measure (const AtnConfig *config, size_t n_tokens, size_t *n_bytes);

AtnModel *atn_trace_get_model (const AtnTrace *self);
AtnTokens *atn_trace_get_tokens (const AtnTrace *self);
size_t atn_trace_get_n_tokens (const AtnTrace *self);
const AtnWhatIf *atn_trace_get_what_if (const AtnTrace *self);

const float *atn_trace_get_resid_pre (const AtnTrace *self, size_t layer); /* [T, d_model] */
const float *
atn_trace_get_resid_final (const AtnTrace *self); /* [T, d_model] before the final norm */
const float *atn_trace_get_q (const AtnTrace *self, size_t layer); /* [T, H, D] */
const float *atn_trace_get_k (const AtnTrace *self, size_t layer); /* [T, G, D] */
const float *atn_trace_get_v (const AtnTrace *self, size_t layer); /* [T, G, V] */

/**
 * atn_trace_compute_rows:
 * @what_if: (nullable): settings to apply to this head's kept q and k, instead of those the trace
 * ran with
 * @first_query: first row wanted
 * @n_queries: how many
 * @values: (out): [n_queries, T]
 *
 * Rebuilds rows of one head's matrix at one stage, with the very function the forward pass used.
 * Forbidden cells are -INFINITY in MASKED and 0 from PATTERN on.
 */
void atn_trace_compute_rows (const AtnTrace *self,
                             size_t layer,
                             size_t head,
                             AtnStage stage,
                             const AtnWhatIf *what_if,
                             size_t first_query,
                             size_t n_queries,
                             float *values);

/* The whole matrix; @forbidden is filled from MASKED on. (transfer full) */
AtnMatrix *atn_trace_dup_matrix (const AtnTrace *self,
                                 size_t layer,
                                 size_t head,
                                 AtnStage stage,
                                 const AtnWhatIf *what_if) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_trace_dup_thumbnail:
 * @max_size: largest number of rows and columns wanted
 *
 * The matrix pooled to at most @max_size × @max_size cells, from row blocks: each cell holds the
 * value of the largest magnitude that falls on it. A cell is forbidden if all of its cells are.
 *
 * Returns: (transfer full)
 */
AtnMatrix *atn_trace_dup_thumbnail (const AtnTrace *self,
                                    size_t layer,
                                    size_t head,
                                    AtnStage stage,
                                    const AtnWhatIf *what_if,
                                    size_t max_size) G_GNUC_WARN_UNUSED_RESULT;

/* z = pattern · v of one head, [T, V] into @z. */
void atn_trace_compute_z (const AtnTrace *self,
                          size_t layer,
                          size_t head,
                          const AtnWhatIf *what_if,
                          float *z);

/* One cell's whole calculation, in double from the kept float q and k. */
typedef struct
{
  size_t query;
  size_t key;
  double q_norm;
  double k_norm;
  double cosine;    /* of the angle between q and k; 0 if either is 0 */
  double unrotated; /* q·k before rotation; equals dot without RoPE */
  double dot;
  double scale;
  double scaled;
  double cap;      /* 0 without soft-capping */
  double capped;   /* cap · tanh (scaled / cap); equals scaled without soft-capping */
  double slope;    /* of ALiBi, times the key's place; 0 without */
  bool has_bucket; /* of T5's relative positions */
  size_t bucket;
  double bucket_term;   /* the head's number for it; 0 without */
  double position_term; /* what is added for the places of query and key; 0 if there is no such */
  double biased;        /* capped + position_term: the score that the softmax sees */
  bool is_forbidden;
  double temperature;
  double row_max;   /* of biased / T over the visible keys */
  double exp;       /* exp (biased / T - row_max); 0 if forbidden */
  double row_sum;   /* Σ exp over the row */
  size_t n_visible; /* keys the row may see; 0: the row has weight 0 everywhere */
  double weight;
  double value_norm;   /* ‖v_k W_O^h‖ */
  double contribution; /* weight · value_norm */
} AtnCell;

/* Cost: T · d_head; may run on the main thread. */
void atn_trace_inspect (const AtnTrace *self,
                        size_t layer,
                        size_t head,
                        const AtnWhatIf *what_if,
                        size_t query,
                        size_t key,
                        AtnCell *cell);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnTrace, atn_trace_unref)

G_END_DECLS
