/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The writing half of atn-json.h. It needs nothing of cJSON.
 */

#include "base/atn-json.h"

#include "base/atn-number.h"

#include <math.h>
#include <string.h>

void
atn_json_append_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid != NULL ? valid : text; *p != '\0'; p++) {
    switch (*p) {
    case '"':
      g_string_append (out, "\\\"");
      break;
    case '\\':
      g_string_append (out, "\\\\");
      break;
    case '\n':
      g_string_append (out, "\\n");
      break;
    case '\r':
      g_string_append (out, "\\r");
      break;
    case '\t':
      g_string_append (out, "\\t");
      break;
    default:
      if ((guchar) *p < 0x20 || *p == 0x7F)
        g_string_append_printf (out, "\\u%04x", (guint) (guchar) *p);
      else
        g_string_append_c (out, *p);
      break;
    }
  }
  g_string_append_c (out, '"');
}

void
atn_json_append_float (GString *out, float value)
{
  char digits[ATN_NUMBER_FLOAT_SIZE];

  if (isfinite (value))
    g_string_append_len (out, digits, (gssize) atn_number_write_float (digits, value));
  else
    g_string_append (out, "null");
}

static void
append_double (GString *out, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.15g", value);
  if (g_ascii_strtod (digits, NULL) != value)
    g_ascii_dtostr (digits, sizeof digits, value);
  g_string_append (out, digits);
}

static void
append_leaf (GString *out, const AtnJson *node)
{
  switch (atn_json_get_kind (node)) {
  case ATN_JSON_BOOL:
    g_string_append (out, atn_json_get_bool (node) ? "true" : "false");
    break;
  case ATN_JSON_NUMBER:
    append_double (out, atn_json_get_number (node));
    break;
  case ATN_JSON_STRING:
    atn_json_append_string (out, atn_json_get_string (node));
    break;
  default:
    g_string_append (out, "null");
    break;
  }
}

/* Recursion is at most 1,000 deep, because the parser lets no deeper tree through. */
void
atn_json_append_node (GString *out, const AtnJson *node)
{
  AtnJsonKind kind = atn_json_get_kind (node);

  if (kind != ATN_JSON_ARRAY && kind != ATN_JSON_OBJECT) {
    append_leaf (out, node);
    return;
  }

  g_string_append_c (out, kind == ATN_JSON_OBJECT ? '{' : '[');
  for (const AtnJson *child = atn_json_get_first (node); child != NULL;
       child = atn_json_get_next (child)) {
    if (child != atn_json_get_first (node))
      g_string_append_c (out, ',');
    if (kind == ATN_JSON_OBJECT) {
      atn_json_append_string (out, atn_json_get_name (child));
      g_string_append_c (out, ':');
    }
    atn_json_append_node (out, child);
  }
  g_string_append_c (out, kind == ATN_JSON_OBJECT ? '}' : ']');
}
