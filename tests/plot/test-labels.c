/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Labels are all readable, in the order of the matrix, and none touches another. Warnings
 * of Pango are fatal here.
 */

#include "atn-plot-test.h"

#include "plot/atn-figure-private.h"

static const char *const HOSTILE[] = {
  "[CLS]", "<s>", "$x$",      "<b>x</b>",           "&amp;", "R&D", "</s>",     "سلام", "##ة", "◌́",
  "北京",  "각",  "👍🏽", "👩‍👩‍👧", "⟨F0⟩",  "हि",  "\xff\xfe", ""
};

static AtnFigure *
create_figure (size_t n, const char *const *labels)
{
  AtnFigure *figure =
    atn_plot_test_create_head (atn_plot_test_create_weights (n, true), false, labels);

  figure->style.show_numbers = figure->style.show_title = figure->style.show_caption = false;
  return figure;
}

/* A label is shown as it is: no markup, no mathematics, no escape. */
static void
test_labels_are_taken_literally (void)
{
  AtnText text;

  atn_text_init (&text, NULL, 12, PANGO_WEIGHT_NORMAL);
  for (size_t i = 0; i < G_N_ELEMENTS (HOSTILE); i++) {
    PangoLayout *layout = atn_text_create_line (&text, HOSTILE[i], 0);
    g_autofree char *valid = g_utf8_make_valid (HOSTILE[i], -1);

    g_assert_cmpstr (pango_layout_get_text (layout), ==, valid);
    g_assert_cmpint (pango_layout_get_line_count (layout), ==, 1);
    g_object_unref (layout);
  }
  atn_text_clear (&text);
}

static void
test_hostile_labels_can_be_drawn (void)
{
  for (size_t n = 1; n <= G_N_ELEMENTS (HOSTILE); n += 4) {
    g_autoptr (AtnFigure) figure = create_figure (n, HOSTILE);
    double width, height;

    atn_figure_get_natural_size (figure, 1, &width, &height);
    cairo_surface_destroy (atn_plot_test_draw (figure, (int) width, (int) height, NULL, NULL));
  }
}

/* How many separate lines of text stand left of the cells. */
static size_t
count_query_labels (const AtnFigure *figure, cairo_surface_t *surface, const AtnPanelBox *box)
{
  const guint32 ground = atn_plot_test_get_rgb (figure->style.background);
  /* Without the ticks. */
  const int right = (int) (box->x - 0.35 * atn_plot_style_get_em (&figure->style));
  bool was_ink = false;
  size_t n_labels = 0;

  for (int y = (int) box->y - 8; y < cairo_image_surface_get_height (surface); y++) {
    bool is_ink = false;

    for (int x = 0; x < right; x++)
      is_ink = is_ink || atn_plot_test_get_pixel (surface, x, y) != ground;
    n_labels += is_ink && !was_ink;
    was_ink = is_ink;
  }
  return n_labels;
}

/* Labels with the highest and the deepest letters leave a blank row between them. */
static void
test_labels_thin_out_and_never_overlap (void)
{
  const size_t counts[] = { 1, 2, 10, 33, 60, 100, 300, 700, 1024 };

  for (size_t i = 0; i < G_N_ELEMENTS (counts); i++) {
    const size_t n = counts[i];
    g_autofree const char **labels = g_new0 (const char *, n);
    g_autoptr (AtnFigure) figure = NULL;
    g_autoptr (cairo_surface_t) surface = NULL;
    double width, height, cell;
    AtnPanelBox box;
    size_t step;

    for (size_t j = 0; j < n; j++)
      labels[j] = "Elgp";
    figure = create_figure (n, labels);
    g_clear_pointer (&figure->query_title, g_free);
    atn_figure_get_natural_size (figure, 1, &width, &height);
    surface = atn_plot_test_draw (figure, (int) width, (int) height, NULL, &box);
    cell = box.height / (double) n;
    step = atn_labels_get_query_step (atn_plot_style_get_em (&figure->style), cell);
    g_assert_cmpuint (count_query_labels (figure, surface, &box), ==, (n + step - 1) / step);
  }
}

/* Where the cells begin if one of 300 labels is long, all others short. */
static AtnPanelBox
place_cells (size_t long_label)
{
  const size_t n = 300;
  g_autofree const char **labels = g_new0 (const char *, n);
  g_autoptr (AtnFigure) figure = NULL;
  AtnPanelBox box;

  for (size_t i = 0; i < n; i++)
    labels[i] = i == long_label ? "incomprehensible" : "the";
  figure = create_figure (n, labels);
  atn_figure_get_boxes (figure, 900, 900, NULL, &box);
  return box;
}

static void
test_margins_have_room_for_the_labels_that_are_drawn (void)
{
  const AtnPanelBox none = place_cells (300);
  const AtnPanelBox undrawn = place_cells (7);
  const AtnPanelBox drawn = place_cells (100);

  g_assert_cmpfloat (undrawn.x, ==, none.x);
  g_assert_cmpfloat (undrawn.y, ==, none.y);
  g_assert_cmpfloat (undrawn.width, ==, none.width);
  g_assert_cmpfloat (drawn.y, >, none.y + 30);
  g_assert_cmpfloat (drawn.width, <, none.width - 30);
}

/* Whatever room there is: the steps that are drawn are not closer than those of the cell that
 * came out. */
static void
test_thinned_labels_keep_their_distance (void)
{
  g_autofree const char **labels = g_new0 (const char *, 200);
  g_autoptr (AtnFigure) figure = NULL;

  for (size_t i = 0; i < 200; i++)
    labels[i] = i % 10 == 0 ? "a" : i % 2 == 0 ? "somewhat" : "incomprehensible";
  figure = create_figure (200, labels);

  for (double size = 100; size < 4000; size += 37) {
    const AtnPixels pixels = { .scale = 1 };
    AtnLayout layout;

    atn_layout_init (&layout, figure, size, size, NULL, &pixels);
    g_assert_cmpuint (layout.query_step, >=, atn_labels_get_query_step (layout.em, layout.cell));
    g_assert_cmpuint (layout.key_step, >=,
                      atn_labels_get_key_step (layout.em, layout.cell, layout.key_mode, false));
  }
}

static void
test_steps_are_good_numbers (void)
{
  g_assert_cmpuint (atn_labels_get_query_step (12, 34), ==, 1);
  g_assert_cmpuint (atn_labels_get_query_step (12, 8), ==, 2);
  g_assert_cmpuint (atn_labels_get_query_step (12, 3.5), ==, 5);
  g_assert_cmpuint (atn_labels_get_query_step (12, 2), ==, 10);
  g_assert_cmpuint (atn_labels_get_query_step (12, 0.1), ==, 200);
}

/* At 45° lines of text must be further apart than upright ones. */
static void
test_turned_labels_keep_their_distance (void)
{
  for (double cell = 1; cell < 60; cell += 0.5) {
    const size_t vertical = atn_labels_get_key_step (12, cell, ATN_KEYS_VERTICAL, false);
    const size_t diagonal = atn_labels_get_key_step (12, cell, ATN_KEYS_DIAGONAL, false);

    g_assert_cmpfloat ((double) vertical * cell, >=, 1.2 * 12);
    g_assert_cmpfloat ((double) diagonal * cell * G_SQRT2 / 2, >=, 1.2 * 12);
  }
}

static void
test_long_labels_are_cut (void)
{
  g_autofree char *text = g_strnfill (10000, 'm');
  const char *const labels[] = { "short", text, "b" };
  g_autoptr (AtnFigure) figure = create_figure (3, labels);
  g_autoptr (cairo_surface_t) surface = NULL;
  double width, height;
  AtnPanelBox box;

  atn_figure_get_natural_size (figure, 1, &width, &height);
  g_assert_cmpfloat (width, <, 500);
  g_assert_cmpfloat (height, <, 500);
  surface = atn_plot_test_draw (figure, (int) width, (int) height, NULL, &box);
  g_assert_cmpfloat (box.x, <, 200);
  g_assert_cmpfloat (box.y, <, 200);
}

/* Line by line, whatever direction the letters of a token have. */
static void
test_label_stands_at_its_row (void)
{
  static const char *const MIXED[] = { "[CLS]", "سلام", "the", "cat", "[SEP]" };

  for (size_t i = 0; i < G_N_ELEMENTS (MIXED); i++) {
    const char *labels[G_N_ELEMENTS (MIXED)] = { " ", " ", " ", " ", " " };
    g_autoptr (AtnFigure) figure = NULL;
    g_autoptr (cairo_surface_t) surface = NULL;
    AtnPanelBox box;

    labels[i] = MIXED[i];
    figure = create_figure (G_N_ELEMENTS (MIXED), labels);
    g_clear_pointer (&figure->query_title, g_free);
    surface = atn_plot_test_draw (figure, 300, 300, NULL, &box);
    for (int y = (int) box.y; y < (int) (box.y + box.height); y++)
      for (int x = 0; x < (int) box.x - 2; x++)
        if (atn_plot_test_get_pixel (surface, x, y) != 0xffffff)
          g_assert_cmpuint ((size_t) ((y - box.y) / (box.height / 5)), ==, i);
  }
}

static void
test_wide_characters_stand_upright (void)
{
  g_assert_true (atn_text_is_stackable ("老鼠"));
  g_assert_true (atn_text_is_stackable ("##猫"));
  g_assert_true (atn_text_is_stackable ("각"));
  g_assert_true (atn_text_is_stackable ("👍🏽"));
  g_assert_false (atn_text_is_stackable ("cat"));
  g_assert_false (atn_text_is_stackable ("سلام"));
  g_assert_false (atn_text_is_stackable ("中华人民共和国万岁"));
  g_assert_false (atn_text_is_stackable ("\xff"));
}

/* An emoji of several code points is one character of the stack. */
static void
test_stack_keeps_clusters_whole (void)
{
  AtnText text;
  PangoLayout *layout;

  atn_text_init (&text, NULL, 12, PANGO_WEIGHT_NORMAL);
  layout = atn_text_create_stack (&text, "👩‍👩‍👧猫👍🏽");
  g_assert_cmpstr (pango_layout_get_text (layout), ==, "👩‍👩‍👧\n猫\n👍🏽");
  g_object_unref (layout);
  atn_text_clear (&text);
}

/* The number before a label is not carried to the other side by a right-to-left token. */
static void
test_number_stays_before_its_label (void)
{
  AtnText text;
  PangoLayout *layout;
  PangoRectangle digit;

  atn_text_init (&text, NULL, 12, PANGO_WEIGHT_NORMAL);
  layout = atn_text_create_numbered (&text, 50, "سلام", 0);
  pango_layout_index_to_pos (layout, 0, &digit);
  g_assert_cmpint (digit.x, ==, 0);
  g_object_unref (layout);
  atn_text_clear (&text);
}

static void
test_labels_can_be_left_out (void)
{
  g_autoptr (AtnFigure) figure = create_figure (8, NULL);
  double with, without, height;

  atn_figure_get_natural_size (figure, 1, &with, &height);
  figure->style.show_labels = false;
  atn_figure_get_natural_size (figure, 1, &without, &height);
  g_assert_cmpfloat (without, <, with);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add_func ("/plot/labels/" path, function)
  g_test_add_func ("/cases/097/labels", test_labels_are_taken_literally);
  ADD ("hostile-labels-can-be-drawn", test_hostile_labels_can_be_drawn);
  ADD ("labels-thin-out-and-never-overlap", test_labels_thin_out_and_never_overlap);
  ADD ("margins-have-room-for-the-labels-that-are-drawn",
       test_margins_have_room_for_the_labels_that_are_drawn);
  ADD ("thinned-labels-keep-their-distance", test_thinned_labels_keep_their_distance);
  ADD ("steps-are-good-numbers", test_steps_are_good_numbers);
  ADD ("turned-labels-keep-their-distance", test_turned_labels_keep_their_distance);
  ADD ("long-labels-are-cut", test_long_labels_are_cut);
  ADD ("label-stands-at-its-row", test_label_stands_at_its_row);
  ADD ("wide-characters-stand-upright", test_wide_characters_stand_upright);
  ADD ("stack-keeps-clusters-whole", test_stack_keeps_clusters_whole);
  ADD ("number-stays-before-its-label", test_number_stays_before_its_label);
  ADD ("labels-can-be-left-out", test_labels_can_be_left_out);
#undef ADD

  return g_test_run ();
}
