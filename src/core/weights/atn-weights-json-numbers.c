/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A tensor written as nested arrays of plain numbers, [[1, 2], [3, 4]]. The
 * numbers go from the text into a float array; a tree would need 64 bytes for
 * each. The shape is what the first array of each level says; every later one
 * must agree.
 */

#include "base/atn-error.h"
#include "base/atn-json-scan.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MAX_NUMBERS 4194304

/* Numbers between two looks at the cancellable. */
#define STEP 65536

typedef struct
{
  AtnTensor *tensor;
  AtnJsonScan *scan;
  GArray *values; /* (element-type float) */
  size_t level;   /* open arrays */
  size_t n_dims;  /* 0 until the first number or the first empty array */
  bool is_known[ATN_TENSOR_MAX_DIMS];
  size_t counts[ATN_TENSOR_MAX_DIMS]; /* elements so far in the open array of each level */
} Reader;

/* Where an element, or an inner array, stands: "row 1, column 2"; "[1, 0, 2]" in more dimensions.
 */
static char *
dup_place (const Reader *reader, size_t n_indices)
{
  const size_t *index = reader->counts;

  if (n_indices == 1)
    return g_strdup_printf (_ ("row %zu"), index[0]);
  if (n_indices == 2 && reader->n_dims == 2)
    return g_strdup_printf (_ ("row %zu, column %zu"), index[0], index[1]);

  return atn_shape_dup_text (index, n_indices);
}

G_GNUC_PRINTF (5, 6)
static gboolean
refuse_at (const Reader *reader,
           size_t n_indices,
           GError **error,
           int code,
           const char *format,
           ...)
{
  g_autofree char *place = dup_place (reader, n_indices);
  g_autofree char *problem = NULL;
  va_list args;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);

  g_set_error (error, ATN_ERROR, code, _ ("tensor “%s”, %s: %s"), reader->tensor->info.name, place,
               problem);
  return FALSE;
}

static gboolean
open_array (Reader *reader, GError **error)
{
  if (reader->n_dims != 0 && reader->level >= reader->n_dims)
    return refuse_at (reader, reader->level, error, ATN_ERROR_SHAPE_MISMATCH,
                      _ ("found an array, expected a number"));

  if (reader->level == ATN_TENSOR_MAX_DIMS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_SHAPE_MISMATCH,
                 _ ("tensor “%s” has more than %d dimensions"), reader->tensor->info.name,
                 ATN_TENSOR_MAX_DIMS);
    return FALSE;
  }

  reader->counts[reader->level++] = 0;
  return TRUE;
}

static gboolean
close_array (Reader *reader, GError **error)
{
  const size_t level = --reader->level;
  const size_t n = reader->counts[level];
  size_t *shape = &reader->tensor->info.shape[level];

  if (reader->n_dims == 0)
    reader->n_dims = level + 1;

  if (reader->is_known[level] && n != *shape)
    return refuse_at (reader, level, error, ATN_ERROR_SHAPE_MISMATCH,
                      _ ("found an array of %zu, expected one of %zu"), n, *shape);

  reader->is_known[level] = true;
  *shape = n;
  if (level > 0)
    reader->counts[level - 1]++;
  return TRUE;
}

static gboolean
add_number (Reader *reader, GError **error)
{
  const AtnJsonScan *scan = reader->scan;
  g_autofree char *found = NULL;
  double number;
  float value;

  if (reader->n_dims == 0)
    reader->n_dims = reader->level;
  if (reader->level != reader->n_dims)
    return refuse_at (reader, reader->level, error, ATN_ERROR_SHAPE_MISMATCH,
                      _ ("found a number, expected an array"));

  if (reader->values->len == MAX_NUMBERS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("tensor “%s” has more than %d plain numbers; write it as base64 with dtype, "
                    "shape and data"),
                 reader->tensor->info.name, MAX_NUMBERS);
    return FALSE;
  }

  if (!atn_json_scan_get_number (scan, &number, NULL) || !isfinite ((float) number)) {
    found = atn_json_scan_dup_excerpt (scan);
    return refuse_at (reader, reader->level, error, ATN_ERROR_INVALID_FORMAT,
                      _ ("%s does not fit into a float32"), found);
  }

  value = (float) number;
  g_array_append_val (reader->values, value);
  reader->counts[reader->level - 1]++;
  return TRUE;
}

static gboolean
read_event (Reader *reader, AtnJsonEvent event, GError **error)
{
  const AtnJsonScan *scan = reader->scan;
  g_autofree char *found = NULL;

  switch (event) {
  case ATN_JSON_EVENT_ARRAY:
    return open_array (reader, error);
  case ATN_JSON_EVENT_ARRAY_END:
    return close_array (reader, error);
  case ATN_JSON_EVENT_NUMBER:
    return add_number (reader, error);
  case ATN_JSON_EVENT_FAILED:
    return FALSE;
  default:
    found = atn_json_scan_dup_excerpt (scan);
    return refuse_at (reader, reader->level, error, ATN_ERROR_INVALID_FORMAT,
                      _ ("found “%s”, expected a number"), found);
  }
}

/* The scanner stands at the outermost bracket. */
gboolean
atn_weights_load_json_numbers (AtnTensor *tensor,
                               AtnJsonScan *scan,
                               const AtnProgress *progress,
                               GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (float));
  Reader reader = { .tensor = tensor, .scan = scan, .values = values };
  AtnJsonEvent event = ATN_JSON_EVENT_ARRAY;
  size_t n_bits;

  for (size_t i = 1;; i++) {
    if (!read_event (&reader, event, error))
      return FALSE;
    if (reader.level == 0)
      break;
    if (i % STEP == 0 && !atn_progress_step (progress, atn_json_scan_get_fraction (scan), error))
      return FALSE;
    event = atn_json_scan_next (scan, error);
  }

  tensor->info.n_dims = reader.n_dims;
  atn_tensor_set_dtype (tensor, "F32", &n_bits);
  if (!atn_tensor_measure (tensor, n_bits, &tensor->n_bytes, error))
    return FALSE;

  /* Already finite floats of this machine, so bytes stay empty. */
  tensor->owned_floats = g_new (float, MAX (values->len, 1));
  if (values->len > 0)
    memcpy (tensor->owned_floats, values->data, values->len * sizeof (float));
  tensor->floats = tensor->owned_floats;
  return TRUE;
}
