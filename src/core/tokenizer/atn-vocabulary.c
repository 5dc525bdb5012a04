/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-vocabulary.h"

#include "base/atn-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX
#define MIN_SLOTS 64

typedef struct
{
  size_t offset; /* into text */
  uint32_t length;
  uint32_t id;
} Entry;

struct _AtnVocabulary
{
  GString *text;   /* all strings, each with its NUL */
  GArray *entries; /* Entry */
  GArray *ids;     /* uint32_t index of the entry, NO_ENTRY in gaps */
  uint32_t *slots; /* [n_slots] index of the entry */
  size_t n_slots;  /* a power of two */
  size_t max_len;
};

/* FNV-1a, 64 bits. */
static size_t
hash_bytes (const char *text, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325u;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (uint8_t) text[i]) * 0x100000001b3u;
  return (size_t) (hash ^ (hash >> 32));
}

static const Entry *
entry_at (const AtnVocabulary *self, uint32_t index)
{
  return &g_array_index (self->entries, Entry, index);
}

/* The slot that holds @text, or the empty one where it would go. */
static size_t
find_slot (const AtnVocabulary *self, const char *text, size_t length)
{
  size_t slot = hash_bytes (text, length) & (self->n_slots - 1);

  while (self->slots[slot] != NO_ENTRY) {
    const Entry *entry = entry_at (self, self->slots[slot]);

    if (entry->length == length && memcmp (self->text->str + entry->offset, text, length) == 0)
      break;
    slot = (slot + 1) & (self->n_slots - 1);
  }
  return slot;
}

static void
resize_slots (AtnVocabulary *self, size_t n_slots)
{
  g_free (self->slots);
  self->slots = g_new (uint32_t, n_slots);
  self->n_slots = n_slots;
  memset (self->slots, 0xFF, n_slots * sizeof *self->slots);
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = entry_at (self, i);

    self->slots[find_slot (self, self->text->str + entry->offset, entry->length)] = i;
  }
}

AtnVocabulary *
atn_vocabulary_new (void)
{
  AtnVocabulary *self = g_new0 (AtnVocabulary, 1);

  self->text = g_string_new (NULL);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  resize_slots (self, MIN_SLOTS);
  return self;
}

void
atn_vocabulary_free (AtnVocabulary *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->entries);
  g_array_unref (self->ids);
  g_free (self->slots);
  g_free (self);
}

static void
grow_ids (AtnVocabulary *self, uint32_t id)
{
  guint old_len = self->ids->len;

  if (id < old_len)
    return;

  g_array_set_size (self->ids, id + 1);
  memset (&g_array_index (self->ids, uint32_t, old_len), 0xFF,
          (self->ids->len - old_len) * sizeof (uint32_t));
}

gboolean
atn_vocabulary_add (AtnVocabulary *self, const char *text, uint32_t id)
{
  size_t length = strlen (text);
  Entry entry = { self->text->len, (uint32_t) length, id };
  size_t slot = find_slot (self, text, length);

  g_return_val_if_fail (id <= ATN_VOCABULARY_MAX_ID, FALSE);

  if (self->slots[slot] != NO_ENTRY || atn_vocabulary_get_text (self, id) != NULL)
    return FALSE;

  grow_ids (self, id);
  g_array_index (self->ids, uint32_t, id) = self->entries->len;
  self->slots[slot] = self->entries->len;
  g_array_append_val (self->entries, entry);
  g_string_append_len (self->text, text, (gssize) length + 1);
  self->max_len = MAX (self->max_len, length);
  if (self->entries->len * 2 > self->n_slots)
    resize_slots (self, self->n_slots * 2);
  return TRUE;
}

gboolean
atn_vocabulary_read_id (const AtnJson *json, const char *name, uint32_t *id, GError **error)
{
  double number;

  if (atn_json_get_kind (json) != ATN_JSON_NUMBER) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("The id of “%s” is %s, expected a number"), name,
                 atn_json_kind_get_name (atn_json_get_kind (json)));
    return FALSE;
  }
  number = atn_json_get_number (json);
  if (number < 0 || number > ATN_VOCABULARY_MAX_ID || floor (number) != number) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("The id of “%s” is %s, expected a whole number from 0 to %u"), name,
                 g_ascii_formatd (digits, sizeof digits, "%.10g", number), ATN_VOCABULARY_MAX_ID);
    return FALSE;
  }
  *id = (uint32_t) number;
  return TRUE;
}

static gboolean
add_json_entry (AtnVocabulary *self, const AtnJson *json, GError **error)
{
  const char *name = atn_json_get_name (json);
  const char *other;
  uint32_t id;

  if (!atn_vocabulary_read_id (json, name, &id, error))
    return FALSE;
  if (atn_vocabulary_add (self, name, id))
    return TRUE;

  other = atn_vocabulary_get_text (self, id);
  if (other != NULL && !g_str_equal (other, name))
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” and “%s” have the same id %u"), other, name, id);
  else
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is in the vocabulary twice"),
                 name);
  return FALSE;
}

AtnVocabulary *
atn_vocabulary_new_from_json (const AtnJson *json, GError **error)
{
  g_autoptr (AtnVocabulary) self = atn_vocabulary_new ();

  for (const AtnJson *item = atn_json_get_first (json); item != NULL;
       item = atn_json_get_next (item)) {
    if (!add_json_entry (self, item, error)) {
      g_prefix_error (error, "vocab: ");
      return NULL;
    }
  }
  return g_steal_pointer (&self);
}

bool
atn_vocabulary_find (const AtnVocabulary *self, const char *text, size_t length, uint32_t *id)
{
  size_t slot;

  if (length > self->max_len)
    return false;

  slot = find_slot (self, text, length);
  if (self->slots[slot] == NO_ENTRY)
    return false;

  *id = entry_at (self, self->slots[slot])->id;
  return true;
}

const char *
atn_vocabulary_get_text (const AtnVocabulary *self, uint32_t id)
{
  uint32_t index = id < self->ids->len ? g_array_index (self->ids, uint32_t, id) : NO_ENTRY;

  return index == NO_ENTRY ? NULL : self->text->str + entry_at (self, index)->offset;
}

size_t
atn_vocabulary_get_n_entries (const AtnVocabulary *self)
{
  return self->entries->len;
}

size_t
atn_vocabulary_get_n_ids (const AtnVocabulary *self)
{
  return self->ids->len;
}

size_t
atn_vocabulary_get_max_len (const AtnVocabulary *self)
{
  return self->max_len;
}
