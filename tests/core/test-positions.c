/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Which learned number of T5's relative positions holds for which distance.
 */

#include "atn-test-config.h"
#include "atn-test.h"
#include "model/atn-family.h"

#include <string.h>

/* Where a bucket begins, by key - query. */
typedef struct
{
  int distance;
  size_t bucket;
} Edge;

typedef struct
{
  const char *name;
  AtnBuckets buckets;
  size_t n_edges;
  Edge edges[32];
} Table;

/* As relative_position_bucket () of modeling_t5.py gives them, and of modeling_mpnet.py where it
 * has the same settings; far beyond the last edge nothing changes. */
static const Table tables[] = {
  { "mpnet",
    { .n = 32, .max_distance = 128, .is_bidirectional = true },
    31,
    { { -300, 15 }, { -90, 14 }, { -63, 13 }, { -45, 12 }, { -31, 11 }, { -22, 10 }, { -15, 9 },
      { -11, 8 },   { -7, 7 },   { -6, 6 },   { -5, 5 },   { -4, 4 },   { -3, 3 },   { -2, 2 },
      { -1, 1 },    { 0, 0 },    { 1, 17 },   { 2, 18 },   { 3, 19 },   { 4, 20 },   { 5, 21 },
      { 6, 22 },    { 7, 23 },   { 8, 24 },   { 12, 25 },  { 16, 26 },  { 23, 27 },  { 32, 28 },
      { 46, 29 },   { 64, 30 },  { 91, 31 } } },
  { "t5-decoder",
    { .n = 32, .max_distance = 128 },
    32,
    { { -300, 31 }, { -112, 30 }, { -98, 29 }, { -86, 28 }, { -76, 27 }, { -66, 26 }, { -58, 25 },
      { -51, 24 },  { -45, 23 },  { -39, 22 }, { -34, 21 }, { -30, 20 }, { -26, 19 }, { -23, 18 },
      { -20, 17 },  { -18, 16 },  { -15, 15 }, { -14, 14 }, { -13, 13 }, { -12, 12 }, { -11, 11 },
      { -10, 10 },  { -9, 9 },    { -8, 8 },   { -7, 7 },   { -6, 6 },   { -5, 5 },   { -4, 4 },
      { -3, 3 },    { -2, 2 },    { -1, 1 },   { 0, 0 } } },
  { "odd-number",
    { .n = 9, .max_distance = 30 },
    9,
    { { -300, 8 },
      { -20, 7 },
      { -13, 6 },
      { -8, 5 },
      { -5, 4 },
      { -3, 3 },
      { -2, 2 },
      { -1, 1 },
      { 0, 0 } } },
  { "fewest",
    { .n = 5, .max_distance = 2, .is_bidirectional = true },
    3,
    { { -300, 1 }, { 0, 0 }, { 1, 3 } } },
};

static void
test_distances_fall_into_the_reference_s_buckets (gconstpointer data)
{
  const Table *table = data;
  const AtnConfig config = { .buckets = table->buckets };

  for (size_t i = 0; i < table->n_edges; i++) {
    const int end = i + 1 < table->n_edges ? table->edges[i + 1].distance : 300;

    for (int distance = table->edges[i].distance; distance < end; distance++) {
      const size_t query = distance < 0 ? (size_t) -distance : 0;
      const size_t key = distance < 0 ? 0 : (size_t) distance;

      g_assert_cmpuint (atn_config_get_bucket (&config, query, key), ==, table->edges[i].bucket);
      g_assert_cmpuint (atn_config_get_bucket (&config, query + 9, key + 9), ==,
                        table->edges[i].bucket);
    }
  }
}

#define GENERIC                                                                                    \
  "\"model_type\":\"transformer\",\"vocab_size\":5,\"hidden_size\":6,\"num_hidden_layers\":1,"     \
  "\"num_attention_heads\":4,\"num_key_value_heads\":4,\"head_dim\":4,\"v_head_dim\":3,"           \
  "\"intermediate_size\":0,\"norm\":\"none\",\"causal\":false,\"attention_scale\":\"sqrt\","       \
  "\"unembed\":\"none\","
#define NO_POSITIONS "\"positions\":\"none\","

static void
test_the_generic_family_has_them_by_three_keys (void)
{
  g_autoptr (GError) error = NULL;
  AtnConfig c;

  atn_test_read_config (GENERIC NO_POSITIONS "\"relative_attention_num_buckets\":12,"
                                             "\"relative_attention_max_distance\":50,"
                                             "\"relative_attention_bidirectional\":true",
                        &c, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c.buckets.n, ==, 12);
  g_assert_cmpuint (c.buckets.n_rows, ==, 12);
  g_assert_cmpuint (c.buckets.max_distance, ==, 50);
  g_assert_true (c.buckets.is_bidirectional);
  g_assert_true (atn_config_has_position_term (&c));

  atn_test_read_config (GENERIC NO_POSITIONS "\"relative_attention_num_buckets\":null", &c, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c.buckets.n, ==, 0);
  g_assert_false (atn_config_has_position_term (&c));
}

static void
test_mpnet_has_its_numbers_in_the_code (void)
{
  g_autoptr (GError) error = NULL;
  AtnConfig c;

  atn_test_read_config ("\"model_type\":\"mpnet\",\"relative_attention_num_buckets\":40,"
                        "\"pad_token_id\":7",
                        &c, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c.buckets.n, ==, 32);
  g_assert_cmpuint (c.buckets.n_rows, ==, 40);
  g_assert_cmpuint (c.buckets.max_distance, ==, 128);
  g_assert_true (c.buckets.is_bidirectional);
  g_assert_cmpuint (c.first_position, ==, 2);
  g_assert_cmpuint (c.n_ctx, ==, 510);
  g_assert_true (c.is_masked_lm);
}

/* What the generic family must not have; each begins after GENERIC. */
typedef struct
{
  const char *name;
  const char *text;
  int code;
  const char *piece; /* of the message */
} Bad;

static const Bad bad[] = {
  { "no-distance",
    GENERIC NO_POSITIONS "\"relative_attention_num_buckets\":12,"
                         "\"relative_attention_bidirectional\":true",
    ATN_ERROR_INVALID_FORMAT, "relative_attention_max_distance" },
  { "no-direction",
    GENERIC NO_POSITIONS "\"relative_attention_num_buckets\":12,"
                         "\"relative_attention_max_distance\":50",
    ATN_ERROR_INVALID_FORMAT, "relative_attention_bidirectional" },
  { "too-few",
    GENERIC NO_POSITIONS "\"relative_attention_num_buckets\":3,"
                         "\"relative_attention_max_distance\":50,"
                         "\"relative_attention_bidirectional\":true",
    ATN_ERROR_INVALID_FORMAT, "relative_attention_num_buckets" },
  { "too-near",
    GENERIC NO_POSITIONS "\"relative_attention_num_buckets\":32,"
                         "\"relative_attention_max_distance\":16,"
                         "\"relative_attention_bidirectional\":false",
    ATN_ERROR_INVALID_FORMAT, "relative_attention_max_distance" },
  { "beside-alibi",
    GENERIC "\"positions\":\"alibi\",\"relative_attention_num_buckets\":32,"
            "\"relative_attention_max_distance\":128,"
            "\"relative_attention_bidirectional\":false",
    ATN_ERROR_UNSUPPORTED, "ALiBi" },
};

static void
test_buckets_that_make_no_sense_are_refused (gconstpointer data)
{
  const Bad *row = data;
  g_autoptr (GError) error = NULL;
  AtnConfig config;

  g_assert_false (atn_test_read_config (row->text, &config, &error));
  atn_test_assert_error (error, row->code, row->piece);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autofree char *path = g_strdup_printf ("/core/positions/buckets/%s", tables[i].name);

    g_test_add_data_func (path, &tables[i], test_distances_fall_into_the_reference_s_buckets);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *path = g_strdup_printf ("/core/positions/refused/%s", bad[i].name);

    g_test_add_data_func (path, &bad[i], test_buckets_that_make_no_sense_are_refused);
  }
  g_test_add_func ("/core/positions/generic", test_the_generic_family_has_them_by_three_keys);
  g_test_add_func ("/core/positions/mpnet", test_mpnet_has_its_numbers_in_the_code);

  return g_test_run ();
}
