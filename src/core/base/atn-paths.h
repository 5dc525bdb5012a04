/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Where the program's own files are. Nothing has to be set in the environment:
 * everything is found from the place of the running executable.
 *
 *   installed    PREFIX/bin/attnscope          → ../share/attnscope/models, ../share/locale …
 *   build folder BUILD/src/app/attnscope       → BUILD/attnscope-build.ini says where
 *   neither                                    → the folders chosen when it was configured
 *   the user's own models                      → $XDG_DATA_HOME/attnscope/models
 *
 * The relative way comes first, so that an installation may be moved as a whole.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * atn_paths_dup_models_dir:
 *
 * Returns: (transfer full): the folder of the bundled models; it need not exist
 * Threads: any; the same for all functions here
 */
char *atn_paths_dup_models_dir (void) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full): the folder that bindtextdomain() wants; it need not exist. */
char *atn_paths_dup_locale_dir (void) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (nullable): a folder with a gschemas.compiled, for
 * g_settings_schema_source_new_from_directory(); NULL if there is none. */
char *atn_paths_dup_schema_dir (void) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (element-type utf8): names of the bundled models, sorted; never NULL. */
GPtrArray *atn_paths_list_models (void) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full): where attnscope-fetch puts models; it need not exist. */
char *atn_paths_dup_user_models_dir (void) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (element-type filename): paths of what looks like a model there, sorted: .json,
 * .safetensors and .gguf files, folders with a config.json or such a file; never NULL. */
GPtrArray *atn_paths_list_user_models (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_paths_find_model:
 * @name: what a user wrote: a path, or the name of a bundled model or one of the user's own
 *
 * A name that an existing file or folder bears is that one, else a bundled model of this name, else
 * one of the user's folder, with or without its ending.
 *
 * Returns: (transfer full) (nullable): the path; NULL if there is neither
 */
char *atn_paths_find_model (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* Tells gettext where the translations are. The program has called setlocale() before. */
void atn_paths_bind_translations (void);

G_END_DECLS
