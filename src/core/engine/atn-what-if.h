/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What the user changed. The zero value is "as the model was trained".
 */

#pragma once

#include "model/atn-config.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_CAUSAL_AS_TRAINED,
  ATN_CAUSAL_ON,
  ATN_CAUSAL_OFF
} AtnCausal;
typedef enum
{
  ATN_SCALE_AS_TRAINED,
  ATN_SCALE_NONE,
  ATN_SCALE_SQRT,
  ATN_SCALE_NUMBER,
} AtnScale;
typedef enum
{
  ATN_SCOPE_NETWORK, /* every layer is recomputed */
  ATN_SCOPE_HEAD,    /* the head that is looked at: same q and k; the rest keeps its values */
} AtnScope;

typedef struct
{
  AtnCausal causal;
  AtnScale scale;
  float scale_number; /* with ATN_SCALE_NUMBER: the factor itself */
  float temperature;  /* of the softmax; 0 means as trained, which is 1 */
  AtnScope scope;
} AtnWhatIf;

/* Whether the numbers are those of the trained model; scope alone changes nothing, nor does a
 * setting that says what the model does anyway. */
bool atn_what_if_is_as_trained (const AtnWhatIf *self, const AtnConfig *config);
bool atn_what_if_equal (const AtnWhatIf *a, const AtnWhatIf *b);

/* What holds in the end. */
bool atn_what_if_is_causal (const AtnWhatIf *self, const AtnConfig *config);
float atn_what_if_get_scale (const AtnWhatIf *self, const AtnConfig *config, size_t layer);
float atn_what_if_get_temperature (const AtnWhatIf *self);

/**
 * atn_what_if_describe:
 *
 * Every setting that is not as trained, such as "causal mask off · scale none · T 0.5 · this head
 * only".
 *
 * Returns: (transfer full): translated; empty if all is as trained
 */
char *atn_what_if_describe (const AtnWhatIf *self, const AtnConfig *config);

G_END_DECLS
