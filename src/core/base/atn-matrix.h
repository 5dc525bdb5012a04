/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A [query, key] matrix as the views, the figures and the files see it: one
 * head at one stage. Row = query, column = key, row 0 first. A forbidden score
 * is -INFINITY; its weight is 0 (see n_forbidden).
 */

#pragma once

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct
{
  gatomicrefcount ref_count;
  size_t n_rows; /* queries */
  size_t n_cols; /* keys */
  float *values; /* [n_rows, n_cols] */
  /* [n_rows, n_cols] 1 where the mask forbids the key, or NULL where no mask has
   * been applied yet at this stage. */
  guint8 *forbidden;
} AtnMatrix;

AtnMatrix *atn_matrix_new (size_t n_rows, size_t n_cols) G_GNUC_WARN_UNUSED_RESULT;
AtnMatrix *atn_matrix_ref (AtnMatrix *self);
void atn_matrix_unref (AtnMatrix *self);

static inline float
atn_matrix_get (const AtnMatrix *self, size_t row, size_t col)
{
  return self->values[row * self->n_cols + col];
}

static inline gboolean
atn_matrix_is_forbidden (const AtnMatrix *self, size_t row, size_t col)
{
  return self->forbidden != NULL && self->forbidden[row * self->n_cols + col] != 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnMatrix, atn_matrix_unref)

G_END_DECLS
