/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * info: what a model is. One list of facts serves both the lines and the JSON.
 */

#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"

#include <glib/gi18n.h>
#include <string.h>

/* A fact: its key, its value as JSON, and the value for people where that differs. */
typedef struct
{
  const char *key;
  GString *json;
  char *text;
} Fact;

static void
clear_fact_cb (gpointer data)
{
  Fact *fact = data;

  g_string_free (fact->json, TRUE);
  g_free (fact->text);
}

static GString *
add_fact (GArray *facts, const char *key, const char *text)
{
  const Fact fact = { .key = key, .json = g_string_new (NULL), .text = g_strdup (text) };

  g_array_append_val (facts, fact);
  return fact.json;
}

static void
add_string (GArray *facts, const char *key, const char *value)
{
  GString *json = add_fact (facts, key, value);

  if (value != NULL)
    atn_json_append_string (json, value);
  else
    g_string_append (json, "null");
}

static void
add_size (GArray *facts, const char *key, guint64 value)
{
  g_string_append_printf (add_fact (facts, key, NULL), "%" G_GUINT64_FORMAT, value);
}

static void
add_bool (GArray *facts, const char *key, bool value)
{
  g_string_append (add_fact (facts, key, NULL), value ? "true" : "false");
}

static void
add_float (GArray *facts, const char *key, float value)
{
  atn_json_append_float (add_fact (facts, key, NULL), value);
}

static const char *
get_activation_name (AtnActivation activation)
{
  switch (activation) {
  case ATN_ACTIVATION_RELU:
    return "relu";
  case ATN_ACTIVATION_GELU:
    return "gelu";
  case ATN_ACTIVATION_GELU_TANH:
    return "gelu_new";
  case ATN_ACTIVATION_SILU:
    return "silu";
  }

  g_assert_not_reached ();
}

static const char *
get_norm_name (AtnNorm norm)
{
  switch (norm) {
  case ATN_NORM_NONE:
    return "none";
  case ATN_NORM_LAYERNORM:
    return "layernorm";
  case ATN_NORM_RMSNORM:
    return "rmsnorm";
  }

  g_assert_not_reached ();
}

static const char *
get_positions_name (AtnPositions positions)
{
  switch (positions) {
  case ATN_POSITIONS_NONE:
    return "none";
  case ATN_POSITIONS_LEARNED:
    return "learned";
  case ATN_POSITIONS_SINUSOIDAL:
    return "sinusoidal";
  case ATN_POSITIONS_ROPE:
    return "rope";
  case ATN_POSITIONS_ALIBI:
    return "alibi";
  }

  g_assert_not_reached ();
}

static const char *
get_unembed_name (AtnUnembed unembed)
{
  switch (unembed) {
  case ATN_UNEMBED_NONE:
    return "none";
  case ATN_UNEMBED_TIED:
    return "tied";
  case ATN_UNEMBED_OWN:
    return "own";
  }

  g_assert_not_reached ();
}

static void
add_sizes (GArray *facts, const AtnConfig *config)
{
  add_size (facts, "n_layers", config->n_layers);
  add_size (facts, "n_heads", config->n_heads);
  add_size (facts, "n_kv_heads", config->n_kv_heads);
  add_size (facts, "d_model", config->d_model);
  if (config->embed_project)
    add_size (facts, "d_embed", config->d_embed);
  add_size (facts, "d_head", config->d_head);
  add_size (facts, "d_v", config->d_v);
  add_size (facts, "d_mlp", config->d_mlp);
  add_size (facts, "d_vocab", config->d_vocab);
  /* 0 stands for "no limit" inside; JSON has a word for that. */
  if (config->n_ctx > 0)
    add_size (facts, "n_ctx", config->n_ctx);
  else
    add_string (facts, "n_ctx", NULL);
}

static void
add_block (GArray *facts, const AtnConfig *config)
{
  add_float (facts, "scale", atn_config_get_scale (config, 0));
  add_bool (facts, "scale_by_inverse_layer", config->scale_by_inverse_layer);
  add_string (facts, "mask", config->causal ? "causal" : "none");
  if (config->window > 0)
    add_size (facts, "window", config->window);
  if (config->score_cap > 0.0f)
    add_float (facts, "score_cap", config->score_cap);
  add_string (facts, "positions", get_positions_name (config->positions));
  if (config->positions == ATN_POSITIONS_ROPE) {
    add_float (facts, "rope_theta", (float) config->rope_theta);
    add_size (facts, "rotary_dim", config->rotary_dim);
  }
  if (config->buckets.n > 0) {
    add_size (facts, "position_buckets", config->buckets.n);
    add_size (facts, "position_max_distance", config->buckets.max_distance);
    add_bool (facts, "position_bidirectional", config->buckets.is_bidirectional);
  }
  add_string (facts, "norm", get_norm_name (config->norm));
  add_string (facts, "norm_position", config->norm_position == ATN_NORM_PRE ? "pre" : "post");
  add_float (facts, "norm_eps", config->norm_eps);
  if (config->d_mlp > 0) {
    add_string (facts, "activation", get_activation_name (config->activation));
    add_bool (facts, "gated_mlp", config->gated_mlp);
  }
  add_string (facts, "unembed", get_unembed_name (config->unembed));
}

static void
add_stages (GArray *facts, const AtnConfig *config)
{
  const AtnWhatIf as_trained = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) list = g_string_new ("[");

  for (int stage = 0; stage < ATN_N_STAGES; stage++) {
    if (!atn_stage_is_present (stage, config, &as_trained))
      continue;

    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", atn_stage_get_name (stage));
    g_string_append_printf (list, "%s\"%s\"", list->len > 1 ? ", " : "",
                            atn_stage_get_name (stage));
  }

  g_string_append_printf (add_fact (facts, "stages", text->str), "%s]", list->str);
}

static void
append_example (GString *json, const AtnExample *example)
{
  g_string_append (json, "{\"text\": ");
  atn_json_append_string (json, example->text);
  if (example->pair != NULL) {
    g_string_append (json, ", \"pair\": ");
    atn_json_append_string (json, example->pair);
  }
  g_string_append_printf (json,
                          ", \"layer\": %" G_GSIZE_FORMAT ", \"head\": %" G_GSIZE_FORMAT
                          ", \"stage\": ",
                          example->layer, example->head);
  atn_json_append_string (json, example->stage);
  if (example->note != NULL) {
    g_string_append (json, ", \"note\": ");
    atn_json_append_string (json, example->note);
  }
  g_string_append_c (json, '}');
}

static void
add_examples (GArray *facts, const AtnModel *model)
{
  g_autoptr (GPtrArray) examples = atn_model_dup_examples (model, g_get_language_names ());
  g_autoptr (GString) text = g_string_new (NULL);
  GString *json;

  for (size_t i = 0; i < examples->len; i++) {
    const AtnExample *example = examples->pdata[i];

    g_string_append_printf (text, "%s“%s”", text->len > 0 ? " " : "", example->text);
  }

  json = add_fact (facts, "examples", text->str);
  g_string_append_c (json, '[');
  for (size_t i = 0; i < examples->len; i++) {
    g_string_append (json, i > 0 ? ", " : "");
    append_example (json, examples->pdata[i]);
  }
  g_string_append_c (json, ']');
}

static void
add_warnings (GArray *facts, const AtnModel *model)
{
  const GPtrArray *warnings = atn_model_get_warnings (model);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) list = g_string_new ("[");

  for (size_t i = 0; i < warnings->len; i++) {
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", (const char *) warnings->pdata[i]);
    g_string_append (list, i > 0 ? ", " : "");
    atn_json_append_string (list, warnings->pdata[i]);
  }

  g_string_append_printf (add_fact (facts, "warnings", text->str), "%s]", list->str);
}

static GArray *
collect_facts (AtnModel *model)
{
  const AtnConfig *config = atn_model_get_config (model);
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (Fact));

  g_array_set_clear_func (facts, clear_fact_cb);
  add_string (facts, "name", atn_model_get_name (model));
  add_string (facts, "path", atn_model_get_path (model));
  add_string (facts, "family", config->family);
  add_string (facts, "license", atn_model_get_license (model));
  add_string (facts, "description", atn_model_get_description (model, g_get_language_names ()));
  add_size (facts, "n_parameters", atn_model_get_n_parameters (model));
  add_sizes (facts, config);
  add_block (facts, config);
  add_string (facts, "predicts",
              !atn_model_can_predict (model) ? NULL
              : config->is_masked_lm         ? "masked"
                                             : "next");
  add_bool (facts, "pair", atn_model_has_pair (model));
  add_stages (facts, config);
  add_examples (facts, model);
  add_warnings (facts, model);
  return facts;
}

/* For people a fact that says nothing is left out. */
static const char *
get_fact_text (const Fact *fact)
{
  const char *text = fact->text != NULL ? fact->text : fact->json->str;

  return *text != '\0' && strcmp (fact->json->str, "null") != 0 ? text : NULL;
}

static void
append_lines (GString *out, const GArray *facts)
{
  for (size_t i = 0; i < facts->len; i++) {
    const Fact *fact = &g_array_index (facts, Fact, i);

    if (get_fact_text (fact) != NULL)
      g_string_append_printf (out, "%s: %s\n", fact->key, get_fact_text (fact));
  }
}

static void
append_json (GString *out, const GArray *facts)
{
  for (size_t i = 0; i < facts->len; i++) {
    const Fact *fact = &g_array_index (facts, Fact, i);

    g_string_append_printf (out, "%s\n \"%s\": %s", i > 0 ? "," : "{", fact->key, fact->json->str);
  }
  g_string_append (out, "\n}\n");
}

gboolean
atn_cli_run_info (const AtnCliArguments *arguments, GError **error)
{
  g_autoptr (AtnModel) model =
    atn_cli_open_model (atn_cli_arguments_get_word (arguments, 0), error);
  g_autoptr (GArray) facts = NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  if (model == NULL)
    return FALSE;

  facts = collect_facts (model);
  if (atn_cli_arguments_has (arguments, ATN_CLI_OPTION_JSON))
    append_json (out, facts);
  else
    append_lines (out, facts);
  return atn_cli_write (arguments, out->str, out->len, error);
}
