/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Reads a decoder's config by the table that its family gives.
 */

#include "base/atn-error.h"
#include "model/atn-config-reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

gboolean
atn_config_read_nullable_count (const AtnJson *json, const char *key, size_t *value, GError **error)
{
  if (atn_json_has_null (json, key))
    *value = 0;

  return atn_config_read_count (json, key, ATN_JSON_OPTIONAL, value, error);
}

gboolean
atn_config_read_nullable_float (const AtnJson *json, const char *key, float *value, GError **error)
{
  double number = (double) *value;

  if (atn_json_has_null (json, key))
    number = 0.0;
  if (!atn_json_read_double (json, key, ATN_JSON_OPTIONAL, 1e-6, 1e30, &number, error))
    return FALSE;

  *value = (float) number;
  return TRUE;
}

bool
atn_window_on_every_layer (size_t layer, size_t n_full)
{
  return true;
}

bool
atn_window_on_even_layers (size_t layer, size_t n_full)
{
  return layer % 2 == 0;
}

bool
atn_window_on_late_layers (size_t layer, size_t n_full)
{
  return layer >= n_full;
}

static gboolean
read_layer_type (const AtnJson *item, size_t layer, AtnConfig *config, GError **error)
{
  const char *name = atn_json_get_kind (item) == ATN_JSON_STRING ? atn_json_get_string (item) : "";

  if (strcmp (name, "sliding_attention") == 0)
    atn_config_set_window_layer (config, layer, true);
  else if (strcmp (name, "full_attention") != 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("Layer %zu in “layer_types” is “%s”, expected “full_attention” or "
                    "“sliding_attention”"),
                 layer, name);
    return FALSE;
  }

  return TRUE;
}

gboolean
atn_config_read_layer_types (const AtnJson *json,
                             AtnWindowRule has_window,
                             size_t n_full,
                             AtnConfig *config,
                             GError **error)
{
  const size_t n_layers = MIN (config->n_layers, ATN_MAX_LAYERS);
  const AtnJson *list = NULL, *item;
  size_t layer = 0;

  if (!atn_json_read_node (json, "layer_types", ATN_JSON_OPTIONAL, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  for (size_t i = 0; list == NULL && i < n_layers; i++)
    atn_config_set_window_layer (config, i, has_window (i, n_full));
  if (list == NULL)
    return TRUE;

  for (item = atn_json_get_first (list); item != NULL && layer < n_layers;
       item = atn_json_get_next (item), layer++) {
    if (!read_layer_type (item, layer, config, error))
      return FALSE;
  }
  if (layer == n_layers && item == NULL)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“%s” has %zu elements, expected one for each of the %zu layers"), "layer_types",
               atn_json_count (list), config->n_layers);
  return FALSE;
}

gboolean
atn_config_read_qwen_window (const AtnJson *json, AtnConfig *config, GError **error)
{
  bool has_window = false;
  size_t window = 4096;
  size_t n_full = 28;

  if (!atn_json_read_bool (json, "use_sliding_window", ATN_JSON_OPTIONAL, &has_window, error))
    return FALSE;
  if (!has_window)
    return TRUE;

  /* No layer at all may be without a window. */
  if (!atn_config_read_nullable_count (json, "sliding_window", &window, error) ||
      !atn_json_read_size (json, "max_window_layers", ATN_JSON_OPTIONAL, 0, 1 << 24, &n_full,
                           error))
    return FALSE;

  config->window = window;
  return atn_config_read_layer_types (json, atn_window_on_late_layers, n_full, config, error);
}

static gboolean
read_heads (const AtnJson *json, const AtnDecoderKeys *keys, AtnConfig *config, GError **error)
{
  if (keys->kv_heads != NULL &&
      !atn_config_read_count (json, keys->kv_heads, ATN_JSON_OPTIONAL, &config->n_kv_heads, error))
    return FALSE;
  if (config->n_kv_heads == 0)
    config->n_kv_heads = config->n_heads;

  if (keys->head_dim != NULL &&
      !atn_config_read_count (json, keys->head_dim, ATN_JSON_OPTIONAL, &config->d_head, error))
    return FALSE;
  config->d_v = config->d_head;

  return config->d_head > 0 || atn_config_divide_heads (config, keys->width, keys->heads, error);
}

static gboolean
read_sizes (const AtnJson *json, const AtnDecoderKeys *keys, AtnConfig *config, GError **error)
{
  if (!atn_config_read_counts (json, keys->counts, keys->n_counts, config, error))
    return FALSE;

  if (config->d_mlp == 0)
    config->d_mlp = 4 * config->d_model;
  if (keys->d_mlp != NULL &&
      !atn_config_read_count (json, keys->d_mlp, ATN_JSON_OPTIONAL, &config->d_mlp, error))
    return FALSE;

  return read_heads (json, keys, config, error);
}

static gboolean
read_flags (const AtnJson *json, const AtnDecoderKeys *keys, AtnConfig *config, GError **error)
{
  bool is_tied = config->unembed == ATN_UNEMBED_TIED;

  for (size_t i = 0; i < keys->n_flags; i++) {
    bool *value = G_STRUCT_MEMBER_P (config, keys->flags[i].offset);

    if (!atn_json_read_bool (json, keys->flags[i].key, ATN_JSON_OPTIONAL, value, error))
      return FALSE;
  }
  for (size_t i = 0; keys->refused != NULL && keys->refused[i] != NULL; i++) {
    if (!atn_config_refuse_true (json, keys->refused[i], error))
      return FALSE;
  }

  if (!atn_json_read_bool (json, "tie_word_embeddings", ATN_JSON_OPTIONAL, &is_tied, error))
    return FALSE;
  config->unembed = is_tied ? ATN_UNEMBED_TIED : ATN_UNEMBED_OWN;
  return TRUE;
}

gboolean
atn_config_read_decoder (const AtnJson *json,
                         const AtnDecoderKeys *keys,
                         AtnConfig *config,
                         GError **error)
{
  const char *family = config->family;

  *config = keys->defaults;
  config->family = family;
  config->causal = true;
  config->embed_scale = 1.0f;
  config->logit_scale = 1.0f;
  config->rope_scaling.attention_factor = 1.0;

  if (!read_sizes (json, keys, config, error) || !read_flags (json, keys, config, error) ||
      (keys->activation != NULL &&
       !atn_config_read_activation (json, keys->activation, ATN_JSON_OPTIONAL, &config->activation,
                                    error)) ||
      (keys->eps != NULL &&
       !atn_config_read_eps (json, keys->eps, ATN_JSON_OPTIONAL, &config->norm_eps, error)) ||
      (keys->rope != NULL && !atn_config_read_rope (json, keys->rope, config, error)))
    return FALSE;

  if (config->scale == 0.0f)
    config->scale = (float) (1.0 / sqrt ((double) config->d_head));
  return TRUE;
}
