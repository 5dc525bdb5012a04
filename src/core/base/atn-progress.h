/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * AtnProgressFunc:
 * @fraction: how much of the work is done, from 0 to 1
 * @user_data: what was handed over with the function
 *
 * Called on the thread that does the work, a few hundred times at most.
 */
typedef void (*AtnProgressFunc) (double fraction, gpointer user_data);

/* Whom a long work tells how far it is, and who may stop it. The work of one call
 * may be a part, from @from to @to, of a larger one. */
typedef struct
{
  AtnProgressFunc func; /* (nullable) */
  gpointer user_data;
  GCancellable *cancellable; /* (nullable) */
  double from;
  double to;
} AtnProgress;

/* Tells that @fraction of this part is done. Errors: G_IO_ERROR_CANCELLED */
static inline gboolean
atn_progress_step (const AtnProgress *self, double fraction, GError **error)
{
  if (self->func != NULL)
    self->func (self->from + fraction * (self->to - self->from), self->user_data);

  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

G_END_DECLS
