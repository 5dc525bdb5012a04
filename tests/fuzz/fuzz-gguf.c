/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A GGUF file: metadata, config, tokenizer and every tensor, then the model, if it is one, on a few
 * words. Two files with a line "----" between are the two parts of one model.
 */

#include "atn-fuzz-model.h"
#include "weights/atn-gguf-family.h"

/* As the list of models does with the beginning of a file. */
static void
read_sizes (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (AtnGguf) gguf = atn_gguf_new_from_beginning (bytes, NULL);
  g_autofree char *model_type = NULL;
  size_t n_layers = 0, n_heads = 0;

  if (gguf != NULL)
    atn_gguf_read_sizes (gguf, ATN_MAX_LAYERS, &model_type, &n_layers, &n_heads);
  g_assert (n_layers <= ATN_MAX_LAYERS && n_heads <= ATN_MAX_LAYERS);
}

static void
open_and_run (const char *path)
{
  g_autoptr (GError) error = NULL, model_error = NULL;
  g_autoptr (AtnModel) model = NULL;
  g_autoptr (AtnWeights) weights = atn_weights_open (path, NULL, NULL, NULL, &error);

  atn_fuzz_check_error (weights != NULL, error);
  if (weights == NULL)
    return;

  atn_fuzz_read_tensors (weights);
  model = atn_model_open (path, NULL, NULL, NULL, &model_error);
  atn_fuzz_check_error (model != NULL, model_error);
  if (model != NULL)
    atn_fuzz_run (model, "the cat sat 猫 a b c");
}

static void
open_parts (const uint8_t *data, size_t size)
{
  static const char *const names[] = { "model-00001-of-00002.gguf", "model-00002-of-00002.gguf" };
  char *folder = atn_fuzz_make_folder (data, size, names, G_N_ELEMENTS (names));
  g_autofree char *path = g_build_filename (folder, names[0], NULL);

  open_and_run (path);
  atn_test_remove_folder (folder);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd;
  g_autofree char *path = NULL;

  /* Another start would be another format. */
  if (size < 4 || memcmp (data, "GGUF", 4) != 0)
    return 0;
  read_sizes (data, size);
  if (memmem (data, size, ATN_FUZZ_SEPARATOR, strlen (ATN_FUZZ_SEPARATOR)) != NULL) {
    open_parts (data, size);
    return 0;
  }

  path = atn_fuzz_dup_path (data, size, &fd);
  open_and_run (path);
  close (fd);
  return 0;
}
