/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-application.h"
#include "app/atn-measure.h"
#include "base/atn-paths.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <stdlib.h>

static int
handle_options_cb (GApplication *application, GVariantDict *options, gpointer user_data)
{
  if (g_variant_dict_contains (options, "version")) {
    g_print ("attnscope %s\n", ATN_VERSION);
    return 0;
  }
  if (g_variant_dict_contains (options, "measure") ||
      g_variant_dict_contains (options, "measure-start")) {
    atn_measure_enable (g_variant_dict_contains (options, "measure-start"));
    atn_measure_mark ("options read");
    /* A measurement is not to run inside a window that is open. */
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  }
  /* What X11 knows the window by. Not before the help, which calls the program as it was typed. */
  g_set_prgname ("io.github.attnscope.Attnscope");
  if (!gtk_init_check ()) {
    g_printerr (
      _ ("attnscope: there is no display to show a window on; attnscope-cli needs none\n"));
    return EXIT_FAILURE;
  }
  return -1;
}

int
main (int argc, char *argv[])
{
  const GOptionEntry entries[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Show the version and exit"), NULL },
    { "measure", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL,
      N_ ("Type by itself, print how long it took, and exit"), NULL },
    { "measure-start", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL, NULL, NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  g_autoptr (AtnApplication) application = NULL;

  setlocale (LC_ALL, "");
  atn_paths_bind_translations ();
  application = atn_application_new ();
  g_application_add_main_option_entries (G_APPLICATION (application), entries);
  g_application_set_option_context_parameter_string (G_APPLICATION (application), _ ("[MODEL]"));
  g_signal_connect (application, "handle-local-options", G_CALLBACK (handle_options_cb), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
