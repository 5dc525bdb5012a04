/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A JSON model file, opened as the window opens it and run on a few words: the
 * text, the config, the tokenizer, the tensors, and what they promise each other.
 */

#include "atn-fuzz-model.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd;
  g_autofree char *path = atn_fuzz_dup_path (data, size, &fd);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = atn_model_open (path, NULL, NULL, NULL, &error);

  atn_fuzz_check_error (model != NULL, error);
  if (model != NULL) {
    g_autoptr (GPtrArray) examples = atn_model_dup_examples (model, NULL);

    atn_fuzz_run (model, "the cat sat 猫追老鼠 a b c");
    for (guint i = 0; i < MIN (examples->len, 2); i++)
      atn_fuzz_run (model, ((const AtnExample *) g_ptr_array_index (examples, i))->text);
  }

  close (fd);
  return 0;
}
