/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#  error "The kernels rely on infinities and on the order of sums: build without -ffast-math"
#endif

/* One compiled version for each level of x86-64, chosen when the program starts. The resolvers
 * run before a sanitizer is ready, so builds with one take the plain version. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
  !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#  define FOR_EACH_CPU                                                                             \
    __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#  define FOR_EACH_CPU
#endif

#define LANES 16

/* The least x whose exponential is not 0 as a float is -103.97. */
#define EXP_MIN -104.0f
#define EXP_MAX 88.72f

/* e^x to about 1e-7 relative, denormal results included; below EXP_MIN exactly 0. The polynomial
 * is that of Cephes' expf; the power of two is multiplied in two halves, since 2^-149 has no
 * exponent of its own. */
static inline __attribute__ ((always_inline)) float
exp_lane (float x)
{
  /* Written so that NaN is clamped, too: it has no whole number. It comes back at the end. */
  const float clamped = x >= EXP_MIN ? (x > EXP_MAX ? EXP_MAX : x) : EXP_MIN;
  /* Adding and taking away 1.5 · 2²³ rounds to a whole number. */
  const float n = (clamped * 1.44269504f + 12582912.0f) - 12582912.0f;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  const int32_t n_low = (int32_t) n >> 1;
  const int32_t n_high = (int32_t) n - n_low;
  const int32_t low_bits = (n_low + 127) * (1 << 23);
  const int32_t high_bits = (n_high + 127) * (1 << 23);
  float low, high;
  float p = 1.9875691500e-4f;

  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;

  memcpy (&low, &low_bits, sizeof low);
  memcpy (&high, &high_bits, sizeof high);
  return x == x ? p * low * high : x;
}

static inline __attribute__ ((always_inline)) float
sum_lanes (const float lanes[LANES])
{
  float sum = 0.0f;

  for (size_t j = 0; j < LANES; j++)
    sum += lanes[j];

  return sum;
}

static inline __attribute__ ((always_inline)) float
max_of_row (const float *row, size_t n)
{
  float lanes[LANES];
  float max = -INFINITY;
  size_t i = 0;

  for (size_t j = 0; j < LANES; j++)
    lanes[j] = -INFINITY;
  for (; i + LANES <= n; i += LANES) {
    for (size_t j = 0; j < LANES; j++)
      lanes[j] = row[i + j] > lanes[j] ? row[i + j] : lanes[j];
  }
  for (; i < n; i++)
    max = row[i] > max ? row[i] : max;
  for (size_t j = 0; j < LANES; j++)
    max = lanes[j] > max ? lanes[j] : max;

  return max;
}

/* row = exp ((row - max) / temperature) */
static inline __attribute__ ((always_inline)) void
exp_of_row (float *row, size_t n, float max, float temperature)
{
  if (temperature != 1.0f) {
    for (size_t i = 0; i < n; i++)
      row[i] = exp_lane ((row[i] - max) / temperature);
    return;
  }

  for (size_t i = 0; i < n; i++)
    row[i] = exp_lane (row[i] - max);
}

static inline __attribute__ ((always_inline)) float
sum_of_row (const float *row, size_t n)
{
  float lanes[LANES] = { 0.0f };
  float sum = 0.0f;
  size_t i = 0;

  for (; i + LANES <= n; i += LANES) {
    for (size_t j = 0; j < LANES; j++)
      lanes[j] += row[i + j];
  }
  for (; i < n; i++)
    sum += row[i];

  return sum + sum_lanes (lanes);
}

FOR_EACH_CPU void
atn_softmax_row (float *row, size_t n, float temperature)
{
  const float max = max_of_row (row, n);
  float sum;

  /* No key may be seen: -inf - -inf would be NaN and spread through z into every later
   * layer, so the row is defined as zero. */
  if (max == -INFINITY) {
    memset (row, 0, n * sizeof *row);
    return;
  }

  /* A scale typed by hand can overflow a score. */
  if (max == INFINITY) {
    for (size_t i = 0; i < n; i++)
      row[i] = row[i] == INFINITY ? 0.0f : -INFINITY;
  }

  exp_of_row (row, n, max == INFINITY ? 0.0f : max, temperature);
  sum = sum_of_row (row, n);
  for (size_t i = 0; i < n; i++)
    row[i] /= sum;
}

static inline __attribute__ ((always_inline)) float
squares_of_row (const float *row, size_t n, float center)
{
  float lanes[LANES] = { 0.0f };
  float sum = 0.0f;
  size_t i = 0;

  for (; i + LANES <= n; i += LANES) {
    for (size_t j = 0; j < LANES; j++)
      lanes[j] += (row[i + j] - center) * (row[i + j] - center);
  }
  for (; i < n; i++)
    sum += (row[i] - center) * (row[i] - center);

  return sum + sum_lanes (lanes);
}

FOR_EACH_CPU void
atn_layernorm_rows (float *dst,
                    const float *src,
                    size_t n_rows,
                    size_t n,
                    const float *weight,
                    const float *bias,
                    float eps)
{
  for (size_t row = 0; row < n_rows; row++, src += n, dst += n) {
    const float mean = sum_of_row (src, n) / (float) n;
    const float variance = squares_of_row (src, n, mean) / (float) n;
    const float scale = 1.0f / sqrtf (variance + eps);

    for (size_t i = 0; i < n; i++)
      dst[i] = (src[i] - mean) * scale;
    for (size_t i = 0; weight != NULL && i < n; i++)
      dst[i] *= weight[i];
    for (size_t i = 0; bias != NULL && i < n; i++)
      dst[i] += bias[i];
  }
}

FOR_EACH_CPU void
atn_rmsnorm_rows (float *dst,
                  const float *src,
                  size_t n_rows,
                  size_t n,
                  const float *weight,
                  float weight_offset,
                  float eps)
{
  for (size_t row = 0; row < n_rows; row++, src += n, dst += n) {
    const float scale = 1.0f / sqrtf (squares_of_row (src, n, 0.0f) / (float) n + eps);

    for (size_t i = 0; i < n; i++)
      dst[i] = src[i] * scale;
    for (size_t i = 0; weight != NULL && i < n; i++)
      dst[i] *= weight[i] + weight_offset;
  }
}

static inline __attribute__ ((always_inline)) void
activate_relu (float *values, size_t n)
{
  for (size_t i = 0; i < n; i++)
    values[i] = values[i] > 0.0f ? values[i] : 0.0f;
}

static inline __attribute__ ((always_inline)) void
activate_silu (float *values, size_t n)
{
  for (size_t i = 0; i < n; i++)
    values[i] = values[i] / (1.0f + exp_lane (-values[i]));
}

/* Φ(-a) · e^(a²/2) for a from 0 to 14.5 is a polynomial in t = 1 / (1 + 0.26 a), in the manner of
 * Abramowitz and Stegun 7.1.26; fitted by least squares to 4e-8 relative. */
static inline __attribute__ ((always_inline)) float
gelu_lane (float x)
{
  const float a = x < 0.0f ? -x : x;
  const float t = 1.0f / (1.0f + 0.26f * a);
  float tail = 0.0307312272f;

  tail = tail * t - 0.153805971f;
  tail = tail * t + 0.25324738f;
  tail = tail * t - 0.152649283f;
  tail = tail * t + 0.161905482f;
  tail = tail * t + 0.0507129766f;
  tail = tail * t + 0.103086956f;
  tail = tail * t + 0.1030121f;
  tail = tail * t + 0.10375914f;
  tail *= t * exp_lane (-0.5f * a * a);

  return x < 0.0f ? x * tail : x - x * tail;
}

static inline __attribute__ ((always_inline)) void
activate_gelu (float *values, size_t n)
{
  for (size_t i = 0; i < n; i++)
    values[i] = gelu_lane (values[i]);
}

/* 0.5 x (1 + tanh (u)) = x / (1 + e^-2u), which keeps its digits for very negative x. */
static inline __attribute__ ((always_inline)) void
activate_gelu_tanh (float *values, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const float x = values[i];
    const float u = 0.797884561f * (x + 0.044715f * x * x * x);

    values[i] = x / (1.0f + exp_lane (-2.0f * u));
  }
}

FOR_EACH_CPU void
atn_activate (AtnActivation activation, float *values, size_t n)
{
  switch (activation) {
  case ATN_ACTIVATION_RELU:
    activate_relu (values, n);
    break;
  case ATN_ACTIVATION_GELU:
    activate_gelu (values, n);
    break;
  case ATN_ACTIVATION_GELU_TANH:
    activate_gelu_tanh (values, n);
    break;
  case ATN_ACTIVATION_SILU:
  default:
    activate_silu (values, n);
    break;
  }
}

FOR_EACH_CPU void
atn_scale (float *values, size_t n, float factor)
{
  for (size_t i = 0; i < n; i++)
    values[i] *= factor;
}

/* Cephes' tanhf: a polynomial where 1 - 2 / (e^2x + 1) would lose its digits. */
static inline __attribute__ ((always_inline)) float
tanh_lane (float x)
{
  const float a = x < 0.0f ? -x : x;
  const float z = x * x;
  const float far = 1.0f - 2.0f / (exp_lane (2.0f * a) + 1.0f);
  float near = -5.70498872745e-3f;

  near = near * z + 2.06390887954e-2f;
  near = near * z - 5.37397155531e-2f;
  near = near * z + 1.33314422036e-1f;
  near = near * z - 3.33332819422e-1f;
  near = near * z * a + a;

  return (x < 0.0f ? -1.0f : 1.0f) * (a < 0.625f ? near : far);
}

FOR_EACH_CPU void
atn_cap (float *values, size_t n, float cap)
{
  for (size_t i = 0; i < n; i++)
    values[i] = cap * tanh_lane (values[i] / cap);
}

FOR_EACH_CPU void
atn_add_slope (float *values, size_t n, float slope)
{
  for (size_t i = 0; i < n; i++)
    values[i] += slope * (float) i;
}

FOR_EACH_CPU void
atn_multiply (float *dst, const float *src, size_t n)
{
  for (size_t i = 0; i < n; i++)
    dst[i] *= src[i];
}

FOR_EACH_CPU void
atn_add_row (float *dst, const float *src, const float *row, size_t n_rows, size_t n)
{
  for (size_t r = 0; r < n_rows; r++, dst += n) {
    if (src == NULL)
      memcpy (dst, row, n * sizeof *dst);
    else if (row == NULL && src != dst)
      memcpy (dst, src + r * n, n * sizeof *dst);
    else
      for (size_t i = 0; row != NULL && i < n; i++)
        dst[i] = src[r * n + i] + row[i];
  }
}

void
atn_rope_fill (float *cos_table,
               float *sin_table,
               size_t n_tokens,
               size_t n_pairs,
               const float *frequencies,
               float factor)
{
  for (size_t i = 0; i < n_pairs; i++) {
    for (size_t position = 0; position < n_tokens; position++) {
      const float angle = (float) position * frequencies[i];

      cos_table[position * n_pairs + i] = (float) cos ((double) angle) * factor;
      sin_table[position * n_pairs + i] = (float) sin ((double) angle) * factor;
    }
  }
}

void
atn_rope_rotate (float *heads,
                 size_t n_heads,
                 size_t d_head,
                 AtnRopePairs pairs,
                 size_t n_pairs,
                 const float *cos_row,
                 const float *sin_row)
{
  const size_t step = pairs == ATN_ROPE_NEIGHBOURS ? 2 : 1;
  const size_t distance = pairs == ATN_ROPE_NEIGHBOURS ? 1 : n_pairs;

  for (size_t head = 0; head < n_heads; head++, heads += d_head) {
    for (size_t i = 0; i < n_pairs; i++) {
      const float a = heads[i * step];
      const float b = heads[i * step + distance];

      heads[i * step] = a * cos_row[i] - b * sin_row[i];
      heads[i * step + distance] = b * cos_row[i] + a * sin_row[i];
    }
  }
}

FOR_EACH_CPU void
atn_row_norms (float *norms, const float *rows, size_t n_rows, size_t n)
{
  for (size_t row = 0; row < n_rows; row++)
    norms[row] = sqrtf (squares_of_row (rows + row * n, n, 0.0f));
}
