/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Base64 as RFC 4648 section 4 has it, and nothing else: GLib's decoder skips
 * what it does not know, which would shift every weight behind a damaged byte.
 */

#pragma once

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

/**
 * atn_base64_decode:
 * @text: [length] characters of base64, with its padding
 * @n_bytes: (out): bytes of the result
 *
 * Returns: (transfer full): the bytes, at an address that suits any number
 * Errors: ATN_ERROR_INVALID_FORMAT for a character that is not base64 (naming it and its place)
 *   or a length that is no multiple of four; ATN_ERROR_TOO_LARGE without memory
 */
guint8 *atn_base64_decode (const char *text, size_t length, size_t *n_bytes, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/* Appends @n_bytes of @data to @out. */
void atn_base64_append (GString *out, const guint8 *data, size_t n_bytes);

G_END_DECLS
