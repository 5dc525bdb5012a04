/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-test.h"
#include "base/atn-output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *path; /* of a file that does not exist yet */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = atn_test_make_folder ();
  fixture->path = g_build_filename (fixture->folder, "out.csv", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  atn_test_remove_folder (fixture->folder);
  g_free (fixture->path);
}

static void
assert_content (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

static void
write_text (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (atn_output_write (path, text, strlen (text), &error));
  g_assert_no_error (error);
}

static void
test_a_file_is_made_and_replaced (Fixture *fixture, gconstpointer data)
{
  write_text (fixture->path, "one");
  assert_content (fixture->path, "one");
  write_text (fixture->path, "");
  assert_content (fixture->path, "");
  write_text (fixture->path, "three");
  assert_content (fixture->path, "three");
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

static void
test_a_new_file_has_the_rights_of_the_umask_and_an_old_one_its_own (Fixture *fixture,
                                                                    gconstpointer data)
{
  mode_t mask = umask (022);
  struct stat info;

  write_text (fixture->path, "one");
  umask (mask);
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0644);

  g_assert_cmpint (chmod (fixture->path, 0600), ==, 0);
  write_text (fixture->path, "two");
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

static void
test_a_link_stays_a_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link_path = g_build_filename (fixture->folder, "link", NULL);
  struct stat info;

  write_text (fixture->path, "one");
  g_assert_cmpint (symlink ("out.csv", link_path), ==, 0);
  write_text (link_path, "two");
  assert_content (fixture->path, "two");
  g_assert_cmpint (lstat (link_path, &info), ==, 0);
  g_assert_true (S_ISLNK (info.st_mode));
}

static void
test_a_link_to_a_file_that_is_not_yet_there_is_replaced (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link_path = g_build_filename (fixture->folder, "link", NULL);

  g_assert_cmpint (symlink ("nowhere/out.csv", link_path), ==, 0);
  write_text (link_path, "two");
  assert_content (link_path, "two");
}

static void
test_a_missing_folder_is_named_with_the_reason (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "missing", "a.csv", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (atn_output_write (path, "x", 1, &error));
  atn_test_assert_error (error, ATN_ERROR_IO, path);
  atn_test_assert_error (error, ATN_ERROR_IO, g_strerror (ENOENT));
}

static void
test_a_folder_is_not_written_over (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (atn_output_write (fixture->folder, "x", 1, &error));
  atn_test_assert_error (error, ATN_ERROR_IO, g_strerror (EISDIR));
}

static void
test_a_full_disk_is_an_error (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS)) {
    g_test_skip ("no /dev/full here");
    return;
  }

  g_assert_false (atn_output_write ("/dev/full", "x", 1, &error));
  atn_test_assert_error (error, ATN_ERROR_IO, g_strerror (ENOSPC));
  g_assert_true (g_file_test ("/dev/full", G_FILE_TEST_EXISTS));
}

static void
test_a_folder_without_write_permission_keeps_the_old_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0) {
    g_test_skip ("root may write everywhere");
    return;
  }

  write_text (fixture->path, "old");
  g_assert_cmpint (chmod (fixture->folder, 0500), ==, 0);
  g_assert_false (atn_output_write (fixture->path, "new", 3, &error));
  g_assert_cmpint (chmod (fixture->folder, 0700), ==, 0);
  atn_test_assert_error (error, ATN_ERROR_IO, g_strerror (EACCES));
  assert_content (fixture->path, "old");
}

/* RLIMIT_FSIZE stands for a disk that fills up in the middle of a file. */
static void
test_a_disk_that_fills_up_leaves_the_old_file_and_no_other (Fixture *fixture, gconstpointer data)
{
  if (g_test_subprocess ()) {
    struct rlimit limit = { 65536, 65536 };
    g_autofree char *large = g_malloc0 (200000);
    g_autoptr (GError) error = NULL;

    signal (SIGXFSZ, SIG_IGN);
    write_text (fixture->path, "old");
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
    g_assert_false (atn_output_write (fixture->path, large, 200000, &error));
    atn_test_assert_error (error, ATN_ERROR_IO, g_strerror (EFBIG));
    assert_content (fixture->path, "old");
    g_assert_cmpuint (count_files (fixture->folder), ==, 1);
    return;
  }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_a_pipe_is_written_to_and_stays_a_pipe (Fixture *fixture, gconstpointer data)
{
  struct stat info;
  char text[8] = "";
  int fd;

  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  fd = open (fixture->path, O_RDONLY | O_NONBLOCK);
  g_assert_cmpint (fd, >=, 0);
  write_text (fixture->path, "through");
  g_assert_cmpint (read (fd, text, sizeof text - 1), ==, 7);
  g_assert_cmpstr (text, ==, "through");
  close (fd);
  g_assert_cmpint (lstat (fixture->path, &info), ==, 0);
  g_assert_true (S_ISFIFO (info.st_mode));
}

static void
test_a_dash_is_standard_output (Fixture *fixture, gconstpointer data)
{
  if (g_test_subprocess ()) {
    write_text ("-", "to standard output");
    write_text ("/dev/stdout", " and again");
    return;
  }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*to standard output and again*");
}

static void
test_pieces_become_a_file_when_it_is_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnOutput) output = NULL;

  write_text (fixture->path, "old");
  output = atn_output_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_true (atn_output_append (output, "one ", 4, &error));
  g_assert_true (atn_output_append (output, "two", 3, &error));
  assert_content (fixture->path, "old");
  g_assert_true (atn_output_close (g_steal_pointer (&output), &error));
  assert_content (fixture->path, "one two");
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

static void
test_a_discarded_file_leaves_the_old_one_alone (Fixture *fixture, gconstpointer data)
{
  AtnOutput *output;

  write_text (fixture->path, "old");
  output = atn_output_open (fixture->path, NULL);
  g_assert_true (atn_output_append (output, "new", 3, NULL));
  atn_output_discard (output);
  assert_content (fixture->path, "old");
  g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/core/output/replace", test_a_file_is_made_and_replaced);
  ADD ("/core/output/rights", test_a_new_file_has_the_rights_of_the_umask_and_an_old_one_its_own);
  ADD ("/core/output/link", test_a_link_stays_a_link);
  ADD ("/core/output/dangling-link", test_a_link_to_a_file_that_is_not_yet_there_is_replaced);
  ADD ("/cases/104/missing-folder", test_a_missing_folder_is_named_with_the_reason);
  ADD ("/cases/104/folder", test_a_folder_is_not_written_over);
  ADD ("/cases/104/full", test_a_full_disk_is_an_error);
  ADD ("/cases/104/no-permission", test_a_folder_without_write_permission_keeps_the_old_file);
  ADD ("/cases/104/fills-up", test_a_disk_that_fills_up_leaves_the_old_file_and_no_other);
  ADD ("/core/output/pieces", test_pieces_become_a_file_when_it_is_closed);
  ADD ("/core/output/discard", test_a_discarded_file_leaves_the_old_one_alone);
  ADD ("/core/output/pipe", test_a_pipe_is_written_to_and_stays_a_pipe);
  ADD ("/core/output/dash", test_a_dash_is_standard_output);

  return g_test_run ();
}
