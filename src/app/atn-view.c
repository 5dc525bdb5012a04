/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-view.h"

typedef struct
{
  AtnSession *session; /* (nullable) */
} AtnViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (AtnView, atn_view, ADW_TYPE_BIN)

enum
{
  PROP_0,
  PROP_SESSION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

AtnSession *
atn_view_get_session (gpointer self)
{
  AtnViewPrivate *priv = atn_view_get_instance_private (self);

  g_return_val_if_fail (ATN_IS_VIEW (self), NULL);
  return priv->session;
}

static void
atn_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_SESSION)
    g_value_set_object (value, atn_view_get_session (object));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
atn_view_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  AtnView *self = ATN_VIEW (object);
  AtnViewPrivate *priv = atn_view_get_instance_private (self);

  if (property_id != PROP_SESSION) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    return;
  }
  if (g_value_get_object (value) == NULL)
    return;
  g_return_if_fail (priv->session == NULL);
  priv->session = g_value_dup_object (value);
  if (ATN_VIEW_GET_CLASS (self)->bind != NULL)
    ATN_VIEW_GET_CLASS (self)->bind (self, priv->session);
}

static void
atn_view_dispose (GObject *object)
{
  AtnViewPrivate *priv = atn_view_get_instance_private (ATN_VIEW (object));

  g_clear_object (&priv->session);
  G_OBJECT_CLASS (atn_view_parent_class)->dispose (object);
}

static void
atn_view_class_init (AtnViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = atn_view_get_property;
  object_class->set_property = atn_view_set_property;
  object_class->dispose = atn_view_dispose;
  properties[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, ATN_TYPE_SESSION,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
atn_view_init (AtnView *self)
{
}
