/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Headings and paragraphs from a table. The stages explain themselves, by the
 * same lines that stand under the picture.
 */

#include "app/atn-help-window.h"

#include "app/atn-format.h"
#include "engine/atn-stage.h"

#include <glib/gi18n.h>
#include <string.h>

struct _AtnHelpWindow
{
  AdwWindow parent_instance;

  GtkBox *content_box;
};

G_DEFINE_FINAL_TYPE (AtnHelpWindow, atn_help_window, ADW_TYPE_WINDOW)

typedef struct
{
  const char *title; /* (nullable): goes on under the last heading */
  const char *text;
} Paragraph;

static const Paragraph before_stages[] = {
  { N_ ("What you see"),
    N_ ("A language model reads your sentence as tokens: words or pieces of words. In each layer "
        "every token looks at the other tokens and takes from them what it needs. The part that "
        "looks is called an attention head; a layer has several, and each looks for something "
        "else.") },
  { NULL,
    N_ ("The heatmap shows one head. A row is a token that looks (the query), a column is a token "
        "that is looked at (the key). A bright cell in the row “it” and the column “cat” says: "
        "when this head works on “it”, it takes much from “cat”. The weights of a row add up to "
        "1.") },
  { NULL,
    N_ ("Every number comes from the model that is open, computed on this computer while you type. "
        "Point at a cell and the calculation appears on the right; click it and it stays.") },
  { N_ ("From words to weights, in stages"),
    N_ ("For each token the head computes three lists of numbers: a query (what am I looking "
        "for?), a key (what do I have?) and a value (what do I give?). The strip of small pictures "
        "shows what happens to queries and keys, one step after the other:") },
};

static const Paragraph after_stages[] = {
  { N_ ("The switches"),
    N_ ("Each switch computes the attention again. What is not as the model was trained stands in "
        "a line above the pictures, and Reset to trained takes everything back.") },
  { N_ ("Causal mask"),
    N_ ("A model that continues texts may not look at what comes after: forbidden cells are "
        "hatched. Switch the mask off and tokens see the future, which such a model never learnt "
        "to use. A model that fills gaps has no mask; switch one on and see what it loses.") },
  { N_ ("Scale by 1/√d"),
    N_ ("The score of two tokens is a sum over all d numbers of query and key, so it grows with d. "
        "Without the division the softmax turns nearly all weights into 0 or 1.") },
  { N_ ("Temperature"),
    N_ ("The softmax divides the scores by it. Low temperatures leave only the best match, high "
        "ones give every token nearly the same.") },
  { N_ ("Whole network or this head"),
    N_ ("Whole network applies the switches in every layer, so later layers see other inputs and "
        "the predictions change. This head keeps the head's queries and keys and changes only the "
        "step you look at.") },
  { N_ ("Layers and heads"),
    N_ ("The small pictures on the left are all heads of the model, one row for each layer. "
        "Choose one; the view Heads shows them all in large. Some heads look at the token before, "
        "some at the same word earlier in the text, some at the first token when they have "
        "nothing to do.") },
  { N_ ("Predictions"),
    N_ ("At the bottom stands what the model expects next, or in the place of each [MASK], with "
        "its probability, and in brackets how far your switches have moved it. Click a token to "
        "append it to the sentence.") },
  { N_ ("Files"),
    N_ (
      "Open reads a model file of Attnscope (JSON), a Hugging Face folder, its .safetensors file, "
      "or a .gguf file. Export saves the picture as PNG, SVG or PDF and the numbers as CSV, TSV, "
      "NPY or "
      "JSON. Nothing is sent anywhere.") },
};

static GtkLabel *
append_label (AtnHelpWindow *self, const char *text, const char *css_class)
{
  g_autofree char *wrappable = atn_format_dup_wrappable (text);
  GtkWidget *label = gtk_label_new (wrappable);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (self->content_box, label);
  return GTK_LABEL (label);
}

static void
append_paragraphs (AtnHelpWindow *self, const Paragraph *paragraphs, size_t n_paragraphs)
{
  for (size_t i = 0; i < n_paragraphs; i++) {
    if (paragraphs[i].title != NULL)
      append_label (self, _ (paragraphs[i].title), "title-4");
    append_label (self, _ (paragraphs[i].text), NULL);
  }
}

static void
append_stages (AtnHelpWindow *self)
{
  for (int i = 0; i < ATN_N_STAGES; i++) {
    const char *title = atn_stage_get_title ((AtnStage) i);
    /* Translators: the title of a stage and the line that explains it */
    g_autofree char *text =
      g_strdup_printf (_ ("%s: %s"), title, atn_stage_get_explanation ((AtnStage) i));
    g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
    PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

    bold->end_index = (guint) strlen (title);
    pango_attr_list_insert (attributes, bold);
    gtk_label_set_attributes (append_label (self, text, "help-item"), attributes);
  }
}

static void
atn_help_window_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), ATN_TYPE_HELP_WINDOW);
  G_OBJECT_CLASS (atn_help_window_parent_class)->dispose (object);
}

static void
atn_help_window_class_init (AtnHelpWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = atn_help_window_dispose;
  gtk_widget_class_set_template_from_resource (
    widget_class, "/io/github/attnscope/Attnscope/ui/atn-help-window.ui");
  gtk_widget_class_bind_template_child (widget_class, AtnHelpWindow, content_box);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
atn_help_window_init (AtnHelpWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  append_paragraphs (self, before_stages, G_N_ELEMENTS (before_stages));
  append_stages (self);
  append_paragraphs (self, after_stages, G_N_ELEMENTS (after_stages));
  /* Arrow and page keys scroll what has the focus. */
  gtk_widget_grab_focus (GTK_WIDGET (self->content_box));
}

AtnHelpWindow *
atn_help_window_new (GtkWindow *parent)
{
  return g_object_new (ATN_TYPE_HELP_WINDOW, "transient-for", parent, NULL);
}
