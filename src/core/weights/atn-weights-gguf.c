/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A GGUF file as a weight store: the config, the tokenizer and the tensors that the Hugging Face
 * folder had from which it was made. Tensors stay as they lie in the file until they are asked for;
 * then their blocks become floats, row by row, each row put where it belongs.
 *
 * The file is mapped: see atn-mapping.h.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-family.h"
#include "weights/atn-gguf-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Rows that are transposed together: as many floats as a line of the cache holds. */
#define TRANSPOSED_ROWS 16

typedef struct
{
  const AtnGgufType *type;
  AtnGgufOrder order;
  size_t n_rows; /* as in the file; a bias is a column */
  size_t n_columns;
  size_t n_heads; /* whose rows were moved */
} Conversion;

/* Rows. */

/* Where row @row of the Hugging Face tensor is in the file. */
static size_t
find_row (const Conversion *self, size_t row)
{
  const size_t d_head = self->n_rows / MAX (self->n_heads, 1);
  size_t head, i, part;

  switch (self->order) {
  case ATN_GGUF_ORDER_QUERY:
  case ATN_GGUF_ORDER_KEY:
    head = row / d_head;
    i = row % d_head;
    return head * d_head + 2 * (i % (d_head / 2)) + i / (d_head / 2);
  case ATN_GGUF_ORDER_QKV:
    /* Three rows of heads here: d_head counts all three of a head's parts. */
    head = row / d_head;
    part = row % d_head / (d_head / 3);
    i = row % (d_head / 3);
    return (part * self->n_heads + head) * (d_head / 3) + i;
  case ATN_GGUF_ORDER_SAME:
  case ATN_GGUF_ORDER_TRANSPOSED:
  case ATN_GGUF_ORDER_PLUS_ONE:
  default:
    return row;
  }
}

static size_t
get_row_size (const Conversion *self)
{
  return self->n_columns / self->type->block_length * self->type->block_size;
}

static void
convert_rows (const AtnTensor *tensor, float *floats)
{
  const Conversion *self = tensor->convert_data;
  const size_t row_size = get_row_size (self);
  const size_t n_blocks = self->n_columns / self->type->block_length;

  if (self->order == ATN_GGUF_ORDER_SAME || self->order == ATN_GGUF_ORDER_PLUS_ONE) {
    self->type->to_floats (tensor->bytes, floats, self->n_rows * n_blocks);
  } else {
    for (size_t row = 0; row < self->n_rows; row++)
      self->type->to_floats (tensor->bytes + find_row (self, row) * row_size,
                             floats + row * self->n_columns, n_blocks);
  }

  if (self->order == ATN_GGUF_ORDER_PLUS_ONE)
    for (size_t i = 0; i < tensor->info.n_elements; i++)
      floats[i] -= 1.0f;
}

/* [n_rows, n_columns] in the file → [n_columns, n_rows]. */
static void
convert_transposed (const AtnTensor *tensor, float *floats)
{
  const Conversion *self = tensor->convert_data;
  const size_t row_size = get_row_size (self);
  /* Of no rows, columns may be any number. */
  const size_t n_floats = MIN (TRANSPOSED_ROWS, self->n_rows) * self->n_columns;
  g_autofree float *block = g_new (float, n_floats);

  for (size_t first = 0; first < self->n_rows; first += TRANSPOSED_ROWS) {
    const size_t n = MIN (TRANSPOSED_ROWS, self->n_rows - first);

    self->type->to_floats (tensor->bytes + first * row_size, block,
                           n * (self->n_columns / self->type->block_length));
    for (size_t column = 0; column < self->n_columns; column++)
      for (size_t i = 0; i < n; i++)
        floats[column * self->n_rows + first + i] = block[i * self->n_columns + column];
  }
}

/* Tensors. */

static gboolean
refuse_order (const AtnGgufTensor *tensor, const Conversion *conversion, GError **error)
{
  g_autofree char *shape = atn_shape_dup_text (tensor->shape, tensor->n_dims);

  g_set_error (error, ATN_ERROR, ATN_ERROR_SHAPE_MISMATCH,
               _ ("tensor “%s” of %s %s cannot be divided among %zu heads"), tensor->name,
               tensor->type->name, shape, conversion->n_heads);
  return FALSE;
}

/* Whether whole rows are moved; a bias is then a column of rows of one number. */
static bool
moves_rows (AtnGgufOrder order)
{
  return order == ATN_GGUF_ORDER_QUERY || order == ATN_GGUF_ORDER_KEY ||
         order == ATN_GGUF_ORDER_QKV;
}

/* Whether the rows of @tensor can be moved as its order asks. */
static gboolean
check_order (const AtnGgufTensor *tensor, const Conversion *conversion, GError **error)
{
  const size_t n_parts = conversion->order == ATN_GGUF_ORDER_QKV ? 3 : 2;

  /* A bias that is moved must not be packed into blocks. */
  if (tensor->n_dims == 0 || tensor->n_dims > 2 || conversion->n_heads == 0 ||
      conversion->n_rows % (n_parts * conversion->n_heads) != 0 || conversion->n_rows == 0 ||
      conversion->n_columns % tensor->type->block_length != 0)
    return refuse_order (tensor, conversion, error);

  return TRUE;
}

static gboolean
read_n_heads (const AtnGguf *gguf, AtnGgufOrder order, size_t *n_heads, GError **error)
{
  g_autofree char *architecture = NULL;
  g_autofree char *heads = NULL;
  g_autofree char *kv_heads = NULL;

  if (!atn_gguf_read_string (gguf, "general.architecture", ATN_JSON_REQUIRED, &architecture, error))
    return FALSE;

  heads = g_strconcat (architecture, ".attention.head_count", NULL);
  kv_heads = g_strconcat (architecture, ".attention.head_count_kv", NULL);
  return atn_gguf_read_size (gguf, heads, ATN_JSON_REQUIRED, G_MAXUINT32, n_heads, error) &&
         (order != ATN_GGUF_ORDER_KEY ||
          atn_gguf_read_size (gguf, kv_heads, ATN_JSON_OPTIONAL, G_MAXUINT32, n_heads, error));
}

static AtnDtype
get_dtype (const AtnGgufType *type)
{
  if (type->to_floats == NULL)
    return ATN_DTYPE_OTHER;
  if (strcmp (type->name, "F16") == 0)
    return ATN_DTYPE_F16;
  return strcmp (type->name, "BF16") == 0 ? ATN_DTYPE_BF16 : ATN_DTYPE_F32;
}

/* Gives @tensor the conversion it needs; none if its bytes are what the store knows itself. */
static gboolean
set_conversion (AtnTensor *tensor,
                const AtnGguf *gguf,
                const AtnGgufTensor *source,
                AtnGgufOrder order,
                GError **error)
{
  const size_t n_dims = source->n_dims;
  Conversion conversion = { .type = source->type, .order = order };

  if (order == ATN_GGUF_ORDER_TRANSPOSED && n_dims != 2)
    conversion.order = ATN_GGUF_ORDER_SAME;
  if (conversion.order == ATN_GGUF_ORDER_SAME && source->type->block_length == 1)
    return TRUE;

  conversion.n_columns =
    n_dims == 0 || (n_dims == 1 && moves_rows (order)) ? 1 : source->shape[n_dims - 1];
  conversion.n_rows = conversion.n_columns > 0 ? tensor->info.n_elements / conversion.n_columns : 0;
  if (moves_rows (order) && (!read_n_heads (gguf, order, &conversion.n_heads, error) ||
                             !check_order (source, &conversion, error)))
    return FALSE;

  tensor->convert = convert_rows;
  if (conversion.order == ATN_GGUF_ORDER_TRANSPOSED) {
    tensor->convert = convert_transposed;
    tensor->info.shape[0] = source->shape[1];
    tensor->info.shape[1] = source->shape[0];
  }
  /* Half floats keep their type where they are only moved. */
  if (order == ATN_GGUF_ORDER_PLUS_ONE)
    tensor->info.dtype = ATN_DTYPE_F32;
  tensor->convert_data = g_memdup2 (&conversion, sizeof conversion);
  return TRUE;
}

static gboolean
refuse_type (const AtnGgufTensor *tensor, GError **error)
{
  g_autofree char *known = atn_gguf_type_dup_names ();

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("tensor “%s” is of type %s, which is not supported; known are %s"), tensor->name,
               tensor->type->name, known);
  return FALSE;
}

static gboolean
add_tensor (AtnWeights *self,
            const AtnGguf *gguf,
            const AtnGgufFamily *family,
            const AtnGgufTensor *source,
            GError **error)
{
  AtnGgufOrder order = ATN_GGUF_ORDER_SAME;
  g_autofree char *name = atn_gguf_family_dup_name (family, source->name, &order);
  g_autoptr (AtnTensor) tensor = atn_tensor_new (name != NULL ? name : source->name);

  if (name != NULL && source->type->to_floats == NULL)
    return refuse_type (source, error);

  tensor->info.dtype_name = g_strdup (source->type->name);
  tensor->info.dtype = get_dtype (source->type);
  tensor->info.n_dims = source->n_dims;
  tensor->info.n_elements = 1;
  for (size_t i = 0; i < source->n_dims; i++) {
    tensor->info.shape[i] = source->shape[i];
    tensor->info.n_elements *= source->shape[i];
  }
  tensor->bytes = source->bytes;
  tensor->n_bytes = source->n_bytes;
  if (tensor->info.dtype != ATN_DTYPE_OTHER && !set_conversion (tensor, gguf, source, order, error))
    return FALSE;

  return atn_weights_add (self, g_steal_pointer (&tensor), error);
}

/* Queries, keys and values in one tensor, as three. */
static gboolean
add_qkv (AtnWeights *self,
         const AtnGguf *gguf,
         const AtnGgufFamily *family,
         const AtnGgufTensor *source,
         GError **error)
{
  AtnGgufTensor parts[3] = { { .name = NULL } };
  gboolean success = atn_gguf_family_cut_qkv (family, gguf, source, parts, error);

  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    success = success && add_tensor (self, gguf, family, &parts[i], error);
    g_free (parts[i].name);
  }

  return success;
}

/* These are in the config already. */
static bool
is_config (const AtnGgufTensor *tensor)
{
  return g_str_has_prefix (tensor->name, "rope_freqs.") ||
         g_str_has_prefix (tensor->name, "rope_factors_");
}

/* The file. */

/* What a file says about its model, as a JSON model file would. Its name is left to the file's,
 * which tells the type of the weights, too. */
static AtnJson *
dup_card (const AtnGguf *gguf, GError **error)
{
  static const struct
  {
    const char *key;
    const char *member;
  } rows[] = {
    { "general.description", "description" },
    { "general.license", "license" },
    { "general.source.url", "source" },
  };
  g_autoptr (GString) json = g_string_new ("{");

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const AtnGgufValue *value = atn_gguf_find (gguf, rows[i].key);
    g_autofree char *text = NULL;

    if (value == NULL || value->is_array || value->kind != ATN_GGUF_STRING)
      continue;
    if (!atn_gguf_read_string (gguf, rows[i].key, ATN_JSON_REQUIRED, &text, error))
      return NULL;
    atn_gguf_append_text (json, rows[i].member, text);
  }

  g_string_append_c (json, '}');
  return atn_json_parse (json->str, json->len, error);
}

static gboolean
fill (AtnWeights *self, const AtnGguf *gguf, GError **error)
{
  const AtnGgufFamily *family = atn_gguf_family_find (gguf, error);

  if (family == NULL)
    return FALSE;

  for (guint i = 0; i < gguf->tensors->len; i++) {
    const AtnGgufTensor *tensor = &g_array_index (gguf->tensors, AtnGgufTensor, i);

    if (is_config (tensor))
      continue;
    if (atn_gguf_family_has_fused_qkv (family, tensor->name)
          ? !add_qkv (self, gguf, family, tensor, error)
          : !add_tensor (self, gguf, family, tensor, error))
      return FALSE;
  }

  self->config = atn_gguf_family_dup_config (family, gguf, error);
  if (self->config == NULL)
    return FALSE;
  self->tokenizer = atn_gguf_dup_tokenizer (gguf, error);
  if (self->tokenizer == NULL)
    return FALSE;
  self->card = dup_card (gguf, error);
  return self->card != NULL;
}

static AtnGguf *
map_file (AtnWeights *self, const char *path, AtnInput *input, GError **error)
{
  const guint64 size = atn_input_get_size (input);
  GBytes *bytes = size > 0 ? atn_input_map (input, error) : g_bytes_new_static ("", 0);

  if (bytes == NULL)
    return NULL;

  atn_weights_take_file (self, path, bytes);
  self->file_size += (goffset) size;
  return atn_gguf_new (bytes, error);
}

AtnGguf *
atn_gguf_load_file (AtnWeights *weights, const char *path, GError **error)
{
  g_autoptr (AtnInput) input = atn_input_open (path, error);

  return input == NULL ? NULL : map_file (weights, path, input, error);
}

gboolean
atn_weights_load_gguf (AtnWeights *self,
                       AtnInput *input,
                       const AtnProgress *progress,
                       GError **error)
{
  g_autoptr (AtnGguf) gguf = map_file (self, self->path, input, error);

  return gguf != NULL && atn_gguf_load_parts (gguf, self, self->path, progress, error) &&
         fill (self, gguf, error) && atn_weights_check_files (self, error) &&
         atn_progress_step (progress, 1.0, error);
}
