/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The stages of the chosen head as live small heatmaps in their order, each a
 * button that chooses the stage, with one cursor on all of them.
 *
 *   across:  ┌────┐   ┌────┐   ┌────┐        down:  ┌────┐ q·k
 *            └────┘ → └────┘ → └────┘               └────┘ ↓
 *             q·k      ÷√32    + mask               ┌────┐ ÷√32
 *                                                   └────┘
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_STAGE_STRIP (atn_stage_strip_get_type ())
G_DECLARE_FINAL_TYPE (AtnStageStrip, atn_stage_strip, ATN, STAGE_STRIP, AtnView)

void atn_stage_strip_set_orientation (AtnStageStrip *self, GtkOrientation orientation);

G_END_DECLS
