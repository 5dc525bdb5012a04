/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Models that are cut into several GGUF files.
 */

#pragma once

#include "weights/atn-gguf.h"
#include "weights/atn-weights-private.h"

G_BEGIN_DECLS

/* Maps a file, which @weights keeps from then on. Errors: those of atn_input_open() and
 * atn_gguf_new() */
AtnGguf *atn_gguf_load_file (AtnWeights *weights,
                             const char *path,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * atn_gguf_load_parts:
 * @self: a whole model, or the first part of one
 * @weights: keeps the files of the others
 * @path: where @self is
 *
 * Gives @self the tensors of all parts.
 *
 * Errors: ATN_ERROR_UNSUPPORTED if @self is another part than the first, naming that;
 *   ATN_ERROR_IO naming a part that is not there; ATN_ERROR_INVALID_FORMAT for a part of another
 *   model; ATN_ERROR_MISSING_TENSOR if there are fewer tensors than the first says
 */
gboolean atn_gguf_load_parts (AtnGguf *self,
                              AtnWeights *weights,
                              const char *path,
                              const AtnProgress *progress,
                              GError **error);

G_END_DECLS
