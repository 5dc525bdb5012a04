/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Gives the files of a folder to a fuzz target, as a plain test that needs no
 * fuzzer: the seeds, and every input that once broke something.
 */

#include "atn-fuzz.h"

static void
test_input_is_taken_without_harm (gconstpointer data)
{
  g_autofree char *bytes = NULL;
  g_autofree uint8_t *exact = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents (data, &bytes, &length, &error);
  g_assert_no_error (error);
  /* A copy of the exact size, so that a read past its end is seen. */
  exact = g_memdup2 (bytes, length);
  g_assert_cmpint (LLVMFuzzerTestOneInput (exact, length), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);

  dir = g_dir_open (argv[1], 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_strdup_printf ("/fuzz/%s", name);

    g_test_add_data_func_full (path, g_build_filename (argv[1], name, NULL),
                               test_input_is_taken_without_harm, g_free);
  }

  return g_test_run ();
}
