/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The generic block once more, in double and in the plainest loops there are:
 * what the engine computes is compared with this. It shares no code with the
 * engine, it invents its own weights, and it writes them as a JSON model file
 * for the program to open.
 */

#pragma once

#include "engine/atn-stage.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name; /* in the report of the test */
  size_t n_layers;
  size_t n_heads;
  size_t n_kv_heads;
  size_t d_model;
  size_t d_head;
  size_t d_v;
  size_t d_mlp;
  size_t d_vocab;
  size_t n_ctx;
  bool gated_mlp;
  AtnActivation activation;
  AtnNorm norm;
  AtnNormPosition norm_position;
  double norm_eps;
  bool final_norm;
  AtnPositions positions;
  double rope_theta;
  size_t rotary_dim;
  bool causal;
  double scale; /* 0: 1/√d_head */
  AtnUnembed unembed;
  bool has_biases;
  /* Zero values are "without". */
  double norm_offset;
  bool embed_norm;
  bool branch_norms;
  AtnQkNorm qk_norm;
  AtnParallel parallel;
  double embed_scale;
  size_t position_offset;
  AtnRopePairs rope_pairs;
  double rope_short[2]; /* longrope's factors, of the first two pairs; 0: no longrope */
  double rope_long[2];
  size_t rope_original;  /* longer texts take the long ones */
  double rope_attention; /* what cosines and sines are multiplied by then */
  size_t window;
  bool window_on_odd_layers; /* else on all */
  size_t n_buckets;
  size_t max_distance;
  bool is_bidirectional;
  double score_cap;
  double logit_scale;
  double logit_cap;
} AtnTwinSpec;

typedef struct
{
  size_t n_tokens;
  double *resid_pre; /* [n_layers + 1, T, d_model]; the last is the final residual */
  double *q;         /* [n_layers, T, n_heads, d_head], after RoPE; likewise k and v */
  double *k;
  double *v;
  double *stages;      /* [n_layers, n_heads, ATN_N_STAGES, T, T]; only the stages that there are */
  double *value_norms; /* [n_layers, T, n_heads] ‖v W_O^h‖ */
  double *z;           /* [n_layers, T, n_heads, d_v] */
  double *logits;      /* [T, d_vocab] or NULL */
} AtnTwinRun;

typedef struct _AtnTwin AtnTwin;

/* Random weights of deviation about 1/√fan-in, random biases and norm weights. */
AtnTwin *atn_twin_new (const AtnTwinSpec *spec, guint32 seed);
void atn_twin_free (AtnTwin *self);

/* (transfer full): a JSON model file; its words are t0, t1 … */
char *atn_twin_dup_json (const AtnTwin *self);

AtnTwinRun *
atn_twin_run (const AtnTwin *self, const uint32_t *ids, size_t n_tokens, const AtnWhatIf *what_if);
void atn_twin_run_free (AtnTwinRun *self);

/* [T, T] of one head at one stage. */
const double *atn_twin_run_get_stage (const AtnTwin *self,
                                      const AtnTwinRun *run,
                                      size_t layer,
                                      size_t head,
                                      AtnStage stage);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnTwin, atn_twin_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnTwinRun, atn_twin_run_free)

G_END_DECLS
