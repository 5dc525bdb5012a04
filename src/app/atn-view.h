/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What every part of the window derives from: a widget that looks at a session.
 * The session is handed over once, by the template of the window or by
 * g_object_new (…, "session", session, NULL).
 *
 * A view whose direct child is a bound template child must not call
 * gtk_widget_dispose_template(): that frees the child behind AdwBin's back.
 */

#pragma once

#include "app/atn-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_VIEW (atn_view_get_type ())
G_DECLARE_DERIVABLE_TYPE (AtnView, atn_view, ATN, VIEW, AdwBin)

/**
 * AtnViewClass:
 * @bind: the session is there: connect to it (with g_signal_connect_object() on the view, so that
 *   nothing has to be disconnected) and show its state
 */
struct _AtnViewClass
{
  AdwBinClass parent_class;

  void (*bind) (AtnView *self, AtnSession *session);
};

/* (nullable) (transfer none) */
AtnSession *atn_view_get_session (gpointer self);

G_END_DECLS
