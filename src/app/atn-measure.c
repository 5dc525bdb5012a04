/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Two views of the same time: a callback of ours, bracketed by hand, and a
 * whole turn of the main loop, from one poll to the next. The second needs no
 * cooperation, so it finds what nobody thought of bracketing: "turn besides" is
 * a turn without its frames and brackets.
 *
 *   turn   |--callback--|---------|======= frame =======|---|
 *                                   callback   callback
 *   besides              |--------|                     |---|
 */

#include "app/atn-measure.h"

#include <stdlib.h>
#include <time.h>

typedef struct
{
  gint64 wall;
  gint64 cpu;
} Sample;

typedef struct
{
  const char *name;
  bool is_callback;
  GArray *samples; /* (element-type Sample) */
} Series;

typedef struct
{
  const char *name;
  AtnMoment moment;
} Mark;

typedef struct
{
  bool is_enabled;
  bool is_start_only;
  GArray *series; /* (element-type Series) */
  GArray *marks;  /* (element-type Mark) */

  int depth;          /* of brackets */
  AtnMoment callback; /* start of the outermost bracket */
  bool is_in_frame;
  AtnMoment frame;  /* its start */
  AtnMoment turn;   /* its start; wall is 0 before the first */
  Sample accounted; /* frames and brackets of this turn */

  AtnMoment input; /* wall is 0 while no picture is waited for */
  bool has_picture;
  AtnMeasureFunc first_picture_func;
  gpointer first_picture_data;
} Record;

static Record record;

static gint64
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

AtnMoment
atn_measure_now (void)
{
  return (AtnMoment){ .wall = g_get_monotonic_time (),
                      .thread = read_clock (CLOCK_THREAD_CPUTIME_ID),
                      .process = read_clock (CLOCK_PROCESS_CPUTIME_ID) };
}

static Sample
get_thread_time_since (const AtnMoment *start)
{
  AtnMoment now = atn_measure_now ();

  return (Sample){ now.wall - start->wall, now.thread - start->thread };
}

static GArray *
get_samples (const char *name, bool is_callback)
{
  Series series = { .name = name, .is_callback = is_callback };

  for (guint i = 0; i < record.series->len; i++) {
    const Series *known = &g_array_index (record.series, Series, i);

    if (g_str_equal (known->name, name) && known->is_callback == is_callback)
      return known->samples;
  }
  series.samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  g_array_append_val (record.series, series);
  return series.samples;
}

static void
add_sample (const char *name, bool is_callback, Sample sample)
{
  g_array_append_val (get_samples (name, is_callback), sample);
}

static void
account_for (Sample sample)
{
  record.accounted.wall += sample.wall;
  record.accounted.cpu += sample.cpu;
}

static void
end_turn (void)
{
  Sample turn = get_thread_time_since (&record.turn);

  if (record.turn.wall == 0)
    return;
  add_sample ("turn", false, turn);
  add_sample ("turn besides", false,
              (Sample){ turn.wall - record.accounted.wall, turn.cpu - record.accounted.cpu });
}

static gint
measured_poll (GPollFD *fds, guint n_fds, gint timeout)
{
  gint n_ready;

  end_turn ();
  n_ready = g_poll (fds, n_fds, timeout);
  record.turn = atn_measure_now ();
  record.accounted = (Sample){ 0 };
  return n_ready;
}

void
atn_measure_enable (bool is_start_only)
{
  record.is_enabled = true;
  record.is_start_only = is_start_only;
  record.series = g_array_new (FALSE, FALSE, sizeof (Series));
  record.marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_main_context_set_poll_func (NULL, measured_poll);
}

bool
atn_measure_is_enabled (void)
{
  return record.is_enabled;
}

bool
atn_measure_is_start_only (void)
{
  return record.is_start_only;
}

gint64
atn_measure_begin (void)
{
  if (!record.is_enabled)
    return 0;
  if (record.depth++ == 0)
    record.callback = atn_measure_now ();
  return record.callback.wall;
}

void
atn_measure_end (const char *name, gint64 start)
{
  Sample sample;

  if (!record.is_enabled || --record.depth > 0)
    return;
  sample = get_thread_time_since (&record.callback);
  add_sample (name, true, sample);
  if (!record.is_in_frame)
    account_for (sample);
}

void
atn_measure_add (const char *name, const AtnMoment *start)
{
  if (record.is_enabled)
    add_sample (name, false, get_thread_time_since (start));
}

void
atn_measure_begin_frame (void)
{
  record.is_in_frame = true;
  record.frame = atn_measure_now ();
}

void
atn_measure_end_frame (void)
{
  Sample frame = get_thread_time_since (&record.frame);

  if (!record.is_in_frame)
    return;
  record.is_in_frame = false;
  add_sample ("frame", false, frame);
  account_for (frame);
}

void
atn_measure_mark (const char *name)
{
  Mark mark = { .name = name };

  if (!record.is_enabled)
    return;
  for (guint i = 0; i < record.marks->len; i++)
    if (g_str_equal (g_array_index (record.marks, Mark, i).name, name))
      return;
  mark.moment = atn_measure_now ();
  g_array_append_val (record.marks, mark);
}

void
atn_measure_input (void)
{
  if (record.is_enabled)
    record.input = atn_measure_now ();
}

void
atn_measure_picture (void)
{
  AtnMoment now;

  if (!record.is_enabled)
    return;
  now = atn_measure_now ();
  if (record.input.wall != 0)
    add_sample ("input to picture", false,
                (Sample){ now.wall - record.input.wall, now.process - record.input.process });
  record.input = (AtnMoment){ 0 };
  if (record.has_picture)
    return;
  record.has_picture = true;
  atn_measure_mark ("first picture");
  if (record.first_picture_func != NULL)
    record.first_picture_func (record.first_picture_data);
}

void
atn_measure_set_first_picture_func (AtnMeasureFunc func, gpointer user_data)
{
  record.first_picture_func = func;
  record.first_picture_data = user_data;
}

void
atn_measure_reset (void)
{
  for (guint i = 0; i < record.series->len; i++)
    g_array_set_size (g_array_index (record.series, Series, i).samples, 0);
  record.turn = (AtnMoment){ 0 };
  record.input = (AtnMoment){ 0 };
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

static void
append_number (GString *json, const char *before, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, before);
  g_string_append (json, g_ascii_formatd (text, sizeof text, "%.3f", number));
}

/* [median, 9 of 10, largest] of the wall or of the processor, in ms. */
static void
append_quantiles (GString *json, const GArray *samples, bool is_cpu)
{
  const double quantiles[] = { 0.5, 0.9, 1.0 };
  g_autofree gint64 *times = g_new (gint64, samples->len);

  for (guint i = 0; i < samples->len; i++) {
    const Sample *sample = &g_array_index (samples, Sample, i);

    times[i] = is_cpu ? sample->cpu : sample->wall;
  }
  qsort (times, samples->len, sizeof *times, compare_numbers);
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    append_number (json, i == 0 ? "[" : ", ",
                   (double) times[(guint) (quantiles[i] * (double) (samples->len - 1))] / 1000.0);
  g_string_append_c (json, ']');
}

char *
atn_measure_dup_report (void)
{
  GString *json = g_string_new ("{");

  for (guint i = 0; i < record.series->len; i++) {
    const Series *series = &g_array_index (record.series, Series, i);

    if (series->samples->len == 0)
      continue;
    g_string_append_printf (json,
                            "%s\"%s%s\": {\"n\": %u, \"wall_ms\": ", json->len > 1 ? ", " : "",
                            series->is_callback ? "callback " : "", series->name,
                            series->samples->len);
    append_quantiles (json, series->samples, false);
    g_string_append (json, ", \"cpu_ms\": ");
    append_quantiles (json, series->samples, true);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}

char *
atn_measure_dup_marks (void)
{
  GString *json = g_string_new ("{");

  for (guint i = 0; i < record.marks->len; i++) {
    const Mark *mark = &g_array_index (record.marks, Mark, i);

    g_string_append_printf (json, "%s\"%s\": {\"at_us\": %" G_GINT64_FORMAT, i > 0 ? ", " : "",
                            mark->name, mark->moment.wall);
    append_number (json, ", \"cpu_ms\": ", (double) mark->moment.process / 1000.0);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}
