/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The text on its way through the pipeline. Every byte of it knows which bytes of
 * the typed text it stands for, so that a token can be shown where it was typed,
 * whatever was lower-cased, stripped or inserted on the way:
 *
 *   typed   É  t  é          spans are absolute and end on characters
 *   bytes   e  t  e          after BERT's normalizer
 *   spans  0-2 2-3 3-5
 *
 * Stages cut the text into pieces and rewrite the pieces that are no token yet. A
 * rewriting stage speaks in edits, one for each character that comes out, because
 * that is how the reference defines which typed bytes a new character gets.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Bytes of the typed text, end exclusive. */
typedef struct
{
  uint32_t start;
  uint32_t end;
} AtnSpan;

typedef struct
{
  size_t start; /* bytes of AtnAlignedText, end exclusive */
  size_t end;
  AtnSpan origin; /* the typed bytes that the piece was cut from */
  int32_t token;  /* id of the added token the piece is, -1 while it is text */
} AtnPiece;

typedef struct
{
  GByteArray *bytes;
  GArray *spans;  /* AtnSpan for each byte */
  GArray *pieces; /* AtnPiece, in order; together they need not cover the bytes */
} AtnAlignedText;

/* One character of the outcome and what it did to the old ones: 0 replaces the next one, n > 0 is
 * new, -n replaces the next one and drops n after it. */
typedef struct
{
  gunichar character;
  int32_t change;
} AtnEdit;

/* One part of a piece that a splitter found, bytes relative to the piece. */
typedef struct
{
  size_t start;
  size_t end;
  bool is_match;
} AtnMatch;

/* What becomes of the matches of a splitter; the names are those of tokenizer.json. */
typedef enum
{
  ATN_SPLIT_REMOVED,
  ATN_SPLIT_ISOLATED,
  ATN_SPLIT_CONTIGUOUS,
  ATN_SPLIT_MERGED_WITH_PREVIOUS,
  ATN_SPLIT_MERGED_WITH_NEXT,
} AtnSplitBehavior;

/* Appends the AtnMatch-es of @text to @matches, without gaps. */
typedef gboolean (*AtnSplitFunc) (const char *text,
                                  size_t length,
                                  GArray *matches,
                                  gconstpointer data,
                                  GError **error);

/* Appends to @edits what becomes of @characters; @n_dropped: how many are dropped at the start. */
typedef void (*AtnEditFunc) (const gunichar *characters,
                             size_t n_characters,
                             GArray *edits,
                             size_t *n_dropped,
                             gconstpointer data);

/* Appends to @target what becomes of @piece of @self. */
typedef gboolean (*AtnRewriteFunc) (const AtnAlignedText *self,
                                    const AtnPiece *piece,
                                    AtnAlignedText *target,
                                    gconstpointer data,
                                    GError **error);

/* @text is valid UTF-8 of less than 4 GiB; one piece holds all of it. */
AtnAlignedText *atn_aligned_text_new (const char *text, size_t length) G_GNUC_WARN_UNUSED_RESULT;
void atn_aligned_text_free (AtnAlignedText *self);

const char *
atn_aligned_text_get_piece (const AtnAlignedText *self, const AtnPiece *piece, size_t *length);

/* Cuts every piece that is no token; empty pieces vanish. Errors: those of @func; the text is
 * then half cut. */
gboolean atn_aligned_text_split (AtnAlignedText *self,
                                 AtnSplitFunc func,
                                 AtnSplitBehavior behavior,
                                 gconstpointer data,
                                 GError **error);

/* Rewrites every piece that is no token. Errors: those of @func; the text is then as it was. */
gboolean atn_aligned_text_rewrite (AtnAlignedText *self,
                                   AtnRewriteFunc func,
                                   gconstpointer data,
                                   GError **error);

/* Edits the characters of every piece that is no token. */
void atn_aligned_text_edit (AtnAlignedText *self, AtnEditFunc func, gconstpointer data);

/* For an AtnRewriteFunc: characters as they are, or new ones that all stand for @span. */
void atn_aligned_text_append (AtnAlignedText *self, const char *text, size_t length, AtnSpan span);
void atn_aligned_text_append_part (AtnAlignedText *self,
                                   const AtnAlignedText *source,
                                   size_t start,
                                   size_t end);

/* Appends a piece; its origin is what its bytes stand for. */
void atn_aligned_text_append_piece (const AtnAlignedText *self,
                                    GArray *pieces,
                                    size_t start,
                                    size_t end,
                                    int32_t token);

/* The typed bytes that bytes @start to @end of @piece (relative to it) stand for. */
AtnSpan atn_aligned_text_get_span (const AtnAlignedText *self,
                                   const AtnPiece *piece,
                                   size_t start,
                                   size_t end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnAlignedText, atn_aligned_text_free)

G_END_DECLS
