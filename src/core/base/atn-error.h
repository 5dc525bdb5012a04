/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The one error domain of the program. A code says what a caller does next;
 * the message says the rest, in one sentence without a full stop: which file,
 * which key, tensor or byte, what was found, what was expected.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * AtnError:
 * @ATN_ERROR_INVALID_FORMAT: the file or the text is not what it says it is
 * @ATN_ERROR_UNSUPPORTED: it is well-formed, but this program cannot use it
 * @ATN_ERROR_MISSING_TENSOR: a tensor that the model needs is absent
 * @ATN_ERROR_SHAPE_MISMATCH: a tensor has another shape than the config says
 * @ATN_ERROR_TOO_LARGE: the request is more than memory, n_ctx or a format allows
 * @ATN_ERROR_IO: the disk or the place on it said no
 */
typedef enum
{
  ATN_ERROR_INVALID_FORMAT,
  ATN_ERROR_UNSUPPORTED,
  ATN_ERROR_MISSING_TENSOR,
  ATN_ERROR_SHAPE_MISMATCH,
  ATN_ERROR_TOO_LARGE,
  ATN_ERROR_IO,
} AtnError;

#define ATN_ERROR (atn_error_quark ())

GQuark atn_error_quark (void);

G_END_DECLS
