/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A Hugging Face folder: config.json, tokenizer.json (or the older files of a
 * vocabulary, see atn-weights-tokenizer.c), model.safetensors or its shards. What
 * else people have in such folders is recognised, and refused by its name.
 */

#include "base/atn-error.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CONFIG_MAX_SIZE (G_GUINT64_CONSTANT (16) << 20)

/* Files that hold the weights, or the tokenizer, in another way. */
static const char *const other_weights[] = {
  "tf_model.h5",
  "flax_model.msgpack",
  "model.onnx",
};
/* Those of PyTorch, which are programs rather than data. */
static const char *const pickles[] = {
  "pytorch_model.bin",
  "pytorch_model.bin.index.json",
  "consolidated.00.pth",
};
static const char *const other_tokenizers[] = {
  "vocab.json",
  "tokenizer.model",
  "spiece.model",
  "sentencepiece.bpe.model",
};

/* The first of @names that is in @folder, or NULL. */
static const char *
find_file (const char *folder, const char *const *names, size_t n_names)
{
  for (size_t i = 0; i < n_names; i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return names[i];
  }

  return NULL;
}

/* (transfer full) (nullable): a file in @folder whose name ends in @suffix. */
static char *
find_suffix (const char *folder, const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *found = NULL;
  const char *name;

  if (dir == NULL)
    return NULL;

  /* The order of a folder is chance, so the first in the alphabet is taken. */
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, suffix) || (found != NULL && strcmp (found, name) <= 0))
      continue;
    g_free (found);
    found = g_strdup (name);
  }

  return g_steal_pointer (&found);
}

static gboolean
refuse_missing (const char *missing, const char *other, const char *expected, GError **error)
{
  if (other != NULL)
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("the folder has no %s, and its %s cannot be read; expected %s"), missing, other,
                 expected);
  else
    g_set_error (error, ATN_ERROR, ATN_ERROR_IO, _ ("the folder has no %s"), missing);
  return FALSE;
}

static gboolean
refuse_missing_weights (const char *folder, GError **error)
{
  const char *pickle = find_file (folder, pickles, G_N_ELEMENTS (pickles));
  const char *other = find_file (folder, other_weights, G_N_ELEMENTS (other_weights));
  g_autofree char *file = NULL;

  if (pickle != NULL) {
    g_autofree char *advice = atn_weights_dup_pickle_advice (pickle);

    g_set_error (
      error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
      _ ("the folder has no model.safetensors, and its %s is a pickle of Python, which is "
         "not read because it can run programs; %s"),
      pickle, advice);
    return FALSE;
  }

  file = find_suffix (folder, ".gguf");
  if (file == NULL && other != NULL)
    return refuse_missing ("model.safetensors", other, _ ("one file model.safetensors"), error);

  if (file == NULL)
    file = find_suffix (folder, ".safetensors");
  if (file != NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_IO,
                 _ ("the folder has no model.safetensors; if %s holds the weights, open that file"),
                 file);
    return FALSE;
  }

  return refuse_missing ("model.safetensors", NULL, NULL, error);
}

/* All three files must be there before the first is read. */
static gboolean
check_files (const char *folder, const char *weights_path, GError **error)
{
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);

  if (!g_file_test (config, G_FILE_TEST_EXISTS))
    return refuse_missing ("config.json", NULL, NULL, error);
  if (!g_file_test (weights_path, G_FILE_TEST_EXISTS) && !atn_weights_has_index (folder, NULL))
    return refuse_missing_weights (folder, error);
  if (atn_weights_find_tokenizer (folder) == NULL)
    return refuse_missing ("tokenizer.json",
                           find_file (folder, other_tokenizers, G_N_ELEMENTS (other_tokenizers)),
                           _ ("tokenizer.json, vocab.json with merges.txt, or vocab.txt"), error);

  return TRUE;
}

AtnJson *
atn_weights_read_json (const char *folder, const char *name, guint64 max_size, GError **error)
{
  const AtnProgress quiet = { .func = NULL };
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GBytes) bytes = atn_input_read_file (path, max_size, &quiet, error);
  g_autoptr (AtnJson) root = NULL;
  gconstpointer text;
  gsize length;

  if (bytes != NULL) {
    text = g_bytes_get_data (bytes, &length);
    if (!atn_weights_refuse_lfs_pointer (text, length, error))
      root = atn_json_parse (text, length, error);
  }

  if (root != NULL && atn_json_get_kind (root) != ATN_JSON_OBJECT) {
    g_clear_pointer (&root, atn_json_free);
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                         _ ("the file does not begin with “{”"));
  }

  if (root == NULL)
    atn_weights_prefix_path (error, path);
  return g_steal_pointer (&root);
}

static gboolean
check_or_name_folder (const char *folder, const char *weights_path, GError **error)
{
  if (check_files (folder, weights_path, error))
    return TRUE;

  atn_weights_prefix_path (error, folder);
  return FALSE;
}

static gboolean
load_tensors (AtnWeights *self,
              const char *folder,
              const char *file_name,
              const AtnProgress *progress,
              GError **error)
{
  g_autofree char *path =
    g_build_filename (folder, file_name != NULL ? file_name : "model.safetensors", NULL);
  const bool is_sharded = file_name != NULL ? atn_weights_has_index (folder, file_name)
                                            : !g_file_test (path, G_FILE_TEST_EXISTS);

  if (is_sharded)
    return atn_weights_load_shards (self, folder, progress, error);

  if (atn_weights_load_safetensors (self, path, progress, error))
    return TRUE;

  atn_weights_prefix_path (error, path);
  return FALSE;
}

gboolean
atn_weights_load_folder (AtnWeights *self,
                         const char *folder,
                         const char *file_name,
                         const AtnProgress *progress,
                         GError **error)
{
  const char *name = file_name != NULL ? file_name : "model.safetensors";
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (file_name == NULL && !check_or_name_folder (folder, path, error))
    return FALSE;

  if (!load_tensors (self, folder, file_name, progress, error))
    return FALSE;

  /* Who opens a file wants to hear of that file's faults first. */
  if (file_name != NULL && !check_or_name_folder (folder, path, error))
    return FALSE;

  self->config = atn_weights_read_json (folder, "config.json", CONFIG_MAX_SIZE, error);
  if (self->config == NULL)
    return FALSE;

  self->tokenizer = atn_weights_read_tokenizer (folder, self->config, error);
  return self->tokenizer != NULL;
}
