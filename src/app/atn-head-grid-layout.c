/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Where headings and buttons are, and what of them shows.
 */

#include "app/atn-head-grid-private.h"

#include "app/atn-measure.h"
#include "app/atn-miniature.h"

#include <math.h>

/* Around a thumbnail inside its button, and between buttons. */
#define PADDING 3
#define SPACING 2
#define MARGIN (2 * PADDING + SPACING)
#define HEADING_GAP 6
/* Of a thumbnail, however many there are. In a pane it may be so small where all columns fit then:
 * 12 heads beside a matrix. */
#define MIN_SIZE 10
/* Of a thumbnail in a view of its own, down to which all columns are made to fit: 12 heads in a
 * window of 1280 pixels. */
#define MIN_COLUMN_SIZE 44
/* Between two headings of columns. */
#define COLUMN_GAP 4
/* The line over the headings of heads that share keys and values, and the space it takes. */
#define GROUP_LINE 2
#define GROUP_SPACE 6

static int
get_pitch (int size)
{
  return size + MARGIN;
}

bool
atn_head_grid_get_head_at (AtnHeadGrid *self, double x, double y, guint *layer, guint *head)
{
  int left = self->left + self->heading_width;
  double col = (x - left + gtk_adjustment_get_value (self->hadjustment));
  double row = (y - self->heading_height + gtk_adjustment_get_value (self->vadjustment));

  if (x < left || y < self->heading_height || self->pitch == 0)
    return false;
  *head = (guint) (col / self->pitch);
  *layer = (guint) (row / self->pitch);
  return *head < self->n_heads && *layer < self->n_layers;
}

void
atn_head_grid_scrolled (AtnHeadGrid *self)
{
  /* Not only an allocation: headings get another text, which asks for another size, and what is
   * around must be given one again. */
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
scroll_axis_to (GtkAdjustment *adjustment, guint index, int pitch)
{
  gtk_adjustment_clamp_page (adjustment, (double) index * pitch, (double) (index + 1) * pitch);
}

void
atn_head_grid_scroll_to (AtnHeadGrid *self, guint layer, guint head)
{
  if (self->pitch == 0 || self->hadjustment == NULL || self->vadjustment == NULL)
    return;
  scroll_axis_to (self->vadjustment, layer, self->pitch);
  scroll_axis_to (self->hadjustment, head, self->pitch);
}

static void
measure_headings (AtnHeadGrid *self)
{
  g_autofree char *text = g_strdup_printf ("L%u", MAX (self->n_layers, 1) - 1);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);

  g_autofree char *last_head = g_strdup_printf ("H%u", MAX (self->n_heads, 1) - 1);

  pango_layout_get_pixel_size (layout, &self->heading_width, &self->heading_height);
  pango_layout_set_text (layout, last_head, -1);
  pango_layout_get_pixel_size (layout, &self->column_heading_width, NULL);
  self->heading_width += HEADING_GAP;
  self->heading_height += HEADING_GAP / 2;
  if (self->group_size > 1)
    self->heading_height += GROUP_SPACE;
}

/* @height: what all layers should fit into, 0 for any */
static int
fit_size (const AtnHeadGrid *self, int width, int height)
{
  int n_heads = (int) MAX (self->n_heads, 1);
  int n_layers = (int) MAX (self->n_layers, 1);
  int room = (width - self->heading_width) / n_heads - MARGIN;
  int min_size = self->min_size;

  if (room >= (self->fit_height ? MIN_COLUMN_SIZE : MIN_SIZE))
    min_size = MIN (room, min_size);
  if (self->fit_height && height > 0)
    room = MIN (room, (height - self->heading_height) / n_layers - MARGIN);
  room = CLAMP (room, min_size, MAX (self->max_size, min_size));
  return MAX ((int) (room * self->zoom), MIN_SIZE);
}

/* Where all heads fit a view of their own, they stand in its middle. */
static int
get_left (const AtnHeadGrid *self, int width)
{
  int content_width = self->heading_width + (int) self->n_heads * self->pitch;

  return self->fit_height ? MAX (width - content_width, 0) / 2 : 0;
}

static void
configure_axis (GtkAdjustment *adjustment, guint n, int pitch, int page)
{
  double upper = MAX ((double) n * pitch, page);

  gtk_adjustment_configure (adjustment, MIN (gtk_adjustment_get_value (adjustment), upper - page),
                            0.0, upper, pitch, page * 0.9, page);
}

static void
find_visible (GtkAdjustment *adjustment,
              guint n,
              int pitch,
              int page,
              guint *first,
              guint *n_visible)
{
  double value = gtk_adjustment_get_value (adjustment);
  guint end = (guint) ceil ((value + page) / pitch);

  *first = MIN ((guint) (value / pitch), n);
  *n_visible = MIN (end, n) - *first;
}

static void
allocate_child (GtkWidget *child, int x, int y, int width, int height)
{
  int minimum;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (child, &(GtkAllocation){ x, y, MAX (width, minimum), height }, -1);
}

/* Where columns are narrower than their headings, only every such head has one. */
static guint
get_heading_step (AtnHeadGrid *self)
{
  return (guint) MAX ((self->column_heading_width + COLUMN_GAP + self->pitch - 1) / self->pitch, 1);
}

/* In the middle over its column, unless the edge would cut it. */
static void
allocate_column_headings (AtnHeadGrid *self, int x)
{
  const int top = self->group_size > 1 ? GROUP_SPACE : 0;
  const int first = self->left + self->heading_width;
  const int end = gtk_widget_get_width (GTK_WIDGET (self));
  const int width = MAX (self->pitch - SPACING, self->column_heading_width);
  const int half = self->column_heading_width / 2;
  const guint step = get_heading_step (self);

  for (guint i = 0; i < self->col_labels->len; i++) {
    GtkWidget *label = g_ptr_array_index (self->col_labels, i);
    const guint head = self->first_head + i;
    const int middle = x + (int) i * self->pitch + (self->pitch - SPACING) / 2;
    const bool is_shown = head % step == 0 && middle > first && middle < end;
    g_autofree char *text = g_strdup_printf ("H%u", head);

    gtk_widget_set_child_visible (label, i < self->n_visible_heads && is_shown);
    gtk_label_set_text (GTK_LABEL (label), text);
    allocate_child (label, CLAMP (middle, first + half, end - half) - width / 2, top, width,
                    self->heading_height - top);
  }
}

static void
allocate_headings (AtnHeadGrid *self, int x, int y)
{
  for (guint i = 0; i < self->row_labels->len; i++) {
    GtkWidget *label = g_ptr_array_index (self->row_labels, i);
    g_autofree char *text = g_strdup_printf ("L%u", self->first_layer + i);

    gtk_widget_set_child_visible (label, i < self->n_visible_layers);
    gtk_label_set_text (GTK_LABEL (label), text);
    allocate_child (label, self->left, y + (int) i * self->pitch, self->heading_width,
                    self->pitch - SPACING);
  }
  allocate_column_headings (self, x);
}

static void
allocate_slots (AtnHeadGrid *self, int x, int y)
{
  for (guint i = 0; i < self->slots->len; i++) {
    const AtnHeadSlot *slot = &g_array_index (self->slots, AtnHeadSlot, i);

    atn_miniature_set_size (ATN_MINIATURE (slot->miniature), self->size);
    if (atn_head_grid_is_slot_shown (self, slot))
      allocate_child (slot->toggle, x + (int) (slot->head - self->first_head) * self->pitch,
                      y + (int) (slot->layer - self->first_layer) * self->pitch,
                      self->pitch - SPACING, self->pitch - SPACING);
  }
}

static gboolean
notify_height_cb (gpointer user_data)
{
  AtnHeadGrid *self = user_data;

  self->height_source = 0;
  g_object_notify (G_OBJECT (self), "content-height");
  return G_SOURCE_REMOVE;
}

/* Whoever listens will ask for another size, which must wait until this one is given. */
static void
update_content_height (AtnHeadGrid *self)
{
  int content_height = self->heading_height + (int) self->n_layers * self->pitch;

  if (self->content_height == content_height)
    return;
  self->content_height = content_height;
  if (self->height_source == 0)
    self->height_source = g_idle_add_full (G_PRIORITY_DEFAULT, notify_height_cb, self, NULL);
}

/* Scrolling asks for another size, too. */
static gboolean
seek_cb (gpointer user_data)
{
  AtnHeadGrid *self = user_data;
  AtnSession *session = atn_view_get_session (self);

  self->seek_source = 0;
  self->seeks_chosen = false;
  atn_head_grid_scroll_to (self, atn_session_get_layer (session), atn_session_get_head (session));
  return G_SOURCE_REMOVE;
}

static void
atn_head_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (widget);
  gint64 start = atn_measure_begin ();
  int page_width;
  int page_height;

  measure_headings (self);
  self->size = fit_size (self, width, height);
  self->pitch = get_pitch (self->size);
  update_content_height (self);
  self->left = get_left (self, width);
  page_width = MAX (width - self->left - self->heading_width, 1);
  page_height = MAX (height - self->heading_height, 1);
  configure_axis (self->hadjustment, self->n_heads, self->pitch, page_width);
  configure_axis (self->vadjustment, self->n_layers, self->pitch, page_height);
  find_visible (self->hadjustment, self->n_heads, self->pitch, page_width, &self->first_head,
                &self->n_visible_heads);
  find_visible (self->vadjustment, self->n_layers, self->pitch, page_height, &self->first_layer,
                &self->n_visible_layers);
  atn_head_grid_make_slots (self, MIN (self->n_layers, (guint) (page_height / self->pitch) + 2),
                            MIN (self->n_heads, (guint) (page_width / self->pitch) + 2));
  atn_head_grid_bind_slots (self);
  {
    int x = self->left + self->heading_width + (int) self->first_head * self->pitch -
            (int) gtk_adjustment_get_value (self->hadjustment);
    int y = self->heading_height + (int) self->first_layer * self->pitch -
            (int) gtk_adjustment_get_value (self->vadjustment);

    allocate_headings (self, x, y);
    allocate_slots (self, x, y);
  }
  if (self->seeks_chosen && self->n_layers > 0 && self->seek_source == 0)
    self->seek_source = g_idle_add_full (G_PRIORITY_DEFAULT, seek_cb, self, NULL);
  atn_head_grid_update_state (self);
  atn_head_grid_update_wish (self);
  atn_measure_end ("head-grid", start);
}

static void
atn_head_grid_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (widget);

  measure_headings (self);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = self->heading_width + get_pitch (self->min_size);
    *natural = self->heading_width + (int) self->n_heads * get_pitch (self->min_size);
  } else {
    int size = for_size > 0     ? fit_size (self, for_size, 0)
               : self->size > 0 ? self->size
                                : self->min_size;

    *minimum = self->heading_height + get_pitch (self->min_size);
    *natural = self->heading_height + (int) self->n_layers * get_pitch (size);
  }
  *natural = MAX (*natural, *minimum);
  *minimum_baseline = *natural_baseline = -1;
}

static void
snapshot_labels (AtnHeadGrid *self, GtkSnapshot *snapshot, GPtrArray *labels)
{
  for (guint i = 0; i < labels->len; i++)
    gtk_widget_snapshot_child (GTK_WIDGET (self), g_ptr_array_index (labels, i), snapshot);
}

/* Over each group of headings a line; between two groups another, through all layers. */
static void
snapshot_groups (AtnHeadGrid *self, GtkSnapshot *snapshot)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  const float scrolled = (float) gtk_adjustment_get_value (self->hadjustment);
  const float left = (float) (self->left + self->heading_width);
  const float height = (float) MIN (gtk_widget_get_height (GTK_WIDGET (self)),
                                    self->heading_height + (int) self->n_layers * self->pitch);
  const float width = (float) ((int) self->group_size * self->pitch);
  GdkRGBA color;

  gtk_style_context_get_color (context, &color);
  color.alpha *= 0.45f;
  for (guint first = 0; first < self->n_heads; first += self->group_size) {
    const float x = left + (float) ((int) first * self->pitch) - scrolled;

    gtk_snapshot_append_color (snapshot, &color,
                               &GRAPHENE_RECT_INIT (x + 1.0f, 1.0f, width - SPACING - 2.0f,
                                                    GROUP_LINE));
    if (first > 0)
      gtk_snapshot_append_color (snapshot, &color,
                                 &GRAPHENE_RECT_INIT (x - 0.5f * SPACING - 0.5f,
                                                      (float) self->heading_height, 1.0f,
                                                      height - (float) self->heading_height));
  }
}

static void
atn_head_grid_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  AtnHeadGrid *self = ATN_HEAD_GRID (widget);
  float left = (float) (self->left + self->heading_width);
  float top = (float) self->heading_height;
  float width = (float) gtk_widget_get_width (widget) - left;
  float height = (float) gtk_widget_get_height (widget) - top;

  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (left, top, width, height));
  for (guint i = 0; i < self->slots->len; i++)
    gtk_widget_snapshot_child (widget, g_array_index (self->slots, AtnHeadSlot, i).toggle,
                               snapshot);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0.0f, top, left, height));
  snapshot_labels (self, snapshot, self->row_labels);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (left, 0.0f, width, top));
  snapshot_labels (self, snapshot, self->col_labels);
  gtk_snapshot_pop (snapshot);
  if (self->group_size > 1 && self->hadjustment != NULL) {
    gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (left, 0.0f, width, top + height));
    snapshot_groups (self, snapshot);
    gtk_snapshot_pop (snapshot);
  }
}

static void
atn_head_grid_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (g_type_class_peek (ATN_TYPE_VIEW))->map (widget);
  atn_head_grid_update_wish (ATN_HEAD_GRID (widget));
}

static void
atn_head_grid_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (g_type_class_peek (ATN_TYPE_VIEW))->unmap (widget);
  atn_head_grid_update_wish (ATN_HEAD_GRID (widget));
}

static void
atn_head_grid_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (g_type_class_peek (ATN_TYPE_VIEW))->css_changed (widget, change);
  atn_head_grid_update_wish (ATN_HEAD_GRID (widget));
}

void
atn_head_grid_install_layout (GtkWidgetClass *widget_class)
{
  widget_class->measure = atn_head_grid_measure;
  widget_class->size_allocate = atn_head_grid_size_allocate;
  widget_class->snapshot = atn_head_grid_snapshot;
  widget_class->map = atn_head_grid_map;
  widget_class->unmap = atn_head_grid_unmap;
  widget_class->css_changed = atn_head_grid_css_changed;
}
