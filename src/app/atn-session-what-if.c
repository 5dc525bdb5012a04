/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The struct of the engine says "as trained, or this"; a switch says on or off.
 * A switch shows what holds in the end, and flipping it to what the model does
 * anyway is "as trained" again, so that the banner goes away.
 */

#include "app/atn-session-private.h"

#include <math.h>

static bool
is_about (double a, double b)
{
  return fabs (a - b) <= 1e-6 * MAX (1.0, fabs (b));
}

static double
get_sqrt_scale (const AtnConfig *config)
{
  return 1.0 / sqrt ((double) MAX (config->d_head, 1));
}

static void
settings_changed (AtnSession *self)
{
  char *banner = NULL;

  if (self->model != NULL && !atn_session_is_as_trained (self))
    banner = atn_what_if_describe (&self->what_if, atn_model_get_config (self->model));
  atn_session_take_string (self, &self->banner, banner, PROP_BANNER);
  for (guint id = PROP_CAUSAL_MASK; id <= PROP_AS_TRAINED; id++)
    atn_session_notify (self, id);
  atn_session_clamp_selection (self);
}

const AtnWhatIf *
atn_session_get_what_if (AtnSession *self)
{
  g_return_val_if_fail (ATN_IS_SESSION (self), NULL);
  return &self->what_if;
}

void
atn_session_set_what_if (AtnSession *self, const AtnWhatIf *what_if)
{
  g_return_if_fail (ATN_IS_SESSION (self));
  g_return_if_fail (what_if != NULL);

  if (atn_what_if_equal (&self->what_if, what_if))
    return;
  self->what_if = *what_if;
  settings_changed (self);
  atn_session_queue_run (self);
}

bool
atn_session_is_as_trained (AtnSession *self)
{
  return self->model == NULL ||
         atn_what_if_is_as_trained (&self->what_if, atn_model_get_config (self->model));
}

bool
atn_session_get_causal_mask (AtnSession *self)
{
  return self->model != NULL &&
         atn_what_if_is_causal (&self->what_if, atn_model_get_config (self->model));
}

void
atn_session_set_causal_mask (AtnSession *self, bool causal_mask)
{
  AtnWhatIf what_if = self->what_if;

  if (self->model == NULL)
    return;
  if (causal_mask == atn_model_get_config (self->model)->causal)
    what_if.causal = ATN_CAUSAL_AS_TRAINED;
  else
    what_if.causal = causal_mask ? ATN_CAUSAL_ON : ATN_CAUSAL_OFF;
  atn_session_set_what_if (self, &what_if);
}

bool
atn_session_get_scale_by_sqrt (AtnSession *self)
{
  const AtnConfig *config;

  if (self->model == NULL)
    return false;
  config = atn_model_get_config (self->model);
  switch (self->what_if.scale) {
  case ATN_SCALE_AS_TRAINED:
    return is_about ((double) config->scale, get_sqrt_scale (config));
  case ATN_SCALE_NONE:
    return false;
  case ATN_SCALE_SQRT:
    return true;
  case ATN_SCALE_NUMBER:
    return is_about ((double) self->what_if.scale_number, get_sqrt_scale (config));
  default:
    g_return_val_if_reached (false);
  }
}

void
atn_session_set_scale_by_sqrt (AtnSession *self, bool scale_by_sqrt)
{
  AtnWhatIf what_if = self->what_if;
  const AtnConfig *config;

  if (self->model == NULL || scale_by_sqrt == atn_session_get_scale_by_sqrt (self))
    return;
  config = atn_model_get_config (self->model);
  what_if.scale_number = 0.0f;
  if (scale_by_sqrt)
    what_if.scale = is_about ((double) config->scale, get_sqrt_scale (config))
                      ? ATN_SCALE_AS_TRAINED
                      : ATN_SCALE_SQRT;
  else
    what_if.scale = is_about ((double) config->scale, 1.0) && !config->scale_by_inverse_layer
                      ? ATN_SCALE_AS_TRAINED
                      : ATN_SCALE_NONE;
  atn_session_set_what_if (self, &what_if);
}

double
atn_session_get_scale_number (AtnSession *self)
{
  if (self->model == NULL)
    return 1.0;
  return (double) atn_what_if_get_scale (&self->what_if, atn_model_get_config (self->model),
                                         self->layer);
}

void
atn_session_set_scale_number (AtnSession *self, double factor)
{
  AtnWhatIf what_if = self->what_if;
  const AtnConfig *config;

  if (self->model == NULL || is_about (factor, atn_session_get_scale_number (self)))
    return;
  config = atn_model_get_config (self->model);
  what_if.scale_number = 0.0f;
  if (is_about (factor, (double) config->scale) && !config->scale_by_inverse_layer) {
    what_if.scale = ATN_SCALE_AS_TRAINED;
  } else {
    what_if.scale = ATN_SCALE_NUMBER;
    what_if.scale_number = (float) factor;
  }
  atn_session_set_what_if (self, &what_if);
}

double
atn_session_get_temperature (AtnSession *self)
{
  return (double) atn_what_if_get_temperature (&self->what_if);
}

void
atn_session_set_temperature (AtnSession *self, double temperature)
{
  AtnWhatIf what_if = self->what_if;

  temperature = CLAMP (temperature, ATN_TEMPERATURE_MIN, ATN_TEMPERATURE_MAX);
  what_if.temperature = is_about (temperature, 1.0) ? 0.0f : (float) temperature;
  atn_session_set_what_if (self, &what_if);
}

AtnScope
atn_session_get_scope (AtnSession *self)
{
  return self->what_if.scope;
}

void
atn_session_set_scope (AtnSession *self, AtnScope scope)
{
  AtnWhatIf what_if = self->what_if;

  what_if.scope = scope;
  atn_session_set_what_if (self, &what_if);
}
