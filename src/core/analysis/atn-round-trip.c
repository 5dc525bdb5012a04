/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "analysis/atn-round-trip.h"

#include <string.h>

/* The id that stands for what is in no vocabulary: a string in most models, a number in Unigram. */
static bool
find_unknown (AtnModel *model, uint32_t *id)
{
  const AtnJson *tokenizer = atn_weights_get_tokenizer (atn_model_get_weights (model));
  const AtnJson *json = atn_json_get_member (tokenizer, "model");
  const AtnJson *text = atn_json_get_member (json, "unk_token");
  const AtnJson *number = atn_json_get_member (json, "unk_id");

  if (number != NULL && atn_json_get_kind (number) == ATN_JSON_NUMBER) {
    *id = (uint32_t) atn_json_get_number (number);
    return true;
  }

  return text != NULL && atn_json_get_kind (text) == ATN_JSON_STRING &&
         atn_tokenizer_find (atn_model_get_tokenizer (model), atn_json_get_string (text), id);
}

static bool
has_unknown (AtnModel *model, const AtnTokens *tokens)
{
  uint32_t unknown;

  if (!find_unknown (model, &unknown))
    return false;

  for (size_t i = 0; i < tokens->n_tokens; i++) {
    if (tokens->tokens[i].id == unknown)
      return true;
  }

  return false;
}

/* The text that the tokens stand for. Where the tokens before and after left something of @text
 * out, that was a space, unless the token brings its own; a space that only marks the beginning
 * of a word is not typed at the beginning of the text. */
static char *
dup_text (const AtnTokens *tokens, const char *text)
{
  GString *rebuilt = g_string_new (NULL);
  gssize end = 0;
  bool is_first = true;

  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];
    gsize length;
    g_autofree char *bytes = NULL;
    bool has_space;

    if (token->sequence != 0)
      continue;

    bytes = atn_tokenizer_dup_bytes (tokens->tokenizer, token->id, &length);
    has_space = length > 0 && bytes[0] == ' ';
    if (token->start > end && !has_space)
      g_string_append_c (rebuilt, ' ');
    if (is_first && has_space && text[0] != ' ')
      g_string_append_len (rebuilt, bytes + 1, (gssize) length - 1);
    else
      g_string_append_len (rebuilt, bytes, (gssize) length);
    end = MAX (end, token->end);
    is_first = false;
  }

  return g_string_free (rebuilt, FALSE);
}

static bool
has_sound_offsets (const AtnTokens *tokens, size_t length)
{
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];

    if (token->sequence >= 0 &&
        (token->start < 0 || token->end < token->start || (size_t) token->end > length))
      return false;
  }

  return true;
}

static bool
has_same_ids (const AtnTokens *a, const AtnTokens *b)
{
  bool is_same = a->n_tokens == b->n_tokens;

  for (size_t i = 0; is_same && i < a->n_tokens; i++)
    is_same = a->tokens[i].id == b->tokens[i].id;

  return is_same;
}

AtnRoundTrip
atn_model_round_trip (AtnModel *model, const char *text)
{
  AtnTokenizer *tokenizer = atn_model_get_tokenizer (model);
  g_autoptr (AtnTokens) tokens = atn_tokenizer_encode (tokenizer, text, -1, NULL, 0, NULL);
  g_autoptr (AtnTokens) again = NULL;
  g_autofree char *rebuilt = NULL;

  if (tokens == NULL || has_unknown (model, tokens))
    return ATN_ROUND_TRIP_UNKNOWN;
  if (!has_sound_offsets (tokens, strlen (text)))
    return ATN_ROUND_TRIP_DIFFERENT;

  rebuilt = dup_text (tokens, text);
  if (g_utf8_validate (rebuilt, -1, NULL))
    again = atn_tokenizer_encode (tokenizer, rebuilt, -1, NULL, 0, NULL);

  return again != NULL && has_same_ids (tokens, again) ? ATN_ROUND_TRIP_SAME
                                                       : ATN_ROUND_TRIP_DIFFERENT;
}
