/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The arithmetic of edits is the reference's (NormalizedString::transform_range),
 * with its corners: a new character shares the span of the byte before it in the
 * old text, whatever was inserted in between.
 */

#include "tokenizer/atn-aligned-text.h"

#include <string.h>

static AtnAlignedText *
new_empty (size_t n_bytes)
{
  AtnAlignedText *self = g_new0 (AtnAlignedText, 1);

  self->bytes = g_byte_array_sized_new ((guint) n_bytes);
  self->spans = g_array_sized_new (FALSE, FALSE, sizeof (AtnSpan), (guint) n_bytes);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (AtnPiece));
  return self;
}

static AtnSpan
span_at (const AtnAlignedText *self, size_t index)
{
  return g_array_index (self->spans, AtnSpan, index);
}

AtnAlignedText *
atn_aligned_text_new (const char *text, size_t length)
{
  AtnAlignedText *self = new_empty (length);
  AtnPiece piece = { 0, length, { 0, (uint32_t) length }, -1 };

  for (size_t start = 0; start < length;) {
    size_t n_bytes = (size_t) (g_utf8_next_char (text + start) - (text + start));
    AtnSpan span = { (uint32_t) start, (uint32_t) (start + n_bytes) };

    atn_aligned_text_append (self, text + start, n_bytes, span);
    start += n_bytes;
  }
  if (length > 0)
    g_array_append_val (self->pieces, piece);
  return self;
}

void
atn_aligned_text_free (AtnAlignedText *self)
{
  g_byte_array_unref (self->bytes);
  g_array_unref (self->spans);
  g_array_unref (self->pieces);
  g_free (self);
}

const char *
atn_aligned_text_get_piece (const AtnAlignedText *self, const AtnPiece *piece, size_t *length)
{
  *length = piece->end - piece->start;
  /* An empty array has no data to point into. */
  return *length == 0 ? "" : (const char *) self->bytes->data + piece->start;
}

void
atn_aligned_text_append (AtnAlignedText *self, const char *text, size_t length, AtnSpan span)
{
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) length);
  for (size_t i = 0; i < length; i++)
    g_array_append_val (self->spans, span);
}

void
atn_aligned_text_append_part (AtnAlignedText *self,
                              const AtnAlignedText *source,
                              size_t start,
                              size_t end)
{
  if (start == end)
    return;

  g_byte_array_append (self->bytes, source->bytes->data + start, (guint) (end - start));
  g_array_append_vals (self->spans, &g_array_index (source->spans, AtnSpan, start),
                       (guint) (end - start));
}

void
atn_aligned_text_append_piece (const AtnAlignedText *self,
                               GArray *pieces,
                               size_t start,
                               size_t end,
                               int32_t token)
{
  AtnPiece piece = { start, end, { 0, 0 }, token };

  if (start >= end)
    return;

  piece.origin.start = span_at (self, start).start;
  piece.origin.end = span_at (self, end - 1).end;
  g_array_append_val (pieces, piece);
}

AtnSpan
atn_aligned_text_get_span (const AtnAlignedText *self,
                           const AtnPiece *piece,
                           size_t start,
                           size_t end)
{
  AtnSpan span = { (uint32_t) start, (uint32_t) end };

  if (start >= end) {
    span.start += piece->origin.start;
    span.end = span.start;
  } else if (end <= piece->end - piece->start) {
    span.start = span_at (self, piece->start + start).start;
    span.end = span_at (self, piece->start + end - 1).end;
  }
  return span;
}

/* Joins each match with the part before it (or, walking backwards, after it). */
static void
merge_matches (GArray *matches, AtnSplitBehavior behavior)
{
  guint n_kept = 0;
  bool was_match = false;

  for (guint i = 0; i < matches->len; i++) {
    AtnMatch match = g_array_index (matches, AtnMatch, i);
    bool joins =
      behavior == ATN_SPLIT_CONTIGUOUS ? match.is_match == was_match : match.is_match && !was_match;

    was_match = match.is_match;
    match.is_match = false;
    if (joins && n_kept > 0) {
      AtnMatch *last = &g_array_index (matches, AtnMatch, n_kept - 1);

      last->start = MIN (last->start, match.start);
      last->end = MAX (last->end, match.end);
    } else {
      g_array_index (matches, AtnMatch, n_kept++) = match;
    }
  }
  g_array_set_size (matches, n_kept);
}

static void
reverse_matches (GArray *matches)
{
  for (guint i = 0; i < matches->len / 2; i++) {
    AtnMatch *a = &g_array_index (matches, AtnMatch, i);
    AtnMatch *b = &g_array_index (matches, AtnMatch, matches->len - 1 - i);
    AtnMatch swap = *a;

    *a = *b;
    *b = swap;
  }
}

static void
apply_behavior (GArray *matches, AtnSplitBehavior behavior)
{
  if (behavior == ATN_SPLIT_REMOVED || behavior == ATN_SPLIT_ISOLATED)
    return;

  if (behavior == ATN_SPLIT_MERGED_WITH_NEXT)
    reverse_matches (matches);
  merge_matches (matches, behavior);
  if (behavior == ATN_SPLIT_MERGED_WITH_NEXT)
    reverse_matches (matches);
}

gboolean
atn_aligned_text_split (AtnAlignedText *self,
                        AtnSplitFunc func,
                        AtnSplitBehavior behavior,
                        gconstpointer data,
                        GError **error)
{
  g_autoptr (GArray) old_pieces = self->pieces;
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (AtnMatch));

  self->pieces = g_array_sized_new (FALSE, FALSE, sizeof (AtnPiece), old_pieces->len);
  for (guint i = 0; i < old_pieces->len; i++) {
    const AtnPiece *piece = &g_array_index (old_pieces, AtnPiece, i);
    const char *text;
    size_t length;

    if (piece->token >= 0) {
      g_array_append_val (self->pieces, *piece);
      continue;
    }
    text = atn_aligned_text_get_piece (self, piece, &length);
    g_array_set_size (matches, 0);
    if (!func (text, length, matches, data, error))
      return FALSE;
    apply_behavior (matches, behavior);
    for (guint m = 0; m < matches->len; m++) {
      const AtnMatch *match = &g_array_index (matches, AtnMatch, m);

      if (behavior != ATN_SPLIT_REMOVED || !match->is_match)
        atn_aligned_text_append_piece (self, self->pieces, piece->start + match->start,
                                       piece->start + match->end, -1);
    }
  }
  return TRUE;
}

gboolean
atn_aligned_text_rewrite (AtnAlignedText *self,
                          AtnRewriteFunc func,
                          gconstpointer data,
                          GError **error)
{
  g_autoptr (AtnAlignedText) target = new_empty (self->bytes->len);

  for (guint i = 0; i < self->pieces->len; i++) {
    AtnPiece piece = g_array_index (self->pieces, AtnPiece, i);
    size_t start = target->bytes->len;

    if (piece.token >= 0)
      atn_aligned_text_append_part (target, self, piece.start, piece.end);
    else if (!func (self, &piece, target, data, error))
      return FALSE;
    piece.start = start;
    piece.end = target->bytes->len;
    g_array_append_val (target->pieces, piece);
  }

  AtnAlignedText swap = *self;

  *self = *target;
  *target = swap;
  return TRUE;
}

/* The bytes of a piece that the reference rewrites: all, but for some at the edges that
 * stand for nothing that was typed in it. FALSE if it rewrites none. */
static bool
find_rewritten_range (const AtnAlignedText *self, const AtnPiece *piece, size_t *start, size_t *end)
{
  bool has_start = false;

  *start = *end = piece->start;
  for (size_t i = piece->start; i < piece->end; i++) {
    AtnSpan span = span_at (self, i);

    if (span.end > piece->origin.end)
      break;
    if (!has_start && span.start >= piece->origin.start && span.start != span.end) {
      *start = i;
      has_start = true;
    }
    *end = i + 1;
  }
  if (!has_start)
    *start = *end;
  return *end > piece->start;
}

typedef struct
{
  AtnEditFunc func;
  gconstpointer data;
  GArray *characters; /* gunichar */
  GArray *edits;      /* AtnEdit */
} EditState;

static void
apply_edits (const AtnAlignedText *self,
             const AtnPiece *piece,
             AtnAlignedText *target,
             const EditState *state,
             size_t n_dropped)
{
  size_t start, end, offset;
  const char *next, *limit;

  if (!find_rewritten_range (self, piece, &start, &end)) {
    atn_aligned_text_append_part (target, self, piece->start, piece->end);
    return;
  }
  atn_aligned_text_append_part (target, self, piece->start, start);
  next = (const char *) self->bytes->data + start;
  limit = (const char *) self->bytes->data + end;
  for (; n_dropped > 0 && next < limit; n_dropped--)
    next = g_utf8_next_char (next);
  offset = (size_t) (next - (const char *) self->bytes->data);

  for (guint i = 0; i < state->edits->len; i++) {
    const AtnEdit *edit = &g_array_index (state->edits, AtnEdit, i);
    AtnSpan span = { piece->origin.start, piece->origin.start };
    char utf8[6];
    size_t n_bytes = (size_t) g_unichar_to_utf8 (edit->character, utf8);

    if (edit->change > 0 && offset > piece->start)
      span = span_at (self, offset - 1);
    else if (edit->change <= 0 && piece->end > piece->start)
      span = span_at (self, MIN (offset, piece->end - 1));
    for (int32_t n = edit->change; n <= 0 && next < limit; n++) {
      offset += (size_t) (g_utf8_next_char (next) - next);
      next = g_utf8_next_char (next);
    }
    atn_aligned_text_append (target, utf8, n_bytes, span);
  }
  atn_aligned_text_append_part (target, self, end, piece->end);
}

static gboolean
rewrite_by_edits (const AtnAlignedText *self,
                  const AtnPiece *piece,
                  AtnAlignedText *target,
                  gconstpointer data,
                  GError **error)
{
  const EditState *state = data;
  size_t n_dropped = 0, length;
  const char *text = atn_aligned_text_get_piece (self, piece, &length);

  g_array_set_size (state->characters, 0);
  g_array_set_size (state->edits, 0);
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p)) {
    gunichar character = g_utf8_get_char (p);

    g_array_append_val (state->characters, character);
  }
  state->func ((const gunichar *) (void *) state->characters->data, state->characters->len,
               state->edits, &n_dropped, state->data);
  apply_edits (self, piece, target, state, n_dropped);
  return TRUE;
}

void
atn_aligned_text_edit (AtnAlignedText *self, AtnEditFunc func, gconstpointer data)
{
  g_autoptr (GArray) characters = g_array_new (FALSE, FALSE, sizeof (gunichar));
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (AtnEdit));
  EditState state = { func, data, characters, edits };

  /* An edit can't fail. */
  atn_aligned_text_rewrite (self, rewrite_by_edits, &state, NULL);
}
