/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From a value to a position on the colour map. Forbidden cells and values that are no
 * number take no part: one -INFINITY in the range would give every other cell the same
 * colour.
 */

#include "plot/atn-figure-private.h"

/* A weight of e⁻³⁰ is a fact, but a scale that reaches it has one colour left for the rest. */
#define MAX_LOG_SPAN 1e6

void
atn_range_from_matrix (AtnRange *self, const AtnMatrix *matrix, bool is_signed)
{
  double low = HUGE_VAL;
  double high = -HUGE_VAL;

  g_return_if_fail (self != NULL && matrix != NULL);

  for (size_t row = 0; row < matrix->n_rows; row++) {
    for (size_t col = 0; col < matrix->n_cols; col++) {
      const double value = (double) atn_cells_get_value (matrix, row, col);

      if (isfinite (value)) {
        low = fmin (low, value);
        high = fmax (high, value);
      }
    }
  }
  if (low > high)
    low = high = 0;

  *self = (AtnRange){ .low = low, .high = high, .is_signed = is_signed };
  if (is_signed) {
    self->max = fmax (fabs (low), fabs (high));
    if (self->max == 0)
      self->max = 1;
    self->min = -self->max;
  } else {
    self->min = fmin (low, 0);
    self->max = high > self->min ? high : self->min + 1;
  }
  if (self->low == self->high) {
    self->low = self->min;
    self->high = self->max;
  }
  if (!is_signed)
    self->low = self->min;
}

void
atn_range_extend (AtnRange *self, const AtnRange *other)
{
  g_return_if_fail (self != NULL && other != NULL);

  self->min = fmin (self->min, other->min);
  self->max = fmax (self->max, other->max);
  self->low = fmin (self->low, other->low);
  self->high = fmax (self->high, other->high);
}

void
atn_range_set_log (AtnRange *self, const AtnMatrix *matrix)
{
  double smallest = HUGE_VAL;

  g_return_if_fail (self != NULL && matrix != NULL);

  if (self->is_signed || self->max <= 0)
    return;

  for (size_t row = 0; row < matrix->n_rows; row++) {
    for (size_t col = 0; col < matrix->n_cols; col++) {
      const double value = (double) atn_cells_get_value (matrix, row, col);

      if (value > 0)
        smallest = fmin (smallest, value);
    }
  }
  /* At least one decade, so that equal weights have a scale, too. */
  self->min = CLAMP (smallest, self->max / MAX_LOG_SPAN, self->max / 10);
  self->low = self->min;
  self->is_log = true;
}

double
atn_range_get_position (const AtnRange *self, double value)
{
  double position;

  if (isnan (value))
    return value;

  if (self->is_log)
    position = value <= self->min ? 0 : log (value / self->min) / log (self->max / self->min);
  else
    position = (value - self->min) / (self->max - self->min);
  return CLAMP (position, 0.0, 1.0);
}
