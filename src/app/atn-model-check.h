/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The lines of the model's self-check (analysis/atn-self-check.h), which runs on
 * the compute thread while the window says how far it is; closing it stops it.
 */

#pragma once

#include "model/atn-model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_MODEL_CHECK (atn_model_check_get_type ())
G_DECLARE_FINAL_TYPE (AtnModelCheck, atn_model_check, ATN, MODEL_CHECK, AdwWindow)

AtnModelCheck *atn_model_check_new (GtkWindow *parent, AtnModel *model);

G_END_DECLS
