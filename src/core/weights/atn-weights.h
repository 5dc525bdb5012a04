/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The weight store: what every source of a model is turned into. A config and
 * a tokenizer (JSON, in Hugging Face's form) and named tensors.
 *
 *   JSON model file ─┐
 *   folder ──────────┼─► AtnWeights ─► a family's adapter (model/)
 *   .safetensors ────┤
 *   .gguf ───────────┘
 *
 * .safetensors and .gguf files are mapped, not read (see atn-mapping.h): F32 that is aligned is
 * used in place, everything else is converted when a tensor is first asked for, and kept.
 */

#pragma once

#include "base/atn-json.h"
#include "base/atn-progress.h"

#include <gio/gio.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ATN_TENSOR_MAX_DIMS 8

typedef enum
{
  ATN_DTYPE_F32,
  ATN_DTYPE_F16,
  ATN_DTYPE_BF16,
  ATN_DTYPE_OTHER, /* integers, booleans, F64 …: listed, never read as weights */
} AtnDtype;

typedef struct
{
  const char *name;
  const char *dtype_name; /* as the file spells it: "F32", "I64" … */
  AtnDtype dtype;
  size_t n_dims;
  size_t shape[ATN_TENSOR_MAX_DIMS];
  size_t n_elements;
} AtnTensorInfo;

typedef struct _AtnWeights AtnWeights;

/**
 * atn_weights_open:
 * @path: a JSON model file, a .gguf file, a Hugging Face folder, or a .safetensors file in such a
 *   folder
 * @progress: (nullable): told how far the reading is
 * @cancellable: (nullable): stops it
 *
 * Opens a model's files and checks their structure (not the values of tensors).
 *
 * Returns: (transfer full): a store
 * Errors: any ATN_ERROR, prefixed by the file's path; G_IO_ERROR_CANCELLED
 * Threads: any; the result may be handed to another thread
 */
AtnWeights *atn_weights_open (const char *path,
                              AtnProgressFunc progress,
                              gpointer progress_data,
                              GCancellable *cancellable,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnWeights *atn_weights_ref (AtnWeights *self);
void atn_weights_unref (AtnWeights *self);

const char *atn_weights_get_path (const AtnWeights *self);
/* Bytes on disk of the file or files the tensors come from. */
goffset atn_weights_get_file_size (const AtnWeights *self);

/* (transfer none): the content of config.json; never NULL. */
const AtnJson *atn_weights_get_config (const AtnWeights *self);
/* (transfer none): the content of tokenizer.json; never NULL. */
const AtnJson *atn_weights_get_tokenizer (const AtnWeights *self);
/* (transfer none) (nullable): an object with the members name, description, license, source and
 * examples of a JSON model file, as far as it has them; NULL for other sources. */
const AtnJson *atn_weights_get_card (const AtnWeights *self);

size_t atn_weights_get_n_tensors (const AtnWeights *self);
/* In the order of the file; @index below n_tensors. */
const AtnTensorInfo *atn_weights_get_info (const AtnWeights *self, size_t index);
/* (nullable) */
const AtnTensorInfo *atn_weights_find (const AtnWeights *self, const char *name);

/**
 * atn_weights_get_floats:
 * @name: a tensor's name
 * @n_dims: how many dimensions are expected
 * @shape: [n_dims] the expected shape
 *
 * Gives a tensor's values as floats, row-major, converted if need be. The first
 * call for a tensor checks that every value is finite.
 *
 * Returns: (transfer none): the values, owned by the store and valid as long as it; 64-byte
 *   alignment is not promised
 * Errors: ATN_ERROR_MISSING_TENSOR; ATN_ERROR_SHAPE_MISMATCH with both shapes;
 *   ATN_ERROR_UNSUPPORTED for an integer type; ATN_ERROR_INVALID_FORMAT for NaN or
 *   infinity, with name and index
 * Threads: safe to call at once from several
 */
const float *atn_weights_get_floats (AtnWeights *self,
                                     const char *name,
                                     size_t n_dims,
                                     const size_t *shape,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_weights_place_floats:
 *
 * Like atn_weights_get_floats(), but only says where the values will be, and looks at none: they
 * must not be read before atn_weights_get_floats() has given the same address.
 */
const float *atn_weights_place_floats (AtnWeights *self,
                                       const char *name,
                                       size_t n_dims,
                                       const size_t *shape,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Puts "path: " before the message, but for a cancellation. */
void atn_weights_prefix_path (GError **error, const char *path);

/* Whether values are read from a mapped file when they are looked at. */
bool atn_weights_is_mapped (const AtnWeights *self);

/* Errors: ATN_ERROR_IO naming a file that has changed since it was opened: numbers that were read
 * from it may be wrong. */
gboolean atn_weights_check_files (const AtnWeights *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnWeights, atn_weights_unref)

G_END_DECLS
