/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The card of a JSON model file: name, description, licence, examples. All of it is
 * optional, none of it is a number of the model: what is malformed here is left out
 * with a warning, it never keeps a model from opening.
 */

#pragma once

#include "model/atn-model.h"

G_BEGIN_DECLS

/**
 * atn_card_dup_name:
 * @card: (nullable): the root of a JSON model file
 * @path: the model's file or folder, whose name counts where the card gives none
 *
 * Returns: (transfer full)
 */
char *atn_card_dup_name (const AtnJson *card, const char *path);

/**
 * atn_card_get_text:
 * @node: (nullable): a string, or an object language → string
 * @languages: (nullable): as g_get_language_names()
 *
 * Returns: (nullable): the text in the first of @languages that there is, else in English, else in
 *   the first language of the file
 */
const char *atn_card_get_text (const AtnJson *node, const char *const *languages);

/* (transfer full) (element-type AtnExample): those that the model can show. */
GPtrArray *
atn_card_dup_examples (const AtnJson *card, const AtnConfig *config, const char *const *languages);

/* Adds to @warnings (element-type utf8) one sentence for each example that is left out. */
void atn_card_check_examples (const AtnJson *card, const AtnConfig *config, GPtrArray *warnings);

G_END_DECLS
