/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Where one visible character ends: extended grapheme clusters of Unicode 16 (UAX #29),
 * which SentencePiece's normalizer replaces as one.
 */

#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Grapheme_Cluster_Break, with what rules GB9c and GB11 ask beside it. Regional indicators, which
 * have no class here, only join each other, and no replacement is that long. */
typedef enum
{
  ATN_GRAPHEME_OTHER,
  ATN_GRAPHEME_CR,
  ATN_GRAPHEME_LF,
  ATN_GRAPHEME_CONTROL,
  ATN_GRAPHEME_EXTEND,       /* also Indic_Conjunct_Break=Extend */
  ATN_GRAPHEME_EXTEND_PLAIN, /* not so */
  ATN_GRAPHEME_LINKER,       /* Extend, and Indic_Conjunct_Break=Linker */
  ATN_GRAPHEME_ZWJ,
  ATN_GRAPHEME_SPACING_MARK,
  ATN_GRAPHEME_PREPEND,
  ATN_GRAPHEME_CONSONANT, /* Other, and Indic_Conjunct_Break=Consonant */
  ATN_GRAPHEME_PICTOGRAPHIC,
  ATN_GRAPHEME_L,
  ATN_GRAPHEME_V,
  ATN_GRAPHEME_T,
  ATN_GRAPHEME_LV,
  ATN_GRAPHEME_LVT,
} AtnGraphemeClass;

/* Where the cluster ends that begins at @characters[start]; @start is below @n_characters. */
size_t atn_grapheme_find_end (const gunichar *characters, size_t n_characters, size_t start);

/* The table of atn-grapheme-table.c, for atn-grapheme.c only. */
typedef struct
{
  uint32_t first; /* where a run of one class starts; it ends at the next one */
  uint32_t class;
} AtnGraphemeRun;

const AtnGraphemeRun *atn_grapheme_get_runs (size_t *n_runs);

G_END_DECLS
