/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A .safetensors file: the header, and every tensor that it promises.
 */

#include "atn-fuzz-model.h"
#include "weights/atn-weights-private.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const AtnProgress quiet = { .func = NULL };
  int fd;
  g_autofree char *path = atn_fuzz_dup_path (data, size, &fd);
  g_autoptr (AtnWeights) weights = atn_weights_new (path);
  g_autoptr (GError) error = NULL;
  const gboolean is_loaded = atn_weights_load_safetensors (weights, path, &quiet, &error);

  atn_fuzz_check_error (is_loaded, error);
  if (is_loaded)
    atn_fuzz_read_tensors (weights);

  close (fd);
  return 0;
}
