/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Numbers and tokens as the window writes them, in the user's locale.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "63 %", "4.2 %", "<0.1 %": nothing that is not zero reads as zero. (transfer full) */
char *atn_format_dup_percent (double fraction);

/* About four significant digits, never more than six characters before an exponent is used;
 * infinity as −∞. (transfer full) */
char *atn_format_dup_number (double number);

/* A token's label, isolated so that its direction does not turn the sentence around it.
 * (transfer full) */
char *atn_format_dup_token (const char *label);

G_END_DECLS
