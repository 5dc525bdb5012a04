/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * One drawing on every kind of surface. Recordings are played onto an image, SVG and PDF
 * are read by programs of other people, where there are any; what all of them show is
 * compared with the image that the window would show.
 */

#include "atn-plot-test.h"
#include "atn-test.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#define POINTS_PER_UNIT 0.75

/* Smallest rectangle around all that is not ground. */
typedef struct
{
  int left, top, right, bottom;
} Ink;

static Ink
find_ink (cairo_surface_t *surface, guint32 ground)
{
  Ink ink = { G_MAXINT, G_MAXINT, -1, -1 };

  for (int y = 0; y < cairo_image_surface_get_height (surface); y++) {
    for (int x = 0; x < cairo_image_surface_get_width (surface); x++) {
      if (atn_plot_test_get_pixel (surface, x, y) == ground)
        continue;
      ink.left = MIN (ink.left, x);
      ink.right = MAX (ink.right, x);
      ink.top = MIN (ink.top, y);
      ink.bottom = MAX (ink.bottom, y);
    }
  }
  return ink;
}

static int
get_difference (guint32 a, guint32 b)
{
  int largest = 0;

  for (int shift = 0; shift < 24; shift += 8)
    largest = MAX (largest, ABS ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff)));
  return largest;
}

/* @other shows the same: as large, and each visible cell has its colour in the middle of its left
 * upper quarter, where no number is. */
static void
assert_same (const AtnFigure *figure,
             cairo_surface_t *image,
             cairo_surface_t *other,
             const AtnPanelBox *boxes)
{
  const guint32 ground = atn_plot_test_get_rgb (figure->style.background);
  const Ink a = find_ink (image, ground);
  const Ink b = find_ink (other, ground);

  g_assert_cmpint (ABS (a.left - b.left), <=, 1);
  g_assert_cmpint (ABS (a.top - b.top), <=, 1);
  g_assert_cmpint (ABS (a.right - b.right), <=, 1);
  g_assert_cmpint (ABS (a.bottom - b.bottom), <=, 1);

  for (size_t i = 0; i < figure->n_panels * figure->n_rows * figure->n_cols; i++) {
    const size_t panel = i / (figure->n_rows * figure->n_cols);
    const size_t row = i / figure->n_cols % figure->n_rows;
    const size_t col = i % figure->n_cols;
    const double cell = boxes[panel].width / (double) figure->n_cols;

    if (atn_matrix_is_forbidden (figure->panels[panel].matrix, row, col))
      continue;
    g_assert_cmpint (get_difference (atn_plot_test_get_pixel (
                                       other, (int) (boxes[panel].x + ((double) col + 0.25) * cell),
                                       (int) (boxes[panel].y + ((double) row + 0.25) * cell)),
                                     atn_plot_test_get_cell_rgb (figure, panel, row, col)),
                     <=, 1);
  }
}

typedef struct
{
  AtnFigure *figure;
  int width, height;
  AtnPanelBox boxes[16];
  cairo_surface_t *image;
} Fixture;

static AtnFigure *
create_figure (AtnFigureKind kind)
{
  if (kind == ATN_FIGURE_HEAD)
    return atn_plot_test_create_head (atn_plot_test_create_scores (7, true), true, NULL);
  if (kind == ATN_FIGURE_STRIP)
    return atn_plot_test_create_grid (kind, 7, 1, 4);
  return atn_plot_test_create_grid (kind, 7, 2, 3);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  double width, height;

  self->figure = create_figure ((AtnFigureKind) GPOINTER_TO_INT (data));
  atn_figure_get_natural_size (self->figure, 1, &width, &height);
  self->width = (int) width;
  self->height = (int) height;
  self->image = atn_plot_test_draw (self->figure, self->width, self->height, NULL, self->boxes);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  cairo_surface_destroy (self->image);
  atn_figure_unref (self->figure);
}

static void
test_recording_shows_the_same (Fixture *self, gconstpointer data)
{
  g_autoptr (cairo_surface_t) recording =
    cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  g_autoptr (cairo_surface_t) played =
    cairo_image_surface_create (CAIRO_FORMAT_RGB24, self->width, self->height);
  double x, y, width, height;
  cairo_t *cr = cairo_create (recording);

  atn_figure_draw (self->figure, cr, self->width, self->height, NULL, NULL);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  /* Nothing hangs over the edge. */
  cairo_recording_surface_ink_extents (recording, &x, &y, &width, &height);
  g_assert_cmpfloat (x, >=, 0);
  g_assert_cmpfloat (y, >=, 0);
  g_assert_cmpfloat (x + width, <=, self->width);
  g_assert_cmpfloat (y + height, <=, self->height);

  cr = cairo_create (played);
  cairo_set_source_surface (cr, recording, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (played);
  assert_same (self->figure, self->image, played, self->boxes);
}

static void
draw_and_finish (Fixture *self, cairo_surface_t *surface)
{
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, POINTS_PER_UNIT, POINTS_PER_UNIT);
  atn_figure_draw (self->figure, cr, self->width, self->height, NULL, NULL);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
}

static void
assert_same_in_file (Fixture *self, char **arguments, const char *png_path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (cairo_surface_t) read = NULL;
  int status;

  g_spawn_sync (NULL, arguments, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  read = cairo_image_surface_create_from_png (png_path);
  g_assert_cmpint (cairo_surface_status (read), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (ABS (cairo_image_surface_get_width (read) - self->width), <=, 1);
  assert_same (self->figure, self->image, read, self->boxes);
}

static void
test_svg_shows_the_same (Fixture *self, gconstpointer data)
{
  g_autofree char *program = g_find_program_in_path ("rsvg-convert");
  char *folder = atn_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "figure.svg", NULL);
  g_autofree char *png_path = g_build_filename (folder, "figure.png", NULL);
  char size[32];

  draw_and_finish (self, cairo_svg_surface_create (path, self->width * POINTS_PER_UNIT,
                                                   self->height * POINTS_PER_UNIT));
  g_snprintf (size, sizeof size, "%d", self->width);
  if (program == NULL)
    g_test_skip ("rsvg-convert is not installed: the status alone was looked at");
  else
    assert_same_in_file (self, (char *[]){ program, "-w", size, "-o", png_path, path, NULL },
                         png_path);
  atn_test_remove_folder (folder);
}

static void
test_pdf_shows_the_same (Fixture *self, gconstpointer data)
{
  g_autofree char *program = g_find_program_in_path ("pdftocairo");
  char *folder = atn_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "figure.pdf", NULL);
  g_autofree char *stem = g_build_filename (folder, "figure", NULL);
  g_autofree char *png_path = g_build_filename (folder, "figure.png", NULL);

  draw_and_finish (self, cairo_pdf_surface_create (path, self->width * POINTS_PER_UNIT,
                                                   self->height * POINTS_PER_UNIT));
  if (program == NULL)
    g_test_skip ("pdftocairo is not installed: the status alone was looked at");
  else
    assert_same_in_file (self,
                         (char *[]){ program, "-png", "-singlefile", "-r", "96", path, stem, NULL },
                         png_path);
  atn_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  static const char *const KINDS[] = { "head", "strip", "sheet" };

  g_test_init (&argc, &argv, NULL);

  for (int i = 0; i < (int) G_N_ELEMENTS (KINDS); i++) {
    static const struct
    {
      const char *name;
      void (*test) (Fixture *, gconstpointer);
    } tests[] = { { "recording", test_recording_shows_the_same },
                  { "svg", test_svg_shows_the_same },
                  { "pdf", test_pdf_shows_the_same } };

    for (size_t j = 0; j < G_N_ELEMENTS (tests); j++) {
      g_autofree char *path =
        g_strdup_printf ("/plot/surfaces/%s-shows-the-same/%s", tests[j].name, KINDS[i]);

      g_test_add (path, Fixture, GINT_TO_POINTER (i), set_up, tests[j].test, tear_down);
    }
  }

  return g_test_run ();
}
