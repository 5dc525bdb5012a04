/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Two views of the same time: a callback of ours, bracketed by hand, and a
 * whole turn of the main loop, from one poll to the next, in which GTK's own
 * layout and painting are included. The second needs no cooperation, so it
 * finds what nobody thought of bracketing. Both are in processor time of the
 * main thread; the turn is also told by the clock on the wall.
 */

#include "app/atn-measure.h"

#include <time.h>

typedef struct
{
  bool is_enabled;
  int depth;
  gint64 longest_us;
  const char *longest_name;
  gint64 turn_start;
  gint64 turn_cpu_start;
  gint64 longest_turn_us;
  gint64 longest_turn_cpu_us;
  gint64 input_time;
  GArray *latencies; /* (element-type gint64) input to picture, µs */
  gint64 first_picture_time;
  AtnMeasureFunc first_picture_func;
  gpointer first_picture_data;
} Record;

static Record record;

static gint64
get_cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint
measured_poll (GPollFD *fds, guint n_fds, gint timeout)
{
  gint n_ready;

  if (record.turn_start != 0) {
    record.longest_turn_us =
      MAX (record.longest_turn_us, g_get_monotonic_time () - record.turn_start);
    record.longest_turn_cpu_us =
      MAX (record.longest_turn_cpu_us, get_cpu_time () - record.turn_cpu_start);
  }
  n_ready = g_poll (fds, n_fds, timeout);
  record.turn_start = g_get_monotonic_time ();
  record.turn_cpu_start = get_cpu_time ();
  return n_ready;
}

void
atn_measure_enable (void)
{
  record.is_enabled = true;
  record.latencies = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_main_context_set_poll_func (NULL, measured_poll);
}

bool
atn_measure_is_enabled (void)
{
  return record.is_enabled;
}

gint64
atn_measure_begin (void)
{
  record.depth++;
  return get_cpu_time ();
}

void
atn_measure_end (const char *name, gint64 start)
{
  gint64 duration = get_cpu_time () - start;

  if (--record.depth > 0 || duration <= record.longest_us)
    return;
  record.longest_us = duration;
  record.longest_name = name;
}

void
atn_measure_input (void)
{
  record.input_time = g_get_monotonic_time ();
}

void
atn_measure_picture (void)
{
  gint64 now = g_get_monotonic_time ();
  gint64 latency = now - record.input_time;

  if (!record.is_enabled)
    return;
  if (record.input_time != 0)
    g_array_append_val (record.latencies, latency);
  record.input_time = 0;
  if (record.first_picture_time != 0)
    return;
  record.first_picture_time = now;
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
  record.longest_us = 0;
  record.longest_name = NULL;
  record.longest_turn_us = 0;
  record.longest_turn_cpu_us = 0;
  record.turn_start = 0;
  record.input_time = 0;
  g_array_set_size (record.latencies, 0);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

static double
get_quantile_ms (GArray *times, double quantile)
{
  if (times->len == 0)
    return 0.0;
  return (double) g_array_index (times, gint64, (guint) (quantile * (double) (times->len - 1))) /
         1000.0;
}

static void
append_ms (GString *report, const char *key, double milliseconds)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.3f", milliseconds);
  g_string_append_printf (report, ", \"%s\": %s", key, number);
}

char *
atn_measure_dup_report (void)
{
  GString *report = g_string_new (NULL);

  g_array_sort (record.latencies, compare_times);
  g_string_append_printf (report,
                          "{\"first_picture_at_us\": %" G_GINT64_FORMAT ", \"n_pictures\": %u",
                          record.first_picture_time, record.latencies->len);
  append_ms (report, "input_to_picture_median_ms", get_quantile_ms (record.latencies, 0.5));
  append_ms (report, "input_to_picture_p90_ms", get_quantile_ms (record.latencies, 0.9));
  append_ms (report, "input_to_picture_largest_ms", get_quantile_ms (record.latencies, 1.0));
  append_ms (report, "longest_callback_cpu_ms", (double) record.longest_us / 1000.0);
  g_string_append_printf (report, ", \"longest_callback\": \"%s\"",
                          record.longest_name != NULL ? record.longest_name : "");
  append_ms (report, "longest_turn_cpu_ms", (double) record.longest_turn_cpu_us / 1000.0);
  append_ms (report, "longest_turn_ms", (double) record.longest_turn_us / 1000.0);
  g_string_append_c (report, '}');
  return g_string_free (report, FALSE);
}
