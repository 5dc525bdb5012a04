/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-rope.h"

#include "engine/atn-kernels.h"

#include <math.h>

/* b^(-2i/R) for every pair. */
static void
fill_plain (size_t rotary_dim, float theta, float *frequencies)
{
  for (size_t i = 0; i < rotary_dim / 2; i++)
    frequencies[i] = 1.0f / powf (theta, (float) (2 * i) / (float) rotary_dim);
}

static float
stretch_theta (const AtnConfig *config, size_t n_tokens)
{
  const AtnRopeScaling *scaling = &config->rope_scaling;
  const double ratio =
    (double) MAX (n_tokens, scaling->original_n_ctx) / (double) scaling->original_n_ctx;
  const double dim = (double) config->rotary_dim;

  return (float) (config->rope_theta *
                  pow (scaling->factor * ratio - (scaling->factor - 1.0), dim / (dim - 2.0)));
}

static void
stretch_llama3 (const AtnRopeScaling *scaling, size_t n_pairs, float *frequencies)
{
  const float factor = (float) scaling->factor;
  const float low = (float) scaling->low_freq_factor;
  const float high = (float) scaling->high_freq_factor;
  const float length = (float) scaling->original_n_ctx;

  for (size_t i = 0; i < n_pairs; i++) {
    const float wavelength = (float) (2.0 * G_PI) / frequencies[i];
    const float smooth = (length / wavelength - low) / (high - low);

    if (wavelength > length / low)
      frequencies[i] /= factor;
    else if (wavelength >= length / high)
      frequencies[i] = (1.0f - smooth) * frequencies[i] / factor + smooth * frequencies[i];
  }
}

/* The pair that turns @n_turns times within the original length, as a fraction. */
static double
find_pair (const AtnConfig *config, double n_turns)
{
  return (double) config->rotary_dim *
         log ((double) config->rope_scaling.original_n_ctx / (n_turns * 2.0 * G_PI)) /
         (2.0 * log (config->rope_theta));
}

static void
stretch_yarn (const AtnConfig *config, float *frequencies)
{
  const AtnRopeScaling *scaling = &config->rope_scaling;
  double first = find_pair (config, scaling->beta_fast);
  double last = find_pair (config, scaling->beta_slow);

  if (scaling->truncate) {
    first = floor (first);
    last = ceil (last);
  }
  first = fmax (first, 0.0);
  last = fmin (last, (double) (config->rotary_dim - 1));
  if (first == last)
    last += 0.001;

  for (size_t i = 0; i < config->rotary_dim / 2; i++) {
    const float ramp = ((float) i - (float) first) / (float) (last - first);
    const float kept = 1.0f - CLAMP (ramp, 0.0f, 1.0f);

    frequencies[i] =
      frequencies[i] / (float) scaling->factor * (1.0f - kept) + frequencies[i] * kept;
  }
}

void
atn_rope_fill_frequencies (const AtnConfig *config, size_t n_tokens, float *frequencies)
{
  const AtnRopeScaling *scaling = &config->rope_scaling;
  const size_t n_pairs = config->rotary_dim / 2;
  const float *factors;

  fill_plain (config->rotary_dim,
              scaling->kind == ATN_ROPE_DYNAMIC ? stretch_theta (config, n_tokens)
                                                : (float) config->rope_theta,
              frequencies);

  switch (scaling->kind) {
  case ATN_ROPE_LINEAR:
    for (size_t i = 0; i < n_pairs; i++)
      frequencies[i] /= (float) scaling->factor;
    break;
  case ATN_ROPE_LLAMA3:
    stretch_llama3 (scaling, n_pairs, frequencies);
    break;
  case ATN_ROPE_YARN:
    stretch_yarn (config, frequencies);
    break;
  case ATN_ROPE_LONGROPE:
    factors = n_tokens > scaling->original_n_ctx ? scaling->long_factors : scaling->short_factors;
    for (size_t i = 0; i < n_pairs; i++)
      frequencies[i] /= factors[i];
    break;
  case ATN_ROPE_DEFAULT:
  case ATN_ROPE_DYNAMIC:
  default:
    break;
  }
}

void
atn_rope_fill_tables (const AtnConfig *config,
                      size_t n_tokens,
                      bool back,
                      float *cos_table,
                      float *sin_table)
{
  const size_t n_pairs = config->rotary_dim / 2;
  const float factor = (float) config->rope_scaling.attention_factor;
  g_autofree float *frequencies = g_new (float, n_pairs);

  atn_rope_fill_frequencies (config, n_tokens, frequencies);
  atn_rope_fill (cos_table, sin_table, n_tokens, n_pairs, frequencies,
                 back ? 1.0f / factor : factor);

  for (size_t i = 0; back && i < n_tokens * n_pairs; i++)
    sin_table[i] = -sin_table[i];
}
