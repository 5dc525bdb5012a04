/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How the loaders of the formats fill a weight store. Only files of weights/
 * and its tests include this.
 */

#pragma once

#include "base/atn-input.h"
#include "weights/atn-weights.h"

G_BEGIN_DECLS

typedef struct _AtnTensor AtnTensor;

struct _AtnTensor
{
  AtnTensorInfo info; /* name and dtype_name are owned */
  /* As in the file: little endian, of any alignment. Inside one of the store's files or
   * inside owned_bytes. */
  const guint8 *bytes;
  size_t n_bytes;
  guint8 *owned_bytes;
  /* (nullable): how the bytes become floats [shape] where the file has another type or order of
   * them than the store knows; info.dtype is then a type that holds the values exactly. */
  void (*convert) (const AtnTensor *self, float *floats);
  gpointer convert_data; /* for convert; freed with g_free() */
  /* Once asked for and found finite: bytes themselves, or owned_floats. */
  const float *floats;
  float *owned_floats;  /* where converted values are, or will be */
  size_t reserved_size; /* bytes of owned_floats if they are reserved addresses, else 0 */
};

typedef struct
{
  char *path;
  GBytes *bytes; /* read or mapped */
} AtnWeightFile;

struct _AtnWeights
{
  gatomicrefcount ref_count;
  char *path;
  goffset file_size;
  AtnJson *config;
  AtnJson *tokenizer;
  AtnJson *card;
  GPtrArray *files; /* (element-type AtnWeightFile): what tensors point into; none if each owns its
                       bytes */
  GPtrArray *tensors;  /* (element-type AtnTensor), in the order of the file */
  GHashTable *by_name; /* name → AtnTensor; both borrowed */
  GMutex mutex;        /* guards floats and owned_floats of all tensors */
};

/* An empty store without a config. */
AtnWeights *atn_weights_new (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/* Names stand in messages and lists, so they must be text of one line. */
gboolean atn_tensor_check_name (const char *name, GError **error);

AtnTensor *atn_tensor_new (const char *name) G_GNUC_WARN_UNUSED_RESULT;
void atn_tensor_free (AtnTensor *self);
void atn_tensor_free_floats (AtnTensor *self);

/* Takes @tensor. Errors: ATN_ERROR_INVALID_FORMAT if there is one of its name already */
gboolean atn_weights_add (AtnWeights *self, AtnTensor *tensor, GError **error);

/* Keeps @bytes (taken), into which tensors point, as long as the store. @path stands in errors. */
void atn_weights_take_file (AtnWeights *self, const char *path, GBytes *bytes);

/* "[2, 3]" */
char *atn_shape_dup_text (const size_t *shape, size_t n_dims) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_tensor_set_dtype:
 * @n_bits: (out): bits of one element
 *
 * Returns: whether safetensors has a type of this name
 */
bool atn_tensor_set_dtype (AtnTensor *self, const char *dtype_name, size_t *n_bits);

/* Fills in n_elements and the size that @n_bits an element need. Errors:
 * ATN_ERROR_INVALID_FORMAT if no size_t holds it, or no whole number of bytes */
gboolean atn_tensor_measure (AtnTensor *self, size_t n_bits, size_t *n_bytes, GError **error);

/* The loaders: each adds to @self what its file holds. Errors do not yet name the file, but for
 * those of the folder, which has several. */

gboolean atn_weights_load_json (AtnWeights *self,
                                const char *text,
                                size_t length,
                                const AtnProgress *progress,
                                GError **error);
gboolean atn_weights_load_json_tensors (AtnWeights *self,
                                        AtnJsonScan *scan,
                                        const AtnProgress *progress,
                                        GError **error);
gboolean atn_weights_load_json_numbers (AtnTensor *tensor,
                                        AtnJsonScan *scan,
                                        const AtnProgress *progress,
                                        GError **error);
gboolean atn_weights_load_safetensors (AtnWeights *self,
                                       const char *path,
                                       const AtnProgress *progress,
                                       GError **error);
gboolean atn_weights_load_gguf (AtnWeights *self,
                                AtnInput *input,
                                const AtnProgress *progress,
                                GError **error);
/* The sharded weights of a folder; errors name the file. */
gboolean atn_weights_load_shards (AtnWeights *self,
                                  const char *folder,
                                  const AtnProgress *progress,
                                  GError **error);
/* Whether @folder has an index of shards, and @file_name (nullable) is one of them. */
bool atn_weights_has_index (const char *folder, const char *file_name);

/* Largest size of an index: some 500,000 tensors. */
#define ATN_WEIGHTS_INDEX_MAX_SIZE (G_GUINT64_CONSTANT (64) << 20)

/* @file_name: (nullable): which weight file of the folder, else model.safetensors */
gboolean atn_weights_load_folder (AtnWeights *self,
                                  const char *folder,
                                  const char *file_name,
                                  const AtnProgress *progress,
                                  GError **error);

/* One JSON file of a folder, an object. Errors name the file. */
AtnJson *atn_weights_read_json (const char *folder,
                                const char *name,
                                guint64 max_size,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable): the file of @folder that holds its vocabulary, NULL if there is none. */
const char *atn_weights_find_tokenizer (const char *folder);

/**
 * atn_weights_read_tokenizer:
 * @config: the content of config.json
 *
 * Returns: (transfer full): a tokenizer.json, the folder's own or made of the older files
 * Errors: those of atn_weights_read_json(); ATN_ERROR_UNSUPPORTED naming a model type whose
 *   tokenizer has no rules here; ATN_ERROR_INVALID_FORMAT naming a special token that is not in
 *   the vocabulary, or the line of a file
 */
AtnJson *atn_weights_read_tokenizer (const char *folder,
                                     const AtnJson *config,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What to do with the pickle @name, a file name without a folder, as the end of a sentence. */
char *atn_weights_dup_pickle_advice (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* Whether @bytes begin as a Git LFS pointer does; then sets the error. */
bool atn_weights_refuse_lfs_pointer (const guint8 *bytes, size_t n_bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnTensor, atn_tensor_free)

G_END_DECLS
