/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A file as memory. Nothing is read before it is looked at, and what was looked at can be dropped
 * again by the system; but what happens to the file happens to the bytes:
 *
 *   replaced (a new file gets the old name)   the mapping keeps the old file
 *   written over                              the bytes may be old or new
 *   cut off                                   the pages are gone, and reading one raises SIGBUS
 *
 * The third is what a training run does that saves over its own file, and by itself it ends the
 * process. So a handler for SIGBUS puts zeros where a guarded mapping lost its pages, and
 * marks it; atn_mapping_check() tells of that, and of a file that was written over. Who has
 * computed with mapped numbers asks it before the result is shown.
 */

#pragma once

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

/**
 * atn_mapping_new:
 * @fd: an open file; the mapping takes its own copy
 * @size: its size, above 0
 *
 * Returns: (transfer full): the whole file
 * Errors: ATN_ERROR_IO with the system's reason, or if too many files are mapped already
 */
GBytes *atn_mapping_new (int fd, gsize size, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether @bytes are a mapping. */
bool atn_mapping_is_mapped (GBytes *bytes);

/**
 * atn_mapping_check:
 * @bytes: of atn_mapping_new(), or any others, which never change
 *
 * Errors: ATN_ERROR_IO if the file has another size or time than when it was mapped
 */
gboolean atn_mapping_check (GBytes *bytes, GError **error);

G_END_DECLS
