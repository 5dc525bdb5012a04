/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * What a character is to the reference, Hugging Face's tokenizers library 0.23: it
 * takes letters, digits, white space and lower case from Unicode 16 or later, the
 * categories of BERT's clean-up from Unicode 8, and normal forms from Unicode 10.
 * GLib knows one version only (14 in Debian 12's), so the tables here were asked
 * from the reference, and neither the system's Unicode version nor the locale can
 * change a token.
 *
 * Only what a character decomposes to comes from GLib: Unicode never changes that
 * once the character is there, and the NORMALIZED flag says which characters were
 * there for the reference.
 */

#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum
{
  ATN_UNICODE_LETTER = 1 << 0,      /* \p{L} of the GPT-2 pattern */
  ATN_UNICODE_NUMBER = 1 << 1,      /* \p{N} of the GPT-2 pattern */
  ATN_UNICODE_NUMERIC = 1 << 2,     /* Digits */
  ATN_UNICODE_SPACE = 1 << 3,       /* \s */
  ATN_UNICODE_WORD = 1 << 4,        /* \w of Whitespace and of added tokens */
  ATN_UNICODE_PUNCTUATION = 1 << 5, /* BertPreTokenizer, Punctuation */
  ATN_UNICODE_CONTROL = 1 << 6,     /* removed by BertNormalizer's clean_text */
  ATN_UNICODE_NONSPACING = 1 << 7,  /* removed by BertNormalizer's strip_accents, after NFD */
  ATN_UNICODE_COMBINING = 1 << 8,   /* removed by StripAccents */
  ATN_UNICODE_NORMALIZED = 1 << 9,  /* decomposes, or has a combining class */
} AtnUnicodeFlags;

unsigned atn_unicode_get_flags (gunichar character);

/* Writes the lower case of @character to @lower, one character or (İ) two; returns how many. */
size_t atn_unicode_to_lower (gunichar character, gunichar lower[2]);

/* Writes the full decomposition (@compatible: NFKD's, else NFD's) to @parts; returns how many. */
size_t atn_unicode_decompose (gunichar character,
                              gboolean compatible,
                              gunichar parts[G_UNICHAR_MAX_DECOMPOSITION_LENGTH]);

/* Whether @first and @second compose to one character, which is then in @composed. */
gboolean atn_unicode_compose (gunichar first, gunichar second, gunichar *composed);

int atn_unicode_get_combining_class (gunichar character);

/* What a regular expression shall see instead of @character, where the library behind it may be
 * of another Unicode than the reference (16): one of the same category, script and length in
 * UTF-8 that both have known for long, or @character itself. */
gunichar atn_unicode_get_stand_in (gunichar character);

/* The tables of atn-unicode-tables.c, for atn-unicode.c only. */
typedef struct
{
  uint32_t first; /* where a run of equal flags starts; it ends at the next one */
  uint16_t flags;
} AtnUnicodeRun;

typedef struct
{
  uint32_t first;
  uint32_t last;
  int32_t step; /* 2: every second character of the run */
  int32_t delta;
} AtnUnicodeLower;

typedef struct
{
  uint32_t first;    /* where a run of one stand-in starts; it ends at the next one */
  uint32_t stand_in; /* 0: each stands for itself */
} AtnUnicodeStandIn;

typedef struct
{
  const AtnUnicodeRun *runs; /* [n_runs] by first */
  size_t n_runs;
  const uint16_t *ascii;         /* [128] flags */
  const AtnUnicodeLower *lowers; /* [n_lowers] by first */
  size_t n_lowers;
  const AtnUnicodeStandIn *stand_ins; /* [n_stand_ins] by first */
  size_t n_stand_ins;
} AtnUnicodeTables;

const AtnUnicodeTables *atn_unicode_get_tables (void);

G_END_DECLS
