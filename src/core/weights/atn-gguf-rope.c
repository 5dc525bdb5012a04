/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * RoPE. GGUF writes some scalings as what comes out of them: a tensor of factors, one for each
 * pair of dimensions, by which its frequency is divided. Llama 3's rule is found again in its
 * factors; others become Hugging Face's longrope, whose config holds such factors.
 *
 * Source: convert_hf_to_gguf.py of https://github.com/ggml-org/llama.cpp; modeling_rope_utils.py of
 * https://github.com/huggingface/transformers
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-family.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define DEFAULT_THETA 10000.0

/* The rule of Llama 3.1 and later, but for the factor itself. */
#define LLAMA3_LOW_FREQ_FACTOR 1.0
#define LLAMA3_HIGH_FREQ_FACTOR 4.0
#define LLAMA3_N_CTX 8192.0

/* Factors were computed in float32. */
#define FACTOR_TOLERANCE 1e-3

static gboolean
read_number (const AtnGgufFamily *family,
             const AtnGguf *gguf,
             const char *key,
             double *value,
             GError **error)
{
  g_autofree char *full = g_strdup_printf ("%s.rope.%s", family->architecture, key);

  return atn_gguf_read_double (gguf, full, ATN_JSON_OPTIONAL, value, error);
}

/* Factors. */

/* (transfer full) (nullable): the @n factors that the tensor holds; NULL without an error if there
 * is none. */
static float *
dup_factors (const AtnGguf *gguf, const char *name, size_t n, GError **error)
{
  const AtnGgufTensor *tensor = atn_gguf_find_tensor (gguf, name);
  float *factors;

  if (tensor == NULL)
    return NULL;

  if (tensor->n_dims != 1 || tensor->shape[0] != n || n == 0 || tensor->type->block_length != 1 ||
      tensor->type->to_floats == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_SHAPE_MISMATCH,
                 _ ("tensor “%s” does not hold %zu numbers"), name, n);
    return NULL;
  }

  factors = g_new (float, n);
  tensor->type->to_floats (tensor->bytes, factors, n);
  for (size_t i = 0; i < n; i++) {
    if (isfinite (factors[i]) && factors[i] > 0)
      continue;
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("tensor “%s” holds a number that is not above 0"), name);
    g_free (factors);
    return NULL;
  }

  return factors;
}

/* What Llama 3 divides the frequency of dimensions 2i and 2i + 1 by. */
static double
llama3_factor (double factor, double theta, size_t i, size_t n)
{
  const double wavelength = 2 * G_PI * pow (theta, (double) i / (double) n);
  const double n_waves = LLAMA3_N_CTX / wavelength;
  double smooth;

  if (n_waves > LLAMA3_HIGH_FREQ_FACTOR)
    return 1.0;
  if (n_waves < LLAMA3_LOW_FREQ_FACTOR)
    return factor;

  smooth = (n_waves - LLAMA3_LOW_FREQ_FACTOR) / (LLAMA3_HIGH_FREQ_FACTOR - LLAMA3_LOW_FREQ_FACTOR);
  return 1.0 / ((1.0 - smooth) / factor + smooth);
}

static bool
is_llama3 (const float *factors, size_t n, double theta)
{
  const double factor = (double) factors[n - 1];

  for (size_t i = 0; i < n; i++) {
    const double expected = llama3_factor (factor, theta, i, n);

    if (fabs ((double) factors[i] - expected) > FACTOR_TOLERANCE * expected)
      return false;
  }

  return factor > 1.0;
}

static void
append_factors (GString *json, const char *key, const float *factors, size_t n)
{
  atn_gguf_append_key (json, key);
  for (size_t i = 0; i < n; i++) {
    g_string_append (json, i == 0 ? "[" : ", ");
    atn_json_append_float (json, factors[i]);
  }
  g_string_append_c (json, ']');
}

/* Scalings. */

static void
append_llama3 (GString *json, const float *factors, size_t n)
{
  atn_gguf_append_text (json, "rope_type", "llama3");
  atn_gguf_append_number (json, "factor", (double) factors[n - 1]);
  atn_gguf_append_number (json, "low_freq_factor", LLAMA3_LOW_FREQ_FACTOR);
  atn_gguf_append_number (json, "high_freq_factor", LLAMA3_HIGH_FREQ_FACTOR);
  atn_gguf_append_number (json, "original_max_position_embeddings", LLAMA3_N_CTX);
}

static gboolean
append_longrope (const AtnGgufFamily *family,
                 const AtnGguf *gguf,
                 const float *short_factors,
                 const float *long_factors,
                 size_t n,
                 GString *json,
                 GError **error)
{
  double attention_factor = 1.0, n_ctx = 0;
  g_autofree char *context = g_strdup_printf ("%s.context_length", family->architecture);

  if (!read_number (family, gguf, "scaling.attn_factor", &attention_factor, error) ||
      !atn_gguf_read_double (gguf, context, ATN_JSON_REQUIRED, &n_ctx, error) ||
      !read_number (family, gguf, "scaling.original_context_length", &n_ctx, error))
    return FALSE;

  atn_gguf_append_text (json, "rope_type", "longrope");
  append_factors (json, "short_factor", short_factors, n);
  append_factors (json, "long_factor", long_factors, n);
  atn_gguf_append_number (json, "attention_factor", attention_factor);
  atn_gguf_append_number (json, "original_max_position_embeddings", n_ctx);
  return TRUE;
}

/* Appends a scaling that is written as a tensor of @n factors, if there is one. */
static gboolean
append_factor_scaling (const AtnGgufFamily *family,
                       const AtnGguf *gguf,
                       double theta,
                       size_t n,
                       GString *json,
                       GError **error)
{
  GError *local_error = NULL;
  g_autofree float *factors = dup_factors (gguf, "rope_freqs.weight", n, &local_error);
  g_autofree float *long_factors =
    local_error == NULL ? dup_factors (gguf, "rope_factors_long.weight", n, &local_error) : NULL;
  g_autofree float *short_factors =
    local_error == NULL ? dup_factors (gguf, "rope_factors_short.weight", n, &local_error) : NULL;

  if (local_error != NULL) {
    g_propagate_error (error, local_error);
    return FALSE;
  }

  if (long_factors != NULL && short_factors != NULL)
    return append_longrope (family, gguf, short_factors, long_factors, n, json, error);
  if (factors != NULL && !is_llama3 (factors, n, theta))
    return append_longrope (family, gguf, factors, factors, n, json, error);
  if (factors != NULL)
    append_llama3 (json, factors, n);
  return TRUE;
}

/* YaRN. Its factor on the scores is 1 + 0.1 ln (factor) where GGUF says 1. */
static gboolean
append_yarn (const AtnGgufFamily *family,
             const AtnGguf *gguf,
             double factor,
             GString *json,
             GError **error)
{
  double beta_fast = 32, beta_slow = 1, attention = 1, n_ctx = 0;

  if (!read_number (family, gguf, "scaling.yarn_beta_fast", &beta_fast, error) ||
      !read_number (family, gguf, "scaling.yarn_beta_slow", &beta_slow, error) ||
      !read_number (family, gguf, "scaling.attn_factor", &attention, error) ||
      !read_number (family, gguf, "scaling.original_context_length", &n_ctx, error))
    return FALSE;

  atn_gguf_append_number (json, "beta_fast", beta_fast);
  atn_gguf_append_number (json, "beta_slow", beta_slow);
  atn_gguf_append_number (json, "attention_factor",
                          attention * (factor > 1 ? 1 + 0.1 * log (factor) : 1));
  if (n_ctx > 0)
    atn_gguf_append_number (json, "original_max_position_embeddings", n_ctx);
  return TRUE;
}

/* Appends a scaling that the metadata name, if they do. */
static gboolean
append_named_scaling (const AtnGgufFamily *family,
                      const AtnGguf *gguf,
                      GString *json,
                      GError **error)
{
  g_autofree char *key = g_strdup_printf ("%s.rope.scaling.type", family->architecture);
  g_autofree char *type = NULL;
  double linear = 0, factor = 0;

  if (!atn_gguf_read_string (gguf, key, ATN_JSON_OPTIONAL, &type, error) ||
      !read_number (family, gguf, "scale_linear", &linear, error) ||
      !read_number (family, gguf, "scaling.factor", &factor, error))
    return FALSE;

  if (type == NULL && linear > 0 && linear != 1)
    type = g_strdup ("linear");
  factor = factor > 0 ? factor : linear;
  if (type == NULL || strcmp (type, "none") == 0 || factor <= 0)
    return TRUE;

  atn_gguf_append_text (json, "rope_type", type);
  atn_gguf_append_number (json, "factor", factor);
  return strcmp (type, "yarn") != 0 || append_yarn (family, gguf, factor, json, error);
}

/* The part of a head that is rotated; readers multiply it by the head's width and cut it off. */
static double
get_part (double n_rotated, size_t d_head)
{
  const double part = n_rotated / (double) d_head;

  return (double) d_head * part < n_rotated ? nextafter (part, 1.0) : part;
}

gboolean
atn_gguf_family_append_rope (const AtnGgufFamily *self,
                             const AtnGguf *gguf,
                             size_t d_head,
                             GString *json,
                             GError **error)
{
  g_autoptr (GString) rope = g_string_new ("{");
  const bool may_be_part = (self->traits & ATN_GGUF_HAS_PARTIAL_ROPE) != 0;
  double theta = DEFAULT_THETA, n_rotated = (double) d_head;
  gsize length;

  if (!read_number (self, gguf, "freq_base", &theta, error) ||
      !read_number (self, gguf, "dimension_count", &n_rotated, error))
    return FALSE;

  if ((!may_be_part && n_rotated != (double) d_head) || n_rotated < 0 ||
      n_rotated > (double) d_head) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s.rope.dimension_count” is %.0f, expected all %zu of a head"),
                 self->architecture, n_rotated, d_head);
    return FALSE;
  }

  atn_gguf_append_number (rope, "rope_theta", theta);
  if (may_be_part && d_head > 0)
    atn_gguf_append_number (rope, "partial_rotary_factor", get_part (n_rotated, d_head));

  length = rope->len;
  if (!append_factor_scaling (self, gguf, theta, (size_t) n_rotated / 2, rope, error) ||
      (rope->len == length && !append_named_scaling (self, gguf, rope, error)))
    return FALSE;
  if (rope->len == length)
    atn_gguf_append_text (rope, "rope_type", "default");

  atn_gguf_append_key (json, "rope_parameters");
  g_string_append_printf (json, "%s}", rope->str);
  return TRUE;
}
