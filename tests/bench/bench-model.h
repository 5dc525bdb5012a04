/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Random models of GPT-2's and Llama's architecture, of any size, for the benches.
 */

#pragma once

#include "model/atn-model.h"

typedef struct
{
  size_t n_layers;
  size_t n_heads;
  size_t d_model;
  size_t d_vocab;
  size_t n_ctx;
  size_t n_kv_heads; /* 0: GPT-2; else Llama, tied */
  size_t d_mlp;      /* 0: 4 · d_model */
  bool is_bf16;      /* in folders: BF16, else F32 */
} BenchShape;

/* A folder; (transfer full): its path. Any failure ends the program. */
char *bench_model_write_folder (const BenchShape *shape) G_GNUC_WARN_UNUSED_RESULT;
/* Removes it; takes the path. */
void bench_model_remove_folder (char *folder);

/* A folder, opened; its files are already gone, for the weights are mapped. */
AtnModel *bench_model_open_folder (const BenchShape *shape) G_GNUC_WARN_UNUSED_RESULT;

/* One JSON file with F32 tensors in base64. Any failure ends the program. */
void bench_model_write_json (const BenchShape *shape, const char *path);
