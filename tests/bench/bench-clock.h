/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Times by the wall and by the processor, and how several runs are told. Their
 * median says what to expect; on a machine that does other things as well the
 * best says what the code can do, since others only ever slow it down.
 */

#pragma once

#include <glib.h>

typedef struct
{
  double wall; /* seconds */
  double cpu;  /* likewise, of all threads together */
} BenchTime;

BenchTime bench_clock_read (void);
BenchTime bench_clock_since (const BenchTime *start);

typedef struct
{
  const char *name; /* with its unit */
  double *numbers;  /* [n_runs], which are sorted */
} BenchSeries;

/* Prints one line of JSON: {"bench": NAME, "values": {"NAME": [smallest, median, largest], …}}. */
void bench_print (const char *name, const BenchSeries *series, size_t n_series, size_t n_runs);
