/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What is remembered from one start to the next.
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): the program's settings, also from a build folder that is not
 * installed; NULL if their schema is nowhere, and then nothing is remembered. */
GSettings *atn_settings_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
