/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-model-info.h"

#include "app/atn-format.h"

#include "engine/atn-prediction.h"
#include "model/atn-parameters.h"
#include "weights/atn-weights-storage.h"

#include <glib/gi18n.h>
#include <math.h>

struct _AtnModelInfo
{
  AdwWindow parent_instance;

  /* Template children, in the order of atn-model-info.ui */
  AdwWindowTitle *window_title;
  AdwPreferencesPage *page;
};

G_DEFINE_FINAL_TYPE (AtnModelInfo, atn_model_info, ADW_TYPE_WINDOW)

static AdwPreferencesGroup *
append_group (AtnModelInfo *self, const char *title)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  /* A title is markup. */
  if (title != NULL) {
    g_autofree char *escaped = g_markup_escape_text (title, -1);

    adw_preferences_group_set_title (group, escaped);
  }
  adw_preferences_page_add (self->page, group);
  return group;
}

/* A fact in one line: its name on the left, its value on the right. */
static void
append_fact (AdwPreferencesGroup *group, const char *name, const char *value)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (value);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  gtk_label_set_xalign (GTK_LABEL (label), 1.0f);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (label, "model-fact");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (group, row);
}

static void append_formatted (AdwPreferencesGroup *group, const char *name, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

static void
append_formatted (AdwPreferencesGroup *group, const char *name, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list arguments;

  va_start (arguments, format);
  value = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  append_fact (group, name, value);
}

static void
append_file (AtnModelInfo *self, AtnModel *model)
{
  AdwPreferencesGroup *group = append_group (self, _ ("Model"));
  AtnWeights *weights = atn_model_get_weights (model);
  g_autofree char *path = g_filename_display_name (atn_model_get_path (model));
  g_autofree char *size = g_format_size ((guint64) atn_weights_get_file_size (weights));
  const char *description = atn_model_get_description (model, g_get_language_names ());
  const char *dtype = atn_weights_get_main_dtype (weights);

  if (description != NULL) {
    g_autofree char *wrappable = atn_format_dup_wrappable (description);
    g_autofree char *escaped = g_markup_escape_text (wrappable, -1);

    adw_preferences_group_set_description (group, escaped);
  }
  append_fact (group, _ ("Family"), atn_model_get_config (model)->family);
  append_fact (group, _ ("Licence"),
               atn_model_get_license (model) != NULL ? atn_model_get_license (model)
                                                     : _ ("not said in its file"));
  append_fact (group, _ ("File"), path);
  append_fact (group, _ ("Size on disk"), size);
  if (dtype != NULL)
    append_fact (group, _ ("Numbers are stored as"), dtype);
  append_fact (group, _ ("Memory"),
               atn_weights_is_mapped (weights) ? _ ("mapped: what is needed is read from the file")
                                               : _ ("read: the whole file is in memory"));
}

static void
append_sizes (AtnModelInfo *self, const AtnConfig *config)
{
  AdwPreferencesGroup *group = append_group (self, _ ("Sizes"));

  append_formatted (group, _ ("Layers"), "%zu", config->n_layers);
  append_formatted (group, _ ("Heads in each layer"), "%zu", config->n_heads);
  append_formatted (group, _ ("Width of the stream (d_model)"), "%zu", config->d_model);
  append_formatted (group, _ ("Width of a query and a key (d_head)"), "%zu", config->d_head);
  append_formatted (group, _ ("Width of a value (d_v)"), "%zu", config->d_v);
  if (config->d_mlp > 0)
    append_formatted (group, _ ("Width of the MLP (d_mlp)"), "%zu", config->d_mlp);
  else
    append_fact (group, _ ("Width of the MLP (d_mlp)"), _ ("none: attention only"));
  append_formatted (group, _ ("Vocabulary"), "%'zu", config->d_vocab);
  if (config->n_ctx > 0)
    append_formatted (group, _ ("Longest text in tokens"), "%'zu", config->n_ctx);
  else
    append_fact (group, _ ("Longest text in tokens"), _ ("no limit"));
}

static void
append_scale (AdwPreferencesGroup *group, const AtnConfig *config)
{
  const double scale = (double) config->scale;
  const double root = 1.0 / sqrt ((double) config->d_head);
  g_autofree char *text = NULL;

  if (fabs (scale - root) < 1e-6 * root)
    text = g_strdup_printf ("1/√%zu = %.4g", config->d_head, scale);
  else if (scale == 1.0)
    text = g_strdup (_ ("none: q·k as it is"));
  else
    text = g_strdup_printf ("%.6g", scale);
  if (config->scale_by_inverse_layer)
    /* Translators: %s is a factor, such as 1/√64 */
    append_formatted (group, _ ("Scale"), _ ("%s, and 1/(layer + 1)"), text);
  else
    append_fact (group, _ ("Scale"), text);
}

static void
append_groups (AdwPreferencesGroup *group, const AtnConfig *config)
{
  const size_t n_sharing = config->n_heads / config->n_kv_heads;

  if (n_sharing == 1)
    append_fact (group, _ ("Keys and values"), _ ("each head has its own"));
  else if (config->n_kv_heads == 1)
    append_formatted (group, _ ("Keys and values"), _ ("one for all %zu heads"), config->n_heads);
  else
    /* Translators: the first number is of groups, the second of heads in each */
    append_formatted (group, _ ("Keys and values"), _ ("%zu, each shared by %zu heads"),
                      config->n_kv_heads, n_sharing);
}

static void
append_window (AdwPreferencesGroup *group, const AtnConfig *config)
{
  size_t n_layers = 0;

  for (size_t layer = 0; layer < config->n_layers; layer++)
    n_layers += atn_config_get_window (config, layer) > 0;
  if (n_layers > 0)
    /* Translators: of 26 layers, 13 see only keys less than 4096 tokens away */
    append_formatted (group, _ ("Window"), _ ("%zu tokens, in %zu of %zu layers"), config->window,
                      n_layers, config->n_layers);
}

static char *
dup_positions (const AtnConfig *config)
{
  switch (config->positions) {
  case ATN_POSITIONS_NONE:
    return g_strdup (_ ("none"));
  case ATN_POSITIONS_LEARNED:
    return g_strdup (_ ("learned: a vector for each place"));
  case ATN_POSITIONS_SINUSOIDAL:
    return g_strdup (_ ("sinusoidal: a fixed vector for each place"));
  case ATN_POSITIONS_ROPE:
    return g_strdup_printf (_ ("rotary (RoPE): %zu of %zu numbers of q and k are turned, θ = %g"),
                            config->rotary_dim, config->d_head, config->rope_theta);
  case ATN_POSITIONS_ALIBI:
    return g_strdup (_ ("ALiBi: each head adds a slope times the key's place to its scores"));
  }
  g_assert_not_reached ();
}

static void
append_buckets (AdwPreferencesGroup *group, const AtnConfig *config)
{
  const AtnBuckets *buckets = &config->buckets;

  append_formatted (group, _ ("Relative positions"),
                    /* Translators: numbers that a model has learned for ranges of distances */
                    buckets->is_bidirectional
                      ? _ ("each head adds one of %zu learned numbers to a score, by distance and "
                           "direction; from %zu tokens on it is the same")
                      : _ ("each head adds one of %zu learned numbers to a score, by distance; "
                           "from %zu tokens on it is the same"),
                    buckets->n, buckets->max_distance);
}

static const char *
get_norm (const AtnConfig *config)
{
  const bool is_pre = config->norm_position == ATN_NORM_PRE;

  if (config->norm == ATN_NORM_NONE)
    return _ ("none");
  if (config->norm == ATN_NORM_LAYERNORM)
    return is_pre ? _ ("LayerNorm before each part") : _ ("LayerNorm after each part");
  return is_pre ? _ ("RMSNorm before each part") : _ ("RMSNorm after each part");
}

static void
append_rules (AtnModelInfo *self, const AtnModel *model)
{
  const AtnConfig *config = atn_model_get_config (model);
  AdwPreferencesGroup *group = append_group (self, _ ("Rules"));
  g_autofree char *positions = dup_positions (config);

  append_scale (group, config);
  append_fact (group, _ ("Mask"),
               config->causal ? _ ("causal: a token sees itself and those before it")
                              : _ ("none: every token sees all"));
  if (config->window > 0)
    append_window (group, config);
  append_fact (group, _ ("Positions"), positions);
  if (config->buckets.n > 0)
    append_buckets (group, config);
  append_groups (group, config);
  append_fact (group, _ ("Norm"), get_norm (config));
  append_fact (group, _ ("Predictions"),
               !atn_model_can_predict (model) ? _ ("none: it only attends")
               : config->is_masked_lm         ? _ ("what stands at a mask")
                                              : _ ("the next token"));
}

static void
append_parameters (AtnModelInfo *self, const AtnModel *model)
{
  AdwPreferencesGroup *group = append_group (self, _ ("Parameters"));
  AtnParameters parameters;

  atn_parameters_count (model, &parameters);
  const struct
  {
    const char *name;
    guint64 count;
  } parts[] = {
    { _ ("Embeddings"), parameters.embedding },
    { _ ("Attention"), parameters.attention },
    { _ ("MLP"), parameters.mlp },
    { _ ("Output of its own"), parameters.output },
    { _ ("Norms and the rest"), parameters.other },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    append_formatted (group, parts[i].name, "%'" G_GUINT64_FORMAT "  ·  %.1f %%", parts[i].count,
                      100.0 * (double) parts[i].count / MAX ((double) parameters.total, 1.0));
  append_formatted (group, _ ("Together"), "%'" G_GUINT64_FORMAT, parameters.total);
}

static void
append_warnings (AtnModelInfo *self, const AtnModel *model)
{
  const GPtrArray *warnings = atn_model_get_warnings (model);
  AdwPreferencesGroup *group;

  if (warnings->len == 0)
    return;
  group = append_group (self, _ ("What should be known"));
  for (guint i = 0; i < warnings->len; i++) {
    GtkWidget *row = adw_action_row_new ();

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), g_ptr_array_index (warnings, i));
    adw_preferences_group_add (group, row);
  }
}

static void
atn_model_info_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_MODEL_INFO);
  G_OBJECT_CLASS (atn_model_info_parent_class)->dispose (object);
}

static void
atn_model_info_class_init (AtnModelInfoClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_model_info_dispose;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-model-info.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnModelInfo, window_title);
  gtk_widget_class_bind_template_child (widget_class, AtnModelInfo, page);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
atn_model_info_init (AtnModelInfo *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AtnModelInfo *
atn_model_info_new (GtkWindow *parent, AtnModel *model)
{
  AtnModelInfo *self = g_object_new (ATN_TYPE_MODEL_INFO, "transient-for", parent, NULL);

  adw_window_title_set_title (self->window_title, atn_model_get_name (model));
  append_file (self, model);
  append_sizes (self, atn_model_get_config (model));
  append_rules (self, model);
  append_parameters (self, model);
  append_warnings (self, model);
  return self;
}
