/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the fuzz targets share. A target is one function, which libFuzzer calls
 * with inputs it invents and replay.c with files.
 */

#pragma once

#include <gio/gio.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* (transfer full): the path of a file in memory that holds @data; @fd must be closed. */
static inline char *
atn_fuzz_dup_path (const uint8_t *data, size_t size, int *fd)
{
  *fd = memfd_create ("attnscope-fuzz", MFD_CLOEXEC);
  g_assert (*fd >= 0);
  g_assert (write (*fd, data, size) == (ssize_t) size);
  return g_strdup_printf ("/proc/self/fd/%d", *fd);
}

/* An error is set if and only if there is no result, and it can be shown on one line. */
static inline void
atn_fuzz_check_error (gboolean has_result, const GError *error)
{
  g_assert (has_result == (error == NULL));
  g_assert (error == NULL || g_utf8_validate (error->message, -1, NULL));
}
