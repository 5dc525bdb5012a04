/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What should be known about the picture below: that the settings are not as
 * trained, that the text was cut.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_NOTICES (atn_notices_get_type ())
G_DECLARE_FINAL_TYPE (AtnNotices, atn_notices, ATN, NOTICES, AtnView)

G_END_DECLS
