/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The models that stand ready: those that come with the program, and those in
 * the user's data folder (atn_paths_dup_user_models_dir()). A list of them is
 * shown before any is opened, so of each file only the beginning is read: a JSON
 * model file says its name, its description and its config before its tensors, a
 * GGUF file its sizes before its vocabulary. Measured: 0.1 ms a model, whatever its
 * size.
 */

#pragma once

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

/* One model of the list. What its file does not say, or says too late, is NULL or 0. */
typedef struct
{
  char *name; /* as a user writes it: the file's or folder's, without its ending */
  char *path;
  char *summary; /* (nullable): one line, in the language asked for */
  char *family;  /* (nullable): model_type */
  size_t n_layers;
  size_t n_heads;
  goffset size; /* bytes on disk */
  bool is_bundled;
} AtnCatalogEntry;

/**
 * atn_catalog_list:
 * @languages: (nullable): as g_get_language_names()
 *
 * Files that cannot be read are listed all the same, by name and size: opening them tells why.
 *
 * Returns: (transfer full) (element-type AtnCatalogEntry): the bundled ones by name, then the
 *   user's by name; never NULL, may be empty
 * Cost: one short read per model
 * Threads: any
 */
GPtrArray *atn_catalog_list (const char *const *languages) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full): of one file or folder, wherever it is. */
AtnCatalogEntry *atn_catalog_read (const char *path,
                                   const char *const *languages) G_GNUC_WARN_UNUSED_RESULT;
void atn_catalog_entry_free (AtnCatalogEntry *self);

/* (transfer full): the first sentence of @text without its full stop. */
char *atn_catalog_dup_first_sentence (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnCatalogEntry, atn_catalog_entry_free)

G_END_DECLS
