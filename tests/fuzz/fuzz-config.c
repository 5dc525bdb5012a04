/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A config.json of any family: what it promises must be a block that could be run.
 */

#include "atn-fuzz.h"
#include "model/atn-family.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnJson) json = atn_json_parse ((const char *) data, size, &error);
  const AtnFamily *family = NULL;
  AtnConfig config;
  gboolean is_read;

  atn_fuzz_check_error (json != NULL, error);
  if (json == NULL)
    return 0;

  is_read = atn_config_read (json, &family, &config, &error);
  atn_fuzz_check_error (is_read, error);
  if (!is_read)
    return 0;

  g_assert (family != NULL && config.family != NULL);
  g_assert (config.n_layers >= 1 && config.n_heads >= 1 && config.n_kv_heads >= 1);
  g_assert (config.n_heads % config.n_kv_heads == 0);
  g_assert (config.d_model >= 1 && config.d_head >= 1 && config.d_v >= 1 && config.d_embed >= 1);
  g_assert (config.rotary_dim <= config.d_head && config.rotary_dim % 2 == 0);
  for (size_t layer = 0; layer < MIN (config.n_layers, 64); layer++)
    g_assert (atn_config_get_scale (&config, layer) == atn_config_get_scale (&config, layer));
  return 0;
}
