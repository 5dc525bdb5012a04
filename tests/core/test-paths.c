/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-paths.h"

#include <glib/gstdio.h>

/* This program runs from the build folder, so all is found through its build file. */
static void
test_models_of_the_source_tree_are_found_from_the_build_folder (void)
{
  g_autofree char *dir = atn_paths_dup_models_dir ();
  g_autofree char *schema = g_build_filename (dir, "model.schema.json", NULL);

  g_assert_true (g_file_test (schema, G_FILE_TEST_IS_REGULAR));
}

static void
test_list_holds_models_and_not_the_schema_of_the_format (void)
{
  g_autoptr (GPtrArray) names = atn_paths_list_models ();

  g_assert_cmpuint (names->len, >=, 2);
  g_assert_true (g_ptr_array_find_with_equal_func (names, "cat-chases-mouse", g_str_equal, NULL));
  g_assert_false (g_ptr_array_find_with_equal_func (names, "model.schema", g_str_equal, NULL));
  for (size_t i = 1; i < names->len; i++)
    g_assert_cmpstr (names->pdata[i - 1], <, names->pdata[i]);
}

static void
test_name_of_a_bundled_model_gives_its_file (void)
{
  g_autofree char *path = atn_paths_find_model ("six-tokens");

  g_assert_nonnull (path);
  g_assert_true (g_str_has_suffix (path, "/six-tokens.json"));
}

static void
test_existing_file_comes_before_a_bundled_name (void)
{
  g_autofree char *dir = g_dir_make_tmp ("atn-paths-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (dir, "six-tokens", NULL);
  g_autofree char *before = g_get_current_dir ();
  g_autofree char *path = NULL;

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_cmpint (g_chdir (dir), ==, 0);
  path = atn_paths_find_model ("six-tokens");
  g_assert_cmpstr (path, ==, "six-tokens");

  g_assert_cmpint (g_chdir (before), ==, 0);
  g_assert_cmpint (g_remove (file), ==, 0);
  g_assert_cmpint (g_rmdir (dir), ==, 0);
}

static void
test_unknown_names_and_the_schema_are_no_models (void)
{
  const char *const names[] = { "", "no-such-model", "model.schema", "../models/six-tokens" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = atn_paths_find_model (names[i]);

    g_assert_null (path);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/paths/models-dir/build-folder",
                   test_models_of_the_source_tree_are_found_from_the_build_folder);
  g_test_add_func ("/core/paths/list-models/no-schema",
                   test_list_holds_models_and_not_the_schema_of_the_format);
  g_test_add_func ("/core/paths/find-model/bundled", test_name_of_a_bundled_model_gives_its_file);
  g_test_add_func ("/core/paths/find-model/existing-file",
                   test_existing_file_comes_before_a_bundled_name);
  g_test_add_func ("/core/paths/find-model/unknown",
                   test_unknown_names_and_the_schema_are_no_models);

  return g_test_run ();
}
