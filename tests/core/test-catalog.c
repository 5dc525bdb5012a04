/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-catalog.h"

#include "atn-gguf-file.h"
#include "atn-test.h"
#include "base/atn-paths.h"

static const char card[] =
  "{\"format\":\"attnscope-model\",\"version\":1,\"description\":{\"en\":\"One line. And more.\","
  "\"zh_CN\":\"一行。还有。\"},\"config\":{\"model_type\":\"gpt2\",\"n_layer\":2,\"n_head\":3,"
  "\"n_embd\":12,\"vocab_size\":9,\"n_positions\":4},\"tokenizer\":{\"";

static const AtnCatalogEntry *
find (const GPtrArray *entries, const char *name)
{
  for (guint i = 0; i < entries->len; i++) {
    const AtnCatalogEntry *entry = g_ptr_array_index (entries, i);

    if (g_str_equal (entry->name, name))
      return entry;
  }
  g_error ("no %s in the list", name);
}

static void
test_the_first_sentence_ends_at_its_full_stop (void)
{
  const char *const rows[][2] = {
    { "One line. And more.", "One line" },
    { "GPT-2.5 is no end", "GPT-2.5 is no end" },
    { "一行。还有。", "一行" },
    { "Two\nlines", "Two lines" },
    { "  Only one.  ", "Only one" },
    { "", "" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *sentence = atn_catalog_dup_first_sentence (rows[i][0]);

    g_assert_cmpstr (sentence, ==, rows[i][1]);
  }
}

static void
test_bundled_models_say_what_they_are_in_both_languages (void)
{
  const char *const chinese[] = { "zh_CN", NULL };
  g_autoptr (GPtrArray) english = atn_catalog_list (NULL);
  g_autoptr (GPtrArray) translated = atn_catalog_list (chinese);

  g_assert_cmpuint (english->len, ==, translated->len);
  for (guint i = 0; i < english->len; i++) {
    const AtnCatalogEntry *entry = g_ptr_array_index (english, i);
    const AtnCatalogEntry *other = g_ptr_array_index (translated, i);

    if (!entry->is_bundled)
      continue;
    g_assert_cmpstr (entry->summary, !=, NULL);
    g_assert_cmpstr (entry->summary, !=, other->summary);
    g_assert_cmpuint (entry->n_layers, >, 0);
    g_assert_cmpuint (entry->n_heads, >, 0);
    g_assert_cmpint (entry->size, >, 0);
  }
  g_assert_cmpuint (find (english, "english-small")->n_layers, ==, 4);
}

static void
test_only_the_beginning_of_a_file_is_needed (void)
{
  const char *const chinese[] = { "zh_CN", NULL };
  char *folder = atn_test_make_folder ();
  g_autofree char *path = atn_test_write_file (folder, "cut.json", card, -1);
  g_autoptr (AtnCatalogEntry) entry = atn_catalog_read (path, chinese);

  g_assert_cmpstr (entry->name, ==, "cut");
  g_assert_cmpstr (entry->summary, ==, "一行");
  g_assert_cmpstr (entry->family, ==, "gpt2");
  g_assert_cmpuint (entry->n_layers, ==, 2);
  g_assert_cmpuint (entry->n_heads, ==, 3);
  g_assert_cmpint (entry->size, ==, (goffset) strlen (card));
  atn_test_remove_folder (folder);
}

static void
test_broken_files_are_listed_by_name_and_size (void)
{
  const struct
  {
    const char *file;
    const char *text;
  } rows[] = { { "a.json", "" },
               { "b.json", "[1]" },
               { "c.json", "{\"description\":7,\"config\":[]}" },
               { "d.json", "{\"description\":\"\\ud800\"" },
               { "e.gguf", "GGUF" } };
  char *folder = atn_test_make_folder ();

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = atn_test_write_file (folder, rows[i].file, rows[i].text, -1);
    g_autoptr (AtnCatalogEntry) entry = atn_catalog_read (path, NULL);

    g_assert_cmpint (entry->size, ==, (goffset) strlen (rows[i].text));
    g_assert_null (entry->summary);
    g_assert_cmpuint (entry->n_layers, ==, 0);
  }
  atn_test_remove_folder (folder);
}

/* Writes the head and the sizes of a model of @n_layers × 9; @n_values: as the head says. */
static GByteArray *
create_gguf (const char *architecture, guint32 n_layers, guint64 n_values)
{
  GByteArray *file = atn_gguf_file_new (3, 272, n_values);
  g_autofree char *layers = g_strconcat (architecture, ".block_count", NULL);
  g_autofree char *heads = g_strconcat (architecture, ".attention.head_count", NULL);

  atn_gguf_file_string (file, "general.architecture");
  atn_gguf_file_u32 (file, 8);
  atn_gguf_file_string (file, architecture);
  atn_gguf_file_value (file, layers, n_layers);
  atn_gguf_file_value (file, heads, 9);
  return file;
}

static AtnCatalogEntry *
read_gguf (const GByteArray *file)
{
  char *folder = atn_test_make_folder ();
  g_autofree char *path =
    atn_test_write_file (folder, "a.gguf", (const char *) file->data, (gssize) file->len);
  AtnCatalogEntry *entry = atn_catalog_read (path, NULL);

  g_assert_cmpint (entry->size, ==, file->len);
  atn_test_remove_folder (folder);
  return entry;
}

static void
test_a_gguf_file_says_its_sizes_before_its_vocabulary (void)
{
  g_autoptr (GByteArray) file = create_gguf ("phi2", 30, 5);
  g_autoptr (AtnCatalogEntry) entry = NULL;

  /* Longer than what is read, and cut off. */
  atn_gguf_file_array (file, "tokenizer.ggml.tokens", 8, 100000);
  for (guint i = 0; i < 10000; i++)
    atn_gguf_file_string (file, "token");

  entry = read_gguf (file);
  g_assert_cmpstr (entry->family, ==, "phi");
  g_assert_cmpuint (entry->n_layers, ==, 30);
  g_assert_cmpuint (entry->n_heads, ==, 9);
}

static void
test_a_gguf_file_of_an_unknown_architecture_is_listed (void)
{
  g_autoptr (GByteArray) file = create_gguf ("mamba", 24, 3);
  g_autoptr (AtnCatalogEntry) entry = read_gguf (file);

  g_assert_cmpstr (entry->family, ==, "mamba");
  g_assert_cmpuint (entry->n_layers, ==, 24);
}

static void
test_what_a_broken_gguf_file_promises_is_not_believed (void)
{
  g_autoptr (GByteArray) layers = create_gguf ("llama", G_MAXUINT32, 3);
  g_autoptr (GByteArray) values = create_gguf ("llama", 30, G_MAXUINT64);
  g_autoptr (GByteArray) version = create_gguf ("llama", 30, 3);
  g_autoptr (AtnCatalogEntry) too_many_layers = read_gguf (layers);
  g_autoptr (AtnCatalogEntry) too_many_values = read_gguf (values);
  g_autoptr (AtnCatalogEntry) other_version = NULL;

  version->data[4] = 9;
  other_version = read_gguf (version);

  g_assert_cmpstr (too_many_layers->family, ==, "llama");
  g_assert_cmpuint (too_many_layers->n_layers, ==, 0);
  g_assert_cmpuint (too_many_layers->n_heads, ==, 0);
  g_assert_cmpuint (too_many_values->n_layers, ==, 30);
  g_assert_null (other_version->family);
  g_assert_cmpuint (other_version->n_layers, ==, 0);
}

static void
test_models_in_the_user_s_folder_are_listed_and_found_by_name (void)
{
  g_autofree char *models = atn_paths_dup_user_models_dir ();
  g_autofree char *folder = g_build_filename (models, "minilm", NULL);
  g_autofree char *empty = g_build_filename (models, "empty", NULL);
  g_autofree char *found = NULL;
  g_autofree char *found_folder = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (empty, 0700), ==, 0);
  g_free (atn_test_write_file (folder, "config.json",
                               "{\"model_type\":\"bert\",\"num_hidden_layers\":6}", -1));
  g_free (atn_test_write_file (folder, "model.safetensors", "12345", 5));
  g_free (atn_test_write_file (models, "small.gguf", "GGUF", 4));
  g_free (atn_test_write_file (models, ".half.gguf", "GG", 2));
  g_free (atn_test_write_file (models, "big-00001-of-00002.gguf", "GGUF", 4));
  g_free (atn_test_write_file (models, "big-00002-of-00002.gguf", "GGUF", 4));

  {
    g_autoptr (GPtrArray) entries = atn_catalog_list (NULL);
    guint n_own = 0;

    for (guint i = 0; i < entries->len; i++)
      n_own += ((const AtnCatalogEntry *) g_ptr_array_index (entries, i))->is_bundled ? 0 : 1;
    g_assert_cmpuint (n_own, ==, 3);
    g_assert_cmpstr (find (entries, "minilm")->family, ==, "bert");
    g_assert_cmpint (find (entries, "minilm")->size, ==, 5);
    g_assert_cmpuint (find (entries, "minilm")->n_layers, ==, 6);
    g_assert_false (find (entries, "small")->is_bundled);
  }

  found = atn_paths_find_model ("small");
  g_assert_true (g_str_has_suffix (found, "/small.gguf"));
  found_folder = atn_paths_find_model ("minilm");
  g_assert_cmpstr (found_folder, ==, folder);
  g_assert_null (atn_paths_find_model ("empty"));

  atn_test_remove_folder (g_steal_pointer (&folder));
  atn_test_remove_folder (g_steal_pointer (&empty));
  atn_test_remove_folder (g_strdup (models));
  atn_test_remove_folder (g_path_get_dirname (models));
}

int
main (int argc, char **argv)
{
  char *user_data = atn_test_make_folder ();
  int status;

  g_setenv ("XDG_DATA_HOME", user_data, TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/catalog/first-sentence", test_the_first_sentence_ends_at_its_full_stop);
  g_test_add_func ("/core/catalog/bundled",
                   test_bundled_models_say_what_they_are_in_both_languages);
  g_test_add_func ("/core/catalog/beginning", test_only_the_beginning_of_a_file_is_needed);
  g_test_add_func ("/core/catalog/broken", test_broken_files_are_listed_by_name_and_size);
  g_test_add_func ("/core/catalog/gguf", test_a_gguf_file_says_its_sizes_before_its_vocabulary);
  g_test_add_func ("/core/catalog/gguf-unknown",
                   test_a_gguf_file_of_an_unknown_architecture_is_listed);
  g_test_add_func ("/core/catalog/gguf-broken",
                   test_what_a_broken_gguf_file_promises_is_not_believed);
  g_test_add_func ("/core/catalog/user",
                   test_models_in_the_user_s_folder_are_listed_and_found_by_name);

  status = g_test_run ();
  atn_test_remove_folder (user_data);
  return status;
}
