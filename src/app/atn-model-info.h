/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the open model is: family, sizes, the rules of scale, mask and positions,
 * how heads share keys and values, where its parameters are, its file and licence.
 */

#pragma once

#include "model/atn-model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define ATN_TYPE_MODEL_INFO (atn_model_info_get_type ())
G_DECLARE_FINAL_TYPE (AtnModelInfo, atn_model_info, ATN, MODEL_INFO, AdwWindow)

AtnModelInfo *atn_model_info_new (GtkWindow *parent, AtnModel *model);

G_END_DECLS
