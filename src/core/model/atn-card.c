/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "model/atn-card.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MODEL_SUFFIX ".attnscope.json"

static const char *
get_string (const AtnJson *node)
{
  if (node == NULL || atn_json_get_kind (node) != ATN_JSON_STRING)
    return NULL;

  return atn_json_get_string (node);
}

char *
atn_card_dup_name (const AtnJson *card, const char *path)
{
  const char *name = get_string (atn_json_get_member (card, "name"));
  g_autofree char *absolute = NULL;
  g_autofree char *base = NULL;

  if (name != NULL && name[0] != '\0')
    return g_strdup (name);

  /* "." has no name of its own, its absolute path does. */
  absolute = g_canonicalize_filename (path, NULL);
  base = g_filename_display_basename (absolute);

  /* One file of a folder: model.safetensors says nothing, the folder does. */
  if (strcmp (base, "model.safetensors") == 0) {
    g_autofree char *folder = g_path_get_dirname (absolute);

    return g_filename_display_basename (folder);
  }

  if (g_str_has_suffix (base, MODEL_SUFFIX))
    return g_strndup (base, strlen (base) - strlen (MODEL_SUFFIX));
  if (g_str_has_suffix (base, ".json") || g_str_has_suffix (base, ".gguf"))
    return g_strndup (base, strlen (base) - strlen (".json"));

  return g_steal_pointer (&base);
}

const char *
atn_card_get_text (const AtnJson *node, const char *const *languages)
{
  const char *text;

  if (node == NULL || atn_json_get_kind (node) != ATN_JSON_OBJECT)
    return get_string (node);

  for (size_t i = 0; languages != NULL && languages[i] != NULL; i++) {
    text = get_string (atn_json_get_member (node, languages[i]));
    if (text != NULL)
      return text;
  }

  text = get_string (atn_json_get_member (node, "en"));
  return text != NULL ? text : get_string (atn_json_get_first (node));
}

void
atn_example_free (AtnExample *self)
{
  g_free (self->text);
  g_free (self->pair);
  g_free (self->stage);
  g_free (self->note);
  g_free (self);
}

static gboolean
read_claim (const AtnJson *json, AtnExample *example, GError **error)
{
  const AtnJson *claim = NULL;
  double at_least = 0.0;

  if (!atn_json_read_node (json, "claim", ATN_JSON_OPTIONAL, ATN_JSON_OBJECT, &claim, error))
    return FALSE;
  if (claim == NULL)
    return TRUE;

  if (!atn_json_read_size (claim, "query", ATN_JSON_REQUIRED, 0, 1 << 24, &example->claim_query,
                           error) ||
      !atn_json_read_size (claim, "key", ATN_JSON_REQUIRED, 0, 1 << 24, &example->claim_key,
                           error) ||
      !atn_json_read_double (claim, "at_least", ATN_JSON_REQUIRED, 0.0, 1.0, &at_least, error))
    return FALSE;

  example->has_claim = true;
  example->claim_at_least = (float) at_least;
  return TRUE;
}

static AtnExample *
read_example (const AtnJson *json,
              const AtnConfig *config,
              const char *const *languages,
              GError **error)
{
  g_autoptr (AtnExample) example = g_new0 (AtnExample, 1);
  const char *text;
  const char *pair = NULL;
  const char *stage = "pattern";

  if (!atn_json_read_string (json, "text", ATN_JSON_REQUIRED, &text, error) ||
      !atn_json_read_string (json, "pair", ATN_JSON_OPTIONAL, &pair, error) ||
      !atn_json_read_string (json, "stage", ATN_JSON_OPTIONAL, &stage, error) ||
      !atn_json_read_size (json, "layer", ATN_JSON_REQUIRED, 0, config->n_layers - 1,
                           &example->layer, error) ||
      !atn_json_read_size (json, "head", ATN_JSON_REQUIRED, 0, config->n_heads - 1, &example->head,
                           error) ||
      !read_claim (json, example, error))
    return NULL;

  example->text = g_strdup (text);
  example->pair = g_strdup (pair);
  example->stage = g_strdup (stage);
  example->note = g_strdup (atn_card_get_text (atn_json_get_member (json, "note"), languages));
  if (example->note == NULL)
    example->note = g_strdup ("");

  return g_steal_pointer (&example);
}

/* Either of @examples and @warnings may be NULL. */
static void
walk_examples (const AtnJson *card,
               const AtnConfig *config,
               const char *const *languages,
               GPtrArray *examples,
               GPtrArray *warnings)
{
  const AtnJson *list = atn_json_get_member (card, "examples");
  const AtnJson *node;
  int index = 1;

  if (list == NULL || atn_json_get_kind (list) != ATN_JSON_ARRAY)
    return;

  for (node = atn_json_get_first (list); node != NULL; node = atn_json_get_next (node), index++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AtnExample) example = NULL;

    if (atn_json_get_kind (node) != ATN_JSON_OBJECT)
      continue;

    example = read_example (node, config, languages, &error);
    if (example != NULL && examples != NULL)
      g_ptr_array_add (examples, g_steal_pointer (&example));
    if (error != NULL && warnings != NULL)
      g_ptr_array_add (warnings, g_strdup_printf (_ ("Example %d of the file is left out: %s"),
                                                  index, error->message));
  }
}

GPtrArray *
atn_card_dup_examples (const AtnJson *card, const AtnConfig *config, const char *const *languages)
{
  GPtrArray *examples = g_ptr_array_new_with_free_func ((GDestroyNotify) atn_example_free);

  walk_examples (card, config, languages, examples, NULL);
  return examples;
}

void
atn_card_check_examples (const AtnJson *card, const AtnConfig *config, GPtrArray *warnings)
{
  walk_examples (card, config, NULL, NULL, warnings);
}
