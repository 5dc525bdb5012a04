/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Options and words of a command. Long options are exact: getopt_long() takes any
 * unambiguous beginning of a name, and a script that relies on that breaks with the next
 * option. So the parser is our own, with one table of all options.
 *
 *   --name VALUE   --name=VALUE   -o FILE   -oFILE   --flag   --  (only words follow)   -  (a word)
 */

#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum
{
  ATN_CLI_OPTION_LAYER,
  ATN_CLI_OPTION_HEAD,
  ATN_CLI_OPTION_STAGE,
  ATN_CLI_OPTION_STRIP,
  ATN_CLI_OPTION_ALL,
  ATN_CLI_OPTION_FORMAT,
  ATN_CLI_OPTION_OUTPUT,
  ATN_CLI_OPTION_ZOOM,
  ATN_CLI_OPTION_DPI,
  ATN_CLI_OPTION_WIDTH,
  ATN_CLI_OPTION_COLORMAP,
  ATN_CLI_OPTION_RANGE,
  ATN_CLI_OPTION_LOG,
  ATN_CLI_OPTION_PAIR,
  ATN_CLI_OPTION_TRUNCATE,
  ATN_CLI_OPTION_TOP,
  ATN_CLI_OPTION_ALL_POSITIONS,
  ATN_CLI_OPTION_LINES,
  ATN_CLI_OPTION_JSON,
  ATN_CLI_OPTION_DTYPE,
  ATN_CLI_OPTION_CAUSAL,
  ATN_CLI_OPTION_SCALE_BY,
  ATN_CLI_OPTION_TEMPERATURE,
  ATN_CLI_OPTION_SCOPE,
  ATN_CLI_OPTION_HELP,
  ATN_CLI_OPTION_VERSION,
  ATN_CLI_N_OPTIONS
} AtnCliOption;

#define ATN_CLI_MASK(option) (G_GUINT64_CONSTANT (1) << (option))

typedef struct
{
  const char *name;       /* without the dashes */
  char letter;            /* 0: none */
  const char *value_name; /* NULL: a flag */
  const char *help;       /* marked for translation */
} AtnCliOptionInfo;

typedef struct
{
  const char *values[ATN_CLI_N_OPTIONS]; /* borrowed from argv; "" for a flag; NULL: not given */
  GPtrArray *words;                      /* owned, its strings borrowed from argv */
} AtnCliArguments;

const AtnCliOptionInfo *atn_cli_option_get_info (AtnCliOption option);

/**
 * atn_cli_arguments_parse:
 * @self: (out): zeroed by the caller, to be cleared with atn_cli_arguments_clear() in any case
 * @options: the options that may be given, ATN_CLI_MASK() of each
 * @argv: NULL-terminated, the first option or word first; must outlive @self
 *
 * Reads options and words in any order; of an option that is given twice the last counts. Stops at
 * --help and --version, which are known everywhere.
 *
 * Errors: G_OPTION_ERROR for an option that is not among @options, and a value too many or too few
 */
gboolean atn_cli_arguments_parse (AtnCliArguments *self,
                                  guint64 options,
                                  const char *const *argv,
                                  GError **error);
void atn_cli_arguments_clear (AtnCliArguments *self);

bool atn_cli_arguments_has (const AtnCliArguments *self, AtnCliOption option);
/* (nullable): the value as it was typed, NULL if the option was not given. */
const char *atn_cli_arguments_get (const AtnCliArguments *self, AtnCliOption option);
/* (nullable) */
const char *atn_cli_arguments_get_word (const AtnCliArguments *self, size_t index);

/**
 * atn_cli_arguments_read_size:
 * @min: least allowed value
 * @value: (inout): untouched if the option was not given or on failure
 *
 * Errors: G_OPTION_ERROR_BAD_VALUE naming the option and what it takes; the same for the functions
 *   below
 */
gboolean atn_cli_arguments_read_size (const AtnCliArguments *self,
                                      AtnCliOption option,
                                      size_t min,
                                      size_t *value,
                                      GError **error);
/* A finite number from @min to @max, '.' being the decimal point in every locale. */
gboolean atn_cli_arguments_read_double (const AtnCliArguments *self,
                                        AtnCliOption option,
                                        double min,
                                        double max,
                                        double *value,
                                        GError **error);
/* @choices: NULL-terminated; @value becomes the index. */
gboolean atn_cli_arguments_read_choice (const AtnCliArguments *self,
                                        AtnCliOption option,
                                        const char *const *choices,
                                        size_t *value,
                                        GError **error);
/* Parses one finite number and nothing after it. */
bool atn_cli_parse_double (const char *text, double *value);

/* Fails if both were given. */
gboolean atn_cli_arguments_exclude (const AtnCliArguments *self,
                                    AtnCliOption a,
                                    AtnCliOption b,
                                    GError **error);

/* A bad value: "--stage: “x” is not one of a, b". */
void atn_cli_set_bad_value (GError **error,
                            AtnCliOption option,
                            const char *value,
                            const char *expected);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AtnCliArguments, atn_cli_arguments_clear)

G_END_DECLS
