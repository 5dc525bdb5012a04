/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A set is searched by first byte: the tokens that begin with it, longest first. Real
 * files have a few hundred tokens, nearly all beginning with "<" or "[", which are
 * rare in texts; an automaton would cost more to build than it saves.
 */

#include "tokenizer/atn-added-token.h"

#include "base/atn-error.h"
#include "tokenizer/atn-unicode.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  uint32_t id;
  char *content;
  char *pattern; /* what is looked for: the content, normalized in the second round */
  size_t pattern_len;
  bool single_word;
  bool strips_left;
  bool strips_right;
  bool normalized;
  bool special;
} AddedToken;

struct _AtnAddedTokens
{
  AtnVocabulary *extra;       /* tokens that the model's vocabulary does not have */
  GPtrArray *tokens;          /* AddedToken, owned */
  GHashTable *by_id;          /* id → AddedToken */
  GPtrArray *buckets[2][256]; /* [normalized][first byte] AddedToken, NULL if there is none */
};

static void
free_token (gpointer data)
{
  AddedToken *token = data;

  g_free (token->content);
  g_free (token->pattern);
  g_free (token);
}

/* The reference's numbering: as in the model's vocabulary, else the next free number. */
static uint32_t
number_token (const AtnAddedTokens *self,
              const AtnVocabulary *vocabulary,
              const char *content,
              uint32_t *max_added)
{
  uint32_t id;
  size_t n_entries = atn_vocabulary_get_n_entries (vocabulary);

  if (!atn_vocabulary_find (vocabulary, content, strlen (content), &id) &&
      !atn_vocabulary_find (self->extra, content, strlen (content), &id))
    id = g_hash_table_size (self->by_id) > 0 && *max_added >= n_entries ? *max_added + 1
                                                                        : (uint32_t) n_entries;
  *max_added = g_hash_table_size (self->by_id) > 0 ? MAX (*max_added, id) : id;
  return id;
}

static AddedToken *
read_token (const AtnJson *json, GError **error)
{
  g_autofree AddedToken *token = g_new0 (AddedToken, 1);
  const AtnJson *id;
  const char *content;

  if (atn_json_get_kind (json) != ATN_JSON_OBJECT) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                         _ ("An added token is not an object"));
    return NULL;
  }
  if (!atn_json_read_string (json, "content", ATN_JSON_REQUIRED, &content, error) ||
      !atn_json_read_node (json, "id", ATN_JSON_REQUIRED, ATN_JSON_NUMBER, &id, error) ||
      !atn_vocabulary_read_id (id, content, &token->id, error) ||
      !atn_json_read_bool (json, "single_word", ATN_JSON_OPTIONAL, &token->single_word, error) ||
      !atn_json_read_bool (json, "lstrip", ATN_JSON_OPTIONAL, &token->strips_left, error) ||
      !atn_json_read_bool (json, "rstrip", ATN_JSON_OPTIONAL, &token->strips_right, error) ||
      !atn_json_read_bool (json, "special", ATN_JSON_OPTIONAL, &token->special, error))
    return NULL;

  token->normalized = !token->special;
  if (!atn_json_read_bool (json, "normalized", ATN_JSON_OPTIONAL, &token->normalized, error))
    return NULL;

  token->content = g_strdup (content);
  return g_steal_pointer (&token);
}

static gboolean
set_pattern (AddedToken *token, const GPtrArray *normalizer, GError **error)
{
  g_autoptr (AtnAlignedText) text = NULL;

  if (!token->normalized) {
    token->pattern = g_strdup (token->content);
    token->pattern_len = strlen (token->pattern);
    return TRUE;
  }
  text = atn_aligned_text_new (token->content, strlen (token->content));
  if (!atn_text_steps_apply (normalizer, text, error))
    return FALSE;
  token->pattern_len = text->bytes->len;
  token->pattern = g_strndup ((const char *) text->bytes->data, text->bytes->len);
  return TRUE;
}

static gboolean
check_id (const AtnVocabulary *vocabulary, const AddedToken *token, uint32_t id, GError **error)
{
  const char *taken_by = atn_vocabulary_get_text (vocabulary, id);

  if (id != token->id) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("Added token “%s” has id %u, but its place in the vocabulary is %u"),
                 token->content, token->id, id);
    return FALSE;
  }
  if (taken_by != NULL && !g_str_equal (taken_by, token->content)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” and “%s” have the same id %u"), taken_by, token->content, id);
    return FALSE;
  }
  return TRUE;
}

/* Takes @token. A token that is there twice is what was said last. */
static gboolean
add_token (AtnAddedTokens *self,
           const AtnVocabulary *vocabulary,
           AddedToken *token,
           uint32_t *max_added,
           GError **error)
{
  uint32_t id = number_token (self, vocabulary, token->content, max_added);
  AddedToken *old = g_hash_table_lookup (self->by_id, GUINT_TO_POINTER (id));

  if (!check_id (vocabulary, token, id, error)) {
    free_token (token);
    return FALSE;
  }
  if (old != NULL)
    g_ptr_array_remove (self->tokens, old);
  else if (atn_vocabulary_get_text (vocabulary, id) == NULL)
    atn_vocabulary_add (self->extra, token->content, id);
  g_hash_table_insert (self->by_id, GUINT_TO_POINTER (id), token);
  g_ptr_array_add (self->tokens, token);
  return TRUE;
}

static gint
compare_lengths (gconstpointer a, gconstpointer b)
{
  const AddedToken *first = *(AddedToken *const *) a;
  const AddedToken *second = *(AddedToken *const *) b;

  return first->pattern_len < second->pattern_len   ? 1
         : first->pattern_len > second->pattern_len ? -1
                                                    : 0;
}

static void
fill_bucket (AtnAddedTokens *self, AddedToken *token)
{
  GPtrArray **bucket;

  if (token->pattern_len == 0)
    return;

  bucket = &self->buckets[token->normalized][(uint8_t) token->pattern[0]];
  if (*bucket == NULL)
    *bucket = g_ptr_array_new ();
  g_ptr_array_add (*bucket, token);
}

/* Which of two equal patterns (é composed and decomposed, under NFD) the reference finds changes
 * from run to run; here it is the one that comes last, an ordinary one before a special one. */
static void
fill_buckets (AtnAddedTokens *self)
{
  for (int special = 0; special <= 1; special++) {
    for (guint i = self->tokens->len; i > 0; i--) {
      AddedToken *token = self->tokens->pdata[i - 1];

      if (token->special == (special == 1))
        fill_bucket (self, token);
    }
  }
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (self->buckets[0]); i++) {
    GPtrArray *bucket = self->buckets[i / 256][i % 256];

    if (bucket != NULL)
      g_ptr_array_sort (bucket, compare_lengths);
  }
}

AtnAddedTokens *
atn_added_tokens_new (const AtnJson *json,
                      const AtnVocabulary *vocabulary,
                      const GPtrArray *normalizer,
                      GError **error)
{
  g_autoptr (AtnAddedTokens) self = g_new0 (AtnAddedTokens, 1);
  uint32_t max_added = 0;

  self->extra = atn_vocabulary_new ();
  self->by_id = g_hash_table_new (NULL, NULL);
  self->tokens = g_ptr_array_new_with_free_func (free_token);
  for (const AtnJson *item = json == NULL ? NULL : atn_json_get_first (json); item != NULL;
       item = atn_json_get_next (item)) {
    AddedToken *token = read_token (item, error);

    if (token == NULL) {
      g_prefix_error (error, "added_tokens: ");
      return NULL;
    }
    if (*token->content == '\0') {
      free_token (token);
      continue;
    }
    if (!set_pattern (token, normalizer, error)) {
      free_token (token);
      return NULL;
    }
    if (!add_token (self, vocabulary, token, &max_added, error))
      return NULL;
  }
  fill_buckets (self);
  return g_steal_pointer (&self);
}

void
atn_added_tokens_free (AtnAddedTokens *self)
{
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (self->buckets[0]); i++)
    g_clear_pointer (&self->buckets[i / 256][i % 256], g_ptr_array_unref);
  g_clear_pointer (&self->tokens, g_ptr_array_unref);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->extra, atn_vocabulary_free);
  g_free (self);
}

static const AddedToken *
find_at (GPtrArray *const *buckets, const char *text, size_t length)
{
  const GPtrArray *bucket = buckets[(uint8_t) text[0]];

  for (guint i = 0; bucket != NULL && i < bucket->len; i++) {
    const AddedToken *token = bucket->pdata[i];

    if (token->pattern_len <= length && memcmp (token->pattern, text, token->pattern_len) == 0)
      return token;
  }
  return NULL;
}

static bool
has_flag_before (const char *text, size_t position, unsigned flag)
{
  return position > 0 &&
         (atn_unicode_get_flags (g_utf8_get_char (g_utf8_prev_char (text + position))) & flag) != 0;
}

static bool
has_flag_after (const char *text, size_t length, size_t position, unsigned flag)
{
  return position < length &&
         (atn_unicode_get_flags (g_utf8_get_char (text + position)) & flag) != 0;
}

/* Takes in the white space around a match that the token asks for. */
static void
widen_match (const AddedToken *token,
             const char *text,
             size_t length,
             size_t taken,
             size_t *start,
             size_t *end)
{
  if (token->strips_left) {
    while (has_flag_before (text, *start, ATN_UNICODE_SPACE))
      *start = (size_t) (g_utf8_prev_char (text + *start) - text);
    *start = MAX (*start, taken);
  }
  while (token->strips_right && has_flag_after (text, length, *end, ATN_UNICODE_SPACE))
    *end = (size_t) (g_utf8_next_char (text + *end) - text);
}

static void
split_piece (const AtnAddedTokens *self,
             bool normalized,
             const AtnAlignedText *aligned,
             const AtnPiece *piece,
             GArray *pieces)
{
  size_t length, taken = 0;
  const char *text = atn_aligned_text_get_piece (aligned, piece, &length);

  for (size_t i = 0; i < length;) {
    const AddedToken *token = find_at (self->buckets[normalized], text + i, length - i);
    size_t start = i;
    size_t end = token == NULL ? i + 1 : i + token->pattern_len;

    i = end;
    if (token == NULL)
      continue;
    if (token->single_word && (has_flag_before (text, start, ATN_UNICODE_WORD) ||
                               has_flag_after (text, length, end, ATN_UNICODE_WORD)))
      continue;
    widen_match (token, text, length, taken, &start, &end);
    atn_aligned_text_append_piece (aligned, pieces, piece->start + taken, piece->start + start, -1);
    atn_aligned_text_append_piece (aligned, pieces, piece->start + start, piece->start + end,
                                   (int32_t) token->id);
    taken = end;
  }
  atn_aligned_text_append_piece (aligned, pieces, piece->start + taken, piece->end, -1);
}

void
atn_added_tokens_split (const AtnAddedTokens *self, bool normalized, AtnAlignedText *text)
{
  g_autoptr (GArray) old_pieces = text->pieces;

  text->pieces = g_array_new (FALSE, FALSE, sizeof (AtnPiece));
  for (guint i = 0; i < old_pieces->len; i++) {
    const AtnPiece *piece = &g_array_index (old_pieces, AtnPiece, i);

    if (piece->token >= 0)
      g_array_append_val (text->pieces, *piece);
    else
      split_piece (self, normalized, text, piece, text->pieces);
  }
}

const AtnVocabulary *
atn_added_tokens_get_vocabulary (const AtnAddedTokens *self)
{
  return self->extra;
}

bool
atn_added_tokens_has (const AtnAddedTokens *self, uint32_t id)
{
  return g_hash_table_contains (self->by_id, GUINT_TO_POINTER (id));
}

bool
atn_added_tokens_is_special (const AtnAddedTokens *self, uint32_t id)
{
  const AddedToken *token = g_hash_table_lookup (self->by_id, GUINT_TO_POINTER (id));

  return token != NULL && token->special;
}
