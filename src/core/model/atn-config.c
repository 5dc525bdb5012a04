/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-config.h"

#include "base/atn-error.h"
#include "model/atn-family.h"

#include <glib/gi18n-lib.h>
#include <limits.h>
#include <string.h>

/* No model is near it, and the product of two such sizes still fits in 64 bits. */
#define COUNT_MAX (1U << 24)

typedef struct
{
  const char *name;
  AtnActivation activation;
} ActivationName;

/* Hugging Face's names (ACT2FN). Those beside one another are one function, written in
 * other ways there; gelu and gelu_new differ by up to 4.7e-4. */
static const ActivationName activation_names[] = {
  { "relu", ATN_ACTIVATION_RELU },
  { "gelu", ATN_ACTIVATION_GELU },
  { "gelu_python", ATN_ACTIVATION_GELU },
  { "gelu_new", ATN_ACTIVATION_GELU_TANH },
  { "gelu_pytorch_tanh", ATN_ACTIVATION_GELU_TANH },
  { "gelu_fast", ATN_ACTIVATION_GELU_TANH },
  { "silu", ATN_ACTIVATION_SILU },
  { "swish", ATN_ACTIVATION_SILU },
};

float
atn_config_get_scale (const AtnConfig *self, size_t layer)
{
  /* The divisor counts from 1, as in Hugging Face's GPT2Attention. */
  return self->scale_by_inverse_layer ? self->scale / (float) (layer + 1) : self->scale;
}

size_t
atn_config_get_kv_head (const AtnConfig *self, size_t head)
{
  return head / (self->n_heads / self->n_kv_heads);
}

size_t
atn_config_get_window (const AtnConfig *self, size_t layer)
{
  g_return_val_if_fail (layer < ATN_MAX_LAYERS, 0);

  return (self->window_layers[layer / 8] >> layer % 8 & 1) != 0 ? self->window : 0;
}

void
atn_config_set_window_layer (AtnConfig *self, size_t layer, bool has_window)
{
  const unsigned bit = 1u << layer % 8;
  uint8_t *byte = &self->window_layers[layer / 8];

  g_return_if_fail (layer < ATN_MAX_LAYERS);

  *byte = (uint8_t) (has_window ? *byte | bit : *byte & ~bit);
}

/* The first of the spellings in @key that @json has, else the first one. */
static char *
choose_spelling (const AtnJson *json, const char *key)
{
  g_auto (GStrv) spellings = g_strsplit (key, "|", -1);

  for (size_t i = 0; spellings[i] != NULL; i++) {
    if (atn_json_get_member (json, spellings[i]) != NULL)
      return g_strdup (spellings[i]);
  }

  return g_strdup (spellings[0]);
}

gboolean
atn_config_read_count (const AtnJson *json,
                       const char *key,
                       AtnJsonNeed need,
                       size_t *value,
                       GError **error)
{
  g_autofree char *spelling = choose_spelling (json, key);

  return atn_json_read_size (json, spelling, need, 1, COUNT_MAX, value, error);
}

gboolean
atn_config_read_counts (const AtnJson *json,
                        const AtnCountKey *keys,
                        size_t n_keys,
                        AtnConfig *config,
                        GError **error)
{
  for (size_t i = 0; i < n_keys; i++) {
    const AtnJsonNeed need = keys[i].default_value > 0 ? ATN_JSON_OPTIONAL : ATN_JSON_REQUIRED;
    size_t *value = G_STRUCT_MEMBER_P (config, keys[i].offset);

    *value = keys[i].default_value;
    if (!atn_config_read_count (json, keys[i].key, need, value, error))
      return FALSE;
  }

  return TRUE;
}

gboolean
atn_config_read_eps (const AtnJson *json,
                     const char *key,
                     AtnJsonNeed need,
                     float *value,
                     GError **error)
{
  double eps = (double) *value;

  if (!atn_json_read_double (json, key, need, 0.0, 1e6, &eps, error))
    return FALSE;

  *value = (float) eps;
  return TRUE;
}

gboolean
atn_config_read_activation (const AtnJson *json,
                            const char *key,
                            AtnJsonNeed need,
                            AtnActivation *value,
                            GError **error)
{
  g_autofree char *spelling = choose_spelling (json, key);
  g_autoptr (GString) known = g_string_new (NULL);
  const char *name = NULL;

  if (!atn_json_read_string (json, spelling, need, &name, error))
    return FALSE;
  if (name == NULL)
    return TRUE;

  for (size_t i = 0; i < G_N_ELEMENTS (activation_names); i++) {
    if (strcmp (name, activation_names[i].name) == 0) {
      *value = activation_names[i].activation;
      return TRUE;
    }
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", activation_names[i].name);
  }

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("“%s” is “%s”, expected one of %s"),
               spelling, name, known->str);
  return FALSE;
}

gboolean
atn_config_read_name (const AtnJson *json,
                      const char *key,
                      const char *const *names,
                      int *value,
                      GError **error)
{
  const char *name;
  g_autofree char *known = NULL;

  if (!atn_json_read_string (json, key, ATN_JSON_REQUIRED, &name, error))
    return FALSE;

  for (int i = 0; names[i] != NULL; i++) {
    if (strcmp (name, names[i]) == 0) {
      *value = i;
      return TRUE;
    }
  }

  known = g_strjoinv (", ", (char **) names);
  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("“%s” is “%s”, expected one of %s"), key,
               name, known);
  return FALSE;
}

gboolean
atn_config_refuse_true (const AtnJson *json, const char *key, GError **error)
{
  bool value = false;

  if (!atn_json_read_bool (json, key, ATN_JSON_OPTIONAL, &value, error))
    return FALSE;
  if (!value)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("“%s” is true, which is not supported"),
               key);
  return FALSE;
}

void
atn_config_find_lm_head (const AtnWeights *weights, AtnConfig *config)
{
  if (config->unembed == ATN_UNEMBED_OWN && atn_weights_find (weights, "lm_head.weight") == NULL)
    config->unembed = ATN_UNEMBED_NONE;
}

gboolean
atn_config_divide_heads (AtnConfig *config,
                         const char *width_key,
                         const char *heads_key,
                         GError **error)
{
  if (config->d_model % config->n_heads != 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” is %zu, not a multiple of the %zu heads in “%s”"), width_key,
                 config->d_model, config->n_heads, heads_key);
    return FALSE;
  }

  config->d_head = config->d_model / config->n_heads;
  config->d_v = config->d_head;
  return TRUE;
}

/* BLAS counts in int, so no matrix may be wider. */
static gboolean
check_width (const char *what, size_t n_heads, size_t d_head, GError **error)
{
  size_t width;

  if (g_size_checked_mul (&width, n_heads, d_head) && width <= INT_MAX)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
               _ ("%zu heads of %zu numbers make %s of more than %d numbers"), n_heads, d_head,
               what, INT_MAX);
  return FALSE;
}

static gboolean
check_config (const AtnConfig *config, GError **error)
{
  if (config->n_layers > ATN_MAX_LAYERS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("The config asks for %zu layers, at most %d are possible"), config->n_layers,
                 ATN_MAX_LAYERS);
    return FALSE;
  }

  if (config->n_heads % config->n_kv_heads != 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%zu attention heads cannot share “num_key_value_heads” %zu evenly"),
                 config->n_heads, config->n_kv_heads);
    return FALSE;
  }

  if (config->positions == ATN_POSITIONS_ROPE &&
      (config->rotary_dim % 2 != 0 || config->rotary_dim > config->d_head)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%zu rotated dimensions (“rotary_dim” or “head_dim”) are not an even number of "
                    "at most the head's %zu"),
                 config->rotary_dim, config->d_head);
    return FALSE;
  }

  if (config->parallel != ATN_PARALLEL_NONE && config->norm_position == ATN_NORM_POST) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("Attention and MLP side by side with norms after them are not supported"));
    return FALSE;
  }

  return atn_config_check_buckets (config, error) &&
         check_width (_ ("a query"), config->n_heads, config->d_head, error) &&
         check_width (_ ("a value"), config->n_heads, config->d_v, error);
}

gboolean
atn_config_read (const AtnJson *json, const AtnFamily **family, AtnConfig *config, GError **error)
{
  const AtnFamily *found = atn_family_find (json, error);
  AtnConfig parsed = { .embed_scale = 1.0f, .logit_scale = 1.0f };

  if (found == NULL)
    return FALSE;

  parsed.family = found->model_type;
  parsed.rope_scaling.attention_factor = 1.0;
  if ((found->keys != NULL && !atn_config_read_decoder (json, found->keys, &parsed, error)) ||
      (found->read_config != NULL && !found->read_config (json, &parsed, error)) ||
      !check_config (&parsed, error)) {
    g_prefix_error (error, "config: ");
    return FALSE;
  }
  if (!parsed.embed_project)
    parsed.d_embed = parsed.d_model;

  *family = found;
  *config = parsed;
  return TRUE;
}

const AtnFamily *
atn_family_find (const AtnJson *json, GError **error)
{
  const AtnFamily *families[] = {
    atn_family_get_transformer (), atn_family_get_gpt2 (),        atn_family_get_bert (),
    atn_family_get_roberta (),     atn_family_get_xlm_roberta (), atn_family_get_camembert (),
    atn_family_get_distilbert (),  atn_family_get_electra (),     atn_family_get_albert (),
    atn_family_get_llama (),       atn_family_get_mistral (),     atn_family_get_qwen2 (),
    atn_family_get_qwen3 (),       atn_family_get_gemma (),       atn_family_get_gemma2 (),
    atn_family_get_phi (),         atn_family_get_phi3 (),        atn_family_get_stablelm (),
    atn_family_get_gpt_neo (),     atn_family_get_gpt_neox (),    atn_family_get_gptj (),
    atn_family_get_opt (),         atn_family_get_bloom (),       atn_family_get_mpnet (),
  };
  const char *model_type;
  g_autoptr (GString) known = g_string_new (NULL);

  if (!atn_json_read_string (json, "model_type", ATN_JSON_REQUIRED, &model_type, error)) {
    g_prefix_error (error, "config: ");
    return NULL;
  }

  for (size_t i = 0; i < G_N_ELEMENTS (families); i++) {
    if (strcmp (families[i]->model_type, model_type) == 0)
      return families[i];
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", families[i]->model_type);
  }

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("config: “model_type” is “%s”, known are %s"), model_type, known->str);
  return NULL;
}
