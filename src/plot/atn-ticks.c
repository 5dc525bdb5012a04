/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "plot/atn-ticks.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MINUS "−"

/* The smallest of 1, 2, 5 × 10ⁿ that is not below @step. */
static double
round_step_up (double step)
{
  const double power = pow (10, floor (log10 (step)));
  const double fraction = step / power;

  /* The slack keeps 0.30000000000000004 / 3 from becoming 0.2. */
  if (fraction <= 1 + 1e-9)
    return power;
  if (fraction <= 2 + 1e-9)
    return 2 * power;
  if (fraction <= 5 + 1e-9)
    return 5 * power;
  return 10 * power;
}

size_t
atn_ticks_linear (double low, double high, size_t n_wanted, double *ticks)
{
  size_t n_ticks = 0;
  double step, slack;

  g_return_val_if_fail (n_wanted >= 1 && n_wanted < ATN_MAX_TICKS, 0);

  if (!isfinite (low) || !isfinite (high) || high <= low || high - low < 1e-300)
    return 0;

  step = round_step_up ((high - low) / (double) n_wanted);
  slack = step * 1e-9;
  for (double i = ceil ((low - slack) / step); i * step <= high + slack; i++) {
    if (n_ticks == ATN_MAX_TICKS)
      break;
    ticks[n_ticks++] = i == 0 ? 0 : i * step;
  }
  return n_ticks;
}

static size_t
fill_decades (double low, double high, int stride, const double *factors, size_t n, double *ticks)
{
  size_t n_ticks = 0;

  for (double power = floor (log10 (low)); power <= ceil (log10 (high)); power++) {
    if (fmod (power, stride) != 0)
      continue;
    for (size_t i = 0; i < n && n_ticks < ATN_MAX_TICKS; i++) {
      const double tick = factors[i] * pow (10, power);

      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
        ticks[n_ticks++] = tick;
    }
  }
  return n_ticks;
}

size_t
atn_ticks_log (double low, double high, size_t n_wanted, double *ticks)
{
  static const double FACTORS[] = { 1, 2, 5 };
  double n_decades;

  g_return_val_if_fail (n_wanted >= 1 && n_wanted < ATN_MAX_TICKS, 0);

  if (!(low > 0) || !isfinite (high) || high <= low)
    return 0;

  n_decades = log10 (high / low);
  if (n_decades < 2 && n_wanted >= 4)
    return fill_decades (low, high, 1, FACTORS, G_N_ELEMENTS (FACTORS), ticks);
  return fill_decades (low, high, (int) fmax (1, ceil (n_decades / (double) n_wanted)), FACTORS, 1,
                       ticks);
}

char *
atn_ticks_dup_text (double value, int digits)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char format[] = "%.3g";
  char *exponent;
  GString *text;

  g_return_val_if_fail (digits >= 1 && digits <= 9, NULL);

  format[2] = (char) ('0' + digits);
  /* g_ascii_formatd() never writes a decimal comma. */
  g_ascii_formatd (buffer, sizeof buffer, format, value);
  text = g_string_new (buffer);
  exponent = strchr (text->str, 'e');
  if (exponent != NULL) {
    const int power = atoi (exponent + 1);

    g_string_truncate (text, (gsize) (exponent - text->str));
    g_string_append_printf (text, "e%d", power);
  }
  g_string_replace (text, "-", MINUS, 0);
  return g_string_free (text, FALSE);
}
