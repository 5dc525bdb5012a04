/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Files: they are complete, say what they show, and are never half there.
 */

#include "atn-plot-test.h"
#include "atn-test.h"

#include "plot/atn-export.h"

#include <png.h>
#include <unistd.h>

static const AtnExportSize NATURAL = { .zoom = 1 };

static const char SENTENCE[] = "The <b>cat</b> & 猫 “sat”\tdown\x01";

static AtnFigure *
create_figure (size_t n)
{
  AtnFigure *figure =
    atn_plot_test_create_head (atn_plot_test_create_weights (n, true), false, NULL);

  atn_figure_add_metadata (figure, "model", "english-small");
  atn_figure_add_metadata (figure, "text", SENTENCE);
  atn_figure_add_metadata (figure, "layer", "1");
  atn_figure_add_metadata (figure, "head", "3");
  atn_figure_add_metadata (figure, "settings", "causal mask off · scale none");
  return figure;
}

static GBytes *
render (const AtnFigure *figure, AtnExportFormat format, const AtnExportSize *size)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = atn_export_render (figure, format, size, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

static void
test_format_comes_from_the_name (void)
{
  AtnExportFormat format;

  g_assert_true (atn_export_format_from_path ("a/b.PNG", &format));
  g_assert_cmpint (format, ==, ATN_EXPORT_PNG);
  g_assert_true (atn_export_format_from_path ("x.svg", &format));
  g_assert_cmpint (format, ==, ATN_EXPORT_SVG);
  g_assert_true (atn_export_format_from_path (".pdf", &format));
  g_assert_cmpint (format, ==, ATN_EXPORT_PDF);
  g_assert_false (atn_export_format_from_path ("png", &format));
  g_assert_false (atn_export_format_from_path ("x.jpeg", &format));
}

/* A PNG in memory as libpng reads it. */
typedef struct
{
  GBytes *bytes;
  gsize offset;
  png_structp png;
  png_infop info;
} Reader;

static void
read_cb (png_structp png, png_bytep data, png_size_t length)
{
  Reader *self = png_get_io_ptr (png);
  gsize size;
  const guint8 *bytes = g_bytes_get_data (self->bytes, &size);

  g_assert_cmpuint (self->offset + length, <=, size);
  memcpy (data, bytes + self->offset, length);
  self->offset += length;
}

static void
reader_init (Reader *self, GBytes *bytes)
{
  *self = (Reader){ .bytes = bytes };
  self->png = png_create_read_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  self->info = png_create_info_struct (self->png);
  if (setjmp (png_jmpbuf (self->png)))
    g_error ("the file is no PNG");
  png_set_read_fn (self->png, self, read_cb);
  png_read_png (self->png, self->info, PNG_TRANSFORM_IDENTITY, NULL);
}

static void
reader_clear (Reader *self)
{
  png_destroy_read_struct (&self->png, &self->info, NULL);
}

static const char *
reader_find_text (Reader *self, const char *key)
{
  png_textp texts;
  int n_texts;

  png_get_text (self->png, self->info, &texts, &n_texts);
  for (int i = 0; i < n_texts; i++)
    if (g_str_equal (texts[i].key, key))
      return texts[i].text;
  return NULL;
}

static void
test_png_says_what_it_shows (void)
{
  g_autoptr (AtnFigure) figure = create_figure (6);
  g_autoptr (GBytes) bytes = render (figure, ATN_EXPORT_PNG, &(AtnExportSize){ .zoom = 2 });
  double width, height;
  png_uint_32 x, y;
  Reader reader;
  int unit;

  atn_figure_get_natural_size (figure, 1, &width, &height);
  reader_init (&reader, bytes);
  g_assert_cmpuint (png_get_image_width (reader.png, reader.info), ==, (guint) (2 * width));
  g_assert_cmpuint (png_get_image_height (reader.png, reader.info), ==, (guint) (2 * height));
  g_assert_cmpstr (reader_find_text (&reader, "Software"), ==, "Attnscope");
  g_assert_cmpstr (reader_find_text (&reader, "Title"), ==, figure->title);
  g_assert_cmpstr (reader_find_text (&reader, "Description"), ==, figure->caption);
  g_assert_cmpstr (reader_find_text (&reader, "text"), ==, SENTENCE);
  g_assert_cmpstr (reader_find_text (&reader, "settings"), ==, "causal mask off · scale none");
  g_assert_true (png_get_pHYs (reader.png, reader.info, &x, &y, &unit) != 0);
  g_assert_cmpint (unit, ==, PNG_RESOLUTION_METER);
  /* 192 pixels an inch. */
  g_assert_cmpuint (x, ==, 7559);
  g_assert_cmpuint (y, ==, 7559);
  reader_clear (&reader);
}

static void
test_png_has_the_pixels_of_the_screen (void)
{
  g_autoptr (AtnFigure) figure = create_figure (6);
  g_autoptr (GBytes) bytes = render (figure, ATN_EXPORT_PNG, &NATURAL);
  g_autoptr (cairo_surface_t) screen = NULL;
  double width, height;
  Reader reader;
  png_bytepp rows;

  atn_figure_get_natural_size (figure, 1, &width, &height);
  screen = atn_plot_test_draw (figure, (int) width, (int) height, NULL, NULL);
  reader_init (&reader, bytes);
  rows = png_get_rows (reader.png, reader.info);
  for (int y = 0; y < (int) height; y++) {
    for (int x = 0; x < (int) width; x++) {
      const guint32 rgb = (guint32) rows[y][3 * x] << 16 | (guint32) rows[y][3 * x + 1] << 8 |
                          (guint32) rows[y][3 * x + 2];

      g_assert_cmphex (rgb, ==, atn_plot_test_get_pixel (screen, x, y));
    }
  }
  reader_clear (&reader);
}

/* Bands meet without a seam: a picture of 5,300 × 5,300 pixels is drawn in two. */
static void
test_png_in_bands_is_whole (void)
{
  g_autoptr (AtnFigure) figure = create_figure (3);
  g_autoptr (GBytes) bytes = NULL;
  double width, height;
  Reader reader;
  png_bytepp rows;
  AtnPanelBox box;
  int x;

  atn_plot_test_show_cells_only (figure);
  atn_figure_get_natural_size (figure, 1, &width, &height);
  bytes = render (figure, ATN_EXPORT_PNG, &(AtnExportSize){ .zoom = 5300 / width });
  cairo_surface_destroy (atn_plot_test_draw (figure, (int) width, (int) height, NULL, &box));
  reader_init (&reader, bytes);
  g_assert_cmpuint (png_get_image_width (reader.png, reader.info), ==, 5300);
  rows = png_get_rows (reader.png, reader.info);
  /* Down the middle of the first column: three colours, two edges. */
  x = (int) ((box.x + box.width / 6) * 5300 / width);
  for (int y = (int) (box.y * 5300 / width) + 20, n_edges = 0;
       y < (int) ((box.y + box.height) * 5300 / width) - 20; y++) {
    n_edges += memcmp (rows[y] + 3 * x, rows[y - 1] + 3 * x, 3) != 0;
    g_assert_cmpint (n_edges, <=, 2);
  }
  reader_clear (&reader);
}

static void
test_png_by_width_and_dpi_has_that_size (void)
{
  g_autoptr (AtnFigure) figure = create_figure (6);
  const AtnExportSize size = { .width_mm = 80, .dpi = 300 };
  g_autoptr (GBytes) bytes = render (figure, ATN_EXPORT_PNG, &size);
  double width, height, natural_width;
  Reader reader;

  reader_init (&reader, bytes);
  g_assert_cmpuint (png_get_image_width (reader.png, reader.info), ==, 945);
  g_assert_cmpuint (png_get_x_pixels_per_meter (reader.png, reader.info), ==, 11811);
  reader_clear (&reader);

  g_assert_true (atn_export_measure (figure, ATN_EXPORT_PNG, &size, &width, &height, NULL));
  g_assert_cmpfloat (width, ==, 945);
  /* The resolution alone leaves the size on paper as it is. */
  atn_figure_get_natural_size (figure, 1, &natural_width, &height);
  g_assert_true (atn_export_measure (figure, ATN_EXPORT_PNG, &(AtnExportSize){ .dpi = 192 }, &width,
                                     &height, NULL));
  g_assert_cmpfloat (width, ==, 2 * natural_width);
}

static char *
render_text (const AtnFigure *figure, AtnExportFormat format)
{
  g_autoptr (GBytes) bytes = render (figure, format, &NATURAL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  return g_strndup (data, length);
}

/* An XML parser is the judge of what has been put into Cairo's text. */
static void
collect_text_cb (GMarkupParseContext *context,
                 const char *text,
                 gsize length,
                 gpointer user_data,
                 GError **error)
{
  GString *all = user_data;

  g_string_append_len (all, text, (gssize) length);
  g_string_append_c (all, '\n');
}

static void
test_svg_says_what_it_shows (void)
{
  g_autoptr (AtnFigure) figure = create_figure (6);
  g_autofree char *svg = render_text (figure, ATN_EXPORT_SVG);
  const GMarkupParser parser = { .text = collect_text_cb };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, text, NULL);
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, svg, (gssize) strlen (svg), &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (svg, "<metadata>"));
  g_assert_nonnull (strstr (svg, "<entry key=\"model\">english-small</entry>"));
  g_assert_nonnull (strstr (text->str, "The <b>cat</b> & 猫 “sat”\tdown\xef\xbf\xbd"));
  g_assert_nonnull (strstr (text->str, "causal mask off · scale none"));
  g_assert_nonnull (strstr (text->str, figure->title));
  g_assert_null (strstr (svg, "nan"));
  g_assert_null (strstr (svg, "<image"));
}

static bool
holds (const char *data, gsize length, const char *text)
{
  return memmem (data, length, text, strlen (text)) != NULL;
}

/* PDF strings that are not ASCII are UTF-16 with a mark; Cairo writes them as hexadecimal. */
static void
test_pdf_says_what_it_shows (void)
{
  g_autoptr (AtnFigure) figure = create_figure (6);
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *data;

  g_free (figure->caption);
  figure->caption = g_strdup ("layer 1, head 3, as trained");
  bytes = render (figure, ATN_EXPORT_PDF, &NATURAL);
  data = g_bytes_get_data (bytes, &length);
  g_assert_cmpmem (data, 5, "%PDF-", 5);
  g_assert_true (holds (data, length, "layer 1, head 3, as trained"));
  g_assert_true (holds (data, length, "/Keywords"));
  g_assert_true (holds (data, length, "/Creator (Attnscope)"));
}

static char *
run_program (char **arguments)
{
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status;

  g_spawn_sync (NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return output;
}

static void
test_pdf_is_read_by_others (void)
{
  g_autofree char *program = g_find_program_in_path ("pdfinfo");
  g_autoptr (AtnFigure) figure = NULL;
  g_autofree char *path = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  char *folder;

  if (program == NULL) {
    g_test_skip ("pdfinfo is not installed");
    return;
  }
  figure = create_figure (6);
  folder = atn_test_make_folder ();
  path = g_build_filename (folder, "figure.pdf", NULL);
  g_assert_true (atn_export_write (figure, ATN_EXPORT_PDF, &NATURAL, path, &error));
  output = run_program ((char *[]){ program, path, NULL });
  g_assert_nonnull (strstr (output, "english-small"));
  g_assert_nonnull (strstr (output, "猫"));
  g_assert_nonnull (strstr (output, "Pages:           1"));
  atn_test_remove_folder (folder);
}

/* Where 65,536 rectangles are not enough, the file holds pixels and says so. */
static void
test_many_cells_are_embedded_pixels (void)
{
  g_autoptr (AtnFigure) few = create_figure (100);
  g_autoptr (AtnFigure) many = create_figure (400);
  g_autofree char *few_svg = render_text (few, ATN_EXPORT_SVG);
  g_autofree char *many_svg = render_text (many, ATN_EXPORT_SVG);

  g_assert_null (strstr (few_svg, "<image"));
  g_assert_null (strstr (few_svg, "embedded pixels"));
  g_assert_nonnull (strstr (many_svg, "<image"));
  g_assert_nonnull (strstr (many_svg, "<entry key=\"cells\">embedded pixels, 4 a side of a cell"));
  g_assert_nonnull (strstr (many_svg, "width=\"1600\""));
}

static void
test_size_is_checked_before_drawing (void)
{
  g_autoptr (AtnFigure) figure = create_figure (700);
  const AtnExportSize by_zoom = { .zoom = 48 };
  const AtnExportSize by_width = { .width_mm = 2000, .dpi = 600 };
  g_autoptr (GError) error = NULL;
  char *folder = atn_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "large.png", NULL);

  g_assert_false (atn_export_write (figure, ATN_EXPORT_PNG, &by_zoom, path, &error));
  atn_test_assert_error (error, ATN_ERROR_TOO_LARGE, "32767");
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  g_assert_null (atn_export_render (figure, ATN_EXPORT_PNG, &by_width, &error));
  atn_test_assert_error (error, ATN_ERROR_TOO_LARGE, "mm");
  atn_test_remove_folder (folder);
}

/* The zoom that the sentence names does fit. */
static void
test_largest_size_named_fits (void)
{
  g_autoptr (AtnFigure) figure = create_figure (700);
  g_autoptr (GError) error = NULL;
  double zoom, width, height;
  const char *place;

  g_assert_false (atn_export_measure (figure, ATN_EXPORT_PNG, &(AtnExportSize){ .zoom = 40 },
                                      &width, &height, &error));
  place = strstr (error->message, "a zoom of ");
  g_assert_nonnull (place);
  zoom = g_ascii_strtod (place + strlen ("a zoom of "), NULL);
  g_assert_cmpfloat (zoom, >, 8);
  g_assert_true (atn_export_measure (figure, ATN_EXPORT_PNG, &(AtnExportSize){ .zoom = zoom },
                                     &width, &height, NULL));
  g_assert_cmpfloat (fmax (width, height), >, 32000);
}

/* Every place that says no: an error that names it, the old file untouched, nothing left over. */
static void
test_unwritable_places_are_errors (void)
{
  static const char *const PLACES[] = { "missing/figure", "folder", "/dev/full" };
  static const char *const SUFFIXES[] = { "png", "svg", "pdf" };
  g_autoptr (AtnFigure) figure = create_figure (4);
  char *folder = atn_test_make_folder ();
  g_autofree char *inner = g_build_filename (folder, "folder", NULL);

  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (PLACES) * G_N_ELEMENTS (SUFFIXES); i++) {
    const char *place = PLACES[i % G_N_ELEMENTS (PLACES)];
    g_autofree char *path =
      place[0] == '/' ? g_strdup (place) : g_build_filename (folder, place, NULL);
    g_autoptr (GError) error = NULL;

    g_assert_false (atn_export_write (figure, (AtnExportFormat) (i / G_N_ELEMENTS (PLACES)),
                                      &NATURAL, path, &error));
    atn_test_assert_error (error, ATN_ERROR_IO, path);
  }
  g_assert_cmpint (g_rmdir (inner), ==, 0);
  /* Fails if anything was left. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

static void
test_failure_leaves_the_old_file (void)
{
  g_autoptr (AtnFigure) figure = create_figure (700);
  char *folder = atn_test_make_folder ();
  g_autofree char *path = atn_test_write_file (folder, "figure.png", "old", 3);
  g_autofree char *content = NULL;

  g_assert_false (
    atn_export_write (figure, ATN_EXPORT_PNG, &(AtnExportSize){ .zoom = 60 }, path, NULL));
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "old");
  atn_test_remove_folder (folder);
}

/* Renders an SVG at 8× and counts the pixels between the colours of neighbouring cells. */
static void
test_svg_cells_stay_sharp_in_another_viewer (void)
{
  g_autofree char *program = g_find_program_in_path ("rsvg-convert");
  g_autoptr (AtnFigure) figure = NULL;
  g_autofree char *svg_path = NULL;
  g_autofree char *png_path = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (cairo_surface_t) surface = NULL;
  double width, height;
  AtnPanelBox box;
  char *folder;

  if (program == NULL) {
    g_test_skip ("rsvg-convert is not installed");
    return;
  }
  figure = create_figure (5);
  atn_plot_test_show_cells_only (figure);
  folder = atn_test_make_folder ();
  svg_path = g_build_filename (folder, "figure.svg", NULL);
  png_path = g_build_filename (folder, "figure.png", NULL);
  g_assert_true (atn_export_write (figure, ATN_EXPORT_SVG, &NATURAL, svg_path, &error));
  output = run_program ((char *[]){ program, "--zoom=8", "-o", png_path, svg_path, NULL });
  surface = cairo_image_surface_create_from_png (png_path);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);

  atn_figure_get_natural_size (figure, 1, &width, &height);
  {
    /* Where a vector surface puts the cells. */
    g_autoptr (cairo_surface_t) vector = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
    g_autoptr (cairo_t) cr = cairo_create (vector);

    atn_figure_draw (figure, cr, width, height, NULL, &box);
  }
  {
    const double scale = cairo_image_surface_get_width (surface) / width;
    const int y = (int) ((box.y + box.height * 0.9) * scale);
    int n_between = 0;

    /* Along the last row, where no cell is forbidden. */
    for (int x = (int) (box.x * scale) + 2; x < (int) ((box.x + box.width) * scale) - 2; x++) {
      const size_t col = MIN ((size_t) ((x / scale - box.x) / box.width * 5), 4);
      const guint32 rgb = atn_plot_test_get_pixel (surface, x, y);

      n_between = rgb == atn_plot_test_get_cell_rgb (figure, 0, 4, col) ? 0 : n_between + 1;
      g_assert_cmpint (n_between, <=, 1);
    }
  }
  atn_test_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add_func ("/plot/export/" path, function)
  ADD ("format-comes-from-the-name", test_format_comes_from_the_name);
  ADD ("png-says-what-it-shows", test_png_says_what_it_shows);
  ADD ("png-has-the-pixels-of-the-screen", test_png_has_the_pixels_of_the_screen);
  ADD ("png-in-bands-is-whole", test_png_in_bands_is_whole);
  ADD ("png-by-width-and-dpi-has-that-size", test_png_by_width_and_dpi_has_that_size);
  ADD ("svg-says-what-it-shows", test_svg_says_what_it_shows);
  ADD ("pdf-says-what-it-shows", test_pdf_says_what_it_shows);
  ADD ("pdf-is-read-by-others", test_pdf_is_read_by_others);
  ADD ("many-cells-are-embedded-pixels", test_many_cells_are_embedded_pixels);
  g_test_add_func ("/cases/103/size", test_size_is_checked_before_drawing);
  ADD ("largest-size-named-fits", test_largest_size_named_fits);
  g_test_add_func ("/cases/104/pictures", test_unwritable_places_are_errors);
  ADD ("failure-leaves-the-old-file", test_failure_leaves_the_old_file);
  g_test_add_func ("/cases/106", test_svg_cells_stay_sharp_in_another_viewer);
#undef ADD

  return g_test_run ();
}
