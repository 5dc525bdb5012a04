/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The views of heads in a window of their own, with the real engine behind.
 */

#include "app/atn-compute.h"
#include "app/atn-figure-bar.h"
#include "app/atn-figure-view-private.h"
#include "app/atn-head-grid-private.h"
#include "app/atn-head-picker.h"
#include "app/atn-heads-view.h"
#include "app/atn-inspector.h"
#include "app/atn-miniature.h"
#include "app/atn-stage-strip.h"
#include "app/atn-stages-view.h"
#include "atn-test-loop.h"
#include "base/atn-paths.h"

#include <glib/gstdio.h>
#include <math.h>

#define WIDTH 900
#define HEIGHT 600

typedef struct
{
  AtnCompute *compute;
  AtnSession *session;
  GtkWidget *window; /* (nullable) */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->compute = atn_compute_new ();
  atn_compute_set_default (fixture->compute);
  fixture->session = atn_session_new ();
}

static void
spin (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->window != NULL)
    gtk_window_destroy (GTK_WINDOW (fixture->window));
  spin ();
  g_assert_finalize_object (fixture->session);
  atn_compute_set_default (NULL);
  atn_compute_free (fixture->compute);
  spin ();
}

static void
open_model (Fixture *fixture, const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AtnModel) model = atn_model_open (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  atn_session_set_model (fixture->session, model);
  atn_session_set_text (fixture->session, text);
  atn_test_wait_until (!atn_session_is_busy (fixture->session));
  g_assert_null (atn_session_get_error (fixture->session));
}

static void
open_bundled (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = atn_paths_find_model (name);

  g_assert_nonnull (path);
  open_model (fixture, path, text);
}

static void
show (Fixture *fixture, GtkWidget *child, int width, int height)
{
  fixture->window = gtk_window_new ();
  gtk_window_set_decorated (GTK_WINDOW (fixture->window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  gtk_window_set_child (GTK_WINDOW (fixture->window), child);
  gtk_window_present (GTK_WINDOW (fixture->window));
  atn_test_wait_until (gtk_widget_get_mapped (child) && gtk_widget_get_width (child) > 1);
}

static AtnFigureView *
show_figure_view (Fixture *fixture)
{
  AtnFigureView *view = g_object_new (ATN_TYPE_FIGURE_VIEW, "session", fixture->session, NULL);

  show (fixture, GTK_WIDGET (view), WIDTH, HEIGHT);
  atn_test_wait_until (view->picture != NULL && !atn_figure_view_is_busy (view));
  return view;
}

/* n words with a space between. */
static char *
repeat (const char *word, guint n)
{
  GString *text = g_string_new (word);

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, " %s", word);
  return g_string_free (text, FALSE);
}

static const GType *
list_types (guint *n_types)
{
  static GType types[7];

  types[0] = ATN_TYPE_FIGURE_VIEW;
  types[1] = ATN_TYPE_FIGURE_BAR;
  types[2] = ATN_TYPE_STAGE_STRIP;
  types[3] = ATN_TYPE_STAGES_VIEW;
  types[4] = ATN_TYPE_HEADS_VIEW;
  types[5] = ATN_TYPE_HEAD_PICKER;
  types[6] = ATN_TYPE_INSPECTOR;
  *n_types = G_N_ELEMENTS (types);
  return types;
}

static void
test_every_view_lives_without_a_session (Fixture *fixture, gconstpointer data)
{
  guint n_types;
  const GType *types = list_types (&n_types);

  for (guint i = 0; i < n_types; i++) {
    GObject *view = g_object_ref_sink (g_object_new (types[i], NULL));

    g_assert_finalize_object (view);
  }
}

static void
test_every_view_lives_without_a_model (Fixture *fixture, gconstpointer data)
{
  guint n_types;
  const GType *types = list_types (&n_types);

  for (guint i = 0; i < n_types; i++) {
    GObject *view = g_object_ref_sink (g_object_new (types[i], "session", fixture->session, NULL));

    g_assert_finalize_object (view);
  }
}

static void
test_every_view_may_be_closed_while_it_is_busy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = repeat ("猫", 200);
  guint n_types;
  const GType *types = list_types (&n_types);

  open_bundled (fixture, "cat-chases-mouse", "猫 追");
  for (guint i = 0; i < n_types; i++) {
    GtkWidget *view = g_object_new (types[i], "session", fixture->session, NULL);

    g_object_add_weak_pointer (G_OBJECT (view), (gpointer *) &view);
    show (fixture, view, WIDTH, HEIGHT);
    atn_session_set_text (fixture->session, i % 2 == 0 ? text : "追 猫");
    gtk_window_destroy (GTK_WINDOW (g_steal_pointer (&fixture->window)));
    atn_test_wait_until (view == NULL);
  }
}

static void
test_the_picture_has_the_size_of_the_widget (Fixture *fixture, gconstpointer data)
{
  AtnFigureView *view;
  int scale_factor;

  open_bundled (fixture, "six-tokens", "the cat sat on a mat");
  view = show_figure_view (fixture);
  scale_factor = gtk_widget_get_scale_factor (GTK_WIDGET (view));
  g_assert_cmpint (gdk_texture_get_width (view->picture->texture), ==, scale_factor * WIDTH);
  g_assert_cmpint (gdk_texture_get_height (view->picture->texture), ==, scale_factor * HEIGHT);
}

static void
test_the_four_corners_are_the_right_cells (Fixture *fixture, gconstpointer data)
{
  AtnFigureView *view;
  const AtnPanelBox *box;
  int query;
  int key;

  open_bundled (fixture, "six-tokens", "the cat sat on a mat");
  view = show_figure_view (fixture);
  box = &view->picture->boxes[0];
  for (int corner = 0; corner < 4; corner++) {
    double x = corner % 2 == 0 ? box->x + 1.0 : box->x + box->width - 1.0;
    double y = corner / 2 == 0 ? box->y + 1.0 : box->y + box->height - 1.0;

    g_assert_true (atn_figure_view_hit_test (view, x, y, &query, &key));
    g_assert_cmpint (query, ==, corner / 2 == 0 ? 0 : 5);
    g_assert_cmpint (key, ==, corner % 2 == 0 ? 0 : 5);
  }
  g_assert_false (atn_figure_view_hit_test (view, box->x - 2.0, box->y, &query, &key));
}

static void
test_zoom_shows_the_far_corner_and_costs_no_memory (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = repeat ("猫", 400);
  AtnFigureView *view;
  const AtnPanelBox *box;
  int width;
  int query;
  int key;

  open_bundled (fixture, "cat-chases-mouse", text);
  view = show_figure_view (fixture);
  width = gdk_texture_get_width (view->picture->texture);
  atn_session_set_zoom (fixture->session, ATN_ZOOM_MAX);
  atn_test_wait_until (view->picture->has_viewport && !atn_figure_view_is_busy (view));
  atn_figure_view_scroll_to (view, 1000.0, 1000.0);
  atn_test_wait_until (!atn_figure_view_is_busy (view));
  box = &view->picture->boxes[0];
  g_assert_true (atn_figure_view_hit_test (view, box->x + box->width - 1.0,
                                           box->y + box->height - 1.0, &query, &key));
  g_assert_cmpint (query, ==, 399);
  g_assert_cmpint (key, ==, 399);
  g_assert_cmpint (gdk_texture_get_width (view->picture->texture), ==, width);
}

static void
test_zoom_keeps_the_cell_under_the_pointer (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = repeat ("猫", 100);
  AtnFigureView *view;
  double x;
  double y;
  int query;
  int key;
  int old_query;
  int old_key;

  open_bundled (fixture, "cat-chases-mouse", text);
  view = show_figure_view (fixture);
  x = view->picture->boxes[0].x + 0.704 * view->picture->boxes[0].width;
  y = view->picture->boxes[0].y + 0.404 * view->picture->boxes[0].height;
  g_assert_true (atn_figure_view_hit_test (view, x, y, &old_query, &old_key));
  atn_figure_view_zoom_at (view, 4.0, x, y);
  atn_test_wait_until (view->picture->has_viewport && !atn_figure_view_is_busy (view));
  g_assert_true (atn_figure_view_hit_test (view, x, y, &query, &key));
  g_assert_cmpint (query, ==, old_query);
  g_assert_cmpint (key, ==, old_key);
  atn_figure_view_reset_zoom (view);
  atn_test_wait_until (!view->picture->has_viewport);
}

static void
test_the_cursor_is_followed_by_the_view (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = repeat ("猫", 100);
  AtnFigureView *view;

  open_bundled (fixture, "cat-chases-mouse", text);
  view = show_figure_view (fixture);
  atn_figure_view_zoom_by (view, 8.0);
  atn_test_wait_until (view->picture->has_viewport && !atn_figure_view_is_busy (view));
  atn_session_set_cell (fixture->session, 99, 0);
  atn_figure_view_reveal_cell (view);
  atn_test_wait_until (!atn_figure_view_is_busy (view));
  g_assert_cmpfloat (view->picture->viewport.first_col, ==, 0.0);
  g_assert_cmpfloat_with_epsilon (view->picture->viewport.first_row +
                                    view->picture->viewport.n_rows,
                                  100.0, 1e-6);
}

static void
test_an_empty_sentence_takes_the_picture_away (Fixture *fixture, gconstpointer data)
{
  AtnFigureView *view;

  open_bundled (fixture, "six-tokens", "the cat");
  view = show_figure_view (fixture);
  atn_session_set_text (fixture->session, "");
  atn_test_wait_until (view->picture == NULL);
  atn_session_set_text (fixture->session, "the");
  atn_test_wait_until (view->picture != NULL);
  g_assert_cmpuint (view->picture->figure->n_rows, ==, 1);
}

static GtkWidget *
find_by_type (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_by_type (child, type);

    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
test_the_strip_stands_where_the_matrix_loses_least (Fixture *fixture, gconstpointer data)
{
  GtkWidget *view;
  GtkWidget *strip;

  open_bundled (fixture, "six-tokens", "the cat sat on a mat");
  view = g_object_new (ATN_TYPE_STAGES_VIEW, "session", fixture->session, NULL);
  show (fixture, view, 1000, 500);
  strip = find_by_type (view, ATN_TYPE_STAGE_STRIP);
  atn_test_wait_until (gtk_widget_get_height (strip) > gtk_widget_get_width (strip));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 500, 700);
  atn_test_wait_until (gtk_widget_get_height (strip) < gtk_widget_get_width (strip));
}

static void
test_every_head_on_screen_gets_a_thumbnail (Fixture *fixture, gconstpointer data)
{
  AtnThumbnails *thumbnails = atn_thumbnails_get (fixture->session);
  GtkWidget *picker;
  AtnHeadGrid *grid;

  open_bundled (fixture, "six-tokens", "the cat sat on a mat");
  picker = g_object_new (ATN_TYPE_HEAD_PICKER, "session", fixture->session, NULL);
  show (fixture, picker, 246, 400);
  grid = ATN_HEAD_GRID (find_by_type (picker, ATN_TYPE_HEAD_GRID));
  atn_test_wait_until (grid->slots->len >= 3 && atn_thumbnails_is_settled (thumbnails));
  for (guint head = 0; head < 3; head++)
    g_assert_nonnull (atn_thumbnails_get_texture (thumbnails, 0, head, grid->size));
  atn_session_set_stage (fixture->session, ATN_STAGE_DOT);
  atn_test_wait_until (atn_thumbnails_is_settled (thumbnails));
}

static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_label (child, text);

    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
test_a_row_without_a_key_is_inspected_at_its_strongest (Fixture *fixture, gconstpointer data)
{
  GtkWidget *inspector;

  open_bundled (fixture, "six-tokens", "the cat sat on a mat");
  atn_session_set_head (fixture->session, 1);
  inspector = g_object_new (ATN_TYPE_INSPECTOR, "session", fixture->session, NULL);
  show (fixture, inspector, 260, 500);
  g_assert_nonnull (find_label (inspector, "No cell is chosen"));
  /* Nothing is chosen: the last token speaks. */
  atn_test_wait_until (find_label (inspector, "query 5, key 3") != NULL);
  atn_session_pin_cell (fixture->session, 2, -1);
  atn_test_wait_until (find_label (inspector, "query 2, key 1") != NULL);
  g_assert_nonnull (find_label (inspector, "0.9647"));
  atn_session_pin_cell (fixture->session, 5, 0);
  g_assert_nonnull (find_label (inspector, "query 5, key 0"));
}

static void
append_tensor (GString *json, const char *name, const char *shape, guint n)
{
  g_autofree float *values = g_new (float, n);
  g_autofree char *base64 = NULL;

  for (guint i = 0; i < n; i++)
    values[i] = (float) sin (i + json->len % 997);
  base64 = g_base64_encode ((const guchar *) values, n * sizeof *values);
  g_string_append_printf (json, ",\"%s\":{\"dtype\":\"F32\",\"shape\":%s,\"data\":\"%s\"}", name,
                          shape, base64);
}

/* 48 layers of heads of width 1. */
static char *
write_wide_model (const char *folder, guint n_heads)
{
  g_autofree char *in_shape = g_strdup_printf ("[%u,4,1]", n_heads);
  g_autofree char *out_shape = g_strdup_printf ("[%u,1,4]", n_heads);
  g_autoptr (GString) json = g_string_new (NULL);
  const char *names[] = { "W_Q", "W_K", "W_V" };
  char *path = g_build_filename (folder, "wide.attnscope.json", NULL);

  g_string_append_printf (
    json,
    "{\"format\":\"attnscope-model\",\"version\":1,\"name\":\"wide\",\"config\":{"
    "\"model_type\":\"transformer\",\"vocab_size\":2,\"hidden_size\":4,\"num_hidden_layers\":48,"
    "\"num_attention_heads\":%u,\"num_key_value_heads\":%u,\"head_dim\":1,\"v_head_dim\":1,"
    "\"intermediate_size\":0,\"gated_mlp\":false,\"activation\":\"relu\",\"norm\":\"none\","
    "\"norm_position\":\"pre\",\"norm_eps\":1e-5,\"final_norm\":false,\"positions\":\"none\","
    "\"max_position_embeddings\":512,\"causal\":true,\"attention_scale\":\"sqrt\","
    "\"unembed\":\"none\"},\"tokenizer\":{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,"
    "\"added_tokens\":[],\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"},"
    "\"post_processor\":null,\"decoder\":null,\"model\":{\"type\":\"WordLevel\","
    "\"vocab\":{\"a\":0,\"b\":1},\"unk_token\":\"a\"}},"
    "\"tensors\":{\"embed.W_E\":[[1,0,0.5,0],[0,1,0,0.5]]",
    n_heads, n_heads);

  for (int layer = 0; layer < 48; layer++) {
    g_autofree char *output = g_strdup_printf ("blocks.%d.attn.W_O", layer);

    for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
      g_autofree char *name = g_strdup_printf ("blocks.%d.attn.%s", layer, names[i]);

      append_tensor (json, name, in_shape, 4 * n_heads);
    }
    append_tensor (json, output, out_shape, 4 * n_heads);
  }
  g_string_append (json, "}}");
  g_assert_true (g_file_set_contents (path, json->str, (gssize) json->len, NULL));
  return path;
}

/* GTK warns, which is fatal here, of what is drawn without having been given a size. */
static void
scroll_step_by_step (GtkAdjustment *adjustment)
{
  for (int step = 0; step < 12; step++) {
    gint64 pause_end = g_get_monotonic_time () + 40 * 1000;

    gtk_adjustment_set_value (adjustment, 37.0 * step);
    atn_test_wait_until (g_get_monotonic_time () > pause_end);
  }
}

static void
test_a_grid_of_48_by_32_heads_has_few_buttons (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("attnscope-XXXXXX", NULL);
  g_autofree char *path = write_wide_model (folder, 32);
  AtnThumbnails *thumbnails = atn_thumbnails_get (fixture->session);
  GtkWidget *view;
  AtnHeadGrid *grid;
  GtkWidget *toggle;

  open_model (fixture, path, "a b a");
  view = g_object_new (ATN_TYPE_HEADS_VIEW, "session", fixture->session, NULL);
  show (fixture, view, WIDTH, HEIGHT);
  grid = ATN_HEAD_GRID (find_by_type (view, ATN_TYPE_HEAD_GRID));
  atn_test_wait_until (grid->slots->len == grid->n_slot_rows * grid->n_slot_cols &&
                       atn_thumbnails_is_settled (thumbnails));
  g_assert_cmpuint (grid->slots->len, <, 200);
  scroll_step_by_step (grid->vadjustment);
  scroll_step_by_step (grid->hadjustment);

  atn_session_set_layer_and_head (fixture->session, 47, 31);
  atn_test_wait_until (atn_head_grid_find_toggle (grid, 47, 31) != NULL &&
                       atn_thumbnails_is_settled (thumbnails));
  toggle = atn_head_grid_find_toggle (grid, 47, 31);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle)));
  g_assert_null (atn_head_grid_find_toggle (grid, 0, 0));
  g_assert_nonnull (atn_thumbnails_get_texture (thumbnails, 47, 31, grid->size));

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* As GPT-2 and BERT have. */
static void
test_twelve_heads_fit_the_pane (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("attnscope-XXXXXX", NULL);
  g_autofree char *path = write_wide_model (folder, 12);
  GtkWidget *picker;
  AtnHeadGrid *grid;

  open_model (fixture, path, "a b a");
  picker = g_object_new (ATN_TYPE_HEAD_PICKER, "session", fixture->session, NULL);
  show (fixture, picker, 246, 400);
  grid = ATN_HEAD_GRID (find_by_type (picker, ATN_TYPE_HEAD_GRID));
  atn_test_wait_until (atn_head_grid_find_toggle (grid, 0, 0) != NULL &&
                       atn_thumbnails_is_settled (atn_thumbnails_get (fixture->session)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (grid->hadjustment), <=,
                     gtk_adjustment_get_page_size (grid->hadjustment));
  g_assert_nonnull (atn_head_grid_find_toggle (grid, 0, 11));

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_a_click_chooses_a_head (Fixture *fixture, gconstpointer data)
{
  GtkWidget *picker;
  AtnHeadGrid *grid;

  open_bundled (fixture, "six-tokens", "the cat sat on a mat");
  picker = g_object_new (ATN_TYPE_HEAD_PICKER, "session", fixture->session, NULL);
  show (fixture, picker, 246, 400);
  grid = ATN_HEAD_GRID (find_by_type (picker, ATN_TYPE_HEAD_GRID));
  atn_test_wait_until (atn_head_grid_find_toggle (grid, 0, 2) != NULL);
  g_signal_emit_by_name (atn_head_grid_find_toggle (grid, 0, 2), "clicked");
  g_assert_cmpuint (atn_session_get_head (fixture->session), ==, 2);
  g_assert_false (
    gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (atn_head_grid_find_toggle (grid, 0, 0))));
}

static void
test_a_miniature_shows_the_colours_of_its_cells (void)
{
  g_autoptr (AtnMatrix) matrix = atn_matrix_new (2, 2);
  g_autoptr (GdkTexture) texture = NULL;
  AtnPanel panel = { .matrix = matrix };
  AtnPlotStyle style;
  AtnPanelBox box;
  AtnColor top = atn_colormap_get_color (ATN_COLORMAP_VIRIDIS, 1.0);
  guint32 pixels[40 * 40];

  matrix->values[0] = 1.0f;
  atn_range_from_matrix (&panel.range, matrix, false);
  atn_plot_style_init (&style);
  texture = atn_miniature_render (&panel, &style, 20, 2, &box);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 40);
  g_assert_cmpfloat_with_epsilon (box.width, 20.0, 1.5);
  gdk_texture_download (texture, (guchar *) pixels, 160);
  g_assert_cmpint ((pixels[10 * 40 + 10] >> 16) & 255, ==, (int) (top.red * 255.0 + 0.5));
  g_assert_cmpint (pixels[10 * 40 + 10] & 255, ==, (int) (top.blue * 255.0 + 0.5));
  g_assert_cmpuint (pixels[10 * 40 + 10], !=, pixels[30 * 40 + 30]);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ()) {
    g_print ("1..0 # skip no display\n");
    return 0;
  }
  adw_init ();

  ADD ("/app/views/no-session", test_every_view_lives_without_a_session);
  ADD ("/app/views/no-model", test_every_view_lives_without_a_model);
  ADD ("/app/views/close-while-busy", test_every_view_may_be_closed_while_it_is_busy);
  ADD ("/app/figure-view/size", test_the_picture_has_the_size_of_the_widget);
  ADD ("/app/figure-view/corners", test_the_four_corners_are_the_right_cells);
  ADD ("/app/figure-view/far-corner", test_zoom_shows_the_far_corner_and_costs_no_memory);
  ADD ("/app/figure-view/zoom-at", test_zoom_keeps_the_cell_under_the_pointer);
  ADD ("/app/figure-view/follow", test_the_cursor_is_followed_by_the_view);
  ADD ("/app/figure-view/empty", test_an_empty_sentence_takes_the_picture_away);
  ADD ("/app/stages-view/strip", test_the_strip_stands_where_the_matrix_loses_least);
  ADD ("/app/inspector/row", test_a_row_without_a_key_is_inspected_at_its_strongest);
  ADD ("/app/head-grid/thumbnails", test_every_head_on_screen_gets_a_thumbnail);
  ADD ("/app/head-grid/twelve", test_twelve_heads_fit_the_pane);
  ADD ("/app/head-grid/many", test_a_grid_of_48_by_32_heads_has_few_buttons);
  ADD ("/app/head-grid/click", test_a_click_chooses_a_head);
  g_test_add_func ("/app/miniature/colours", test_a_miniature_shows_the_colours_of_its_cells);

  return g_test_run ();
}
