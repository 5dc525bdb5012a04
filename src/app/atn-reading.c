/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-reading.h"

#include "app/atn-format.h"

#include <glib/gi18n.h>
#include <math.h>

static const AtnMatrix *
get_matrix (const AtnPicture *picture)
{
  return picture->figure->panels[0].matrix;
}

/* The visible key with the highest value of a row, -1 if it sees none. */
static int
find_strongest (const AtnMatrix *matrix, size_t query)
{
  int best = -1;

  for (size_t key = 0; key < matrix->n_cols; key++) {
    if (atn_matrix_is_forbidden (matrix, query, key))
      continue;
    if (best < 0 || atn_matrix_get (matrix, query, key) > atn_matrix_get (matrix, query, best))
      best = (int) key;
  }
  return best;
}

static char *
dup_weight_sentence (const char *query, const char *key, bool is_itself, double weight)
{
  g_autofree char *percent = atn_format_dup_percent (weight);

  if (is_itself)
    /* Translators: “it” gives 63 % of its attention to itself */
    return g_strdup_printf (_ ("“%s” gives %s of its attention to itself"), query, percent);
  /* Translators: “it” gives 63 % of its attention to “cat” */
  return g_strdup_printf (_ ("“%s” gives %s of its attention to “%s”"), query, percent, key);
}

static char *
dup_score_sentence (const char *query, const char *key, double score, const char *best, double top)
{
  g_autofree char *score_text = atn_format_dup_rough_number (score);
  g_autofree char *top_text = atn_format_dup_rough_number (top);

  if (best == NULL)
    /* Translators: a query, a key, a number */
    return g_strdup_printf (_ ("“%s” matches “%s” with a score of %s, the highest of its row"),
                            query, key, score_text);
  /* Translators: a query, a key, a number, then another key and number */
  return g_strdup_printf (
    _ ("“%s” matches “%s” with a score of %s; the highest of its row is “%s” with %s"), query, key,
    score_text, best, top_text);
}

static char *
dup_contribution_sentence (const char *query, const char *key, double length)
{
  g_autofree char *text = atn_format_dup_rough_number (length);

  /* Translators: a query, a number, a key */
  return g_strdup_printf (_ ("“%s” gets a vector of length %s from “%s” through this head"), query,
                          text, key);
}

static char *
dup_forbidden_sentence (const char *query, const char *key, bool sees_any)
{
  if (!sees_any)
    return g_strdup_printf (_ ("“%s” may look at no token at all: its weights are all 0"), query);
  /* Translators: a query and a key */
  return g_strdup_printf (_ ("“%s” may not look at “%s”: the mask forbids it"), query, key);
}

char *
atn_reading_dup_sentence (const AtnPicture *picture, int query, int key)
{
  const AtnMatrix *matrix = get_matrix (picture);
  AtnStage stage = picture->options.stage;
  g_autofree char *query_text = NULL;
  g_autofree char *key_text = NULL;
  g_autofree char *best_text = NULL;
  int best;

  if (query < 0)
    query = (int) matrix->n_rows - 1;
  if (query < 0 || query >= (int) matrix->n_rows || key >= (int) matrix->n_cols)
    return g_strdup ("");
  best = find_strongest (matrix, (size_t) query);
  if (key < 0)
    key = MAX (best, 0);
  query_text = atn_format_dup_token (picture->figure->query_labels[query]);
  key_text = atn_format_dup_token (picture->figure->key_labels[key]);
  if (atn_matrix_is_forbidden (matrix, (size_t) query, (size_t) key) || best < 0)
    return dup_forbidden_sentence (query_text, key_text, best >= 0);

  {
    double value = (double) atn_matrix_get (matrix, (size_t) query, (size_t) key);
    double top = (double) atn_matrix_get (matrix, (size_t) query, (size_t) best);

    if (stage == ATN_STAGE_CONTRIBUTION)
      return dup_contribution_sentence (query_text, key_text, value);
    if (!atn_stage_is_signed (stage))
      return dup_weight_sentence (query_text, key_text, query == key, value);
    if (best != key)
      best_text = atn_format_dup_token (picture->figure->key_labels[best]);
    return dup_score_sentence (query_text, key_text, value, best_text, top);
  }
}

char *
atn_reading_dup_cell (const AtnPicture *picture, int query, int key)
{
  const AtnMatrix *matrix = get_matrix (picture);
  const char *query_label;
  const char *key_label;
  g_autofree char *value = NULL;

  if (query < 0 || key < 0 || query >= (int) matrix->n_rows || key >= (int) matrix->n_cols)
    return g_strdup ("");
  query_label = picture->figure->query_labels[query];
  key_label = picture->figure->key_labels[key];
  if (atn_matrix_is_forbidden (matrix, (size_t) query, (size_t) key))
    /* Translators: for a screen reader: a query and a key */
    return g_strdup_printf (_ ("Query “%s”, key “%s”: forbidden"), query_label, key_label);
  value = atn_format_dup_number ((double) atn_matrix_get (matrix, (size_t) query, (size_t) key));
  /* Translators: for a screen reader: a query, a key and a number */
  return g_strdup_printf (_ ("Query “%s”, key “%s”: %s"), query_label, key_label, value);
}
