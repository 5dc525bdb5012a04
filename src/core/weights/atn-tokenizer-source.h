/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The tokenizer of a folder that has no tokenizer.json, and what the files that put one
 * together share.
 */

#pragma once

#include "weights/atn-weights-private.h"

G_BEGIN_DECLS

/* A family of tokenizers without a tokenizer.json. */
typedef struct
{
  const char *model_type;
  const char *file; /* vocab.json or vocab.txt */
  /* Its special tokens where no file names them; NULL where there are none. */
  const char *unk;
  const char *bos;
  const char *eos;
  const char *cls;
  const char *sep;
  const char *pad;
  const char *mask;
  const char *pattern; /* (nullable): words are cut by it instead of GPT-2's, behind NFC */
  bool adds_bos;       /* unless the settings say otherwise */
  /* Two sep between two texts, as RobertaProcessing puts them, and a mask that takes the space
   * before it. */
  bool is_roberta;
} AtnTokenizerFamily;

/* What the small files beside config.json say; each (nullable). */
typedef struct
{
  const char *folder;
  const AtnTokenizerFamily *family;
  AtnJson *settings; /* tokenizer_config.json */
  AtnJson *specials; /* special_tokens_map.json */
  AtnJson *added;    /* added_tokens.json */
} AtnTokenizerSource;

/* (nullable): the special token @key, such as "bos_token", @usual if no file names it. */
const char *
atn_tokenizer_source_find (const AtnTokenizerSource *self, const char *key, const char *usual);
/* A switch of tokenizer_config.json. */
gboolean atn_tokenizer_source_read_switch (const AtnTokenizerSource *self,
                                           const char *key,
                                           bool usual,
                                           bool *value,
                                           GError **error);

/* Appends the member "added_tokens" of a tokenizer.json; @vocab: {string: id}. */
gboolean atn_tokenizer_source_append_added (const AtnTokenizerSource *self,
                                            const AtnJson *vocab,
                                            GString *out,
                                            GError **error);

/* Appends all members but "added_tokens" and "model". */
gboolean atn_tokenizer_source_append_rules (const AtnTokenizerSource *self,
                                            const AtnJson *vocab,
                                            GString *out,
                                            GError **error);

/* What add_bos_token and add_eos_token ask for; NULL for what is not added. */
gboolean atn_tokenizer_source_read_ends (const AtnTokenizerSource *self,
                                         bool adds_bos,
                                         const char **begin,
                                         const char **end,
                                         GError **error);

/* Appends a TemplateProcessing of begin A end, and for a pair begin A end B end, with a second
 * begin where @begins_second; either may be NULL. */
gboolean atn_tokenizer_append_template (GString *out,
                                        const AtnJson *vocab,
                                        const char *begin,
                                        const char *end,
                                        bool begins_second,
                                        GError **error);

G_END_DECLS
