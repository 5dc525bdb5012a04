/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Weights in several files. The index says which file has which tensor:
 *
 *   model.safetensors.index.json   {"metadata": {"total_size": 8},
 *                                   "weight_map": {"a": "model-00001-of-00002.safetensors",
 *                                                  "b": "model-00002-of-00002.safetensors"}}
 *
 * A file's name is a name and no path: whoever wrote the index could else have any file of
 * the disk opened. (A symbolic link is followed; the caches of Hugging Face consist of them.)
 */

#include "base/atn-error.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define INDEX_NAME "model.safetensors.index.json"

static gboolean
check_file_name (const char *name, const char *tensor, GError **error)
{
  if (g_str_has_suffix (name, ".safetensors") && strpbrk (name, "/\\") == NULL)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“weight_map” has tensor “%s” in “%s”, expected a .safetensors file in the same "
                  "folder"),
               tensor, name);
  return FALSE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The files that @map names, each once and in the order of their names; the strings are @map's. */
static GPtrArray *
list_shards (const AtnJson *map, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) shards = g_ptr_array_new ();

  for (const AtnJson *item = atn_json_get_first (map); item != NULL;
       item = atn_json_get_next (item)) {
    const char *tensor = atn_json_get_name (item);
    const char *name;

    if (atn_json_get_kind (item) != ATN_JSON_STRING) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("“weight_map”: “%s” must be a file's name, not %s"), tensor,
                   atn_json_kind_get_name (atn_json_get_kind (item)));
      return NULL;
    }

    name = atn_json_get_string (item);
    if (!check_file_name (name, tensor, error))
      return NULL;
    if (g_hash_table_add (seen, (gpointer) name))
      g_ptr_array_add (shards, (gpointer) name);
  }

  if (shards->len == 0) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                         _ ("“weight_map” names no file"));
    return NULL;
  }

  g_ptr_array_sort (shards, compare_names);
  return g_steal_pointer (&shards);
}

/* All of them must be there before the first is looked at. */
static gboolean
check_shards (const char *folder, const GPtrArray *shards, GError **error)
{
  for (guint i = 0; i < shards->len; i++) {
    const char *name = g_ptr_array_index (shards, i);
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      continue;

    g_set_error (error, ATN_ERROR, ATN_ERROR_IO,
                 _ ("the folder has no %s, one of the %u files that this index names"), name,
                 shards->len);
    return FALSE;
  }

  return TRUE;
}

/* Each file; @places gets which file (borrowed) each tensor came from. */
static gboolean
load_shards (AtnWeights *self,
             const char *folder,
             const GPtrArray *shards,
             GHashTable *places,
             const AtnProgress *progress,
             GError **error)
{
  for (guint i = 0; i < shards->len; i++) {
    char *name = g_ptr_array_index (shards, i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    const size_t n_before = atn_weights_get_n_tensors (self);
    const double share = (progress->to - progress->from) / (double) shards->len;
    AtnProgress part = *progress;

    part.from = progress->from + share * (double) i;
    part.to = part.from + share;
    if (!atn_weights_load_safetensors (self, path, &part, error)) {
      atn_weights_prefix_path (error, path);
      return FALSE;
    }

    for (size_t t = n_before; t < atn_weights_get_n_tensors (self); t++)
      g_hash_table_insert (places, (gpointer) atn_weights_get_info (self, t)->name, name);
  }

  return TRUE;
}

/* Whether each tensor was where the index has it. */
static gboolean
check_places (const AtnJson *map, GHashTable *places, GError **error)
{
  for (const AtnJson *item = atn_json_get_first (map); item != NULL;
       item = atn_json_get_next (item)) {
    const char *tensor = atn_json_get_name (item);
    const char *expected = atn_json_get_string (item);
    const char *found = g_hash_table_lookup (places, tensor);

    if (g_strcmp0 (found, expected) == 0)
      continue;

    if (found == NULL)
      g_set_error (error, ATN_ERROR, ATN_ERROR_MISSING_TENSOR,
                   _ ("tensor “%s” should be in %s, which does not have it"), tensor, expected);
    else
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("tensor “%s” should be in %s, but is in %s"), tensor, expected, found);
    return FALSE;
  }

  return TRUE;
}

static gboolean
read_map (const AtnJson *index, const AtnJson **map, GPtrArray **shards, GError **error)
{
  if (!atn_json_read_node (index, "weight_map", ATN_JSON_REQUIRED, ATN_JSON_OBJECT, map, error))
    return FALSE;

  *shards = list_shards (*map, error);
  return *shards != NULL;
}

bool
atn_weights_has_index (const char *folder, const char *file_name)
{
  g_autofree char *path = g_build_filename (folder, INDEX_NAME, NULL);
  g_autoptr (AtnJson) index = NULL;
  g_autoptr (GPtrArray) shards = NULL;
  const AtnJson *map = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return false;
  if (file_name == NULL)
    return true;

  index = atn_weights_read_json (folder, INDEX_NAME, ATN_WEIGHTS_INDEX_MAX_SIZE, NULL);
  return index != NULL && read_map (index, &map, &shards, NULL) &&
         g_ptr_array_find_with_equal_func (shards, file_name, g_str_equal, NULL);
}

gboolean
atn_weights_load_shards (AtnWeights *self,
                         const char *folder,
                         const AtnProgress *progress,
                         GError **error)
{
  g_autofree char *path = g_build_filename (folder, INDEX_NAME, NULL);
  g_autoptr (AtnJson) index =
    atn_weights_read_json (folder, INDEX_NAME, ATN_WEIGHTS_INDEX_MAX_SIZE, error);
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) shards = NULL;
  const AtnJson *map = NULL;

  if (index == NULL)
    return FALSE;

  if (!read_map (index, &map, &shards, error) || !check_shards (folder, shards, error)) {
    atn_weights_prefix_path (error, path);
    return FALSE;
  }

  if (!load_shards (self, folder, shards, places, progress, error))
    return FALSE;

  if (!check_places (map, places, error)) {
    atn_weights_prefix_path (error, path);
    return FALSE;
  }

  return TRUE;
}
