/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From arguments to what the engine takes: models, texts and what-if settings; and
 * from a finished output to where it goes.
 */

#pragma once

#include "cli/atn-cli-arguments.h"
#include "engine/atn-request.h"

G_BEGIN_DECLS

/* Options of every command that runs a model. */
#define ATN_CLI_WHAT_IF_OPTIONS                                                                    \
  (ATN_CLI_MASK (ATN_CLI_OPTION_CAUSAL) | ATN_CLI_MASK (ATN_CLI_OPTION_SCALE_BY) |                 \
   ATN_CLI_MASK (ATN_CLI_OPTION_TEMPERATURE) | ATN_CLI_MASK (ATN_CLI_OPTION_SCOPE))
#define ATN_CLI_RUN_OPTIONS                                                                        \
  (ATN_CLI_WHAT_IF_OPTIONS | ATN_CLI_MASK (ATN_CLI_OPTION_PAIR) |                                  \
   ATN_CLI_MASK (ATN_CLI_OPTION_TRUNCATE))

/**
 * atn_cli_open_model:
 * @name: a path, or the name of a bundled model
 *
 * Errors: ATN_ERROR_IO if there is neither; those of atn_model_open()
 */
AtnModel *atn_cli_open_model (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_cli_read_text:
 * @argument: the text itself, or "-" for standard input without one final line end
 *
 * Returns: (transfer full): valid UTF-8 without NUL
 * Errors: ATN_ERROR_INVALID_FORMAT with the byte at which the text is not UTF-8; for NUL; for
 *   UTF-16, known by its mark; ATN_ERROR_TOO_LARGE over 64 MiB; ATN_ERROR_IO
 */
char *atn_cli_read_text (const char *argument, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a file ("-": standard input), whole; @n_bytes includes no NUL. */
char *
atn_cli_read_file (const char *path, gsize *n_bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

gboolean
atn_cli_read_what_if (const AtnCliArguments *arguments, AtnWhatIf *what_if, GError **error);

/* Reads --stage; @stage is untouched if it was not given. */
gboolean atn_cli_read_stage (const AtnCliArguments *arguments, AtnStage *stage, GError **error);

/**
 * atn_cli_run_request:
 *
 * Runs a model over one text with the command's options: pair, truncation, what-if. Says on
 * standard error if the text was cut.
 *
 * Returns: (transfer full)
 */
AtnResult *atn_cli_run_request (const AtnCliArguments *arguments,
                                AtnModel *model,
                                const char *text,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* All of the above at once, for commands whose words are MODEL and TEXT. */
AtnResult *atn_cli_run_words (const AtnCliArguments *arguments,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Checks that the result has tokens, and this layer, head and stage. */
gboolean atn_cli_check_selection (const AtnResult *result,
                                  size_t layer,
                                  size_t head,
                                  AtnStage stage,
                                  GError **error);

/* The path of --output, or "-" for standard output. */
const char *atn_cli_get_output (const AtnCliArguments *arguments);

/* Writes there. */
gboolean
atn_cli_write (const AtnCliArguments *arguments, const void *data, gsize length, GError **error);

G_END_DECLS
