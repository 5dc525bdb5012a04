/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One tensor for queries, keys and values: all rows of q, then of k, then of v. Where the folder
 * has three, it is cut into three; nothing is copied, for no block crosses a row:
 *
 *   | n_heads · d_head rows | n_kv_heads · d_head rows | n_kv_heads · d_head rows |
 *
 * Phi-2's first files have it, and llama.cpp takes it in place of the three in other architectures,
 * too.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-family.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* "blk.12." of "blk.12.attn_qkv.weight" and ".weight", or false if that is no such name. */
static bool
find_ends (const char *name, size_t *prefix_len, const char **suffix)
{
  const char *qkv = strstr (name, "attn_qkv");

  if (qkv == NULL || !g_str_has_prefix (name, "blk."))
    return false;

  *prefix_len = (size_t) (qkv - name);
  *suffix = qkv + strlen ("attn_qkv");
  return strcmp (*suffix, ".weight") == 0 || strcmp (*suffix, ".bias") == 0;
}

bool
atn_gguf_family_has_fused_qkv (const AtnGgufFamily *self, const char *name)
{
  g_autofree char *own = NULL, *q = NULL, *q_name = NULL;
  const char *suffix;
  size_t prefix_len;
  AtnGgufOrder order;

  if (!find_ends (name, &prefix_len, &suffix))
    return false;

  own = atn_gguf_family_dup_name (self, name, &order);
  q_name = g_strdup_printf ("%.*sattn_q%s", (int) prefix_len, name, suffix);
  q = atn_gguf_family_dup_name (self, q_name, &order);
  return own == NULL && q != NULL;
}

static gboolean
refuse (const AtnGgufTensor *tensor, size_t n_rows, GError **error)
{
  g_set_error (error, ATN_ERROR, ATN_ERROR_SHAPE_MISMATCH,
               _ ("tensor “%s” of %s has %zu rows, expected the %zu of queries, keys and values"),
               tensor->name, tensor->type->name, tensor->n_dims > 0 ? tensor->shape[0] : 0, n_rows);
  return FALSE;
}

gboolean
atn_gguf_family_cut_qkv (const AtnGgufFamily *self,
                         const AtnGguf *gguf,
                         const AtnGgufTensor *tensor,
                         AtnGgufTensor *parts,
                         GError **error)
{
  static const char *const names[] = { "attn_q", "attn_k", "attn_v" };
  const char *suffix = "";
  size_t prefix_len = 0, first = 0, n_rows, row_size;
  const bool is_fused = find_ends (tensor->name, &prefix_len, &suffix);
  AtnGgufHeads heads;

  g_return_val_if_fail (is_fused, FALSE);

  if (!atn_gguf_family_read_heads (self, gguf, &heads, error))
    return FALSE;
  /* Each is below 2³². */
  if (!g_size_checked_mul (&n_rows, heads.n_heads + 2 * heads.n_kv_heads, heads.d_head))
    n_rows = 0;

  /* A bias is a column; one that is packed into blocks has no rows. */
  if (tensor->n_dims == 0 || tensor->n_dims > 2 || n_rows == 0 || tensor->shape[0] != n_rows ||
      (tensor->n_dims == 1 && tensor->type->block_length != 1))
    return refuse (tensor, n_rows, error);

  row_size = tensor->n_bytes / n_rows;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    const size_t n = (i == 0 ? heads.n_heads : heads.n_kv_heads) * heads.d_head;

    parts[i] = *tensor;
    parts[i].name = g_strdup_printf ("%.*s%s%s", (int) prefix_len, tensor->name, names[i], suffix);
    parts[i].shape[0] = n;
    parts[i].bytes = tensor->bytes + first * row_size;
    parts[i].n_bytes = n * row_size;
    parts[i].offset = tensor->offset + first * row_size;
    first += n;
  }

  return TRUE;
}
