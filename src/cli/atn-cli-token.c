/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "cli/atn-cli-token.h"

void
atn_cli_append_token_bytes (GString *out, const AtnTokenizer *tokenizer, uint32_t id)
{
  gsize length;
  g_autofree char *bytes = atn_tokenizer_dup_bytes (tokenizer, id, &length);

  g_string_append_c (out, '"');
  for (gsize i = 0; i < length; i++)
    g_string_append_printf (out, "%02x", (guint) (guchar) bytes[i]);
  g_string_append_c (out, '"');
}
