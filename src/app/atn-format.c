/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-format.h"

#include <math.h>
#include <stdbool.h>

#define FIRST_STRONG_ISOLATE "\u2068"
#define POP_ISOLATE "\u2069"
#define NO_BREAK_SPACE "\u00a0"
#define ZERO_WIDTH_SPACE "\u200b"
#define MINUS "\u2212"

#define LEFT_QUOTE 0x201c
#define RIGHT_QUOTE 0x201d

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

/* printf() has a hyphen where a minus belongs; (transfer full). */
static char *
put_minus (char *number)
{
  g_autofree char *text = number;
  g_auto (GStrv) pieces = g_strsplit (text, "-", -1);

  return g_strjoinv (MINUS, pieces);
}

static char *
dup_with_hyphen (double number)
{
  double magnitude = fabs (number);

  if (isinf (number))
    return g_strdup (number < 0.0 ? "-∞" : "∞");
  if (magnitude != 0.0 && (magnitude < 1e-4 || magnitude >= 1e6))
    return g_strdup_printf ("%.2e", number);
  if (magnitude >= 1000.0)
    return g_strdup_printf ("%.1f", number);
  if (magnitude >= 100.0)
    return g_strdup_printf ("%.2f", number);
  return g_strdup_printf (magnitude >= 10.0 ? "%.3f" : "%.4f", number);
}

static char *
dup_rough_with_hyphen (double number)
{
  double magnitude = fabs (number);

  if (isinf (number) || (magnitude != 0.0 && magnitude < 0.0095))
    return dup_with_hyphen (number);
  if (magnitude >= 1000.0)
    return g_strdup_printf ("%.3g", number);
  if (magnitude >= 99.95)
    return g_strdup_printf ("%.0f", number);
  return g_strdup_printf (magnitude >= 9.995 ? "%.1f" : "%.2f", number);
}

char *
atn_format_dup_number (double number)
{
  return put_minus (dup_with_hyphen (number));
}

char *
atn_format_dup_rough_number (double number)
{
  return put_minus (dup_rough_with_hyphen (number));
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

/* Whether a line of Chinese may end between two characters, one of them a quotation mark. */
static bool
may_break_at_quote (gunichar before, gunichar after)
{
  if (before == RIGHT_QUOTE)
    return after == LEFT_QUOTE ||
           (g_unichar_iswide (after) &&
            g_unichar_break_type (after) != G_UNICODE_BREAK_CLOSE_PUNCTUATION &&
            g_unichar_break_type (after) != G_UNICODE_BREAK_NON_STARTER);
  return after == LEFT_QUOTE && g_unichar_iswide (before) &&
         g_unichar_break_type (before) != G_UNICODE_BREAK_OPEN_PUNCTUATION;
}

char *
atn_format_dup_wrappable (const char *text)
{
  g_autoptr (GString) wrappable = g_string_new (NULL);
  gunichar before = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c)) {
    gunichar character = g_utf8_get_char (c);

    if (may_break_at_quote (before, character))
      g_string_append (wrappable, ZERO_WIDTH_SPACE);
    if (character == ' ' && c[1] == '%' && g_unichar_isdigit (before))
      g_string_append (wrappable, NO_BREAK_SPACE);
    else
      g_string_append_unichar (wrappable, character);
    before = character;
  }
  return g_string_free (g_steal_pointer (&wrappable), FALSE);
}
