/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The drawn part of the token bar: chips that flow over lines. Knows nothing of
 * the session.
 *
 * Signals:
 *   token-activated (int index): a chip was clicked, or chosen by Enter or space
 *   height-changed: the chips fill another number of lines
 */

#pragma once

#include "tokenizer/atn-tokenizer.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define ATN_TYPE_TOKEN_FLOW (atn_token_flow_get_type ())
G_DECLARE_FINAL_TYPE (AtnTokenFlow, atn_token_flow, ATN, TOKEN_FLOW, GtkWidget)

/* @tokens: (nullable) */
void atn_token_flow_set_tokens (AtnTokenFlow *self, AtnTokens *tokens);
/* The chip that is the query, -1 for none; @is_pinned fills it. */
void atn_token_flow_set_query (AtnTokenFlow *self, int query, bool is_pinned);
/* The chip that is the key, -1 for none. */
void atn_token_flow_set_key (AtnTokenFlow *self, int key);
/* Height of all lines at the present width, but at most of @max_lines. */
int atn_token_flow_get_height (AtnTokenFlow *self, int max_lines);

G_END_DECLS
