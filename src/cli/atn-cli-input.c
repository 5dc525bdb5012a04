/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "cli/atn-cli-input.h"

#include "base/atn-error.h"
#include "base/atn-output.h"
#include "base/atn-paths.h"
#include "cli/atn-cli.h"
#include "model/atn-card.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A sentence has some hundred bytes; this keeps /dev/zero from filling the memory. */
#define MAX_TEXT_BYTES (64u << 20)
#define READ_BLOCK_BYTES 65536

static void
set_model_not_found (GError **error, const char *name)
{
  g_autoptr (GPtrArray) names = atn_paths_list_models ();
  g_autoptr (GPtrArray) own = atn_paths_list_user_models ();
  g_autofree char *list = NULL;

  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (names, atn_card_dup_name (NULL, g_ptr_array_index (own, i)));
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  g_set_error (error, ATN_ERROR, ATN_ERROR_IO,
               /* Translators: the second placeholder is a list of names */
               _ ("“%s” is neither a file nor a model that stands ready (these are: %s)"), name,
               list);
}

AtnModel *
atn_cli_open_model (const char *name, GError **error)
{
  g_autofree char *path = atn_paths_find_model (name);

  if (path == NULL) {
    set_model_not_found (error, name);
    return NULL;
  }

  return atn_model_open (path, NULL, NULL, NULL, error);
}

/* Reads @fd to its end, into a string that ends in NUL. */
static GString *
read_descriptor (int fd, const char *name, GError **error)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  g_autofree char *block = g_malloc (READ_BLOCK_BYTES);

  for (;;) {
    const gssize n_read = read (fd, block, READ_BLOCK_BYTES);

    if (n_read == 0)
      return g_steal_pointer (&bytes);
    if (n_read < 0 && errno == EINTR)
      continue;
    if (n_read < 0) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_IO, "%s: %s", name, g_strerror (errno));
      return NULL;
    }
    if (bytes->len + (gsize) n_read > MAX_TEXT_BYTES) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("%s: more than %u MiB of text"), name,
                   MAX_TEXT_BYTES >> 20);
      return NULL;
    }
    g_string_append_len (bytes, block, n_read);
  }
}

/* Nothing that is not UTF-8 goes past this point; NUL is, but no text holds it. */
static gboolean
check_text (const char *text, gsize length, const char *name, GError **error)
{
  const char *end;

  if (length >= 2 && (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%s: the text is UTF-16, expected UTF-8"), name);
    return FALSE;
  }

  if (memchr (text, '\0', length) != NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%s: byte %zu is NUL, expected text"), name,
                 (gsize) ((const char *) memchr (text, '\0', length) - text));
    return FALSE;
  }

  if (!g_utf8_validate_len (text, length, &end)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("%s: byte %zu (0x%02X) is not valid UTF-8"), name, (gsize) (end - text),
                 (guint) (guchar) *end);
    return FALSE;
  }

  return TRUE;
}

char *
atn_cli_read_file (const char *path, gsize *n_bytes, GError **error)
{
  const bool is_stdin = strcmp (path, "-") == 0;
  const char *name = is_stdin ? _ ("standard input") : path;
  g_autoptr (GString) text = NULL;
  int fd = STDIN_FILENO;

  if (!is_stdin) {
    fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
      g_set_error (error, ATN_ERROR, ATN_ERROR_IO, "%s: %s", path, g_strerror (errno));
      return NULL;
    }
  }

  text = read_descriptor (fd, name, error);
  if (!is_stdin)
    close (fd);
  if (text == NULL || !check_text (text->str, text->len, name, error))
    return NULL;

  *n_bytes = text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
atn_cli_read_text (const char *argument, GError **error)
{
  char *text;
  gsize length;

  if (strcmp (argument, "-") != 0) {
    if (!check_text (argument, strlen (argument), _ ("the text"), error))
      return NULL;
    return g_strdup (argument);
  }

  text = atn_cli_read_file ("-", &length, error);
  if (text == NULL)
    return NULL;

  /* The line end that echo and editors put there. */
  if (g_str_has_suffix (text, "\r\n"))
    text[length - 2] = '\0';
  else if (g_str_has_suffix (text, "\n"))
    text[length - 1] = '\0';
  return text;
}

static gboolean
read_scale (const AtnCliArguments *arguments, AtnWhatIf *what_if, GError **error)
{
  const char *text = atn_cli_arguments_get (arguments, ATN_CLI_OPTION_SCALE_BY);
  double number;

  if (text == NULL || strcmp (text, "trained") == 0)
    what_if->scale = ATN_SCALE_AS_TRAINED;
  else if (strcmp (text, "none") == 0)
    what_if->scale = ATN_SCALE_NONE;
  else if (strcmp (text, "sqrt") == 0)
    what_if->scale = ATN_SCALE_SQRT;
  else if (atn_cli_parse_double (text, &number) && isfinite ((float) number)) {
    what_if->scale = ATN_SCALE_NUMBER;
    what_if->scale_number = (float) number;
  } else {
    atn_cli_set_bad_value (error, ATN_CLI_OPTION_SCALE_BY, text,
                           _ ("trained, none, sqrt or a number"));
    return FALSE;
  }

  return TRUE;
}

gboolean
atn_cli_read_what_if (const AtnCliArguments *arguments, AtnWhatIf *what_if, GError **error)
{
  /* In the order of the enums. */
  static const char *const causal_names[] = { "trained", "on", "off", NULL };
  static const char *const scope_names[] = { "network", "head", NULL };
  size_t causal = ATN_CAUSAL_AS_TRAINED;
  size_t scope = ATN_SCOPE_NETWORK;
  double temperature = 0.0;

  if (!atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_CAUSAL, causal_names, &causal,
                                      error) ||
      !read_scale (arguments, what_if, error) ||
      /* Beyond these a score divided by it is no float any more. */
      !atn_cli_arguments_read_double (arguments, ATN_CLI_OPTION_TEMPERATURE, 1e-6, 1e6,
                                      &temperature, error) ||
      !atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_SCOPE, scope_names, &scope, error))
    return FALSE;

  what_if->causal = (AtnCausal) causal;
  what_if->temperature = (float) temperature;
  what_if->scope = (AtnScope) scope;
  return TRUE;
}

gboolean
atn_cli_read_stage (const AtnCliArguments *arguments, AtnStage *stage, GError **error)
{
  const char *names[ATN_N_STAGES + 1];
  size_t index = *stage;

  for (int i = 0; i < ATN_N_STAGES; i++)
    names[i] = atn_stage_get_name (i);
  names[ATN_N_STAGES] = NULL;

  if (!atn_cli_arguments_read_choice (arguments, ATN_CLI_OPTION_STAGE, names, &index, error))
    return FALSE;

  *stage = (AtnStage) index;
  return TRUE;
}

AtnResult *
atn_cli_run_request (const AtnCliArguments *arguments,
                     AtnModel *model,
                     const char *text,
                     GError **error)
{
  const char *pair_argument = atn_cli_arguments_get (arguments, ATN_CLI_OPTION_PAIR);
  AtnRequest request = { .model = model, .text = text, .text_len = -1, .pair_len = -1 };
  g_autofree char *pair = NULL;
  AtnResult *result;

  request.truncate = atn_cli_arguments_has (arguments, ATN_CLI_OPTION_TRUNCATE);
  if (!atn_cli_read_what_if (arguments, &request.what_if, error))
    return NULL;

  if (pair_argument != NULL) {
    pair = atn_cli_read_text (pair_argument, error);
    if (pair == NULL)
      return NULL;
    request.pair = pair;
  }

  result = atn_request_run (&request, NULL, NULL, NULL, NULL, error);
  if (result != NULL && result->n_tokens_typed > result->tokens->n_tokens) {
    g_autofree char *note = g_strdup_printf (_ ("The text was cut from %zu to %zu tokens"),
                                             result->n_tokens_typed, result->tokens->n_tokens);

    atn_cli_print_note (note);
  }
  return result;
}

AtnResult *
atn_cli_run_words (const AtnCliArguments *arguments, GError **error)
{
  g_autoptr (AtnModel) model = NULL;
  g_autofree char *text = NULL;
  AtnWhatIf what_if = { 0 };

  /* What was typed wrong is said before anything is read. */
  if (!atn_cli_read_what_if (arguments, &what_if, error))
    return NULL;

  model = atn_cli_open_model (atn_cli_arguments_get_word (arguments, 0), error);
  if (model == NULL)
    return NULL;

  text = atn_cli_read_text (atn_cli_arguments_get_word (arguments, 1), error);
  if (text == NULL)
    return NULL;

  return atn_cli_run_request (arguments, model, text, error);
}

gboolean
atn_cli_check_selection (const AtnResult *result,
                         size_t layer,
                         size_t head,
                         AtnStage stage,
                         GError **error)
{
  const AtnConfig *config = atn_model_get_config (result->model);

  if (layer >= config->n_layers) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("There is no layer %zu: the model has %zu, counted from 0"), layer,
                 config->n_layers);
    return FALSE;
  }

  if (head >= config->n_heads) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("There is no head %zu: a layer has %zu, counted from 0"), head,
                 config->n_heads);
    return FALSE;
  }

  if (!atn_stage_is_present (stage, config, atn_result_get_what_if (result))) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("The model has no stage “%s” with these settings"), atn_stage_get_name (stage));
    return FALSE;
  }

  if (result->tokens->n_tokens == 0) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("The text has no tokens"));
    return FALSE;
  }

  return TRUE;
}

const char *
atn_cli_get_output (const AtnCliArguments *arguments)
{
  const char *path = atn_cli_arguments_get (arguments, ATN_CLI_OPTION_OUTPUT);

  return path != NULL ? path : "-";
}

gboolean
atn_cli_write (const AtnCliArguments *arguments, const void *data, gsize length, GError **error)
{
  return atn_output_write (atn_cli_get_output (arguments), data, length, error);
}
