/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a twin is made of; see atn-twin.h.
 */

#pragma once

#include "atn-twin.h"

G_BEGIN_DECLS

typedef struct
{
  size_t n_dims;
  size_t shape[3];
  size_t n;
  float *values;
} AtnTwinTensor;

struct _AtnTwin
{
  AtnTwinSpec spec;
  GHashTable *tensors; /* name → AtnTwinTensor */
  GPtrArray *names;    /* in the order of making, for a file that is the same every time */
  GRand *rand;
};

G_END_DECLS
