/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-settings.h"

#include "base/atn-paths.h"

#define SCHEMA_ID "io.github.attnscope.Attnscope"

GSettings *
atn_settings_new (void)
{
  g_autofree char *dir = atn_paths_dup_schema_dir ();
  GSettingsSchemaSource *parent = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchemaSource) source = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (dir != NULL)
    source = g_settings_schema_source_new_from_directory (dir, parent, FALSE, NULL);
  if (source == NULL && parent != NULL)
    source = g_settings_schema_source_ref (parent);
  if (source == NULL)
    return NULL;
  schema = g_settings_schema_source_lookup (source, SCHEMA_ID, TRUE);
  if (schema == NULL)
    return NULL;
  return g_settings_new_full (schema, NULL, NULL);
}
