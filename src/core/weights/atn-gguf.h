/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A GGUF file, versions 2 and 3, all numbers little endian:
 *
 *   | "GGUF" | version: u32 | n_tensors: u64 | n_values: u64                    |
 *   | metadata: n_values × (key: string, kind: u32, value)                      |
 *   | table: n_tensors × (name: string, n_dims: u32, dims: u64 …, type: u32,    |
 *   |                     offset: u64)                                          |
 *   | padding to a multiple of general.alignment                                |
 *   | data                                                                      |
 *
 *   string: u64 length, then bytes      array: kind: u32, n: u64, n elements
 *
 * Nothing is copied: values and tensors are places in the bytes. A count is
 * never trusted: what it promises must fit in the bytes that are left before it is walked. Dims
 * come fastest first; here they are turned round, so that the shape is that of a row-major array.
 *
 * Source: https://github.com/ggml-org/ggml, docs/gguf.md
 */

#pragma once

#include "base/atn-json.h"
#include "weights/atn-gguf-type.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define ATN_GGUF_MAX_DIMS 4

typedef enum
{
  ATN_GGUF_UINT8,
  ATN_GGUF_INT8,
  ATN_GGUF_UINT16,
  ATN_GGUF_INT16,
  ATN_GGUF_UINT32,
  ATN_GGUF_INT32,
  ATN_GGUF_FLOAT32,
  ATN_GGUF_BOOL,
  ATN_GGUF_STRING,
  ATN_GGUF_ARRAY,
  ATN_GGUF_UINT64,
  ATN_GGUF_INT64,
  ATN_GGUF_FLOAT64,
  ATN_GGUF_N_KINDS,
} AtnGgufKind;

/* A value of the metadata, or an array of them. */
typedef struct
{
  AtnGgufKind kind; /* of the elements, if it is an array */
  bool is_array;
  size_t n; /* elements; 1 if it is no array */
  const guint8 *bytes;
} AtnGgufValue;

typedef struct
{
  char *name;
  const AtnGgufType *type;
  size_t n_dims;
  size_t shape[ATN_GGUF_MAX_DIMS]; /* row-major: the last dimension is contiguous */
  guint64 offset;                  /* into the data */
  const guint8 *bytes;             /* [n_bytes] */
  size_t n_bytes;
} AtnGgufTensor;

typedef struct
{
  GBytes *bytes;
  GHashTable *values; /* (element-type utf8 AtnGgufValue) */
  GArray *tensors;    /* (element-type AtnGgufTensor), in the order of the file */
  size_t part;        /* which part of a model that is cut into files, from 0 */
  size_t n_parts;     /* 0 or 1: a whole model */
} AtnGguf;

/* Walks through the bytes of a file. */
typedef struct
{
  const guint8 *data;
  size_t size;
  size_t at;
} AtnGgufCursor;

/**
 * atn_gguf_new:
 * @bytes: a whole file
 *
 * Checks all of a file but its numbers: each value and tensor lies inside it, no key or name comes
 * twice, tensors don't overlap.
 *
 * Returns: (transfer full): a file that keeps a reference of @bytes
 * Errors: ATN_ERROR_INVALID_FORMAT; ATN_ERROR_UNSUPPORTED for another version, a big-endian file,
 *   or a type of tensor that is not known
 * Threads: any
 */
AtnGguf *atn_gguf_new (GBytes *bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_gguf_new_from_beginning:
 * @bytes: the first bytes of a file
 *
 * For a list of files: the values of the metadata that lie in @bytes, and no tensors. llama.cpp
 * writes sizes before the vocabulary, so that some kilobytes hold them.
 *
 * Returns: (transfer full): a file that keeps a reference of @bytes
 * Errors: ATN_ERROR_INVALID_FORMAT, ATN_ERROR_UNSUPPORTED if the head is not that of a GGUF file;
 *   what is wrong behind it only ends the reading
 * Cost: that of @bytes, whatever the file promises
 * Threads: any
 */
AtnGguf *atn_gguf_new_from_beginning (GBytes *bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_gguf_free (AtnGguf *self);

/* (nullable) (transfer none) */
const AtnGgufValue *atn_gguf_find (const AtnGguf *self, const char *key);
const AtnGgufTensor *atn_gguf_find_tensor (const AtnGguf *self, const char *name);

/* Readers of one value, as those of atn-json.h: an absent key leaves an optional value as it was.
 * Errors: ATN_ERROR_INVALID_FORMAT naming the key, what was found and what is allowed. */

/* A whole number of any kind, or an array of them that are all equal (some files write the same
 * number for each layer). */
gboolean atn_gguf_read_size (const AtnGguf *self,
                             const char *key,
                             AtnJsonNeed need,
                             size_t max,
                             size_t *value,
                             GError **error);
/* Finite; whole numbers count, too. */
gboolean atn_gguf_read_double (const AtnGguf *self,
                               const char *key,
                               AtnJsonNeed need,
                               double *value,
                               GError **error);
gboolean atn_gguf_read_bool (const AtnGguf *self,
                             const char *key,
                             AtnJsonNeed need,
                             bool *value,
                             GError **error);
/* @value: (inout) (transfer full): freed before it is replaced; UTF-8 */
gboolean atn_gguf_read_string (const AtnGguf *self,
                               const char *key,
                               AtnJsonNeed need,
                               char **value,
                               GError **error);

/* (transfer full) (element-type utf8) (nullable): an array of strings. An optional one that is
 * absent is an empty list. */
GPtrArray *atn_gguf_dup_strings (const AtnGguf *self,
                                 const char *key,
                                 AtnJsonNeed need,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) (element-type double) (nullable): an array of @n finite numbers, likewise. */
GArray *atn_gguf_dup_numbers (const AtnGguf *self,
                              const char *key,
                              AtnJsonNeed need,
                              size_t n,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For the files of the reader. */

/* Each sets an error and returns FALSE if the bytes end before. */
gboolean atn_gguf_cursor_u32 (AtnGgufCursor *self, guint32 *value, GError **error);
gboolean atn_gguf_cursor_u64 (AtnGgufCursor *self, guint64 *value, GError **error);
/* (transfer full) (nullable): a string of UTF-8 on one line, of 1 to @max_len bytes; @what says in
 * errors what it is. */
char *atn_gguf_cursor_dup_name (AtnGgufCursor *self,
                                const char *what,
                                size_t max_len,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads the table of @n tensors and what stands behind it. */
gboolean atn_gguf_read_tensors (AtnGguf *self, AtnGgufCursor *cursor, guint64 n, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnGguf, atn_gguf_free)

G_END_DECLS
