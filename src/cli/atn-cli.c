/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The table of commands, and the only place that prints.
 */

#include "cli/atn-cli.h"

#include "base/atn-paths.h"
#include "cli/atn-cli-input.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "attnscope-cli"

enum
{
  EXIT_DONE = 0,
  EXIT_BAD_INPUT = 1,
  EXIT_WRONG_USAGE = 2,
};

static const AtnCliCommand commands[] = {
  { "models", "",
    N_ ("Models that stand ready, one a line: name, layers × heads, size, what it is"), 0, 0, 0,
    atn_cli_run_models },
  { "info", "MODEL [--json]",
    N_ ("Family, sizes, scale, mask, positions, parameters and licence of a model"),
    ATN_CLI_MASK (ATN_CLI_OPTION_JSON), 1, 1, atn_cli_run_info },
  { "tokens", "MODEL TEXT [--pair TEXT] [--json]",
    N_ ("What a text becomes: index, id, bytes of the text and name of each token"),
    ATN_CLI_MASK (ATN_CLI_OPTION_JSON) | ATN_CLI_MASK (ATN_CLI_OPTION_PAIR), 2, 2,
    atn_cli_run_tokens },
  { "matrix",
    "MODEL TEXT [--layer L] [--head H] [--stage S] [--all]\n"
    "         [--format csv|tsv|json|npy] [-o FILE] [--pair TEXT] [--truncate] [WHAT-IF]",
    N_ ("Numbers of a head at a stage; a row is a query, a column a key"),
    ATN_CLI_RUN_OPTIONS | ATN_CLI_MASK (ATN_CLI_OPTION_LAYER) | ATN_CLI_MASK (ATN_CLI_OPTION_HEAD) |
      ATN_CLI_MASK (ATN_CLI_OPTION_STAGE) | ATN_CLI_MASK (ATN_CLI_OPTION_ALL) |
      ATN_CLI_MASK (ATN_CLI_OPTION_FORMAT) | ATN_CLI_MASK (ATN_CLI_OPTION_OUTPUT),
    2, 2, atn_cli_run_matrix },
  { "render",
    "MODEL TEXT [--layer L] [--head H] [--stage S | --strip | --all]\n"
    "         -o FILE.(png|svg|pdf) [--zoom N | --dpi N --width MM] [--colormap NAME]\n"
    "         [--range head|shared] [--log] [--pair TEXT] [--truncate] [WHAT-IF]",
    N_ ("Draw a head, its stages or all heads into a file"),
    ATN_CLI_RUN_OPTIONS | ATN_CLI_MASK (ATN_CLI_OPTION_LAYER) | ATN_CLI_MASK (ATN_CLI_OPTION_HEAD) |
      ATN_CLI_MASK (ATN_CLI_OPTION_STAGE) | ATN_CLI_MASK (ATN_CLI_OPTION_STRIP) |
      ATN_CLI_MASK (ATN_CLI_OPTION_ALL) | ATN_CLI_MASK (ATN_CLI_OPTION_OUTPUT) |
      ATN_CLI_MASK (ATN_CLI_OPTION_ZOOM) | ATN_CLI_MASK (ATN_CLI_OPTION_DPI) |
      ATN_CLI_MASK (ATN_CLI_OPTION_WIDTH) | ATN_CLI_MASK (ATN_CLI_OPTION_COLORMAP) |
      ATN_CLI_MASK (ATN_CLI_OPTION_RANGE) | ATN_CLI_MASK (ATN_CLI_OPTION_LOG),
    2, 2, atn_cli_run_render },
  { "predict",
    "MODEL (TEXT | --lines FILE) [--top N] [--all-positions] [--json]\n"
    "         [--pair TEXT] [--truncate] [WHAT-IF]",
    N_ ("The most probable tokens: the next one, or in place of each [MASK]"),
    ATN_CLI_RUN_OPTIONS | ATN_CLI_MASK (ATN_CLI_OPTION_TOP) |
      ATN_CLI_MASK (ATN_CLI_OPTION_ALL_POSITIONS) | ATN_CLI_MASK (ATN_CLI_OPTION_LINES) |
      ATN_CLI_MASK (ATN_CLI_OPTION_JSON),
    1, 2, atn_cli_run_predict },
  { "convert", "MODEL -o FILE [--dtype source|f16]", N_ ("Write any model as one JSON model file"),
    ATN_CLI_MASK (ATN_CLI_OPTION_OUTPUT) | ATN_CLI_MASK (ATN_CLI_OPTION_DTYPE), 1, 1,
    atn_cli_run_convert },
  { "check", "MODEL",
    N_ ("Whether a model can be believed: tokenizer, tensors, sums of rows, heads again in double"),
    0, 1, 1, atn_cli_run_check },
};

static const AtnCliCommand *
find_command (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  }

  return NULL;
}

/* What is printed is UTF-8 in every locale, as all files are. A sentence stays on one line,
 * whatever a file's name holds. */
void
atn_cli_print_note (const char *note)
{
  g_autofree char *line = g_utf8_make_valid (note, -1);

  for (char *c = line; *c != '\0'; c++) {
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  }
  fprintf (stderr, PROGRAM ": %s\n", line);
}

static void
append_options (GString *out, guint64 options)
{
  for (int i = 0; i < ATN_CLI_N_OPTIONS; i++) {
    const AtnCliOptionInfo *info = atn_cli_option_get_info (i);
    g_autofree char *names = NULL;

    if ((options & ATN_CLI_MASK (i)) == 0)
      continue;

    names = info->letter != 0
              ? g_strdup_printf ("-%c, --%s %s", info->letter, info->name, info->value_name)
              : g_strdup_printf ("--%s %s", info->name, info->value_name ? info->value_name : "");
    g_string_append_printf (out, "  %-20s %s\n", names, _ (info->help));
  }
}

static void
append_command_help (GString *out, const AtnCliCommand *command)
{
  guint64 options = command->options;
  g_autofree char *call =
    g_strchomp (g_strjoin (" ", PROGRAM, command->name, command->usage, NULL));

  g_string_append_printf (out, _ ("Usage: %s\n\n%s.\n"), call, _ (command->summary));
  if (command->max_words > 0)
    g_string_append (out, _ ("MODEL is a path or the name of a bundled model.\n"));
  if (command->max_words > 1)
    g_string_append (out, _ ("TEXT may be - for standard input; one that begins with - stands "
                             "after --.\n"));

  g_string_append (out, _ ("\nOptions:\n"));
  append_options (out, (options & ~ATN_CLI_WHAT_IF_OPTIONS) | ATN_CLI_MASK (ATN_CLI_OPTION_HELP));
  if ((options & ATN_CLI_WHAT_IF_OPTIONS) != 0) {
    g_string_append (out, _ ("\nWHAT-IF, to change what the model does:\n"));
    append_options (out, options & ATN_CLI_WHAT_IF_OPTIONS);
  }
}

static void
append_program_help (GString *out)
{
  g_string_append_printf (out,
                          _ ("Usage: %s COMMAND …\n\nAttention heads of a Transformer without "
                             "a display.\n\nCommands:\n"),
                          PROGRAM);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (out, "  %-8s %s\n", commands[i].name, _ (commands[i].summary));
  g_string_append_printf (out,
                          _ ("\n%s COMMAND --help tells more about a command; --version shows "
                             "the version.\n"),
                          PROGRAM);
}

/* --help and --version, of the program (@command is NULL) or of a command. */
static gboolean
print_about (const AtnCliArguments *arguments, const AtnCliCommand *command, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  AtnCliArguments no_output = { 0 };

  if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_VERSION))
    g_string_append (out, PROGRAM " " ATN_VERSION "\n");
  else if (command != NULL)
    append_command_help (out, command);
  else
    append_program_help (out);

  return atn_cli_write (&no_output, out->str, out->len, error);
}

static gboolean
check_words (const AtnCliCommand *command, const AtnCliArguments *arguments, GError **error)
{
  const char *extra = atn_cli_arguments_get_word (arguments, command->max_words);

  if (extra != NULL) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("Unexpected word “%s”"),
                 extra);
    return FALSE;
  }

  if (arguments->words->len < command->min_words) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("%s is missing"),
                 arguments->words->len == 0 ? "MODEL" : "TEXT");
    return FALSE;
  }

  return TRUE;
}

/* Two texts can't both come from standard input: the second would be empty without a word. */
static gboolean
check_stdin (const AtnCliArguments *arguments, GError **error)
{
  const char *const inputs[] = { atn_cli_arguments_get_word (arguments, 1),
                                 atn_cli_arguments_get (arguments, ATN_CLI_OPTION_PAIR),
                                 atn_cli_arguments_get (arguments, ATN_CLI_OPTION_LINES) };
  size_t n_stdin = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (inputs); i++)
    n_stdin += g_strcmp0 (inputs[i], "-") == 0;

  if (n_stdin > 1) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         _ ("Only one text can come from standard input"));
    return FALSE;
  }

  return TRUE;
}

static gboolean
run_command (const AtnCliCommand *command, const char *const *argv, GError **error)
{
  g_auto (AtnCliArguments) arguments = { 0 };

  if (!atn_cli_arguments_parse (&arguments, command->options, argv, error))
    return FALSE;
  if (atn_cli_arguments_has (&arguments, ATN_CLI_OPTION_HELP) ||
      atn_cli_arguments_has (&arguments, ATN_CLI_OPTION_VERSION))
    return print_about (&arguments, command, error);

  return check_words (command, &arguments, error) && check_stdin (&arguments, error) &&
         command->run (&arguments, error);
}

static gboolean
run (const char *const *argv, GError **error)
{
  g_auto (AtnCliArguments) arguments = { 0 };
  const AtnCliCommand *command;

  if (argv[0] != NULL && argv[0][0] != '-') {
    command = find_command (argv[0]);
    if (command != NULL)
      return run_command (command, argv + 1, error);

    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("Unknown command “%s”"), argv[0]);
    return FALSE;
  }

  if (!atn_cli_arguments_parse (&arguments, 0, argv, error))
    return FALSE;
  if (atn_cli_arguments_has (&arguments, ATN_CLI_OPTION_HELP) ||
      atn_cli_arguments_has (&arguments, ATN_CLI_OPTION_VERSION))
    return print_about (&arguments, NULL, error);

  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("COMMAND is missing"));
  return FALSE;
}

/* A file that is opened must not become standard output because that was closed. Opened the wrong
 * way round, so that using it is an error. */
static void
open_closed_descriptors (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl (fd, F_GETFD) < 0 && errno == EBADF &&
        open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return;
  }
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;

  open_closed_descriptors ();
  setlocale (LC_ALL, "");
  atn_paths_bind_translations ();

  if (run ((const char *const *) argv + (argc > 0 ? 1 : 0), &error))
    return EXIT_DONE;

  if (error->domain == G_OPTION_ERROR) {
    const bool is_command = argc > 1 && find_command (argv[1]) != NULL;
    g_autofree char *program = g_strjoin (" ", PROGRAM, is_command ? argv[1] : NULL, NULL);
    g_autofree char *note =
      /* Translators: a sentence about wrong usage, and what was called */
      g_strdup_printf (_ ("%s (%s --help tells more)"), error->message, program);

    atn_cli_print_note (note);
    return EXIT_WRONG_USAGE;
  }

  atn_cli_print_note (error->message);
  return EXIT_BAD_INPUT;
}
