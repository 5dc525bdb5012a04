/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * "tensors" of a JSON model file. Each is
 *
 *   {"dtype": "F32", "shape": [2, 2], "data": "AACAPwAAAEAAAEBAAACAQA=="}
 *
 * or plain nested arrays, [[1, 2], [3, 4]].
 */

#include "base/atn-base64.h"
#include "base/atn-error.h"
#include "base/atn-json-scan.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Data may stand before the dtype and the shape, so they are decoded last. */
typedef struct
{
  AtnTensor *tensor;
  size_t n_bits;
  bool has_shape;
  AtnJsonScan data; /* the scanner as it stood at the data */
  bool has_data;
} Encoded;

static gboolean
refuse (const Encoded *encoded, GError **error, int code, const char *problem)
{
  g_set_error (error, ATN_ERROR, code, _ ("tensor “%s” %s"), encoded->tensor->info.name, problem);
  return FALSE;
}

static gboolean
read_dtype (Encoded *encoded, AtnJsonScan *scan, GError **error)
{
  AtnTensor *tensor = encoded->tensor;
  AtnJsonEvent event = atn_json_scan_next (scan, error);
  g_autofree char *name = NULL;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_STRING)
    return refuse (encoded, error, ATN_ERROR_INVALID_FORMAT, _ ("has a dtype that is no string"));

  name = atn_json_scan_dup_string (scan);
  if (atn_tensor_set_dtype (tensor, name, &encoded->n_bits) &&
      tensor->info.dtype != ATN_DTYPE_OTHER)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("tensor “%s” has the dtype “%s”, expected F32, F16 or BF16"), tensor->info.name,
               name);
  return FALSE;
}

static gboolean
read_shape (Encoded *encoded, AtnJsonScan *scan, GError **error)
{
  AtnTensorInfo *info = &encoded->tensor->info;
  AtnJsonEvent event = atn_json_scan_next (scan, error);

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_ARRAY)
    return refuse (encoded, error, ATN_ERROR_INVALID_FORMAT, _ ("has a shape that is no array"));

  info->n_dims = 0;
  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_NUMBER) {
    if (info->n_dims == ATN_TENSOR_MAX_DIMS)
      return refuse (encoded, error, ATN_ERROR_INVALID_FORMAT, _ ("has more than 8 dimensions"));
    if (!atn_json_scan_get_size (scan, &info->shape[info->n_dims])) {
      g_autofree char *found = atn_json_scan_dup_excerpt (scan);

      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("tensor “%s” has %s in its shape, expected whole numbers"), info->name,
                   found);
      return FALSE;
    }
    info->n_dims++;
  }

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_ARRAY_END)
    return refuse (encoded, error, ATN_ERROR_INVALID_FORMAT,
                   _ ("has something else than numbers in its shape"));

  encoded->has_shape = true;
  return TRUE;
}

static gboolean
decode_data (Encoded *encoded, GError **error)
{
  AtnTensor *tensor = encoded->tensor;
  const AtnJsonScan *data = &encoded->data;
  /* "\/" is a slash, too, and a slash is base64. */
  g_autofree char *plain = data->has_escape ? atn_json_scan_dup_string (data) : NULL;
  g_autofree char *shape = NULL;
  size_t n_bytes;

  if (!atn_tensor_measure (tensor, encoded->n_bits, &n_bytes, error))
    return FALSE;

  tensor->owned_bytes =
    atn_base64_decode (plain != NULL ? plain : data->token,
                       plain != NULL ? strlen (plain) : data->token_len, &tensor->n_bytes, error);
  if (tensor->owned_bytes == NULL) {
    g_prefix_error (error, _ ("tensor “%s”: "), tensor->info.name);
    return FALSE;
  }

  if (tensor->n_bytes != n_bytes) {
    shape = atn_shape_dup_text (tensor->info.shape, tensor->info.n_dims);
    g_set_error (error, ATN_ERROR, ATN_ERROR_SHAPE_MISMATCH,
                 _ ("tensor “%s” has %zu bytes of data, expected %zu for %s %s"), tensor->info.name,
                 tensor->n_bytes, n_bytes, tensor->info.dtype_name, shape);
    return FALSE;
  }

  tensor->bytes = tensor->owned_bytes;
  return TRUE;
}

static gboolean
read_encoded_member (Encoded *encoded, AtnJsonScan *scan, GError **error)
{
  AtnJsonEvent event;

  if (atn_json_scan_is (scan, "dtype"))
    return read_dtype (encoded, scan, error);
  if (atn_json_scan_is (scan, "shape"))
    return read_shape (encoded, scan, error);
  if (!atn_json_scan_is (scan, "data"))
    return atn_json_scan_skip (scan, atn_json_scan_next (scan, error), error);

  event = atn_json_scan_next (scan, error);
  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_STRING)
    return refuse (encoded, error, ATN_ERROR_INVALID_FORMAT,
                   _ ("has data that are no string of base64"));

  encoded->data = *scan;
  encoded->has_data = true;
  return TRUE;
}

static gboolean
read_encoded (AtnTensor *tensor, AtnJsonScan *scan, GError **error)
{
  Encoded encoded = { .tensor = tensor };
  AtnJsonEvent event;

  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_KEY)
    if (!read_encoded_member (&encoded, scan, error))
      return FALSE;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (encoded.n_bits == 0 || !encoded.has_shape || !encoded.has_data)
    return refuse (&encoded, error, ATN_ERROR_INVALID_FORMAT, _ ("lacks its dtype, shape or data"));

  return decode_data (&encoded, error);
}

static gboolean
read_tensor (AtnTensor *tensor, AtnJsonScan *scan, const AtnProgress *progress, GError **error)
{
  g_autofree char *found = NULL;

  switch (atn_json_scan_next (scan, error)) {
  case ATN_JSON_EVENT_FAILED:
    return FALSE;
  case ATN_JSON_EVENT_OBJECT:
    return read_encoded (tensor, scan, error);
  case ATN_JSON_EVENT_ARRAY:
    return atn_weights_load_json_numbers (tensor, scan, progress, error);
  default:
    found = atn_json_scan_dup_excerpt (scan);
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("tensor “%s” is %s, expected an object with its data or arrays of numbers"),
                 tensor->info.name, found);
    return FALSE;
  }
}

gboolean
atn_weights_load_json_tensors (AtnWeights *self,
                               AtnJsonScan *scan,
                               const AtnProgress *progress,
                               GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;

  if (event != ATN_JSON_EVENT_OBJECT) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                         _ ("“tensors” is no object, expected an object of tensors by name"));
    return FALSE;
  }

  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_KEY) {
    g_autofree char *name = atn_json_scan_dup_string (scan);
    g_autoptr (AtnTensor) tensor = atn_tensor_new (name);

    if (!atn_tensor_check_name (name, error) || !read_tensor (tensor, scan, progress, error) ||
        !atn_weights_add (self, g_steal_pointer (&tensor), error) ||
        !atn_progress_step (progress, atn_json_scan_get_fraction (scan), error))
      return FALSE;
  }

  return event == ATN_JSON_EVENT_OBJECT_END;
}
