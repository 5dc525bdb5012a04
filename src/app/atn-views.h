/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The table of the window's central views and the contents of its side panes.
 * Adding a view is adding a row: Alt+1 … 9 and the buttons follow the table.
 */

#pragma once

#include "app/atn-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  const char *name;  /* in settings and actions */
  const char *title; /* not translated yet */
  GType (*get_type) (void);
} AtnViewEntry;

/* The views in their order; @n_entries of them. */
const AtnViewEntry *atn_views_list (size_t *n_entries);

/* Fills the top of the left pane (head picker) and the right pane (inspector). */
void atn_views_fill_sidebar (GtkBox *sidebar, AtnSession *session);
void atn_views_fill_inspector (GtkBox *pane, AtnSession *session);

G_END_DECLS
