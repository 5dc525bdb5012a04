/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-views.h"

const AtnViewEntry *
atn_views_list (size_t *n_entries)
{
  *n_entries = 0;
  return NULL;
}

void
atn_views_fill_sidebar (GtkBox *sidebar, AtnSession *session)
{
}

void
atn_views_fill_inspector (GtkBox *pane, AtnSession *session)
{
}
