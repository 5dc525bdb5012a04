/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-half.h"

#include <math.h>
#include <string.h>

static inline guint32
read_u16 (const guint8 *src)
{
  return (guint32) src[0] | (guint32) src[1] << 8;
}

static inline float
float_from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint32
bits_from_float (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* All three kinds are computed and one is chosen, so that the loop has no branch
 * and can be vectorised. Subnormal halves go through an integer: their float is
 * normal, so nothing depends on how the processor treats subnormal floats. */
void
atn_half_to_floats (const guint8 *src, float *dst, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const guint32 half = read_u16 (src + 2 * i);
    const guint32 sign = (half & 0x8000u) << 16;
    const guint32 exponent = half & 0x7C00u;
    const guint32 magnitude = half & 0x7FFFu;
    const guint32 normal = (magnitude << 13) + (112u << 23);
    const guint32 non_finite = 0x7F800000u | (magnitude & 0x3FFu) << 13;
    const guint32 subnormal = bits_from_float ((float) (gint32) magnitude * 0x1p-24f);
    const guint32 bits = exponent == 0 ? subnormal : (exponent == 0x7C00u ? non_finite : normal);

    dst[i] = float_from_bits (sign | bits);
  }
}

void
atn_bfloat16_to_floats (const guint8 *src, float *dst, size_t n)
{
  for (size_t i = 0; i < n; i++)
    dst[i] = float_from_bits (read_u16 (src + 2 * i) << 16);
}

guint16
atn_half_from_float (float value)
{
  const guint32 bits = bits_from_float (value);
  const guint32 sign = bits >> 16 & 0x8000u;
  const guint32 magnitude = bits & 0x7FFFFFFFu;
  guint32 rounded;

  if (magnitude > 0x7F800000u)
    return (guint16) (sign | 0x7E00u);
  if (magnitude < 113u << 23)
    return (guint16) (sign | (guint32) rintf (float_from_bits (magnitude) * 0x1p24f));

  /* Half of the last place that stays, or a little less where that place is even. A carry goes
   * into the exponent, where it belongs. */
  rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1u);
  return (guint16) (sign | MIN ((rounded >> 13) - (112u << 10), 0x7C00u));
}
