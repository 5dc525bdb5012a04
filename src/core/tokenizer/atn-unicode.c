/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-unicode.h"

#define CAPITAL_I_WITH_DOT 0x130
#define COMBINING_DOT_ABOVE 0x307

unsigned
atn_unicode_get_flags (gunichar character)
{
  const AtnUnicodeTables *tables = atn_unicode_get_tables ();
  size_t low = 0;
  size_t high = tables->n_runs;

  if (character < 128)
    return tables->ascii[character];

  while (high - low > 1) {
    size_t middle = (low + high) / 2;

    if (tables->runs[middle].first <= character)
      low = middle;
    else
      high = middle;
  }
  return tables->runs[low].flags;
}

size_t
atn_unicode_to_lower (gunichar character, gunichar lower[2])
{
  const AtnUnicodeTables *tables = atn_unicode_get_tables ();
  size_t low = 0;
  size_t high = tables->n_lowers;

  lower[0] = character;
  if (character == CAPITAL_I_WITH_DOT) {
    lower[0] = 'i';
    lower[1] = COMBINING_DOT_ABOVE;
    return 2;
  }

  while (low < high) {
    size_t middle = (low + high) / 2;
    const AtnUnicodeLower *run = &tables->lowers[middle];

    if (character < run->first) {
      high = middle;
    } else if (character > run->last) {
      low = middle + 1;
    } else {
      if ((character - run->first) % (uint32_t) run->step == 0)
        lower[0] = (gunichar) ((int64_t) character + run->delta);
      break;
    }
  }
  return 1;
}

size_t
atn_unicode_decompose (gunichar character,
                       gboolean compatible,
                       gunichar parts[G_UNICHAR_MAX_DECOMPOSITION_LENGTH])
{
  parts[0] = character;
  if ((atn_unicode_get_flags (character) & ATN_UNICODE_NORMALIZED) == 0)
    return 1;

  return g_unichar_fully_decompose (character, compatible, parts,
                                    G_UNICHAR_MAX_DECOMPOSITION_LENGTH);
}

gboolean
atn_unicode_compose (gunichar first, gunichar second, gunichar *composed)
{
  return g_unichar_compose (first, second, composed) &&
         (atn_unicode_get_flags (*composed) & ATN_UNICODE_NORMALIZED) != 0;
}

int
atn_unicode_get_combining_class (gunichar character)
{
  if ((atn_unicode_get_flags (character) & ATN_UNICODE_NORMALIZED) == 0)
    return 0;

  return g_unichar_combining_class (character);
}

gunichar
atn_unicode_get_stand_in (gunichar character)
{
  const AtnUnicodeTables *tables = atn_unicode_get_tables ();
  size_t low = 0;
  size_t high = tables->n_stand_ins;

  while (high - low > 1) {
    size_t middle = (low + high) / 2;

    if (tables->stand_ins[middle].first <= character)
      low = middle;
    else
      high = middle;
  }
  return tables->stand_ins[low].stand_in == 0 ? character : tables->stand_ins[low].stand_in;
}
