/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-paths.h"

#include <libintl.h>
#include <stdbool.h>
#include <string.h>

#define BUILD_FILE "attnscope-build.ini"
#define BUILD_GROUP "build"
/* The deepest program of a build folder is BUILD/tests/NAME/PROGRAM. */
#define MAX_BUILD_DEPTH 4

/* The folder of the running executable; NULL without /proc. */
static char *
dup_executable_dir (void)
{
  g_autofree char *executable = g_file_read_link ("/proc/self/exe", NULL);

  return executable != NULL ? g_path_get_dirname (executable) : NULL;
}

/* ("/usr/bin", "/usr/share/x") → "../share/x": what leads from one folder to the other. */
static char *
dup_relative_path (const char *from, const char *to)
{
  g_auto (GStrv) from_parts = g_strsplit (from, "/", -1);
  g_auto (GStrv) to_parts = g_strsplit (to, "/", -1);
  g_autoptr (GString) path = g_string_new (NULL);
  size_t n_common = 0;

  while (from_parts[n_common] != NULL && g_strcmp0 (from_parts[n_common], to_parts[n_common]) == 0)
    n_common++;

  for (size_t i = n_common; from_parts[i] != NULL; i++)
    g_string_append (path, "../");
  for (size_t i = n_common; to_parts[i] != NULL; i++)
    g_string_append_printf (path, "%s/", to_parts[i]);

  return g_string_free (g_steal_pointer (&path), FALSE);
}

/* Where the folder that was configured as @configured is beside this executable, if it exists. */
static char *
find_installed (const char *executable_dir, const char *configured)
{
  g_autofree char *relative = dup_relative_path (ATN_BINDIR, configured);
  g_autofree char *joined = g_build_filename (executable_dir, relative, NULL);
  g_autofree char *path = g_canonicalize_filename (joined, NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&path) : NULL;
}

/* What the build folder around this executable says about @key. */
static char *
find_in_build (const char *executable_dir, const char *key)
{
  g_autofree char *dir = g_strdup (executable_dir);

  for (int depth = 0; depth < MAX_BUILD_DEPTH; depth++) {
    g_autofree char *file = g_build_filename (dir, BUILD_FILE, NULL);
    g_autoptr (GKeyFile) keys = g_key_file_new ();
    char *parent;

    if (g_key_file_load_from_file (keys, file, G_KEY_FILE_NONE, NULL))
      return g_key_file_get_string (keys, BUILD_GROUP, key, NULL);

    parent = g_path_get_dirname (dir);
    g_free (dir);
    dir = parent;
  }

  return NULL;
}

static char *
dup_dir (const char *configured, const char *build_key)
{
  g_autofree char *executable_dir = dup_executable_dir ();
  char *path = NULL;

  if (executable_dir != NULL) {
    path = find_in_build (executable_dir, build_key);
    if (path == NULL)
      path = find_installed (executable_dir, configured);
  }

  return path != NULL ? path : g_strdup (configured);
}

char *
atn_paths_dup_models_dir (void)
{
  return dup_dir (ATN_PKGDATADIR "/models", "models");
}

char *
atn_paths_dup_locale_dir (void)
{
  return dup_dir (ATN_LOCALEDIR, "locale");
}

char *
atn_paths_dup_schema_dir (void)
{
  g_autofree char *dir = dup_dir (ATN_DATADIR "/glib-2.0/schemas", "schemas");
  g_autofree char *compiled = g_build_filename (dir, "gschemas.compiled", NULL);

  return g_file_test (compiled, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&dir) : NULL;
}

static int
compare_names_cb (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
atn_paths_list_models (void)
{
  g_autofree char *path = atn_paths_dup_models_dir ();
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL) {
    /* The description of the format stands beside the models. */
    if (g_str_has_suffix (file, ".json") && !g_str_has_suffix (file, ".schema.json"))
      g_ptr_array_add (names, g_strndup (file, strlen (file) - strlen (".json")));
  }

  g_ptr_array_sort (names, compare_names_cb);
  return names;
}

char *
atn_paths_dup_user_models_dir (void)
{
  return g_build_filename (g_get_user_data_dir (), "attnscope", "models", NULL);
}

static bool
has_model_suffix (const char *name)
{
  return g_str_has_suffix (name, ".json") || g_str_has_suffix (name, ".safetensors") ||
         g_str_has_suffix (name, ".gguf");
}

/* "name-00002-of-00003.gguf": a model that is cut into parts is opened by the first. */
static bool
is_later_part (const char *name)
{
  return g_regex_match_simple ("-(?!00001)\\d{5}-of-\\d{5}\\.gguf$", name, 0, 0);
}

static bool
is_model_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (has_model_suffix (name))
      return true;
  return false;
}

GPtrArray *
atn_paths_list_user_models (void)
{
  g_autofree char *folder = atn_paths_dup_user_models_dir ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    /* Half a download has a name that begins with a dot. */
    if (*name != '.' && !is_later_part (name) &&
        (has_model_suffix (name) || is_model_folder (path)))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }

  g_ptr_array_sort (paths, compare_names_cb);
  return paths;
}

/* "minilm" → a folder minilm, or minilm.gguf. */
static char *
find_user_model (const char *name)
{
  g_autoptr (GPtrArray) paths = atn_paths_list_user_models ();

  for (guint i = 0; i < paths->len; i++) {
    const char *path = g_ptr_array_index (paths, i);
    g_autofree char *base = g_path_get_basename (path);
    const char *suffix = has_model_suffix (base) ? strrchr (base, '.') : NULL;

    if (strcmp (base, name) == 0 || (suffix != NULL && strlen (name) == (size_t) (suffix - base) &&
                                     strncmp (base, name, (size_t) (suffix - base)) == 0))
      return g_strdup (path);
  }
  return NULL;
}

char *
atn_paths_find_model (const char *name)
{
  g_autofree char *dir = NULL;
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (g_file_test (name, G_FILE_TEST_EXISTS))
    return g_strdup (name);
  if (*name == '\0' || strchr (name, '/') != NULL || g_str_has_suffix (name, ".schema"))
    return NULL;

  dir = atn_paths_dup_models_dir ();
  file = g_strconcat (name, ".json", NULL);
  path = g_build_filename (dir, file, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path)
                                                    : find_user_model (name);
}

void
atn_paths_bind_translations (void)
{
  g_autofree char *locale_dir = atn_paths_dup_locale_dir ();

  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  /* Terminals may use another character set, but GLib and GTK print UTF-8 throughout. */
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
