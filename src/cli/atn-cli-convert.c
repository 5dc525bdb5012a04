/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * convert: any supported source as one JSON model file.
 */

#include "base/atn-output.h"
#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"
#include "weights/atn-model-file-writer.h"

#include <glib/gi18n.h>

/* JSON under another format's name would be refused by whoever opens it, Attnscope included. */
static gboolean
check_output (const char *path, GError **error)
{
  static const char *const others[] = { ".gguf", ".safetensors", ".bin", ".pt", ".pth", ".onnx" };

  for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
    if (!g_str_has_suffix (path, others[i]))
      continue;
    atn_cli_set_bad_value (error, ATN_CLI_OPTION_OUTPUT, path, _ ("a name that ends in .json"));
    return FALSE;
  }

  return TRUE;
}

gboolean
atn_cli_run_convert (const AtnCliArguments *arguments, GError **error)
{
  static const char *const dtypes[] = { "source", "f16", NULL };
  g_autoptr (AtnModel) model = NULL;
  g_autoptr (GPtrArray) overflows = NULL;
  g_autoptr (GBytes) file = NULL;
  size_t dtype = 0;

  if (!atn_cli_arguments_has (arguments, ATN_CLI_OPTION_OUTPUT)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("convert needs -o FILE"));
    return FALSE;
  }
  if (!check_output (atn_cli_arguments_get (arguments, ATN_CLI_OPTION_OUTPUT), error))
    return FALSE;

  if (!atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_DTYPE, dtypes, &dtype, error))
    return FALSE;
  if (dtype == 1)
    overflows = g_ptr_array_new_with_free_func (g_free);

  /* Opened as a model, not as a store only: what can't be run is not worth converting. */
  model = atn_cli_open_model (atn_cli_arguments_get_word (arguments, 0), error);
  if (model == NULL)
    return FALSE;

  file = atn_weights_dup_model_file (atn_model_get_weights (model), atn_model_get_name (model),
                                     overflows, error);
  if (file == NULL || !atn_weights_check_files (atn_model_get_weights (model), error) ||
      !atn_cli_write (arguments, g_bytes_get_data (file, NULL), g_bytes_get_size (file), error))
    return FALSE;

  for (guint i = 0; overflows != NULL && i < overflows->len; i++)
    atn_cli_print_note (g_ptr_array_index (overflows, i));
  return TRUE;
}
