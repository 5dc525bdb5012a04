/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Reads the numbers that tests/fixtures holds. The weight store cannot: it
 * refuses infinities, and a forbidden score is one.
 */

#pragma once

#include "base/atn-json.h"

G_BEGIN_DECLS

typedef struct
{
  GMappedFile *file;
  AtnJson *header;
  const char *data;
} AtnExpect;

AtnExpect *atn_expect_open (const char *path);
void atn_expect_free (AtnExpect *self);

/* (nullable): the F32 values of @name, which must have @n of them. */
float *atn_expect_dup_floats (const AtnExpect *self, const char *name, size_t n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnExpect, atn_expect_free)

G_END_DECLS
