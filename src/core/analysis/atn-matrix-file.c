/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a matrix is of: model, head, stage, tokens, settings. How its numbers
 * are written is atn-matrix-text.c's.
 */

#include "analysis/atn-matrix-file.h"

#include "analysis/atn-matrix-text.h"
#include "base/atn-error.h"
#include "base/atn-json.h"
#include "base/atn-output.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Of numbers, before they become text. */
#define MAX_SIZE ((size_t) 2 << 30)

static const char *const format_names[ATN_N_MATRIX_FORMATS] = {
  [ATN_MATRIX_FORMAT_CSV] = "csv",
  [ATN_MATRIX_FORMAT_TSV] = "tsv",
  [ATN_MATRIX_FORMAT_JSON] = "json",
  [ATN_MATRIX_FORMAT_NPY] = "npy",
};

/* Which matrix of a result. */
typedef struct
{
  const AtnResult *result;
  AtnStage stage;
  AtnMatrixFormat format;
  size_t layer;
  size_t head;
} Selection;

const char *
atn_matrix_format_get_name (AtnMatrixFormat format)
{
  g_return_val_if_fail (format < ATN_N_MATRIX_FORMATS, NULL);

  return format_names[format];
}

static AtnMatrix *
dup_matrix (const Selection *selection)
{
  return atn_trace_dup_matrix (selection->result->trace, selection->layer, selection->head,
                               selection->stage, atn_result_get_what_if (selection->result));
}

/* (transfer container): the tokens' raw strings. */
static const char **
dup_names (const AtnTokens *tokens)
{
  const char **names = g_new (const char *, tokens->n_tokens);

  for (size_t i = 0; i < tokens->n_tokens; i++)
    names[i] = tokens->tokens[i].text;

  return names;
}

/* CSV and TSV. */

static void
append_table_header (GString *out, const AtnTokens *tokens, bool is_all, char separator)
{
  static const char *const titles[] = { "layer", "head", "query" }, *const corner[] = { "" };
  g_autofree const char **names = dup_names (tokens);

  atn_matrix_text_append_header (out, is_all ? titles : corner, is_all ? G_N_ELEMENTS (titles) : 1,
                                 names, tokens->n_tokens, separator);
}

static void
append_table_rows (GString *out, const Selection *selection, bool is_all)
{
  const char separator = selection->format == ATN_MATRIX_FORMAT_TSV ? '\t' : ',';
  g_autofree const char **names = dup_names (selection->result->tokens);
  g_autoptr (AtnMatrix) matrix = dup_matrix (selection);
  g_autofree char *prefix = NULL;

  prefix =
    is_all ? g_strdup_printf ("%zu%c%zu%c", selection->layer, separator, selection->head, separator)
           : g_strdup ("");
  atn_matrix_text_append_rows (out, matrix, prefix, names, separator);
}

/* JSON. */

static void
append_member (GString *out, const char *key)
{
  g_string_append (out, out->str[out->len - 1] == '{' ? "\n " : ",\n ");
  atn_json_append_string (out, key);
  g_string_append_c (out, ':');
}

static void
append_string_member (GString *out, const char *key, const char *value)
{
  append_member (out, key);
  atn_json_append_string (out, value);
}

static void
append_tokens_member (GString *out, const char *key, const AtnTokens *tokens)
{
  append_member (out, key);
  g_string_append_c (out, '[');
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    if (i > 0)
      g_string_append_c (out, ',');
    atn_json_append_string (out, tokens->tokens[i].text);
  }
  g_string_append_c (out, ']');
}

static void
append_settings (GString *out, const AtnWhatIf *what_if)
{
  static const char *const causal[] = { "trained", "on", "off" };
  static const char *const scale[] = { "trained", "none", "sqrt" };
  static const char *const scope[] = { "network", "head" };

  g_string_append_printf (out, "{\"causal\":\"%s\",\"scale_by\":", causal[what_if->causal]);
  if (what_if->scale == ATN_SCALE_NUMBER)
    atn_json_append_float (out, what_if->scale_number);
  else
    atn_json_append_string (out, scale[what_if->scale]);

  g_string_append (out, ",\"temperature\":");
  atn_json_append_float (out, atn_what_if_get_temperature (what_if));
  g_string_append_printf (out, ",\"scope\":\"%s\"}", scope[what_if->scope]);
}

static void
append_object (GString *out, const Selection *selection)
{
  const AtnResult *result = selection->result;
  g_autoptr (AtnMatrix) matrix = dup_matrix (selection);

  g_string_append_c (out, '{');
  append_string_member (out, "model", atn_model_get_name (result->model));
  append_member (out, "layer");
  g_string_append_printf (out, "%zu", selection->layer);
  append_member (out, "head");
  g_string_append_printf (out, "%zu", selection->head);
  append_string_member (out, "stage", atn_stage_get_name (selection->stage));
  append_string_member (out, "attention", "self");
  append_tokens_member (out, "query_tokens", result->tokens);
  append_tokens_member (out, "key_tokens", result->tokens);
  append_member (out, "settings");
  append_settings (out, &result->what_if);
  append_member (out, "matrix");
  atn_matrix_text_append_json (out, matrix);
  g_string_append (out, "}");
}

/* NPY. */

static void
append_npy_values (GString *out, const Selection *selection)
{
  g_autoptr (AtnMatrix) matrix = dup_matrix (selection);

  atn_matrix_text_append_npy_values (out, matrix->values, matrix->n_rows * matrix->n_cols);
}

/* Files. */

GBytes *
atn_result_dup_file (const AtnResult *result,
                     size_t layer,
                     size_t head,
                     AtnStage stage,
                     AtnMatrixFormat format)
{
  const Selection selection = { result, stage, format, layer, head };
  const size_t n_tokens = result->tokens->n_tokens;
  GString *out;

  g_return_val_if_fail (result->trace != NULL, NULL);

  out = g_string_new (NULL);
  switch (format) {
  case ATN_MATRIX_FORMAT_JSON:
    append_object (out, &selection);
    g_string_append_c (out, '\n');
    break;
  case ATN_MATRIX_FORMAT_NPY:
    atn_matrix_text_append_npy_header (out, (size_t[]){ n_tokens, n_tokens }, 2);
    append_npy_values (out, &selection);
    break;
  case ATN_MATRIX_FORMAT_CSV:
  case ATN_MATRIX_FORMAT_TSV:
  default:
    append_table_header (out, result->tokens, false, format == ATN_MATRIX_FORMAT_TSV ? '\t' : ',');
    append_table_rows (out, &selection, false);
    break;
  }

  return g_string_free_to_bytes (out);
}

static void
append_one_of_all (GString *out, const Selection *selection)
{
  switch (selection->format) {
  case ATN_MATRIX_FORMAT_JSON:
    if (selection->layer > 0 || selection->head > 0)
      g_string_append (out, ",\n");
    append_object (out, selection);
    break;
  case ATN_MATRIX_FORMAT_NPY:
    append_npy_values (out, selection);
    break;
  case ATN_MATRIX_FORMAT_CSV:
  case ATN_MATRIX_FORMAT_TSV:
  default:
    append_table_rows (out, selection, true);
    break;
  }
}

static gboolean
check_size (const AtnConfig *config, size_t n_tokens, GError **error)
{
  size_t size;

  if (g_size_checked_mul (&size, n_tokens, n_tokens) &&
      g_size_checked_mul (&size, size, config->n_heads) &&
      g_size_checked_mul (&size, size, config->n_layers) &&
      g_size_checked_mul (&size, size, sizeof (float)) && size <= MAX_SIZE)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
               _ ("All %zu × %zu heads of %zu tokens are more than 2 GiB; write single heads"),
               config->n_layers, config->n_heads, n_tokens);
  return FALSE;
}

static void
append_begin_of_all (GString *out, const Selection *selection)
{
  const AtnConfig *config = atn_model_get_config (selection->result->model);
  const size_t n_tokens = selection->result->tokens->n_tokens;
  const size_t shape[] = { config->n_layers, config->n_heads, n_tokens, n_tokens };

  if (selection->format == ATN_MATRIX_FORMAT_NPY)
    atn_matrix_text_append_npy_header (out, shape, G_N_ELEMENTS (shape));
  else if (selection->format == ATN_MATRIX_FORMAT_JSON)
    g_string_append (out, "[\n");
  else
    append_table_header (out, selection->result->tokens, true,
                         selection->format == ATN_MATRIX_FORMAT_TSV ? '\t' : ',');
}

/* @output: (nullable): where each head goes as soon as it is text; NULL keeps all in @text */
static gboolean
append_all (GString *text,
            Selection *selection,
            AtnOutput *output,
            GCancellable *cancellable,
            GError **error)
{
  const AtnConfig *config = atn_model_get_config (selection->result->model);

  append_begin_of_all (text, selection);
  for (size_t i = 0; i < config->n_layers * config->n_heads; i++) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;

    selection->layer = i / config->n_heads;
    selection->head = i % config->n_heads;
    append_one_of_all (text, selection);
    if (i + 1 == config->n_layers * config->n_heads && selection->format == ATN_MATRIX_FORMAT_JSON)
      g_string_append (text, "\n]\n");
    if (output == NULL)
      continue;
    if (!atn_output_append (output, text->str, text->len, error))
      return FALSE;
    g_string_truncate (text, 0);
  }

  return TRUE;
}

GBytes *
atn_result_dup_file_all (const AtnResult *result,
                         AtnStage stage,
                         AtnMatrixFormat format,
                         GError **error)
{
  Selection selection = { .result = result, .stage = stage, .format = format };
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (result->trace != NULL, NULL);

  if (!check_size (atn_model_get_config (result->model), result->tokens->n_tokens, error) ||
      !append_all (text, &selection, NULL, NULL, error))
    return NULL;

  return g_string_free_to_bytes (g_steal_pointer (&text));
}

gboolean
atn_result_write_file_all (const AtnResult *result,
                           AtnStage stage,
                           AtnMatrixFormat format,
                           const char *path,
                           GCancellable *cancellable,
                           GError **error)
{
  Selection selection = { .result = result, .stage = stage, .format = format };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (AtnOutput) output = NULL;

  g_return_val_if_fail (result->trace != NULL, FALSE);

  output = atn_output_open (path, error);
  if (output == NULL || !append_all (text, &selection, output, cancellable, error))
    return FALSE;

  return atn_output_close (g_steal_pointer (&output), error);
}
