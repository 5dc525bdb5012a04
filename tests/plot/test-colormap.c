/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "plot/atn-colormap.h"

#include <math.h>

static void
test_names_come_back (void)
{
  for (guint i = 0; i < ATN_N_COLORMAPS; i++) {
    AtnColormap map;

    g_assert_true (atn_colormap_from_name (atn_colormap_get_name ((AtnColormap) i), &map));
    g_assert_cmpint (map, ==, i);
  }
}

static void
test_unknown_name_is_refused (void)
{
  AtnColormap map = ATN_COLORMAP_MAGMA;

  g_assert_false (atn_colormap_from_name ("jet", &map));
  g_assert_false (atn_colormap_from_name ("", &map));
  g_assert_cmpint (map, ==, ATN_COLORMAP_MAGMA);
}

static void
assert_rgb (AtnColor color, int red, int green, int blue)
{
  g_assert_cmpint (lrint (color.red * 255), ==, red);
  g_assert_cmpint (lrint (color.green * 255), ==, green);
  g_assert_cmpint (lrint (color.blue * 255), ==, blue);
}

/* The published first, middle and last entries. */
static void
test_maps_have_their_published_colours (void)
{
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_VIRIDIS, 0), 0x44, 0x01, 0x54);
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_VIRIDIS, 0.5), 0x21, 0x91, 0x8c);
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_VIRIDIS, 1), 0xfd, 0xe7, 0x25);
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_MAGMA, 0), 0x00, 0x00, 0x04);
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_MAGMA, 1), 0xfc, 0xfd, 0xbf);
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_CIVIDIS, 0), 0x00, 0x22, 0x4e);
  assert_rgb (atn_colormap_get_color (ATN_COLORMAP_CIVIDIS, 1), 0xfe, 0xe8, 0x38);
}

static void
test_positions_outside_are_clamped (void)
{
  g_assert_cmpint (atn_colormap_get_entry (ATN_COLORMAP_VIRIDIS, -3), ==, 0);
  g_assert_cmpint (atn_colormap_get_entry (ATN_COLORMAP_VIRIDIS, 7), ==, 255);
  g_assert_cmpint (atn_colormap_get_entry (ATN_COLORMAP_DIVERGING, HUGE_VAL), ==, 254);
}

static void
test_signed_values_are_never_sequential (void)
{
  for (guint i = 0; i < ATN_N_COLORMAPS; i++) {
    g_assert_cmpint (atn_colormap_resolve ((AtnColormap) i, true), ==, ATN_COLORMAP_DIVERGING);
    g_assert_cmpint (atn_colormap_resolve ((AtnColormap) i, false), !=, ATN_COLORMAP_DIVERGING);
    g_assert_cmpint (atn_colormap_resolve ((AtnColormap) i, false), !=, ATN_COLORMAP_AUTO);
  }
}

/* Zero is neutral, both signs are as dark as each other. */
static void
test_diverging_map_is_even_on_both_sides (void)
{
  const AtnColor white = { 1, 1, 1 };
  const AtnColor zero = atn_colormap_get_color (ATN_COLORMAP_DIVERGING, 0.5);

  g_assert_cmpfloat_with_epsilon (zero.red, zero.blue, 0.005);
  g_assert_cmpfloat_with_epsilon (zero.red, zero.green, 0.005);
  for (int i = 1; i <= 10; i++) {
    const AtnColor minus = atn_colormap_get_color (ATN_COLORMAP_DIVERGING, 0.5 - i / 20.0);
    const AtnColor plus = atn_colormap_get_color (ATN_COLORMAP_DIVERGING, 0.5 + i / 20.0);
    const double ratio =
      atn_color_get_contrast (minus, white) / atn_color_get_contrast (plus, white);

    g_assert_cmpfloat (minus.blue, >, minus.red);
    g_assert_cmpfloat (plus.red, >, plus.blue);
    /* Lightness is equal, luminance of saturated blue and red differs a little: 1.21 at most. */
    g_assert_cmpfloat (ratio, >, 0.75);
    g_assert_cmpfloat (ratio, <, 1.33);
  }
}

static void
test_no_map_has_the_grey_of_nan (void)
{
  const AtnColor grey = atn_colormap_get_color (ATN_COLORMAP_VIRIDIS, (double) NAN);

  for (guint map = ATN_COLORMAP_VIRIDIS; map < ATN_N_COLORMAPS; map++) {
    for (int i = 0; i < 256; i++) {
      const AtnColor color = atn_colormap_get_entry_color ((AtnColormap) map, (guint8) i);

      g_assert_cmpfloat (fabs (color.red - grey.red) + fabs (color.green - grey.green) +
                           fabs (color.blue - grey.blue),
                         >, 0.03);
    }
  }
}

/* Examples of the WCAG formula that were computed elsewhere. */
static void
test_contrast_follows_wcag (void)
{
  const AtnColor black = { 0, 0, 0 };
  const AtnColor white = { 1, 1, 1 };
  const AtnColor purple = { 0x44 / 255.0, 0x01 / 255.0, 0x54 / 255.0 };
  const AtnColor yellow = { 0xfd / 255.0, 0xe7 / 255.0, 0x25 / 255.0 };
  const AtnColor teal = { 0x21 / 255.0, 0x91 / 255.0, 0x8c / 255.0 };

  g_assert_cmpfloat_with_epsilon (atn_color_get_contrast (white, black), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (atn_color_get_contrast (white, purple), 15.24, 0.005);
  g_assert_cmpfloat_with_epsilon (atn_color_get_contrast (black, yellow), 16.63, 0.005);
  g_assert_cmpfloat_with_epsilon (atn_color_get_contrast (teal, white), 3.82, 0.005);
  g_assert_cmpfloat_with_epsilon (atn_color_get_contrast (teal, black), 5.49, 0.005);
}

static void
test_text_is_readable_on_every_colour (void)
{
  for (guint map = ATN_COLORMAP_VIRIDIS; map < ATN_N_COLORMAPS; map++) {
    for (int i = 0; i < 256; i++) {
      const AtnColor color = atn_colormap_get_entry_color ((AtnColormap) map, (guint8) i);

      g_assert_cmpfloat (atn_color_get_contrast (color, atn_color_get_text_color (color)), >=, 4.5);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plot/colormap/names-come-back", test_names_come_back);
  g_test_add_func ("/plot/colormap/unknown-name-is-refused", test_unknown_name_is_refused);
  g_test_add_func ("/plot/colormap/maps-have-their-published-colours",
                   test_maps_have_their_published_colours);
  g_test_add_func ("/plot/colormap/positions-outside-are-clamped",
                   test_positions_outside_are_clamped);
  g_test_add_func ("/plot/colormap/signed-values-are-never-sequential",
                   test_signed_values_are_never_sequential);
  g_test_add_func ("/plot/colormap/diverging-map-is-even-on-both-sides",
                   test_diverging_map_is_even_on_both_sides);
  g_test_add_func ("/plot/colormap/no-map-has-the-grey-of-nan", test_no_map_has_the_grey_of_nan);
  g_test_add_func ("/cases/100/formula", test_contrast_follows_wcag);
  g_test_add_func ("/cases/100/text", test_text_is_readable_on_every_colour);

  return g_test_run ();
}
