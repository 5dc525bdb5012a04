/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From the bytes of a file to floats. F32 that is aligned is used where it is, and is only
 * looked through for NaN and infinity; all else is converted when it is first asked for. The
 * address of a tensor's floats is known from the beginning, so that a model can be put together
 * without reading a number of it.
 */

#include "base/atn-error.h"
#include "base/atn-half.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>

/* Below this a tensor gets ordinary memory at once: a reservation takes whole pages, and the
 * system counts them. */
#define RESERVE_MIN_SIZE ((size_t) 64 << 10)

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

/* Where the floats of @tensor are or will be. Addresses of large tensors are only reserved: they
 * take no memory before load_floats(), and a read before that ends the program. With the mutex
 * held. */
static const float *
place_floats (AtnTensor *tensor, GError **error)
{
  size_t size;

  /* Numbers written as text have no bytes, but floats from the start. */
  if (tensor->floats != NULL)
    return tensor->floats;
  if (can_be_used_in_place (tensor))
    return (const float *) (gconstpointer) tensor->bytes;
  if (tensor->owned_floats != NULL)
    return tensor->owned_floats;

  if (g_size_checked_mul (&size, MAX (tensor->info.n_elements, 1), sizeof (float))) {
    tensor->reserved_size = size >= RESERVE_MIN_SIZE ? size : 0;
    if (size < RESERVE_MIN_SIZE)
      tensor->owned_floats = g_malloc0 (size);
    else
      tensor->owned_floats =
        mmap (NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tensor->owned_floats == MAP_FAILED)
      tensor->owned_floats = NULL;
  }

  if (tensor->owned_floats == NULL)
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("there is no memory for tensor “%s”"),
                 tensor->info.name);
  return tensor->owned_floats;
}

void
atn_tensor_free_floats (AtnTensor *self)
{
  if (self->reserved_size > 0)
    munmap (self->owned_floats, self->reserved_size);
  else
    g_free (self->owned_floats);
}

/* The numbers of @tensor, converted when it is asked for the first time. With the mutex held. */
static const float *
load_floats (AtnTensor *tensor, GError **error)
{
  const float *floats = place_floats (tensor, error);

  if (floats == NULL || floats == tensor->floats)
    return floats;

  if (floats == tensor->owned_floats) {
    if (tensor->reserved_size > 0 &&
        mprotect (tensor->owned_floats, tensor->reserved_size, PROT_READ | PROT_WRITE) != 0) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("there is no memory for tensor “%s”"),
                   tensor->info.name);
      return NULL;
    }
    convert (tensor, tensor->owned_floats);
  }

  if (!check_finite (&tensor->info, floats, error))
    return NULL;

  tensor->floats = floats;
  return floats;
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

/* The tensor of this name, if it has the shape and a type of weights. */
static AtnTensor *
find_tensor (AtnWeights *self, const char *name, size_t n_dims, const size_t *shape, GError **error)
{
  AtnTensor *tensor = g_hash_table_lookup (self->by_name, name);

  if (tensor == NULL) {
    g_autofree char *expected = atn_shape_dup_text (shape, n_dims);

    g_set_error (error, ATN_ERROR, ATN_ERROR_MISSING_TENSOR,
                 _ ("the model has no tensor “%s”, expected one of %s"), name, expected);
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

  return tensor;
}

typedef const float *(*FloatsFunc) (AtnTensor *tensor, GError **error);

static const float *
get_floats (AtnWeights *self,
            const char *name,
            size_t n_dims,
            const size_t *shape,
            FloatsFunc func,
            GError **error)
{
  AtnTensor *tensor = find_tensor (self, name, n_dims, shape, error);
  const float *floats;

  if (tensor == NULL)
    return NULL;

  g_mutex_lock (&self->mutex);
  floats = func (tensor, error);
  g_mutex_unlock (&self->mutex);

  return floats;
}

const float *
atn_weights_place_floats (AtnWeights *self,
                          const char *name,
                          size_t n_dims,
                          const size_t *shape,
                          GError **error)
{
  return get_floats (self, name, n_dims, shape, place_floats, error);
}

const float *
atn_weights_get_floats (AtnWeights *self,
                        const char *name,
                        size_t n_dims,
                        const size_t *shape,
                        GError **error)
{
  return get_floats (self, name, n_dims, shape, load_floats, error);
}
