/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The element types of GGUF tensors, and how their numbers become floats.
 *
 * A quantised type stores blocks of 32 or 256 numbers of one row: small
 * integers q and, as half floats, what they are multiplied with and moved by.
 *
 *   Q8_0 | d | 32 × q: 8 bits, signed                      x = d q
 *   Q4_0 | d | 32 × q: 4 bits                              x = d (q - 8)
 *   Q4_1 | d | m | 32 × q: 4 bits                          x = d q + m
 *   Q5_0 | d | 32 × high bit | 32 × 4 bits                 x = d (q - 16)
 *   Q5_1 | d | m | 32 × high bit | 32 × 4 bits             x = d q + m
 *   Q4_K | d | dm | 8 × (s, t): 6 bits | 256 × 4 bits      x = d s q - dm t
 *   Q5_K | d | dm | 8 × (s, t) | 256 × high bit | 256 × 4  x = d s q - dm t
 *   Q6_K | 256 × 4 bits | 256 × 2 bits | 16 × s: 8 | d     x = d s (q - 32)
 *
 * Where a byte holds two numbers of 4 bits, its lower half comes first in the
 * row and the upper one half a group later.
 *
 * Source: https://github.com/ggml-org/ggml, docs/gguf.md and src/ggml-common.h
 */

#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Numbers in the largest block. */
#define ATN_GGUF_MAX_BLOCK 256

typedef struct
{
  uint32_t id;
  const char *name;
  size_t block_length; /* numbers in one block */
  size_t block_size;   /* its bytes */
  /* (nullable): [n_blocks × block_size] bytes of any alignment → [n_blocks × block_length] floats;
   * NULL for types whose sizes are known but not their numbers */
  void (*to_floats) (const guint8 *blocks, float *floats, size_t n_blocks);
} AtnGgufType;

/* (nullable) (transfer none) */
const AtnGgufType *atn_gguf_type_find (uint32_t id);

/* (transfer full): the names of the types that can be read, for messages. */
char *atn_gguf_type_dup_names (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
