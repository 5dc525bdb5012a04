/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * predict: the most probable tokens, for one text or for each line of a file.
 */

#include "base/atn-error.h"
#include "cli/atn-cli-input.h"
#include "cli/atn-cli-token.h"
#include "cli/atn-cli.h"

#include <glib/gi18n.h>
#include <string.h>

#define DEFAULT_TOP 5

typedef struct
{
  const AtnCliArguments *arguments;
  bool all_positions;
  size_t n_top;
} Settings;

/* Predictions of one position. */
typedef struct
{
  size_t position;
  bool has_actual; /* whether the text itself says what stands there */
  AtnPrediction actual;
  size_t n_top;
  AtnPrediction *top; /* [n_top] owned */
} Prediction;

static void
clear_prediction_cb (gpointer data)
{
  g_free (((Prediction *) data)->top);
}

static GArray *
dup_positions (const AtnResult *result, const Settings *settings)
{
  GArray *positions;

  if (result->trace == NULL)
    return g_array_new (FALSE, FALSE, sizeof (size_t));
  if (!settings->all_positions)
    return atn_trace_dup_predicted_positions (result->trace);

  positions = g_array_new (FALSE, FALSE, sizeof (size_t));
  for (size_t i = 0; i < result->tokens->n_tokens; i++)
    g_array_append_val (positions, i);
  return positions;
}

/* The token that is predicted at @position as the text has it: the next one, or in a masked model
 * the one in place, unless that is the mask. */
static bool
find_actual (const AtnResult *result, size_t position, uint32_t *id)
{
  const AtnTokens *tokens = result->tokens;
  uint32_t mask_id;

  if (!atn_model_get_config (result->model)->is_masked_lm) {
    if (position + 1 >= tokens->n_tokens)
      return false;
    *id = tokens->tokens[position + 1].id;
    return true;
  }

  *id = tokens->tokens[position].id;
  return atn_tokenizer_find_mask (tokens->tokenizer, &mask_id) == NULL || *id != mask_id;
}

/* @logits: [d_vocab] for this and the next call to work in. */
static Prediction
predict_position (const AtnResult *result, size_t position, size_t n_top, float *logits)
{
  const size_t d_vocab = atn_model_get_config (result->model)->d_vocab;
  Prediction prediction = { .position = position };
  uint32_t actual_id;

  n_top = MIN (n_top, d_vocab);
  prediction.top = g_new0 (AtnPrediction, n_top);
  atn_trace_compute_logits (result->trace, position, logits);
  prediction.n_top = atn_predict_top (logits, d_vocab, n_top, prediction.top);
  prediction.has_actual = find_actual (result, position, &actual_id) && actual_id < d_vocab;

  atn_logits_to_probabilities (logits, d_vocab);
  for (size_t i = 0; i < prediction.n_top; i++)
    prediction.top[i].probability = logits[prediction.top[i].id];
  if (prediction.has_actual)
    prediction.actual = (AtnPrediction){ .id = actual_id, .probability = logits[actual_id] };

  return prediction;
}

/* (element-type Prediction) (transfer full) */
static GArray *
predict (const AtnResult *result, const Settings *settings)
{
  const size_t d_vocab = atn_model_get_config (result->model)->d_vocab;
  g_autoptr (GArray) positions = dup_positions (result, settings);
  g_autofree float *logits = g_new (float, d_vocab);
  GArray *predictions = g_array_new (FALSE, FALSE, sizeof (Prediction));

  g_array_set_clear_func (predictions, clear_prediction_cb);
  for (size_t i = 0; i < positions->len; i++) {
    Prediction prediction =
      predict_position (result, g_array_index (positions, size_t, i), settings->n_top, logits);

    g_array_append_val (predictions, prediction);
  }

  return predictions;
}

static void
append_top_json (GString *out, const AtnTokenizer *tokenizer, const AtnPrediction *top)
{
  const char *text = atn_tokenizer_get_text (tokenizer, top->id);

  g_string_append_printf (out, "{\"id\": %" G_GUINT32_FORMAT ", \"text\": ", top->id);
  /* The embedding may have more rows than the vocabulary has tokens. */
  atn_json_append_string (out, text != NULL ? text : "");
  g_string_append (out, ", \"bytes\": ");
  atn_cli_append_token_bytes (out, tokenizer, top->id);
  g_string_append (out, ", \"probability\": ");
  atn_json_append_float (out, top->probability);
  g_string_append (out, ", \"logit\": ");
  atn_json_append_float (out, top->logit);
  g_string_append_c (out, '}');
}

/* One object on one line. */
static void
append_json (GString *out, const AtnTokenizer *tokenizer, const GArray *predictions)
{
  g_string_append (out, "{\"positions\": [");
  for (size_t i = 0; i < predictions->len; i++) {
    const Prediction *prediction = &g_array_index (predictions, Prediction, i);

    g_string_append_printf (out, "%s{\"position\": %" G_GSIZE_FORMAT, i > 0 ? ", " : "",
                            prediction->position);
    if (prediction->has_actual) {
      g_string_append_printf (out,
                              ", \"actual\": {\"id\": %" G_GUINT32_FORMAT ", \"probability\": ",
                              prediction->actual.id);
      atn_json_append_float (out, prediction->actual.probability);
      g_string_append_c (out, '}');
    }
    g_string_append (out, ", \"top\": [");
    for (size_t k = 0; k < prediction->n_top; k++) {
      g_string_append (out, k > 0 ? ", " : "");
      append_top_json (out, tokenizer, &prediction->top[k]);
    }
    g_string_append (out, "]}");
  }
  g_string_append (out, "]}\n");
}

/* position, id, probability, logit, label: one prediction a line. */
static void
append_lines (GString *out, AtnTokenizer *tokenizer, const GArray *predictions)
{
  for (size_t i = 0; i < predictions->len; i++) {
    const Prediction *prediction = &g_array_index (predictions, Prediction, i);

    for (size_t k = 0; k < prediction->n_top; k++) {
      const AtnPrediction *top = &prediction->top[k];
      g_autofree char *label = atn_tokenizer_dup_label (tokenizer, top->id);

      g_string_append_printf (out, "%" G_GSIZE_FORMAT "\t%" G_GUINT32_FORMAT "\t",
                              prediction->position, top->id);
      atn_json_append_float (out, top->probability);
      g_string_append_c (out, '\t');
      atn_json_append_float (out, top->logit);
      g_string_append_printf (out, "\t%s\n", label);
    }
  }
}

static void
print_no_mask_note (const AtnTokenizer *tokenizer)
{
  uint32_t id;
  const char *mask = atn_tokenizer_find_mask (tokenizer, &id);
  g_autofree char *note =
    g_strdup_printf (_ ("The text has no %s to predict; --all-positions predicts all"),
                     mask != NULL ? mask : "[MASK]");

  atn_cli_print_note (note);
}

static gboolean
run_text (const Settings *settings,
          AtnModel *model,
          const char *text,
          bool as_json,
          GString *out,
          GError **error)
{
  g_autoptr (AtnResult) result = atn_cli_run_request (settings->arguments, model, text, error);
  g_autoptr (GArray) predictions = NULL;

  if (result == NULL)
    return FALSE;

  predictions = predict (result, settings);
  if (predictions->len == 0 && result->tokens->n_tokens > 0)
    print_no_mask_note (result->tokens->tokenizer);

  if (as_json)
    append_json (out, result->tokens->tokenizer, predictions);
  else
    append_lines (out, result->tokens->tokenizer, predictions);
  return TRUE;
}

/* Line ends are LF or CR LF; what follows the last one is a line unless it is empty. */
static gboolean
run_lines (const Settings *settings, AtnModel *model, GString *out, GError **error)
{
  const char *path = atn_cli_arguments_get (settings->arguments, ATN_CLI_OPTION_LINES);
  gsize length;
  g_autofree char *file = atn_cli_read_file (path, &length, error);
  size_t line_number = 0;

  if (file == NULL)
    return FALSE;

  for (const char *line = file; *line != '\0';) {
    const size_t line_length = strcspn (line, "\n");
    g_autofree char *text = g_strndup (line, line_length);

    line_number++;
    if (g_str_has_suffix (text, "\r"))
      text[line_length - 1] = '\0';
    if (!run_text (settings, model, text, true, out, error)) {
      /* Translators: file name and line number, before the sentence about the error */
      g_prefix_error (error, _ ("%s, line %zu: "), path, line_number);
      return FALSE;
    }
    line += line_length + (line[line_length] == '\n' ? 1 : 0);
  }

  return TRUE;
}

static gboolean
check_usage (const Settings *settings, GError **error)
{
  const AtnCliArguments *arguments = settings->arguments;
  const bool has_lines = atn_cli_arguments_has (arguments, ATN_CLI_OPTION_LINES);
  const bool has_text = atn_cli_arguments_get_word (arguments, 1) != NULL;
  AtnWhatIf what_if = { 0 };

  if (has_lines == has_text) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         _ ("predict takes either TEXT or --lines FILE"));
    return FALSE;
  }

  if (!atn_cli_read_what_if (arguments, &what_if, error))
    return FALSE;

  /* In this scope later layers keep their values, and so do the predictions. */
  if (what_if.scope == ATN_SCOPE_HEAD) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("predict takes no --scope head, because predictions keep their values "
                            "in that scope"));
    return FALSE;
  }

  return TRUE;
}

gboolean
atn_cli_run_predict (const AtnCliArguments *arguments, GError **error)
{
  Settings settings = { .arguments = arguments, .n_top = DEFAULT_TOP };
  g_autoptr (AtnModel) model = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *text = NULL;

  settings.all_positions = atn_cli_arguments_has (arguments, ATN_CLI_OPTION_ALL_POSITIONS);
  if (!check_usage (&settings, error) ||
      !atn_cli_arguments_read_size (arguments, ATN_CLI_OPTION_TOP, 1, &settings.n_top, error))
    return FALSE;

  model = atn_cli_open_model (atn_cli_arguments_get_word (arguments, 0), error);
  if (model == NULL)
    return FALSE;

  if (!atn_model_can_predict (model)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("%s: the model has no prediction head"), atn_model_get_path (model));
    return FALSE;
  }

  if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_LINES)) {
    if (!run_lines (&settings, model, out, error))
      return FALSE;
  } else {
    text = atn_cli_read_text (atn_cli_arguments_get_word (arguments, 1), error);
    if (text == NULL ||
        !run_text (&settings, model, text, atn_cli_arguments_has (arguments, ATN_CLI_OPTION_JSON),
                   out, error))
      return FALSE;
  }

  return atn_cli_write (arguments, out->str, out->len, error);
}
