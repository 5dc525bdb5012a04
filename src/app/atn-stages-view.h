/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The main view: the strip of stages of the chosen head, the chosen stage
 * large, and under it what it says and what the stage is.
 *
 * The heatmap is square and a window is wide, so the strip stands beside it
 * where there is room beside and above it where there is room above: either
 * way it takes nothing from the heatmap.
 */

#pragma once

#include "app/atn-figure-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_STAGES_VIEW (atn_stages_view_get_type ())
G_DECLARE_FINAL_TYPE (AtnStagesView, atn_stages_view, ATN, STAGES_VIEW, AtnView)

/* (transfer none) */
AtnFigureView *atn_stages_view_get_figure_view (AtnStagesView *self);

G_END_DECLS
