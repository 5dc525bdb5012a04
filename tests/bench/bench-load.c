/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * How long a JSON model file takes to open, against what cannot be left out:
 * reading it, and turning base64 into bytes (GLib's own decoder as the measure).
 *
 *   bench-load [FILE …]      (a random model of 12 MB if none is given)
 */

#include "bench-clock.h"
#include "bench-model.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_RUNS 15

/* The size of english-small, with weights of 4 bytes. */
static const BenchShape small = {
  .n_layers = 4,
  .n_heads = 6,
  .d_model = 192,
  .d_vocab = 2048,
  .n_ctx = 256,
};

typedef struct
{
  double wall[N_RUNS]; /* ms */
  double cpu[N_RUNS];
  double read[N_RUNS];
  double decode[N_RUNS];
  double ratio[N_RUNS]; /* of wall to read and decode */
} Runs;

static char *
read_file (const char *path, gsize *length)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, length, &error);
  g_assert_no_error (error);
  return text;
}

/* What GLib's decoder takes for as many letters as the file has. */
static double
time_decode (gsize length)
{
  g_autofree char *letters = g_malloc (length + 1);
  BenchTime start;

  memset (letters, 'Q', length);
  letters[length] = '\0';
  start = bench_clock_read ();
  g_base64_decode_inplace (letters, &length);
  return bench_clock_since (&start).wall * 1e3;
}

static void
run_once (Runs *runs, size_t i, const char *path)
{
  g_autoptr (GError) error = NULL;
  BenchTime start = bench_clock_read ();
  gsize length;
  g_autofree char *text = read_file (path, &length);
  g_autoptr (AtnModel) model = NULL;
  BenchTime time;

  g_assert_nonnull (text);
  runs->read[i] = bench_clock_since (&start).wall * 1e3;
  runs->decode[i] = time_decode (length);
  start = bench_clock_read ();
  model = atn_model_open (path, NULL, NULL, NULL, &error);
  time = bench_clock_since (&start);
  g_assert_no_error (error);
  runs->wall[i] = time.wall * 1e3;
  runs->cpu[i] = time.cpu * 1e3;
  runs->ratio[i] = runs->wall[i] / (runs->read[i] + runs->decode[i]);
}

static void
measure (const char *path)
{
  g_autofree char *file = g_path_get_basename (path);
  g_autofree char *name = g_strdup_printf ("load %s", file);
  Runs runs;
  const BenchSeries series[] = {
    { "wall_ms", runs.wall },     { "cpu_ms", runs.cpu },  { "read_ms", runs.read },
    { "decode_ms", runs.decode }, { "ratio", runs.ratio },
  };

  for (size_t i = 0; i < N_RUNS; i++)
    run_once (&runs, i, path);
  bench_print (name, series, G_N_ELEMENTS (series), N_RUNS);
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    measure (argv[i]);
  if (argc == 1) {
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp ("attnscope-bench-XXXXXX", &error);
    g_autofree char *path = g_build_filename (folder, "12-mb.json", NULL);

    g_assert_no_error (error);
    bench_model_write_json (&small, path);
    measure (path);
    g_unlink (path);
    g_rmdir (folder);
  }
  return 0;
}
