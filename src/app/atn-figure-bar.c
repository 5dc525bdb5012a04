/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-figure-bar.h"

#include "app/atn-swatch.h"

#include <glib/gi18n.h>

#define ZOOM_STEP 1.5

struct _AtnFigureBar
{
  AtnView parent_instance;

  /* One of both, not owned: a sibling in the template of the view around both */
  AtnFigureView *figure_view;
  AtnHeadGrid *head_grid;
  bool is_updating;

  /* Template children, in the order of atn-figure-bar.ui */
  GtkWidget *zoom_box;
  GtkButton *zoom_button;
  GtkLabel *zoom_label;
  GtkBox *colormap_box;
  GtkToggleButton *per_head_toggle;
  GtkToggleButton *shared_toggle;
  GtkToggleButton *linear_toggle;
  GtkToggleButton *log_toggle;
  GtkWidget *numbers_row;
  GtkSwitch *numbers_switch;

  GtkToggleButton *colormaps[ATN_N_COLORMAPS];
};

G_DEFINE_FINAL_TYPE (AtnFigureBar, atn_figure_bar, ATN_TYPE_VIEW)

static const char *
get_colormap_title (AtnColormap colormap)
{
  static const char *const titles[ATN_N_COLORMAPS] = {
    [ATN_COLORMAP_AUTO] = N_ ("Automatic"),      [ATN_COLORMAP_VIRIDIS] = N_ ("Viridis"),
    [ATN_COLORMAP_CIVIDIS] = N_ ("Cividis"),     [ATN_COLORMAP_MAGMA] = N_ ("Magma"),
    [ATN_COLORMAP_DIVERGING] = N_ ("Diverging"),
  };

  return _ (titles[colormap]);
}

static GtkWidget *
create_swatch (AtnColormap colormap)
{
  g_autoptr (GdkTexture) texture = atn_swatch_new_texture (colormap);
  GtkWidget *picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));

  gtk_widget_set_halign (picture, GTK_ALIGN_END);
  gtk_widget_set_valign (picture, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (picture, TRUE);
  return picture;
}

static void
colormap_toggled_cb (AtnFigureBar *self, GtkToggleButton *toggle)
{
  AtnSession *session = atn_view_get_session (self);

  if (self->is_updating || session == NULL || !gtk_toggle_button_get_active (toggle))
    return;
  for (int i = 0; i < ATN_N_COLORMAPS; i++)
    if (self->colormaps[i] == toggle)
      atn_session_set_colormap (session, (AtnColormap) i);
}

static void
append_colormap (AtnFigureBar *self, AtnColormap colormap)
{
  const char *title = get_colormap_title (colormap);
  GtkWidget *toggle = gtk_toggle_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_box_append (GTK_BOX (box), gtk_label_new (title));
  if (colormap != ATN_COLORMAP_AUTO)
    gtk_box_append (GTK_BOX (box), create_swatch (colormap));
  gtk_button_set_child (GTK_BUTTON (toggle), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  self->colormaps[colormap] = GTK_TOGGLE_BUTTON (toggle);
  if (colormap > 0)
    gtk_toggle_button_set_group (self->colormaps[colormap], self->colormaps[0]);
  g_signal_connect_swapped (toggle, "toggled", G_CALLBACK (colormap_toggled_cb), self);
  gtk_box_append (self->colormap_box, toggle);
}

static void
look_toggled_cb (AtnFigureBar *self)
{
  AtnSession *session = atn_view_get_session (self);

  if (self->is_updating || session == NULL)
    return;
  atn_session_set_range_mode (session, gtk_toggle_button_get_active (self->shared_toggle)
                                         ? ATN_RANGE_SHARED
                                         : ATN_RANGE_PER_HEAD);
  atn_session_set_log_scale (session, gtk_toggle_button_get_active (self->log_toggle));
}

static void
zoom_by (AtnFigureBar *self, double factor)
{
  if (self->figure_view != NULL)
    atn_figure_view_zoom_by (self->figure_view, factor);
  else if (self->head_grid != NULL)
    atn_head_grid_zoom_by (self->head_grid, factor);
}

static void
zoom_in_cb (AtnFigureBar *self)
{
  zoom_by (self, ZOOM_STEP);
}

static void
zoom_out_cb (AtnFigureBar *self)
{
  zoom_by (self, 1.0 / ZOOM_STEP);
}

static void
zoom_reset_cb (AtnFigureBar *self)
{
  if (self->figure_view != NULL)
    atn_figure_view_reset_zoom (self->figure_view);
  else if (self->head_grid != NULL)
    atn_head_grid_reset_zoom (self->head_grid);
}

static double
get_zoom (AtnFigureBar *self)
{
  double zoom;

  if (self->head_grid == NULL)
    return atn_session_get_zoom (atn_view_get_session (self));
  g_object_get (self->head_grid, "zoom", &zoom, NULL);
  return zoom;
}

static void
follow_zoom (AtnFigureBar *self)
{
  /* Translators: a zoom of 150 percent */
  g_autofree char *zoom = g_strdup_printf (_ ("%.0f %%"), 100.0 * get_zoom (self));

  gtk_label_set_text (self->zoom_label, zoom);
}

static void
follow_session (AtnFigureBar *self)
{
  AtnSession *session = atn_view_get_session (self);

  follow_zoom (self);
  self->is_updating = true;
  gtk_toggle_button_set_active (self->colormaps[atn_session_get_colormap (session)], TRUE);
  gtk_toggle_button_set_active (atn_session_get_range_mode (session) == ATN_RANGE_SHARED
                                  ? self->shared_toggle
                                  : self->per_head_toggle,
                                TRUE);
  gtk_toggle_button_set_active (atn_session_get_log_scale (session) ? self->log_toggle
                                                                    : self->linear_toggle,
                                TRUE);
  self->is_updating = false;
}

static void
atn_figure_bar_bind (AtnView *view, AtnSession *session)
{
  const char *followed[] = { "notify::zoom", "notify::colormap", "notify::range-mode",
                             "notify::log-scale", "model-changed" };

  for (gsize i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (session, followed[i], G_CALLBACK (follow_session), view,
                             G_CONNECT_SWAPPED);
  follow_session (ATN_FIGURE_BAR (view));
}

static void
atn_figure_bar_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_FIGURE_BAR);
  G_OBJECT_CLASS (atn_figure_bar_parent_class)->dispose (object);
}

static void
atn_figure_bar_class_init (AtnFigureBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_figure_bar_dispose;
  ATN_VIEW_CLASS (klass)->bind = atn_figure_bar_bind;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-figure-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, zoom_box);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, zoom_button);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, zoom_label);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, colormap_box);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, per_head_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, shared_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, linear_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, log_toggle);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, numbers_row);
  gtk_widget_class_bind_template_child (widget_class, AtnFigureBar, numbers_switch);
  gtk_widget_class_bind_template_callback (widget_class, look_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, zoom_in_cb);
  gtk_widget_class_bind_template_callback (widget_class, zoom_out_cb);
  gtk_widget_class_bind_template_callback (widget_class, zoom_reset_cb);
}

static void
atn_figure_bar_init (AtnFigureBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < ATN_N_COLORMAPS; i++)
    append_colormap (self, (AtnColormap) i);
}

void
atn_figure_bar_set_figure_view (AtnFigureBar *self, AtnFigureView *figure_view)
{
  g_return_if_fail (ATN_IS_FIGURE_BAR (self));

  self->figure_view = figure_view;
  gtk_widget_set_visible (self->zoom_box, TRUE);
  gtk_widget_set_visible (self->numbers_row, TRUE);
  g_object_bind_property (figure_view, "show-numbers", self->numbers_switch, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

void
atn_figure_bar_set_head_grid (AtnFigureBar *self, AtnHeadGrid *head_grid)
{
  g_return_if_fail (ATN_IS_FIGURE_BAR (self));

  self->head_grid = head_grid;
  gtk_widget_set_visible (self->zoom_box, TRUE);
  g_signal_connect_object (head_grid, "notify::zoom", G_CALLBACK (follow_zoom), self,
                           G_CONNECT_SWAPPED);
}
