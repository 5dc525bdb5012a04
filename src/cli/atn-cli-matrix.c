/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * matrix: the numbers of one head at one stage, or of all heads.
 */

#include "analysis/atn-matrix-file.h"
#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"

typedef struct
{
  size_t layer;
  size_t head;
  AtnStage stage;
  AtnMatrixFormat format;
} Selection;

static gboolean
read_selection (const AtnCliArguments *arguments, Selection *selection, GError **error)
{
  const char *formats[ATN_N_MATRIX_FORMATS + 1];
  size_t format = ATN_MATRIX_FORMAT_CSV;

  for (int i = 0; i < ATN_N_MATRIX_FORMATS; i++)
    formats[i] = atn_matrix_format_get_name (i);
  formats[ATN_N_MATRIX_FORMATS] = NULL;

  if (!atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ALL, ATN_CLI_OPTION_LAYER, error) ||
      !atn_cli_arguments_exclude (arguments, ATN_CLI_OPTION_ALL, ATN_CLI_OPTION_HEAD, error) ||
      !atn_cli_arguments_read_size (arguments, ATN_CLI_OPTION_LAYER, 0, &selection->layer, error) ||
      !atn_cli_arguments_read_size (arguments, ATN_CLI_OPTION_HEAD, 0, &selection->head, error) ||
      !atn_cli_read_stage (arguments, &selection->stage, error) ||
      !atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_FORMAT, formats, &format, error))
    return FALSE;

  selection->format = (AtnMatrixFormat) format;
  return TRUE;
}

gboolean
atn_cli_run_matrix (const AtnCliArguments *arguments, GError **error)
{
  Selection selection = { .stage = ATN_STAGE_PATTERN };
  g_autoptr (AtnResult) result = NULL;
  g_autoptr (GBytes) file = NULL;

  if (!read_selection (arguments, &selection, error))
    return FALSE;

  result = atn_cli_run_words (arguments, error);
  if (result == NULL ||
      !atn_cli_check_selection (result, selection.layer, selection.head, selection.stage, error))
    return FALSE;

  if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_ALL))
    return atn_result_write_file_all (result, selection.stage, selection.format,
                                      atn_cli_get_output (arguments), NULL, error);

  file = atn_result_dup_file (result, selection.layer, selection.head, selection.stage,
                              selection.format);
  return atn_cli_write (arguments, g_bytes_get_data (file, NULL), g_bytes_get_size (file), error);
}
