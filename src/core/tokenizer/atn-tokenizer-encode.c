/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One text through the pipeline, and what the post-processor makes of one or two.
 */

#include "tokenizer/atn-tokenizer-private.h"

#include "base/atn-error.h"
#include "tokenizer/atn-byte-level.h"
#include "tokenizer/atn-unicode.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A book has a megabyte; the alignment takes ten times the text. */
#define MAX_TEXT_BYTES (16u << 20)

/* U+0000 is a character like others here; GLib's check ends at it. */
static gboolean
check_text (const char *text, size_t length, GError **error)
{
  for (size_t start = 0; start < length; start++) {
    const char *end;

    if (g_utf8_validate_len (text + start, length - start, &end))
      break;
    start = (size_t) (end - text);
    if (*end != '\0') {
      g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                   _ ("The text is not valid UTF-8 at byte %zu (0x%02X)"), start,
                   (unsigned) (uint8_t) *end);
      return FALSE;
    }
  }
  if (length <= MAX_TEXT_BYTES)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("The text has %zu bytes, more than %u"),
               length, MAX_TEXT_BYTES);
  return FALSE;
}

static bool
is_blank (gunichar character)
{
  return character == atn_byte_level_get_character (' ') ||
         (atn_unicode_get_flags (character) & ATN_UNICODE_SPACE) != 0;
}

static size_t
count_leading_blanks (const char *text, size_t length)
{
  size_t n = 0;

  for (const char *p = text; p < text + length && is_blank (g_utf8_get_char (p)); n++)
    p = g_utf8_next_char (p);
  return n;
}

static size_t
count_trailing_blanks (const char *text, size_t length)
{
  const char *p = text + length;
  size_t n = 0;

  while (p > text && is_blank (g_utf8_get_char (g_utf8_prev_char (p)))) {
    p = g_utf8_prev_char (p);
    n++;
  }
  return n;
}

/* Takes the blanks of a token's @string from its offsets in @text, character by character. */
static void
trim_offsets (const AtnPostProcessor *processor,
              const char *text,
              const char *string,
              size_t length,
              bool is_first,
              AtnSpan *span)
{
  size_t n_leading = count_leading_blanks (string, length);
  size_t n_trailing = count_trailing_blanks (string, length);
  const char *start = text + span->start;
  const char *end = text + span->end;
  const char *trimmed = end;

  if ((is_first || span->start == 0) && processor->keeps_first_space && n_leading == 1)
    n_leading = 0;
  for (; n_leading > 0 && start < end; n_leading--)
    start = g_utf8_next_char (start);
  for (; n_trailing > 0 && trimmed > text; n_trailing--)
    trimmed = g_utf8_prev_char (trimmed);

  /* Where the text has fewer characters than the token has blanks, nothing is trimmed. */
  if (n_trailing == 0)
    end = MAX (trimmed, start);
  span->start = (uint32_t) (start - text);
  span->end = (uint32_t) (end - text);
}

typedef struct
{
  const AtnTokenizer *tokenizer;
  const char *text;
  GArray *tokens; /* AtnToken */
  int sequence;
} Encoder;

/* @string is what the reference calls the token: for an added one the text it was cut from. */
static void
append_token (const Encoder *self, uint32_t id, const char *string, size_t length, AtnSpan span)
{
  const AtnPostProcessor *processor = self->tokenizer->post_processor;
  AtnToken token = {
    .id = id,
    .text = atn_tokenizer_get_text (self->tokenizer, id),
    .is_special = atn_tokenizer_is_special (self->tokenizer, id),
    .sequence = self->sequence,
  };

  if (processor->trims_offsets)
    trim_offsets (processor, self->text, string, length, self->tokens->len == 0, &span);
  token.start = span.start;
  token.end = span.end;
  g_array_append_val (self->tokens, token);
}

static gboolean
encode_pieces (const Encoder *self, const AtnAlignedText *aligned, GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (AtnWordPart));
  const AtnWordModel *model = self->tokenizer->model;

  for (guint i = 0; i < aligned->pieces->len; i++) {
    const AtnPiece *piece = &g_array_index (aligned->pieces, AtnPiece, i);
    size_t length;
    const char *word = atn_aligned_text_get_piece (aligned, piece, &length);

    if (piece->token >= 0) {
      AtnSpan span = atn_aligned_text_get_span (aligned, piece, 0, length);

      append_token (self, (uint32_t) piece->token, word, length, span);
      continue;
    }
    g_array_set_size (parts, 0);
    if (length > 0 && !model->encode (model, word, length, parts, error))
      return FALSE;
    for (guint p = 0; p < parts->len; p++) {
      const AtnWordPart *part = &g_array_index (parts, AtnWordPart, p);
      const char *string = atn_vocabulary_get_text (model->vocabulary, part->id);
      AtnSpan span = atn_aligned_text_get_span (aligned, piece, part->start, part->end);

      if ((int64_t) part->id == model->unnamed_id)
        append_token (self, part->id, word + part->start, part->end - part->start, span);
      else
        append_token (self, part->id, string, strlen (string), span);
    }
  }
  return TRUE;
}

static GArray *
encode_text (const AtnTokenizer *self,
             const char *text,
             size_t length,
             int sequence,
             GError **error)
{
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (AtnToken));
  g_autoptr (AtnAlignedText) aligned = NULL;
  Encoder encoder = { self, text, tokens, sequence };

  if (!check_text (text, length, error))
    return NULL;

  aligned = atn_aligned_text_new (text, length);
  atn_added_tokens_split (self->added, false, aligned);
  if (!atn_text_steps_apply (self->normalizer, aligned, error))
    return NULL;
  atn_added_tokens_split (self->added, true, aligned);
  if (!atn_text_steps_apply (self->pre_tokenizer, aligned, error))
    return NULL;
  return encode_pieces (&encoder, aligned, error) ? g_steal_pointer (&tokens) : NULL;
}

static void
append_sequence (GArray *target, const GArray *tokens, uint32_t type_id)
{
  guint start = target->len;

  if (tokens->len == 0)
    return;

  g_array_append_vals (target, tokens->data, tokens->len);
  for (guint i = start; i < target->len; i++)
    g_array_index (target, AtnToken, i).type_id = type_id;
}

static void
append_special (const AtnTokenizer *self, GArray *target, const AtnTemplatePart *part)
{
  AtnToken token = {
    .id = part->id,
    .text = atn_tokenizer_get_text (self, part->id),
    .is_special = true,
    .sequence = -1,
    .type_id = part->type_id,
    .start = -1,
    .end = -1,
  };

  g_array_append_val (target, token);
}

/* Takes @tokens. */
static AtnTokens *
new_tokens (AtnTokenizer *tokenizer, GArray *tokens)
{
  AtnTokens *self = g_new0 (AtnTokens, 1);
  gsize n_tokens;

  g_atomic_ref_count_init (&self->ref_count);
  self->tokenizer = atn_tokenizer_ref (tokenizer);
  self->tokens = (AtnToken *) (void *) g_array_steal (tokens, &n_tokens);
  self->n_tokens = n_tokens;
  g_array_unref (tokens);
  return self;
}

static gboolean
check_pair (const AtnTokenizer *self, GError **error)
{
  if (!self->post_processor->has_template || atn_tokenizer_has_pair (self))
    return TRUE;

  g_set_error_literal (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                       _ ("The tokenizer's template has no place for a second text"));
  return FALSE;
}

AtnTokens *
atn_tokenizer_encode (AtnTokenizer *self,
                      const char *text,
                      gssize text_len,
                      const char *pair,
                      gssize pair_len,
                      GError **error)
{
  g_autoptr (GArray) first = NULL;
  g_autoptr (GArray) second = NULL;
  const GArray *parts;
  GArray *tokens;

  g_return_val_if_fail (self != NULL && text != NULL, NULL);

  if (pair != NULL && !check_pair (self, error))
    return NULL;

  first = encode_text (self, text, text_len < 0 ? strlen (text) : (size_t) text_len, 0, error);
  if (first == NULL)
    return NULL;
  if (pair != NULL) {
    second = encode_text (self, pair, pair_len < 0 ? strlen (pair) : (size_t) pair_len, 1, error);
    if (second == NULL)
      return NULL;
  }

  parts = pair == NULL ? self->post_processor->single : self->post_processor->pair;
  tokens = g_array_sized_new (FALSE, FALSE, sizeof (AtnToken), first->len + 8);
  for (guint i = 0; i < parts->len; i++) {
    const AtnTemplatePart *part = &g_array_index (parts, AtnTemplatePart, i);

    if (part->sequence < 0)
      append_special (self, tokens, part);
    else
      append_sequence (tokens, part->sequence == 0 ? first : second, part->type_id);
  }
  return new_tokens (self, tokens);
}

/* How many ordinary tokens of each sequence stay: the longer one gives first. */
static void
share_room (size_t room, const size_t n_old[2], size_t n_new[2])
{
  size_t half = room / 2;
  size_t shorter = MIN (n_old[0], n_old[1]);
  int longer = n_old[0] > n_old[1] ? 0 : 1;

  n_new[0] = n_old[0];
  n_new[1] = n_old[1];
  if (n_old[0] + n_old[1] <= room)
    return;

  n_new[1 - longer] = MIN (shorter, half);
  n_new[longer] = room - n_new[1 - longer];
}

AtnTokens *
atn_tokens_truncate (const AtnTokens *self, size_t n_tokens)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (AtnToken));
  size_t n_old[2] = { 0, 0 };
  size_t n_new[2];
  size_t n_added = 0;

  for (size_t i = 0; i < self->n_tokens; i++) {
    if (self->tokens[i].sequence < 0)
      n_added++;
    else
      n_old[self->tokens[i].sequence]++;
  }
  share_room (n_tokens - MIN (n_added, n_tokens), n_old, n_new);

  for (size_t i = 0; i < self->n_tokens && kept->len < n_tokens; i++) {
    const AtnToken *token = &self->tokens[i];

    if (token->sequence >= 0) {
      if (n_new[token->sequence] == 0)
        continue;
      n_new[token->sequence]--;
    }
    g_array_append_val (kept, *token);
  }
  return new_tokens (self->tokenizer, kept);
}

AtnTokens *
atn_tokens_ref (AtnTokens *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_tokens_unref (AtnTokens *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  atn_tokenizer_unref (self->tokenizer);
  g_free (self->tokens);
  g_free (self);
}
