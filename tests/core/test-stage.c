/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-stage.h"

#include <glib.h>
#include <string.h>

static void
test_every_stage_has_a_name_and_a_text (void)
{
  for (int i = 0; i < ATN_N_STAGES; i++) {
    AtnStage stage;

    g_assert_true (atn_stage_from_name (atn_stage_get_name ((AtnStage) i), &stage));
    g_assert_cmpint (stage, ==, i);
    g_assert_cmpuint (strlen (atn_stage_get_title (stage)), >, 0);
    g_assert_cmpuint (strlen (atn_stage_get_explanation (stage)), >, 0);
  }
}

static void
test_names_are_lower_case (void)
{
  AtnStage stage = ATN_STAGE_DOT;

  g_assert_cmpstr (atn_stage_get_name (ATN_STAGE_PATTERN), ==, "pattern");
  g_assert_cmpstr (atn_stage_get_name (ATN_STAGE_CONTRIBUTION), ==, "contribution");
  g_assert_false (atn_stage_from_name ("PATTERN", &stage));
  g_assert_false (atn_stage_from_name ("", &stage));
  g_assert_cmpint (stage, ==, ATN_STAGE_DOT);
}

static void
test_only_rope_has_unrotated_scores (void)
{
  const AtnConfig plain = { .positions = ATN_POSITIONS_LEARNED };
  const AtnConfig rope = { .positions = ATN_POSITIONS_ROPE };
  const AtnWhatIf what_if = { 0 };

  g_assert_false (atn_stage_is_present (ATN_STAGE_UNROTATED, &plain, &what_if));
  g_assert_true (atn_stage_is_present (ATN_STAGE_UNROTATED, &rope, &what_if));
}

static void
test_a_switch_makes_no_stage_vanish (void)
{
  const AtnConfig config = { .positions = ATN_POSITIONS_LEARNED, .causal = true };
  const AtnWhatIf off = { .causal = ATN_CAUSAL_OFF, .scale = ATN_SCALE_NONE };
  const AtnStage stages[] = { ATN_STAGE_DOT, ATN_STAGE_SCALED, ATN_STAGE_MASKED, ATN_STAGE_PATTERN,
                              ATN_STAGE_CONTRIBUTION };
  size_t n_present = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (stages); i++)
    g_assert_true (atn_stage_is_present (stages[i], &config, &off));
  for (int i = 0; i < ATN_N_STAGES; i++)
    n_present += atn_stage_is_present ((AtnStage) i, &config, &off) ? 1 : 0;
  g_assert_cmpuint (n_present, ==, G_N_ELEMENTS (stages));
}

static void
test_weights_have_no_sign (void)
{
  g_assert_true (atn_stage_is_signed (ATN_STAGE_DOT));
  g_assert_true (atn_stage_is_signed (ATN_STAGE_MASKED));
  g_assert_false (atn_stage_is_signed (ATN_STAGE_PATTERN));
  g_assert_false (atn_stage_is_signed (ATN_STAGE_CONTRIBUTION));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/stage/texts", test_every_stage_has_a_name_and_a_text);
  g_test_add_func ("/core/stage/names", test_names_are_lower_case);
  g_test_add_func ("/core/stage/unrotated", test_only_rope_has_unrotated_scores);
  g_test_add_func ("/core/stage/switches", test_a_switch_makes_no_stage_vanish);
  g_test_add_func ("/core/stage/signed", test_weights_have_no_sign);

  return g_test_run ();
}
