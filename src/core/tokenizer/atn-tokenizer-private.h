/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the files of the tokenizer share.
 */

#pragma once

#include "tokenizer/atn-added-token.h"
#include "tokenizer/atn-decoder.h"
#include "tokenizer/atn-post-processor.h"
#include "tokenizer/atn-text-step.h"
#include "tokenizer/atn-tokenizer.h"
#include "tokenizer/atn-word-model.h"

G_BEGIN_DECLS

struct _AtnTokenizer
{
  gatomicrefcount ref_count;
  AtnWordModel *model;
  AtnAddedTokens *added;
  GPtrArray *normalizer;    /* AtnTextStep */
  GPtrArray *pre_tokenizer; /* AtnTextStep */
  AtnPostProcessor *post_processor;

  AtnDecoder spelling; /* of the vocabulary, as the decoder or the other steps say */
};

G_END_DECLS
