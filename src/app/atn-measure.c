/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Two views of the same time: a callback of ours, bracketed by hand, and a
 * whole turn of the main loop, from one poll to the next, in which GTK's own
 * layout and painting are included. The second needs no cooperation, so it
 * finds what nobody thought of bracketing.
 */

#include "app/atn-measure.h"

typedef struct
{
  bool is_enabled;
  int depth;
  gint64 longest_us;
  const char *longest_name;
  gint64 turn_start;
  gint64 longest_turn_us;
  gint64 input_time;
  GArray *latencies; /* (element-type gint64) input to picture, µs */
  gint64 first_picture_time;
  AtnMeasureFunc first_picture_func;
  gpointer first_picture_data;
} Record;

static Record record;

static gint
measured_poll (GPollFD *fds, guint n_fds, gint timeout)
{
  gint64 now = g_get_monotonic_time ();
  gint n_ready;

  if (record.turn_start != 0)
    record.longest_turn_us = MAX (record.longest_turn_us, now - record.turn_start);
  n_ready = g_poll (fds, n_fds, timeout);
  record.turn_start = g_get_monotonic_time ();
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
  return g_get_monotonic_time ();
}

void
atn_measure_end (const char *name, gint64 start)
{
  gint64 duration = g_get_monotonic_time () - start;

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

char *
atn_measure_dup_report (void)
{
  char median[G_ASCII_DTOSTR_BUF_SIZE], worst[G_ASCII_DTOSTR_BUF_SIZE];
  char callback[G_ASCII_DTOSTR_BUF_SIZE], turn[G_ASCII_DTOSTR_BUF_SIZE];

  g_array_sort (record.latencies, compare_times);
  g_ascii_formatd (median, sizeof median, "%.3f", get_quantile_ms (record.latencies, 0.5));
  g_ascii_formatd (worst, sizeof worst, "%.3f", get_quantile_ms (record.latencies, 1.0));
  g_ascii_formatd (callback, sizeof callback, "%.3f", (double) record.longest_us / 1000.0);
  g_ascii_formatd (turn, sizeof turn, "%.3f", (double) record.longest_turn_us / 1000.0);
  return g_strdup_printf ("{\"first_picture_at_us\": %" G_GINT64_FORMAT ", \"n_pictures\": %u, "
                          "\"input_to_picture_ms\": {\"median\": %s, \"largest\": %s}, "
                          "\"longest_callback_ms\": %s, \"longest_callback\": \"%s\", "
                          "\"longest_turn_ms\": %s}",
                          record.first_picture_time, record.latencies->len, median, worst, callback,
                          record.longest_name != NULL ? record.longest_name : "", turn);
}
