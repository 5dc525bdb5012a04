/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-what-if.h"

#include <glib.h>
#include <math.h>

static const AtnConfig causal_config = { .n_layers = 3,
                                         .n_heads = 1,
                                         .d_head = 16,
                                         .causal = true,
                                         .scale = 0.25f };
static const AtnConfig layered_config = { .n_layers = 3,
                                          .n_heads = 1,
                                          .d_head = 16,
                                          .causal = true,
                                          .scale = 0.25f,
                                          .scale_by_inverse_layer = true };

static void
test_zero_is_as_trained (void)
{
  const AtnWhatIf zero = { 0 };
  g_autofree char *text = atn_what_if_describe (&zero, &causal_config);

  g_assert_true (atn_what_if_is_as_trained (&zero, &causal_config));
  g_assert_true (atn_what_if_is_causal (&zero, &causal_config));
  g_assert_cmpfloat (atn_what_if_get_scale (&zero, &causal_config, 2), ==, 0.25f);
  g_assert_cmpfloat (atn_what_if_get_temperature (&zero), ==, 1.0f);
  g_assert_cmpstr (text, ==, "");
}

static void
test_a_setting_with_the_trained_effect_is_as_trained (void)
{
  const AtnWhatIf same = { .causal = ATN_CAUSAL_ON,
                           .scale = ATN_SCALE_SQRT,
                           .temperature = 1.0f,
                           .scope = ATN_SCOPE_HEAD };
  const AtnWhatIf number = { .scale = ATN_SCALE_NUMBER, .scale_number = 0.25f };
  g_autofree char *text = atn_what_if_describe (&same, &causal_config);

  g_assert_true (atn_what_if_is_as_trained (&same, &causal_config));
  g_assert_true (atn_what_if_is_as_trained (&number, &causal_config));
  g_assert_cmpstr (text, ==, "");
}

static void
test_each_setting_is_seen (void)
{
  const AtnWhatIf settings[] = {
    { .causal = ATN_CAUSAL_OFF },
    { .scale = ATN_SCALE_NONE },
    { .scale = ATN_SCALE_NUMBER, .scale_number = 0.3f },
    { .temperature = 0.5f },
  };
  const char *const texts[] = { "causal mask off", "scale none", "scale 0.3", "T 0.5" };

  for (size_t i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autofree char *text = atn_what_if_describe (&settings[i], &causal_config);

    g_assert_false (atn_what_if_is_as_trained (&settings[i], &causal_config));
    g_assert_cmpstr (text, ==, texts[i]);
  }
}

static void
test_settings_together_are_one_line (void)
{
  const AtnWhatIf all = { .causal = ATN_CAUSAL_OFF,
                          .scale = ATN_SCALE_NONE,
                          .temperature = 0.5f,
                          .scope = ATN_SCOPE_HEAD };
  g_autofree char *text = atn_what_if_describe (&all, &causal_config);

  g_assert_cmpstr (text, ==, "causal mask off · scale none · T 0.5 · this head only");
}

static void
test_the_layer_divides_the_trained_scale_only (void)
{
  const AtnWhatIf zero = { 0 };
  const AtnWhatIf root = { .scale = ATN_SCALE_SQRT };
  const AtnWhatIf number = { .scale = ATN_SCALE_NUMBER, .scale_number = 0.5f };

  g_assert_cmpfloat (atn_what_if_get_scale (&zero, &layered_config, 0), ==, 0.25f);
  g_assert_cmpfloat (atn_what_if_get_scale (&zero, &layered_config, 1), ==, 0.125f);
  g_assert_cmpfloat (atn_what_if_get_scale (&root, &layered_config, 1), ==, 0.25f);
  g_assert_cmpfloat (atn_what_if_get_scale (&number, &layered_config, 2), ==, 0.5f);
  g_assert_false (atn_what_if_is_as_trained (&root, &layered_config));
}

static void
test_equality_ignores_what_has_no_meaning (void)
{
  const AtnWhatIf zero = { 0 };
  const AtnWhatIf unused_number = { .scale_number = 3.0f, .temperature = 1.0f };
  const AtnWhatIf scope = { .scope = ATN_SCOPE_HEAD };

  g_assert_true (atn_what_if_equal (&zero, &unused_number));
  g_assert_false (atn_what_if_equal (&zero, &scope));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/what-if/zero", test_zero_is_as_trained);
  g_test_add_func ("/core/what-if/same-effect",
                   test_a_setting_with_the_trained_effect_is_as_trained);
  g_test_add_func ("/core/what-if/each", test_each_setting_is_seen);
  g_test_add_func ("/core/what-if/together", test_settings_together_are_one_line);
  g_test_add_func ("/core/what-if/inverse-layer", test_the_layer_divides_the_trained_scale_only);
  g_test_add_func ("/core/what-if/equal", test_equality_ignores_what_has_no_meaning);

  return g_test_run ();
}
