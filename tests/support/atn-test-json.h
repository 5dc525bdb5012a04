/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * JSON that a test takes for right.
 */

#pragma once

#include "base/atn-json.h"

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* (transfer full): @text, which must be JSON. */
static inline AtnJson *
atn_test_parse_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  AtnJson *json = atn_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_nonnull (json);
  return json;
}

/* (transfer full): the file @path, which must be JSON. */
static inline AtnJson *
atn_test_read_json (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return atn_test_parse_json (text);
}

G_END_DECLS
