/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "weights/atn-weights-storage.h"

#include "weights/atn-weights-private.h"

const char *
atn_weights_get_main_dtype (const AtnWeights *self)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *main_dtype = NULL;
  guint64 most = 0;

  for (guint i = 0; i < self->tensors->len; i++) {
    const AtnTensorInfo *info = &((const AtnTensor *) g_ptr_array_index (self->tensors, i))->info;
    guint64 *count = g_hash_table_lookup (counts, info->dtype_name);

    if (count == NULL) {
      count = g_new0 (guint64, 1);
      g_hash_table_insert (counts, (gpointer) info->dtype_name, count);
    }
    *count += info->n_elements;
    if (*count > most) {
      most = *count;
      main_dtype = info->dtype_name;
    }
  }
  return main_dtype;
}
