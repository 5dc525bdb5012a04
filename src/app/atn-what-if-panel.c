/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The switches are bound to the session. The numbers are not: a spin button
 * rounds to the digits it shows, and 0.1768 must not replace 1/√32.
 */

#include "app/atn-what-if-panel.h"

#include "app/atn-format.h"

#include <glib/gi18n.h>
#include <math.h>

struct _AtnWhatIfPanel
{
  AtnView parent_instance;

  bool is_updating;

  GtkSwitch *causal_switch;
  GtkLabel *causal_label;
  GtkSwitch *scale_switch;
  GtkLabel *scale_label;
  GtkSpinButton *factor_spin;
  GtkSpinButton *temperature_spin;
  GtkScale *temperature_scale;
  GtkToggleButton *network_toggle;
  GtkToggleButton *head_toggle;
  GtkLabel *scope_label;
  GtkButton *reset_button;
};

G_DEFINE_FINAL_TYPE (AtnWhatIfPanel, atn_what_if_panel, ATN_TYPE_VIEW)

static bool
shows_same (GtkSpinButton *spin, double value)
{
  double half_a_digit = 0.5 * pow (10.0, -(double) gtk_spin_button_get_digits (spin));

  return fabs (gtk_spin_button_get_value (spin) - value) <= half_a_digit;
}

static void
factor_changed_cb (GtkSpinButton *spin, gpointer user_data)
{
  AtnWhatIfPanel *self = user_data;
  AtnSession *session = atn_view_get_session (self);

  if (self->is_updating || session == NULL ||
      shows_same (spin, atn_session_get_scale_number (session)))
    return;
  atn_session_set_scale_number (session, gtk_spin_button_get_value (spin));
}

static void
temperature_changed_cb (GtkSpinButton *spin, gpointer user_data)
{
  AtnWhatIfPanel *self = user_data;
  AtnSession *session = atn_view_get_session (self);

  if (self->is_updating || session == NULL ||
      shows_same (spin, atn_session_get_temperature (session)))
    return;
  atn_session_set_temperature (session, gtk_spin_button_get_value (spin));
}

/* The slider moves on the logarithm: half and double are equally far from 1. */
static void
slider_changed_cb (GtkRange *range, gpointer user_data)
{
  AtnWhatIfPanel *self = user_data;
  AtnSession *session = atn_view_get_session (self);
  double temperature = exp2 (gtk_range_get_value (range));

  if (self->is_updating || session == NULL)
    return;
  /* Catches the mark at 1, and gives numbers that can be said. */
  temperature = fabs (temperature - 1.0) < 0.03 ? 1.0 : round (temperature * 100.0) / 100.0;
  atn_session_set_temperature (session, temperature);
}

static void
scope_toggled_cb (GtkToggleButton *toggle, gpointer user_data)
{
  AtnWhatIfPanel *self = user_data;
  AtnSession *session = atn_view_get_session (self);

  if (self->is_updating || session == NULL || !gtk_toggle_button_get_active (toggle))
    return;
  atn_session_set_scope (session, toggle == self->head_toggle ? ATN_SCOPE_HEAD : ATN_SCOPE_NETWORK);
}

static void
follow_causal (AtnWhatIfPanel *self)
{
  bool is_causal = atn_session_get_causal_mask (atn_view_get_session (self));

  gtk_label_set_label (self->causal_label,
                       is_causal ? _ ("No token looks ahead") : _ ("Tokens look back and ahead"));
}

/* What the switch does now, not what it would do. */
static char *
dup_scale_text (AtnSession *session, size_t d_head)
{
  double factor = atn_session_get_scale_number (session);
  g_autofree char *factor_text = NULL;

  if (atn_session_get_scale_by_sqrt (session))
    /* Translators: d is the width of a head, e.g. d = 32 and √d ≈ 5.66 */
    return g_strdup_printf (_ ("Divides q·k by √%d ≈ %.2f"), (int) d_head, sqrt ((double) d_head));
  if (fabs (factor - 1.0) < 1e-6)
    return g_strdup (_ ("Leaves q·k as it is"));
  factor_text = atn_format_dup_rough_number (factor);
  /* Translators: a number */
  return g_strdup_printf (_ ("Multiplies q·k by %s"), factor_text);
}

static void
follow_scale (AtnWhatIfPanel *self)
{
  AtnSession *session = atn_view_get_session (self);
  AtnModel *model = atn_session_get_model (session);
  g_autofree char *text = NULL;

  if (model == NULL)
    return;
  text = dup_scale_text (session, atn_model_get_config (model)->d_head);
  gtk_label_set_label (self->scale_label, text);
}

static void
follow_scope (AtnWhatIfPanel *self)
{
  bool is_head = atn_session_get_scope (atn_view_get_session (self)) == ATN_SCOPE_HEAD;

  gtk_toggle_button_set_active (is_head ? self->head_toggle : self->network_toggle, TRUE);
  gtk_label_set_label (self->scope_label, is_head ? _ ("Later layers and predictions stay")
                                                  : _ ("Every layer is computed again"));
}

static void
follow_session (AtnWhatIfPanel *self)
{
  AtnSession *session = atn_view_get_session (self);
  double temperature = atn_session_get_temperature (session);

  self->is_updating = true;
  gtk_widget_set_sensitive (GTK_WIDGET (self), atn_session_get_model (session) != NULL);
  if (!shows_same (self->factor_spin, atn_session_get_scale_number (session)))
    gtk_spin_button_set_value (self->factor_spin, atn_session_get_scale_number (session));
  if (!shows_same (self->temperature_spin, temperature))
    gtk_spin_button_set_value (self->temperature_spin, temperature);
  if (fabs (exp2 (gtk_range_get_value (GTK_RANGE (self->temperature_scale))) - temperature) > 0.04)
    gtk_range_set_value (GTK_RANGE (self->temperature_scale), log2 (temperature));
  follow_causal (self);
  follow_scale (self);
  follow_scope (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->reset_button),
                            !atn_session_is_as_trained (session) ||
                              atn_session_get_scope (session) != ATN_SCOPE_NETWORK);
  self->is_updating = false;
}

static void
atn_what_if_panel_bind (AtnView *view, AtnSession *session)
{
  AtnWhatIfPanel *self = ATN_WHAT_IF_PANEL (view);
  const char *followed[] = { "model-changed", "notify::as-trained", "notify::layer" };

  g_object_bind_property (session, "causal-mask", self->causal_switch, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (session, "scale-by-sqrt", self->scale_switch, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  for (size_t i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i], G_CALLBACK (follow_session), self,
                             G_CONNECT_SWAPPED);
  follow_session (self);
}

static void
atn_what_if_panel_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_WHAT_IF_PANEL);
  G_OBJECT_CLASS (atn_what_if_panel_parent_class)->dispose (object);
}

static void
atn_what_if_panel_class_init (AtnWhatIfPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_what_if_panel_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_what_if_panel_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-what-if-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, causal_switch);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, causal_label);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, scale_switch);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, scale_label);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, factor_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, temperature_spin);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, temperature_scale);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, network_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, head_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, scope_label);
  gtk_widget_class_bind_template_child (widget_class, AtnWhatIfPanel, reset_button);
  gtk_widget_class_bind_template_callback (widget_class, factor_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, temperature_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, slider_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, scope_toggled_cb);
}

static void
atn_what_if_panel_init (AtnWhatIfPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_range_set_range (GTK_RANGE (self->temperature_scale), log2 (ATN_TEMPERATURE_MIN),
                       log2 (ATN_TEMPERATURE_MAX));
  gtk_scale_add_mark (self->temperature_scale, 0.0, GTK_POS_BOTTOM, NULL);
}
