/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * AtnProgressFunc:
 * @fraction: how much of the work is done, from 0 to 1
 * @user_data: what was handed over with the function
 *
 * Called on the thread that does the work, a few hundred times at most.
 */
typedef void (*AtnProgressFunc) (double fraction, gpointer user_data);

G_END_DECLS
