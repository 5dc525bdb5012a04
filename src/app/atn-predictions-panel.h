/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the model expects next, or in place of each [MASK], with the change
 * against the model as trained. A click on a token types it.
 *
 * Signal: append (char *text)
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_PREDICTIONS_PANEL (atn_predictions_panel_get_type ())
G_DECLARE_FINAL_TYPE (AtnPredictionsPanel, atn_predictions_panel, ATN, PREDICTIONS_PANEL, AtnView)

G_END_DECLS
