/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include "app/atn-window.h"

G_BEGIN_DECLS

/* After the first picture types 100 keys, moves the temperature, prints the report on standard
 * output and closes @window. */
void atn_measure_run (AtnWindow *window);

G_END_DECLS
