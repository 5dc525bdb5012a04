/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Where a model's parameters are.
 */

#pragma once

#include "model/atn-model.h"

G_BEGIN_DECLS

/* A weight that several layers share counts once, a tied output with the embeddings. */
typedef struct
{
  guint64 embedding; /* tokens, positions, segments, and what follows before the first layer */
  guint64 attention; /* q, k, v and output of all layers */
  guint64 mlp;
  guint64 output; /* the head's own: unembedding, BERT's transform */
  guint64 other;  /* norms, and biases that stand elsewhere */
  guint64 total;  /* atn_model_get_n_parameters() */
} AtnParameters;

void atn_parameters_count (const AtnModel *model, AtnParameters *parameters);

G_END_DECLS
