/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A config as it is written in a test.
 */

#pragma once

#include "atn-test-json.h"
#include "model/atn-family.h"

G_BEGIN_DECLS

/* @members: those of the object, without its braces */
static inline gboolean
atn_test_read_config (const char *members, AtnConfig *config, GError **error)
{
  g_autofree char *text = g_strdup_printf ("{%s}", members);
  g_autoptr (AtnJson) json = atn_test_parse_json (text);
  const AtnFamily *family;

  return atn_config_read (json, &family, config, error);
}

G_END_DECLS
