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

#define SHORT_FACTORS "rope_factors_short.weight"
#define LONG_FACTORS "rope_factors_long.weight"

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

/* Factors for texts up to the original length and beyond it, or for all of them. */
typedef struct
{
  size_t n;
  float *only; /* (nullable) [n] each */
  float *of_short;
  float *of_long;
} Factors;

static gboolean
read_factors (const AtnGguf *gguf, Factors *factors, GError **error)
{
  const struct
  {
    const char *name;
    float **list;
  } rows[] = { { "rope_freqs.weight", &factors->only },
               { SHORT_FACTORS, &factors->of_short },
               { LONG_FACTORS, &factors->of_long } };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    GError *local_error = NULL;

    *rows[i].list = dup_factors (gguf, rows[i].name, factors->n, &local_error);
    if (local_error != NULL) {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  }
  if ((factors->of_short == NULL) == (factors->of_long == NULL))
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_MISSING_TENSOR, _ ("tensor “%s” is missing"),
               factors->of_short == NULL ? SHORT_FACTORS : LONG_FACTORS);
  return FALSE;
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

/* What the metadata say of it. */
typedef struct
{
  char *type;       /* "none", "linear", "yarn" or "longrope" */
  double factor;    /* 1 with "none" */
  double attention; /* cosines and sines are multiplied by it */
} Scaling;

static const char *const scaling_types[] = { "none", "linear", "yarn", "longrope", NULL };

static gboolean
check_scaling_type (const char *key, const char *type, GError **error)
{
  if (g_strv_contains (scaling_types, type))
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“%s” is “%s”, known are none, linear, yarn and longrope"), key, type);
  return FALSE;
}

/* Without a type a factor is linear; a factor of 0 stands for none. */
static gboolean
read_scaling (const AtnGgufFamily *family, const AtnGguf *gguf, Scaling *scaling, GError **error)
{
  g_autofree char *key = g_strdup_printf ("%s.rope.scaling.type", family->architecture);

  scaling->type = g_strdup ("linear");
  scaling->attention = 1;
  if (!atn_gguf_read_string (gguf, key, ATN_JSON_OPTIONAL, &scaling->type, error) ||
      !check_scaling_type (key, scaling->type, error) ||
      !read_number (family, gguf, "scale_linear", &scaling->factor, error) ||
      !read_number (family, gguf, "scaling.factor", &scaling->factor, error) ||
      !read_number (family, gguf, "scaling.attn_factor", &scaling->attention, error))
    return FALSE;

  if (strcmp (scaling->type, "none") == 0 || scaling->factor == 0)
    scaling->factor = 1;
  return TRUE;
}

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
                 const Scaling *scaling,
                 const Factors *factors,
                 GString *json,
                 GError **error)
{
  const float *only = factors->only;
  g_autofree char *context = g_strdup_printf ("%s.context_length", family->architecture);
  double n_ctx = 0;

  if (!atn_gguf_read_double (gguf, context, ATN_JSON_REQUIRED, &n_ctx, error) ||
      !read_number (family, gguf, "scaling.original_context_length", &n_ctx, error))
    return FALSE;

  atn_gguf_append_text (json, "rope_type", "longrope");
  append_factors (json, "short_factor", only != NULL ? only : factors->of_short, factors->n);
  append_factors (json, "long_factor", only != NULL ? only : factors->of_long, factors->n);
  atn_gguf_append_number (json, "attention_factor", scaling->attention);
  atn_gguf_append_number (json, "original_max_position_embeddings", n_ctx);
  return TRUE;
}

/* Appends a scaling that is written as tensors. A factor in the metadata stretches all pairs in
 * addition. */
static gboolean
append_factor_scaling (const AtnGgufFamily *family,
                       const AtnGguf *gguf,
                       const Scaling *scaling,
                       const Factors *factors,
                       double theta,
                       GString *json,
                       GError **error)
{
  float *const lists[] = { factors->only, factors->of_short, factors->of_long };

  if (strcmp (scaling->type, "yarn") == 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s.rope.scaling.type” is “yarn” and there are tensors of factors, too, "
                    "which is not supported"),
                 family->architecture);
    return FALSE;
  }

  for (size_t i = 0; i < G_N_ELEMENTS (lists); i++)
    for (size_t j = 0; lists[i] != NULL && j < factors->n; j++)
      lists[i][j] *= (float) scaling->factor;

  if (factors->only == NULL || scaling->attention != 1 ||
      !is_llama3 (factors->only, factors->n, theta))
    return append_longrope (family, gguf, scaling, factors, json, error);

  append_llama3 (json, factors->only, factors->n);
  return TRUE;
}

static double
get_yarn_scale (double factor, double multiplier)
{
  return factor > 1 ? 1 + 0.1 * multiplier * log (factor) : 1;
}

/* YaRN's factor on the scores is 1 + 0.1 ln (factor), times or instead of what the keys say:
 *
 *   attn_factor           is multiplied by it
 *   yarn_log_multiplier   DeepSeek's mscale_all_dim: divides it by 1 + 0.1 · multiplier · ln
 * (factor) yarn_attn_factor      Hugging Face's attention_factor: stands for all of it
 */
static gboolean
read_yarn_attention (const AtnGgufFamily *family,
                     const AtnGguf *gguf,
                     const Scaling *scaling,
                     double *attention,
                     GError **error)
{
  double multiplier = 0, extrapolation = 1;

  if (!read_number (family, gguf, "scaling.yarn_log_multiplier", &multiplier, error) ||
      !read_number (family, gguf, "scaling.yarn_ext_factor", &extrapolation, error))
    return FALSE;

  /* Below 0 it is not set. */
  if (extrapolation >= 0 && extrapolation != 1) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s.rope.scaling.%s” is %g, expected 1"), family->architecture,
                 "yarn_ext_factor", extrapolation);
    return FALSE;
  }

  *attention = scaling->attention * get_yarn_scale (scaling->factor, 1);
  if (multiplier > 0)
    *attention /= get_yarn_scale (scaling->factor, multiplier);
  return read_number (family, gguf, "scaling.yarn_attn_factor", attention, error);
}

static gboolean
append_yarn (const AtnGgufFamily *family,
             const AtnGguf *gguf,
             const Scaling *scaling,
             GString *json,
             GError **error)
{
  double beta_fast = 32, beta_slow = 1, attention = 1, n_ctx = 0;

  if (!read_number (family, gguf, "scaling.yarn_beta_fast", &beta_fast, error) ||
      !read_number (family, gguf, "scaling.yarn_beta_slow", &beta_slow, error) ||
      !read_number (family, gguf, "scaling.original_context_length", &n_ctx, error) ||
      !read_yarn_attention (family, gguf, scaling, &attention, error))
    return FALSE;

  atn_gguf_append_text (json, "rope_type", "yarn");
  atn_gguf_append_number (json, "factor", scaling->factor);
  atn_gguf_append_number (json, "beta_fast", beta_fast);
  atn_gguf_append_number (json, "beta_slow", beta_slow);
  atn_gguf_append_number (json, "attention_factor", attention);
  if (n_ctx > 0)
    atn_gguf_append_number (json, "original_max_position_embeddings", n_ctx);
  return TRUE;
}

/* Appends a scaling that is written in the metadata alone. */
static gboolean
append_named_scaling (const AtnGgufFamily *family,
                      const AtnGguf *gguf,
                      const Scaling *scaling,
                      GString *json,
                      GError **error)
{
  if (strcmp (scaling->type, "longrope") == 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_MISSING_TENSOR,
                 _ ("“%s.rope.scaling.type” is “longrope”, but there is no tensor “%s”"),
                 family->architecture, LONG_FACTORS);
    return FALSE;
  }
  if (strcmp (scaling->type, "yarn") == 0 && scaling->factor != 1)
    return append_yarn (family, gguf, scaling, json, error);
  if (scaling->attention != 1) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s.rope.scaling.%s” is %g, expected 1"), family->architecture, "attn_factor",
                 scaling->attention);
    return FALSE;
  }

  atn_gguf_append_text (json, "rope_type", scaling->factor != 1 ? "linear" : "default");
  if (scaling->factor != 1)
    atn_gguf_append_number (json, "factor", scaling->factor);
  return TRUE;
}

static gboolean
append_scaling (const AtnGgufFamily *family,
                const AtnGguf *gguf,
                double theta,
                size_t n_pairs,
                GString *json,
                GError **error)
{
  Scaling scaling = { .type = NULL };
  Factors factors = { .n = n_pairs };
  gboolean success =
    read_scaling (family, gguf, &scaling, error) && read_factors (gguf, &factors, error);

  if (success)
    success = factors.only != NULL || factors.of_long != NULL
                ? append_factor_scaling (family, gguf, &scaling, &factors, theta, json, error)
                : append_named_scaling (family, gguf, &scaling, json, error);

  g_free (scaling.type);
  g_free (factors.only);
  g_free (factors.of_short);
  g_free (factors.of_long);
  return success;
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

  if (!append_scaling (self, gguf, theta, (size_t) n_rotated / 2, rope, error))
    return FALSE;

  atn_gguf_append_key (json, "rope_parameters");
  g_string_append_printf (json, "%s}", rope->str);
  return TRUE;
}
