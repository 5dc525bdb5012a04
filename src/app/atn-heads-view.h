/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * All heads of the model at the chosen stage. A click chooses a head, a double
 * click or Enter shows its stages (action win.view with "stages").
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_HEADS_VIEW (atn_heads_view_get_type ())
G_DECLARE_FINAL_TYPE (AtnHeadsView, atn_heads_view, ATN, HEADS_VIEW, AtnView)

G_END_DECLS
