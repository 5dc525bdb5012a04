/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Numbers and tokens as the window writes them, in the user's locale.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "63 %", "4.2 %", "0.042 %", "< 0.001 %", "> 99.9 %": nothing that is not zero reads as zero, and
 * nothing less than all as all. (transfer full) */
char *atn_format_dup_percent (double fraction);

/* About four significant digits, never more than six characters before an exponent is used;
 * infinity as −∞. The minus is U+2212, as in figures. (transfer full) */
char *atn_format_dup_number (double number);

/* Two or three significant digits, for a sentence. (transfer full) */
char *atn_format_dup_rough_number (double number);

/* The same after a sign of operation: a negative number in parentheses. (transfer full) */
char *atn_format_dup_operand (double number);

/* A token's label, isolated so that its direction does not turn the sentence around it.
 * (transfer full) */
char *atn_format_dup_token (const char *label);

/* A paragraph whose lines may end at quotation marks among Chinese characters, as Pango's may not,
 * and never before a percent sign. (transfer full) */
char *atn_format_dup_wrappable (const char *text);

G_END_DECLS
