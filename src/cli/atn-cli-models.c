/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * models: the bundled models, one a line.
 */

#include "base/atn-paths.h"
#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"

gboolean
atn_cli_run_models (const AtnCliArguments *arguments, GError **error)
{
  g_autoptr (GPtrArray) names = atn_paths_list_models ();
  g_autoptr (GString) out = g_string_new (NULL);

  for (size_t i = 0; i < names->len; i++)
    g_string_append_printf (out, "%s\n", (const char *) names->pdata[i]);

  return atn_cli_write (arguments, out->str, out->len, error);
}
