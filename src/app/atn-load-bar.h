/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How far the loading of a file is, and why it failed. The old model stays
 * below, so this is a bar and not a page. A quick load shows nothing.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_LOAD_BAR (atn_load_bar_get_type ())
G_DECLARE_FINAL_TYPE (AtnLoadBar, atn_load_bar, ATN, LOAD_BAR, AtnView)

G_END_DECLS
