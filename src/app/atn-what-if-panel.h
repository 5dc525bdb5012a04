/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The switches that recompute the attention, each with one line that explains it.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_WHAT_IF_PANEL (atn_what_if_panel_get_type ())
G_DECLARE_FINAL_TYPE (AtnWhatIfPanel, atn_what_if_panel, ATN, WHAT_IF_PANEL, AtnView)

G_END_DECLS
