/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The window is one class in several files: the frame (atn-window.c), what its
 * actions do (-actions.c), files (-file.c), pictures that leave it (-export.c)
 * and what is remembered (-settings.c).
 */

#pragma once

#include "app/atn-compute.h"
#include "app/atn-export-spec.h"
#include "app/atn-predictions-panel.h"
#include "app/atn-sentence.h"
#include "app/atn-settings.h"
#include "app/atn-token-bar.h"
#include "app/atn-window.h"

G_BEGIN_DECLS

struct _AtnWindow
{
  AdwApplicationWindow parent_instance;

  AtnSession *session;
  GSettings *settings; /* (nullable) */
  AtnExportSpec export_spec;
  AtnLane *export_lane;
  AtnLane *copy_lane;
  GtkFileChooserNative *chooser; /* (nullable) while it is open */
  int height;                    /* for which the lines of text were limited */
  guint lines_source;
  bool restores; /* the sentence of the last time is to be shown with the model that loads */

  /* Template children, in the order of atn-window.ui */
  AdwWindowTitle *window_title;
  AdwSplitButton *open_button;
  GtkBox *view_buttons;
  GtkMenuButton *examples_button;
  GtkMenuButton *menu_button;
  GtkStack *main_stack;
  AdwStatusPage *empty_page;
  AtnSentence *sentence;
  GtkButton *mask_button;
  GtkLabel *count_label;
  GtkSpinner *spinner;
  AtnSentence *pair_sentence;
  GtkLabel *error_label;
  AtnTokenBar *token_bar;
  AdwToastOverlay *toast_overlay;
  AdwFlap *sidebar_flap;
  GtkBox *sidebar_box;
  AdwFlap *inspector_flap;
  GtkBox *inspector_box;
  AdwViewStack *view_stack;
  AtnPredictionsPanel *predictions_panel;
};

void atn_window_show_toast (AtnWindow *self, const char *text);

/* atn-window-actions.c */
void atn_window_install_actions (GtkWidgetClass *widget_class);
void atn_window_init_actions (AtnWindow *self);

/* atn-window-file.c */
void atn_window_install_file_actions (GtkWidgetClass *widget_class);
void atn_window_init_files (AtnWindow *self);

/* atn-window-export.c */
void atn_window_install_export_actions (GtkWidgetClass *widget_class);
void atn_window_init_export (AtnWindow *self);

/* atn-window-settings.c */
void atn_window_follow_text_scale (AtnWindow *self);
void atn_window_restore (AtnWindow *self);
void atn_window_save (AtnWindow *self);

G_END_DECLS
