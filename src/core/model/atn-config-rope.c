/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * RoPE's keys. Older files have rope_theta (or another name) at the top level and the kind of
 * stretching in rope_scaling, newer ones have all of it in rope_parameters. As in the reference,
 * rope_scaling wins if it is there, and what it leaves out comes from the top level.
 */

#include "base/atn-error.h"
#include "model/atn-config-reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define DEFAULT_THETA 10000.0
#define THETA_MIN 1e-6
#define THETA_MAX 1e30
#define FACTOR_MAX 1e9

/* In the order of AtnRopeKind. */
static const char *const kinds[] = { "default", "linear",   "dynamic", "yarn",
                                     "llama3",  "longrope", NULL };

typedef gboolean (*ReadKind) (const AtnJson *node, AtnConfig *config, GError **error);

/* The member of @json that describes RoPE, and its name. */
static gboolean
find_node (const AtnJson *json, const char **key, const AtnJson **node, GError **error)
{
  *node = NULL;
  *key = "rope_scaling";
  if (!atn_json_read_node (json, *key, ATN_JSON_OPTIONAL, ATN_JSON_OBJECT, node, error))
    return FALSE;
  if (*node != NULL && atn_json_get_first (*node) != NULL)
    return TRUE;

  *key = "rope_parameters";
  return atn_json_read_node (json, *key, ATN_JSON_OPTIONAL, ATN_JSON_OBJECT, node, error);
}

/* Parameters of their own for each kind of layer are objects inside the object. */
static gboolean
check_flat (const AtnJson *node, GError **error)
{
  for (const AtnJson *member = atn_json_get_first (node); member != NULL;
       member = atn_json_get_next (member)) {
    if (atn_json_get_kind (member) != ATN_JSON_OBJECT)
      continue;

    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s” has values of its own, which is not supported"),
                 atn_json_get_name (member));
    return FALSE;
  }

  return TRUE;
}

static gboolean
read_kind (const AtnJson *node, AtnRopeKind *kind, GError **error)
{
  const char *name = kinds[ATN_ROPE_DEFAULT];
  g_autofree char *known = NULL;

  if (!atn_json_read_string (node, "type", ATN_JSON_OPTIONAL, &name, error) ||
      !atn_json_read_string (node, "rope_type", ATN_JSON_OPTIONAL, &name, error))
    return FALSE;

  /* Phi-3's first files call longrope "su" or "yarn". */
  if (strcmp (name, "su") == 0 ||
      (strcmp (name, "yarn") == 0 && atn_json_get_member (node, "short_factor") != NULL))
    name = kinds[ATN_ROPE_LONGROPE];

  for (int i = 0; kinds[i] != NULL; i++) {
    if (strcmp (name, kinds[i]) == 0) {
      *kind = (AtnRopeKind) i;
      return TRUE;
    }
  }

  known = g_strjoinv (", ", (char **) kinds);
  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“rope_type” is “%s”, expected one of %s"), name, known);
  return FALSE;
}

static gboolean
read_positive (const AtnJson *node,
               const char *key,
               AtnJsonNeed need,
               double *value,
               GError **error)
{
  return atn_json_read_double (node, key, need, THETA_MIN, FACTOR_MAX, value, error);
}

static gboolean
read_linear (const AtnJson *node, AtnConfig *config, GError **error)
{
  return read_positive (node, "factor", ATN_JSON_REQUIRED, &config->rope_scaling.factor, error);
}

/* Made to go beyond the length it was trained on, so that is no limit. */
static gboolean
read_dynamic (const AtnJson *node, AtnConfig *config, GError **error)
{
  AtnRopeScaling *scaling = &config->rope_scaling;

  if (!read_positive (node, "factor", ATN_JSON_REQUIRED, &scaling->factor, error))
    return FALSE;

  scaling->original_n_ctx = config->n_ctx;
  config->n_ctx = (size_t) ((double) config->n_ctx * fmax (scaling->factor, 1.0));
  if (config->rotary_dim > 2 && scaling->original_n_ctx > 0)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“rope_type” is “dynamic”, which needs “max_position_embeddings” and more than "
                  "2 rotated dimensions"));
  return FALSE;
}

static gboolean
read_llama3 (const AtnJson *node, AtnConfig *config, GError **error)
{
  AtnRopeScaling *scaling = &config->rope_scaling;

  if (!read_linear (node, config, error) ||
      !read_positive (node, "low_freq_factor", ATN_JSON_REQUIRED, &scaling->low_freq_factor,
                      error) ||
      !read_positive (node, "high_freq_factor", ATN_JSON_REQUIRED, &scaling->high_freq_factor,
                      error))
    return FALSE;
  if (scaling->high_freq_factor > scaling->low_freq_factor)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“high_freq_factor” is %g, expected more than “low_freq_factor” %g"),
               scaling->high_freq_factor, scaling->low_freq_factor);
  return FALSE;
}

/* How much longer than at first; also the default of the factor. */
static double
get_stretch (const AtnConfig *config)
{
  return (double) config->n_ctx / (double) config->rope_scaling.original_n_ctx;
}

/* Peng et al. 2023, eq. (22), with DeepSeek's mscale. */
static double
get_yarn_attention (double factor, double mscale)
{
  return factor <= 1.0 ? 1.0 : 0.1 * mscale * log (factor) + 1.0;
}

static gboolean
read_yarn (const AtnJson *node, AtnConfig *config, GError **error)
{
  AtnRopeScaling *scaling = &config->rope_scaling;
  double mscale = 0.0, mscale_all_dim = 0.0;

  scaling->factor = get_stretch (config);
  scaling->beta_fast = 32.0;
  scaling->beta_slow = 1.0;
  scaling->truncate = true;
  if (!read_positive (node, "factor", ATN_JSON_OPTIONAL, &scaling->factor, error) ||
      !read_positive (node, "beta_fast", ATN_JSON_OPTIONAL, &scaling->beta_fast, error) ||
      !read_positive (node, "beta_slow", ATN_JSON_OPTIONAL, &scaling->beta_slow, error) ||
      !atn_json_read_bool (node, "truncate", ATN_JSON_OPTIONAL, &scaling->truncate, error) ||
      !atn_json_read_double (node, "mscale", ATN_JSON_OPTIONAL, 0.0, FACTOR_MAX, &mscale, error) ||
      !atn_json_read_double (node, "mscale_all_dim", ATN_JSON_OPTIONAL, 0.0, FACTOR_MAX,
                             &mscale_all_dim, error))
    return FALSE;

  scaling->attention_factor = get_yarn_attention (scaling->factor, 1.0);
  if (mscale > 0.0 && mscale_all_dim > 0.0)
    scaling->attention_factor = get_yarn_attention (scaling->factor, mscale) /
                                get_yarn_attention (scaling->factor, mscale_all_dim);
  return read_positive (node, "attention_factor", ATN_JSON_OPTIONAL, &scaling->attention_factor,
                        error);
}

/* A list of one number for each pair. */
static gboolean
read_factors (const AtnJson *node, const char *key, size_t n_pairs, float *values, GError **error)
{
  const AtnJson *list, *item;
  size_t n = 0;

  if (!atn_json_read_node (node, key, ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  for (item = atn_json_get_first (list); item != NULL && n < MIN (n_pairs, ATN_ROPE_MAX_FACTORS);
       item = atn_json_get_next (item), n++) {
    const double value =
      atn_json_get_kind (item) == ATN_JSON_NUMBER ? atn_json_get_number (item) : 0.0;

    if (!(value >= THETA_MIN && value <= FACTOR_MAX))
      break;
    values[n] = (float) value;
  }
  if (n == n_pairs && item == NULL)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("“%s” has %zu elements, expected %zu numbers above 0 (at most %d)"), key,
               atn_json_count (list), n_pairs, ATN_ROPE_MAX_FACTORS);
  return FALSE;
}

/* Ding et al. 2024. */
static gboolean
read_longrope (const AtnJson *node, AtnConfig *config, GError **error)
{
  AtnRopeScaling *scaling = &config->rope_scaling;
  const size_t n_pairs = config->rotary_dim / 2;

  scaling->factor = get_stretch (config);
  if (!read_factors (node, "short_factor", n_pairs, scaling->short_factors, error) ||
      !read_factors (node, "long_factor", n_pairs, scaling->long_factors, error) ||
      !read_positive (node, "factor", ATN_JSON_OPTIONAL, &scaling->factor, error))
    return FALSE;

  if (scaling->factor > 1.0)
    scaling->attention_factor =
      sqrt (1.0 + log (scaling->factor) / log ((double) scaling->original_n_ctx));
  return read_positive (node, "attention_factor", ATN_JSON_OPTIONAL, &scaling->attention_factor,
                        error);
}

static gboolean
read_default (const AtnJson *node, AtnConfig *config, GError **error)
{
  return TRUE;
}

/* At the top level in Phi-3's files, which counts more. */
static gboolean
read_original_n_ctx (const AtnJson *json, const AtnJson *node, AtnConfig *config, GError **error)
{
  const char *key = "original_max_position_embeddings";

  config->rope_scaling.original_n_ctx = config->n_ctx;
  if (!atn_config_read_count (node, key, ATN_JSON_OPTIONAL, &config->rope_scaling.original_n_ctx,
                              error) ||
      !atn_config_read_count (json, key, ATN_JSON_OPTIONAL, &config->rope_scaling.original_n_ctx,
                              error))
    return FALSE;
  if (config->rope_scaling.original_n_ctx > 1)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is missing"), key);
  return FALSE;
}

gboolean
atn_config_read_rope_scaling (const AtnJson *json, AtnConfig *config, GError **error)
{
  static const ReadKind readers[] = { read_default, read_linear, read_dynamic,
                                      read_yarn,    read_llama3, read_longrope };
  AtnRopeScaling *scaling = &config->rope_scaling;
  const char *key;
  const AtnJson *node;
  gboolean success;

  if (!find_node (json, &key, &node, error))
    return FALSE;
  if (node == NULL)
    return TRUE;

  success = check_flat (node, error) && read_kind (node, &scaling->kind, error) &&
            (scaling->kind < ATN_ROPE_YARN || read_original_n_ctx (json, node, config, error)) &&
            readers[scaling->kind](node, config, error);
  if (!success)
    g_prefix_error (error, "“%s”: ", key);
  return success;
}

gboolean
atn_config_read_rope (const AtnJson *json,
                      const AtnRopeKeys *keys,
                      AtnConfig *config,
                      GError **error)
{
  double partial = keys->default_partial > 0.0 ? keys->default_partial : 1.0;
  const char *key;
  const AtnJson *node;

  config->positions = ATN_POSITIONS_ROPE;
  config->rope_theta = DEFAULT_THETA;
  if (!find_node (json, &key, &node, error) ||
      !atn_json_read_double (json, keys->theta, ATN_JSON_OPTIONAL, THETA_MIN, THETA_MAX,
                             &config->rope_theta, error) ||
      (keys->partial != NULL &&
       !atn_json_read_double (json, keys->partial, ATN_JSON_OPTIONAL, 0.0, 1.0, &partial, error)))
    return FALSE;

  if (node != NULL && (!atn_json_read_double (node, "rope_theta", ATN_JSON_OPTIONAL, THETA_MIN,
                                              THETA_MAX, &config->rope_theta, error) ||
                       !atn_json_read_double (node, "partial_rotary_factor", ATN_JSON_OPTIONAL, 0.0,
                                              1.0, &partial, error))) {
    g_prefix_error (error, "“%s”: ", key);
    return FALSE;
  }

  config->rotary_dim = (size_t) ((double) config->d_head * partial);
  return atn_config_read_rope_scaling (json, config, error);
}
