/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One sentence: a text view of one to five lines that looks like an entry. The
 * Tab key moves the focus, Enter inserts nothing, Shift+Enter a line end;
 * pasted line ends and tabs stay, because they are tokens, too.
 */

#pragma once

#include "app/atn-view.h"

G_BEGIN_DECLS

#define ATN_TYPE_SENTENCE (atn_sentence_get_type ())
G_DECLARE_FINAL_TYPE (AtnSentence, atn_sentence, ATN, SENTENCE, AtnView)

#define ATN_SENTENCE_MAX_LINES 5

/* How many lines may show at once, at most %ATN_SENTENCE_MAX_LINES; more are scrolled to. */
void atn_sentence_set_max_lines (AtnSentence *self, int max_lines);
/* Appends to the text as if it were typed. */
void atn_sentence_append (AtnSentence *self, const char *text);
/* Puts a word at the cursor, in place of the selection, apart from the words beside it, and moves
 * the focus there. */
void atn_sentence_insert_word (AtnSentence *self, const char *word);

G_END_DECLS
