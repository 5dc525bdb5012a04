/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Tokens, and the merges that scores imply.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-tokenizer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Real vocabularies end at 262,144; a larger one is a broken file. */
#define MAX_TOKENS (1u << 24)

/* Strings must differ to have ids. Files have empty ones where a model's vocabulary has none, and a
 * few hold a string twice, of which only the last can come out of a text. */
static char *
dup_placeholder (const char *text, size_t id)
{
  return g_strdup_printf (*text == '\0' ? "[EMPTY_%zu]" : "[DUPLICATE_%zu]", id);
}

static void
make_unique (AtnGgufVocabulary *self)
{
  for (guint i = 0; i < self->texts->len; i++) {
    const char *text = self->texts->pdata[i];
    gpointer old =
      *text == '\0' ? GUINT_TO_POINTER (i + 1) : g_hash_table_lookup (self->by_text, text);
    char *placeholder;

    if (old != NULL) {
      const guint id = GPOINTER_TO_UINT (old) - 1;

      placeholder = dup_placeholder (text, id);
      g_hash_table_remove (self->by_text, text);
      g_free (self->texts->pdata[id]);
      self->texts->pdata[id] = placeholder;
      g_hash_table_insert (self->by_text, placeholder, old);
      if (id == i)
        continue;
    }
    g_hash_table_insert (self->by_text, self->texts->pdata[i], GUINT_TO_POINTER (i + 1));
  }
}

static gboolean
check_tokens (const GPtrArray *texts, GError **error)
{
  if (texts->len == 0 || texts->len > MAX_TOKENS) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” has %zu elements, expected 1 to %zu"), "tokenizer.ggml.tokens",
                 (size_t) texts->len, (size_t) MAX_TOKENS);
    return FALSE;
  }

  for (guint i = 0; i < texts->len; i++) {
    if (strlen (texts->pdata[i]) <= ATN_GGUF_TOKEN_MAX_LEN)
      continue;
    g_set_error (error, ATN_ERROR, ATN_ERROR_TOO_LARGE,
                 _ ("token %zu has %zu bytes, expected at most %zu"), (size_t) i,
                 strlen (texts->pdata[i]), (size_t) ATN_GGUF_TOKEN_MAX_LEN);
    return FALSE;
  }

  return TRUE;
}

AtnGgufVocabulary *
atn_gguf_vocabulary_new (const AtnGguf *gguf, GError **error)
{
  g_autoptr (AtnGgufVocabulary) self = g_new0 (AtnGgufVocabulary, 1);

  self->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = atn_gguf_dup_strings (gguf, "tokenizer.ggml.tokens", ATN_JSON_REQUIRED, error);
  if (self->texts == NULL || !check_tokens (self->texts, error))
    return NULL;

  self->kinds = atn_gguf_dup_numbers (gguf, "tokenizer.ggml.token_type", ATN_JSON_OPTIONAL,
                                      self->texts->len, error);
  if (self->kinds == NULL)
    return NULL;

  make_unique (self);
  return g_steal_pointer (&self);
}

void
atn_gguf_vocabulary_free (AtnGgufVocabulary *self)
{
  g_hash_table_unref (self->by_text);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_free (self);
}

AtnGgufTokenKind
atn_gguf_vocabulary_get_kind (const AtnGgufVocabulary *self, size_t id)
{
  const double kind = id < self->kinds->len ? g_array_index (self->kinds, double, id) : 1;

  return kind >= 1 && kind <= ATN_GGUF_TOKEN_BYTE ? (AtnGgufTokenKind) kind : ATN_GGUF_TOKEN_NORMAL;
}

const char *
atn_gguf_vocabulary_get_text (const AtnGgufVocabulary *self, size_t id)
{
  return id < self->texts->len ? self->texts->pdata[id] : NULL;
}

/* Merges. */

typedef struct
{
  double score; /* of the piece that comes out */
  guint32 left_len;
  guint32 right_len; /* in characters */
  guint32 piece;
  guint32 left;
  guint32 right;
} Merge;

/* Every way in which piece @id is two others. */
static void
append_cuts (const AtnGgufVocabulary *vocabulary, guint32 id, double score, GArray *merges)
{
  const char *text = vocabulary->texts->pdata[id];
  g_autofree char *left = g_strdup (text);
  const guint32 length = (guint32) g_utf8_strlen (text, -1);

  for (guint32 n = 1; n < length; n++) {
    const size_t cut = (size_t) (g_utf8_offset_to_pointer (text, n) - text);
    gpointer left_id, right_id;

    left[cut] = '\0';
    left_id = g_hash_table_lookup (vocabulary->by_text, left);
    left[cut] = text[cut];
    if (left_id == NULL)
      continue;
    right_id = g_hash_table_lookup (vocabulary->by_text, text + cut);
    if (right_id != NULL) {
      const Merge merge = {
        score, n, length - n, id, GPOINTER_TO_UINT (left_id) - 1, GPOINTER_TO_UINT (right_id) - 1
      };

      g_array_append_val (merges, merge);
    }
  }
}

static int
compare_numbers (guint32 a, guint32 b)
{
  return a < b ? -1 : a > b;
}

static int
compare_merges_cb (gconstpointer a, gconstpointer b)
{
  const Merge *first = a, *second = b;
  int order;

  if (first->score != second->score)
    return first->score > second->score ? -1 : 1;

  order = compare_numbers (second->left_len, first->left_len);
  if (order == 0)
    order = compare_numbers (second->right_len, first->right_len);
  if (order == 0)
    order = compare_numbers (first->piece, second->piece);
  if (order == 0)
    order = compare_numbers (first->left, second->left);
  return order;
}

/* Gemma's scores are not those its merges were made with; the order of its pieces is. */
static GArray *
dup_scores (const AtnGguf *gguf, size_t n, GError **error)
{
  g_autofree char *architecture = NULL;
  g_autoptr (GArray) scores = NULL;

  if (!atn_gguf_read_string (gguf, "general.architecture", ATN_JSON_OPTIONAL, &architecture, error))
    return NULL;
  if (architecture == NULL || !g_str_has_prefix (architecture, "gemma"))
    return atn_gguf_dup_numbers (gguf, "tokenizer.ggml.scores", ATN_JSON_REQUIRED, n, error);

  scores = g_array_new (FALSE, FALSE, sizeof (double));
  for (size_t i = 0; i < n; i++) {
    const double score = -(double) i;

    g_array_append_val (scores, score);
  }
  return g_steal_pointer (&scores);
}

gboolean
atn_gguf_append_score_merges (const AtnGguf *gguf,
                              const AtnGgufVocabulary *vocabulary,
                              GString *json,
                              GError **error)
{
  const guint n = vocabulary->texts->len;
  g_autoptr (GArray) scores = dup_scores (gguf, n, error);
  g_autoptr (GArray) merges = g_array_new (FALSE, FALSE, sizeof (Merge));

  if (scores == NULL)
    return FALSE;

  for (guint i = 0; i < n; i++)
    append_cuts (vocabulary, i, g_array_index (scores, double, i), merges);
  g_array_sort (merges, compare_merges_cb);

  g_string_append_c (json, '[');
  for (guint i = 0; i < merges->len; i++) {
    const Merge *merge = &g_array_index (merges, Merge, i);

    g_string_append (json, i == 0 ? "[" : ", [");
    atn_json_append_string (json, vocabulary->texts->pdata[merge->left]);
    g_string_append (json, ", ");
    atn_json_append_string (json, vocabulary->texts->pdata[merge->right]);
    g_string_append_c (json, ']');
  }
  g_string_append_c (json, ']');
  return TRUE;
}
