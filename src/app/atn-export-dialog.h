/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Asks what to export, with a preview. Where to is asked afterwards, by the
 * window.
 *
 * Signal: export: the button was pressed; get_spec () says the choices
 */

#pragma once

#include "app/atn-export-spec.h"
#include "app/atn-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_EXPORT_DIALOG (atn_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (AtnExportDialog, atn_export_dialog, ATN, EXPORT_DIALOG, AdwWindow)

/* @spec: what to begin with */
AtnExportDialog *atn_export_dialog_new (GtkWindow *parent,
                                        AtnSession *session,
                                        const AtnExportSpec *spec) G_GNUC_WARN_UNUSED_RESULT;
const AtnExportSpec *atn_export_dialog_get_spec (AtnExportDialog *self);

G_END_DECLS
