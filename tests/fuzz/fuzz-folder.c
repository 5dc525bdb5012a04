/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A folder with sharded weights, opened as the window opens it. The input is the files of the
 * folder, one after the other: index, config, and two shards, each before a line "----".
 * The tokenizer is that of a fixture.
 */

#include "atn-fuzz-model.h"

static const char *const names[] = {
  "model.safetensors.index.json",
  "config.json",
  "model-00001-of-00002.safetensors",
  "model-00002-of-00002.safetensors",
};

static void
add_tokenizer (const char *folder)
{
  static char *text;
  static gsize length;

  if (text == NULL)
    g_assert (
      g_file_get_contents (ATN_FIXTURES "/models/gpt2/tokenizer.json", &text, &length, NULL));
  g_free (atn_test_write_file (folder, "tokenizer.json", text, (gssize) length));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char *folder = atn_fuzz_make_folder (data, size, names, G_N_ELEMENTS (names));
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = NULL;

  add_tokenizer (folder);
  model = atn_model_open (folder, NULL, NULL, NULL, &error);
  atn_fuzz_check_error (model != NULL, error);
  if (model != NULL)
    atn_fuzz_run (model, "the cat sat");

  atn_test_remove_folder (folder);
  return 0;
}
