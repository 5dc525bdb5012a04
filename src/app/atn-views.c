/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-views.h"

#include "app/atn-head-picker.h"
#include "app/atn-heads-view.h"
#include "app/atn-inspector.h"
#include "app/atn-stages-view.h"

#include <glib/gi18n.h>

static const AtnViewEntry entries[] = {
  { "stages", N_ ("Stages"), atn_stages_view_get_type },
  { "heads", N_ ("Heads"), atn_heads_view_get_type },
};

const AtnViewEntry *
atn_views_list (size_t *n_entries)
{
  *n_entries = G_N_ELEMENTS (entries);
  return entries;
}

void
atn_views_fill_sidebar (GtkBox *sidebar, AtnSession *session)
{
  gtk_box_prepend (sidebar, g_object_new (ATN_TYPE_HEAD_PICKER, "session", session, NULL));
}

void
atn_views_fill_inspector (GtkBox *pane, AtnSession *session)
{
  gtk_box_append (pane, g_object_new (ATN_TYPE_INSPECTOR, "session", session, NULL));
}
