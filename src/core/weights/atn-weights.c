/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The store itself: it knows tensors, not formats. A tensor keeps the bytes of
 * its file until its floats are asked for (atn-weights-floats.c).
 */

#include "base/atn-error.h"
#include "base/atn-mapping.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Element types of safetensors. Sub-byte types have sizes, too, so that a file with one of them
 * among its tensors can still be checked. */
static const struct
{
  const char *name;
  AtnDtype dtype;
  size_t n_bits;
} dtypes[] = {
  { "F32", ATN_DTYPE_F32, 32 },      { "F16", ATN_DTYPE_F16, 16 },
  { "BF16", ATN_DTYPE_BF16, 16 },    { "BOOL", ATN_DTYPE_OTHER, 8 },
  { "U8", ATN_DTYPE_OTHER, 8 },      { "I8", ATN_DTYPE_OTHER, 8 },
  { "U16", ATN_DTYPE_OTHER, 16 },    { "I16", ATN_DTYPE_OTHER, 16 },
  { "U32", ATN_DTYPE_OTHER, 32 },    { "I32", ATN_DTYPE_OTHER, 32 },
  { "U64", ATN_DTYPE_OTHER, 64 },    { "I64", ATN_DTYPE_OTHER, 64 },
  { "F64", ATN_DTYPE_OTHER, 64 },    { "C64", ATN_DTYPE_OTHER, 64 },
  { "F8_E4M3", ATN_DTYPE_OTHER, 8 }, { "F8_E5M2", ATN_DTYPE_OTHER, 8 },
  { "F8_E8M0", ATN_DTYPE_OTHER, 8 }, { "F6_E2M3", ATN_DTYPE_OTHER, 6 },
  { "F6_E3M2", ATN_DTYPE_OTHER, 6 }, { "F4", ATN_DTYPE_OTHER, 4 },
};

/* Tensors. */

gboolean
atn_tensor_check_name (const char *name, GError **error)
{
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);

    if (!g_unichar_iscntrl (c) && c != 0x2028 && c != 0x2029)
      continue;
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("the name of a tensor has the control character U+%04X"), (guint) c);
    return FALSE;
  }

  return TRUE;
}

AtnTensor *
atn_tensor_new (const char *name)
{
  AtnTensor *self = g_new0 (AtnTensor, 1);

  self->info.name = g_strdup (name);
  return self;
}

void
atn_tensor_free (AtnTensor *self)
{
  g_free ((char *) self->info.name);
  g_free ((char *) self->info.dtype_name);
  g_free (self->owned_bytes);
  g_free (self->convert_data);
  atn_tensor_free_floats (self);
  g_free (self);
}

char *
atn_shape_dup_text (const size_t *shape, size_t n_dims)
{
  GString *text = g_string_new ("[");

  for (size_t i = 0; i < n_dims; i++)
    g_string_append_printf (text, i == 0 ? "%zu" : ", %zu", shape[i]);

  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

bool
atn_tensor_set_dtype (AtnTensor *self, const char *dtype_name, size_t *n_bits)
{
  g_free ((char *) self->info.dtype_name);
  self->info.dtype_name = g_strdup (dtype_name);
  self->info.dtype = ATN_DTYPE_OTHER;

  for (size_t i = 0; i < G_N_ELEMENTS (dtypes); i++) {
    if (strcmp (dtypes[i].name, dtype_name) == 0) {
      self->info.dtype = dtypes[i].dtype;
      *n_bits = dtypes[i].n_bits;
      return true;
    }
  }

  return false;
}

gboolean
atn_tensor_measure (AtnTensor *self, size_t n_bits, size_t *n_bytes, GError **error)
{
  AtnTensorInfo *info = &self->info;
  size_t n = 1, total_bits = 0;
  bool fits = true;

  for (size_t i = 0; i < info->n_dims; i++)
    fits = fits && g_size_checked_mul (&n, n, info->shape[i]);

  fits = fits && g_size_checked_mul (&total_bits, n, n_bits);
  if (!fits || total_bits % 8 != 0) {
    g_autofree char *shape = atn_shape_dup_text (info->shape, info->n_dims);

    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 fits ? _ ("tensor “%s” of %s %s has no size in bytes")
                      : _ ("tensor “%s” of %s %s has more elements than can be counted"),
                 info->name, info->dtype_name, shape);
    return FALSE;
  }

  info->n_elements = n;
  *n_bytes = total_bits / 8;
  return TRUE;
}

/* The store. */

static void
free_file (gpointer data)
{
  AtnWeightFile *file = data;

  g_bytes_unref (file->bytes);
  g_free (file->path);
  g_free (file);
}

AtnWeights *
atn_weights_new (const char *path)
{
  AtnWeights *self = g_new0 (AtnWeights, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->path = g_strdup (path);
  self->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) atn_tensor_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->files = g_ptr_array_new_with_free_func (free_file);
  return self;
}

AtnWeights *
atn_weights_ref (AtnWeights *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_weights_unref (AtnWeights *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->files);
  g_clear_pointer (&self->card, atn_json_free);
  g_clear_pointer (&self->tokenizer, atn_json_free);
  g_clear_pointer (&self->config, atn_json_free);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

gboolean
atn_weights_add (AtnWeights *self, AtnTensor *tensor, GError **error)
{
  if (g_hash_table_contains (self->by_name, tensor->info.name)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("there are two tensors “%s”"),
                 tensor->info.name);
    atn_tensor_free (tensor);
    return FALSE;
  }

  g_ptr_array_add (self->tensors, tensor);
  g_hash_table_insert (self->by_name, (gpointer) tensor->info.name, tensor);
  return TRUE;
}

const char *
atn_weights_get_path (const AtnWeights *self)
{
  return self->path;
}

goffset
atn_weights_get_file_size (const AtnWeights *self)
{
  return self->file_size;
}

const AtnJson *
atn_weights_get_config (const AtnWeights *self)
{
  return self->config;
}

const AtnJson *
atn_weights_get_tokenizer (const AtnWeights *self)
{
  return self->tokenizer;
}

const AtnJson *
atn_weights_get_card (const AtnWeights *self)
{
  return self->card;
}

size_t
atn_weights_get_n_tensors (const AtnWeights *self)
{
  return self->tensors->len;
}

const AtnTensorInfo *
atn_weights_get_info (const AtnWeights *self, size_t index)
{
  const AtnTensor *tensor;

  g_return_val_if_fail (index < self->tensors->len, NULL);

  tensor = g_ptr_array_index (self->tensors, index);
  return &tensor->info;
}

const AtnTensorInfo *
atn_weights_find (const AtnWeights *self, const char *name)
{
  const AtnTensor *tensor = g_hash_table_lookup (self->by_name, name);

  return tensor == NULL ? NULL : &tensor->info;
}

void
atn_weights_take_file (AtnWeights *self, const char *path, GBytes *bytes)
{
  AtnWeightFile *file = g_new0 (AtnWeightFile, 1);

  file->path = g_strdup (path);
  file->bytes = bytes;
  g_ptr_array_add (self->files, file);
}

bool
atn_weights_is_mapped (const AtnWeights *self)
{
  for (guint i = 0; i < self->files->len; i++) {
    const AtnWeightFile *file = g_ptr_array_index (self->files, i);

    if (atn_mapping_is_mapped (file->bytes))
      return true;
  }

  return false;
}

gboolean
atn_weights_check_files (const AtnWeights *self, GError **error)
{
  for (guint i = 0; i < self->files->len; i++) {
    const AtnWeightFile *file = g_ptr_array_index (self->files, i);

    if (!atn_mapping_check (file->bytes, error)) {
      atn_weights_prefix_path (error, file->path);
      return FALSE;
    }
  }

  return TRUE;
}
