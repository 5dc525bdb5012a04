/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From text to numbers, as the window and the command line run it: the folders
 * of tests/cases, and what a request takes over from the one before.
 */

#include "atn-test-case.h"
#include "atn-test-json.h"

#include <math.h>

/* Folders whose texts have an attention[layer][head][query][key]. */
static const char *const folders[] = {
  "001-label-count-must-equal-matrix",
  "002-query-key-axes-swapped",
  "010-explicit-head-dim-hidden-size",
  "011-scale-switches-in-the-config",
  "013-grouped-query-repeat-not-tile",
  "014-gpt-2-stores-in-out-others-out-in",
  "016-rotary-pairs-split-halves-not",
  "017-rope-theta-taken-from-a-default",
  "019-more-tokens-than-position-rows",
  "022-layer-norm-epsilon-hard-coded",
  "023-gelu-gelu-new",
  "025-tied-output-matrix-is-absent-from",
  "026-same-weights-under-another-key",
  "034-tensor-data-not-aligned",
  "047-integer-and-boolean-tensors",
  "061-g-c-and-mojibake-as-labels",
  "062-one-character-spread-over-several",
  "064-merges-go-by-rank-not-left-to",
  "070-accents-and-kana-marks-are",
  "071-every-chinese-character-stands",
  "073-case-mapping-outside-ascii",
  "077-one-unknown-piece-makes-the-whole",
  "079-the-user-types-a-special-token",
  "086-pasted-windows-line-ends-and-tabs",
  "089-emoji-made-of-several-code-points",
  "097-markup-characters-in-tokens",
  "101-right-to-left-and-combining-labels",
};

static GError *
fail_text (AtnModel *model, const char *text)
{
  const AtnRequest request = { .model = model, .text = text, .text_len = -1 };
  GError *error = NULL;

  g_assert_null (atn_request_run (&request, NULL, NULL, NULL, NULL, &error));
  return error;
}

static void
check_head (const AtnMatrix *matrix, const AtnJson *rows, const char *text)
{
  const AtnJson *row = atn_json_get_first (rows);

  g_assert_cmpuint (atn_json_count (rows), ==, matrix->n_rows);
  for (size_t query = 0; query < matrix->n_rows; query++, row = atn_json_get_next (row)) {
    const AtnJson *weight = atn_json_get_first (row);

    for (size_t key = 0; key < matrix->n_cols; key++, weight = atn_json_get_next (weight)) {
      const double found = (double) atn_matrix_get (matrix, query, key);

      if (!(fabs (found - atn_json_get_number (weight)) <= ATN_TEST_CASE_TOLERANCE))
        g_error ("“%s” [%zu, %zu] is %g, expected %g", text, query, key, found,
                 atn_json_get_number (weight));
    }
  }
}

static void
check_text (AtnModel *model, const AtnJson *entry)
{
  const char *text = atn_json_get_string (atn_json_get_member (entry, "text"));
  const AtnJson *layer_node =
    atn_json_get_first (atn_json_get_member (entry, "attention[layer][head][query][key]"));
  const AtnJson *id = atn_json_get_first (atn_json_get_member (entry, "ids"));
  g_autoptr (AtnResult) result = atn_test_run_text (model, text, NULL);

  for (size_t t = 0; t < result->tokens->n_tokens; t++, id = atn_json_get_next (id))
    g_assert_cmpuint (result->tokens->tokens[t].id, ==, (guint) atn_json_get_number (id));
  g_assert_null (id);

  for (size_t layer = 0; layer_node != NULL; layer++, layer_node = atn_json_get_next (layer_node)) {
    const AtnJson *head_node = atn_json_get_first (layer_node);

    for (size_t head = 0; head_node != NULL; head++, head_node = atn_json_get_next (head_node)) {
      g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, layer, head, ATN_STAGE_PATTERN);

      check_head (matrix, head_node, text);
    }
  }
}

static void
test_attention_is_that_of_the_case (gconstpointer data)
{
  g_autofree char *path = atn_test_dup_case_path (data);
  g_autofree char *expect = g_build_filename (path, "expect.json", NULL);
  g_autoptr (AtnJson) json = atn_test_read_json (expect);
  g_autoptr (AtnModel) model = atn_test_open_path (path);
  const AtnJson *entry = atn_json_get_first (atn_json_get_member (json, "texts"));

  g_assert_nonnull (entry);
  for (; entry != NULL; entry = atn_json_get_next (entry))
    check_text (model, entry);
}

static void
test_specials_are_rows_and_columns (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("001-label-count-must-equal-matrix");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat.", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  const double row[] = { 0.1702, 0.0904, 0.1457, 0.1069, 0.2155, 0.2713 };

  g_assert_cmpuint (result->tokens->n_tokens, ==, 6);
  g_assert_cmpuint (matrix->n_rows, ==, 6);
  g_assert_cmpuint (matrix->n_cols, ==, 6);
  atn_test_assert_row (matrix, 0, row);
}

static void
test_rows_are_queries_and_columns_keys (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) first = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  g_autoptr (AtnMatrix) last = atn_test_dup_matrix (result, 1, 1, ATN_STAGE_PATTERN);
  const double top[] = { 1, 0, 0, 0, 0 };
  const double bottom[] = { 0.0043, 0.0113, 0.6491, 0.3124, 0.0230 };
  const double deep[] = { 0.8136, 0.0438, 0.0200, 0.1087, 0.0139 };

  atn_test_assert_row (first, 0, top);
  atn_test_assert_row (first, 4, bottom);
  atn_test_assert_row (last, 4, deep);
  for (size_t i = 0; i < 25; i++)
    g_assert_cmpint (first->forbidden[i], ==, i % 5 > i / 5);
}

static void
test_dropout_keys_are_ignored (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  g_autoptr (AtnResult) first = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) expected = atn_test_dup_matrix (first, 1, 0, ATN_STAGE_PATTERN);

  for (size_t run = 0; run < 10; run++) {
    g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
    g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 1, 0, ATN_STAGE_PATTERN);

    for (size_t row = 0; row < 5; row++) {
      double sum = 0.0;

      for (size_t key = 0; key < 5; key++)
        sum += (double) atn_matrix_get (matrix, row, key);
      g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-6);
    }
    g_assert_cmpmem (matrix->values, 25 * sizeof (float), expected->values, 25 * sizeof (float));
  }
}

static void
test_shown_weights_mix_the_shown_values (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  const AtnConfig *c = atn_model_get_config (model);
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  float z[5 * 4];

  g_assert_cmpuint (c->d_v, ==, 4);
  for (size_t i = 0; i < c->n_layers * c->n_heads; i++) {
    const size_t layer = i / c->n_heads, head = i % c->n_heads;
    const float *v = atn_trace_get_v (result->trace, layer);
    g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, layer, head, ATN_STAGE_PATTERN);

    atn_trace_compute_z (result->trace, layer, head, NULL, z);
    for (size_t j = 0; j < 5 * 4; j++) {
      double mixed = 0.0;

      for (size_t key = 0; key < 5; key++)
        mixed += (double) atn_matrix_get (matrix, j / 4, key) *
                 (double) v[(key * c->n_heads + head) * 4 + j % 4];
      g_assert_cmpfloat_with_epsilon ((double) z[j], mixed, 1e-5);
    }
  }
}

static void
test_scale_switches_are_computed (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("011-scale-switches-in-the-config");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) first = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  g_autoptr (AtnMatrix) second = atn_test_dup_matrix (result, 1, 0, ATN_STAGE_PATTERN);
  const double row0[] = { 0.0000, 0.0002, 0.8109, 0.1878, 0.0010 };
  const double row1[] = { 0.1406, 0.1858, 0.2719, 0.1523, 0.2495 };

  atn_test_assert_row (first, 4, row0);
  atn_test_assert_row (second, 4, row1);
}

/* (transfer full): a copy of a case's folder in @folder, @from replaced by @to in @file, which is
 * text or the header of a safetensors file: @to must be as long as @from there. */
static void
copy_case (const char *folder, const char *name, const char *file, const char *from, const char *to)
{
  const char *const files[] = { "config.json", "tokenizer.json", "model.safetensors" };

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *inside = g_build_filename (name, files[i], NULL);
    g_autoptr (GString) text = g_string_new (NULL);
    g_autofree char *data = NULL;
    g_autofree char *path = NULL;
    gsize length;

    data = atn_test_dup_case (inside, &length);
    if (strcmp (files[i], file) == 0) {
      const char *place = memmem (data, length, from, strlen (from));

      g_assert_nonnull (place);
      g_string_append_len (text, data, place - data);
      g_string_append (text, to);
      g_string_append_len (text, place + strlen (from),
                           (gssize) length - (place - data) - (gssize) strlen (from));
    } else {
      g_string_append_len (text, data, (gssize) length);
    }
    path = atn_test_write_file (folder, files[i], text->str, (gssize) text->len);
  }
}

static void
test_a_transposed_weight_is_refused_by_shape (void)
{
  char *folder = atn_test_make_folder ();
  g_autoptr (GError) error = NULL;

  copy_case (folder, "014-gpt-2-stores-in-out-others-out-in", "model.safetensors",
             "\"shape\":[8,24]", "\"shape\":[24,8]");
  g_assert_null (atn_model_open (folder, NULL, NULL, NULL, &error));
  atn_test_assert_error (error, ATN_ERROR_SHAPE_MISMATCH, "h.0.attn.c_attn.weight");
  g_assert_nonnull (strstr (error->message, "[24, 8]"));
  g_assert_nonnull (strstr (error->message, "[8, 24]"));
  g_assert_true (g_str_has_prefix (error->message, folder));
  atn_test_remove_folder (folder);
}

static void
test_output_projection_is_not_transposed (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("014-gpt-2-stores-in-out-others-out-in");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 1, 0, ATN_STAGE_PATTERN);
  const double row[] = { 0.4401, 0.0318, 0.0373, 0.4570, 0.0338 };

  atn_test_assert_row (matrix, 4, row);
}

static void
test_more_tokens_than_positions_say_so (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("019-more-tokens-than-position-rows");
  g_autoptr (GError) fifteen = fail_text (model, "the cat sat the cat sat the cat sat");
  g_autoptr (AtnResult) eight = atn_test_run_text (model, "the cat sat the ca", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnResult) cut = NULL;
  const AtnRequest request = { .model = model,
                               .text = "the cat sat the cat sat the cat sat",
                               .text_len = -1,
                               .truncate = true };

  atn_test_assert_error (fifteen, ATN_ERROR_TOO_LARGE, "15");
  g_assert_nonnull (strstr (fifteen->message, "8"));
  g_assert_cmpuint (eight->tokens->n_tokens, <=, 8);

  cut = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cut->tokens->n_tokens, ==, 8);
  g_assert_cmpuint (cut->n_tokens_typed, ==, 15);
}

/* As many tokens as there are positions, and one more. */
static void
test_the_last_position_can_be_used (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("019-more-tokens-than-position-rows");
  g_autoptr (GString) text = g_string_new (NULL);
  bool saw_eight = false, saw_more = false;

  while (!saw_more) {
    g_autoptr (AtnTokens) tokens = NULL;

    g_string_append_c (text, 'a' + (char) (text->len % 3));
    tokens = atn_tokenizer_encode (atn_model_get_tokenizer (model), text->str, -1, NULL, -1, NULL);
    if (tokens->n_tokens > 8) {
      g_autoptr (GError) error = fail_text (model, text->str);

      atn_test_assert_error (error, ATN_ERROR_TOO_LARGE, "9");
      saw_more = true;
    } else {
      g_autoptr (AtnResult) result = atn_test_run_text (model, text->str, NULL);

      saw_eight = saw_eight || result->tokens->n_tokens == 8;
    }
  }
  g_assert_true (saw_eight);
}

static void
test_epsilon_comes_from_the_config (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("022-layer-norm-epsilon-hard-coded");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat on the mat.", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  const double row[] = { 0.2185, 0.0619, 0.1440, 0.0853, 0.1059, 0.0663, 0.0742, 0.1081, 0.1358 };

  atn_test_assert_row (matrix, 0, row);
}

static double
get_cell_of_activation (const char *activation)
{
  char *folder = atn_test_make_folder ();
  double weight;

  copy_case (folder, "023-gelu-gelu-new", "config.json", "\"gelu\"", activation);
  {
    g_autoptr (AtnModel) model = atn_test_open_path (folder);
    g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat on the mat.", NULL);
    g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 2, 1, ATN_STAGE_PATTERN);

    weight = (double) atn_matrix_get (matrix, 5, 8);
  }
  atn_test_remove_folder (folder);
  return weight;
}

static void
test_the_two_gelus_are_two (void)
{
  char *folder = atn_test_make_folder ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpfloat_with_epsilon (get_cell_of_activation ("\"gelu\""), 0.151487,
                                  ATN_TEST_CASE_TOLERANCE);
  g_assert_cmpfloat_with_epsilon (get_cell_of_activation ("\"gelu_new\""), 0.151649,
                                  ATN_TEST_CASE_TOLERANCE);

  copy_case (folder, "023-gelu-gelu-new", "config.json", "\"gelu\"", "\"quick_gelu\"");
  g_assert_null (atn_model_open (folder, NULL, NULL, NULL, &error));
  atn_test_assert_error (error, ATN_ERROR_UNSUPPORTED, "quick_gelu");
  atn_test_remove_folder (folder);
}

/* A copy of a case's folder whose weights have one tensor of zeros more. */
static void
add_tensor (const char *folder, const char *name, const char *tensor, size_t n_rows, size_t n_cols)
{
  g_autofree char *inside = g_build_filename (name, "model.safetensors", NULL);
  g_autoptr (GString) file = g_string_new (NULL);
  g_autofree char *data = NULL;
  g_autofree char *path = NULL;
  gsize length, size = n_rows * n_cols * sizeof (float), n_data;
  guint64 n_header;

  copy_case (folder, name, "config.json", "gpt2", "gpt2");
  data = atn_test_dup_case (inside, &length);
  memcpy (&n_header, data, sizeof n_header);
  n_data = length - 8 - n_header;

  g_string_append_len (file, data + 8, (gssize) n_header);
  while (file->str[file->len - 1] != '}')
    g_string_truncate (file, file->len - 1);
  g_string_truncate (file, file->len - 1);
  g_string_append_printf (file,
                          ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu,%zu],\"data_offsets\":"
                          "[%zu,%zu]}}",
                          tensor, n_rows, n_cols, n_data, n_data + size);
  n_header = file->len;
  g_string_prepend_len (file, (const char *) &n_header, sizeof n_header);
  g_string_append_len (file, data + length - n_data, (gssize) n_data);
  for (gsize i = 0; i < size; i++)
    g_string_append_c (file, '\0');
  path = atn_test_write_file (folder, "model.safetensors", file->str, (gssize) file->len);
}

static void
test_a_tied_head_needs_no_tensor (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("025-tied-output-matrix-is-absent-from");
  const AtnConfig *c = atn_model_get_config (model);
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  g_autofree float *logits = g_new (float, c->d_vocab);
  const double row[] = { 0.1055, 0.1415, 0.3403, 0.0844, 0.3283 };

  atn_test_assert_row (matrix, 4, row);
  g_assert_cmpuint (atn_model_get_warnings (model)->len, ==, 0);
  g_assert_cmpint (c->unembed, ==, ATN_UNEMBED_TIED);
  atn_trace_compute_logits (result->trace, 4, logits);
  g_assert_cmpfloat (fabsf (logits[0]) + fabsf (logits[1]), >, 0.0f);
}

static void
test_a_tied_head_ignores_a_second_matrix (void)
{
  char *folder = atn_test_make_folder ();
  g_autofree float *logits = g_new (float, 276);
  g_autofree float *expected = g_new (float, 276);

  add_tensor (folder, "025-tied-output-matrix-is-absent-from", "lm_head.weight", 276, 8);
  {
    g_autoptr (AtnModel) plain = atn_test_open_case ("025-tied-output-matrix-is-absent-from");
    g_autoptr (AtnModel) model = atn_test_open_path (folder);
    g_autoptr (AtnResult) a = atn_test_run_text (plain, "the cat sat", NULL);
    g_autoptr (AtnResult) b = atn_test_run_text (model, "the cat sat", NULL);

    g_assert_cmpuint (atn_model_get_warnings (model)->len, ==, 0);
    atn_trace_compute_logits (a->trace, 4, expected);
    atn_trace_compute_logits (b->trace, 4, logits);
    g_assert_cmpmem (logits, 276 * sizeof (float), expected, 276 * sizeof (float));
  }
  atn_test_remove_folder (folder);
}

static void
test_prefix_and_buffers_change_nothing (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("026-same-weights-under-another-key");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  const double row[] = { 0.1055, 0.1415, 0.3403, 0.0844, 0.3283 };

  atn_test_assert_row (matrix, 4, row);
  g_assert_cmpuint (atn_model_get_warnings (model)->len, ==, 0);
}

static void
test_an_unknown_tensor_is_one_warning (void)
{
  char *folder = atn_test_make_folder ();

  add_tensor (folder, "025-tied-output-matrix-is-absent-from", "adapter.weight", 2, 3);
  {
    g_autoptr (AtnModel) model = atn_test_open_path (folder);
    const GPtrArray *warnings = atn_model_get_warnings (model);

    g_assert_cmpuint (warnings->len, ==, 1);
    g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), "“adapter.weight”"));
  }
  atn_test_remove_folder (folder);
}

static void
test_unaligned_data_is_read (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("034-tensor-data-not-aligned");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  const double row[] = { 0.0043, 0.0069, 0.2497, 0.6581, 0.0810 };

  atn_test_assert_row (matrix, 4, row);
}

static void
test_integer_tensors_are_passed_over (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("047-integer-and-boolean-tensors");
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat sat.", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (result, 0, 0, ATN_STAGE_PATTERN);
  const GPtrArray *warnings = atn_model_get_warnings (model);
  const double row[] = { 0.0312, 0.1310, 0.1908, 0.2313, 0.1356, 0.2801 };

  atn_test_assert_row (matrix, 0, row);
  g_assert_cmpuint (warnings->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), "mask_table"));
  g_assert_null (strstr (g_ptr_array_index (warnings, 0), "position_ids"));
}

static void
test_a_token_without_a_row_is_refused_when_typed (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("082-token-id-beyond-the-embedding");
  const GPtrArray *warnings = atn_model_get_warnings (model);
  g_autoptr (AtnResult) result = atn_test_run_text (model, "the cat", NULL);
  g_autoptr (GError) error = fail_text (model, "the<|endoftext|>");

  g_assert_cmpuint (warnings->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), "275"));
  g_assert_cmpuint (result->tokens->n_tokens, >, 0);
  atn_test_assert_error (error, ATN_ERROR_INVALID_FORMAT, "<|endoftext|>");
  g_assert_nonnull (strstr (error->message, "275 embedding rows"));
}

static void
test_equal_scores_share_evenly (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case ("092-all-values-equal.model.json");
  g_autoptr (AtnResult) three = atn_test_run_text (model, "a b c", NULL);
  g_autoptr (AtnResult) one = atn_test_run_text (model, "a", NULL);
  g_autoptr (AtnMatrix) matrix = atn_test_dup_matrix (three, 0, 0, ATN_STAGE_PATTERN);
  g_autoptr (AtnMatrix) single = atn_test_dup_matrix (one, 0, 0, ATN_STAGE_PATTERN);

  for (size_t i = 0; i < 9; i++)
    g_assert_cmpfloat (matrix->values[i], ==, 1.0f / 3.0f);
  g_assert_cmpuint (single->n_rows, ==, 1);
  g_assert_cmpfloat (single->values[0], ==, 1.0f);
}

/* The numbers that case 107 gives for both scopes. */
static void
test_the_scope_is_the_network_or_the_head (void)
{
  AtnWhatIf what_if = { .causal = ATN_CAUSAL_OFF, .scale = ATN_SCALE_NONE };
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  g_autoptr (AtnResult) network = atn_test_run_text (model, "the cat sat", &what_if);
  g_autoptr (AtnMatrix) scores = atn_test_dup_matrix (network, 1, 1, ATN_STAGE_MASKED);
  g_autoptr (AtnMatrix) weights = atn_test_dup_matrix (network, 1, 1, ATN_STAGE_PATTERN);
  const double network_scores[] = { 1.3505, 0.4322, -1.4906, 0.6631, -3.7970 };
  const double network_weights[] = { 0.5086, 0.2030, 0.0297, 0.2558, 0.0030 };
  const double head_scores[] = { 4.1216, -1.7239, -3.2916, 0.0962, -4.0181 };

  atn_test_assert_row (scores, 4, network_scores);
  atn_test_assert_row (weights, 4, network_weights);
  g_assert_null (network->baseline);

  what_if.scope = ATN_SCOPE_HEAD;
  {
    g_autoptr (AtnResult) head = atn_test_run_text (model, "the cat sat", &what_if);
    g_autoptr (AtnMatrix) head_matrix = atn_test_dup_matrix (head, 1, 1, ATN_STAGE_MASKED);

    atn_test_assert_row (head_matrix, 4, head_scores);
    g_assert_true (head->trace == head->baseline);
  }
}

/* Runs this program's test of case 2 again in a process with other settings. */
static void
rerun_case_2 (const char *variable, const char *value)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_setenv (launcher, variable, value, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, program, "-p", "/cases/002", NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
}

static void
test_any_number_of_threads_gives_the_same (void)
{
  rerun_case_2 ("OPENBLAS_NUM_THREADS", "1");
  rerun_case_2 ("OPENBLAS_NUM_THREADS", "2");
  rerun_case_2 ("OPENBLAS_NUM_THREADS", "64");
}

static void
test_dirty_memory_changes_nothing (void)
{
  rerun_case_2 ("MALLOC_PERTURB_", "255");
  rerun_case_2 ("MALLOC_PERTURB_", "1");
}

static gpointer
run_case_2_thread (gpointer data)
{
  AtnMatrix *matrix = NULL;

  for (size_t run = 0; run < 50; run++) {
    g_autoptr (AtnResult) result = atn_test_run_text (data, "the cat sat", NULL);

    g_clear_pointer (&matrix, atn_matrix_unref);
    matrix = atn_test_dup_matrix (result, 1, 1, ATN_STAGE_PATTERN);
  }

  return matrix;
}

static void
test_every_run_gives_the_same_digits (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  g_autoptr (AtnMatrix) alone = run_case_2_thread (model);
  GThread *threads[2];

  for (size_t i = 0; i < 2; i++)
    threads[i] = g_thread_new ("run", run_case_2_thread, model);
  for (size_t i = 0; i < 2; i++) {
    g_autoptr (AtnMatrix) beside = g_thread_join (threads[i]);

    g_assert_cmpmem (alone->values, 25 * sizeof (float), beside->values, 25 * sizeof (float));
  }
}

static void
test_no_tokens_are_a_result_without_traces (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  g_autoptr (AtnResult) result = atn_test_run_text (model, "", NULL);

  g_assert_cmpuint (result->tokens->n_tokens, ==, 0);
  g_assert_null (result->trace);
  g_assert_null (result->baseline);
}

static AtnResult *
run_after (const AtnRequest *request, const AtnResult *previous)
{
  g_autoptr (GError) error = NULL;
  AtnResult *result = atn_request_run (request, previous, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
test_traces_are_taken_over (void)
{
  g_autoptr (AtnModel) model = atn_test_open_case (ATN_TEST_CASE_2);
  AtnRequest request = { .model = model,
                         .text = "the cat sat",
                         .text_len = -1,
                         .with_baseline = true };
  g_autoptr (AtnResult) plain = run_after (&request, NULL);
  g_autoptr (AtnResult) off = NULL;
  g_autoptr (AtnResult) other = NULL;
  g_autoptr (AtnResult) head = NULL;

  request.what_if.causal = ATN_CAUSAL_OFF;
  off = run_after (&request, plain);
  g_assert_true (off->baseline == plain->trace);
  g_assert_true (off->trace != off->baseline);

  request.what_if.scope = ATN_SCOPE_HEAD;
  head = run_after (&request, off);
  g_assert_true (head->trace == plain->trace);

  request.text = "the cat sat.";
  other = run_after (&request, head);
  g_assert_true (other->trace != plain->trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = g_strdup_printf ("/core/request/attention/%.3s", folders[i]);

    g_test_add_data_func (path, folders[i], test_attention_is_that_of_the_case);
  }
  g_test_add_func ("/core/request/no-tokens", test_no_tokens_are_a_result_without_traces);
  g_test_add_func ("/core/request/taken-over", test_traces_are_taken_over);
  g_test_add_func ("/core/request/unknown-tensor", test_an_unknown_tensor_is_one_warning);
  g_test_add_func ("/core/request/scope", test_the_scope_is_the_network_or_the_head);
  g_test_add_func ("/core/request/shape", test_a_transposed_weight_is_refused_by_shape);
  g_test_add_func ("/core/request/tied-and-own", test_a_tied_head_ignores_a_second_matrix);
  g_test_add_func ("/core/request/last-position", test_the_last_position_can_be_used);
  g_test_add_func ("/cases/001", test_specials_are_rows_and_columns);
  g_test_add_func ("/cases/002", test_rows_are_queries_and_columns_keys);
  g_test_add_func ("/cases/007", test_dropout_keys_are_ignored);
  g_test_add_func ("/cases/008", test_shown_weights_mix_the_shown_values);
  g_test_add_func ("/cases/011", test_scale_switches_are_computed);
  g_test_add_func ("/cases/014", test_output_projection_is_not_transposed);
  g_test_add_func ("/cases/019", test_more_tokens_than_positions_say_so);
  g_test_add_func ("/cases/022", test_epsilon_comes_from_the_config);
  g_test_add_func ("/cases/023", test_the_two_gelus_are_two);
  g_test_add_func ("/cases/025", test_a_tied_head_needs_no_tensor);
  g_test_add_func ("/cases/026", test_prefix_and_buffers_change_nothing);
  g_test_add_func ("/cases/034", test_unaligned_data_is_read);
  g_test_add_func ("/cases/047", test_integer_tensors_are_passed_over);
  g_test_add_func ("/cases/082", test_a_token_without_a_row_is_refused_when_typed);
  g_test_add_func ("/cases/092", test_equal_scores_share_evenly);
  g_test_add_func ("/cases/115", test_any_number_of_threads_gives_the_same);
  g_test_add_func ("/cases/116", test_dirty_memory_changes_nothing);
  g_test_add_func ("/cases/119", test_every_run_gives_the_same_digits);

  return g_test_run ();
}
