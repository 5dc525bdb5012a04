/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-model-list.h"

#include "app/atn-format.h"
#include "app/atn-measure.h"
#include "app/atn-settings.h"
#include "base/atn-paths.h"
#include "model/atn-catalog.h"

#include <glib/gi18n.h>
#include <string.h>

#define SUMMARY_CHARS 46

struct _AtnModelList
{
  AtnView parent_instance;

  GSettings *settings; /* (nullable) */

  /* Template children, in the order of atn-model-list.ui */
  GtkWidget *models_box;
  GtkBox *bundled_box;
  GtkBox *own_box;
  GtkWidget *own_hint;
  GtkLabel *own_hint_label;
  GtkWidget *recent_heading;
  GtkBox *recent_box;
};

G_DEFINE_FINAL_TYPE (AtnModelList, atn_model_list, ATN_TYPE_VIEW)

enum
{
  PROP_0,
  PROP_MAX_HEIGHT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

enum
{
  SIGNAL_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
chosen_cb (AtnModelList *self)
{
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static void
clear (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

/* "4 layers × 6 heads · 6.0 MB", as far as it is known. */
static char *
dup_sizes (const AtnCatalogEntry *entry)
{
  g_autofree char *bytes = g_format_size ((guint64) entry->size);
  g_autofree char *layers = NULL;
  g_autofree char *heads = NULL;

  if (entry->n_layers == 0)
    return g_steal_pointer (&bytes);
  layers = g_strdup_printf (ngettext ("%d layer", "%d layers", (gulong) entry->n_layers),
                            (int) entry->n_layers);
  heads = g_strdup_printf (ngettext ("%d head", "%d heads", (gulong) entry->n_heads),
                           (int) entry->n_heads);
  /* Translators: layers, heads, bytes: "4 layers × 6 heads · 6.0 MB" */
  return g_strdup_printf (_ ("%s × %s · %s"), layers, heads, bytes);
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* The first line of a row: whether it is the open one, its name, its sizes. */
static GtkWidget *
new_title (const char *name, const char *sizes, bool is_open)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = new_label (name, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (sizes != NULL) {
    GtkWidget *size_label = new_label (sizes, "dim-label");

    gtk_widget_add_css_class (size_label, "caption");
    gtk_widget_add_css_class (size_label, "numeric");
    gtk_box_append (GTK_BOX (box), size_label);
  }
  if (is_open)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
  return box;
}

static GtkWidget *
new_summary (const char *summary, PangoEllipsizeMode ellipsize)
{
  g_autofree char *wrappable = atn_format_dup_wrappable (summary);
  GtkWidget *label = new_label (wrappable, "dim-label");

  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_wrap (GTK_LABEL (label), ellipsize == PANGO_ELLIPSIZE_END);
  gtk_label_set_lines (GTK_LABEL (label), 3);
  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  gtk_label_set_max_width_chars (GTK_LABEL (label), SUMMARY_CHARS);
  return label;
}

typedef struct
{
  const char *name;
  const char *path;
  const char *sizes;   /* (nullable) */
  const char *summary; /* (nullable) */
  PangoEllipsizeMode ellipsize;
} Row;

static bool
is_open (AtnModelList *self, const char *path)
{
  AtnModel *model = atn_session_get_model (atn_view_get_session (self));
  g_autofree char *wanted = NULL;
  g_autofree char *open = NULL;

  if (model == NULL)
    return false;
  wanted = g_canonicalize_filename (path, NULL);
  open = g_canonicalize_filename (atn_model_get_path (model), NULL);
  return g_str_equal (wanted, open);
}

static void
append_row (AtnModelList *self, GtkBox *box, const Row *row)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *description =
    g_strdup_printf ("%s%s%s", row->sizes != NULL ? row->sizes : "", row->sizes != NULL ? ". " : "",
                     row->summary != NULL ? row->summary : "");

  gtk_box_append (GTK_BOX (column), new_title (row->name, row->sizes, is_open (self, row->path)));
  if (row->summary != NULL)
    gtk_box_append (GTK_BOX (column), new_summary (row->summary, row->ellipsize));
  gtk_button_set_child (GTK_BUTTON (button), column);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "model-row");
  gtk_widget_set_tooltip_text (button, row->summary);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open-path");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", row->path);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, row->name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (box, button);
}

static void
append_entry (AtnModelList *self, GtkBox *box, const AtnCatalogEntry *entry)
{
  g_autofree char *sizes = dup_sizes (entry);
  const Row row = { .name = entry->name,
                    .path = entry->path,
                    .sizes = sizes,
                    .summary = entry->summary != NULL ? entry->summary : entry->family,
                    .ellipsize = PANGO_ELLIPSIZE_END };

  /* An action's parameter is text; a name that is none can still be opened by the file chooser. */
  if (g_utf8_validate (entry->path, -1, NULL))
    append_row (self, box, &row);
}

static bool
is_listed (const GPtrArray *entries, const char *path)
{
  g_autofree char *wanted = g_canonicalize_filename (path, NULL);

  for (guint i = 0; i < entries->len; i++) {
    const AtnCatalogEntry *entry = g_ptr_array_index (entries, i);
    g_autofree char *listed = g_canonicalize_filename (entry->path, NULL);

    if (g_str_equal (listed, wanted))
      return true;
  }
  return false;
}

/* By name and folder only: they may be on a disk that sleeps. What is listed above is not repeated.
 */
static void
fill_recent (AtnModelList *self, const GPtrArray *entries)
{
  g_auto (GStrv) recent = NULL;
  bool has_any = false;

  clear (self->recent_box);
  if (self->settings != NULL)
    recent = g_settings_get_strv (self->settings, "recent-models");
  for (int i = 0; recent != NULL && recent[i] != NULL; i++) {
    g_autofree char *name = g_path_get_basename (recent[i]);
    g_autofree char *folder = g_path_get_dirname (recent[i]);
    const Row row = { .name = name,
                      .path = recent[i],
                      .summary = folder,
                      .ellipsize = PANGO_ELLIPSIZE_START };

    if (is_listed (entries, recent[i]))
      continue;
    append_row (self, self->recent_box, &row);
    has_any = true;
  }
  gtk_widget_set_visible (self->recent_heading, has_any);
}

static void
fill (AtnModelList *self)
{
  gint64 start = atn_measure_begin ();
  g_autoptr (GPtrArray) entries = atn_catalog_list (g_get_language_names ());
  bool has_own = false;

  clear (self->bundled_box);
  clear (self->own_box);
  for (guint i = 0; i < entries->len; i++) {
    const AtnCatalogEntry *entry = g_ptr_array_index (entries, i);

    has_own = has_own || !entry->is_bundled;
    append_entry (self, entry->is_bundled ? self->bundled_box : self->own_box, entry);
  }
  gtk_widget_set_visible (self->own_hint, !has_own);
  fill_recent (self, entries);
  atn_measure_end ("model-list", start);
}

static void
model_changed_cb (AtnModelList *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

static void
atn_model_list_map (GtkWidget *widget)
{
  AtnModelList *self = ATN_MODEL_LIST (widget);

  if (atn_view_get_session (self) != NULL)
    fill (self);
  GTK_WIDGET_CLASS (atn_model_list_parent_class)->map (widget);
}

static void
atn_model_list_bind (AtnView *view, AtnSession *session)
{
  g_signal_connect_object (session, "model-changed", G_CALLBACK (model_changed_cb), view,
                           G_CONNECT_SWAPPED);
}

/* Once. In a popover the models scroll and the buttons stay; where the page around scrolls, all is
 * of one piece. */
static void
scroll_models (AtnModelList *self, int max_height)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  /* Not a child of the template: GTK would take it from the bin, which then lets go of it again. */
  GtkBox *box = GTK_BOX (gtk_widget_get_parent (self->models_box));

  g_object_set (scroller, "hscrollbar-policy", GTK_POLICY_NEVER, "propagate-natural-width", TRUE,
                "propagate-natural-height", TRUE, "max-content-height", max_height, NULL);
  g_object_ref (self->models_box);
  gtk_box_remove (box, self->models_box);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->models_box);
  g_object_unref (self->models_box);
  gtk_box_prepend (box, scroller);
}

static void
atn_model_list_set_property (GObject *object,
                             guint property_id,
                             const GValue *value,
                             GParamSpec *pspec)
{
  AtnModelList *self = ATN_MODEL_LIST (object);

  if (property_id != PROP_MAX_HEIGHT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    return;
  }
  scroll_models (self, g_value_get_int (value));
}

static void
atn_model_list_dispose (GObject *object)
{
  g_clear_object (&ATN_MODEL_LIST (object)->settings);
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_MODEL_LIST);
  G_OBJECT_CLASS (atn_model_list_parent_class)->dispose (object);
}

static void
atn_model_list_class_init (AtnModelListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_model_list_dispose;
  G_OBJECT_CLASS (klass)->set_property = atn_model_list_set_property;
  widget_class->map = atn_model_list_map;
  ATN_VIEW_CLASS (klass)->bind = atn_model_list_bind;
  properties[PROP_MAX_HEIGHT] = g_param_spec_int ("max-height", NULL, NULL, 1, G_MAXINT, G_MAXINT,
                                                  G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  signals[SIGNAL_CHOSEN] =
    g_signal_new ("chosen", ATN_TYPE_MODEL_LIST, 0, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-model-list.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, models_box);
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, bundled_box);
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, own_box);
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, own_hint);
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, own_hint_label);
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, recent_heading);
  gtk_widget_class_bind_template_child (widget_class, AtnModelList, recent_box);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
}

/* "~/.local/share/attnscope/models", as one would type it. */
static void
fill_hint (AtnModelList *self)
{
  g_autofree char *folder = atn_paths_dup_user_models_dir ();
  g_autofree char *shown = g_filename_display_name (folder);
  const char *home = g_get_home_dir ();
  bool is_below_home = g_str_has_prefix (shown, home) && shown[strlen (home)] == '/';
  g_autofree char *text =
    /* Translators: the placeholders are together the path of a folder; lines with commands follow
     */
    g_strdup_printf (_ ("Models in %s%s are listed here. These commands in a terminal get two, "
                        "a small BERT and a small Llama:"),
                     is_below_home ? "~" : "", is_below_home ? shown + strlen (home) : shown);

  gtk_label_set_label (self->own_hint_label, text);
}

static void
atn_model_list_init (AtnModelList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_hint (self);
  self->settings = atn_settings_new ();
}
