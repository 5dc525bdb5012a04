/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "bench-clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

BenchTime
bench_clock_read (void)
{
  return (BenchTime){ .wall = read_clock (CLOCK_MONOTONIC),
                      .cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) };
}

BenchTime
bench_clock_since (const BenchTime *start)
{
  BenchTime now = bench_clock_read ();

  return (BenchTime){ .wall = now.wall - start->wall, .cpu = now.cpu - start->cpu };
}

static int
compare_numbers (const void *a, const void *b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left > right) - (left < right);
}

void
bench_print (const char *name, const BenchSeries *series, size_t n_series, size_t n_runs)
{
  printf ("{\"bench\": \"%s\", \"values\": {", name);
  for (size_t i = 0; i < n_series; i++) {
    double *numbers = series[i].numbers;

    qsort (numbers, n_runs, sizeof *numbers, compare_numbers);
    printf ("%s\"%s\": [%.4f, %.4f, %.4f]", i > 0 ? ", " : "", series[i].name, numbers[0],
            numbers[n_runs / 2], numbers[n_runs - 1]);
  }
  printf ("}}\n");
  fflush (stdout);
}
