/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "engine/atn-what-if.h"

#include <glib/gi18n-lib.h>
#include <math.h>

bool
atn_what_if_is_causal (const AtnWhatIf *self, const AtnConfig *config)
{
  switch (self->causal) {
  case ATN_CAUSAL_ON:
    return true;
  case ATN_CAUSAL_OFF:
    return false;
  case ATN_CAUSAL_AS_TRAINED:
  default:
    return config->causal;
  }
}

float
atn_what_if_get_scale (const AtnWhatIf *self, const AtnConfig *config, size_t layer)
{
  switch (self->scale) {
  case ATN_SCALE_NONE:
    return 1.0f;
  case ATN_SCALE_SQRT:
    return (float) (1.0 / sqrt ((double) config->d_head));
  case ATN_SCALE_NUMBER:
    return self->scale_number;
  case ATN_SCALE_AS_TRAINED:
  default:
    return atn_config_get_scale (config, layer);
  }
}

float
atn_what_if_get_temperature (const AtnWhatIf *self)
{
  return self->temperature > 0.0f ? self->temperature : 1.0f;
}

static bool
has_trained_scale (const AtnWhatIf *self, const AtnConfig *config)
{
  for (size_t layer = 0; layer < config->n_layers; layer++) {
    if (atn_what_if_get_scale (self, config, layer) != atn_config_get_scale (config, layer))
      return false;
  }

  return true;
}

bool
atn_what_if_is_as_trained (const AtnWhatIf *self, const AtnConfig *config)
{
  return atn_what_if_is_causal (self, config) == config->causal &&
         atn_what_if_get_temperature (self) == 1.0f && has_trained_scale (self, config);
}

bool
atn_what_if_equal (const AtnWhatIf *a, const AtnWhatIf *b)
{
  return a->causal == b->causal && a->scale == b->scale && a->scope == b->scope &&
         (a->scale != ATN_SCALE_NUMBER || a->scale_number == b->scale_number) &&
         atn_what_if_get_temperature (a) == atn_what_if_get_temperature (b);
}

static void
append_part (GString *out, const char *part)
{
  if (out->len > 0)
    g_string_append (out, " · ");
  g_string_append (out, part);
}

static void
append_scale (GString *out, const AtnWhatIf *self)
{
  g_autofree char *number = NULL;

  switch (self->scale) {
  case ATN_SCALE_NONE:
    append_part (out, _ ("scale none"));
    break;
  case ATN_SCALE_SQRT:
    append_part (out, _ ("scale 1/√d"));
    break;
  case ATN_SCALE_NUMBER:
    /* Translators: the factor by which scores are multiplied. */
    number = g_strdup_printf (_ ("scale %g"), (double) self->scale_number);
    append_part (out, number);
    break;
  case ATN_SCALE_AS_TRAINED:
  default:
    break;
  }
}

char *
atn_what_if_describe (const AtnWhatIf *self, const AtnConfig *config)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (atn_what_if_is_as_trained (self, config))
    return g_strdup ("");

  if (atn_what_if_is_causal (self, config) != config->causal)
    append_part (out, config->causal ? _ ("causal mask off") : _ ("causal mask on"));

  if (!has_trained_scale (self, config))
    append_scale (out, self);

  if (atn_what_if_get_temperature (self) != 1.0f) {
    /* Translators: T is the temperature of the softmax. */
    g_autofree char *temperature = g_strdup_printf (_ ("T %g"), (double) self->temperature);

    append_part (out, temperature);
  }

  if (self->scope == ATN_SCOPE_HEAD)
    append_part (out, _ ("this head only"));

  return g_string_free (g_steal_pointer (&out), FALSE);
}
