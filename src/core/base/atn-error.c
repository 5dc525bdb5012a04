/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-error.h"

/* Written out: the formatter breaks the name inside G_DEFINE_QUARK. */
GQuark
atn_error_quark (void)
{
  return g_quark_from_static_string ("atn-error-quark");
}
