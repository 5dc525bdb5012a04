/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-format.h"

#include <math.h>

#define FIRST_STRONG_ISOLATE "\u2068"
#define POP_ISOLATE "\u2069"
#define NO_BREAK_SPACE "\u00a0"

char *
atn_format_dup_percent (double fraction)
{
  double percent = 100.0 * fraction;

  if (percent == 0.0)
    return g_strdup ("0" NO_BREAK_SPACE "%");
  if (percent < 0.001)
    return g_strdup_printf ("<" NO_BREAK_SPACE "%.3f" NO_BREAK_SPACE "%%", 0.001);
  if (percent < 0.0995)
    return g_strdup_printf ("%.2g" NO_BREAK_SPACE "%%", percent);
  /* What is less than all must not read as all. */
  if (percent >= 99.95 && percent < 100.0)
    return g_strdup_printf (">" NO_BREAK_SPACE "%.1f" NO_BREAK_SPACE "%%", 99.9);
  if (percent < 9.95 || (percent >= 99.5 && percent < 100.0))
    return g_strdup_printf ("%.1f" NO_BREAK_SPACE "%%", percent);
  return g_strdup_printf ("%.0f" NO_BREAK_SPACE "%%", percent);
}

char *
atn_format_dup_number (double number)
{
  double magnitude = fabs (number);

  if (isinf (number))
    return g_strdup (number < 0.0 ? "−∞" : "∞");
  if (magnitude != 0.0 && (magnitude < 1e-4 || magnitude >= 1e6))
    return g_strdup_printf ("%.2e", number);
  if (magnitude >= 1000.0)
    return g_strdup_printf ("%.1f", number);
  if (magnitude >= 100.0)
    return g_strdup_printf ("%.2f", number);
  return g_strdup_printf (magnitude >= 10.0 ? "%.3f" : "%.4f", number);
}

char *
atn_format_dup_operand (double number)
{
  g_autofree char *text = atn_format_dup_number (number);

  return number < 0.0 ? g_strconcat ("(", text, ")", NULL) : g_steal_pointer (&text);
}

char *
atn_format_dup_token (const char *label)
{
  return g_strconcat (FIRST_STRONG_ISOLATE, label, POP_ISOLATE, NULL);
}
