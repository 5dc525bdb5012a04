/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Every function here is compared with the numpy code of the gguf package (tests/fixtures/gguf).
 */

#include "weights/atn-gguf-type.h"

#include "base/atn-half.h"

#include <string.h>

static float
read_half (const guint8 *bytes)
{
  float value;

  atn_half_to_floats (bytes, &value, 1);
  return value;
}

static void
convert_f32 (const guint8 *src, float *dst, size_t n)
{
  memcpy (dst, src, n * sizeof *dst);
#if G_BYTE_ORDER == G_BIG_ENDIAN
  for (size_t i = 0; i < n; i++) {
    guint32 bits;

    memcpy (&bits, &dst[i], sizeof bits);
    bits = GUINT32_FROM_LE (bits);
    memcpy (&dst[i], &bits, sizeof bits);
  }
#endif
}

static void
convert_q8_0 (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 34, dst += 32) {
    const float d = read_half (src);

    for (size_t i = 0; i < 32; i++)
      dst[i] = d * (float) (gint8) src[2 + i];
  }
}

static void
convert_q4_0 (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 18, dst += 32) {
    const float d = read_half (src);

    for (size_t i = 0; i < 16; i++) {
      dst[i] = d * (float) ((src[2 + i] & 0xF) - 8);
      dst[i + 16] = d * (float) ((src[2 + i] >> 4) - 8);
    }
  }
}

static void
convert_q4_1 (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 20, dst += 32) {
    const float d = read_half (src), m = read_half (src + 2);

    for (size_t i = 0; i < 16; i++) {
      dst[i] = d * (float) (src[4 + i] & 0xF) + m;
      dst[i + 16] = d * (float) (src[4 + i] >> 4) + m;
    }
  }
}

/* The 32 numbers of 5 bits whose high bits come first. */
static void
unpack_5_bits (const guint8 *src, int *q)
{
  guint32 high;

  memcpy (&high, src, sizeof high);
  high = GUINT32_FROM_LE (high);
  for (int i = 0; i < 16; i++) {
    q[i] = (src[4 + i] & 0xF) | (int) (high >> i & 1) << 4;
    q[i + 16] = src[4 + i] >> 4 | (int) (high >> (i + 16) & 1) << 4;
  }
}

static void
convert_q5_0 (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 22, dst += 32) {
    const float d = read_half (src);
    int q[32];

    unpack_5_bits (src + 2, q);
    for (size_t i = 0; i < 32; i++)
      dst[i] = d * (float) (q[i] - 16);
  }
}

static void
convert_q5_1 (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 24, dst += 32) {
    const float d = read_half (src), m = read_half (src + 2);
    int q[32];

    unpack_5_bits (src + 4, q);
    for (size_t i = 0; i < 32; i++)
      dst[i] = d * (float) q[i] + m;
  }
}

/* Scale and offset of each 32 numbers of a Q4_K or Q5_K block: 16 numbers of 6 bits in 12 bytes.
 * The upper two bits of the first eight bytes are those of the last eight numbers. */
static void
unpack_scales (const guint8 *src, float *scales, float *offsets)
{
  const float d = read_half (src), dm = read_half (src + 2);
  const guint8 *p = src + 4;

  for (int i = 0; i < 4; i++) {
    scales[i] = d * (float) (p[i] & 63);
    offsets[i] = dm * (float) (p[i + 4] & 63);
    scales[i + 4] = d * (float) ((p[i + 8] & 0xF) | p[i] >> 6 << 4);
    offsets[i + 4] = dm * (float) (p[i + 8] >> 4 | p[i + 4] >> 6 << 4);
  }
}

static void
convert_q4_k (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 144, dst += 256) {
    float scales[8], offsets[8];

    unpack_scales (src, scales, offsets);
    for (int group = 0; group < 8; group++) {
      const guint8 *q = src + 16 + 32 * (group / 2);
      const int shift = 4 * (group % 2);

      for (int i = 0; i < 32; i++)
        dst[32 * group + i] = scales[group] * (float) (q[i] >> shift & 0xF) - offsets[group];
    }
  }
}

static void
convert_q5_k (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 176, dst += 256) {
    float scales[8], offsets[8];
    const guint8 *high = src + 16;

    unpack_scales (src, scales, offsets);
    for (int group = 0; group < 8; group++) {
      const guint8 *q = src + 48 + 32 * (group / 2);
      const int shift = 4 * (group % 2);

      for (int i = 0; i < 32; i++)
        dst[32 * group + i] =
          scales[group] * (float) ((q[i] >> shift & 0xF) | (high[i] >> group & 1) << 4) -
          offsets[group];
    }
  }
}

/* Two halves of 128 numbers; each has four groups of 32, whose bits lie in the same 32 bytes of
 * high bits and in two times 32 bytes of low ones. */
static void
convert_q6_k (const guint8 *src, float *dst, size_t n_blocks)
{
  for (size_t b = 0; b < n_blocks; b++, src += 210, dst += 256) {
    const float d = read_half (src + 208);

    for (int group = 0; group < 8; group++) {
      const int half = group / 4, part = group % 4;
      const guint8 *low = src + 64 * half + 32 * (part % 2);
      const guint8 *high = src + 128 + 32 * half;
      const guint8 *scales = src + 192 + 2 * group;

      for (int i = 0; i < 32; i++) {
        const int q = (low[i] >> 4 * (part / 2) & 0xF) | (high[i] >> 2 * part & 3) << 4;

        dst[32 * group + i] = d * (float) (gint8) scales[i / 16] * (float) (q - 32);
      }
    }
  }
}

/* Types without a function are listed for their names and sizes only. */
static const AtnGgufType types[] = {
  { 0, "F32", 1, 4, convert_f32 },
  { 1, "F16", 1, 2, atn_half_to_floats },
  { 2, "Q4_0", 32, 18, convert_q4_0 },
  { 3, "Q4_1", 32, 20, convert_q4_1 },
  { 6, "Q5_0", 32, 22, convert_q5_0 },
  { 7, "Q5_1", 32, 24, convert_q5_1 },
  { 8, "Q8_0", 32, 34, convert_q8_0 },
  { 9, "Q8_1", 32, 40, NULL },
  { 10, "Q2_K", 256, 84, NULL },
  { 11, "Q3_K", 256, 110, NULL },
  { 12, "Q4_K", 256, 144, convert_q4_k },
  { 13, "Q5_K", 256, 176, convert_q5_k },
  { 14, "Q6_K", 256, 210, convert_q6_k },
  { 15, "Q8_K", 256, 292, NULL },
  { 16, "IQ2_XXS", 256, 66, NULL },
  { 17, "IQ2_XS", 256, 74, NULL },
  { 18, "IQ3_XXS", 256, 98, NULL },
  { 19, "IQ1_S", 256, 50, NULL },
  { 20, "IQ4_NL", 32, 18, NULL },
  { 21, "IQ3_S", 256, 110, NULL },
  { 22, "IQ2_S", 256, 82, NULL },
  { 23, "IQ4_XS", 256, 136, NULL },
  { 24, "I8", 1, 1, NULL },
  { 25, "I16", 1, 2, NULL },
  { 26, "I32", 1, 4, NULL },
  { 27, "I64", 1, 8, NULL },
  { 28, "F64", 1, 8, NULL },
  { 29, "IQ1_M", 256, 56, NULL },
  { 30, "BF16", 1, 2, atn_bfloat16_to_floats },
  { 34, "TQ1_0", 256, 54, NULL },
  { 35, "TQ2_0", 256, 66, NULL },
  { 39, "MXFP4", 32, 17, NULL },
  { 40, "NVFP4", 64, 36, NULL },
};

const AtnGgufType *
atn_gguf_type_find (uint32_t id)
{
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++) {
    if (types[i].id == id)
      return &types[i];
  }

  return NULL;
}

char *
atn_gguf_type_dup_names (void)
{
  GString *names = g_string_new (NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (types); i++) {
    if (types[i].to_floats != NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", types[i].name);
  }

  return g_string_free (names, FALSE);
}
