/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The buttons. One costs GTK about 0.1 ms with its style, so no more than a
 * few are made in one go; the rest follows when the main loop is idle.
 */

#include "app/atn-head-grid-private.h"

#include "app/atn-miniature.h"
#include "app/atn-picture.h"

#define MAX_NEW 16

bool
atn_head_grid_is_slot_shown (const AtnHeadGrid *self, const AtnHeadSlot *slot)
{
  return slot->is_bound && slot->layer - self->first_layer < self->n_visible_layers &&
         slot->head - self->first_head < self->n_visible_heads;
}

static AtnHeadSlot *
find_slot (AtnHeadGrid *self, guint layer, guint head)
{
  guint index;

  if (self->n_slot_rows == 0 || self->n_slot_cols == 0)
    return NULL;
  index = (layer % self->n_slot_rows) * self->n_slot_cols + head % self->n_slot_cols;
  return index < self->slots->len ? &g_array_index (self->slots, AtnHeadSlot, index) : NULL;
}

GtkWidget *
atn_head_grid_find_toggle (AtnHeadGrid *self, guint layer, guint head)
{
  AtnHeadSlot *slot = find_slot (self, layer, head);

  if (slot == NULL || slot->layer != layer || slot->head != head ||
      !atn_head_grid_is_slot_shown (self, slot))
    return NULL;
  return slot->toggle;
}

bool
atn_head_grid_get_toggle_head (AtnHeadGrid *self, GtkWidget *toggle, guint *layer, guint *head)
{
  for (guint i = 0; i < self->slots->len; i++) {
    const AtnHeadSlot *slot = &g_array_index (self->slots, AtnHeadSlot, i);

    if (slot->toggle == toggle && slot->is_bound) {
      *layer = slot->layer;
      *head = slot->head;
      return true;
    }
  }
  return false;
}

static void
clicked_cb (AtnHeadGrid *self, GtkWidget *toggle)
{
  guint layer;
  guint head;

  if (atn_head_grid_get_toggle_head (self, toggle, &layer, &head))
    atn_head_grid_clicked (self, layer, head);
}

static void
append_slot (AtnHeadGrid *self)
{
  AtnHeadSlot slot = { .toggle = gtk_toggle_button_new () };

  slot.miniature = atn_miniature_new (self->size);
  gtk_widget_set_halign (slot.miniature, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (slot.miniature, GTK_ALIGN_CENTER);
  gtk_button_set_child (GTK_BUTTON (slot.toggle), slot.miniature);
  gtk_widget_add_css_class (slot.toggle, "flat");
  gtk_widget_add_css_class (slot.toggle, "thumbnail");
  g_signal_connect_swapped (slot.toggle, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_widget_set_parent (slot.toggle, GTK_WIDGET (self));
  g_array_append_val (self->slots, slot);
}

static void
show_slot_texture (AtnHeadGrid *self, const AtnHeadSlot *slot)
{
  GdkTexture *texture =
    atn_thumbnails_get_texture (self->thumbnails, slot->layer, slot->head, self->size);

  atn_miniature_set_texture (ATN_MINIATURE (slot->miniature), texture,
                             gtk_widget_get_scale_factor (GTK_WIDGET (self)), NULL);
}

static void
bind_slot (AtnHeadGrid *self, guint layer, guint head)
{
  AtnHeadSlot *slot = find_slot (self, layer, head);

  if (slot == NULL || (slot->is_bound && slot->layer == layer && slot->head == head))
    return;
  slot->layer = layer;
  slot->head = head;
  slot->is_bound = true;
  {
    g_autofree char *name = atn_head_grid_dup_head_name (layer, head);

    gtk_accessible_update_property (GTK_ACCESSIBLE (slot->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    name, -1);
  }
  show_slot_texture (self, slot);
}

void
atn_head_grid_bind_slots (AtnHeadGrid *self)
{
  for (guint i = 0; i < self->n_visible_layers; i++)
    for (guint j = 0; j < self->n_visible_heads; j++)
      bind_slot (self, self->first_layer + i, self->first_head + j);
  for (guint i = 0; i < self->slots->len; i++) {
    const AtnHeadSlot *slot = &g_array_index (self->slots, AtnHeadSlot, i);

    gtk_widget_set_child_visible (slot->toggle, atn_head_grid_is_slot_shown (self, slot));
  }
}

void
atn_head_grid_update_state (AtnHeadGrid *self)
{
  AtnSession *session = atn_view_get_session (self);

  for (guint i = 0; session != NULL && i < self->slots->len; i++) {
    const AtnHeadSlot *slot = &g_array_index (self->slots, AtnHeadSlot, i);
    bool is_chosen = slot->is_bound && slot->layer == atn_session_get_layer (session) &&
                     slot->head == atn_session_get_head (session);

    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (slot->toggle), is_chosen);
  }
}

void
atn_head_grid_update_textures (AtnHeadGrid *self)
{
  for (guint i = 0; i < self->slots->len; i++) {
    const AtnHeadSlot *slot = &g_array_index (self->slots, AtnHeadSlot, i);

    if (slot->is_bound)
      show_slot_texture (self, slot);
  }
}

void
atn_head_grid_update_wish (AtnHeadGrid *self)
{
  AtnThumbnailWish wish = { .first_layer = self->first_layer,
                            .n_layers = self->n_visible_layers,
                            .first_head = self->first_head,
                            .n_heads = self->n_visible_heads,
                            .size = self->size,
                            .scale_factor = gtk_widget_get_scale_factor (GTK_WIDGET (self)) };

  if (self->thumbnails == NULL)
    return;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || wish.n_layers == 0 || wish.n_heads == 0) {
    atn_thumbnails_set_wish (self->thumbnails, self, NULL);
    return;
  }
  atn_picture_style_init (&wish.style, GTK_WIDGET (self), 1.0);
  atn_thumbnails_set_wish (self->thumbnails, self, &wish);
}

static void
unparent_all (GPtrArray *widgets)
{
  for (guint i = 0; i < widgets->len; i++)
    gtk_widget_unparent (g_ptr_array_index (widgets, i));
  g_ptr_array_set_size (widgets, 0);
}

void
atn_head_grid_clear_children (AtnHeadGrid *self)
{
  g_clear_handle_id (&self->more_source, g_source_remove);
  for (guint i = 0; i < self->slots->len; i++)
    gtk_widget_unparent (g_array_index (self->slots, AtnHeadSlot, i).toggle);
  g_array_set_size (self->slots, 0);
  unparent_all (self->row_labels);
  unparent_all (self->col_labels);
}

static void
make_labels (AtnHeadGrid *self, GPtrArray *labels, guint n_labels)
{
  while (labels->len < n_labels) {
    GtkWidget *label = gtk_label_new (NULL);

    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_add_css_class (label, "caption");
    gtk_widget_add_css_class (label, "numeric");
    gtk_widget_set_can_target (label, FALSE);
    gtk_widget_set_parent (label, GTK_WIDGET (self));
    g_ptr_array_add (labels, label);
  }
}

/* Not while sizes are allocated: a new child asks for another round, which only the next frame can
 * give. */
static gboolean
make_more_cb (gpointer user_data)
{
  AtnHeadGrid *self = user_data;
  guint n_slots = self->n_slot_rows * self->n_slot_cols;
  guint n_new = 0;

  while (self->slots->len < n_slots && n_new++ < MAX_NEW)
    append_slot (self);
  make_labels (self, self->row_labels, self->n_slot_rows);
  make_labels (self, self->col_labels, self->n_slot_cols);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  if (self->slots->len < n_slots)
    return G_SOURCE_CONTINUE;
  self->more_source = 0;
  return G_SOURCE_REMOVE;
}

void
atn_head_grid_make_slots (AtnHeadGrid *self, guint n_rows, guint n_cols)
{
  if (n_rows != self->n_slot_rows || n_cols != self->n_slot_cols) {
    self->n_slot_rows = n_rows;
    self->n_slot_cols = n_cols;
    for (guint i = 0; i < self->slots->len; i++)
      g_array_index (self->slots, AtnHeadSlot, i).is_bound = false;
  }
  if (self->more_source == 0 && (self->slots->len < n_rows * n_cols ||
                                 self->row_labels->len < n_rows || self->col_labels->len < n_cols))
    self->more_source = g_idle_add (make_more_cb, self);
}

void
atn_head_grid_reset (AtnHeadGrid *self)
{
  for (guint i = 0; i < self->slots->len; i++)
    g_array_index (self->slots, AtnHeadSlot, i).is_bound = false;
  self->n_visible_layers = 0;
  self->n_visible_heads = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
