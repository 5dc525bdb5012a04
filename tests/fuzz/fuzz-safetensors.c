/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A .safetensors file: the header, and every tensor that it promises.
 */

#include "atn-fuzz.h"
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
  for (size_t i = 0; is_loaded && i < atn_weights_get_n_tensors (weights); i++) {
    const AtnTensorInfo *info = atn_weights_get_info (weights, i);
    g_autoptr (GError) tensor_error = NULL;
    const float *values =
      atn_weights_get_floats (weights, info->name, info->n_dims, info->shape, &tensor_error);
    float sum = 0;

    atn_fuzz_check_error (values != NULL, tensor_error);
    for (size_t j = 0; values != NULL && j < info->n_elements; j++)
      sum += values[j];
    g_assert (values == NULL || sum == sum || info->n_elements > 1);
  }

  close (fd);
  return 0;
}
