/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The session's properties as GObject sees them: tables, no logic.
 */

#include "app/atn-session-private.h"

static GParamSpec *properties[N_PROPS];

void
atn_session_notify (AtnSession *self, guint property_id)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property_id]);
}

static bool
get_selection_property (AtnSession *self, guint property_id, GValue *value)
{
  switch (property_id) {
  case PROP_TEXT:
    g_value_set_string (value, self->text);
    return true;
  case PROP_PAIR:
    g_value_set_string (value, self->pair);
    return true;
  case PROP_HAS_PAIR:
    g_value_set_boolean (value, atn_session_has_pair (self));
    return true;
  case PROP_LAYER:
    g_value_set_uint (value, self->layer);
    return true;
  case PROP_HEAD:
    g_value_set_uint (value, self->head);
    return true;
  case PROP_STAGE:
    g_value_set_int (value, (int) self->stage);
    return true;
  case PROP_QUERY:
    g_value_set_int (value, self->query);
    return true;
  case PROP_KEY:
    g_value_set_int (value, self->key);
    return true;
  case PROP_PINNED:
    g_value_set_boolean (value, self->pinned);
    return true;
  default:
    return false;
  }
}

static bool
get_what_if_property (AtnSession *self, guint property_id, GValue *value)
{
  switch (property_id) {
  case PROP_CAUSAL_MASK:
    g_value_set_boolean (value, atn_session_get_causal_mask (self));
    return true;
  case PROP_SCALE_BY_SQRT:
    g_value_set_boolean (value, atn_session_get_scale_by_sqrt (self));
    return true;
  case PROP_SCALE_NUMBER:
    g_value_set_double (value, atn_session_get_scale_number (self));
    return true;
  case PROP_TEMPERATURE:
    g_value_set_double (value, atn_session_get_temperature (self));
    return true;
  case PROP_SCOPE:
    g_value_set_int (value, (int) self->what_if.scope);
    return true;
  case PROP_AS_TRAINED:
    g_value_set_boolean (value, atn_session_is_as_trained (self));
    return true;
  default:
    return false;
  }
}

static bool
get_look_property (AtnSession *self, guint property_id, GValue *value)
{
  switch (property_id) {
  case PROP_COLORMAP:
    g_value_set_int (value, (int) self->colormap);
    return true;
  case PROP_RANGE_MODE:
    g_value_set_int (value, (int) self->range_mode);
    return true;
  case PROP_LOG_SCALE:
    g_value_set_boolean (value, self->log_scale);
    return true;
  case PROP_ZOOM:
    g_value_set_double (value, self->zoom);
    return true;
  case PROP_TEXT_SCALE:
    g_value_set_double (value, self->text_scale);
    return true;
  case PROP_SHOW_BASELINE:
    g_value_set_boolean (value, self->show_baseline);
    return true;
  default:
    return false;
  }
}

static bool
get_state_property (AtnSession *self, guint property_id, GValue *value)
{
  switch (property_id) {
  case PROP_BUSY:
    g_value_set_boolean (value, self->is_busy);
    return true;
  case PROP_ERROR:
    g_value_set_string (value, self->error);
    return true;
  case PROP_BANNER:
    g_value_set_string (value, self->banner);
    return true;
  case PROP_CUT_NOTICE:
    g_value_set_string (value, self->cut_notice);
    return true;
  case PROP_NOTE:
    g_value_set_string (value, atn_session_get_note (self));
    return true;
  case PROP_LOADING:
    g_value_set_boolean (value, self->load != NULL);
    return true;
  case PROP_LOAD_PROGRESS:
    g_value_set_double (value, atn_session_get_load_progress (self));
    return true;
  case PROP_LOAD_ERROR:
    g_value_set_string (value, self->load_error);
    return true;
  default:
    return false;
  }
}

static void
atn_session_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  AtnSession *self = ATN_SESSION (object);

  if (!get_selection_property (self, property_id, value) &&
      !get_what_if_property (self, property_id, value) &&
      !get_look_property (self, property_id, value) &&
      !get_state_property (self, property_id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static bool
set_selection_property (AtnSession *self, guint property_id, const GValue *value)
{
  switch (property_id) {
  case PROP_TEXT:
    atn_session_set_text (self, g_value_get_string (value));
    return true;
  case PROP_PAIR:
    atn_session_set_pair (self, g_value_get_string (value));
    return true;
  case PROP_LAYER:
    atn_session_set_layer (self, g_value_get_uint (value));
    return true;
  case PROP_HEAD:
    atn_session_set_head (self, g_value_get_uint (value));
    return true;
  case PROP_STAGE:
    atn_session_set_stage (self, (AtnStage) g_value_get_int (value));
    return true;
  case PROP_CAUSAL_MASK:
    atn_session_set_causal_mask (self, g_value_get_boolean (value));
    return true;
  case PROP_SCALE_BY_SQRT:
    atn_session_set_scale_by_sqrt (self, g_value_get_boolean (value));
    return true;
  case PROP_SCALE_NUMBER:
    atn_session_set_scale_number (self, g_value_get_double (value));
    return true;
  case PROP_TEMPERATURE:
    atn_session_set_temperature (self, g_value_get_double (value));
    return true;
  case PROP_SCOPE:
    atn_session_set_scope (self, (AtnScope) g_value_get_int (value));
    return true;
  default:
    return false;
  }
}

static bool
set_look_property (AtnSession *self, guint property_id, const GValue *value)
{
  switch (property_id) {
  case PROP_COLORMAP:
    atn_session_set_colormap (self, (AtnColormap) g_value_get_int (value));
    return true;
  case PROP_RANGE_MODE:
    atn_session_set_range_mode (self, (AtnRangeMode) g_value_get_int (value));
    return true;
  case PROP_LOG_SCALE:
    atn_session_set_log_scale (self, g_value_get_boolean (value));
    return true;
  case PROP_ZOOM:
    atn_session_set_zoom (self, g_value_get_double (value));
    return true;
  case PROP_TEXT_SCALE:
    atn_session_set_text_scale (self, g_value_get_double (value));
    return true;
  case PROP_SHOW_BASELINE:
    atn_session_set_show_baseline (self, g_value_get_boolean (value));
    return true;
  case PROP_LOAD_ERROR:
    atn_session_set_load_error (self, g_value_get_string (value));
    return true;
  default:
    return false;
  }
}

static void
atn_session_set_property (GObject *object,
                          guint property_id,
                          const GValue *value,
                          GParamSpec *pspec)
{
  AtnSession *self = ATN_SESSION (object);

  if (!set_selection_property (self, property_id, value) &&
      !set_look_property (self, property_id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

#define READ_ONLY (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY)
#define READ_WRITE (READ_ONLY | G_PARAM_WRITABLE)

static void
install_selection_properties (void)
{
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", READ_WRITE);
  properties[PROP_PAIR] = g_param_spec_string ("pair", NULL, NULL, "", READ_WRITE);
  properties[PROP_HAS_PAIR] = g_param_spec_boolean ("has-pair", NULL, NULL, FALSE, READ_ONLY);
  properties[PROP_LAYER] = g_param_spec_uint ("layer", NULL, NULL, 0, G_MAXUINT, 0, READ_WRITE);
  properties[PROP_HEAD] = g_param_spec_uint ("head", NULL, NULL, 0, G_MAXUINT, 0, READ_WRITE);
  properties[PROP_STAGE] =
    g_param_spec_int ("stage", NULL, NULL, 0, ATN_N_STAGES - 1, ATN_STAGE_PATTERN, READ_WRITE);
  properties[PROP_CAUSAL_MASK] =
    g_param_spec_boolean ("causal-mask", NULL, NULL, FALSE, READ_WRITE);
  properties[PROP_SCALE_BY_SQRT] =
    g_param_spec_boolean ("scale-by-sqrt", NULL, NULL, FALSE, READ_WRITE);
  properties[PROP_SCALE_NUMBER] =
    g_param_spec_double ("scale-number", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 1.0, READ_WRITE);
  properties[PROP_TEMPERATURE] =
    g_param_spec_double ("temperature", NULL, NULL, ATN_TEMPERATURE_MIN, ATN_TEMPERATURE_MAX, 1.0,
                         READ_WRITE);
  properties[PROP_SCOPE] =
    g_param_spec_int ("scope", NULL, NULL, 0, ATN_SCOPE_HEAD, ATN_SCOPE_NETWORK, READ_WRITE);
  properties[PROP_AS_TRAINED] = g_param_spec_boolean ("as-trained", NULL, NULL, TRUE, READ_ONLY);
  properties[PROP_QUERY] = g_param_spec_int ("query", NULL, NULL, -1, G_MAXINT, -1, READ_ONLY);
  properties[PROP_KEY] = g_param_spec_int ("key", NULL, NULL, -1, G_MAXINT, -1, READ_ONLY);
  properties[PROP_PINNED] = g_param_spec_boolean ("pinned", NULL, NULL, FALSE, READ_ONLY);
}

static void
install_look_properties (void)
{
  properties[PROP_COLORMAP] = g_param_spec_int ("colormap", NULL, NULL, 0, ATN_N_COLORMAPS - 1,
                                                ATN_COLORMAP_AUTO, READ_WRITE);
  properties[PROP_RANGE_MODE] = g_param_spec_int ("range-mode", NULL, NULL, 0, ATN_RANGE_SHARED,
                                                  ATN_RANGE_PER_HEAD, READ_WRITE);
  properties[PROP_LOG_SCALE] = g_param_spec_boolean ("log-scale", NULL, NULL, FALSE, READ_WRITE);
  properties[PROP_ZOOM] =
    g_param_spec_double ("zoom", NULL, NULL, ATN_ZOOM_MIN, ATN_ZOOM_MAX, 1.0, READ_WRITE);
  properties[PROP_TEXT_SCALE] =
    g_param_spec_double ("text-scale", NULL, NULL, 0.5, 3.0, 1.0, READ_WRITE);
  properties[PROP_SHOW_BASELINE] =
    g_param_spec_boolean ("show-baseline", NULL, NULL, FALSE, READ_WRITE);
}

static void
install_state_properties (void)
{
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, READ_ONLY);
  properties[PROP_ERROR] = g_param_spec_string ("error", NULL, NULL, NULL, READ_ONLY);
  properties[PROP_BANNER] = g_param_spec_string ("banner", NULL, NULL, NULL, READ_ONLY);
  properties[PROP_CUT_NOTICE] = g_param_spec_string ("cut-notice", NULL, NULL, NULL, READ_ONLY);
  properties[PROP_NOTE] = g_param_spec_string ("note", NULL, NULL, NULL, READ_ONLY);
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, READ_ONLY);
  properties[PROP_LOAD_PROGRESS] =
    g_param_spec_double ("load-progress", NULL, NULL, 0.0, 1.0, 0.0, READ_ONLY);
  properties[PROP_LOAD_ERROR] = g_param_spec_string ("load-error", NULL, NULL, NULL, READ_WRITE);
}

void
atn_session_install_properties (GObjectClass *object_class)
{
  object_class->get_property = atn_session_get_property;
  object_class->set_property = atn_session_set_property;
  install_selection_properties ();
  install_look_properties ();
  install_state_properties ();
  g_object_class_install_properties (object_class, N_PROPS, properties);
}
