/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Source: Unicode Standard Annex 15, with the edits of the reference: the first
 * part of a decomposition replaces the character, the others are new; a composed
 * character takes the sum of the changes of its parts, less one for the part that
 * vanished.
 */

#include "tokenizer/atn-normal-form.h"

#include "tokenizer/atn-unicode.h"

typedef struct
{
  AtnEdit edit;
  int combining_class;
} SortedEdit;

static int
compare_classes (gconstpointer a, gconstpointer b, gpointer data)
{
  return ((const SortedEdit *) a)->combining_class - ((const SortedEdit *) b)->combining_class;
}

/* Sorts the marks that follow one base character; the sort of GLib keeps equals in order. */
static void
sort_pending (GArray *sorted, guint *first_pending)
{
  guint n_pending = sorted->len - *first_pending;

  if (n_pending > 1)
    g_qsort_with_data (&g_array_index (sorted, SortedEdit, *first_pending), (gint) n_pending,
                       sizeof (SortedEdit), compare_classes, NULL);
  *first_pending = sorted->len;
}

static GArray *
decompose (const gunichar *characters, size_t n_characters, gboolean compatible)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (SortedEdit), (guint) n_characters);
  guint first_pending = 0;

  for (size_t i = 0; i < n_characters; i++) {
    gunichar parts[G_UNICHAR_MAX_DECOMPOSITION_LENGTH];
    size_t n_parts = atn_unicode_decompose (characters[i], compatible, parts);

    for (size_t p = 0; p < n_parts; p++) {
      SortedEdit item = { { parts[p], p > 0 ? 1 : 0 }, atn_unicode_get_combining_class (parts[p]) };

      if (item.combining_class == 0)
        sort_pending (sorted, &first_pending);
      g_array_append_val (sorted, item);
      if (item.combining_class == 0)
        first_pending = sorted->len;
    }
  }
  sort_pending (sorted, &first_pending);
  return sorted;
}

static void
append_decomposed (const gunichar *characters,
                   size_t n_characters,
                   gboolean compatible,
                   GArray *edits)
{
  g_autoptr (GArray) sorted = decompose (characters, n_characters, compatible);

  for (guint i = 0; i < sorted->len; i++)
    g_array_append_val (edits, g_array_index (sorted, SortedEdit, i).edit);
}

/* What may still be composed: a base character and the marks after it that stayed. */
typedef struct
{
  bool has_base;
  AtnEdit base;
  GArray *marks;  /* AtnEdit */
  int last_class; /* of the last mark in marks, -1 if there is none */
} Composition;

static void
flush_composition (Composition *self, GArray *edits)
{
  if (self->has_base)
    g_array_append_val (edits, self->base);
  if (self->marks->len > 0)
    g_array_append_vals (edits, self->marks->data, self->marks->len);
  g_array_set_size (self->marks, 0);
  self->last_class = -1;
  self->has_base = false;
}

static void
compose_next (Composition *self, const SortedEdit *item, GArray *edits)
{
  bool is_blocked = self->last_class >= item->combining_class;
  gunichar composed;

  if (!self->has_base && item->combining_class != 0) {
    g_array_append_val (edits, item->edit);
    return;
  }
  if (self->has_base && !is_blocked &&
      atn_unicode_compose (self->base.character, item->edit.character, &composed)) {
    self->base.character = composed;
    self->base.change += item->edit.change - 1;
    return;
  }
  if (item->combining_class == 0) {
    flush_composition (self, edits);
    self->base = item->edit;
    self->has_base = true;
    return;
  }
  g_array_append_val (self->marks, item->edit);
  self->last_class = item->combining_class;
}

static void
append_composed (const gunichar *characters,
                 size_t n_characters,
                 gboolean compatible,
                 GArray *edits)
{
  g_autoptr (GArray) sorted = decompose (characters, n_characters, compatible);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (AtnEdit));
  Composition composition = { .marks = marks, .last_class = -1 };

  for (guint i = 0; i < sorted->len; i++)
    compose_next (&composition, &g_array_index (sorted, SortedEdit, i), edits);
  flush_composition (&composition, edits);
}

void
atn_normal_form_nfd (const gunichar *characters,
                     size_t n_characters,
                     GArray *edits,
                     size_t *n_dropped,
                     gconstpointer data)
{
  append_decomposed (characters, n_characters, FALSE, edits);
}

void
atn_normal_form_nfkd (const gunichar *characters,
                      size_t n_characters,
                      GArray *edits,
                      size_t *n_dropped,
                      gconstpointer data)
{
  append_decomposed (characters, n_characters, TRUE, edits);
}

void
atn_normal_form_nfc (const gunichar *characters,
                     size_t n_characters,
                     GArray *edits,
                     size_t *n_dropped,
                     gconstpointer data)
{
  append_composed (characters, n_characters, FALSE, edits);
}

void
atn_normal_form_nfkc (const gunichar *characters,
                      size_t n_characters,
                      GArray *edits,
                      size_t *n_dropped,
                      gconstpointer data)
{
  append_composed (characters, n_characters, TRUE, edits);
}
