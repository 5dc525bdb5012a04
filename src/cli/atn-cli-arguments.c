/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "cli/atn-cli-arguments.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static const AtnCliOptionInfo infos[ATN_CLI_N_OPTIONS] = {
  [ATN_CLI_OPTION_LAYER] = { "layer", 0, "L", N_ ("the layer, counted from 0 (default 0)") },
  [ATN_CLI_OPTION_HEAD] = { "head", 0, "H", N_ ("the head, counted from 0 (default 0)") },
  [ATN_CLI_OPTION_STAGE] = { "stage", 0, "S",
                             N_ ("unrotated, dot, scaled, capped, biased, masked, pattern or "
                                 "contribution (default pattern)") },
  [ATN_CLI_OPTION_STRIP] = { "strip", 0, NULL, N_ ("all stages of the head side by side") },
  [ATN_CLI_OPTION_ALL] = { "all", 0, NULL, N_ ("all layers and heads") },
  [ATN_CLI_OPTION_FORMAT] = { "format", 0, "F", N_ ("csv, tsv, json or npy (default csv)") },
  [ATN_CLI_OPTION_OUTPUT] = { "output", 'o', "FILE", N_ ("where to write") },
  [ATN_CLI_OPTION_ZOOM] = { "zoom", 0, "N", N_ ("size of the picture, 1 to 8 (default 1)") },
  [ATN_CLI_OPTION_DPI] = { "dpi", 0, "N", N_ ("pixels per inch of a PNG") },
  [ATN_CLI_OPTION_WIDTH] = { "width", 0, "MM", N_ ("width of the picture in millimetres") },
  [ATN_CLI_OPTION_COLORMAP] = { "colormap", 0, "NAME",
                                N_ ("auto, viridis, cividis, magma or diverging (default auto)") },
  [ATN_CLI_OPTION_RANGE] = { "range", 0, "R",
                             N_ ("head: each head has its own range of colours; shared: all share "
                                 "one (default head)") },
  [ATN_CLI_OPTION_LOG] = { "log", 0, NULL, N_ ("colours of weights by their logarithm") },
  [ATN_CLI_OPTION_DTYPE] = { "dtype", 0, "T",
                             N_ ("source: types as they are; f16: half as large as F32, rounded "
                                 "(default source)") },
  [ATN_CLI_OPTION_PAIR] = { "pair", 0, "TEXT", N_ ("a second sentence") },
  [ATN_CLI_OPTION_TRUNCATE] = { "truncate", 0, NULL,
                                N_ ("cut a text that is too long instead of failing") },
  [ATN_CLI_OPTION_TOP] = { "top", 0, "N", N_ ("how many tokens at each position (default 5)") },
  [ATN_CLI_OPTION_ALL_POSITIONS] = { "all-positions", 0, NULL, N_ ("predict at every position") },
  [ATN_CLI_OPTION_LINES] = { "lines", 0, "FILE",
                             N_ ("run each line of a file instead of TEXT; prints one JSON object "
                                 "a line") },
  [ATN_CLI_OPTION_JSON] = { "json", 0, NULL, N_ ("print JSON") },
  [ATN_CLI_OPTION_CAUSAL] = { "causal", 0, "C",
                              N_ ("the causal mask: trained, on or off (default trained)") },
  [ATN_CLI_OPTION_SCALE_BY] = { "scale-by", 0, "X",
                                N_ ("what dot products are multiplied by: trained, none, sqrt for "
                                    "1/√d_head, or a number (default trained)") },
  [ATN_CLI_OPTION_TEMPERATURE] = { "temperature", 0, "X",
                                   N_ ("temperature of the softmax, above 0 (default 1)") },
  [ATN_CLI_OPTION_SCOPE] = { "scope", 0, "SCOPE",
                             N_ ("network: compute every layer again; head: only the head that is "
                                 "looked at (default network)") },
  [ATN_CLI_OPTION_HELP] = { "help", 0, NULL, N_ ("show this help") },
  [ATN_CLI_OPTION_VERSION] = { "version", 0, NULL, N_ ("show the version") },
};

const AtnCliOptionInfo *
atn_cli_option_get_info (AtnCliOption option)
{
  return &infos[option];
}

/* Finds a long option by its whole name, of @length bytes. */
static int
find_long_option (guint64 options, const char *name, size_t length)
{
  for (int i = 0; i < ATN_CLI_N_OPTIONS; i++) {
    if ((options & ATN_CLI_MASK (i)) != 0 && strlen (infos[i].name) == length &&
        memcmp (infos[i].name, name, length) == 0)
      return i;
  }

  return -1;
}

static int
find_short_option (guint64 options, char letter)
{
  for (int i = 0; i < ATN_CLI_N_OPTIONS; i++) {
    if ((options & ATN_CLI_MASK (i)) != 0 && infos[i].letter != 0 && infos[i].letter == letter)
      return i;
  }

  return -1;
}

/* Splits "--name=value", "-oFILE": *@attached is the value in the same word, or NULL. */
static int
find_option (guint64 options, const char *word, const char **attached)
{
  *attached = NULL;

  if (word[1] != '-') {
    *attached = word[2] != '\0' ? word + 2 : NULL;
    return find_short_option (options, word[1]);
  }

  if (strchr (word, '=') != NULL)
    *attached = strchr (word, '=') + 1;
  return find_long_option (options, word + 2, strcspn (word + 2, "="));
}

/* Reads the option at argv[*index] and moves *@index to its last word. */
static gboolean
parse_option (AtnCliArguments *self,
              guint64 options,
              const char *const *argv,
              size_t *index,
              GError **error)
{
  const char *word = argv[*index];
  const char *attached;
  const int option = find_option (options, word, &attached);

  if (option < 0) {
    /* Translators: the placeholder is what was typed, such as “--causl” */
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION, _ ("Unknown option “%s”"),
                 word);
    return FALSE;
  }

  if (infos[option].value_name == NULL) {
    if (attached != NULL) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--%s takes no value"),
                   infos[option].name);
      return FALSE;
    }
    self->values[option] = "";
    return TRUE;
  }

  if (attached == NULL)
    attached = argv[*index + 1] != NULL ? argv[++*index] : "";

  /* Only a text may be empty; often a variable of a script was. */
  if (*attached == '\0' && option != ATN_CLI_OPTION_PAIR) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--%s needs a value"),
                 infos[option].name);
    return FALSE;
  }

  self->values[option] = attached;
  return TRUE;
}

gboolean
atn_cli_arguments_parse (AtnCliArguments *self,
                         guint64 options,
                         const char *const *argv,
                         GError **error)
{
  bool only_words = false;

  options |= ATN_CLI_MASK (ATN_CLI_OPTION_HELP) | ATN_CLI_MASK (ATN_CLI_OPTION_VERSION);
  self->words = g_ptr_array_new ();

  for (size_t i = 0; argv[i] != NULL; i++) {
    if (only_words || argv[i][0] != '-' || argv[i][1] == '\0')
      g_ptr_array_add (self->words, (gpointer) argv[i]);
    else if (strcmp (argv[i], "--") == 0)
      only_words = true;
    else if (!parse_option (self, options, argv, &i, error))
      return FALSE;

    if (atn_cli_arguments_has (self, ATN_CLI_OPTION_HELP) ||
        atn_cli_arguments_has (self, ATN_CLI_OPTION_VERSION))
      break;
  }

  return TRUE;
}

void
atn_cli_arguments_clear (AtnCliArguments *self)
{
  g_clear_pointer (&self->words, g_ptr_array_unref);
}

bool
atn_cli_arguments_has (const AtnCliArguments *self, AtnCliOption option)
{
  return self->values[option] != NULL;
}

const char *
atn_cli_arguments_get (const AtnCliArguments *self, AtnCliOption option)
{
  return self->values[option];
}

const char *
atn_cli_arguments_get_word (const AtnCliArguments *self, size_t index)
{
  return index < self->words->len ? self->words->pdata[index] : NULL;
}

void
atn_cli_set_bad_value (GError **error, AtnCliOption option, const char *value, const char *expected)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               /* Translators: “--zoom: found “x”, expected a number from 1 to 8” */
               _ ("--%s: found “%s”, expected %s"), infos[option].name, value, expected);
}

gboolean
atn_cli_arguments_read_size (const AtnCliArguments *self,
                             AtnCliOption option,
                             size_t min,
                             size_t *value,
                             GError **error)
{
  const char *text = self->values[option];
  guint64 number;

  if (text == NULL)
    return TRUE;

  /* Bounded, so that sums and products of it stay in range. */
  if (!g_ascii_string_to_unsigned (text, 10, min, G_MAXINT32, &number, NULL)) {
    g_autofree char *expected = g_strdup_printf (_ ("a whole number from %zu on"), min);

    atn_cli_set_bad_value (error, option, text, expected);
    return FALSE;
  }

  *value = (size_t) number;
  return TRUE;
}

bool
atn_cli_parse_double (const char *text, double *value)
{
  char *end;
  double number;

  /* g_ascii_strtod() also takes hexadecimal, "inf" and leading spaces. */
  if (*text == '\0' || text[strspn (text, "+-.0123456789eE")] != '\0')
    return false;

  number = g_ascii_strtod (text, &end);
  if (*end != '\0' || !isfinite (number))
    return false;

  *value = number;
  return true;
}

gboolean
atn_cli_arguments_read_double (const AtnCliArguments *self,
                               AtnCliOption option,
                               double min,
                               double max,
                               double *value,
                               GError **error)
{
  const char *text = self->values[option];
  double number;

  if (text == NULL)
    return TRUE;

  if (!atn_cli_parse_double (text, &number) || number < min || number > max) {
    g_autofree char *expected = g_strdup_printf (_ ("a number from %g to %g"), min, max);

    atn_cli_set_bad_value (error, option, text, expected);
    return FALSE;
  }

  *value = number;
  return TRUE;
}

gboolean
atn_cli_arguments_read_choice (const AtnCliArguments *self,
                               AtnCliOption option,
                               const char *const *choices,
                               size_t *value,
                               GError **error)
{
  const char *text = self->values[option];
  g_autofree char *list = NULL;
  g_autofree char *expected = NULL;

  if (text == NULL)
    return TRUE;

  for (size_t i = 0; choices[i] != NULL; i++) {
    if (strcmp (choices[i], text) == 0) {
      *value = i;
      return TRUE;
    }
  }

  list = g_strjoinv (", ", (char **) choices);
  /* Translators: the placeholder is a list of words that can be typed */
  expected = g_strdup_printf (_ ("one of %s"), list);
  atn_cli_set_bad_value (error, option, text, expected);
  return FALSE;
}

gboolean
atn_cli_arguments_exclude (const AtnCliArguments *self,
                           AtnCliOption a,
                           AtnCliOption b,
                           GError **error)
{
  if (self->values[a] == NULL || self->values[b] == NULL)
    return TRUE;

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("--%s and --%s exclude each other"),
               infos[a].name, infos[b].name);
  return FALSE;
}
