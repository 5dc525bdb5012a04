/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * tokens: what a text becomes, one token a line or as JSON. It needs no weights to run, so
 * a text longer than the model can read is shown whole.
 */

#include "cli/atn-cli-input.h"
#include "cli/atn-cli-token.h"
#include "cli/atn-cli.h"

static void
append_json (GString *out, const AtnTokens *tokens)
{
  g_string_append_c (out, '[');
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];

    g_string_append_printf (out, "%s\n {\"index\": %" G_GSIZE_FORMAT ", \"id\": %" G_GUINT32_FORMAT,
                            i > 0 ? "," : "", i, token->id);
    g_string_append (out, ", \"text\": ");
    atn_json_append_string (out, token->text);
    g_string_append (out, ", \"bytes\": ");
    atn_cli_append_token_bytes (out, tokens->tokenizer, token->id);
    g_string_append_printf (out,
                            ", \"sequence\": %d, \"start\": %" G_GSSIZE_FORMAT
                            ", \"end\": %" G_GSSIZE_FORMAT "}",
                            token->sequence, token->start, token->end);
  }
  g_string_append (out, tokens->n_tokens > 0 ? "\n]\n" : "]\n");
}

static void
append_lines (GString *out, const AtnTokens *tokens)
{
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];
    g_autofree char *label = atn_tokenizer_dup_label (tokens->tokenizer, token->id);

    g_string_append_printf (out, "%" G_GSIZE_FORMAT "\t%" G_GUINT32_FORMAT "\t", i, token->id);
    if (token->start >= 0)
      g_string_append_printf (out, "%" G_GSSIZE_FORMAT "-%" G_GSSIZE_FORMAT, token->start,
                              token->end);
    g_string_append_printf (out, "\t%s\n", label);
  }
}

gboolean
atn_cli_run_tokens (const AtnCliArguments *arguments, GError **error)
{
  const char *pair_argument = atn_cli_arguments_get (arguments, ATN_CLI_OPTION_PAIR);
  g_autoptr (AtnModel) model = NULL;
  g_autoptr (AtnTokens) tokens = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *text = NULL;
  g_autofree char *pair = NULL;

  model = atn_cli_open_model (atn_cli_arguments_get_word (arguments, 0), error);
  if (model == NULL)
    return FALSE;

  text = atn_cli_read_text (atn_cli_arguments_get_word (arguments, 1), error);
  if (text == NULL)
    return FALSE;

  if (pair_argument != NULL) {
    pair = atn_cli_read_text (pair_argument, error);
    if (pair == NULL)
      return FALSE;
  }

  tokens = atn_tokenizer_encode (atn_model_get_tokenizer (model), text, -1, pair, -1, error);
  if (tokens == NULL)
    return FALSE;

  if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_JSON))
    append_json (out, tokens);
  else
    append_lines (out, tokens);
  return atn_cli_write (arguments, out->str, out->len, error);
}
