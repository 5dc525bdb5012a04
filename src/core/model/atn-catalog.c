/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-catalog.h"

#include "base/atn-input.h"
#include "base/atn-json.h"
#include "base/atn-paths.h"
#include "model/atn-card.h"
#include "model/atn-family.h"
#include "weights/atn-gguf-family.h"

#include <string.h>

/* What stands before the tensors and the tokenizer of a bundled model, and before the vocabulary of
 * a GGUF file, is some kilobytes. */
#define HEAD_SIZE 32768
#define CONFIG_MAX_SIZE (G_GUINT64_CONSTANT (1) << 20)

void
atn_catalog_entry_free (AtnCatalogEntry *self)
{
  g_free (self->name);
  g_free (self->path);
  g_free (self->summary);
  g_free (self->family);
  g_free (self);
}

char *
atn_catalog_dup_first_sentence (const char *text)
{
  g_autofree char *line = g_strdup (text);
  size_t end;

  g_strstrip (g_strdelimit (line, "\n\r\t", ' '));
  for (end = 0; line[end] != '\0'; end++) {
    const bool is_stop = line[end] == '.' && (line[end + 1] == ' ' || line[end + 1] == '\0');

    if (is_stop || g_str_has_prefix (line + end, "。"))
      break;
  }
  return g_strndup (line, end);
}

static void
read_config (AtnCatalogEntry *entry, const AtnJson *json)
{
  const AtnFamily *family;
  AtnConfig config;
  const char *model_type;

  if (atn_json_read_string (json, "model_type", ATN_JSON_REQUIRED, &model_type, NULL))
    entry->family = g_strdup (model_type);
  if (!atn_config_read (json, &family, &config, NULL))
    return;
  entry->n_layers = config.n_layers;
  entry->n_heads = config.n_heads;
}

/* The members of a model file that come before its long ones; the text ends somewhere. */
static void
read_head (AtnCatalogEntry *entry, const char *text, size_t length, const char *const *languages)
{
  AtnJsonScan scan;

  atn_json_scan_init (&scan, text, length);
  if (atn_json_scan_next (&scan, NULL) != ATN_JSON_EVENT_OBJECT)
    return;

  while (atn_json_scan_next (&scan, NULL) == ATN_JSON_EVENT_KEY) {
    g_autofree char *key = atn_json_scan_dup_string (&scan);
    g_autoptr (AtnJson) value = NULL;

    if (strcmp (key, "tensors") == 0 || strcmp (key, "tokenizer") == 0)
      return;
    value = atn_json_build (&scan, atn_json_scan_next (&scan, NULL), NULL);
    if (value == NULL)
      return;
    if (strcmp (key, "config") == 0 && atn_json_get_kind (value) == ATN_JSON_OBJECT)
      read_config (entry, value);
    if (strcmp (key, "description") == 0 && entry->summary == NULL) {
      const char *description = atn_card_get_text (value, languages);

      if (description != NULL)
        entry->summary = atn_catalog_dup_first_sentence (description);
    }
  }
}

static void
read_gguf (AtnCatalogEntry *entry, const guint8 *head, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (head, length);
  g_autoptr (AtnGguf) gguf = atn_gguf_new_from_beginning (bytes, NULL);

  if (gguf != NULL)
    atn_gguf_read_sizes (gguf, ATN_MAX_LAYERS, &entry->family, &entry->n_layers, &entry->n_heads);
}

static void
read_file (AtnCatalogEntry *entry, const char *const *languages)
{
  const bool is_gguf = g_str_has_suffix (entry->path, ".gguf");
  g_autoptr (AtnInput) input = atn_input_open (entry->path, NULL);
  g_autofree guint8 *head = NULL;
  gsize length;

  if (input == NULL)
    return;
  entry->size = (goffset) atn_input_get_size (input);
  if (!is_gguf && !g_str_has_suffix (entry->path, ".json"))
    return;

  head = g_malloc (HEAD_SIZE);
  length = atn_input_peek (input, head, HEAD_SIZE);
  if (is_gguf)
    read_gguf (entry, head, length);
  else
    read_head (entry, (const char *) head, length, languages);
}

/* Weights are what makes a folder large. */
static goffset
measure_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  goffset size = 0;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (AtnInput) input = NULL;

    if (!g_str_has_suffix (name, ".safetensors"))
      continue;
    input = atn_input_open (path, NULL);
    if (input != NULL)
      size += (goffset) atn_input_get_size (input);
  }
  return size;
}

static void
read_folder (AtnCatalogEntry *entry)
{
  const AtnProgress quiet = { .func = NULL };
  g_autofree char *path = g_build_filename (entry->path, "config.json", NULL);
  g_autoptr (GBytes) bytes = atn_input_read_file (path, CONFIG_MAX_SIZE, &quiet, NULL);
  g_autoptr (AtnJson) json = NULL;
  gsize length;
  const char *text;

  entry->size = measure_folder (entry->path);
  if (bytes == NULL)
    return;
  text = g_bytes_get_data (bytes, &length);
  json = atn_json_parse (text, length, NULL);
  if (json != NULL && atn_json_get_kind (json) == ATN_JSON_OBJECT)
    read_config (entry, json);
}

AtnCatalogEntry *
atn_catalog_read (const char *path, const char *const *languages)
{
  AtnCatalogEntry *entry = g_new0 (AtnCatalogEntry, 1);

  entry->path = g_strdup (path);
  entry->name = atn_card_dup_name (NULL, path);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    read_folder (entry);
  else
    read_file (entry, languages);
  return entry;
}

static void
add_all (GPtrArray *entries, GPtrArray *paths, bool is_bundled, const char *const *languages)
{
  for (guint i = 0; i < paths->len; i++) {
    AtnCatalogEntry *entry = atn_catalog_read (g_ptr_array_index (paths, i), languages);

    entry->is_bundled = is_bundled;
    g_ptr_array_add (entries, entry);
  }
}

GPtrArray *
atn_catalog_list (const char *const *languages)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) atn_catalog_entry_free);
  g_autoptr (GPtrArray) names = atn_paths_list_models ();
  g_autoptr (GPtrArray) bundled = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) own = atn_paths_list_user_models ();
  g_autofree char *dir = atn_paths_dup_models_dir ();

  for (guint i = 0; i < names->len; i++) {
    g_autofree char *file = g_strconcat (g_ptr_array_index (names, i), ".json", NULL);

    g_ptr_array_add (bundled, g_build_filename (dir, file, NULL));
  }
  add_all (entries, bundled, true, languages);
  add_all (entries, own, false, languages);
  return entries;
}
