/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The whole window: its templates, its actions, and that nothing of it is left
 * when it is gone.
 */

#include "app/atn-application.h"
#include "app/atn-export-dialog.h"
#include "app/atn-help-window.h"
#include "app/atn-window.h"
#include "atn-test-loop.h"
#include "base/atn-paths.h"

#include <glib/gstdio.h>
#include <string.h>

static AtnApplication *application;

static void
spin (void)
{
  for (int i = 0; i < 50; i++) {
    while (g_main_context_iteration (NULL, FALSE))
      ;
    g_usleep (1000);
  }
}

static bool
is_settled (AtnSession *session)
{
  return !atn_session_is_loading (session) && !atn_session_is_busy (session) &&
         atn_session_get_result (session) != NULL;
}

static AtnWindow *
open_window (const char *model)
{
  g_autofree char *path = atn_paths_find_model (model);
  AtnWindow *window = atn_window_new (GTK_APPLICATION (application));

  g_assert_nonnull (path);
  gtk_window_present (GTK_WINDOW (window));
  atn_window_start (window, path);
  atn_test_wait_until (is_settled (atn_window_get_session (window)));
  return window;
}

static void
close_window (AtnWindow *window)
{
  AtnWindow *gone = window;

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &gone);
  gtk_window_close (GTK_WINDOW (window));
  atn_test_wait_until (gone == NULL);
}

static void
close_others (AtnWindow *window)
{
  g_autoptr (GListModel) toplevels = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = g_list_model_get_n_items (toplevels); i-- > 0;) {
    g_autoptr (GtkWindow) other = g_list_model_get_item (toplevels, i);

    if (other != GTK_WINDOW (window))
      gtk_window_close (other);
  }
  spin ();
}

static void
test_a_closed_window_leaves_nothing_behind (void)
{
  AtnWindow *window = open_window ("six-tokens");
  AtnSession *session = atn_window_get_session (window);

  spin ();
  g_object_add_weak_pointer (G_OBJECT (session), (gpointer *) &session);
  close_window (window);
  spin ();
  g_assert_null (session);
}

static void
test_every_action_without_a_chooser_can_be_activated (void)
{
  /* Without the shortcuts: GTK 4.8 warns of a label of its own in there. */
  const char *actions[] = {
    "win.reset-to-trained", "win.hide-note",  "win.dismiss-error",
    "win.cancel-open",      "win.unpin",      "win.focus-sentence",
    "win.fold-panes",       "win.fold-panes", "win.copy-figure",
    "win.copy-numbers",     "win.model-info", "win.check-model",

    "win.export",
  };
  AtnWindow *window = open_window ("six-tokens");

  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++) {
    g_test_message ("%s", actions[i]);
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), actions[i], NULL));
    spin ();
    close_others (window);
  }
  for (int direction = -1; direction <= 1; direction++)
    g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window), "win.text-scale", "i", direction));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.colormap", "s", "magma"));
  g_assert_cmpint (atn_session_get_colormap (atn_window_get_session (window)), ==,
                   ATN_COLORMAP_MAGMA);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.range", "s", "shared"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.scale", "s", "log"));
  g_assert_true (atn_session_get_log_scale (atn_window_get_session (window)));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.view", "s", "heads"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.example", "u", 1));
  spin ();
  close_window (window);
}

static void
test_a_window_may_be_closed_while_it_works (void)
{
  for (int i = 0; i < 5; i++) {
    AtnWindow *window = open_window ("six-tokens");

    for (int n = 0; n < 30; n++)
      atn_session_set_text (atn_window_get_session (window), n % 2 == 0 ? "the cat" : "the");
    close_window (window);
  }
  spin ();
}

static void
test_two_windows_do_not_disturb_each_other (void)
{
  AtnWindow *first = open_window ("six-tokens");
  AtnWindow *second = open_window ("cat-chases-mouse");

  atn_session_set_text (atn_window_get_session (first), "the cat");
  atn_session_set_causal_mask (atn_window_get_session (second), true);
  atn_test_wait_until (is_settled (atn_window_get_session (first)) &&
                       is_settled (atn_window_get_session (second)));
  g_assert_cmpuint (atn_session_get_n_tokens (atn_window_get_session (first)), ==, 2);
  g_assert_cmpuint (atn_session_get_n_tokens (atn_window_get_session (second)), ==, 3);
  close_window (first);
  close_window (second);
}

static void
test_an_export_replaces_a_whole_file_or_nothing (void)
{
  g_autofree char *folder = g_dir_make_tmp ("atn-export-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "figure.svg", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing", "figure.svg", NULL);
  AtnWindow *window = open_window ("six-tokens");
  AtnSession *session = atn_window_get_session (window);
  g_autofree char *text = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.export-to", "s", path);
  atn_test_wait_until (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "</svg>"));

  gtk_widget_activate_action (GTK_WIDGET (window), "win.export-to", "s", missing);
  atn_test_wait_until (atn_session_get_load_error (session) != NULL);
  g_assert_nonnull (strstr (atn_session_get_load_error (session), missing));
  close_window (window);
  g_remove (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Depth first. */
static GtkTextBuffer *
find_sentence (GtkWidget *widget)
{
  if (GTK_IS_TEXT_VIEW (widget))
    return gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkTextBuffer *buffer = find_sentence (child);

    if (buffer != NULL)
      return buffer;
  }
  return NULL;
}

static void
test_a_mask_is_inserted_apart_from_the_words_beside_it (void)
{
  /* The cursor is at the second offset, what lies between is selected. */
  const struct
  {
    const char *text;
    int bound;
    int cursor;
    const char *result;
  } rows[] = {
    { "the cat", 3, 3, "the [MASK] cat" },     { "the  cat", 4, 4, "the [MASK] cat" },
    { "the cat sat", 4, 7, "the [MASK] sat" }, { "", 0, 0, "[MASK]" },
    { "thecat", 3, 3, "the [MASK] cat" },      { "床前月光", 2, 2, "床前[MASK]月光" },
    { "the cat.", 7, 7, "the cat [MASK]." },
  };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "models", "bert", NULL);
  AtnWindow *window = open_window (path);
  AtnSession *session = atn_window_get_session (window);
  GtkTextBuffer *buffer = find_sentence (GTK_WIDGET (window));

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    GtkTextIter bound, cursor;

    gtk_text_buffer_set_text (buffer, rows[i].text, -1);
    gtk_text_buffer_get_iter_at_offset (buffer, &bound, rows[i].bound);
    gtk_text_buffer_get_iter_at_offset (buffer, &cursor, rows[i].cursor);
    gtk_text_buffer_select_range (buffer, &cursor, &bound);
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.insert-mask", NULL));
    g_assert_cmpstr (atn_session_get_text (session), ==, rows[i].result);
  }
  close_window (window);
}

static void
test_the_help_has_its_texts (void)
{
  AtnHelpWindow *help = atn_help_window_new (NULL);

  gtk_window_present (GTK_WINDOW (help));
  spin ();
  gtk_window_destroy (GTK_WINDOW (help));
  spin ();
}

int
main (int argc, char *argv[])
{
  int status;

  if (g_getenv ("DISPLAY") == NULL && g_getenv ("WAYLAND_DISPLAY") == NULL) {
    g_print ("1..0 # skip no display\n");
    return 0;
  }
  g_test_init (&argc, &argv, NULL);
  application = atn_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_application_hold (G_APPLICATION (application));

  g_test_add_func ("/app/frame/closed", test_a_closed_window_leaves_nothing_behind);
  g_test_add_func ("/app/frame/actions", test_every_action_without_a_chooser_can_be_activated);
  g_test_add_func ("/app/frame/busy", test_a_window_may_be_closed_while_it_works);
  g_test_add_func ("/app/frame/two-windows", test_two_windows_do_not_disturb_each_other);
  g_test_add_func ("/app/frame/export", test_an_export_replaces_a_whole_file_or_nothing);
  g_test_add_func ("/app/frame/mask", test_a_mask_is_inserted_apart_from_the_words_beside_it);
  g_test_add_func ("/app/frame/help", test_the_help_has_its_texts);
  status = g_test_run ();
  return status;
}
