/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From a sentence to a picture, with models of tests/cases whose attention is known from
 * elsewhere. What is looked at is the figure as data and the file that comes of it; the
 * numbers themselves are the engine's tests' affair.
 */

#include "atn-plot-test.h"
#include "atn-test.h"

#include "plot/atn-export.h"
#include "plot/atn-figure-builder.h"

static AtnResult *
run (const char *model_name, const char *text, const AtnWhatIf *what_if)
{
  g_autofree char *path = atn_test_dup_case_path (model_name);
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = atn_model_open (path, NULL, NULL, NULL, &error);
  AtnRequest request = { .text = text, .text_len = -1, .pair_len = -1, .with_baseline = true };
  AtnResult *result;

  g_assert_no_error (error);
  request.model = model;
  if (what_if != NULL)
    request.what_if = *what_if;
  result = atn_request_run (&request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static AtnFigure *
build (const AtnResult *result, const AtnFigureOptions *options)
{
  AtnFigureOptions with_style = *options;
  g_autoptr (GError) error = NULL;
  AtnFigure *figure;

  atn_plot_style_init (&with_style.style);
  figure = atn_figure_build (result, &with_style, NULL, &error);
  g_assert_no_error (error);
  return figure;
}

static const char *
find_metadata (const AtnFigure *figure, const char *key)
{
  for (guint i = 0; i + 1 < figure->metadata->len; i += 2)
    if (g_str_equal (g_ptr_array_index (figure->metadata, i), key))
      return g_ptr_array_index (figure->metadata, i + 1);
  return NULL;
}

static void
assert_labels (const AtnFigure *figure, const char *const *labels, size_t n_labels)
{
  g_assert_cmpuint (figure->n_rows, ==, n_labels);
  g_assert_cmpuint (figure->n_cols, ==, n_labels);
  for (size_t i = 0; i < n_labels; i++) {
    g_assert_cmpstr (figure->query_labels[i], ==, labels[i]);
    g_assert_cmpstr (figure->key_labels[i], ==, labels[i]);
  }
}

/* Case 1: special tokens have rows, columns and labels like any other. */
static void
test_labels_are_as_many_as_rows (void)
{
  static const char *const LABELS[] = { "[CLS]", "the", "cat", "sat", ".", "[SEP]" };
  static const double FIRST_ROW[] = { 0.1702, 0.0904, 0.1457, 0.1069, 0.2155, 0.2713 };
  g_autoptr (AtnResult) result = run ("001-label-count-must-equal-matrix", "the cat sat.", NULL);
  g_autoptr (AtnFigure) figure = build (result, &(AtnFigureOptions){ .stage = ATN_STAGE_PATTERN });

  assert_labels (figure, LABELS, G_N_ELEMENTS (LABELS));
  g_assert_cmpuint (figure->panels[0].matrix->n_rows, ==, 6);
  for (size_t col = 0; col < 6; col++)
    g_assert_cmpfloat_with_epsilon ((double) atn_matrix_get (figure->panels[0].matrix, 0, col),
                                    FIRST_ROW[col], 1e-4);
}

/* Case 2: all that is right of the diagonal is masked; row = query. In every format. */
static void
test_row_is_query_in_the_picture (void)
{
  static const double LAST_ROW[] = { 0.0043, 0.0113, 0.6491, 0.3124, 0.0230 };
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  g_autoptr (AtnFigure) figure = build (result, &(AtnFigureOptions){ .stage = ATN_STAGE_PATTERN });
  g_autoptr (cairo_surface_t) surface = NULL;
  AtnPanelBox box;

  g_assert_cmpuint (figure->n_rows, ==, 5);
  surface = atn_plot_test_draw (figure, 500, 500, NULL, &box);
  for (size_t col = 0; col < 5; col++) {
    const int x = (int) (box.x + ((double) col + 0.2) * box.width / 5);
    const int y = (int) (box.y + 4.2 * box.height / 5);

    g_assert_cmpfloat_with_epsilon ((double) atn_matrix_get (figure->panels[0].matrix, 4, col),
                                    LAST_ROW[col], 1e-4);
    g_assert_cmphex (atn_plot_test_get_pixel (surface, x, y), ==,
                     atn_plot_test_get_cell_rgb (figure, 0, 4, col));
    for (size_t row = 0; row < col; row++)
      g_assert_true (atn_matrix_is_forbidden (figure->panels[0].matrix, row, col));
  }
}

/* Case 91: what the mask hides does not spoil the range, and the mask changes the bar. */
static void
test_range_is_that_of_visible_cells (void)
{
  const AtnWhatIf off = { .causal = ATN_CAUSAL_OFF };
  g_autoptr (AtnResult) masked = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  g_autoptr (AtnResult) open = run ("002-query-key-axes-swapped", "the cat sat", &off);
  const AtnFigureOptions options = { .head = 1, .stage = ATN_STAGE_MASKED };
  g_autoptr (AtnFigure) with_mask = build (masked, &options);
  g_autoptr (AtnFigure) without =
    build (open, &(AtnFigureOptions){ .head = 1, .stage = ATN_STAGE_SCALED });

  g_assert_cmpfloat_with_epsilon (with_mask->panels[0].range.low, -2.079, 1e-3);
  g_assert_cmpfloat_with_epsilon (with_mask->panels[0].range.high, 0.886, 1e-3);
  g_assert_cmpfloat_with_epsilon (without->panels[0].range.high, 1.504, 1e-3);
}

/* Case 107: the file shows what is chosen, and names it. */
static void
test_figure_says_what_it_shows (void)
{
  const AtnWhatIf what_if = { .causal = ATN_CAUSAL_OFF, .scale = ATN_SCALE_NONE };
  static const double LAST_ROW[] = { 1.3505, 0.4322, -1.4906, 0.6631, -3.7970 };
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", &what_if);
  g_autoptr (AtnFigure) figure =
    build (result, &(AtnFigureOptions){ .layer = 1, .head = 1, .stage = ATN_STAGE_DOT });
  g_autofree char *settings = atn_what_if_describe (&what_if, atn_model_get_config (result->model));

  for (size_t col = 0; col < 5; col++)
    g_assert_cmpfloat_with_epsilon ((double) atn_matrix_get (figure->panels[0].matrix, 4, col),
                                    LAST_ROW[col], 1e-3);
  g_assert_nonnull (strstr (figure->title, "L1 H1"));
  g_assert_nonnull (strstr (figure->caption, "layer 1, head 1"));
  g_assert_nonnull (strstr (figure->caption, settings));
  g_assert_cmpstr (find_metadata (figure, "text"), ==, "the cat sat");
  g_assert_cmpstr (find_metadata (figure, "layer"), ==, "1");
  g_assert_cmpstr (find_metadata (figure, "head"), ==, "1");
  g_assert_cmpstr (find_metadata (figure, "stage"), ==, "dot");
  g_assert_cmpstr (find_metadata (figure, "settings"), ==, settings);
  g_assert_cmpstr (find_metadata (figure, "colormap"), ==, "diverging");
}

static void
test_baseline_is_as_trained (void)
{
  const AtnWhatIf what_if = { .causal = ATN_CAUSAL_OFF, .temperature = 2 };
  g_autoptr (AtnResult) changed = run ("002-query-key-axes-swapped", "the cat sat", &what_if);
  g_autoptr (AtnResult) trained = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  const AtnFigureOptions options = { .layer = 1, .stage = ATN_STAGE_PATTERN, .baseline = true };
  g_autoptr (AtnFigure) baseline = build (changed, &options);
  g_autoptr (AtnFigure) expected = build (trained, &options);

  g_assert_cmpmem (baseline->panels[0].matrix->values, 25 * sizeof (float),
                   expected->panels[0].matrix->values, 25 * sizeof (float));
  g_assert_cmpstr (baseline->caption, ==, expected->caption);
}

/* Cases 89, 97, 101: each token's label is that of the tokenizer, to the byte. */
static void
test_labels_are_those_of_the_tokenizer (void)
{
  static const char *const MARKUP[] = { "<s>", "$",        "x",     "$",   "␣",   "&",
                                        "␣",   "<b>x</b>", "&amp;", "R&D", "</s>" };
  static const char *const ARABIC[] = { "[CLS]", "سلام", "the", "cat", "[SEP]" };
  g_autoptr (AtnResult) markup =
    run ("097-markup-characters-in-tokens", "<s>$x$ & <b>x</b>&amp;R&D</s>", NULL);
  g_autoptr (AtnResult) arabic =
    run ("101-right-to-left-and-combining-labels", "سلام the cat", NULL);
  g_autoptr (AtnResult) emoji = run ("089-emoji-made-of-several-code-points", "👍🏽", NULL);
  const AtnFigureOptions options = { .stage = ATN_STAGE_PATTERN };
  g_autoptr (GPtrArray) figures =
    g_ptr_array_new_with_free_func ((GDestroyNotify) atn_figure_unref);
  AtnFigure *of_emoji;

  g_ptr_array_add (figures, build (markup, &options));
  g_ptr_array_add (figures, build (arabic, &options));
  g_ptr_array_add (figures, of_emoji = build (emoji, &options));

  assert_labels (g_ptr_array_index (figures, 0), MARKUP, G_N_ELEMENTS (MARKUP));
  assert_labels (g_ptr_array_index (figures, 1), ARABIC, G_N_ELEMENTS (ARABIC));
  g_assert_cmpuint (of_emoji->n_rows, ==, 8);
  for (size_t i = 0; i < 8; i++)
    g_assert_cmpuint (strlen (of_emoji->query_labels[i]), >, 0);
  for (guint i = 0; i < figures->len; i++)
    cairo_surface_destroy (
      atn_plot_test_draw (g_ptr_array_index (figures, i), 400, 400, NULL, NULL));
}

/* Case 92: one token, and a model of zeros. */
static void
test_equal_values_make_a_picture (void)
{
  g_autoptr (AtnResult) one = run ("002-query-key-axes-swapped", "the", NULL);
  g_autoptr (AtnResult) zeros = run ("092-all-values-equal.model.json", "a b c", NULL);
  const AtnResult *results[] = { one, zeros };

  for (size_t i = 0; i < 2 * ATN_N_STAGES; i++) {
    const AtnResult *result = results[i / ATN_N_STAGES];
    const AtnStage stage = (AtnStage) (i % ATN_N_STAGES);
    g_autoptr (AtnFigure) figure = NULL;
    g_autoptr (GBytes) bytes = NULL;
    const char *svg;
    gsize length;

    if (!atn_stage_is_present (stage, atn_model_get_config (result->model),
                               atn_result_get_what_if (result)))
      continue;
    figure = build (result, &(AtnFigureOptions){ .stage = stage });
    bytes = atn_export_render (figure, ATN_EXPORT_SVG, &(AtnExportSize){ .zoom = 1 }, NULL);
    svg = g_bytes_get_data (bytes, &length);
    g_assert_null (memmem (svg, length, "nan", 3));
    g_assert_null (memmem (svg, length, "inf", 3));
  }
}

static void
test_strip_has_every_stage (void)
{
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  g_autoptr (AtnFigure) figure = build (result, &(AtnFigureOptions){ .kind = ATN_FIGURE_STRIP });
  size_t n_stages = 0;

  for (guint i = 0; i < ATN_N_STAGES; i++)
    n_stages += atn_stage_is_present ((AtnStage) i, atn_model_get_config (result->model),
                                      atn_result_get_what_if (result));
  g_assert_cmpuint (figure->n_panels, ==, n_stages);
  g_assert_cmpuint (figure->n_panel_cols, ==, n_stages);
  /* d_head is a number, not a letter. */
  g_assert_nonnull (strstr (figure->panels[1].title, "÷√"));
  g_assert_null (strstr (figure->panels[1].title, "d"));
}

static void
test_shared_range_of_a_strip_is_by_sort (void)
{
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  g_autoptr (AtnFigure) figure =
    build (result, &(AtnFigureOptions){ .kind = ATN_FIGURE_STRIP, .range_mode = ATN_RANGE_SHARED });

  /* q·k, scaled and masked together; softmax from 0 to 1. */
  g_assert_cmpfloat (figure->panels[0].range.max, ==, figure->panels[1].range.max);
  g_assert_cmpfloat (figure->panels[0].range.max, ==, figure->panels[2].range.max);
  g_assert_cmpfloat (figure->panels[3].range.min, ==, 0);
  g_assert_cmpfloat (figure->panels[3].range.max, ==, 1);
}

static void
test_sheet_has_every_head_in_its_place (void)
{
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  const AtnFigureOptions options = { .kind = ATN_FIGURE_SHEET, .stage = ATN_STAGE_PATTERN };
  g_autoptr (AtnFigure) sheet = build (result, &options);

  g_assert_cmpuint (sheet->n_panels, ==, 4);
  g_assert_cmpuint (sheet->n_panel_cols, ==, 2);
  g_assert_cmpstr (sheet->row_titles[1], ==, "L1");
  g_assert_cmpstr (sheet->col_titles[0], ==, "H0");
  for (size_t i = 0; i < 4; i++) {
    g_autoptr (AtnFigure) head =
      build (result,
             &(AtnFigureOptions){ .layer = i / 2, .head = i % 2, .stage = ATN_STAGE_PATTERN });

    g_assert_cmpmem (sheet->panels[i].matrix->values, 25 * sizeof (float),
                     head->panels[0].matrix->values, 25 * sizeof (float));
  }
}

static void
test_shared_range_covers_all_heads (void)
{
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  AtnFigureOptions options = { .kind = ATN_FIGURE_SHEET,
                               .stage = ATN_STAGE_SCALED,
                               .range_mode = ATN_RANGE_SHARED };
  g_autoptr (AtnFigure) sheet = build (result, &options);
  g_autoptr (AtnFigure) head = NULL;

  options.kind = ATN_FIGURE_HEAD;
  head = build (result, &options);
  for (size_t i = 0; i < 4; i++)
    g_assert_cmpfloat (sheet->panels[i].range.max, ==, head->panels[0].range.max);
  for (size_t i = 0; i < 25; i++)
    g_assert_cmpfloat (fabs ((double) sheet->panels[2].matrix->values[i]), <=,
                       head->panels[0].range.max);
}

static void
test_thumbnails_are_pooled (void)
{
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  g_autoptr (AtnFigure) figure = build (result, &(AtnFigureOptions){ .kind = ATN_FIGURE_SHEET,
                                                                     .stage = ATN_STAGE_PATTERN,
                                                                     .max_thumbnail = 2 });

  g_assert_cmpuint (figure->panels[0].matrix->n_rows, <=, 2);
  g_assert_cmpuint (figure->n_rows, ==, 5);
  g_assert_cmpstr (find_metadata (figure, "pooled-to"), ==, "2");
  cairo_surface_destroy (atn_plot_test_draw (figure, 300, 300, NULL, NULL));
}

static void
test_cancelled_build_is_no_figure (void)
{
  g_autoptr (AtnResult) result = run ("002-query-key-axes-swapped", "the cat sat", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const AtnFigureKind kinds[] = { ATN_FIGURE_HEAD, ATN_FIGURE_STRIP, ATN_FIGURE_SHEET };

  g_cancellable_cancel (cancellable);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    AtnFigureOptions options = { .kind = kinds[i], .stage = ATN_STAGE_PATTERN };
    g_autoptr (GError) error = NULL;

    atn_plot_style_init (&options.style);
    g_assert_null (atn_figure_build (result, &options, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add_func ("/plot/builder/" path, function)
  g_test_add_func ("/cases/001/labels", test_labels_are_as_many_as_rows);
  g_test_add_func ("/cases/002/picture", test_row_is_query_in_the_picture);
  g_test_add_func ("/cases/091", test_range_is_that_of_visible_cells);
  g_test_add_func ("/cases/107/figure", test_figure_says_what_it_shows);
  ADD ("baseline-is-as-trained", test_baseline_is_as_trained);
  g_test_add_func ("/cases/101/picture", test_labels_are_those_of_the_tokenizer);
  g_test_add_func ("/cases/092/picture", test_equal_values_make_a_picture);
  ADD ("strip-has-every-stage", test_strip_has_every_stage);
  ADD ("shared-range-of-a-strip-is-by-sort", test_shared_range_of_a_strip_is_by_sort);
  ADD ("sheet-has-every-head-in-its-place", test_sheet_has_every_head_in_its_place);
  ADD ("shared-range-covers-all-heads", test_shared_range_covers_all_heads);
  ADD ("thumbnails-are-pooled", test_thumbnails_are_pooled);
  ADD ("cancelled-build-is-no-figure", test_cancelled_build_is_no_figure);
#undef ADD

  return g_test_run ();
}
