/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "weights/atn-model-file-writer.h"

#include "base/atn-half.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Values that are encoded at once: any multiple of 3 bytes at both widths. */
#define BLOCK_VALUES 3072

/* The least magnitude that F16 rounds to infinity. */
#define HALF_OVERFLOW 65520.0f

static guint16
bfloat16_from_float (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return (guint16) (bits >> 16);
}

static const char *
get_dtype_name (AtnDtype dtype)
{
  return dtype == ATN_DTYPE_F32 ? "F32" : dtype == ATN_DTYPE_F16 ? "F16" : "BF16";
}

/* Stores @n values little endian and returns the number of bytes. */
static gsize
store_values (const float *values, size_t n, AtnDtype dtype, guint8 *bytes)
{
  const gsize size = dtype == ATN_DTYPE_F32 ? 4 : 2;

  for (size_t i = 0; i < n; i++) {
    guint32 bits;

    if (dtype == ATN_DTYPE_F32)
      memcpy (&bits, &values[i], sizeof bits);
    else
      bits =
        dtype == ATN_DTYPE_F16 ? atn_half_from_float (values[i]) : bfloat16_from_float (values[i]);

    for (gsize b = 0; b < size; b++)
      bytes[i * size + b] = (guint8) (bits >> (8 * b));
  }

  return n * size;
}

static void
append_base64 (GString *out, const float *values, size_t n, AtnDtype dtype)
{
  g_autofree guint8 *bytes = g_malloc (BLOCK_VALUES * sizeof (float));

  for (size_t i = 0; i < n; i += BLOCK_VALUES) {
    const gsize n_bytes = store_values (values + i, MIN (n - i, BLOCK_VALUES), dtype, bytes);
    g_autofree char *text = g_base64_encode (bytes, n_bytes);

    g_string_append (out, text);
  }
}

/* The type in which @info is written: F16 if that is wished and holds every value; what does not
 * fit is noted, and the tensor keeps its type. */
static AtnDtype
choose_dtype (const AtnTensorInfo *info, const float *values, GPtrArray *overflows)
{
  size_t n_beyond = 0;

  if (overflows == NULL || info->dtype == ATN_DTYPE_F16)
    return info->dtype;

  for (size_t i = 0; i < info->n_elements; i++)
    n_beyond += fabsf (values[i]) >= HALF_OVERFLOW;
  if (n_beyond == 0)
    return ATN_DTYPE_F16;

  g_ptr_array_add (
    overflows,
    g_strdup_printf (ngettext ("tensor “%s” stays %s: %zu of its %zu values does not "
                               "fit into F16",
                               "tensor “%s” stays %s: %zu of its %zu values do not "
                               "fit into F16",
                               n_beyond),
                     info->name, get_dtype_name (info->dtype), n_beyond, info->n_elements));
  return info->dtype;
}

static gboolean
append_tensor (GString *out,
               AtnWeights *weights,
               const AtnTensorInfo *info,
               GPtrArray *overflows,
               GError **error)
{
  const float *values = NULL;
  AtnDtype dtype;

  if (info->n_elements > 0) {
    values = atn_weights_get_floats (weights, info->name, info->n_dims, info->shape, error);
    if (values == NULL)
      return FALSE;
  }

  dtype = choose_dtype (info, values, overflows);
  g_string_append (out, "\n  ");
  atn_json_append_string (out, info->name);
  g_string_append_printf (out, ": {\"dtype\": \"%s\", \"shape\": [", get_dtype_name (dtype));
  for (size_t i = 0; i < info->n_dims; i++)
    g_string_append_printf (out, "%s%" G_GSIZE_FORMAT, i > 0 ? ", " : "", info->shape[i]);
  g_string_append (out, "], \"data\": \"");
  append_base64 (out, values, info->n_elements, dtype);
  g_string_append (out, "\"}");
  return TRUE;
}

static gboolean
append_tensors (GString *out, AtnWeights *weights, GPtrArray *overflows, GError **error)
{
  bool is_first = true;

  g_string_append (out, " \"tensors\": {");
  for (size_t i = 0; i < atn_weights_get_n_tensors (weights); i++) {
    const AtnTensorInfo *info = atn_weights_get_info (weights, i);

    if (info->dtype == ATN_DTYPE_OTHER)
      continue;

    if (!is_first)
      g_string_append_c (out, ',');
    is_first = false;
    if (!append_tensor (out, weights, info, overflows, error))
      return FALSE;
  }

  g_string_append (out, "\n }\n");
  return TRUE;
}

static void
append_member (GString *out, const char *key, const AtnJson *value)
{
  g_string_append_c (out, ' ');
  atn_json_append_string (out, key);
  g_string_append (out, ": ");
  atn_json_append_node (out, value);
  g_string_append (out, ",\n");
}

/* What a JSON model file says besides, in its order: description, license, source, examples … */
static void
append_card (GString *out, const AtnJson *card)
{
  static const char *const written[] = { "format",    "version", "name", "config",
                                         "tokenizer", "tensors", NULL };

  for (const AtnJson *member = card != NULL ? atn_json_get_first (card) : NULL; member != NULL;
       member = atn_json_get_next (member)) {
    if (!g_strv_contains (written, atn_json_get_name (member)))
      append_member (out, atn_json_get_name (member), member);
  }
}

GBytes *
atn_weights_dup_model_file (AtnWeights *self,
                            const char *name,
                            GPtrArray *overflows,
                            GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append (out, "{\n \"format\": \"attnscope-model\",\n \"version\": 1,\n \"name\": ");
  atn_json_append_string (out, name);
  g_string_append (out, ",\n");
  append_card (out, atn_weights_get_card (self));
  append_member (out, "config", atn_weights_get_config (self));
  if (atn_weights_get_tokenizer (self) != NULL)
    append_member (out, "tokenizer", atn_weights_get_tokenizer (self));
  if (!append_tensors (out, self, overflows, error))
    return NULL;
  g_string_append (out, "}\n");

  return g_string_free_to_bytes (g_steal_pointer (&out));
}
