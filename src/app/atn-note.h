/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the example that is shown is an example of. It stands in the right pane,
 * where there is room: above the picture it would make the matrix smaller.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_NOTE (atn_note_get_type ())
G_DECLARE_FINAL_TYPE (AtnNote, atn_note, ATN, NOTE, AtnView)

G_END_DECLS
