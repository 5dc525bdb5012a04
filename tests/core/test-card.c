/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-card.h"

#include "atn-test-json.h"
#include "atn-test.h"
#include "base/atn-json.h"

static const AtnConfig config = { .n_layers = 2, .n_heads = 3 };

static void
test_the_name_is_the_card_s_or_the_file_s (void)
{
  const struct
  {
    const char *card; /* NULL: none */
    const char *path;
    const char *name;
  } rows[] = {
    { "{\"name\":\"tiny\"}", "/a/b.json", "tiny" },
    { "{\"name\":\"\"}", "/a/b.json", "b" },
    { "{\"name\":7}", "/a/cat.attnscope.json", "cat" },
    { NULL, "/models/gpt2", "gpt2" },
    { NULL, "/models/gpt2/", "gpt2" },
    { NULL, "/models/gpt2/model.safetensors", "gpt2" },
    { NULL, "/models/gpt2/other.safetensors", "other.safetensors" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (AtnJson) card = rows[i].card != NULL ? atn_test_parse_json (rows[i].card) : NULL;
    g_autofree char *name = atn_card_dup_name (card, rows[i].path);

    g_assert_cmpstr (name, ==, rows[i].name);
  }
}

static void
test_a_text_comes_in_the_first_language_there_is (void)
{
  const char *const chinese[] = { "zh_CN.UTF-8", "zh_CN", "zh", "C", NULL };
  const char *const german[] = { "de_DE", "de", "C", NULL };
  g_autoptr (AtnJson) both = atn_test_parse_json ("{\"en\":\"cat\",\"zh_CN\":\"猫\"}");
  g_autoptr (AtnJson) one = atn_test_parse_json ("{\"zh_CN\":\"猫\"}");
  g_autoptr (AtnJson) plain = atn_test_parse_json ("\"Katze\"");
  g_autoptr (AtnJson) number = atn_test_parse_json ("7");

  g_assert_cmpstr (atn_card_get_text (both, chinese), ==, "猫");
  g_assert_cmpstr (atn_card_get_text (both, german), ==, "cat");
  g_assert_cmpstr (atn_card_get_text (both, NULL), ==, "cat");
  g_assert_cmpstr (atn_card_get_text (one, german), ==, "猫");
  g_assert_cmpstr (atn_card_get_text (plain, chinese), ==, "Katze");
  g_assert_null (atn_card_get_text (number, chinese));
  g_assert_null (atn_card_get_text (NULL, chinese));
}

static void
test_an_example_is_read_whole (void)
{
  const char *const chinese[] = { "zh_CN", NULL };
  g_autoptr (AtnJson) card =
    atn_test_parse_json ("{\"examples\":[{\"text\":\"a b\",\"pair\":\"c\",\"layer\":1,\"head\":2,"
                         "\"stage\":\"dot\",\"note\":{\"en\":\"see\",\"zh_CN\":\"看\"},"
                         "\"claim\":{\"query\":1,\"key\":0,\"at_least\":0.5}}]}");
  g_autoptr (GPtrArray) examples = atn_card_dup_examples (card, &config, chinese);
  const AtnExample *example;

  g_assert_cmpuint (examples->len, ==, 1);
  example = g_ptr_array_index (examples, 0);
  g_assert_cmpstr (example->text, ==, "a b");
  g_assert_cmpstr (example->pair, ==, "c");
  g_assert_cmpuint (example->layer, ==, 1);
  g_assert_cmpuint (example->head, ==, 2);
  g_assert_cmpstr (example->stage, ==, "dot");
  g_assert_cmpstr (example->note, ==, "看");
  g_assert_true (example->has_claim);
  g_assert_cmpuint (example->claim_query, ==, 1);
  g_assert_cmpuint (example->claim_key, ==, 0);
  g_assert_cmpfloat (example->claim_at_least, ==, 0.5f);
}

static void
test_a_malformed_example_is_left_out_with_a_warning (void)
{
  g_autoptr (AtnJson) card = atn_test_parse_json (
    "{\"examples\":[{\"text\":\"good\",\"layer\":0,\"head\":0,\"stage\":\"dot\"},"
    "{\"text\":\"no such layer\",\"layer\":2,\"head\":0,\"stage\":\"dot\"},"
    "{\"layer\":0,\"head\":0},7]}");
  g_autoptr (GPtrArray) examples = atn_card_dup_examples (card, &config, NULL);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);

  atn_card_check_examples (card, &config, warnings);
  g_assert_cmpuint (examples->len, ==, 1);
  g_assert_cmpuint (warnings->len, ==, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), "layer"));
  g_assert_nonnull (strstr (g_ptr_array_index (warnings, 1), "text"));
}

static void
test_no_card_has_no_examples (void)
{
  g_autoptr (GPtrArray) examples = atn_card_dup_examples (NULL, &config, NULL);

  g_assert_cmpuint (examples->len, ==, 0);
}

/* Opening a model: its parts that need no numbers. */

static void
raise_fraction_cb (double fraction, gpointer user_data)
{
  double *last = user_data;

  g_assert_cmpfloat (fraction, >=, *last);
  *last = fraction;
}

static void
test_opening_reports_progress_up_to_one (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "models", "six-tokens.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = NULL;
  double last = 0.0;

  model = atn_model_open (path, raise_fraction_cb, &last, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (last, ==, 1.0);
  g_assert_cmpstr (atn_model_get_name (model), ==, "six-tokens");
  g_assert_cmpstr (atn_model_get_license (model), ==, "MIT");
  g_assert_cmpstr (atn_model_get_path (model), ==, path);
  g_assert_nonnull (atn_model_get_description (model, NULL));
  g_assert_cmpuint (atn_model_get_n_parameters (model), >, 144);
  g_assert_false (atn_model_has_pair (model));
}

static void
test_opening_can_be_cancelled (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "models", "six-tokens.json", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (atn_model_open (path, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_a_model_without_a_tokenizer_says_so (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "fixtures", "models", "gpt2", NULL);
  char *folder = atn_test_make_folder ();
  g_autoptr (GError) error = NULL;
  const char *const names[] = { "config.json", "model.safetensors" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *from = g_build_filename (source, names[i], NULL);
    g_autofree char *data = NULL;
    g_autofree char *to = NULL;
    gsize length;

    g_file_get_contents (from, &data, &length, &error);
    g_assert_no_error (error);
    to = atn_test_write_file (folder, names[i], data, (gssize) length);
  }

  g_assert_null (atn_model_open (folder, NULL, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (g_str_has_prefix (error->message, folder));
  g_assert_nonnull (strstr (error->message, "tokenizer"));
  atn_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/card/name", test_the_name_is_the_card_s_or_the_file_s);
  g_test_add_func ("/core/card/text", test_a_text_comes_in_the_first_language_there_is);
  g_test_add_func ("/core/card/example", test_an_example_is_read_whole);
  g_test_add_func ("/core/card/bad-example", test_a_malformed_example_is_left_out_with_a_warning);
  g_test_add_func ("/core/card/none", test_no_card_has_no_examples);
  g_test_add_func ("/core/card/open/progress", test_opening_reports_progress_up_to_one);
  g_test_add_func ("/core/card/open/cancel", test_opening_can_be_cancelled);
  g_test_add_func ("/core/card/open/no-tokenizer", test_a_model_without_a_tokenizer_says_so);

  return g_test_run ();
}
