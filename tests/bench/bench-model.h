/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Random models of GPT-2's architecture, of any size, for the benches.
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
} BenchShape;

/* A folder with F32 tensors, opened; its files are already gone, for the weights are mapped. */
AtnModel *bench_model_open_folder (const BenchShape *shape) G_GNUC_WARN_UNUSED_RESULT;

/* One JSON file with F32 tensors in base64. Any failure ends the program. */
void bench_model_write_json (const BenchShape *shape, const char *path);
