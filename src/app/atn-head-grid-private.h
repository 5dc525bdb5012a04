/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The grid in four files: what it answers to (atn-head-grid.c), where its
 * parts are (-layout.c), how large (-zoom.c) and which button stands for which
 * head (-slots.c).
 */

#pragma once

#include "app/atn-head-grid.h"
#include "app/atn-thumbnails.h"

G_BEGIN_DECLS

/* A button and the head it stands for now. */
typedef struct
{
  GtkWidget *toggle;
  GtkWidget *miniature;
  guint layer;
  guint head;
  bool is_bound;
} AtnHeadSlot;

struct _AtnHeadGrid
{
  AtnView parent_instance;

  AtnThumbnails *thumbnails; /* (nullable) until bound */
  guint n_layers;
  guint n_heads;
  guint group_size;  /* heads that share keys and values; 1: each has its own */
  double zoom;       /* of the fitting size; 1 fits */
  bool seeks_chosen; /* the chosen head is to be brought on screen once sizes are known */
  int min_size;
  int max_size;
  bool fit_height;

  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  GtkScrollablePolicy hscroll_policy;
  GtkScrollablePolicy vscroll_policy;

  /* As last allocated, in pixels of the window */
  int size;  /* of a thumbnail */
  int pitch; /* from one button to the next */
  int left;  /* of the headings of rows */
  int heading_width;
  int heading_height;
  int column_heading_width;
  int content_height; /* what all layers need */
  /* The heads on screen */
  guint first_layer;
  guint first_head;
  guint n_visible_layers;
  guint n_visible_heads;

  /* Head (l, h) is in slot (l mod n_slot_rows, h mod n_slot_cols), so that scrolling by a row
   * changes one row of buttons. */
  guint n_slot_rows;
  guint n_slot_cols;
  GArray *slots;         /* (element-type AtnHeadSlot) row-major, maybe still fewer */
  GPtrArray *row_labels; /* [n_slot_rows] children: "L0" … */
  GPtrArray *col_labels; /* [n_slot_cols] children: "H0" … */
  guint more_source;     /* 0, or makes the next buttons */
  guint seek_source;     /* 0, or brings the chosen head on screen */
  guint height_source;   /* 0, or tells of another content-height */
};

void atn_head_grid_install_layout (GtkWidgetClass *widget_class);
/* atn-head-grid-zoom.c */
void atn_head_grid_install_zoom (GtkWidgetClass *widget_class);
void atn_head_grid_init_zoom (AtnHeadGrid *self);
/* Called by a button. */
void atn_head_grid_clicked (AtnHeadGrid *self, guint layer, guint head);

/* An adjustment moved. */
void atn_head_grid_scrolled (AtnHeadGrid *self);
/* Moves as little as shows the head whole. */
void atn_head_grid_scroll_to (AtnHeadGrid *self, guint layer, guint head);
bool atn_head_grid_get_head_at (AtnHeadGrid *self, double x, double y, guint *layer, guint *head);

/* atn-head-grid-slots.c */

/* Sees to it that there are buttons for what is on screen: soon, a few at a time. */
void atn_head_grid_make_slots (AtnHeadGrid *self, guint n_rows, guint n_cols);
/* Gives each head on screen its button. */
void atn_head_grid_bind_slots (AtnHeadGrid *self);
bool atn_head_grid_is_slot_shown (const AtnHeadGrid *self, const AtnHeadSlot *slot);

/* (nullable): NULL if the head is not on screen */
GtkWidget *atn_head_grid_find_toggle (AtnHeadGrid *self, guint layer, guint head);
bool
atn_head_grid_get_toggle_head (AtnHeadGrid *self, GtkWidget *toggle, guint *layer, guint *head);

/* Which button is pressed in. */
void atn_head_grid_update_state (AtnHeadGrid *self);
void atn_head_grid_update_textures (AtnHeadGrid *self);
void atn_head_grid_update_wish (AtnHeadGrid *self);
/* Another model: names and pictures of all buttons are wrong. */
void atn_head_grid_reset (AtnHeadGrid *self);
void atn_head_grid_clear_children (AtnHeadGrid *self);

G_END_DECLS
