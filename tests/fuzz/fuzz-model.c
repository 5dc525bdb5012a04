/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A JSON model file, opened as the window opens it and run on a few words: the
 * text, the config, the tokenizer, the tensors, and what they promise each other.
 */

#include "atn-fuzz.h"
#include "engine/atn-request.h"

static void
run (AtnModel *model, const char *text)
{
  const AtnRequest request = { .model = model, .text = text, .text_len = -1, .truncate = true };
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnResult) result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);

  atn_fuzz_check_error (result != NULL, error);
  if (result == NULL || result->trace == NULL)
    return;

  atn_matrix_unref (atn_trace_dup_matrix (result->trace, 0, 0, ATN_STAGE_PATTERN, NULL));
}

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

    run (model, "the cat sat 猫追老鼠 a b c");
    for (guint i = 0; i < MIN (examples->len, 2); i++)
      run (model, ((const AtnExample *) g_ptr_array_index (examples, i))->text);
  }

  close (fd);
  return 0;
}
