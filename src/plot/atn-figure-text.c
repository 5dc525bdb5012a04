/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Tokens are hostile strings: markup, right-to-left text, lone marks, characters that no
 * font has. Each is a layout of its own, so that none can reorder or swallow its
 * neighbours, and nothing here ever parses markup. Where no font has a character, Pango
 * draws a box with its code point.
 */

#include "plot/atn-figure-private.h"

#define MAX_STACKED_CLUSTERS 6
/* From the baseline up to the middle between small letters and capitals, in em. */
#define MIDDLE_OF_LETTERS 0.33
/* Black on white at this opacity still has a contrast of 5.7. */
#define PALE_ALPHA 0x9999

/* 300 pixels an inch on paper where the text is set at 96. */
#define PICTURE_SCALE 4

#define FIRST_STRONG_ISOLATE "\342\201\250"
#define POP_ISOLATE "\342\201\251"

/* Like the type of a printed figure; digits are equally wide in each of them. */
#define FONT_FAMILIES "Liberation Sans, Noto Sans, DejaVu Sans, Sans"

void
atn_text_init (AtnText *self, cairo_t *cr, double size, PangoWeight weight)
{
  PangoFontDescription *font = pango_font_description_from_string (FONT_FAMILIES);
  cairo_font_options_t *options = cairo_font_options_create ();

  if (cr != NULL)
    self->context = pango_cairo_create_context (cr);
  else
    self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  self->size = size;

  /* Without this, advances depend on the resolution of the surface. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (self->context, options);
  pango_context_set_round_glyph_positions (self->context, FALSE);

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_font_description_set_weight (font, weight);
  pango_context_set_font_description (self->context, font);
  /* Not the process's locale: the same figure everywhere. */
  pango_context_set_language (self->context, pango_language_from_string ("en"));

  pango_font_description_free (font);
  cairo_font_options_destroy (options);
}

void
atn_text_clear (AtnText *self)
{
  g_clear_object (&self->context);
}

/* (nullable): which language's glyph shapes the Han characters of @text should have. */
static const char *
find_han_language (const char *text)
{
  const char *language = NULL;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c)) {
    switch (g_unichar_get_script (g_utf8_get_char (c))) {
    case G_UNICODE_SCRIPT_HIRAGANA:
    case G_UNICODE_SCRIPT_KATAKANA:
      return "ja";
    case G_UNICODE_SCRIPT_HANGUL:
      return "ko";
    case G_UNICODE_SCRIPT_HAN:
      language = "zh-cn";
      break;
    default:
      break;
    }
  }
  return language;
}

static void
add_attribute (PangoAttrList *attributes, PangoAttribute *attribute, gsize start, gsize end)
{
  attribute->start_index = (guint) start;
  attribute->end_index = (guint) end;
  pango_attr_list_insert (attributes, attribute);
}

/* ␣ ↵ ⇥ are the program's signs, not the text's letters. */
static bool
is_mark (gunichar character)
{
  return character == 0x2423 || character == 0x21b5 || character == 0x21e5;
}

static void
add_mark_attributes (PangoAttrList *attributes, const char *text)
{
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    if (is_mark (g_utf8_get_char (c)))
      add_attribute (attributes, pango_attr_foreground_alpha_new (PALE_ALPHA), (gsize) (c - text),
                     (gsize) (g_utf8_next_char (c) - text));
}

/* @n_pale: bytes at the begin that are paler, too. */
static PangoLayout *
create_layout (const AtnText *self, const char *text, gsize n_pale)
{
  PangoLayout *layout = pango_layout_new (self->context);
  PangoAttrList *attributes = pango_attr_list_new ();
  g_autofree char *valid = NULL;
  const char *language;

  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);

  language = find_han_language (text);
  if (language != NULL)
    pango_attr_list_insert (attributes,
                            pango_attr_language_new (pango_language_from_string (language)));
  add_mark_attributes (attributes, text);
  if (n_pale > 0)
    add_attribute (attributes, pango_attr_foreground_alpha_new (PALE_ALPHA), 0, n_pale);

  pango_layout_set_text (layout, text, -1);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

static void
limit_width (PangoLayout *layout, double max_width)
{
  double width, height;

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  if (max_width <= 0)
    return;

  atn_text_get_size (layout, &width, &height);
  if (width > max_width) {
    pango_layout_set_width (layout, (int) (max_width * PANGO_SCALE));
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  }
}

PangoLayout *
atn_text_create_line (const AtnText *self, const char *text, double max_width)
{
  PangoLayout *layout = create_layout (self, text, 0);

  limit_width (layout, max_width);
  return layout;
}

PangoLayout *
atn_text_create_numbered (const AtnText *self, size_t number, const char *text, double max_width)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GSIZE_FORMAT " ", number);
  g_autofree char *numbered = g_strconcat (digits, FIRST_STRONG_ISOLATE, text, POP_ISOLATE, NULL);
  PangoLayout *layout = create_layout (self, numbered, strlen (digits));

  /* Else the first letter decides, isolated or not. */
  pango_layout_set_auto_dir (layout, FALSE);
  limit_width (layout, max_width);
  return layout;
}

PangoLayout *
atn_text_create_paragraph (const AtnText *self, const char *text, double width)
{
  PangoLayout *layout = create_layout (self, text, 0);

  pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  return layout;
}

PangoLayout *
atn_text_create_stack (const AtnText *self, const char *text)
{
  const glong n_chars = g_utf8_strlen (text, -1);
  g_autofree PangoLogAttr *attributes = g_new0 (PangoLogAttr, (gsize) n_chars + 1);
  g_autoptr (GString) stack = g_string_new (NULL);
  const char *c = text;
  PangoLayout *layout;

  pango_get_log_attrs (text, -1, -1, pango_language_from_string ("zh-cn"), attributes,
                       (int) n_chars + 1);
  for (glong i = 0; i < n_chars; i++, c = g_utf8_next_char (c)) {
    if (i > 0 && attributes[i].is_cursor_position)
      g_string_append_c (stack, '\n');
    g_string_append_unichar (stack, g_utf8_get_char (c));
  }

  layout = create_layout (self, stack->str, 0);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_line_spacing (layout, 0.8f);
  return layout;
}

bool
atn_text_is_stackable (const char *text)
{
  size_t n_clusters = 0;
  bool has_wide = false;

  if (!g_utf8_validate (text, -1, NULL))
    return false;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c)) {
    const gunichar character = g_utf8_get_char (c);

    has_wide = has_wide || g_unichar_iswide (character);
    n_clusters += !g_unichar_iszerowidth (character);
  }
  return has_wide && n_clusters <= MAX_STACKED_CLUSTERS;
}

size_t
atn_text_estimate_width (const char *text)
{
  size_t width = 0;

  if (!g_utf8_validate (text, -1, NULL))
    return strlen (text);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c)) {
    const gunichar character = g_utf8_get_char (c);

    if (!g_unichar_iszerowidth (character))
      width += g_unichar_iswide (character) ? 2 : 1;
  }
  return width;
}

/* Of the first line where there is one: the rectangle of a layout that was cut is as wide as it was
 * allowed to be, not as its text. */
static void
get_logical (PangoLayout *layout, PangoRectangle *logical)
{
  pango_layout_get_extents (layout, NULL, logical);
  if (pango_layout_get_line_count (layout) == 1) {
    PangoLayoutIter *iter = pango_layout_get_iter (layout);

    pango_layout_iter_get_line_extents (iter, NULL, logical);
    pango_layout_iter_free (iter);
  }
}

void
atn_text_get_size (PangoLayout *layout, double *width, double *height)
{
  PangoRectangle logical;

  get_logical (layout, &logical);
  *width = pango_units_to_double (logical.width);
  *height = pango_units_to_double (logical.height);
}

/* Whether Pango would draw pictures: emoji. Digits and signs that only may be emoji are not. */
static bool
has_pictures (const char *text)
{
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c)) {
    const gunichar character = g_utf8_get_char (c);

    if (character >= 0x1f000 && character < 0x20000)
      return true;
  }
  return false;
}

/* Fonts of emoji hold pixels, and Cairo puts them into files at one pixel a point, which is a blur
 * on paper. Where the surface has no pixels of its own, they are drawn larger first. */
static void
show_pictures (cairo_t *cr, PangoLayout *layout)
{
  PangoRectangle ink;
  cairo_surface_t *image;
  cairo_t *image_cr;
  double x, y;

  cairo_get_current_point (cr, &x, &y);
  pango_layout_get_pixel_extents (layout, &ink, NULL);
  if (ink.width <= 0 || ink.height <= 0)
    return;

  image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, ink.width * PICTURE_SCALE,
                                      ink.height * PICTURE_SCALE);
  image_cr = cairo_create (image);
  cairo_scale (image_cr, PICTURE_SCALE, PICTURE_SCALE);
  cairo_set_source (image_cr, cairo_get_source (cr));
  cairo_move_to (image_cr, -ink.x, -ink.y);
  pango_cairo_update_layout (image_cr, layout);
  pango_cairo_show_layout (image_cr, layout);
  cairo_destroy (image_cr);

  cairo_save (cr);
  cairo_translate (cr, x + ink.x, y + ink.y);
  cairo_scale (cr, 1.0 / PICTURE_SCALE, 1.0 / PICTURE_SCALE);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

static void
show_layout (cairo_t *cr, PangoLayout *layout)
{
  const cairo_surface_type_t type = cairo_surface_get_type (cairo_get_group_target (cr));
  const bool has_pixels = type != CAIRO_SURFACE_TYPE_SVG && type != CAIRO_SURFACE_TYPE_PDF;

  if (has_pixels || !has_pictures (pango_layout_get_text (layout)))
    pango_cairo_show_layout (cr, layout);
  else
    show_pictures (cr, layout);
  cairo_new_path (cr);
  g_object_unref (layout);
}

void
atn_text_show (cairo_t *cr, PangoLayout *layout, double x, double y, double align_x, double align_y)
{
  PangoRectangle logical;

  get_logical (layout, &logical);
  cairo_move_to (cr, x - pango_units_to_double (logical.x) - align_x * logical.width / PANGO_SCALE,
                 y - pango_units_to_double (logical.y) - align_y * logical.height / PANGO_SCALE);
  show_layout (cr, layout);
}

void
atn_text_show_line (cairo_t *cr, PangoLayout *layout, double x, double y, double align_x)
{
  PangoContext *context = pango_layout_get_context (layout);
  const PangoFontDescription *font = pango_context_get_font_description (context);
  const double size = pango_units_to_double (pango_font_description_get_size (font));
  PangoRectangle logical;

  /* By the baseline: fallback fonts have taller lines, and their words would dance. */
  get_logical (layout, &logical);
  cairo_move_to (cr, x - pango_units_to_double (logical.x) - align_x * logical.width / PANGO_SCALE,
                 y + MIDDLE_OF_LETTERS * size -
                   pango_units_to_double (pango_layout_get_baseline (layout)));
  show_layout (cr, layout);
}

void
atn_set_source_color (cairo_t *cr, AtnColor color)
{
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
}

AtnColor
atn_plot_style_get_muted (const AtnPlotStyle *self)
{
  return atn_color_mix (self->foreground, self->background, 0.38);
}

AtnColor
atn_plot_style_get_forbidden (const AtnPlotStyle *self, bool is_flat)
{
  return atn_color_mix (self->background, self->masked, is_flat ? 0.55 : 0.12);
}

double
atn_plot_style_get_em (const AtnPlotStyle *self)
{
  return self->font_size * 96.0 / 72.0;
}
