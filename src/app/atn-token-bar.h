/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The tokens as chips under the sentence. Drawn by hand rather than made of
 * buttons: a thousand buttons would hold the window for a quarter of a second at
 * each key stroke; a chip here is a cached text layout and a rectangle, and only
 * what is in sight is drawn.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_TOKEN_BAR (atn_token_bar_get_type ())
G_DECLARE_FINAL_TYPE (AtnTokenBar, atn_token_bar, ATN, TOKEN_BAR, AtnView)

/* How many lines of tokens show where there are more than two: one or two. */
void atn_token_bar_set_max_lines (AtnTokenBar *self, int max_lines);

G_END_DECLS
