/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-sentence.h"

#include "app/atn-measure.h"

#include <glib/gi18n.h>

/* A paragraph is laid out as a whole at each key stroke, on the main thread; 16,384 characters are
 * some 4,000 tokens. */
#define MAX_CHARS 16384
/* Above and below the text, as in the template. */
#define MARGIN 6

struct _AtnSentence
{
  AtnView parent_instance;

  char *label;
  bool is_pair;
  bool is_updating; /* the buffer follows the session */
  int max_lines;

  GtkScrolledWindow *scroller;
  GtkTextView *text_view;
};

G_DEFINE_FINAL_TYPE (AtnSentence, atn_sentence, ATN_TYPE_VIEW)

enum
{
  PROP_0,
  PROP_LABEL,
  PROP_IS_PAIR,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static char *
dup_text (AtnSentence *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

static void
buffer_changed_cb (GtkTextBuffer *buffer, gpointer user_data)
{
  AtnSentence *self = user_data;
  AtnSession *session = atn_view_get_session (self);
  g_autofree char *text = NULL;
  gint64 start;

  if (self->is_updating || session == NULL)
    return;
  start = atn_measure_begin ();
  text = dup_text (self);
  if (self->is_pair)
    atn_session_set_pair (session, text);
  else
    atn_session_set_text (session, text);
  atn_measure_end ("sentence changed", start);
}

/* Runs before the default handler, which inserts. */
static void
insert_text_cb (GtkTextBuffer *buffer,
                GtkTextIter *location,
                const char *text,
                int length,
                gpointer user_data)
{
  AtnSentence *self = user_data;
  int n_free = MAX_CHARS - gtk_text_buffer_get_char_count (buffer);
  glong n_chars = g_utf8_strlen (text, length);

  if (n_chars <= n_free)
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  if (n_free > 0)
    gtk_text_buffer_insert (buffer, location, text,
                            (int) (g_utf8_offset_to_pointer (text, n_free) - text));
  if (atn_view_get_session (self) != NULL) {
    g_autofree char *message =
      /* Translators: the number is 16384 */
      g_strdup_printf (_ ("Only the first %'d characters are kept"), MAX_CHARS);

    g_signal_emit_by_name (atn_view_get_session (self), "message", message);
  }
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint keyval,
                guint keycode,
                GdkModifierType state,
                gpointer user_data)
{
  AtnSentence *self = user_data;
  GdkEvent *event;

  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter && keyval != GDK_KEY_ISO_Enter)
    return GDK_EVENT_PROPAGATE;
  /* Enter first belongs to an input method, which may be in the middle of a Chinese word. */
  event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));
  if (gtk_text_view_im_context_filter_keypress (self->text_view, event))
    return GDK_EVENT_STOP;
  if ((state & GDK_SHIFT_MASK) != 0)
    gtk_text_buffer_insert_interactive_at_cursor (gtk_text_view_get_buffer (self->text_view), "\n",
                                                  1, TRUE);
  return GDK_EVENT_STOP;
}

static void
follow_session (AtnSentence *self)
{
  AtnSession *session = atn_view_get_session (self);
  const char *wanted =
    self->is_pair ? atn_session_get_pair (session) : atn_session_get_text (session);
  g_autofree char *shown = dup_text (self);

  if (g_str_equal (shown, wanted))
    return;
  self->is_updating = true;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text_view), wanted, -1);
  self->is_updating = false;
}

static void
follow_has_pair (AtnSentence *self)
{
  if (self->is_pair)
    gtk_widget_set_visible (GTK_WIDGET (self), atn_session_has_pair (atn_view_get_session (self)));
}

static void
atn_sentence_bind (AtnView *view, AtnSession *session)
{
  AtnSentence *self = ATN_SENTENCE (view);

  g_signal_connect_object (session, self->is_pair ? "notify::pair" : "notify::text",
                           G_CALLBACK (follow_session), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::has-pair", G_CALLBACK (follow_has_pair), self,
                           G_CONNECT_SWAPPED);
  follow_session (self);
  follow_has_pair (self);
}

/* A text view that grows by a line has first scrolled to it, and stays scrolled into its margin
 * although all of it would fit. */
static void
keep_top_in_sight (GtkAdjustment *adjustment, gpointer user_data)
{
  AtnSentence *self = user_data;
  GtkTextIter end;
  GdkRectangle last;

  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (self->text_view), &end);
  gtk_text_view_get_iter_location (self->text_view, &end, &last);
  if (last.y + last.height + MARGIN <= gtk_widget_get_height (GTK_WIDGET (self->scroller)))
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_lower (adjustment));
}

static void
limit_height (AtnSentence *self)
{
  g_autoptr (PangoLayout) layout =
    gtk_widget_create_pango_layout (GTK_WIDGET (self->text_view), "Xg");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_scrolled_window_set_max_content_height (self->scroller,
                                              self->max_lines * height + 2 * MARGIN);
}

/* Text of another size has lines of another height. */
static void
atn_sentence_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (atn_sentence_parent_class)->css_changed (widget, change);
  limit_height (ATN_SENTENCE (widget));
}

static gboolean
atn_sentence_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (ATN_SENTENCE (widget)->text_view));
}

static void
atn_sentence_set_property (GObject *object,
                           guint property_id,
                           const GValue *value,
                           GParamSpec *pspec)
{
  AtnSentence *self = ATN_SENTENCE (object);

  switch (property_id) {
  case PROP_LABEL:
    g_free (self->label);
    self->label = g_value_dup_string (value);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->text_view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    self->label, -1);
    break;
  case PROP_IS_PAIR:
    self->is_pair = g_value_get_boolean (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  }
}

static void
atn_sentence_finalize (GObject *object)
{
  g_free (ATN_SENTENCE (object)->label);
  G_OBJECT_CLASS (atn_sentence_parent_class)->finalize (object);
}

static void
atn_sentence_class_init (AtnSentenceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = atn_sentence_set_property;
  object_class->finalize = atn_sentence_finalize;
  widget_class->grab_focus = atn_sentence_grab_focus;
  widget_class->css_changed = atn_sentence_css_changed;
  ATN_VIEW_CLASS (klass)->bind = atn_sentence_bind;

  properties[PROP_LABEL] =
    g_param_spec_string ("label", NULL, NULL, NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_IS_PAIR] =
    g_param_spec_boolean ("is-pair", NULL, NULL, FALSE,
                          G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/attnscope/Attnscope/ui/atn-sentence.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnSentence, scroller);
  gtk_widget_class_bind_template_child (widget_class, AtnSentence, text_view);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
}

static void
atn_sentence_init (AtnSentence *self)
{
  GtkAdjustment *adjustment;
  GtkTextBuffer *buffer;

  self->max_lines = ATN_SENTENCE_MAX_LINES;
  gtk_widget_init_template (GTK_WIDGET (self));
  buffer = gtk_text_view_get_buffer (self->text_view);
  g_signal_connect_object (buffer, "changed", G_CALLBACK (buffer_changed_cb), self, 0);
  g_signal_connect_object (buffer, "insert-text", G_CALLBACK (insert_text_cb), self, 0);
  limit_height (self);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (keep_top_in_sight), self, 0);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (keep_top_in_sight), self, 0);
}

void
atn_sentence_set_max_lines (AtnSentence *self, int max_lines)
{
  g_return_if_fail (ATN_IS_SENTENCE (self));

  if (self->max_lines == max_lines)
    return;
  self->max_lines = max_lines;
  limit_height (self);
}

void
atn_sentence_append (AtnSentence *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_insert (buffer, &end, text, -1);
  gtk_text_buffer_end_user_action (buffer);
  gtk_text_buffer_place_cursor (buffer, &end);
}

/* Scripts whose words have no space between them are wide. */
static bool
needs_space (gunichar c)
{
  return g_unichar_isalnum (c) && !g_unichar_iswide (c);
}

void
atn_sentence_insert_word (AtnSentence *self, const char *word)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  g_autoptr (GString) text = g_string_new (word);
  GtkTextIter start, end, before;

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete_selection (buffer, TRUE, TRUE);
  gtk_text_buffer_get_iter_at_mark (buffer, &start, gtk_text_buffer_get_insert (buffer));
  before = end = start;
  if (gtk_text_iter_backward_char (&before) && needs_space (gtk_text_iter_get_char (&before)))
    g_string_prepend_c (text, ' ');
  if (needs_space (gtk_text_iter_get_char (&end)))
    g_string_append_c (text, ' ');
  gtk_text_buffer_insert (buffer, &start, text->str, (int) text->len);
  gtk_text_buffer_end_user_action (buffer);
  gtk_widget_grab_focus (GTK_WIDGET (self->text_view));
}
