/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The models one can open by one click: those that come with the program, the
 * user's own and the recent ones, each with what it is and how large; below them
 * the ways to a file or a folder. It stands in the popover of the button Open and
 * on the page of a window without a model. The list is made anew whenever it is
 * shown, from the beginning of each file (see atn-catalog.h).
 *
 * Signals:
 *   chosen  a row or a button was pressed; its action has been activated
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_MODEL_LIST (atn_model_list_get_type ())
G_DECLARE_FINAL_TYPE (AtnModelList, atn_model_list, ATN, MODEL_LIST, AtnView)

G_END_DECLS
