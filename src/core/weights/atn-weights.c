/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The store itself: it knows tensors, not files. A tensor keeps the bytes of
 * its file until its floats are asked for; F32 that is aligned needs no second
 * copy, and is only looked through for NaN and infinity.
 */

#include "base/atn-error.h"
#include "base/atn-half.h"
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
  g_free (self->owned_floats);
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

AtnWeights *
atn_weights_new (const char *path)
{
  AtnWeights *self = g_new0 (AtnWeights, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->path = g_strdup (path);
  self->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) atn_tensor_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
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
  g_clear_pointer (&self->bytes, g_bytes_unref);
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

/* Floats. */

#define EXPONENT_BITS 0x7F800000u

static guint32
get_bits (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* The index of the first NaN or infinity, or @n. Blocks keep the usual loop, which finds
 * none, free of exits, so that it is vectorised. */
static size_t
find_non_finite (const float *values, size_t n)
{
  enum
  {
    BLOCK = 4096
  };

  for (size_t start = 0; start < n; start += BLOCK) {
    const size_t end = MIN (start + BLOCK, n);
    guint32 n_bad = 0;

    for (size_t i = start; i < end; i++)
      n_bad += (get_bits (values[i]) & EXPONENT_BITS) == EXPONENT_BITS;
    if (n_bad == 0)
      continue;
    while ((get_bits (values[start]) & EXPONENT_BITS) != EXPONENT_BITS)
      start++;
    return start;
  }

  return n;
}

static gboolean
check_finite (const AtnTensorInfo *info, const float *values, GError **error)
{
  size_t index[ATN_TENSOR_MAX_DIMS];
  size_t bad = find_non_finite (values, info->n_elements);
  g_autofree char *place = NULL;
  const bool is_nan =
    bad < info->n_elements && (get_bits (values[bad]) & ~EXPONENT_BITS & 0x7FFFFFFFu) != 0;

  if (bad == info->n_elements)
    return TRUE;

  for (size_t i = info->n_dims; i-- > 0;) {
    index[i] = bad % info->shape[i];
    bad /= info->shape[i];
  }

  place = atn_shape_dup_text (index, info->n_dims);
  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               is_nan ? _ ("tensor “%s” is NaN at %s, expected finite numbers")
                      : _ ("tensor “%s” is infinite at %s, expected finite numbers"),
               info->name, place);
  return FALSE;
}

static void
convert (const AtnTensor *tensor, float *floats)
{
  const size_t n = tensor->info.n_elements;

  if (tensor->convert != NULL) {
    tensor->convert (tensor, floats);
  } else if (tensor->info.dtype == ATN_DTYPE_F16) {
    atn_half_to_floats (tensor->bytes, floats, n);
  } else if (tensor->info.dtype == ATN_DTYPE_BF16) {
    atn_bfloat16_to_floats (tensor->bytes, floats, n);
  } else {
    memcpy (floats, tensor->bytes, n * sizeof *floats);
#if G_BYTE_ORDER == G_BIG_ENDIAN
    for (size_t i = 0; i < n; i++) {
      guint32 bits = GUINT32_FROM_LE (get_bits (floats[i]));

      memcpy (&floats[i], &bits, sizeof bits);
    }
#endif
  }
}

static bool
can_be_used_in_place (const AtnTensor *tensor)
{
  return G_BYTE_ORDER == G_LITTLE_ENDIAN && tensor->info.dtype == ATN_DTYPE_F32 &&
         tensor->convert == NULL && GPOINTER_TO_SIZE (tensor->bytes) % sizeof (float) == 0;
}

/* With the mutex held. */
static gboolean
load_floats (AtnTensor *tensor, GError **error)
{
  const AtnTensorInfo *info = &tensor->info;
  g_autofree float *owned = NULL;
  const float *floats;
  size_t size;

  if (can_be_used_in_place (tensor)) {
    floats = (const float *) (gconstpointer) tensor->bytes;
  } else {
    if (g_size_checked_mul (&size, MAX (info->n_elements, 1), sizeof *owned))
      owned = g_try_malloc (size);
    if (owned == NULL) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("there is no memory for tensor “%s”"),
                   info->name);
      return FALSE;
    }
    convert (tensor, owned);
    floats = owned;
  }

  if (!check_finite (info, floats, error))
    return FALSE;

  tensor->owned_floats = g_steal_pointer (&owned);
  tensor->floats = floats;
  return TRUE;
}

static gboolean
check_shape (const AtnTensorInfo *info, size_t n_dims, const size_t *shape, GError **error)
{
  g_autofree char *found = NULL, *expected = NULL;
  bool is_equal = info->n_dims == n_dims;

  for (size_t i = 0; is_equal && i < n_dims; i++)
    is_equal = info->shape[i] == shape[i];
  if (is_equal)
    return TRUE;

  found = atn_shape_dup_text (info->shape, info->n_dims);
  expected = atn_shape_dup_text (shape, n_dims);
  g_set_error (error, ATN_ERROR, ATN_ERROR_SHAPE_MISMATCH, _ ("tensor “%s” is %s, expected %s"),
               info->name, found, expected);
  return FALSE;
}

const float *
atn_weights_get_floats (AtnWeights *self,
                        const char *name,
                        size_t n_dims,
                        const size_t *shape,
                        GError **error)
{
  AtnTensor *tensor = g_hash_table_lookup (self->by_name, name);
  const float *floats;

  if (tensor == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_MISSING_TENSOR, _ ("the model has no tensor “%s”"),
                 name);
    return NULL;
  }

  if (!check_shape (&tensor->info, n_dims, shape, error))
    return NULL;

  if (tensor->info.dtype == ATN_DTYPE_OTHER) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("tensor “%s” is of type %s, expected F32, F16 or BF16"), name,
                 tensor->info.dtype_name);
    return NULL;
  }

  g_mutex_lock (&self->mutex);
  floats = tensor->floats != NULL || load_floats (tensor, error) ? tensor->floats : NULL;
  g_mutex_unlock (&self->mutex);
  return floats;
}
