/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-bpe-merges.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NO_PAIR UINT64_MAX

typedef struct
{
  uint64_t pair; /* left id in the upper half; NO_PAIR in an empty slot */
  uint32_t rank;
  uint32_t new_id;
} Merge;

struct _AtnBpeMerges
{
  Merge *slots; /* [n_slots], open addressing, at most half full */
  size_t n_slots;
};

static size_t
find_slot (const AtnBpeMerges *self, uint64_t pair)
{
  uint64_t hash = (pair ^ (pair >> 29)) * 0x9e3779b97f4a7c15u;
  size_t slot = (size_t) (hash >> 32) & (self->n_slots - 1);

  while (self->slots[slot].pair != NO_PAIR && self->slots[slot].pair != pair)
    slot = (slot + 1) & (self->n_slots - 1);
  return slot;
}

bool
atn_bpe_merges_find (const AtnBpeMerges *self,
                     uint32_t left,
                     uint32_t right,
                     uint32_t *rank,
                     uint32_t *new_id)
{
  uint64_t pair = ((uint64_t) left << 32) | right;
  const Merge *merge = &self->slots[find_slot (self, pair)];

  if (merge->pair != pair)
    return false;

  *rank = merge->rank;
  *new_id = merge->new_id;
  return true;
}

typedef struct
{
  const char *left;
  size_t left_len;
  const char *right;
  size_t right_len;
} Pair;

/* "left right": exactly one space. */
static bool
parse_string (const char *string, Pair *pair)
{
  const char *space = strchr (string, ' ');

  if (space == NULL || strchr (space + 1, ' ') != NULL)
    return false;

  pair->left = string;
  pair->left_len = (size_t) (space - string);
  pair->right = space + 1;
  pair->right_len = strlen (space + 1);
  return true;
}

static bool
parse_array (const AtnJson *json, Pair *pair)
{
  const AtnJson *left = atn_json_get_first (json);
  const AtnJson *right = left == NULL ? NULL : atn_json_get_next (left);

  if (right == NULL || atn_json_get_next (right) != NULL ||
      atn_json_get_kind (left) != ATN_JSON_STRING || atn_json_get_kind (right) != ATN_JSON_STRING)
    return false;

  pair->left = atn_json_get_string (left);
  pair->left_len = strlen (pair->left);
  pair->right = atn_json_get_string (right);
  pair->right_len = strlen (pair->right);
  return true;
}

static gboolean
parse_pair (const AtnJson *json, size_t index, size_t prefix_len, Pair *pair, GError **error)
{
  AtnJsonKind kind = atn_json_get_kind (json);
  bool is_pair = (kind == ATN_JSON_STRING && parse_string (atn_json_get_string (json), pair)) ||
                 (kind == ATN_JSON_ARRAY && parse_array (json, pair));

  if (is_pair && pair->right_len >= prefix_len)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               /* Translators: the numbers are an index, then what stands there */
               _ ("merges[%zu] is %s%s%s, expected two strings"), index,
               kind == ATN_JSON_STRING ? "“" : "",
               kind == ATN_JSON_STRING ? atn_json_get_string (json) : atn_json_kind_get_name (kind),
               kind == ATN_JSON_STRING ? "”" : "");
  return FALSE;
}

static gboolean
find_string (const AtnVocabulary *vocabulary,
             const char *text,
             size_t length,
             size_t index,
             uint32_t *id,
             GError **error)
{
  if (atn_vocabulary_find (vocabulary, text, length, id))
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
               _ ("merges[%zu]: “%.*s” is not in the vocabulary"), index,
               (int) MIN (length, G_MAXINT), text);
  return FALSE;
}

static gboolean
add_merge (AtnBpeMerges *self,
           const AtnVocabulary *vocabulary,
           const Pair *pair,
           size_t prefix_len,
           size_t index,
           GString *scratch,
           GError **error)
{
  uint32_t left, right;
  Merge merge = { .rank = (uint32_t) index };

  g_string_truncate (scratch, 0);
  g_string_append_len (scratch, pair->left, (gssize) pair->left_len);
  g_string_append_len (scratch, pair->right + prefix_len, (gssize) (pair->right_len - prefix_len));
  if (!find_string (vocabulary, pair->left, pair->left_len, index, &left, error) ||
      !find_string (vocabulary, pair->right, pair->right_len, index, &right, error) ||
      !find_string (vocabulary, scratch->str, scratch->len, index, &merge.new_id, error))
    return FALSE;

  /* A pair that is there twice has its last rank, as in the reference. */
  merge.pair = ((uint64_t) left << 32) | right;
  self->slots[find_slot (self, merge.pair)] = merge;
  return TRUE;
}

static bool
is_version_line (const AtnJson *json)
{
  return atn_json_get_kind (json) == ATN_JSON_STRING &&
         g_str_has_prefix (atn_json_get_string (json), "#version");
}

AtnBpeMerges *
atn_bpe_merges_new (const AtnJson *json,
                    const AtnVocabulary *vocabulary,
                    size_t prefix_len,
                    GError **error)
{
  g_autoptr (AtnBpeMerges) self = g_new0 (AtnBpeMerges, 1);
  g_autoptr (GString) scratch = g_string_new (NULL);
  size_t n_merges = atn_json_count (json);
  size_t index = 0;

  self->n_slots = 64;
  while (self->n_slots < 2 * n_merges)
    self->n_slots *= 2;
  self->slots = g_new (Merge, self->n_slots);
  memset (self->slots, 0xFF, self->n_slots * sizeof *self->slots);

  for (const AtnJson *item = atn_json_get_first (json); item != NULL;
       item = atn_json_get_next (item)) {
    Pair pair;

    if (is_version_line (item))
      continue;
    if (!parse_pair (item, index, prefix_len, &pair, error) ||
        !add_merge (self, vocabulary, &pair, prefix_len, index, scratch, error))
      return NULL;
    index++;
  }
  return g_steal_pointer (&self);
}

void
atn_bpe_merges_free (AtnBpeMerges *self)
{
  g_free (self->slots);
  g_free (self);
}
