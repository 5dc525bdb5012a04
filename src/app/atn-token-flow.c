/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Text layouts are cached by token id, so that a key stroke lays out the one or
 * two tokens that are new. When many are new at once (a pasted page), they are
 * laid out a few milliseconds at a time, from idle callbacks.
 */

#include "app/atn-token-flow.h"

#include "app/atn-measure.h"

#include <glib/gi18n.h>

#define PADDING_X 6
#define PADDING_Y 3
#define GAP 6
#define RADIUS 6.0f
#define BUDGET_US (3 * 1000)
#define MAX_CACHED 8192

typedef struct
{
  PangoLayout *layout; /* owned by the cache */
  int width;           /* of the chip */
  int x, y;
} Chip;

struct _AtnTokenFlow
{
  GtkWidget parent_instance;

  AtnTokens *tokens;   /* (nullable) */
  GHashTable *layouts; /* id → PangoLayout */
  Chip *chips;         /* [n_measured of tokens->n_tokens] */
  size_t n_measured;
  int chip_height;
  int chip_baseline; /* from the top of the text */
  int flow_width;    /* chips have their places for this width */
  int flow_height;
  guint idle_id;

  int query;
  bool is_pinned;
  int key;
  int cursor;
};

G_DEFINE_FINAL_TYPE (AtnTokenFlow, atn_token_flow, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_TOKEN_ACTIVATED,
  SIGNAL_HEIGHT_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static size_t
get_n_tokens (const AtnTokenFlow *self)
{
  return self->tokens != NULL ? self->tokens->n_tokens : 0;
}

static PangoLayout *
get_layout (AtnTokenFlow *self, const AtnToken *token)
{
  gpointer key = GUINT_TO_POINTER (token->id);
  PangoLayout *layout = g_hash_table_lookup (self->layouts, key);
  g_autofree char *label = NULL;

  if (layout != NULL)
    return layout;
  label = atn_tokenizer_dup_label (self->tokens->tokenizer, token->id);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), label);
  if (token->is_special) {
    g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

    pango_attr_list_insert (attributes, pango_attr_style_new (PANGO_STYLE_ITALIC));
    pango_layout_set_attributes (layout, attributes);
  }
  g_hash_table_insert (self->layouts, key, layout);
  return layout;
}

/* Gives places to the chips from @first on; returns the height of all lines. */
static int
place_chips (AtnTokenFlow *self, int width)
{
  int x = 0;
  int y = 0;

  for (size_t i = 0; i < self->n_measured; i++) {
    Chip *chip = &self->chips[i];

    if (x > 0 && x + chip->width > width) {
      x = 0;
      y += self->chip_height + GAP;
    }
    chip->x = x;
    chip->y = y;
    x += chip->width + GAP;
  }
  return y + self->chip_height;
}

static void
update_flow (AtnTokenFlow *self, int width)
{
  int height = place_chips (self, width);
  bool has_changed = height != self->flow_height;

  self->flow_width = width;
  self->flow_height = height;
  if (has_changed)
    g_signal_emit (self, signals[SIGNAL_HEIGHT_CHANGED], 0);
}

static bool
measure_some (AtnTokenFlow *self)
{
  gint64 end = g_get_monotonic_time () + BUDGET_US;
  size_t n_tokens = get_n_tokens (self);

  while (self->n_measured < n_tokens && g_get_monotonic_time () < end) {
    Chip *chip = &self->chips[self->n_measured];
    int width;

    chip->layout = get_layout (self, &self->tokens->tokens[self->n_measured]);
    pango_layout_get_pixel_size (chip->layout, &width, NULL);
    chip->width = width + 2 * PADDING_X;
    self->n_measured++;
  }
  update_flow (self, MAX (self->flow_width, 1));
  gtk_widget_queue_resize (GTK_WIDGET (self));
  return self->n_measured < n_tokens;
}

static gboolean
measure_idle_cb (gpointer user_data)
{
  AtnTokenFlow *self = user_data;
  gint64 start = atn_measure_begin ();
  bool has_more = measure_some (self);

  atn_measure_end ("token layouts", start);
  if (has_more)
    return G_SOURCE_CONTINUE;
  self->idle_id = 0;
  return G_SOURCE_REMOVE;
}

static void
measure_from_start (AtnTokenFlow *self)
{
  self->n_measured = 0;
  if (measure_some (self) && self->idle_id == 0)
    self->idle_id = g_idle_add (measure_idle_cb, self);
}

static void
forget_layouts (AtnTokenFlow *self)
{
  g_autoptr (PangoLayout) sample = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Xg");
  int height;

  self->n_measured = 0;
  g_hash_table_remove_all (self->layouts);
  pango_layout_get_pixel_size (sample, NULL, &height);
  self->chip_height = height + 2 * PADDING_Y;
  self->chip_baseline = PANGO_PIXELS (pango_layout_get_baseline (sample));
}

static void
look_up_color (AtnTokenFlow *self, const char *name, float alpha, GdkRGBA *color)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));

  if (!gtk_style_context_lookup_color (context, name, color))
    gtk_style_context_get_color (context, color);
  color->alpha *= alpha;
}

static void
snapshot_frame (GtkSnapshot *snapshot, const GskRoundedRect *outline, float width, GdkRGBA *color)
{
  float widths[4] = { width, width, width, width };
  GdkRGBA colors[4] = { *color, *color, *color, *color };

  gtk_snapshot_append_border (snapshot, outline, widths, colors);
}

static void
snapshot_chip (AtnTokenFlow *self, GtkSnapshot *snapshot, size_t index)
{
  const Chip *chip = &self->chips[index];
  bool is_query = (int) index == self->query;
  bool is_filled = is_query && self->is_pinned;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) chip->x, (float) chip->y,
                                               (float) chip->width, (float) self->chip_height);
  GskRoundedRect outline;
  GdkRGBA ground, accent, text;
  int rise;

  gsk_rounded_rect_init_from_rect (&outline, &bounds, RADIUS);
  look_up_color (self, "accent_color", 1.0f, &accent);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &text);
  if (is_filled) {
    look_up_color (self, "accent_bg_color", 1.0f, &ground);
    look_up_color (self, "accent_fg_color", 1.0f, &text);
  } else {
    ground = text;
    ground.alpha *= self->tokens->tokens[index].is_special ? 0.0f : 0.08f;
  }

  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &ground, &bounds);
  gtk_snapshot_pop (snapshot);
  if (self->tokens->tokens[index].is_special && !is_filled) {
    GdkRGBA line = text;

    line.alpha *= 0.3f;
    snapshot_frame (snapshot, &outline, 1.0f, &line);
  }
  if ((is_query || (int) index == self->key) && !is_filled)
    snapshot_frame (snapshot, &outline, is_query ? 2.0f : 1.0f, &accent);
  if ((int) index == self->cursor && gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    snapshot_frame (snapshot, &outline, 2.0f, is_filled ? &text : &accent);

  /* A line of Han characters is higher, and its baseline deeper, than one of Latin letters. */
  rise = self->chip_baseline - PANGO_PIXELS (pango_layout_get_baseline (chip->layout));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (chip->x + PADDING_X),
                                                          (float) (chip->y + PADDING_Y + rise)));
  gtk_snapshot_append_layout (snapshot, chip->layout, &text);
  gtk_snapshot_restore (snapshot);
}

/* Which part of the height is in sight inside the scrolled window around. */
static void
get_visible_range (AtnTokenFlow *self, double *top, double *bottom)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment;

  *top = 0.0;
  *bottom = gtk_widget_get_height (GTK_WIDGET (self));
  if (scroller == NULL)
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  *top = gtk_adjustment_get_value (adjustment);
  *bottom = *top + gtk_adjustment_get_page_size (adjustment);
}

static void
atn_token_flow_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  AtnTokenFlow *self = ATN_TOKEN_FLOW (widget);
  gint64 start = atn_measure_begin ();
  double top, bottom;

  get_visible_range (self, &top, &bottom);
  for (size_t i = 0; i < self->n_measured; i++) {
    const Chip *chip = &self->chips[i];

    if (chip->y + self->chip_height >= top && chip->y <= bottom)
      snapshot_chip (self, snapshot, i);
  }
  atn_measure_end ("token bar drawing", start);
}

static void
atn_token_flow_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  AtnTokenFlow *self = ATN_TOKEN_FLOW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 0;
    *natural = 0;
    for (size_t i = 0; i < self->n_measured; i++)
      *natural += self->chips[i].width + GAP;
    return;
  }
  *minimum = self->chip_height;
  if (for_size > 0) {
    *minimum = place_chips (self, for_size);
    place_chips (self, self->flow_width);
  }
  *natural = *minimum;
}

static void
atn_token_flow_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_flow (ATN_TOKEN_FLOW (widget), width);
}

static GtkSizeRequestMode
atn_token_flow_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
atn_token_flow_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  AtnTokenFlow *self = ATN_TOKEN_FLOW (widget);

  GTK_WIDGET_CLASS (atn_token_flow_parent_class)->css_changed (widget, change);
  forget_layouts (self);
  measure_from_start (self);
}

static int
find_chip (AtnTokenFlow *self, double x, double y)
{
  for (size_t i = 0; i < self->n_measured; i++) {
    const Chip *chip = &self->chips[i];

    if (x >= chip->x && x < chip->x + chip->width && y >= chip->y &&
        y < chip->y + self->chip_height)
      return (int) i;
  }
  return -1;
}

/* The bytes of a token as text that a person can read: bytes that are no UTF-8 in hex. */
static char *
dup_bytes_text (AtnTokenizer *tokenizer, uint32_t id)
{
  gsize length;
  g_autofree char *bytes = atn_tokenizer_dup_bytes (tokenizer, id, &length);
  GString *hex = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (hex, i > 0 ? " %02X" : "%02X", (guchar) bytes[i]);
  return g_string_free (hex, FALSE);
}

static char *
dup_description (AtnTokenFlow *self, int index)
{
  const AtnToken *token = &self->tokens->tokens[index];
  g_autofree char *label = atn_tokenizer_dup_label (self->tokens->tokenizer, token->id);
  g_autofree char *bytes = dup_bytes_text (self->tokens->tokenizer, token->id);

  /* Translators: tooltip of a token: what is drawn, its place, its number in the
   * vocabulary, the vocabulary's own string, its bytes. ⁨…⁩ keeps right-to-left text apart.
   */
  return g_strdup_printf (
    _ ("⁨%s⁩ · position %d · id %u\nin the vocabulary: ⁨%s⁩\nbytes: %s"), label, index,
    token->id, token->text, bytes);
}

static gboolean
query_tooltip_cb (GtkWidget *widget,
                  int x,
                  int y,
                  gboolean is_keyboard,
                  GtkTooltip *tooltip,
                  gpointer user_data)
{
  AtnTokenFlow *self = ATN_TOKEN_FLOW (widget);
  int index = is_keyboard ? self->cursor : find_chip (self, x, y);
  g_autofree char *text = NULL;
  const Chip *chip;

  if (index < 0 || (size_t) index >= self->n_measured)
    return FALSE;
  text = dup_description (self, index);
  chip = &self->chips[index];
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip,
                            &(GdkRectangle){ chip->x, chip->y, chip->width, self->chip_height });
  return TRUE;
}

static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  AtnTokenFlow *self = user_data;
  int index = find_chip (self, x, y);

  if (index < 0)
    return;
  self->cursor = index;
  g_signal_emit (self, signals[SIGNAL_TOKEN_ACTIVATED], 0, index);
}

static void
scroll_to (AtnTokenFlow *self, int index)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);

  if (scroller != NULL && index >= 0 && (size_t) index < self->n_measured)
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)),
                               self->chips[index].y, self->chips[index].y + self->chip_height);
}

static void
move_cursor (AtnTokenFlow *self, int cursor)
{
  if (cursor < 0 || (size_t) cursor >= self->n_measured)
    return;
  self->cursor = cursor;
  scroll_to (self, cursor);
  if (self->tokens != NULL) {
    g_autofree char *description = dup_description (self, cursor);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    description, -1);
  }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint keyval,
                guint keycode,
                GdkModifierType state,
                gpointer user_data)
{
  AtnTokenFlow *self = user_data;

  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (keyval) {
  case GDK_KEY_Left:
    move_cursor (self, self->cursor - 1);
    return GDK_EVENT_STOP;
  case GDK_KEY_Right:
    move_cursor (self, self->cursor + 1);
    return GDK_EVENT_STOP;
  case GDK_KEY_Home:
    move_cursor (self, 0);
    return GDK_EVENT_STOP;
  case GDK_KEY_End:
    move_cursor (self, (int) self->n_measured - 1);
    return GDK_EVENT_STOP;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_space:
    if ((size_t) self->cursor < self->n_measured)
      g_signal_emit (self, signals[SIGNAL_TOKEN_ACTIVATED], 0, self->cursor);
    return GDK_EVENT_STOP;
  default:
    return GDK_EVENT_PROPAGATE;
  }
}

static void
atn_token_flow_dispose (GObject *object)
{
  AtnTokenFlow *self = ATN_TOKEN_FLOW (object);

  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_clear_pointer (&self->tokens, atn_tokens_unref);
  self->n_measured = 0;
  G_OBJECT_CLASS (atn_token_flow_parent_class)->dispose (object);
}

static void
atn_token_flow_finalize (GObject *object)
{
  AtnTokenFlow *self = ATN_TOKEN_FLOW (object);

  g_hash_table_unref (self->layouts);
  g_free (self->chips);
  G_OBJECT_CLASS (atn_token_flow_parent_class)->finalize (object);
}

static void
atn_token_flow_class_init (AtnTokenFlowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = atn_token_flow_dispose;
  object_class->finalize = atn_token_flow_finalize;
  widget_class->snapshot = atn_token_flow_snapshot;
  widget_class->measure = atn_token_flow_measure;
  widget_class->size_allocate = atn_token_flow_size_allocate;
  widget_class->get_request_mode = atn_token_flow_get_request_mode;
  widget_class->css_changed = atn_token_flow_css_changed;
  gtk_widget_class_set_css_name (widget_class, "tokenflow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);

  signals[SIGNAL_HEIGHT_CHANGED] =
    g_signal_new ("height-changed", ATN_TYPE_TOKEN_FLOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  signals[SIGNAL_TOKEN_ACTIVATED] =
    g_signal_new ("token-activated", ATN_TYPE_TOKEN_FLOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
atn_token_flow_init (AtnTokenFlow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->layouts = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  self->query = -1;
  self->key = -1;
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  forget_layouts (self);
}

void
atn_token_flow_set_tokens (AtnTokenFlow *self, AtnTokens *tokens)
{
  g_return_if_fail (ATN_IS_TOKEN_FLOW (self));

  /* Ids mean something else with another tokenizer. */
  if (tokens == NULL || self->tokens == NULL || tokens->tokenizer != self->tokens->tokenizer ||
      g_hash_table_size (self->layouts) > MAX_CACHED)
    forget_layouts (self);
  if (tokens != NULL)
    atn_tokens_ref (tokens);
  g_clear_pointer (&self->tokens, atn_tokens_unref);
  self->tokens = tokens;
  self->chips = g_renew (Chip, self->chips, get_n_tokens (self));
  self->cursor = CLAMP (self->cursor, 0, MAX ((int) get_n_tokens (self) - 1, 0));
  measure_from_start (self);
}

void
atn_token_flow_set_query (AtnTokenFlow *self, int query, bool is_pinned)
{
  self->query = query;
  self->is_pinned = is_pinned;
  /* Not for the pointer, which would set everything in motion. */
  if (is_pinned)
    scroll_to (self, query);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
atn_token_flow_set_key (AtnTokenFlow *self, int key)
{
  self->key = key;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

int
atn_token_flow_get_height (AtnTokenFlow *self, int max_lines)
{
  int limit = max_lines * self->chip_height + (max_lines - 1) * GAP;

  return CLAMP (self->flow_height, self->chip_height, limit);
}
