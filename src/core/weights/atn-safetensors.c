/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A .safetensors file:
 *
 *   | n: 8 bytes, little endian | header: n bytes of JSON | data                    |
 *     {"__metadata__": {"format": "pt"},
 *      "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
 *
 * Offsets count from the start of the data. The tensors' ranges must cover the
 * data without holes, overlaps and rest, and no name may come twice. All this
 * is checked before any data are read, so that no later code has to.
 *
 * The header is taken from the scanner without building a tree: a header may
 * have 100 MB, and sizes over 2⁵³ must be seen as what they are.
 *
 * The data are mapped, and read when they are looked at: opening 548 MB takes a millisecond and
 * no memory. What happens if the file is cut or written over meanwhile is said in atn-mapping.h.
 *
 * Source: https://github.com/huggingface/safetensors, README and tensor.rs
 */

#include "base/atn-error.h"
#include "base/atn-json-scan.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define PREFIX_SIZE 8
#define HEADER_MAX_SIZE G_GUINT64_CONSTANT (100000000)

/* What the header says of one tensor, beside its name, type and shape. */
typedef struct
{
  AtnTensor *tensor; /* borrowed */
  guint64 begin;
  guint64 end;
} Range;

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (ATN_ERROR, ATN_ERROR_INVALID_FORMAT, format, args));
  va_end (args);
  return FALSE;
}

/* Header. */

static gboolean
read_metadata (AtnJsonScan *scan, GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_OBJECT)
    return refuse (error, _ ("__metadata__ is no object, expected an object of strings"));

  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_KEY) {
    g_autofree char *key = atn_json_scan_dup_string (scan);

    event = atn_json_scan_next (scan, error);
    if (event == ATN_JSON_EVENT_FAILED)
      return FALSE;
    if (event != ATN_JSON_EVENT_STRING)
      return refuse (error, _ ("“%s” in __metadata__ is no string, expected strings only"), key);
  }

  return event == ATN_JSON_EVENT_OBJECT_END;
}

/* Reads an array of at most @max sizes. */
static gboolean
read_sizes (AtnJsonScan *scan,
            const AtnTensor *tensor,
            const char *key,
            size_t max,
            size_t *sizes,
            size_t *n,
            GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_ARRAY)
    return refuse (error, _ ("tensor “%s”: %s is no array"), tensor->info.name, key);

  *n = 0;
  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_NUMBER) {
    if (*n == max)
      return refuse (error, _ ("tensor “%s”: %s has more than %zu numbers"), tensor->info.name, key,
                     max);
    if (!atn_json_scan_get_size (scan, &sizes[*n])) {
      g_autofree char *found = atn_json_scan_dup_excerpt (scan);

      return refuse (error, _ ("tensor “%s”: %s in %s is no whole number from 0 to 2⁵³"),
                     tensor->info.name, found, key);
    }
    (*n)++;
  }

  if (event == ATN_JSON_EVENT_ARRAY_END)
    return TRUE;
  if (event != ATN_JSON_EVENT_FAILED)
    refuse (error, _ ("tensor “%s”: %s holds something else than numbers"), tensor->info.name, key);
  return FALSE;
}

static gboolean
read_dtype (AtnJsonScan *scan, AtnTensor *tensor, size_t *n_bits, GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);
  g_autofree char *name = NULL;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_STRING)
    return refuse (error, _ ("tensor “%s”: dtype is no string"), tensor->info.name);

  name = atn_json_scan_dup_string (scan);
  if (!atn_tensor_set_dtype (tensor, name, n_bits))
    return refuse (error, _ ("tensor “%s” has the unknown dtype “%s”"), tensor->info.name, name);

  return TRUE;
}

typedef enum
{
  SEEN_DTYPE = 1,
  SEEN_SHAPE = 2,
  SEEN_OFFSETS = 4,
  SEEN_ALL = 7
} Seen;

/* Reads the value of the key the scanner stands at; unknown keys are skipped. */
static gboolean
read_entry_member (AtnJsonScan *scan, Range *range, size_t *n_bits, guint *seen, GError **error)
{
  AtnTensor *tensor = range->tensor;
  size_t offsets[2], n;
  guint key = atn_json_scan_is (scan, "dtype")          ? SEEN_DTYPE
              : atn_json_scan_is (scan, "shape")        ? SEEN_SHAPE
              : atn_json_scan_is (scan, "data_offsets") ? SEEN_OFFSETS
                                                        : 0;

  if ((*seen & key) != 0)
    return refuse (error, _ ("tensor “%s” has two members “%.*s”"), tensor->info.name,
                   (int) scan->token_len, scan->token);
  *seen |= key;

  switch (key) {
  case SEEN_DTYPE:
    return read_dtype (scan, tensor, n_bits, error);
  case SEEN_SHAPE:
    return read_sizes (scan, tensor, "shape", ATN_TENSOR_MAX_DIMS, tensor->info.shape,
                       &tensor->info.n_dims, error);
  case SEEN_OFFSETS:
    if (!read_sizes (scan, tensor, "data_offsets", 2, offsets, &n, error))
      return FALSE;
    if (n != 2)
      return refuse (error, _ ("tensor “%s”: data_offsets has %zu numbers, expected 2"),
                     tensor->info.name, n);
    range->begin = offsets[0];
    range->end = offsets[1];
    return TRUE;
  default:
    return atn_json_scan_skip (scan, atn_json_scan_next (scan, error), error);
  }
}

/* The range must be what shape and type say, and inside the data. */
static gboolean
check_range (const Range *range, size_t n_bits, guint64 data_size, GError **error)
{
  AtnTensor *tensor = range->tensor;
  g_autofree char *shape = atn_shape_dup_text (tensor->info.shape, tensor->info.n_dims);
  size_t n_bytes;

  if (!atn_tensor_measure (tensor, n_bits, &n_bytes, error))
    return FALSE;

  if (range->begin > range->end || range->end - range->begin != n_bytes)
    return refuse (error,
                   _ ("tensor “%s” of %s %s has %zu bytes, but its data_offsets are "
                      "%" PRIu64 " and %" PRIu64),
                   tensor->info.name, tensor->info.dtype_name, shape, n_bytes, range->begin,
                   range->end);

  if (range->end > data_size)
    return refuse (error,
                   _ ("tensor “%s” ends at byte %" PRIu64 " of the data, but the file "
                      "holds %" PRIu64 "; it is cut off or damaged"),
                   tensor->info.name, range->end, data_size);

  tensor->n_bytes = n_bytes;
  return TRUE;
}

/* One tensor, whose key the scanner stands at. */
static gboolean
read_entry (AtnJsonScan *scan, Range *range, guint64 data_size, GError **error)
{
  const char *name = range->tensor->info.name;
  AtnJsonEvent event = atn_json_scan_next (scan, error);
  size_t n_bits = 0;
  guint seen = 0;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_OBJECT)
    return refuse (error, _ ("tensor “%s” is no object in the header"), name);

  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_KEY)
    if (!read_entry_member (scan, range, &n_bits, &seen, error))
      return FALSE;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (seen != SEEN_ALL)
    return refuse (error, _ ("tensor “%s” lacks its dtype, shape or data_offsets"), name);

  return check_range (range, n_bits, data_size, error);
}

static gboolean
read_header (AtnWeights *self, AtnJsonScan *scan, GArray *ranges, guint64 data_size, GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;
  if (event != ATN_JSON_EVENT_OBJECT)
    return refuse (error, _ ("it is no JSON object"));

  while ((event = atn_json_scan_next (scan, error)) == ATN_JSON_EVENT_KEY) {
    g_autofree char *name = atn_json_scan_dup_string (scan);
    Range range = { .tensor = NULL };

    if (strcmp (name, "__metadata__") == 0) {
      if (!read_metadata (scan, error))
        return FALSE;
      continue;
    }

    if (!atn_tensor_check_name (name, error))
      return FALSE;
    range.tensor = atn_tensor_new (name);
    if (!atn_weights_add (self, range.tensor, error) ||
        !read_entry (scan, &range, data_size, error))
      return FALSE;
    g_array_append_val (ranges, range);
  }

  return event == ATN_JSON_EVENT_OBJECT_END &&
         atn_json_scan_next (scan, error) == ATN_JSON_EVENT_END;
}

/* Ranges together. */

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *first = a, *second = b;

  if (first->begin != second->begin)
    return first->begin < second->begin ? -1 : 1;
  return first->end < second->end ? -1 : first->end > second->end;
}

/* Sorts @ranges. */
static gboolean
check_coverage (GArray *ranges, guint64 data_size, GError **error)
{
  guint64 covered = 0;

  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    const Range *range = &g_array_index (ranges, Range, i);

    if (range->begin < covered)
      return refuse (error, _ ("tensors “%s” and “%s” overlap at byte %" PRIu64),
                     g_array_index (ranges, Range, i - 1).tensor->info.name,
                     range->tensor->info.name, range->begin);
    if (range->begin > covered)
      return refuse (error, _ ("bytes %" PRIu64 " to %" PRIu64 " of the data belong to no tensor"),
                     covered, range->begin);
    covered = range->end;
  }

  if (covered < data_size)
    return refuse (error, _ ("the last %" PRIu64 " bytes of the file belong to no tensor"),
                   data_size - covered);

  return TRUE;
}

/* The file. */

bool
atn_weights_refuse_lfs_pointer (const guint8 *bytes, size_t n_bytes, GError **error)
{
  static const char start[] = "version https://git-lfs";

  if (n_bytes < strlen (start) || memcmp (bytes, start, strlen (start)) != 0)
    return false;

  refuse (error,
          _ ("this is a Git LFS pointer, not the file itself; fetch it with “git lfs pull”"));
  return true;
}

/* Reads and checks the length of the header. */
static gboolean
measure_header (AtnInput *input, gsize *header_size, GError **error)
{
  const guint64 file_size = atn_input_get_size (input);
  guint8 start[32];
  const gsize n = atn_input_peek (input, start, sizeof start);
  guint64 length = 0;

  if (file_size == 0)
    return refuse (error, _ ("the file is empty"));
  if (atn_weights_refuse_lfs_pointer (start, n, error))
    return FALSE;
  if (n < PREFIX_SIZE)
    return refuse (error, _ ("the file has %zu bytes, too few for a safetensors file"), n);

  for (int i = PREFIX_SIZE - 1; i >= 0; i--)
    length = length << 8 | start[i];

  if (length == 0)
    return refuse (error, _ ("the header is empty"));
  if (length > HEADER_MAX_SIZE)
    return refuse (error,
                   _ ("the header would have %" PRIu64 " bytes, expected at most %" PRIu64
                      "; this is no safetensors file"),
                   length, HEADER_MAX_SIZE);
  if (length > file_size - PREFIX_SIZE)
    return refuse (error,
                   _ ("the header should have %" PRIu64 " bytes, but the file ends after %" PRIu64
                      "; it is cut off"),
                   length, file_size - PREFIX_SIZE);

  *header_size = (gsize) length;
  return TRUE;
}

static gboolean
load_header (AtnWeights *self, AtnInput *input, gsize header_size, GArray *ranges, GError **error)
{
  const guint64 data_size = atn_input_get_size (input) - PREFIX_SIZE - header_size;
  const AtnProgress quiet = { .func = NULL };
  g_autoptr (GBytes) header = atn_input_read (input, PREFIX_SIZE, header_size, &quiet, error);
  const char *text;
  AtnJsonScan scan;

  if (header == NULL)
    return FALSE;

  text = g_bytes_get_data (header, NULL);
  if (text[0] != '{')
    return refuse (error, _ ("the header does not begin with “{”; this is no safetensors file"));

  atn_json_scan_init (&scan, text, header_size);
  if (!read_header (self, &scan, ranges, data_size, error)) {
    g_prefix_error (error, _ ("header: "));
    return FALSE;
  }

  if (ranges->len == 0)
    return refuse (error, _ ("the file holds no tensors"));

  return check_coverage (ranges, data_size, error);
}

gboolean
atn_weights_load_safetensors (AtnWeights *self,
                              const char *path,
                              const AtnProgress *progress,
                              GError **error)
{
  g_autoptr (AtnInput) input = atn_input_open (path, error);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  const guint8 *data;
  gsize header_size = 0;
  GBytes *bytes;

  if (input == NULL || !measure_header (input, &header_size, error) ||
      !load_header (self, input, header_size, ranges, error))
    return FALSE;

  bytes = atn_input_map (input, error);
  if (bytes == NULL)
    return FALSE;

  atn_weights_take_file (self, path, bytes);
  data = (const guint8 *) g_bytes_get_data (bytes, NULL) + PREFIX_SIZE + header_size;
  for (guint i = 0; i < ranges->len; i++) {
    const Range *range = &g_array_index (ranges, Range, i);

    /* Data of no bytes have no address. */
    range->tensor->bytes = range->tensor->n_bytes > 0 ? data + range->begin : (const guint8 *) "";
  }

  self->file_size += (goffset) atn_input_get_size (input);
  return atn_progress_step (progress, 1.0, error);
}
