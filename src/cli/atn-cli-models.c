/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * models: the models that stand ready, one a line. The name comes first and has no
 * spaces in those that are bundled, so that a script takes the first word.
 */

#include "cli/atn-cli-input.h"
#include "cli/atn-cli.h"
#include "model/atn-catalog.h"

#include <glib/gi18n.h>
#include <string.h>

/* "4 × 6  6.0 MB": layers × heads where they are known, and what the file takes. */
static char *
dup_sizes (const AtnCatalogEntry *entry)
{
  g_autofree char *bytes = g_format_size ((guint64) entry->size);
  g_autofree char *heads = NULL;

  if (entry->n_layers > 0)
    heads = g_strdup_printf ("%zu × %zu", entry->n_layers, entry->n_heads);
  return g_strdup_printf ("%7s  %8s", heads != NULL ? heads : "", bytes);
}

gboolean
atn_cli_run_models (const AtnCliArguments *arguments, GError **error)
{
  g_autoptr (GPtrArray) entries = atn_catalog_list (g_get_language_names ());
  g_autoptr (GString) out = g_string_new (NULL);
  glong width = 0;

  for (guint i = 0; i < entries->len; i++) {
    const AtnCatalogEntry *entry = g_ptr_array_index (entries, i);

    width = MAX (width, g_utf8_strlen (entry->name, -1));
  }

  for (guint i = 0; i < entries->len; i++) {
    const AtnCatalogEntry *entry = g_ptr_array_index (entries, i);
    g_autofree char *sizes = dup_sizes (entry);
    const char *about = entry->summary != NULL ? entry->summary : entry->family;
    const int padding = (int) (width - g_utf8_strlen (entry->name, -1));

    g_string_append_printf (out, "%s%*s  %s", entry->name, padding, "", sizes);
    if (about != NULL)
      g_string_append_printf (out, "  %s", about);
    g_string_append_c (out, '\n');
  }

  return atn_cli_write (arguments, out->str, out->len, error);
}
