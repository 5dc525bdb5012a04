/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The cell under the cursor as one calculation with its real numbers, from the
 * lengths of q and k to what the head adds to the stream. While the settings
 * are not as trained a second column holds the numbers as trained. Of a row that
 * is chosen without a column it shows the strongest.
 *
 * Each number is a label that a screen reader finds by its name ("Weight",
 * "Scaled score" …; as trained: "Weight as trained" …).
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_INSPECTOR (atn_inspector_get_type ())
G_DECLARE_FINAL_TYPE (AtnInspector, atn_inspector, ATN, INSPECTOR, AtnView)

G_END_DECLS
