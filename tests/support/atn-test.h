/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What many test programs need: files of tests/cases, folders that vanish, and
 * the one way to look at an error.
 */

#pragma once

#include "base/atn-error.h"

#include <gio/gio.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

G_BEGIN_DECLS

/* (transfer full): tests/cases/@name, wherever the build folder is. */
static inline char *
atn_test_dup_case_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "cases", name, NULL);
}

static inline char *
atn_test_dup_case (const char *name, gsize *length)
{
  g_autofree char *path = atn_test_dup_case_path (name);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, length, &error);
  g_assert_no_error (error);
  return text;
}

/* The error is of @code and its message holds @piece. */
static inline void
atn_test_assert_error (const GError *error, int code, const char *piece)
{
  g_assert_nonnull (error);
  g_assert_cmpstr (g_quark_to_string (error->domain), ==, g_quark_to_string (ATN_ERROR));
  if (strstr (error->message, piece) == NULL)
    g_error ("“%s” does not say “%s”", error->message, piece);
  g_assert_cmpint (error->code, ==, code);
  g_assert_false (g_str_has_suffix (error->message, "."));
  g_assert_null (strchr (error->message, '\n'));
}

/* (transfer full): a new empty folder; atn_test_remove_folder() frees the name, too. */
static inline char *
atn_test_make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("attnscope-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/* Removes the files in @folder (no folders in it) and the folder. */
static inline void
atn_test_remove_folder (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    g_assert_cmpint (g_unlink (path), ==, 0);
  }

  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

/* (transfer full): the path of a new file @name in @folder. */
static inline char *
atn_test_write_file (const char *folder, const char *name, const void *data, gssize length)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, data, length, &error);
  g_assert_no_error (error);
  return path;
}

G_END_DECLS
