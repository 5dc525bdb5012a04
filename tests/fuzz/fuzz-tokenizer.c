/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A tokenizer.json, and a text for the tokenizer that it makes.
 */

#include "atn-fuzz.h"
#include "tokenizer/atn-tokenizer.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char text[] =
    "The cat's 12 mats, 猫追老鼠 é e\xCC\x81 👍🏽\r\n\t [MASK] <|endoftext|>";
  g_autoptr (GError) json_error = NULL, error = NULL, encode_error = NULL;
  g_autoptr (AtnJson) json = atn_json_parse ((const char *) data, size, &json_error);
  g_autoptr (AtnTokenizer) tokenizer = NULL;
  g_autoptr (AtnTokens) tokens = NULL;

  atn_fuzz_check_error (json != NULL, json_error);
  if (json == NULL)
    return 0;

  tokenizer = atn_tokenizer_new (json, &error);
  atn_fuzz_check_error (tokenizer != NULL, error);
  if (tokenizer == NULL)
    return 0;

  tokens = atn_tokenizer_encode (tokenizer, text, -1, NULL, 0, &encode_error);
  atn_fuzz_check_error (tokens != NULL, encode_error);
  for (size_t i = 0; tokens != NULL && i < tokens->n_tokens; i++) {
    const AtnToken *token = &tokens->tokens[i];
    g_autofree char *label = atn_tokenizer_dup_label (tokenizer, token->id);

    g_assert (token->id < atn_tokenizer_get_n_ids (tokenizer));
    g_assert (token->end <= (gssize) strlen (text));
    g_assert (*label != '\0' && g_utf8_validate (label, -1, NULL));
  }

  return 0;
}
