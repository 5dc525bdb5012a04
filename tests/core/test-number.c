/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test.h"
#include "base/atn-number.h"

#include <math.h>

/* What the contract says, by trying. */
static void
write_by_trying (char *out, float value)
{
  static const char *const formats[] = { "%.6g", "%.7g", "%.8g", "%.9g" };

  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_ascii_formatd (out, ATN_NUMBER_FLOAT_SIZE, formats[i], (double) value);
    if ((float) g_ascii_strtod (out, NULL) == value && strtof (out, NULL) == value)
      return;
  }
}

static void
assert_written (float value)
{
  char found[ATN_NUMBER_FLOAT_SIZE], expected[ATN_NUMBER_FLOAT_SIZE];
  const size_t length = atn_number_write_float (found, value);

  write_by_trying (expected, value);
  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpuint (length, ==, strlen (found));
}

static void
test_floats_are_written_as_printf_would (void)
{
  static const float values[] = {
    0.0f,        -0.0f,       1.0f,         -1.0f,           0.1f,          0.5f,
    10.0f,       100.0f,      123456.0f,    999999.0f,       1e6f,          1234567.0f,
    16777216.0f, 1e9f,        123456789.0f, 1e11f,           9.9999994e11f, 1e12f,
    1e13f,       0.0001f,     0.00012345f,  0.00001f,        9.9999e-5f,    1e-12f,
    1e-13f,      1e-38f,      1e-45f,       3.4028235e38f,   0.99999994f,   9.9999995f,
    999999.94f,  1.0f / 3.0f, 2.5f,         0.000099999997f,
  };

  for (size_t i = 0; i < G_N_ELEMENTS (values); i++)
    assert_written (values[i]);

  for (float value = 1e-20f; value < 1e20f; value *= 10) {
    assert_written (value);
    assert_written (nextafterf (value, 0));
    assert_written (nextafterf (value, INFINITY));
  }
}

static void
test_any_bits_are_written_as_printf_would (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (int i = 0; i < 20000; i++) {
    const guint32 bits = g_rand_int (rand);
    float value;

    memcpy (&value, &bits, sizeof value);
    if (isfinite (value))
      assert_written (value);
    /* Weights and scores are mostly of this size. */
    assert_written ((float) g_rand_double_range (rand, -20, 20));
    assert_written ((float) g_rand_double (rand));
    /* Few digits. */
    assert_written ((float) g_rand_int_range (rand, -100000, 100000) / 1000.0f);
  }
}

static void
test_numbers_are_read_as_strtod_reads_them (void)
{
  static const char *const rows[] = {
    "0",
    "-0",
    "0.0",
    "0e5",
    "1",
    "-1",
    "0.1",
    "123456789012345",
    "1234567890123456",
    "9007199254740993",
    "999999999999999e22",
    "1e22",
    "1e23",
    "1e-22",
    "1e-23",
    "0.000001",
    "0.0000000000000000000001",
    "0.00000000000000000000001",
    "1E5",
    "1e+5",
    "100000000000000000000",
    "1.7976931348623157e308",
    "1e309",
    "-1e309",
    "5e-324",
    "1e-400",
    "1e99999999999",
    "1e-99999999999",
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803",
    "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *exact = g_memdup2 (rows[i], strlen (rows[i]));
    const double found = atn_number_read (exact, strlen (rows[i]));
    const double expected = g_ascii_strtod (rows[i], NULL);

    g_assert_cmpmem (&found, sizeof found, &expected, sizeof expected);
  }
}

static void
test_random_numbers_are_read_as_strtod_reads_them (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);

  for (int i = 0; i < 50000; i++) {
    g_autofree char *text =
      g_strdup_printf ("%s%d.%0*de%d", i % 2 == 0 ? "" : "-", g_rand_int_range (rand, 0, 1000000),
                       g_rand_int_range (rand, 1, 12), g_rand_int_range (rand, 0, 1000000000),
                       g_rand_int_range (rand, -30, 30));
    const double found = atn_number_read (text, strlen (text));
    const double expected = g_ascii_strtod (text, NULL);

    g_assert_cmpmem (&found, sizeof found, &expected, sizeof expected);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/number/write", test_floats_are_written_as_printf_would);
  g_test_add_func ("/core/number/write-random", test_any_bits_are_written_as_printf_would);
  g_test_add_func ("/core/number/read", test_numbers_are_read_as_strtod_reads_them);
  g_test_add_func ("/core/number/read-random", test_random_numbers_are_read_as_strtod_reads_them);

  return g_test_run ();
}
