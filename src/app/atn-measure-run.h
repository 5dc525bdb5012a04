/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include "app/atn-window.h"

G_BEGIN_DECLS

/* After the first picture prints when it came, types, moves the temperature, prints how long that
 * took, and closes @window; one line of JSON for each. If only the start is measured, no
 * more than the first. */
void atn_measure_run (AtnWindow *window);

G_END_DECLS
