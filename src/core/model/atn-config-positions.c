/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What positions add to scores: ALiBi's slopes, T5's buckets of distances.
 */

#include "base/atn-error.h"
#include "model/atn-config-reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>

float
atn_config_get_alibi_slope (const AtnConfig *self, size_t head)
{
  size_t power = 1;

  if (self->positions != ATN_POSITIONS_ALIBI)
    return 0.0f;

  while (2 * power <= self->n_heads)
    power *= 2;
  if (head < power)
    return (float) exp2 (-8.0 * (double) (head + 1) / (double) power);

  /* The rest takes every second slope of twice as many heads. */
  return (float) exp2 (-4.0 * (double) (2 * (head - power) + 1) / (double) power);
}

/* Buckets of one direction. */
static size_t
count_buckets (const AtnBuckets *buckets)
{
  return buckets->is_bidirectional ? buckets->n / 2 : buckets->n;
}

size_t
atn_config_get_bucket (const AtnConfig *self, size_t query, size_t key)
{
  const size_t n = count_buckets (&self->buckets);
  const size_t n_exact = n / 2;
  const float range = (float) log ((double) self->buckets.max_distance / (double) n_exact);
  const bool is_after = key > query;
  const size_t first = is_after && self->buckets.is_bidirectional ? n : 0;
  const size_t distance = is_after ? key - query : query - key;
  float place;

  if (is_after && !self->buckets.is_bidirectional)
    return 0;
  if (distance < n_exact)
    return first + distance;

  place = logf ((float) distance / (float) n_exact) / range * (float) (n - n_exact);
  return first + MIN (n_exact + (size_t) place, n - 1);
}

bool
atn_config_has_position_term (const AtnConfig *self)
{
  return self->positions == ATN_POSITIONS_ALIBI || self->buckets.n > 0;
}

gboolean
atn_config_check_buckets (const AtnConfig *config, GError **error)
{
  const AtnBuckets *buckets = &config->buckets;
  const size_t n_exact = count_buckets (buckets) / 2;

  if (buckets->n == 0)
    return TRUE;

  if (config->positions == ATN_POSITIONS_ALIBI) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("“relative_attention_num_buckets” beside ALiBi is not supported"));
    return FALSE;
  }
  if (n_exact == 0) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“relative_attention_num_buckets” is %zu, too few: each direction needs at "
                    "least 2"),
                 buckets->n);
    return FALSE;
  }
  if (buckets->max_distance <= n_exact) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“relative_attention_max_distance” is %zu, but the first %zu distances have "
                    "buckets of their own"),
                 buckets->max_distance, n_exact);
    return FALSE;
  }

  return TRUE;
}
