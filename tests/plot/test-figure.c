/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Geometry and pixels. Cells are looked at without text around them, so that what is
 * expected can be computed here.
 */

#include "atn-plot-test.h"

static void
find_boxes (const AtnFigure *figure, int width, int height, AtnPanelBox *boxes)
{
  cairo_surface_destroy (atn_plot_test_draw (figure, width, height, NULL, boxes));
}

static AtnFigure *
create_cells (size_t n, bool is_causal)
{
  AtnFigure *figure =
    atn_plot_test_create_head (atn_plot_test_create_weights (n, is_causal), false, NULL);

  atn_plot_test_show_cells_only (figure);
  return figure;
}

/* Row 0 is on top and is the first query; column 0 is on the left and is the first key. */
static void
test_rows_are_queries_from_top_to_bottom (void)
{
  g_autoptr (AtnFigure) figure = create_cells (5, false);
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) surface = atn_plot_test_draw (figure, 400, 400, NULL, &box);

  for (size_t row = 0; row < 5; row++) {
    for (size_t col = 0; col < 5; col++) {
      const int x = (int) (box.x + ((double) col + 0.5) * box.width / 5);
      const int y = (int) (box.y + ((double) row + 0.5) * box.height / 5);

      g_assert_cmphex (atn_plot_test_get_pixel (surface, x, y), ==,
                       atn_plot_test_get_cell_rgb (figure, 0, row, col));
    }
  }
}

/* Each cell has one colour up to its edges, and all have the same size. */
static void
test_cells_have_hard_edges_and_equal_sizes (void)
{
  g_autoptr (AtnFigure) figure = create_cells (5, false);
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) surface = atn_plot_test_draw (figure, 523, 541, NULL, &box);
  const int cell = (int) lrint (box.width / 5);

  g_assert_cmpfloat (box.x, ==, floor (box.x));
  g_assert_cmpfloat (box.y, ==, floor (box.y));
  g_assert_cmpfloat (box.width, ==, 5 * cell);
  g_assert_cmpfloat (box.height, ==, 5 * cell);
  for (int y = 0; y < 5 * cell; y++)
    for (int x = 0; x < 5 * cell; x++)
      g_assert_cmphex (atn_plot_test_get_pixel (surface, (int) box.x + x, (int) box.y + y), ==,
                       atn_plot_test_get_cell_rgb (figure, 0, (size_t) (y / cell),
                                                   (size_t) (x / cell)));
}

static void
test_number_of_colours_is_number_of_values (void)
{
  g_autoptr (AtnFigure) figure = create_cells (5, false);
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) surface = atn_plot_test_draw (figure, 300, 300, NULL, &box);
  g_autoptr (GHashTable) expected = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL);

  for (size_t i = 0; i < 25; i++)
    g_hash_table_add (expected,
                      GUINT_TO_POINTER (atn_plot_test_get_cell_rgb (figure, 0, i / 5, i % 5) + 1));
  for (int y = (int) box.y; y < (int) (box.y + box.height); y++)
    for (int x = (int) box.x; x < (int) (box.x + box.width); x++)
      g_hash_table_add (found, GUINT_TO_POINTER (atn_plot_test_get_pixel (surface, x, y) + 1));
  g_assert_cmpuint (g_hash_table_size (found), ==, g_hash_table_size (expected));
}

/* On a screen with two pixels a unit. */
static void
test_cells_are_sharp_on_a_dense_screen (void)
{
  g_autoptr (AtnFigure) figure = create_cells (7, false);
  g_autoptr (cairo_surface_t) surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 606, 606);
  AtnPanelBox box;
  cairo_t *cr;
  int cell;

  cairo_surface_set_device_scale (surface, 2, 2);
  cr = cairo_create (surface);
  atn_figure_draw (figure, cr, 303, 303, NULL, &box);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  cell = (int) lrint (box.width * 2 / 7);
  for (int y = 0; y < 7 * cell; y++)
    for (int x = 0; x < 7 * cell; x++)
      g_assert_cmphex (
        atn_plot_test_get_pixel (surface, (int) (box.x * 2) + x, (int) (box.y * 2) + y), ==,
        atn_plot_test_get_cell_rgb (figure, 0, (size_t) (y / cell), (size_t) (x / cell)));
}

static void
test_hit_test_inverts_the_drawing (void)
{
  g_autoptr (AtnFigure) figure = atn_plot_test_create_grid (ATN_FIGURE_SHEET, 6, 2, 3);
  AtnPanelBox boxes[6];

  find_boxes (figure, 700, 500, boxes);
  for (size_t i = 0; i < 6; i++) {
    for (size_t cell = 0; cell < 36; cell++) {
      const double x = boxes[i].x + ((double) (cell % 6) + 0.5) * boxes[i].width / 6;
      const double y = boxes[i].y + ((double) (cell / 6) + 0.5) * boxes[i].height / 6;
      size_t panel, query, key;

      g_assert_true (atn_figure_hit_test (figure, boxes, NULL, x, y, &panel, &query, &key));
      g_assert_cmpuint (panel, ==, i);
      g_assert_cmpuint (query, ==, cell / 6);
      g_assert_cmpuint (key, ==, cell % 6);
    }
  }
}

static void
test_hit_test_misses_beside_the_cells (void)
{
  g_autoptr (AtnFigure) figure = create_cells (4, false);
  AtnPanelBox box;
  size_t panel, query, key;

  find_boxes (figure, 200, 200, &box);
  g_assert_false (
    atn_figure_hit_test (figure, &box, NULL, box.x - 1, box.y + 5, &panel, &query, &key));
  g_assert_false (
    atn_figure_hit_test (figure, &box, NULL, box.x + 5, box.y + box.height, &panel, &query, &key));
}

/* Scrolled by fractions of a cell: the pixel and the hit agree. */
static void
test_viewport_shows_its_part (void)
{
  g_autoptr (AtnFigure) figure = create_cells (60, false);
  AtnViewport view = { .first_row = 21.25, .first_col = 7.5 };
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) surface = NULL;

  atn_figure_fit_viewport (figure, 400, 300, 20, &view);
  g_assert_cmpfloat (view.n_cols, <, 20);
  g_assert_cmpfloat (view.n_rows, <, 15);
  g_assert_cmpfloat (view.first_row, ==, 21.25);

  surface = atn_plot_test_draw (figure, 400, 300, &view, &box);
  g_assert_cmpfloat_with_epsilon (box.width / view.n_cols, 20, 0.1);
  for (int y = (int) box.y + 3; y < (int) (box.y + box.height); y += 7) {
    for (int x = (int) box.x + 3; x < (int) (box.x + box.width); x += 7) {
      size_t panel, query, key;

      g_assert_true (
        atn_figure_hit_test (figure, &box, &view, x + 0.5, y + 0.5, &panel, &query, &key));
      g_assert_cmphex (atn_plot_test_get_pixel (surface, x, y), ==,
                       atn_plot_test_get_cell_rgb (figure, 0, query, key));
    }
  }
}

static void
test_viewport_stays_inside_the_matrix (void)
{
  g_autoptr (AtnFigure) figure = create_cells (30, false);
  AtnViewport view = { .first_row = 1e6, .first_col = -40 };

  atn_figure_fit_viewport (figure, 400, 300, 25, &view);
  g_assert_cmpfloat_with_epsilon (view.first_row + view.n_rows, 30, 1e-9);
  g_assert_cmpfloat (view.first_col, ==, 0);

  atn_figure_fit_viewport (figure, 400, 300, 1, &view);
  g_assert_cmpfloat (view.n_rows, ==, 30);
  g_assert_cmpfloat (view.first_row, ==, 0);
}

/* A bright diagonal in a matrix with several cells a pixel. */
static void
test_thin_diagonal_survives_pooling (void)
{
  AtnMatrix *matrix = atn_matrix_new (900, 900);
  g_autoptr (AtnFigure) figure = NULL;
  g_autoptr (cairo_surface_t) surface = NULL;
  AtnPanelBox box;
  guint32 bright;

  for (size_t i = 0; i < 900; i++)
    matrix->values[i * 900 + i] = 1;
  figure = atn_plot_test_create_head (matrix, false, NULL);
  atn_plot_test_show_cells_only (figure);
  surface = atn_plot_test_draw (figure, 150, 150, NULL, &box);
  bright = atn_plot_test_get_cell_rgb (figure, 0, 0, 0);
  for (int i = 0; i < (int) box.width; i++)
    g_assert_cmphex (atn_plot_test_get_pixel (surface, (int) box.x + i, (int) box.y + i), ==,
                     bright);
  g_assert_cmphex (atn_plot_test_get_pixel (surface, (int) box.x + 50, (int) box.y + 5), !=,
                   bright);
}

/* Of signed values the one of the larger magnitude shows, not the larger one. */
static void
test_pooling_goes_by_magnitude (void)
{
  AtnMatrix *matrix = atn_matrix_new (1000, 1000);
  g_autoptr (AtnFigure) figure = NULL;
  g_autoptr (cairo_surface_t) surface = NULL;
  AtnPanelBox box;

  for (size_t i = 0; i < 1000 * 1000; i++)
    matrix->values[i] = i % 2 == 0 ? 1.0f : -2.0f;
  figure = atn_plot_test_create_head (matrix, true, NULL);
  atn_plot_test_show_cells_only (figure);
  surface = atn_plot_test_draw (figure, 224, 224, NULL, &box);
  for (int i = 0; i < (int) box.width; i++)
    g_assert_cmphex (atn_plot_test_get_pixel (surface, (int) box.x + i, (int) box.y + 10), ==,
                     atn_plot_test_get_cell_rgb (figure, 0, 0, 1));
}

static bool
is_grey (guint32 rgb)
{
  return (rgb >> 16) == (rgb & 0xff) && (rgb >> 8 & 0xff) == (rgb & 0xff);
}

/* Forbidden cells are neutral and hatched: two greys at least, and never a colour of the map. */
static void
test_forbidden_cells_are_hatched (void)
{
  g_autoptr (AtnFigure) figure = create_cells (5, true);
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) surface = atn_plot_test_draw (figure, 400, 400, NULL, &box);
  const int cell = (int) box.width / 5;
  g_autoptr (GHashTable) greys = g_hash_table_new (NULL, NULL);

  for (int y = 0; y < 2 * cell; y++) {
    for (int x = 3 * cell; x < 5 * cell; x++) {
      const guint32 rgb = atn_plot_test_get_pixel (surface, (int) box.x + x, (int) box.y + y);

      g_assert_true (is_grey (rgb));
      g_hash_table_add (greys, GUINT_TO_POINTER (rgb + 1));
    }
  }
  g_assert_cmpuint (g_hash_table_size (greys), >=, 2);
}

static void
test_small_forbidden_cells_are_flat (void)
{
  g_autoptr (AtnFigure) figure = create_cells (100, true);
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) surface = atn_plot_test_draw (figure, 300, 300, NULL, &box);
  const guint32 grey =
    atn_plot_test_get_pixel (surface, (int) (box.x + box.width) - 1, (int) box.y);

  g_assert_true (is_grey (grey));
  g_assert_cmphex (grey, !=, 0xffffff);
  for (int x = (int) box.x + 10; x < (int) (box.x + box.width); x++)
    g_assert_cmphex (atn_plot_test_get_pixel (surface, x, (int) box.y), ==, grey);
}

static void
test_equal_values_have_a_colour (void)
{
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    for (size_t n = 1; n < 4; n++) {
      AtnMatrix *matrix = atn_matrix_new (n, n);
      g_autoptr (AtnFigure) figure = NULL;
      g_autoptr (cairo_surface_t) surface = NULL;
      AtnPanelBox box;

      for (size_t i = 0; i < n * n; i++)
        matrix->values[i] = 1.0f / (float) n;
      figure = atn_plot_test_create_head (matrix, is_signed, NULL);
      figure->style.show_numbers = false;
      surface = atn_plot_test_draw (figure, 400, 400, NULL, &box);
      g_assert_cmphex (atn_plot_test_get_pixel (surface, (int) (box.x + 4), (int) (box.y + 4)), ==,
                       atn_plot_test_get_cell_rgb (figure, 0, 0, 0));
    }
  }
}

static void
test_missing_number_has_its_own_grey (void)
{
  AtnMatrix *matrix = atn_plot_test_create_weights (4, false);
  g_autoptr (AtnFigure) figure = NULL;
  g_autoptr (cairo_surface_t) surface = NULL;
  AtnPanelBox box;

  matrix->values[5] = NAN;
  figure = atn_plot_test_create_head (matrix, false, NULL);
  atn_plot_test_show_cells_only (figure);
  surface = atn_plot_test_draw (figure, 200, 200, NULL, &box);
  g_assert_true (is_grey (atn_plot_test_get_pixel (surface, (int) (box.x + box.width * 1.5 / 4),
                                                   (int) (box.y + box.height * 1.5 / 4))));
}

/* The text on a cell is black or white, whichever is readable. */
static void
test_numbers_are_drawn_where_they_fit (void)
{
  g_autoptr (AtnFigure) figure =
    atn_plot_test_create_head (atn_plot_test_create_weights (4, false), false, NULL);
  AtnPanelBox box;
  g_autoptr (cairo_surface_t) large = atn_plot_test_draw (figure, 500, 500, NULL, &box);
  const double cell = box.width / 4;
  bool found = false;

  for (int y = 0; y < (int) cell; y++)
    for (int x = 0; x < (int) cell; x++)
      found = found || atn_plot_test_get_pixel (large, (int) box.x + x, (int) box.y + y) !=
                         atn_plot_test_get_cell_rgb (figure, 0, 0, 0);
  g_assert_true (found);

  {
    g_autoptr (cairo_surface_t) small = atn_plot_test_draw (figure, 190, 160, NULL, &box);

    for (int y = (int) box.y; y < (int) (box.y + box.height / 4) - 1; y++)
      for (int x = (int) box.x; x < (int) (box.x + box.width / 4) - 1; x++)
        g_assert_cmphex (atn_plot_test_get_pixel (small, x, y), ==,
                         atn_plot_test_get_cell_rgb (figure, 0, 0, 0));
  }
}

static void
test_panels_of_a_sheet_are_a_grid (void)
{
  g_autoptr (AtnFigure) figure = atn_plot_test_create_grid (ATN_FIGURE_SHEET, 6, 3, 4);
  AtnPanelBox boxes[12];

  find_boxes (figure, 633, 511, boxes);
  for (size_t i = 0; i < 12; i++) {
    g_assert_cmpfloat (boxes[i].width, ==, boxes[0].width);
    g_assert_cmpfloat (boxes[i].height, ==, boxes[0].height);
    g_assert_cmpfloat_with_epsilon (boxes[i].x, boxes[i % 4].x, 1e-6);
    g_assert_cmpfloat_with_epsilon (boxes[i].y, boxes[i / 4 * 4].y, 1e-6);
    g_assert_cmpfloat (boxes[i].x, ==, floor (boxes[i].x));
    g_assert_cmpfloat (boxes[i].y + boxes[i].height, <, 511);
  }
  g_assert_cmpfloat (boxes[1].x, >, boxes[0].x + boxes[0].width);
  g_assert_cmpfloat (boxes[4].y, >, boxes[0].y + boxes[0].height);
}

/* Whatever the size, nothing hangs or fails; the figure leaves the context as it was. */
static void
test_any_size_can_be_drawn (void)
{
  const int sizes[][2] = { { 1, 1 }, { 20, 300 }, { 300, 20 }, { 64, 64 }, { 1500, 200 } };
  const AtnFigureKind kinds[] = { ATN_FIGURE_HEAD, ATN_FIGURE_STRIP, ATN_FIGURE_SHEET };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (kinds); i++) {
    const AtnFigureKind kind = kinds[i % G_N_ELEMENTS (kinds)];
    const int *size = sizes[i / G_N_ELEMENTS (kinds)];
    g_autoptr (AtnFigure) figure =
      atn_plot_test_create_grid (kind, 9, kind == ATN_FIGURE_SHEET ? 2 : 1,
                                 kind == ATN_FIGURE_HEAD ? 1 : 3);
    AtnPanelBox boxes[6];

    find_boxes (figure, size[0], size[1], boxes);
    g_assert_cmpfloat (boxes[0].width, >, 0);
  }
}

static void
test_empty_figure_is_its_ground (void)
{
  g_autoptr (AtnFigure) figure = atn_figure_new (ATN_FIGURE_HEAD);
  g_autoptr (cairo_surface_t) surface = NULL;
  double width, height;

  atn_plot_style_init_dark (&figure->style);
  surface = atn_plot_test_draw (figure, 20, 20, NULL, NULL);
  atn_figure_get_natural_size (figure, 1, &width, &height);
  g_assert_cmpfloat (width, >=, 1);
  g_assert_cmphex (atn_plot_test_get_pixel (surface, 10, 10), ==,
                   atn_plot_test_get_rgb (figure->style.background));
}

/* Panels whose numbers are not there yet are ground with a frame. */
static void
test_panels_may_be_missing (void)
{
  g_autoptr (AtnFigure) figure = atn_plot_test_create_grid (ATN_FIGURE_SHEET, 6, 2, 2);
  g_autoptr (cairo_surface_t) recording =
    cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  g_autoptr (cairo_t) cr = cairo_create (recording);
  AtnPanelBox boxes[4];

  g_clear_pointer (&figure->panels[1].matrix, atn_matrix_unref);
  find_boxes (figure, 300, 300, boxes);
  atn_figure_draw (figure, cr, 300, 300, NULL, NULL);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
}

static void
test_context_is_left_as_it_was (void)
{
  g_autoptr (AtnFigure) figure = atn_plot_test_create_grid (ATN_FIGURE_STRIP, 5, 1, 4);
  g_autoptr (cairo_surface_t) surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 200);
  g_autoptr (cairo_t) cr = cairo_create (surface);
  cairo_matrix_t before, after;
  double x1, y1, x2, y2;

  cairo_translate (cr, 3, 4);
  cairo_set_line_width (cr, 7);
  cairo_get_matrix (cr, &before);
  atn_figure_draw (figure, cr, 300, 150, NULL, NULL);
  cairo_get_matrix (cr, &after);
  g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
  g_assert_cmpfloat (cairo_get_line_width (cr), ==, 7);
  g_assert_false (cairo_has_current_point (cr));
  cairo_clip_extents (cr, &x1, &y1, &x2, &y2);
  g_assert_cmpfloat (x2 - x1, ==, 400);
}

/* Nothing outside decides what is drawn: twice is the same, and so is another thread. */
static gpointer
draw_thread (gpointer user_data)
{
  return atn_plot_test_draw (user_data, 500, 400, NULL, NULL);
}

static void
test_drawing_is_pure (void)
{
  g_autoptr (AtnFigure) figure =
    atn_plot_test_create_head (atn_plot_test_create_weights (9, true), false, NULL);
  g_autoptr (cairo_surface_t) first = draw_thread (figure);
  g_autoptr (cairo_surface_t) second = draw_thread (figure);
  GThread *thread = g_thread_new ("draw", draw_thread, figure);
  g_autoptr (cairo_surface_t) third = g_thread_join (thread);
  const gsize size =
    (gsize) cairo_image_surface_get_stride (first) * (gsize) cairo_image_surface_get_height (first);

  g_assert_cmpmem (cairo_image_surface_get_data (first), size,
                   cairo_image_surface_get_data (second), size);
  g_assert_cmpmem (cairo_image_surface_get_data (first), size, cairo_image_surface_get_data (third),
                   size);
}

/* Cells are square and whole at the natural size, and larger with the zoom. */
static void
test_natural_size_has_square_cells (void)
{
  const size_t counts[] = { 1, 2, 10, 60, 300, 1024 };

  for (size_t i = 0; i < G_N_ELEMENTS (counts); i++) {
    const size_t n = counts[i];
    g_autoptr (AtnFigure) figure =
      atn_plot_test_create_head (atn_plot_test_create_weights (n, true), false, NULL);
    g_autoptr (cairo_surface_t) surface = NULL;
    double width, height, wider, higher;
    AtnPanelBox box;

    atn_figure_get_natural_size (figure, 1, &width, &height);
    atn_figure_get_natural_size (figure, 2, &wider, &higher);
    g_assert_cmpfloat (wider, >=, width);
    g_assert_cmpfloat (higher, >=, height);
    surface = atn_plot_test_draw (figure, (int) width, (int) height, NULL, &box);
    g_assert_cmpfloat (box.width, ==, box.height);
    g_assert_cmpfloat (box.width, >=, 2 * (double) n);
    g_assert_cmpfloat (box.x + box.width, <=, width);
    g_assert_cmpfloat (box.y + box.height, <=, height);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add_func ("/plot/figure/" path, function)
  ADD ("rows-are-queries-from-top-to-bottom", test_rows_are_queries_from_top_to_bottom);
  g_test_add_func ("/cases/094/cells", test_cells_have_hard_edges_and_equal_sizes);
  g_test_add_func ("/cases/095/colours", test_number_of_colours_is_number_of_values);
  g_test_add_func ("/cases/095/dense-screen", test_cells_are_sharp_on_a_dense_screen);
  ADD ("hit-test-inverts-the-drawing", test_hit_test_inverts_the_drawing);
  ADD ("hit-test-misses-beside-the-cells", test_hit_test_misses_beside_the_cells);
  ADD ("viewport-shows-its-part", test_viewport_shows_its_part);
  ADD ("viewport-stays-inside-the-matrix", test_viewport_stays_inside_the_matrix);
  ADD ("thin-diagonal-survives-pooling", test_thin_diagonal_survives_pooling);
  ADD ("pooling-goes-by-magnitude", test_pooling_goes_by_magnitude);
  ADD ("forbidden-cells-are-hatched", test_forbidden_cells_are_hatched);
  ADD ("small-forbidden-cells-are-flat", test_small_forbidden_cells_are_flat);
  ADD ("equal-values-have-a-colour", test_equal_values_have_a_colour);
  ADD ("missing-number-has-its-own-grey", test_missing_number_has_its_own_grey);
  ADD ("numbers-are-drawn-where-they-fit", test_numbers_are_drawn_where_they_fit);
  ADD ("panels-of-a-sheet-are-a-grid", test_panels_of_a_sheet_are_a_grid);
  ADD ("any-size-can-be-drawn", test_any_size_can_be_drawn);
  ADD ("empty-figure-is-its-ground", test_empty_figure_is_its_ground);
  ADD ("panels-may-be-missing", test_panels_may_be_missing);
  ADD ("context-is-left-as-it-was", test_context_is_left_as_it_was);
  ADD ("drawing-is-pure", test_drawing_is_pure);
  ADD ("natural-size-has-square-cells", test_natural_size_has_square_cells);
#undef ADD

  return g_test_run ();
}
