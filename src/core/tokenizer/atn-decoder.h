/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The "decoder" of a tokenizer.json says how tokens become text again. Labels need from
 * it how a vocabulary is spelled; joining tokens is nobody's need here.
 */

#pragma once

#include "base/atn-json.h"

G_BEGIN_DECLS

typedef struct
{
  bool is_byte_level; /* in GPT-2's alphabet of bytes */
  char *space;        /* (nullable): what stands for a space, such as ▁ */
} AtnDecoder;

/**
 * atn_decoder_read:
 * @json: known are ByteLevel, Metaspace, Replace, ByteFallback, Fuse, Strip, WordPiece, BPEDecoder
 *   and a Sequence of them
 * @self: (inout): what @json says is filled in, the rest stays
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming an unknown type; ATN_ERROR_INVALID_FORMAT
 */
gboolean atn_decoder_read (const AtnJson *json, AtnDecoder *self, GError **error);
void atn_decoder_clear (AtnDecoder *self);

G_END_DECLS
