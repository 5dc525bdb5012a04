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
