/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A config as it is written in a test.
 */

#pragma once

#include "base/atn-json.h"
#include "model/atn-family.h"

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* @members: those of the object, without its braces */
static inline gboolean
atn_test_read_config (const char *members, AtnConfig *config, GError **error)
{
  g_autofree char *text = g_strdup_printf ("{%s}", members);
  g_autoptr (GError) parse_error = NULL;
  g_autoptr (AtnJson) json = atn_json_parse (text, strlen (text), &parse_error);
  const AtnFamily *family;

  g_assert_no_error (parse_error);
  return atn_config_read (json, &family, config, error);
}

G_END_DECLS
