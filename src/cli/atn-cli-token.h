/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include "tokenizer/atn-tokenizer.h"

G_BEGIN_DECLS

/* Appends the bytes a token stands for as a JSON string of hexadecimal digits. */
void atn_cli_append_token_bytes (GString *out, const AtnTokenizer *tokenizer, uint32_t id);

G_END_DECLS
