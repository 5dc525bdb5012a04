/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What is put around the tokens of a text: [CLS] text [SEP] pair [SEP]. Every
 * processor of tokenizer.json comes down to two templates, one for a text alone and
 * one for a pair, and to the switch that trims white space from offsets.
 */

#pragma once

#include "base/atn-json.h"

#include <stdint.h>

G_BEGIN_DECLS

typedef struct
{
  int sequence; /* 0 the text, 1 the pair, -1 a special token */
  uint32_t type_id;
  uint32_t id; /* of the special token */
} AtnTemplatePart;

typedef struct
{
  GArray *single; /* AtnTemplatePart */
  GArray *pair;
  bool has_template;      /* a processor said how a text is wrapped */
  bool trims_offsets;     /* spaces at the edges of a token do not count as its text … */
  bool keeps_first_space; /* … but for one at the start, which the pre-tokenizer put there */
} AtnPostProcessor;

/**
 * atn_post_processor_new:
 * @json: (nullable): the "post_processor" of a tokenizer.json; known: TemplateProcessing,
 *   BertProcessing, RobertaProcessing, ByteLevel, and a Sequence in which one of them has a
 *   template at most
 *
 * Without a template the text comes alone, and a pair right behind it with type id 1.
 *
 * Errors: ATN_ERROR_UNSUPPORTED naming an unknown type; ATN_ERROR_INVALID_FORMAT
 */
AtnPostProcessor *atn_post_processor_new (const AtnJson *json,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_post_processor_free (AtnPostProcessor *self);

/* Whether the template for pairs has a place for the second text. */
bool atn_post_processor_has_pair (const AtnPostProcessor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnPostProcessor, atn_post_processor_free)

G_END_DECLS
