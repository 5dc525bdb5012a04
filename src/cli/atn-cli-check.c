/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * check: whether a model's files and this machine's numbers can be believed, one line for
 * each question. A model that does not pass is bad input, and its lines are written all the same.
 */

#include "analysis/atn-self-check.h"
#include "base/atn-error.h"
#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"

#include <glib/gi18n.h>

gboolean
atn_cli_run_check (const AtnCliArguments *arguments, GError **error)
{
  g_autoptr (AtnModel) model =
    atn_cli_open_model (atn_cli_arguments_get_word (arguments, 0), error);
  g_autoptr (AtnSelfCheck) check = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *path = NULL;

  if (model == NULL)
    return FALSE;

  check = atn_self_check_run (model, NULL, NULL, NULL, error);
  if (check == NULL)
    return FALSE;

  for (int i = 0; i < ATN_N_SELF_CHECKS; i++) {
    const AtnSelfCheckLine *line = &check->lines[i];

    g_string_append_printf (out, "%s\t%s\t%s\n", atn_self_check_get_name (i),
                            line->passed ? "ok" : "FAILED", line->sentence);
  }

  if (!atn_cli_write (arguments, out->str, out->len, error))
    return FALSE;
  if (atn_self_check_has_passed (check))
    return TRUE;

  path = g_filename_display_name (atn_model_get_path (model));
  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("%s: the model has not passed"),
               path);
  return FALSE;
}
