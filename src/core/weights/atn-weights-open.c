/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From a path to the loader of what is there.
 */

#include "base/atn-error.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define JSON_MAX_SIZE (G_GUINT64_CONSTANT (2) << 30)

/* Share of the progress that goes to reading the text, before it is parsed. */
#define READ_SHARE 0.2

/* Smallest part of the whole that is worth telling. */
#define PROGRESS_STEP 0.005

/* Weight files of other programs, by their first bytes. */
static const struct
{
  const char *start;
  size_t length;
  const char *name;
} other_formats[] = {
  { "PK\003\004", 4, "PyTorch (ZIP)" },
  { "\200\002", 2, "PyTorch (pickle)" },
  { "\211HDF", 4, "HDF5" },
  { "\223NUMPY", 6, "NumPy" },
};

/* A name that means something to a shell, to Python or to glob is not put into a command. */
char *
atn_weights_dup_pickle_advice (const char *name)
{
  const bool is_usual = g_str_has_prefix (name, "pytorch_model");

  return g_strdup_printf (
    _ ("in its folder, with Python and PyTorch, this makes a model.safetensors of it: python3 -c "
       "\"import glob, torch, safetensors.torch as s; s.save_file({k: v.clone().contiguous() for f "
       "in glob.glob('%s') for k, v in torch.load(f, weights_only=True).items()}, "
       "'model.safetensors')\""),
    is_usual || strpbrk (name, "'\"\\$`!*?[") != NULL ? "pytorch_model*.bin" : name);
}

static gboolean
refuse_other_formats (AtnInput *input, const char *path, GError **error)
{
  guint8 start[32];
  const gsize n = atn_input_peek (input, start, sizeof start);

  if (atn_weights_refuse_lfs_pointer (start, n, error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (other_formats); i++) {
    if (n < other_formats[i].length ||
        memcmp (start, other_formats[i].start, other_formats[i].length) != 0)
      continue;
    if (g_str_has_prefix (other_formats[i].name, "PyTorch")) {
      g_autofree char *name = g_path_get_basename (path);
      g_autofree char *advice = atn_weights_dup_pickle_advice (name);

      g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                   _ ("this is a file of %s, which is not read because it can run programs; %s"),
                   other_formats[i].name, advice);
      return FALSE;
    }
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("this is a file of %s, which cannot be read; expected a JSON model file, a "
                    ".safetensors or .gguf file, or a Hugging Face folder"),
                 other_formats[i].name);
    return FALSE;
  }

  /* {"… behind a length of eight bytes: the name lost its ending. */
  if (n >= 10 && start[8] == '{' && start[0] != '{' && start[7] == 0) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                         _ ("this looks like a safetensors file; its name must end in "
                            ".safetensors"));
    return FALSE;
  }

  return TRUE;
}

static gboolean
load_json_file (AtnWeights *self,
                AtnInput *input,
                const char *path,
                const AtnProgress *progress,
                GError **error)
{
  const double split = progress->from + READ_SHARE * (progress->to - progress->from);
  AtnProgress reading = *progress, parsing = *progress;
  g_autoptr (GBytes) bytes = NULL;
  const char *text;
  gsize length;

  if (!refuse_other_formats (input, path, error))
    return FALSE;

  if (atn_input_get_size (input) > JSON_MAX_SIZE) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                         _ ("a JSON model file may have at most 2 GiB; use a folder with "
                            "model.safetensors for a larger model"));
    return FALSE;
  }

  reading.to = parsing.from = split;
  bytes = atn_input_read (input, 0, (gsize) atn_input_get_size (input), &reading, error);
  if (bytes == NULL)
    return FALSE;

  self->file_size = (goffset) atn_input_get_size (input);
  text = g_bytes_get_data (bytes, &length);
  return atn_weights_load_json (self, text, length, &parsing, error);
}

/* Ollama's files have no ending, so that a GGUF file is known by its first bytes, too. */
static gboolean
load_file (AtnWeights *self, const char *path, const AtnProgress *progress, GError **error)
{
  g_autoptr (AtnInput) input = atn_input_open (path, error);
  guint8 start[32];
  gsize n;

  if (input == NULL)
    return FALSE;

  n = atn_input_peek (input, start, sizeof start);
  if (g_str_has_suffix (path, ".gguf") && atn_weights_refuse_lfs_pointer (start, n, error))
    return FALSE;
  if (g_str_has_suffix (path, ".gguf") || (n >= 4 && memcmp (start, "GGUF", 4) == 0))
    return atn_weights_load_gguf (self, input, progress, error);

  return load_json_file (self, input, path, progress, error);
}

void
atn_weights_prefix_path (GError **error, const char *path)
{
  g_autofree char *shown = g_filename_display_name (path);

  if (error == NULL || !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_prefix_error (error, "%s: ", shown);
}

/* Passes on what a person can see; loaders report more often. */
typedef struct
{
  AtnProgressFunc func;
  gpointer user_data;
  double last;
} Throttle;

static void
throttle_cb (double fraction, gpointer user_data)
{
  Throttle *throttle = user_data;

  if (fraction < throttle->last + PROGRESS_STEP && (fraction < 1.0 || throttle->last >= 1.0))
    return;

  throttle->last = fraction;
  throttle->func (fraction, throttle->user_data);
}

static gboolean
load (AtnWeights *self, const char *path, const AtnProgress *progress, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return atn_weights_load_folder (self, path, NULL, progress, error);

  if (g_str_has_suffix (path, ".safetensors") && g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *folder = g_path_get_dirname (path);
    g_autofree char *name = g_path_get_basename (path);

    return atn_weights_load_folder (self, folder, name, progress, error);
  }

  if (!load_file (self, path, progress, error)) {
    atn_weights_prefix_path (error, path);
    return FALSE;
  }

  return TRUE;
}

AtnWeights *
atn_weights_open (const char *path,
                  AtnProgressFunc progress,
                  gpointer progress_data,
                  GCancellable *cancellable,
                  GError **error)
{
  Throttle throttle = { progress, progress_data, -1.0 };
  const AtnProgress whole = { .func = progress != NULL ? throttle_cb : NULL,
                              .user_data = &throttle,
                              .cancellable = cancellable,
                              .from = 0.0,
                              .to = 1.0 };
  g_autoptr (AtnWeights) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = atn_weights_new (path);
  if (!atn_progress_step (&whole, 0.0, error) || !load (self, path, &whole, error) ||
      !atn_progress_step (&whole, 1.0, error))
    return NULL;

  return g_steal_pointer (&self);
}
