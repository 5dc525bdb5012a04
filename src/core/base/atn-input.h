/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Reading files that others wrote, and may be writing right now. Only regular
 * files are opened (a pipe would wait for ever), and sizes are checked before
 * memory is asked for.
 */

#pragma once

#include "base/atn-progress.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _AtnInput AtnInput;

/**
 * atn_input_open:
 *
 * Errors: ATN_ERROR_IO with the system's reason, also for what is no regular file
 */
AtnInput *atn_input_open (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_input_close (AtnInput *self);

/* Bytes at the time of opening. */
guint64 atn_input_get_size (const AtnInput *self);

/* The first bytes, at most @n; returns how many. */
gsize atn_input_peek (const AtnInput *self, guint8 *buffer, gsize n);

/**
 * atn_input_read:
 * @offset: first byte
 * @length: how many; all inside the size
 * @progress: told from 0 to 1
 *
 * Returns: (transfer full): the bytes, at an address that suits any number
 * Errors: ATN_ERROR_IO if the file has become shorter or the disk fails; ATN_ERROR_TOO_LARGE if
 *   there is no memory; G_IO_ERROR_CANCELLED
 */
GBytes *atn_input_read (const AtnInput *self,
                        guint64 offset,
                        gsize length,
                        const AtnProgress *progress,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The whole file, which must not be empty, mapped: see atn-mapping.h. */
GBytes *atn_input_map (const AtnInput *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_input_read_file:
 * @max_size: largest size that is read
 *
 * A whole file.
 *
 * Errors: those of atn_input_open() and atn_input_read(); ATN_ERROR_TOO_LARGE over @max_size
 */
GBytes *atn_input_read_file (const char *path,
                             guint64 max_size,
                             const AtnProgress *progress,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnInput, atn_input_close)

G_END_DECLS
