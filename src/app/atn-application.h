/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The process: one instance, any number of windows, one compute thread.
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_APPLICATION (atn_application_get_type ())
G_DECLARE_FINAL_TYPE (AtnApplication, atn_application, ATN, APPLICATION, AdwApplication)

AtnApplication *atn_application_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
