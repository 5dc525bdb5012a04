/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A large model may be cut into files, each a GGUF file of its own with some of the tensors:
 *
 *   name-00001-of-00003.gguf   all metadata, and split.no 0, split.count 3, split.tensors.count
 *   name-00002-of-00003.gguf   split.no 1 …
 *   name-00003-of-00003.gguf   split.no 2 …
 *
 * It is opened by the first. The others are looked for beside it before any is opened; their
 * tensors then join those of the first, as if they had been in one file.
 *
 * Source: examples/gguf-split of https://github.com/ggml-org/llama.cpp
 */

#include "weights/atn-gguf-parts.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Numbers have five digits. */
#define MAX_PARTS 99999

/* (transfer full) (nullable): the path of part @number, if @path is named as part @own is. */
static char *
dup_part_path (const char *path, size_t own, size_t number, size_t n_parts)
{
  g_autofree char *end = g_strdup_printf ("-%05zu-of-%05zu.gguf", own + 1, n_parts);

  if (!g_str_has_suffix (path, end))
    return NULL;

  return g_strdup_printf ("%.*s-%05zu-of-%05zu.gguf", (int) (strlen (path) - strlen (end)), path,
                          number + 1, n_parts);
}

static char *
dup_part_name (const char *path, size_t own, size_t number, size_t n_parts)
{
  g_autofree char *part = dup_part_path (path, own, number, n_parts);

  return part == NULL ? NULL : g_filename_display_basename (part);
}

/* Whether @gguf is a first part, named so that the others can be found. */
static gboolean
check_first (const AtnGguf *gguf, const char *path, GError **error)
{
  const size_t own = gguf->part, n_parts = gguf->n_parts;
  g_autofree char *first = own < n_parts ? dup_part_name (path, own, 0, n_parts) : NULL;

  if (n_parts > MAX_PARTS || own >= n_parts) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“split.no” is %zu and “split.count” is %zu, which is no part of a model"), own,
                 n_parts);
    return FALSE;
  }
  if (first == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("the file is part %zu of %zu of a model, but its name does not end in "
                    "-%05zu-of-%05zu.gguf, so that the others cannot be found"),
                 own + 1, n_parts, own + 1, n_parts);
    return FALSE;
  }
  if (own == 0)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("the file is part %zu of %zu of a model; open the first, %s"), own + 1, n_parts,
               first);
  return FALSE;
}

/* All of them must be there before one is opened. */
static gboolean
check_parts (const char *path, size_t n_parts, GError **error)
{
  for (size_t i = 1; i < n_parts; i++) {
    g_autofree char *part = dup_part_path (path, 0, i, n_parts);
    g_autofree char *name = g_filename_display_basename (part);

    if (g_file_test (part, G_FILE_TEST_EXISTS))
      continue;

    g_set_error (error, ATN_ERROR, ATN_ERROR_IO,
                 _ ("the folder has no %s, one of the %zu parts of this model"), name, n_parts);
    return FALSE;
  }

  return TRUE;
}

/* Moves the tensors of @part to @self. */
static void
take_tensors (AtnGguf *self, AtnGguf *part)
{
  for (guint i = 0; i < part->tensors->len; i++) {
    AtnGgufTensor *tensor = &g_array_index (part->tensors, AtnGgufTensor, i);

    g_array_append_val (self->tensors, *tensor);
    tensor->name = NULL;
  }
}

static gboolean
load_part (AtnGguf *self,
           size_t number,
           AtnWeights *weights,
           const char *path,
           const AtnProgress *progress,
           GError **error)
{
  g_autoptr (AtnGguf) part = atn_gguf_load_file (weights, path, error);

  if (part == NULL || !atn_progress_step (progress, 0.0, error))
    return FALSE;

  if (part->part != number || part->n_parts != self->n_parts) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("the file is part %zu of %zu of a model, expected part %zu of %zu"),
                 part->part + 1, part->n_parts, number + 1, self->n_parts);
    return FALSE;
  }

  take_tensors (self, part);
  return TRUE;
}

static gboolean
check_total (const AtnGguf *self, GError **error)
{
  size_t n_tensors = self->tensors->len;

  if (!atn_gguf_read_size (self, "split.tensors.count", ATN_JSON_OPTIONAL, G_MAXINT32, &n_tensors,
                           error))
    return FALSE;
  if (n_tensors == self->tensors->len)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_MISSING_TENSOR,
               _ ("“%s” is %zu, but all parts hold %zu tensors"), "split.tensors.count", n_tensors,
               (size_t) self->tensors->len);
  return FALSE;
}

gboolean
atn_gguf_load_parts (AtnGguf *self,
                     AtnWeights *weights,
                     const char *path,
                     const AtnProgress *progress,
                     GError **error)
{
  if (self->n_parts <= 1)
    return TRUE;
  if (!check_first (self, path, error) || !check_parts (path, self->n_parts, error))
    return FALSE;

  for (size_t i = 1; i < self->n_parts; i++) {
    g_autofree char *part = dup_part_path (path, 0, i, self->n_parts);
    g_autofree char *name = g_filename_display_basename (part);

    if (!load_part (self, i, weights, part, progress, error)) {
      atn_weights_prefix_path (error, name);
      return FALSE;
    }
  }

  return check_total (self, error);
}
