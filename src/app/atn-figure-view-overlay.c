/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Cursor over the picture: the row and the column of the cell between two
 * lines, ticks of the accent colour at their labels, and a frame around the
 * cell, dark outside and light inside, so that it shows on every colour.
 */

#include "app/atn-figure-view-private.h"

#include <math.h>

#define TICK_WIDTH 3.0f
#define TICK_GAP 2.0f
/* A frame is never smaller, so that the cell of a long text is found. */
#define MIN_FRAME 5.0f

static const GdkRGBA DARK = { 0.0f, 0.0f, 0.0f, 0.85f };
static const GdkRGBA LIGHT = { 1.0f, 1.0f, 1.0f, 1.0f };

static void
get_accent (AtnFigureView *self, GdkRGBA *accent)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));

  if (!gtk_style_context_lookup_color (context, "accent_bg_color", accent))
    *accent = (GdkRGBA){ 0.21f, 0.52f, 0.89f, 1.0f };
}

static void
append_frame (GtkSnapshot *snapshot,
              const graphene_rect_t *box,
              float grow,
              float width,
              const GdkRGBA *color)
{
  GskRoundedRect outline;
  graphene_rect_t frame = *box;

  graphene_rect_inset (&frame, -grow, -grow);
  gsk_rounded_rect_init_from_rect (&outline, &frame, 0.0f);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ width, width, width, width },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
}

static void
append_cell_frame (AtnFigureView *self, GtkSnapshot *snapshot, const graphene_rect_t *cell)
{
  bool is_pinned = atn_session_get_pinned (atn_view_get_session (self));
  float grow = MAX ((MIN_FRAME - cell->size.width) / 2.0f, 0.0f);
  GdkRGBA accent;

  get_accent (self, &accent);
  append_frame (snapshot, cell, grow + 2.0f, 1.0f, &DARK);
  append_frame (snapshot, cell, grow + 1.0f, is_pinned ? 1.0f : 2.0f, &LIGHT);
  if (is_pinned)
    append_frame (snapshot, cell, grow, 3.0f, &accent);
}

/* Both edges of a band across the matrix, light over dark. */
static void
append_line (GtkSnapshot *snapshot, float x, float y, float width, float height)
{
  const GdkRGBA light = { 1.0f, 1.0f, 1.0f, 0.55f };
  const GdkRGBA dark = { 0.0f, 0.0f, 0.0f, 0.35f };
  bool is_row = width > height;

  gtk_snapshot_append_color (snapshot, &dark,
                             &GRAPHENE_RECT_INIT (is_row ? x : x - 1.0f, is_row ? y - 1.0f : y,
                                                  is_row ? width : 1.0f, is_row ? 1.0f : height));
  gtk_snapshot_append_color (snapshot, &light, &GRAPHENE_RECT_INIT (x, y, width, height));
}

static void
append_row (GtkSnapshot *snapshot, const AtnPanelBox *box, const graphene_rect_t *cell)
{
  append_line (snapshot, (float) box->x, cell->origin.y, (float) box->width, 1.0f);
  append_line (snapshot, (float) box->x, cell->origin.y + MAX (cell->size.height, 2.0f) - 1.0f,
               (float) box->width, 1.0f);
}

static void
append_column (GtkSnapshot *snapshot, const AtnPanelBox *box, const graphene_rect_t *cell)
{
  append_line (snapshot, cell->origin.x, (float) box->y, 1.0f, (float) box->height);
  append_line (snapshot, cell->origin.x + MAX (cell->size.width, 2.0f) - 1.0f, (float) box->y, 1.0f,
               (float) box->height);
}

/* Between the labels and the cells. */
static void
append_ticks (AtnFigureView *self,
              GtkSnapshot *snapshot,
              const AtnPanelBox *box,
              const graphene_rect_t *cell)
{
  AtnSession *session = atn_view_get_session (self);
  float side = MAX (cell->size.width, 2.0f);
  GdkRGBA accent;

  get_accent (self, &accent);
  if (atn_session_get_query (session) >= 0)
    gtk_snapshot_append_color (snapshot, &accent,
                               &GRAPHENE_RECT_INIT ((float) box->x - TICK_GAP - TICK_WIDTH,
                                                    cell->origin.y, TICK_WIDTH, side));
  if (atn_session_get_key (session) >= 0)
    gtk_snapshot_append_color (snapshot, &accent,
                               &GRAPHENE_RECT_INIT (cell->origin.x,
                                                    (float) box->y - TICK_GAP - TICK_WIDTH, side,
                                                    TICK_WIDTH));
}

void
atn_figure_view_snapshot_overlay (AtnFigureView *self, GtkSnapshot *snapshot)
{
  AtnSession *session = atn_view_get_session (self);
  const AtnPanelBox *box = &self->picture->boxes[0];
  int n_rows = (int) self->picture->figure->n_rows;
  int query = atn_session_get_query (session);
  int key = atn_session_get_key (session);
  float beyond = TICK_GAP + TICK_WIDTH;
  graphene_rect_t cell;

  if ((query < 0 && key < 0) || query >= n_rows || key >= n_rows)
    return;
  atn_picture_get_cell_box (self->picture, 0, (size_t) MAX (query, 0), (size_t) MAX (key, 0),
                            &cell);
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT ((float) box->x - beyond, (float) box->y - beyond,
                                               (float) box->width + beyond + 2.0f,
                                               (float) box->height + beyond + 2.0f));
  if (query >= 0)
    append_row (snapshot, box, &cell);
  if (key >= 0)
    append_column (snapshot, box, &cell);
  append_ticks (self, snapshot, box, &cell);
  if (query >= 0 && key >= 0)
    append_cell_frame (self, snapshot, &cell);
  gtk_snapshot_pop (snapshot);
}
