/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The table of tensors: each lies where the alignment allows, inside the file, and over no other.
 * Gaps between tensors hold no harm and are allowed.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define NAME_MAX_LEN 1024
#define DEFAULT_ALIGNMENT 32
#define MAX_ALIGNMENT (1u << 20)

/* (transfer full): "[2, 3]" */
static char *
dup_shape (const AtnGgufTensor *tensor)
{
  GString *shape = g_string_new ("[");

  for (size_t i = 0; i < tensor->n_dims; i++)
    g_string_append_printf (shape, i == 0 ? "%zu" : ", %zu", tensor->shape[i]);
  g_string_append_c (shape, ']');
  return g_string_free (shape, FALSE);
}

static gboolean
read_shape (AtnGgufTensor *tensor, AtnGgufCursor *cursor, GError **error)
{
  guint32 n_dims;

  if (!atn_gguf_cursor_u32 (cursor, &n_dims, error))
    return FALSE;

  if (n_dims > ATN_GGUF_MAX_DIMS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("tensor “%s” has %u dimensions, expected at most %d"), tensor->name, n_dims,
                 ATN_GGUF_MAX_DIMS);
    return FALSE;
  }

  tensor->n_dims = n_dims;
  for (size_t i = tensor->n_dims; i-- > 0;) {
    guint64 dim;

    if (!atn_gguf_cursor_u64 (cursor, &dim, error))
      return FALSE;
    /* A larger one fails in measure(), by its number of bytes. */
    tensor->shape[i] = (size_t) MIN (dim, SIZE_MAX);
  }

  return TRUE;
}

static gboolean
read_type (AtnGgufTensor *tensor, AtnGgufCursor *cursor, GError **error)
{
  g_autofree char *known = NULL;
  guint32 id;

  if (!atn_gguf_cursor_u32 (cursor, &id, error))
    return FALSE;

  tensor->type = atn_gguf_type_find (id);
  if (tensor->type != NULL)
    return TRUE;

  known = atn_gguf_type_dup_names ();
  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("tensor “%s” is of the unknown type number %u; known are %s"), tensor->name, id,
               known);
  return FALSE;
}

/* Blocks do not cross rows. */
static gboolean
measure (AtnGgufTensor *tensor, GError **error)
{
  const AtnGgufType *type = tensor->type;
  const size_t row = tensor->n_dims > 0 ? tensor->shape[tensor->n_dims - 1] : 1;
  const bool is_whole = row % type->block_length == 0;
  size_t n_bytes = row / type->block_length, n_floats = row;
  bool fits = g_size_checked_mul (&n_bytes, n_bytes, type->block_size);
  g_autofree char *shape = NULL;

  for (size_t i = 0; i + 1 < tensor->n_dims; i++)
    fits = fits && g_size_checked_mul (&n_bytes, n_bytes, tensor->shape[i]) &&
           g_size_checked_mul (&n_floats, n_floats, tensor->shape[i]);
  fits = fits && n_floats <= SIZE_MAX / sizeof (float);

  tensor->n_bytes = n_bytes;
  if (is_whole && fits)
    return TRUE;

  shape = dup_shape (tensor);
  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               fits ? _ ("tensor “%s” of %s %s does not end its rows with whole blocks")
                    : _ ("tensor “%s” of %s %s has more elements than can be counted"),
               tensor->name, type->name, shape);
  return FALSE;
}

static gboolean
read_tensor (AtnGgufTensor *tensor, AtnGgufCursor *cursor, GError **error)
{
  tensor->name = atn_gguf_cursor_dup_name (cursor, _ ("the name of a tensor"), NAME_MAX_LEN, error);

  return tensor->name != NULL && read_shape (tensor, cursor, error) &&
         read_type (tensor, cursor, error) && measure (tensor, error) &&
         atn_gguf_cursor_u64 (cursor, &tensor->offset, error);
}

static gboolean
place_tensor (AtnGgufTensor *tensor, const AtnGgufCursor *cursor, guint64 alignment, GError **error)
{
  const size_t data_size = cursor->size - cursor->at;

  if (tensor->offset % alignment != 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("tensor “%s” begins at byte %" PRIu64 " of the data, which is no multiple of "
                    "%" PRIu64),
                 tensor->name, tensor->offset, alignment);
    return FALSE;
  }

  if (tensor->offset > data_size || tensor->n_bytes > data_size - tensor->offset) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("tensor “%s” has %zu bytes from byte %" PRIu64 " of the data, but the file "
                    "holds %zu; it is cut off or damaged"),
                 tensor->name, tensor->n_bytes, tensor->offset, data_size);
    return FALSE;
  }

  /* Data of no bytes have no address. */
  tensor->bytes =
    tensor->n_bytes > 0 ? cursor->data + cursor->at + tensor->offset : (const guint8 *) "";
  return TRUE;
}

static int
compare_places_cb (gconstpointer a, gconstpointer b)
{
  const AtnGgufTensor *first = *(AtnGgufTensor *const *) a, *second = *(AtnGgufTensor *const *) b;

  if (first->offset != second->offset)
    return first->offset < second->offset ? -1 : 1;
  return first->n_bytes < second->n_bytes ? -1 : first->n_bytes > second->n_bytes;
}

static gboolean
check_overlap (const AtnGguf *self, GError **error)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  guint64 end = 0;

  for (guint i = 0; i < self->tensors->len; i++)
    g_ptr_array_add (sorted, &g_array_index (self->tensors, AtnGgufTensor, i));
  g_ptr_array_sort (sorted, compare_places_cb);

  for (guint i = 0; i < sorted->len; i++) {
    const AtnGgufTensor *tensor = sorted->pdata[i];

    if (tensor->n_bytes > 0 && tensor->offset < end) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("tensors “%s” and “%s” overlap at byte %" PRIu64),
                   ((const AtnGgufTensor *) sorted->pdata[i - 1])->name, tensor->name,
                   tensor->offset);
      return FALSE;
    }
    end = MAX (end, tensor->offset + tensor->n_bytes);
  }

  return TRUE;
}

static gboolean
read_alignment (const AtnGguf *self, size_t *alignment, GError **error)
{
  *alignment = DEFAULT_ALIGNMENT;
  if (!atn_gguf_read_size (self, "general.alignment", ATN_JSON_OPTIONAL, MAX_ALIGNMENT, alignment,
                           error))
    return FALSE;
  if (*alignment > 0 && (*alignment & (*alignment - 1)) == 0)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“%s” is %zu, expected a power of two"), "general.alignment", *alignment);
  return FALSE;
}

static gboolean
read_table (AtnGguf *self, AtnGgufCursor *cursor, guint64 n, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint64 i = 0; i < n; i++) {
    AtnGgufTensor tensor = { .name = NULL };
    const gboolean is_read = read_tensor (&tensor, cursor, error);

    /* Into the array first, which frees its name. */
    g_array_append_val (self->tensors, tensor);
    if (!is_read)
      return FALSE;
    if (!g_hash_table_add (names, tensor.name)) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("there are two tensors “%s”"),
                   tensor.name);
      return FALSE;
    }
  }

  return TRUE;
}

gboolean
atn_gguf_read_tensors (AtnGguf *self, AtnGgufCursor *cursor, guint64 n, GError **error)
{
  size_t alignment, padding;

  if (!read_table (self, cursor, n, error)) {
    g_prefix_error (error, _ ("table of tensors: "));
    return FALSE;
  }
  if (!read_alignment (self, &alignment, error))
    return FALSE;

  padding = (alignment - cursor->at % alignment) % alignment;
  cursor->at += MIN (padding, cursor->size - cursor->at);
  for (guint i = 0; i < self->tensors->len; i++)
    if (!place_tensor (&g_array_index (self->tensors, AtnGgufTensor, i), cursor, alignment, error))
      return FALSE;

  return check_overlap (self, error);
}

const AtnGgufTensor *
atn_gguf_find_tensor (const AtnGguf *self, const char *name)
{
  for (guint i = 0; i < self->tensors->len; i++) {
    const AtnGgufTensor *tensor = &g_array_index (self->tensors, AtnGgufTensor, i);

    if (strcmp (tensor->name, name) == 0)
      return tensor;
  }

  return NULL;
}
