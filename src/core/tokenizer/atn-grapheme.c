/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A cluster begins where the last one ended, so what came before never matters.
 */

#include "tokenizer/atn-grapheme.h"

#include <stdbool.h>

#define FIRST_SYLLABLE 0xAC00
#define LAST_SYLLABLE 0xD7A3
#define N_FINALS 28 /* syllables of one initial and vowel */

static AtnGraphemeClass
class_of (gunichar character)
{
  size_t low = 0;
  size_t high;
  const AtnGraphemeRun *runs = atn_grapheme_get_runs (&high);

  if (character >= FIRST_SYLLABLE && character <= LAST_SYLLABLE)
    return (character - FIRST_SYLLABLE) % N_FINALS == 0 ? ATN_GRAPHEME_LV : ATN_GRAPHEME_LVT;

  while (high - low > 1) {
    size_t middle = (low + high) / 2;

    if (runs[middle].first <= character)
      low = middle;
    else
      high = middle;
  }
  return (AtnGraphemeClass) runs[low].class;
}

static bool
is_control (AtnGraphemeClass class)
{
  return class == ATN_GRAPHEME_CR || class == ATN_GRAPHEME_LF || class == ATN_GRAPHEME_CONTROL;
}

static bool
is_extend (AtnGraphemeClass class)
{
  return class == ATN_GRAPHEME_EXTEND || class == ATN_GRAPHEME_EXTEND_PLAIN ||
         class == ATN_GRAPHEME_LINKER;
}

/* GB6 to GB8. */
static bool
joins_syllable (AtnGraphemeClass left, AtnGraphemeClass right)
{
  switch (left) {
  case ATN_GRAPHEME_L:
    return right == ATN_GRAPHEME_L || right == ATN_GRAPHEME_V || right == ATN_GRAPHEME_LV ||
           right == ATN_GRAPHEME_LVT;
  case ATN_GRAPHEME_LV:
  case ATN_GRAPHEME_V:
    return right == ATN_GRAPHEME_V || right == ATN_GRAPHEME_T;
  case ATN_GRAPHEME_LVT:
  case ATN_GRAPHEME_T:
    return right == ATN_GRAPHEME_T;
  default:
    return false;
  }
}

/* What the cluster so far ends with, for the two rules that look back over several characters. */
typedef struct
{
  AtnGraphemeClass last;
  bool has_pictograph;      /* a pictograph and only Extend behind it */
  bool may_join_pictograph; /* and a ZWJ, which is the last */
  bool has_consonant;       /* a consonant and only Extend, Linker, ZWJ behind it */
  bool has_linker;          /* with a Linker among them */
} State;

static void
advance (State *state, AtnGraphemeClass class)
{
  state->may_join_pictograph = class == ATN_GRAPHEME_ZWJ && state->has_pictograph;
  state->has_pictograph =
    class == ATN_GRAPHEME_PICTOGRAPHIC || (is_extend (class) && state->has_pictograph);
  if (class == ATN_GRAPHEME_CONSONANT) {
    state->has_consonant = true;
    state->has_linker = false;
  } else if (class == ATN_GRAPHEME_LINKER) {
    state->has_linker = true;
  } else if (class != ATN_GRAPHEME_EXTEND && class != ATN_GRAPHEME_ZWJ) {
    state->has_consonant = false;
  }
  state->last = class;
}

static bool
joins (const State *state, AtnGraphemeClass class)
{
  if (state->last == ATN_GRAPHEME_CR)
    return class == ATN_GRAPHEME_LF;
  if (is_control (state->last) || is_control (class))
    return false;

  return is_extend (class) || class == ATN_GRAPHEME_ZWJ || class == ATN_GRAPHEME_SPACING_MARK ||
         state->last == ATN_GRAPHEME_PREPEND || joins_syllable (state->last, class) ||
         (class == ATN_GRAPHEME_CONSONANT && state->has_consonant && state->has_linker) ||
         (class == ATN_GRAPHEME_PICTOGRAPHIC && state->may_join_pictograph);
}

size_t
atn_grapheme_find_end (const gunichar *characters, size_t n_characters, size_t start)
{
  State state = { .last = ATN_GRAPHEME_OTHER };
  size_t end = start + 1;

  advance (&state, class_of (characters[start]));
  for (; end < n_characters; end++) {
    AtnGraphemeClass class = class_of (characters[end]);

    if (!joins (&state, class))
      break;
    advance (&state, class);
  }
  return end;
}
