/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "base/atn-matrix.h"

AtnMatrix *
atn_matrix_new (size_t n_rows, size_t n_cols)
{
  AtnMatrix *self = g_new0 (AtnMatrix, 1);
  size_t n_values;

  if (!g_size_checked_mul (&n_values, n_rows, n_cols))
    g_error ("a matrix of %zu × %zu does not fit into memory", n_rows, n_cols);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_rows = n_rows;
  self->n_cols = n_cols;
  self->values = g_new0 (float, n_values);
  return self;
}

AtnMatrix *
atn_matrix_ref (AtnMatrix *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_matrix_unref (AtnMatrix *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->values);
  g_free (self->forbidden);
  g_free (self);
}
