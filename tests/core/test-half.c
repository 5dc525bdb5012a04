/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test-json.h"
#include "atn-test.h"
#include "base/atn-half.h"
#include "base/atn-json.h"

#include <math.h>

static float
convert (guint half, void (*to_floats) (const guint8 *, float *, size_t))
{
  const guint8 bytes[] = { (guint8) (half & 0xFF), (guint8) (half >> 8) };
  float value;

  to_floats (bytes, &value, 1);
  return value;
}

static void
test_every_half_has_its_value_by_definition (void)
{
  for (guint half = 0; half < 0x10000; half++) {
    const int exponent = (int) (half >> 10 & 0x1F);
    const double mantissa = (double) (half & 0x3FF);
    const float value = convert (half, atn_half_to_floats);
    double expected =
      exponent == 0 ? ldexp (mantissa, -24) : ldexp (1024 + mantissa, exponent - 25);

    g_assert_cmpint (signbit (value) != 0, ==, half >> 15);
    if (exponent == 31 && mantissa != 0) {
      g_assert_true (isnan (value));
      continue;
    }
    if (exponent == 31)
      expected = HUGE_VAL;
    g_assert_cmpfloat (fabsf (value), ==, (float) expected);
  }
}

static void
test_halves_of_the_table (void)
{
  static const struct
  {
    guint half;
    float value;
  } rows[] = {
    { 0x0001, 5.96046448e-08f },
    { 0x03ff, 6.09755516e-05f },
    { 0x0400, 6.10351562e-05f },
    { 0x3555, 0.333251953f },
    { 0x3c00, 1 },
    { 0xc000, -2 },
    { 0x7bff, 65504 },
    { 0x0200, 3.05175781e-05f },
    { 0x7c00, INFINITY },
    { 0xfc00, -INFINITY },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpfloat (convert (rows[i].half, atn_half_to_floats), ==, rows[i].value);
}

static void
test_every_bfloat16_is_the_upper_half_of_a_float (void)
{
  for (guint32 half = 0; half < 0x10000; half++) {
    const guint32 bits = half << 16;
    const float value = convert (half, atn_bfloat16_to_floats);

    g_assert_cmpmem (&value, sizeof value, &bits, sizeof bits);
  }

  g_assert_cmpfloat (convert (0x4049, atn_bfloat16_to_floats), ==, 3.140625f);
  g_assert_cmpfloat (convert (0x0001, atn_bfloat16_to_floats), ==, 9.18354962e-41f);
}

static void
test_the_source_may_stand_at_an_odd_address (void)
{
  static const guint8 bytes[] = { 0xEE, 0x00, 0x3c, 0x00, 0xc0, 0x55, 0x35 };
  float values[3];

  atn_half_to_floats (bytes + 1, values, 3);
  g_assert_cmpfloat (values[0], ==, 1);
  g_assert_cmpfloat (values[1], ==, -2);
  g_assert_cmpfloat (values[2], ==, 0.333251953f);
}

static void
test_a_float_becomes_the_nearest_half (void)
{
  for (guint half = 0; half < 0x10000; half++) {
    const float value = convert (half, atn_half_to_floats);

    if (!isnan (value))
      g_assert_cmpuint (atn_half_from_float (value), ==, half);
    /* Between this half and the next, of the same sign: the tie goes to the even one. */
    if ((half & 0x7FFF) < 0x7BFF) {
      const float next = convert (half + 1, atn_half_to_floats);
      const float middle = (value + next) / 2;

      g_assert_cmpuint (atn_half_from_float (middle), ==, half + (half & 1));
      g_assert_cmpuint (atn_half_from_float (nextafterf (middle, value)), ==, half);
      g_assert_cmpuint (atn_half_from_float (nextafterf (middle, next)), ==, half + 1);
    }
  }

  g_assert_cmpuint (atn_half_from_float (65520), ==, 0x7C00);
  g_assert_cmpuint (atn_half_from_float (-1e30f), ==, 0xFC00);
  g_assert_cmpuint (atn_half_from_float (NAN) & 0x7FFF, >, 0x7C00);
}

/* The table beside the file, bit by bit. */
static void
test_halves_of_the_case (void)
{
  g_autofree char *path = atn_test_dup_case_path ("043-f16-bf16-conversion-incl/table.json");
  g_autoptr (AtnJson) table = atn_test_read_json (path);

  for (int kind = 0; kind < 2; kind++) {
    const AtnJson *entry =
      atn_json_get_first (atn_json_get_member (table, kind == 0 ? "f16" : "bf16"));

    for (; entry != NULL; entry = atn_json_get_next (entry)) {
      const guint bits = (guint) g_ascii_strtoull (atn_json_get_name (entry), NULL, 16);
      const float expected = (float) g_ascii_strtod (atn_json_get_string (entry), NULL);
      const float value = convert (bits, kind == 0 ? atn_half_to_floats : atn_bfloat16_to_floats);

      g_assert_true (isnan (expected) ? isnan (value) : value == expected);
      g_assert_cmpint (signbit (value) != 0, ==, isnan (expected) ? 0 : signbit (expected) != 0);
    }
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/half/all", test_every_half_has_its_value_by_definition);
  g_test_add_func ("/core/half/table", test_halves_of_the_table);
  g_test_add_func ("/core/half/bfloat16", test_every_bfloat16_is_the_upper_half_of_a_float);
  g_test_add_func ("/core/half/from-float", test_a_float_becomes_the_nearest_half);
  g_test_add_func ("/cases/043", test_halves_of_the_case);
  g_test_add_func ("/core/half/odd", test_the_source_may_stand_at_an_odd_address);

  return g_test_run ();
}
