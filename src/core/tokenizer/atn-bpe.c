/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Byte-pair encoding: a word begins as its characters, and the pair of neighbours
 * with the lowest rank is merged until no pair has one. Pairs wait in a heap, so a
 * word of n characters costs n log n, also where someone pastes a whole file
 * without a space. An entry of the heap may have become stale; like in the
 * reference it still counts if what now stands there merges to the same token.
 *
 * The loading of merges is in atn-bpe-merges.c.
 */

#include "tokenizer/atn-bpe-merges.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define N_BYTES 256

typedef struct
{
  AtnWordModel parent;
  AtnBpeMerges *merges;
  char *unknown; /* (nullable) */
  bool has_unknown_id;
  uint32_t unknown_id;
  bool fuses_unknown;
  bool ignores_merges;       /* a word that is in the vocabulary is not built from merges */
  int32_t byte_ids[N_BYTES]; /* of <0x00> …, -1 where absent */
} Bpe;

typedef struct
{
  uint32_t id;
  uint32_t length; /* bytes, 0 for a symbol that was merged into the one before it */
  int32_t previous;
  int32_t next;
} Symbol;

typedef struct
{
  uint32_t rank;
  uint32_t position;
  uint32_t new_id;
} Candidate;

typedef struct
{
  const AtnBpeMerges *merges;
  Symbol *symbols; /* [n_symbols] */
  size_t n_symbols;
  Candidate *heap; /* a binary heap, the lowest rank and then position on top */
  size_t n_candidates;
} Word;

static bool
is_before (const Candidate *a, const Candidate *b)
{
  return a->rank != b->rank ? a->rank < b->rank : a->position < b->position;
}

static void
push_candidate (Word *word, uint32_t position)
{
  const Symbol *left = &word->symbols[position];
  Candidate candidate = { .position = position };
  size_t i = word->n_candidates;

  if (!atn_bpe_merges_find (word->merges, left->id, word->symbols[left->next].id, &candidate.rank,
                            &candidate.new_id))
    return;

  word->n_candidates++;
  while (i > 0 && is_before (&candidate, &word->heap[(i - 1) / 2])) {
    word->heap[i] = word->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  word->heap[i] = candidate;
}

static Candidate
pop_candidate (Word *word)
{
  Candidate top = word->heap[0];
  Candidate last = word->heap[--word->n_candidates];
  size_t i = 0;

  for (size_t child = 1; child < word->n_candidates; child = 2 * i + 1) {
    if (child + 1 < word->n_candidates && is_before (&word->heap[child + 1], &word->heap[child]))
      child++;
    if (!is_before (&word->heap[child], &last))
      break;
    word->heap[i] = word->heap[child];
    i = child;
  }
  word->heap[i] = last;
  return top;
}

static void
merge_symbols (Word *word)
{
  for (size_t i = 0; i + 1 < word->n_symbols; i++)
    push_candidate (word, (uint32_t) i);

  while (word->n_candidates > 0) {
    Candidate top = pop_candidate (word);
    Symbol *left = &word->symbols[top.position];
    Symbol *right = left->next < 0 ? NULL : &word->symbols[left->next];
    uint32_t rank, new_id;

    if (left->length == 0 || right == NULL ||
        !atn_bpe_merges_find (word->merges, left->id, right->id, &rank, &new_id) ||
        new_id != top.new_id)
      continue;

    left->id = new_id;
    left->length += right->length;
    left->next = right->next;
    right->length = 0;
    if (left->next >= 0)
      word->symbols[left->next].previous = (int32_t) top.position;
    if (left->previous >= 0)
      push_candidate (word, (uint32_t) left->previous);
    if (left->next >= 0)
      push_candidate (word, top.position);
  }
}

static void
add_symbol (Word *word, uint32_t id, uint32_t length)
{
  int32_t index = (int32_t) word->n_symbols++;

  word->symbols[index] = (Symbol){ id, length, index - 1, -1 };
  if (index > 0)
    word->symbols[index - 1].next = index;
}

/* The id of one character, written with the prefix and suffix that its place in the word asks. */
static bool
find_character (const Bpe *self,
                const char *character,
                size_t length,
                bool is_first,
                bool is_last,
                uint32_t *id)
{
  const char *prefix = is_first ? NULL : self->parent.continuing_prefix;
  const char *suffix = is_last ? self->parent.word_suffix : NULL;
  g_autofree char *written = NULL;

  if (prefix == NULL && suffix == NULL)
    return atn_vocabulary_find (self->parent.vocabulary, character, length, id);

  written = g_strdup_printf ("%s%.*s%s", prefix == NULL ? "" : prefix, (int) length, character,
                             suffix == NULL ? "" : suffix);
  return atn_vocabulary_find (self->parent.vocabulary, written, strlen (written), id);
}

static bool
add_byte_symbols (const Bpe *self, Word *word, const char *character, size_t length)
{
  if (!self->parent.has_byte_tokens)
    return false;

  for (size_t i = 0; i < length; i++)
    if (self->byte_ids[(uint8_t) character[i]] < 0)
      return false;
  for (size_t i = 0; i < length; i++)
    add_symbol (word, (uint32_t) self->byte_ids[(uint8_t) character[i]], 1);
  return true;
}

static gboolean
check_unknown (const Bpe *self, GError **error)
{
  if (self->has_unknown_id)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("The unknown token “%s” is not in the vocabulary"), self->unknown);
  return FALSE;
}

/* Characters without a token become the unknown one; where there is none they are left out,
 * as in the reference. */
static gboolean
add_symbols (const Bpe *self, Word *symbols, const char *word, size_t length, GError **error)
{
  uint32_t pending = 0; /* bytes of an unknown token that may still grow */

  for (size_t start = 0; start < length;) {
    size_t size = (size_t) (g_utf8_next_char (word + start) - (word + start));
    bool is_last = start + size >= length;
    uint32_t id;

    if (find_character (self, word + start, size, start == 0, is_last, &id)) {
      if (pending > 0)
        add_symbol (symbols, self->unknown_id, pending);
      pending = 0;
      add_symbol (symbols, id, (uint32_t) size);
    } else if (!add_byte_symbols (self, symbols, word + start, size) && self->unknown != NULL) {
      if (!check_unknown (self, error))
        return FALSE;
      if (pending > 0 && !self->fuses_unknown) {
        add_symbol (symbols, self->unknown_id, pending);
        pending = 0;
      }
      pending += (uint32_t) size;
    }
    start += size;
  }
  if (pending > 0)
    add_symbol (symbols, self->unknown_id, pending);
  return TRUE;
}

static gboolean
encode (const AtnWordModel *model, const char *word, size_t length, GArray *parts, GError **error)
{
  const Bpe *self = (const Bpe *) model;
  g_autofree Symbol *symbols = NULL;
  g_autofree Candidate *heap = NULL;
  Word state = { .merges = self->merges };
  AtnWordPart part = { 0, 0, (uint32_t) length };

  if (self->ignores_merges && atn_vocabulary_find (model->vocabulary, word, length, &part.id)) {
    g_array_append_val (parts, part);
    return TRUE;
  }

  /* Each merge removes a symbol and adds at most two candidates. */
  state.symbols = symbols = g_new (Symbol, length);
  state.heap = heap = g_new (Candidate, 3 * length);
  if (!add_symbols (self, &state, word, length, error))
    return FALSE;

  merge_symbols (&state);
  part.end = 0;
  for (size_t i = 0; i < state.n_symbols; i++) {
    if (symbols[i].length == 0)
      continue;
    part.id = symbols[i].id;
    part.start = part.end;
    part.end += symbols[i].length;
    g_array_append_val (parts, part);
  }
  return TRUE;
}

static void
free_bpe (AtnWordModel *model)
{
  Bpe *self = (Bpe *) model;

  g_clear_pointer (&self->merges, atn_bpe_merges_free);
  g_free (self->unknown);
  g_free (self);
}

static gboolean
read_settings (Bpe *self, const AtnJson *json, GError **error)
{
  const char *unknown = NULL;
  const char *prefix = NULL;
  const char *suffix = NULL;
  double dropout = 0;

  if (!atn_json_read_string (json, "unk_token", ATN_JSON_OPTIONAL, &unknown, error) ||
      !atn_json_read_string (json, "continuing_subword_prefix", ATN_JSON_OPTIONAL, &prefix,
                             error) ||
      !atn_json_read_string (json, "end_of_word_suffix", ATN_JSON_OPTIONAL, &suffix, error) ||
      !atn_json_read_bool (json, "fuse_unk", ATN_JSON_OPTIONAL, &self->fuses_unknown, error) ||
      !atn_json_read_bool (json, "byte_fallback", ATN_JSON_OPTIONAL, &self->parent.has_byte_tokens,
                           error) ||
      !atn_json_read_bool (json, "ignore_merges", ATN_JSON_OPTIONAL, &self->ignores_merges,
                           error) ||
      !atn_json_read_double (json, "dropout", ATN_JSON_OPTIONAL, 0, 1, &dropout, error))
    return FALSE;

  if (dropout > 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“%s” of the tokenizer is not supported: tokens would be random"), "dropout");
    return FALSE;
  }

  self->unknown = g_strdup (unknown);
  self->parent.continuing_prefix = prefix == NULL || *prefix == '\0' ? NULL : g_strdup (prefix);
  self->parent.word_suffix = suffix == NULL || *suffix == '\0' ? NULL : g_strdup (suffix);
  return TRUE;
}

AtnWordModel *
atn_bpe_new (const AtnJson *json, AtnVocabulary *vocabulary, GError **error)
{
  Bpe *bpe = g_new0 (Bpe, 1);
  g_autoptr (AtnWordModel) self = &bpe->parent;
  const AtnJson *merges;

  self->vocabulary = vocabulary;
  self->encode = encode;
  self->free = free_bpe;
  if (!read_settings (bpe, json, error) ||
      !atn_json_read_node (json, "merges", ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &merges, error))
    return NULL;

  bpe->merges =
    atn_bpe_merges_new (merges, vocabulary,
                        self->continuing_prefix == NULL ? 0 : strlen (self->continuing_prefix),
                        error);
  if (bpe->merges == NULL)
    return NULL;

  self->unnamed_id = -1;
  atn_word_model_find_bytes (self, bpe->byte_ids);
  bpe->has_unknown_id =
    bpe->unknown != NULL &&
    atn_vocabulary_find (vocabulary, bpe->unknown, strlen (bpe->unknown), &bpe->unknown_id);
  return g_steal_pointer (&self);
}
