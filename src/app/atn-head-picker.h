/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Chooses layer and head: by a grid of live thumbnails or by number.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_HEAD_PICKER (atn_head_picker_get_type ())
G_DECLARE_FINAL_TYPE (AtnHeadPicker, atn_head_picker, ATN, HEAD_PICKER, AtnView)

G_END_DECLS
