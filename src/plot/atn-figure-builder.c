/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a picture says: matrices from the trace, tokens as labels, and every setting that
 * is not as trained in the caption and in the file. Words are translated here; the
 * keys of the metadata are not, since scripts look for them.
 */

#include "plot/atn-figure-builder.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SEPARATOR " · "

/* Floats that all panels of a sheet may hold together when they are not pooled: 256 MiB. */
#define MAX_SHEET_CELLS ((size_t) 64 << 20)

/* What the helpers share. */
typedef struct
{
  const AtnResult *result;
  const AtnFigureOptions *options;
  const AtnConfig *config;
  const AtnTrace *trace;
  const AtnWhatIf *what_if; /* NULL: as trained */
  size_t n_tokens;
  size_t max_size; /* cells on a side of a panel */
  AtnFigure *figure;
} Builder;

static bool
is_cancelled (GCancellable *cancellable, GError **error)
{
  return g_cancellable_set_error_if_cancelled (cancellable, error);
}

static char *
dup_number (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.4g", value));
}

/* The stage with the numbers that hold: "÷√32", "softmax, T = 0.5". */
static char *
dup_stage_title (const Builder *self, AtnStage stage, size_t layer)
{
  if (stage == ATN_STAGE_SCALED) {
    const double scale = self->what_if != NULL
                           ? (double) atn_what_if_get_scale (self->what_if, self->config, layer)
                           : (double) atn_config_get_scale (self->config, layer);
    g_autofree char *number = dup_number (scale);

    if (fabs (scale * sqrt ((double) self->config->d_head) - 1) < 1e-5)
      return g_strdup_printf ("÷√%" G_GSIZE_FORMAT, self->config->d_head);
    return g_strdup_printf ("× %s", number);
  }
  if (stage == ATN_STAGE_PATTERN && self->what_if != NULL) {
    const double temperature = (double) atn_what_if_get_temperature (self->what_if);
    g_autofree char *number = dup_number (temperature);

    if (temperature != 1)
      return g_strdup_printf ("%s, T = %s", atn_stage_get_title (stage), number);
  }
  return g_strdup (atn_stage_get_title (stage));
}

static void
set_labels (Builder *self)
{
  AtnTokenizer *tokenizer = atn_model_get_tokenizer (self->result->model);
  const AtnTokens *tokens = self->result->tokens;
  AtnFigure *figure = self->figure;

  figure->n_rows = figure->n_cols = self->n_tokens;
  figure->query_labels = g_new0 (char *, self->n_tokens);
  figure->key_labels = g_new0 (char *, self->n_tokens);
  for (size_t i = 0; i < self->n_tokens; i++) {
    figure->query_labels[i] = atn_tokenizer_dup_label (tokenizer, tokens->tokens[i].id);
    figure->key_labels[i] = g_strdup (figure->query_labels[i]);
  }
  /* Translators: what the rows and the columns of a heatmap are; small, in the corner */
  figure->query_title = g_strdup (_ ("query"));
  figure->key_title = g_strdup (_ ("key"));
}

static void
fill_panel (const Builder *self, AtnPanel *panel, size_t layer, size_t head, AtnStage stage)
{
  if (self->max_size < self->n_tokens)
    panel->matrix =
      atn_trace_dup_thumbnail (self->trace, layer, head, stage, self->what_if, self->max_size);
  else
    panel->matrix = atn_trace_dup_matrix (self->trace, layer, head, stage, self->what_if);

  atn_range_from_matrix (&panel->range, panel->matrix, atn_stage_is_signed (stage));
  if (self->options->is_log)
    atn_range_set_log (&panel->range, panel->matrix);
}

static void
create_panels (AtnFigure *figure, size_t n_panels, size_t n_panel_cols)
{
  figure->n_panels = n_panels;
  figure->n_panel_cols = n_panel_cols;
  figure->panels = g_new0 (AtnPanel, n_panels);
}

/* Softmax weights have a range that all models share. */
static bool
has_known_range (AtnStage stage)
{
  return stage == ATN_STAGE_PATTERN;
}

static void
set_known_range (AtnRange *range)
{
  range->max = range->high = 1;
  if (!range->is_log)
    range->min = range->low = 0;
}

/* The largest magnitude of every head, each pooled to one cell. */
static bool
share_with_all_heads (Builder *self, AtnPanel *panel, GCancellable *cancellable, GError **error)
{
  const AtnStage stage = self->options->stage;

  if (has_known_range (stage)) {
    set_known_range (&panel->range);
    return true;
  }
  for (size_t layer = 0; layer < self->config->n_layers; layer++) {
    for (size_t head = 0; head < self->config->n_heads; head++) {
      g_autoptr (AtnMatrix) largest = NULL;
      AtnRange range;

      if (is_cancelled (cancellable, error))
        return false;
      largest = atn_trace_dup_thumbnail (self->trace, layer, head, stage, self->what_if, 1);
      atn_range_from_matrix (&range, largest, panel->range.is_signed);
      if (panel->range.is_log)
        range.min = range.low = panel->range.min;
      atn_range_extend (&panel->range, &range);
    }
  }
  panel->range.low = panel->range.min;
  panel->range.high = panel->range.max;
  return true;
}

static bool
build_head (Builder *self, GCancellable *cancellable, GError **error)
{
  const AtnFigureOptions *options = self->options;

  if (is_cancelled (cancellable, error))
    return false;

  self->max_size = self->n_tokens;
  create_panels (self->figure, 1, 1);
  self->figure->panels[0].title = dup_stage_title (self, options->stage, options->layer);
  fill_panel (self, &self->figure->panels[0], options->layer, options->head, options->stage);
  if (options->range_mode == ATN_RANGE_SHARED)
    return share_with_all_heads (self, &self->figure->panels[0], cancellable, error);
  return true;
}

/* Whether two stages can be compared by colour. */
static bool
is_same_sort (AtnStage a, AtnStage b)
{
  return atn_stage_is_signed (a) == atn_stage_is_signed (b) &&
         (a == ATN_STAGE_CONTRIBUTION) == (b == ATN_STAGE_CONTRIBUTION);
}

static void
share_among_stages (AtnFigure *figure, const AtnStage *stages)
{
  for (size_t i = 0; i < figure->n_panels; i++) {
    AtnRange *first = &figure->panels[i].range;
    bool is_first = true;

    for (size_t j = 0; j < i; j++)
      is_first = is_first && !is_same_sort (stages[i], stages[j]);
    if (!is_first)
      continue;

    if (has_known_range (stages[i]))
      set_known_range (first);
    for (size_t j = i + 1; j < figure->n_panels; j++)
      if (is_same_sort (stages[i], stages[j]))
        atn_range_extend (first, &figure->panels[j].range);
    for (size_t j = i + 1; j < figure->n_panels; j++)
      if (is_same_sort (stages[i], stages[j]))
        figure->panels[j].range = *first;
  }
}

static bool
build_strip (Builder *self, GCancellable *cancellable, GError **error)
{
  const AtnFigureOptions *options = self->options;
  const AtnWhatIf as_trained = { 0 };
  AtnStage stages[ATN_N_STAGES];
  size_t n_stages = 0;

  for (guint i = 0; i < ATN_N_STAGES; i++)
    if (atn_stage_is_present ((AtnStage) i, self->config,
                              self->what_if != NULL ? self->what_if : &as_trained))
      stages[n_stages++] = (AtnStage) i;

  create_panels (self->figure, n_stages, n_stages);
  for (size_t i = 0; i < n_stages; i++) {
    AtnPanel *panel = &self->figure->panels[i];

    if (is_cancelled (cancellable, error))
      return false;
    panel->title = dup_stage_title (self, stages[i], options->layer);
    fill_panel (self, panel, options->layer, options->head, stages[i]);
  }
  if (options->range_mode == ATN_RANGE_SHARED)
    share_among_stages (self->figure, stages);
  return true;
}

static void
share_among_heads (AtnFigure *figure, AtnStage stage)
{
  AtnRange range = figure->panels[0].range;

  for (size_t i = 1; i < figure->n_panels; i++)
    atn_range_extend (&range, &figure->panels[i].range);
  if (has_known_range (stage))
    set_known_range (&range);
  for (size_t i = 0; i < figure->n_panels; i++)
    figure->panels[i].range = range;
}

static bool
build_sheet (Builder *self, GCancellable *cancellable, GError **error)
{
  const size_t n_layers = self->config->n_layers;
  const size_t n_heads = self->config->n_heads;
  const double affordable = sqrt ((double) MAX_SHEET_CELLS / (double) (n_layers * n_heads));
  AtnFigure *figure = self->figure;

  if (self->options->max_thumbnail == 0)
    self->max_size = MAX ((size_t) affordable, 1);

  create_panels (figure, n_layers * n_heads, n_heads);
  figure->row_titles = g_new0 (char *, n_layers);
  figure->col_titles = g_new0 (char *, n_heads);
  for (size_t layer = 0; layer < n_layers; layer++)
    figure->row_titles[layer] = g_strdup_printf ("L%" G_GSIZE_FORMAT, layer);
  for (size_t head = 0; head < n_heads; head++)
    figure->col_titles[head] = g_strdup_printf ("H%" G_GSIZE_FORMAT, head);

  for (size_t i = 0; i < figure->n_panels; i++) {
    if (is_cancelled (cancellable, error))
      return false;
    figure->panels[i].title =
      g_strdup_printf ("L%" G_GSIZE_FORMAT " H%" G_GSIZE_FORMAT, i / n_heads, i % n_heads);
    fill_panel (self, &figure->panels[i], i / n_heads, i % n_heads, self->options->stage);
  }
  if (self->options->range_mode == ATN_RANGE_SHARED)
    share_among_heads (figure, self->options->stage);
  return true;
}

static char *
dup_settings (const Builder *self)
{
  if (self->what_if == NULL || atn_what_if_is_as_trained (self->what_if, self->config))
    return g_strdup (_ ("as trained"));
  return atn_what_if_describe (self->what_if, self->config);
}

static void
append_part (GString *line, const char *part)
{
  if (part == NULL || *part == '\0')
    return;
  if (line->len > 0)
    g_string_append (line, SEPARATOR);
  g_string_append (line, part);
}

static void
append_place (GString *line, const Builder *self)
{
  const AtnFigureOptions *options = self->options;
  g_autofree char *place = NULL;

  if (options->kind == ATN_FIGURE_SHEET)
    /* Translators: in titles and captions of pictures that show every head of the model */
    place = g_strdup (_ ("all heads"));
  else
    /* Translators: in captions; numbers count from 0 */
    place = g_strdup_printf (_ ("layer %zu, head %zu"), options->layer, options->head);
  append_part (line, place);
}

static void
append_notes (GString *line, const Builder *self)
{
  const AtnFigureOptions *options = self->options;
  const AtnResult *result = self->result;

  if (options->is_log)
    append_part (line, _ ("weights on a log scale"));
  if (options->range_mode == ATN_RANGE_SHARED)
    append_part (line, _ ("shared range"));
  else if (options->kind == ATN_FIGURE_SHEET)
    append_part (line, _ ("each head has its own range"));

  if (result->n_tokens_typed > self->n_tokens) {
    /* Translators: the text was longer than the model can read */
    g_autofree char *note =
      g_strdup_printf (_ ("the first %zu of %zu tokens"), self->n_tokens, result->n_tokens_typed);
    append_part (line, note);
  }
  if (self->max_size < self->n_tokens)
    append_part (line, _ ("cells pooled by largest magnitude"));
}

static void
set_title_and_caption (Builder *self)
{
  const AtnFigureOptions *options = self->options;
  const char *name = atn_model_get_name (self->result->model);
  g_autofree char *stage = dup_stage_title (self, options->stage, options->layer);
  g_autofree char *settings = dup_settings (self);
  g_autoptr (GString) title = g_string_new (NULL);
  g_autoptr (GString) caption = g_string_new (NULL);

  append_part (title, name);
  if (options->kind == ATN_FIGURE_SHEET)
    append_part (title, _ ("all heads"));
  else
    g_string_append_printf (title, "%sL%zu H%zu", title->len > 0 ? SEPARATOR : "", options->layer,
                            options->head);
  append_part (caption, name);
  append_place (caption, self);
  if (options->kind != ATN_FIGURE_STRIP) {
    append_part (title, stage);
    /* The temperature is among the settings. */
    append_part (caption, options->stage == ATN_STAGE_PATTERN ? atn_stage_get_title (options->stage)
                                                              : stage);
  }
  append_part (caption, settings);
  append_notes (caption, self);

  self->figure->title = g_string_free (g_steal_pointer (&title), FALSE);
  self->figure->caption = g_string_free (g_steal_pointer (&caption), FALSE);
}

static void
add_number (AtnFigure *figure, const char *key, size_t value)
{
  g_autofree char *text = g_strdup_printf ("%zu", value);

  atn_figure_add_metadata (figure, key, text);
}

static void
add_metadata (Builder *self)
{
  const AtnFigureOptions *options = self->options;
  AtnFigure *figure = self->figure;
  AtnColormap colormap = options->style.colormap;
  g_autofree char *settings = dup_settings (self);
  g_autoptr (GString) tokens = g_string_new (NULL);

  for (size_t i = 0; i < self->n_tokens; i++)
    g_string_append_printf (tokens, "%s%s", i > 0 ? " " : "", figure->query_labels[i]);

  atn_figure_add_metadata (figure, "model", atn_model_get_name (self->result->model));
  atn_figure_add_metadata (figure, "family", self->config->family);
  atn_figure_add_metadata (figure, "license", atn_model_get_license (self->result->model));
  atn_figure_add_metadata (figure, "text", self->result->text);
  atn_figure_add_metadata (figure, "pair", self->result->pair);
  atn_figure_add_metadata (figure, "tokens", tokens->str);
  if (options->kind == ATN_FIGURE_SHEET) {
    atn_figure_add_metadata (figure, "layer", "all");
    atn_figure_add_metadata (figure, "head", "all");
  } else {
    add_number (figure, "layer", options->layer);
    add_number (figure, "head", options->head);
  }
  atn_figure_add_metadata (figure, "stage",
                           options->kind == ATN_FIGURE_STRIP ? "all"
                                                             : atn_stage_get_name (options->stage));
  atn_figure_add_metadata (figure, "settings", settings);
  atn_figure_add_metadata (figure, "range",
                           options->range_mode == ATN_RANGE_SHARED ? "shared" : "per head");
  atn_figure_add_metadata (figure, "scale", options->is_log ? "log" : "linear");
  /* A strip has maps of both sorts. */
  if (options->kind != ATN_FIGURE_STRIP)
    colormap = atn_colormap_resolve (colormap, atn_stage_is_signed (options->stage));
  atn_figure_add_metadata (figure, "colormap", atn_colormap_get_name (colormap));
  if (self->max_size < self->n_tokens)
    add_number (figure, "pooled-to", self->max_size);
}

AtnFigure *
atn_figure_build (const AtnResult *result,
                  const AtnFigureOptions *options,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (AtnFigure) figure = NULL;
  Builder self = { .result = result, .options = options };
  bool is_built;

  g_return_val_if_fail (result != NULL && result->tokens->n_tokens > 0, NULL);
  g_return_val_if_fail (options != NULL && options->stage < ATN_N_STAGES, NULL);

  figure = atn_figure_new (options->kind);
  figure->style = options->style;
  self.figure = figure;
  self.config = atn_model_get_config (result->model);
  self.trace = options->baseline ? result->baseline : result->trace;
  self.what_if = options->baseline ? NULL : atn_result_get_what_if (result);
  self.n_tokens = result->tokens->n_tokens;
  self.max_size = options->max_thumbnail > 0 ? options->max_thumbnail : self.n_tokens;
  g_return_val_if_fail (self.trace != NULL, NULL);

  set_labels (&self);
  switch (options->kind) {
  case ATN_FIGURE_STRIP:
    is_built = build_strip (&self, cancellable, error);
    break;
  case ATN_FIGURE_SHEET:
    is_built = build_sheet (&self, cancellable, error);
    break;
  default:
    is_built = build_head (&self, cancellable, error);
    break;
  }
  if (!is_built)
    return NULL;

  set_title_and_caption (&self);
  add_metadata (&self);
  return g_steal_pointer (&figure);
}
