/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the fuzz targets share. A target is one function, which libFuzzer calls
 * with inputs it invents and replay.c with files.
 */

#pragma once

#include "atn-test.h"

#include <gio/gio.h>
#include <stdint.h>
#include <string.h>
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

/* What is between two files of an input. */
#define ATN_FUZZ_SEPARATOR "\n----\n"

/* For atn_test_remove_folder(): a folder with the files of an input, one after the other, fewer
 * than @n_names if there are fewer. In memory, where there is such a place: an input takes a
 * millisecond. */
static inline char *
atn_fuzz_make_folder (const uint8_t *data, size_t size, const char *const *names, size_t n_names)
{
  const char *parent = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ();
  char *folder = g_build_filename (parent, "attnscope-fuzz-XXXXXX", NULL);
  const uint8_t *end = data + size;

  g_assert (g_mkdtemp (folder) != NULL);
  for (size_t i = 0; i < n_names; i++) {
    const size_t left = (size_t) (end - data);
    const uint8_t *separator =
      i + 1 < n_names ? memmem (data, left, ATN_FUZZ_SEPARATOR, strlen (ATN_FUZZ_SEPARATOR)) : NULL;

    g_free (atn_test_write_file (folder, names[i], data,
                                 separator != NULL ? (gssize) (separator - data) : (gssize) left));
    if (separator == NULL)
      break;
    data = separator + strlen (ATN_FUZZ_SEPARATOR);
  }

  return folder;
}

/* An error is set if and only if there is no result, and it can be shown on one line. */
static inline void
atn_fuzz_check_error (gboolean has_result, const GError *error)
{
  g_assert (has_result == (error == NULL));
  g_assert (error == NULL || g_utf8_validate (error->message, -1, NULL));
}
