/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A folder with sharded weights, opened as the window opens it. The input is the files of the
 * folder, one after the other: index, config, and two shards, each before a line "----".
 * The tokenizer is that of a fixture.
 */

#include "atn-fuzz.h"
#include "engine/atn-request.h"

#include <stdio.h>
#include <string.h>

#define SEPARATOR "\n----\n"

static const char *const names[] = {
  "model.safetensors.index.json",
  "config.json",
  "model-00001-of-00002.safetensors",
  "model-00002-of-00002.safetensors",
};

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    unlink (path);
  }
  rmdir (folder);
}

static void
write_file (const char *folder, const char *name, const void *data, size_t size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  FILE *file = fopen (path, "wb");

  g_assert (file != NULL && fwrite (data, 1, size, file) == size);
  fclose (file);
}

/* In memory, where there is such a place: an input takes a millisecond. */
static char *
make_folder (const uint8_t *data, size_t size)
{
  const char *parent = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ();
  char *folder = g_build_filename (parent, "attnscope-fuzz-XXXXXX", NULL);
  const uint8_t *end = data + size;

  g_assert (g_mkdtemp (folder) != NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    const uint8_t *separator = i + 1 < G_N_ELEMENTS (names) ? memmem (data, (size_t) (end - data),
                                                                      SEPARATOR, strlen (SEPARATOR))
                                                            : NULL;
    const uint8_t *limit = separator != NULL ? separator : end;

    write_file (folder, names[i], data, (size_t) (limit - data));
    if (separator == NULL)
      break;
    data = separator + strlen (SEPARATOR);
  }

  return folder;
}

static void
add_tokenizer (const char *folder)
{
  static char *text;
  static gsize length;

  if (text == NULL)
    g_assert (
      g_file_get_contents (ATN_FIXTURES "/models/gpt2/tokenizer.json", &text, &length, NULL));
  write_file (folder, "tokenizer.json", text, length);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *folder = make_folder (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = NULL;

  add_tokenizer (folder);
  model = atn_model_open (folder, NULL, NULL, NULL, &error);
  atn_fuzz_check_error (model != NULL, error);
  if (model != NULL) {
    const AtnRequest request = { .model = model,
                                 .text = "the cat sat",
                                 .text_len = -1,
                                 .truncate = true };
    g_autoptr (GError) run_error = NULL;
    g_autoptr (AtnResult) result = atn_request_run (&request, NULL, NULL, NULL, NULL, &run_error);

    atn_fuzz_check_error (result != NULL, run_error);
  }

  remove_folder (folder);
  return 0;
}
