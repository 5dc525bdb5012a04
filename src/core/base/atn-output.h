/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Writing a whole file or nothing. A regular file is written under a temporary
 * name in the same folder, flushed, and renamed over the old one, which stays
 * untouched on failure. A target that is no regular file (a pipe, /dev/stdout)
 * is written to directly.
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _AtnOutput AtnOutput;

/**
 * atn_output_open:
 * @path: where to; "-" is standard output
 *
 * Begins a file that is written piece by piece, because it may be larger than the memory. It
 * appears under its name with atn_output_close() only.
 *
 * Returns: (transfer full)
 * Errors: ATN_ERROR_IO naming @path and the system's reason
 */
AtnOutput *atn_output_open (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Errors: as above; what may follow then is atn_output_discard(). */
gboolean atn_output_append (AtnOutput *self, const void *data, gsize length, GError **error);

/**
 * atn_output_close:
 * @self: (transfer full)
 *
 * Ends the file: what was appended is on the disk, under its name.
 *
 * Errors: as above; no partial file stays behind
 */
gboolean atn_output_close (AtnOutput *self, GError **error);

/* Leaves nothing behind, and an older file of the name as it was. */
void atn_output_discard (AtnOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnOutput, atn_output_discard)

/**
 * atn_output_write:
 * @path: where to; "-" is standard output
 * @data: what to write
 * @length: bytes of @data
 *
 * Errors: ATN_ERROR_IO naming @path and the system's reason; no partial file stays behind
 */
gboolean atn_output_write (const char *path, const void *data, gsize length, GError **error);

G_END_DECLS
