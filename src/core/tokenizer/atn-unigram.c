/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Unigram, SentencePiece's model: of all ways to cut a word into pieces of the
 * vocabulary the one with the largest sum of scores (log probabilities). Viterbi from
 * left to right; a character that is no piece costs 10 more than the worst one. Sums
 * are in the reference's order, so that ties fall alike.
 *
 * The pieces that begin at a place are found in the sorted vocabulary: each further
 * byte narrows the range of pieces that still fit. A trie would be faster by a third
 * and take ten times the memory.
 */

#include "tokenizer/atn-word-model.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define UNKNOWN_PENALTY 10.0
#define N_BYTES 256
#define NO_START UINT32_MAX
#define MAX_POWER 300 /* of ten, in the digits of a score */

typedef struct
{
  const char *text; /* the vocabulary's */
  double score;
  uint32_t id;
} Piece;

typedef struct
{
  AtnWordModel parent;
  Piece *pieces; /* [n_pieces] by text */
  size_t n_pieces;
  uint32_t first[N_BYTES + 1]; /* where the pieces begin that begin with a byte */
  double min_score;
  int32_t byte_ids[N_BYTES]; /* of <0x00> …, -1 where absent */
} Unigram;

/* The best way to a place in the word. */
typedef struct
{
  double score;
  uint32_t start; /* where its last piece begins, NO_START if nothing ends here */
  int64_t id;     /* of that piece */
} Node;

/* Pieces from low to high begin with the same @depth bytes: keeps those that go on with @byte. */
static bool
narrow (const Unigram *self, size_t depth, uint8_t byte, size_t *low, size_t *high)
{
  size_t bounds[2];

  for (int side = 0; side < 2; side++) {
    size_t a = *low;
    size_t b = *high;

    while (a < b) {
      size_t middle = (a + b) / 2;

      if ((unsigned) (uint8_t) self->pieces[middle].text[depth] < (unsigned) byte + (unsigned) side)
        a = middle + 1;
      else
        b = middle;
    }
    bounds[side] = a;
  }
  *low = bounds[0];
  *high = bounds[1];
  return *low < *high;
}

static void
offer (Node *node, double score, size_t start, int64_t id)
{
  if (node->start != NO_START && score <= node->score)
    return;

  *node = (Node){ score, (uint32_t) start, id };
}

/* Offers every piece that begins at @start; returns whether one is the character there alone. */
static bool
offer_pieces (const Unigram *self, const char *word, size_t length, size_t start, Node *nodes)
{
  size_t character = (size_t) g_utf8_skip[(uint8_t) word[start]];
  size_t low = self->first[(uint8_t) word[start]];
  size_t high = self->first[(uint8_t) word[start] + 1];
  bool has_single = false;

  /* No piece holds U+0000, and the empty one, sorted there, is never used. */
  if (word[start] == '\0')
    return false;

  for (size_t depth = 1; low < high; depth++) {
    /* The shortest comes first. */
    if (self->pieces[low].text[depth] == '\0') {
      offer (&nodes[start + depth], self->pieces[low].score + nodes[start].score, start,
             self->pieces[low].id);
      has_single = has_single || depth == character;
      low++;
    }
    if (start + depth >= length || word[start + depth] == '\0' ||
        !narrow (self, depth, (uint8_t) word[start + depth], &low, &high))
      break;
  }
  return has_single;
}

static gboolean
check_unknown (const Unigram *self, const char *word, size_t length, GError **error)
{
  if (self->parent.unnamed_id >= 0)
    return TRUE;

  atn_word_model_set_unknown_error (word, length, error);
  return FALSE;
}

static gboolean
find_best (const Unigram *self, const char *word, size_t length, Node *nodes, GError **error)
{
  const double unknown_score = self->min_score - UNKNOWN_PENALTY;

  for (size_t i = 1; i <= length; i++)
    nodes[i] = (Node){ 0, NO_START, 0 };
  nodes[0] = (Node){ 0, 0, 0 };

  for (size_t start = 0; start < length;) {
    size_t end = start + (size_t) g_utf8_skip[(uint8_t) word[start]];

    if (!offer_pieces (self, word, length, start, nodes)) {
      double score = unknown_score + nodes[start].score;
      const Node *node = &nodes[end];

      if ((node->start == NO_START || score > node->score) &&
          !check_unknown (self, word + start, end - start, error))
        return FALSE;
      offer (&nodes[end], score, start, self->parent.unnamed_id);
    }
    start = end;
  }
  return TRUE;
}

static bool
append_bytes (const Unigram *self, const char *word, const AtnWordPart *part, GArray *parts)
{
  if (!self->parent.has_byte_tokens)
    return false;

  for (uint32_t i = part->start; i < part->end; i++)
    if (self->byte_ids[(uint8_t) word[i]] < 0)
      return false;
  for (uint32_t i = part->start; i < part->end; i++) {
    AtnWordPart byte = { (uint32_t) self->byte_ids[(uint8_t) word[i]], part->start, part->end };

    g_array_append_val (parts, byte);
  }
  return true;
}

/* Unknown neighbours are one part, which the vocabulary may know after all. */
static gboolean
append_part (const Unigram *self,
             const char *word,
             AtnWordPart *part,
             GArray *parts,
             GError **error)
{
  size_t length = part->end - part->start;

  if (!atn_vocabulary_find (self->parent.vocabulary, word + part->start, length, &part->id)) {
    if (append_bytes (self, word, part, parts))
      return TRUE;
    if (!check_unknown (self, word + part->start, length, error))
      return FALSE;
    part->id = (uint32_t) self->parent.unnamed_id;
  }
  g_array_append_val (parts, *part);
  return TRUE;
}

static gboolean
encode (const AtnWordModel *model, const char *word, size_t length, GArray *parts, GError **error)
{
  const Unigram *self = (const Unigram *) model;
  g_autofree Node *nodes = g_new (Node, length + 1);
  g_autoptr (GArray) backwards = g_array_new (FALSE, FALSE, sizeof (AtnWordPart));
  bool was_unknown = false;

  if (!find_best (self, word, length, nodes, error))
    return FALSE;

  for (size_t end = length; end > 0; end = nodes[end].start) {
    AtnWordPart part = { 0, nodes[end].start, (uint32_t) end };
    bool is_unknown = nodes[end].id == model->unnamed_id;

    if (is_unknown && was_unknown)
      g_array_index (backwards, AtnWordPart, backwards->len - 1).start = part.start;
    else
      g_array_append_val (backwards, part);
    was_unknown = is_unknown;
  }
  for (guint i = backwards->len; i > 0; i--)
    if (!append_part (self, word, &g_array_index (backwards, AtnWordPart, i - 1), parts, error))
      return FALSE;
  return TRUE;
}

static void
free_unigram (AtnWordModel *model)
{
  Unigram *self = (Unigram *) model;

  g_free (self->pieces);
  g_free (self);
}

static gint
compare_pieces (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Piece *) a)->text, ((const Piece *) b)->text);
}

static void
sort_pieces (Unigram *self)
{
  size_t index = 0;

  qsort (self->pieces, self->n_pieces, sizeof *self->pieces, compare_pieces);
  for (unsigned byte = 0; byte <= N_BYTES; byte++) {
    while (index < self->n_pieces && (uint8_t) self->pieces[index].text[0] < byte)
      index++;
    self->first[byte] = (uint32_t) index;
  }
}

/* The number that the reference reads where a file says @score. Its parser takes the digits as a
 * whole number and divides by a power of ten, which may be the neighbour of the nearest double; and
 * the last bit decides between cuts of equal pieces (aa a, a aa). Files have the shortest digits.
 */
static double
round_like_reference (double score)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  uint64_t digits = 0;
  int n_digits = 0;
  int exponent;

  for (int precision = 14; precision <= 16; precision++) {
    char format[] = { '%', '.', '1', (char) ('0' + precision - 10), 'e', '\0' };

    g_ascii_formatd (text, sizeof text, format, fabs (score));
    if (g_ascii_strtod (text, NULL) == fabs (score))
      break;
  }
  exponent = (int) g_ascii_strtoll (strchr (text, 'e') + 1, NULL, 10);
  for (const char *p = text; *p != 'e'; p++) {
    if (!g_ascii_isdigit (*p))
      continue;
    digits = digits * 10 + (uint64_t) (*p - '0');
    n_digits++;
  }
  for (; n_digits > 1 && digits % 10 == 0; n_digits--)
    digits /= 10;
  exponent -= n_digits - 1;
  if (exponent < -MAX_POWER || exponent > 0)
    return score;
  return copysign ((double) digits / pow (10, -exponent), score);
}

/* ["▁the", -3.5] */
static gboolean
read_piece (Unigram *self, const AtnJson *json, GError **error)
{
  const AtnJson *text =
    atn_json_get_kind (json) == ATN_JSON_ARRAY ? atn_json_get_first (json) : NULL;
  const AtnJson *score = text == NULL ? NULL : atn_json_get_next (text);
  size_t id = self->n_pieces;
  Piece *piece = &self->pieces[id];

  if (score == NULL || atn_json_get_next (score) != NULL ||
      atn_json_get_kind (text) != ATN_JSON_STRING || atn_json_get_kind (score) != ATN_JSON_NUMBER) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("vocab[%zu] is not a string with its score"), id);
    return FALSE;
  }
  if (!atn_vocabulary_add (self->parent.vocabulary, atn_json_get_string (text), (uint32_t) id)) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("vocab: “%s” is in the vocabulary twice"), atn_json_get_string (text));
    return FALSE;
  }
  piece->score = round_like_reference (atn_json_get_number (score));
  piece->id = (uint32_t) id;
  self->min_score = fmin (self->min_score, piece->score);
  self->n_pieces++;
  return TRUE;
}

static gboolean
read_pieces (Unigram *self, const AtnJson *json, GError **error)
{
  size_t n_pieces = atn_json_count (json);

  if (n_pieces > ATN_VOCABULARY_MAX_ID) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” has %zu entries, more than %u"), "vocab", n_pieces,
                 ATN_VOCABULARY_MAX_ID);
    return FALSE;
  }
  self->pieces = g_new0 (Piece, MAX (n_pieces, 1));
  self->min_score = INFINITY;
  for (const AtnJson *item = atn_json_get_first (json); item != NULL;
       item = atn_json_get_next (item))
    if (!read_piece (self, item, error))
      return FALSE;

  /* Only now the vocabulary's strings stay where they are. */
  for (size_t i = 0; i < n_pieces; i++)
    self->pieces[i].text = atn_vocabulary_get_text (self->parent.vocabulary, self->pieces[i].id);
  sort_pieces (self);
  return TRUE;
}

static gboolean
read_unknown (Unigram *self, const AtnJson *json, GError **error)
{
  size_t id = 0;

  self->parent.unnamed_id = -1;
  if (atn_json_get_member (json, "unk_id") == NULL)
    return TRUE;
  if (!atn_json_read_size (json, "unk_id", ATN_JSON_REQUIRED, 0, ATN_VOCABULARY_MAX_ID, &id, error))
    return FALSE;
  if (id >= self->n_pieces) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” is %zu, but the vocabulary has %zu entries"), "unk_id", id,
                 self->n_pieces);
    return FALSE;
  }
  self->parent.unnamed_id = (int64_t) id;
  return TRUE;
}

AtnWordModel *
atn_unigram_new (const AtnJson *json, GError **error)
{
  Unigram *unigram = g_new0 (Unigram, 1);
  g_autoptr (AtnWordModel) self = &unigram->parent;
  const AtnJson *vocab;

  self->vocabulary = atn_vocabulary_new ();
  self->encode = encode;
  self->free = free_unigram;
  if (!atn_json_read_node (json, "vocab", ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &vocab, error) ||
      !atn_json_read_bool (json, "byte_fallback", ATN_JSON_OPTIONAL, &self->has_byte_tokens,
                           error) ||
      !read_pieces (unigram, vocab, error) || !read_unknown (unigram, json, error))
    return NULL;

  atn_word_model_find_bytes (self, unigram->byte_ids);
  return g_steal_pointer (&self);
}
