/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The command line: the engine and the drawings without a display.
 *
 *   argv ─► command (table in atn-cli.c) ─► arguments ─► run ─► standard output or a file
 *
 * A command is one file with one function. It returns a GError or nothing; only main()
 * prints it and turns it into the exit status:
 *
 *   0   done
 *   1   bad input: any error but those of the next line
 *   2   wrong usage: an error of the domain G_OPTION_ERROR
 *
 * Output is collected and written as a whole, so a run that fails has written nothing. There are
 * two exceptions: all heads at once go out head by head, when nothing but the disk can fail any
 * more, and `check` writes its lines also about a model that does not pass. Numbers are written
 * independent of the locale.
 */

#pragma once

#include "cli/atn-cli-arguments.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  const char *usage;   /* what follows the name; not translated: it is what is typed */
  const char *summary; /* marked for translation */
  guint64 options;     /* the options it takes: 1 << AtnCliOption */
  size_t min_words;    /* words that are no options: MODEL, TEXT */
  size_t max_words;
  gboolean (*run) (const AtnCliArguments *arguments, GError **error);
} AtnCliCommand;

/* One line on standard error, for what must be known though nothing failed. */
void atn_cli_print_note (const char *note);

/* One function per command, each in its own file. */
gboolean atn_cli_run_models (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_info (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_tokens (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_matrix (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_render (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_predict (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_convert (const AtnCliArguments *arguments, GError **error);
gboolean atn_cli_run_check (const AtnCliArguments *arguments, GError **error);

G_END_DECLS
