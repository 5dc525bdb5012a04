/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Waiting for what the main loop brings.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ATN_TEST_PATIENCE_US (20 * G_USEC_PER_SEC)

/* Turns the main loop until @condition holds; the test fails where that takes too long. */
#define atn_test_wait_until(condition)                                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 end = g_get_monotonic_time () + ATN_TEST_PATIENCE_US;                                   \
                                                                                                   \
    while (!(condition)) {                                                                         \
      g_assert_cmpint (g_get_monotonic_time (), <, end);                                           \
      if (!g_main_context_iteration (NULL, FALSE))                                                 \
        g_usleep (1000);                                                                           \
    }                                                                                              \
  }                                                                                                \
  G_STMT_END

G_END_DECLS
