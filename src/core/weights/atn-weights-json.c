/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The JSON model file (models/model.schema.json). One pass over the text: the
 * small members become trees, the tensors go straight into their arrays.
 */

#include "base/atn-error.h"
#include "base/atn-json-scan.h"
#include "weights/atn-weights-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FORMAT_NAME "attnscope-model"
#define FORMAT_VERSION 1

/* Members that people read; what is not known is ignored. */
static const char *const card_keys[] = { "name", "description", "license", "source", "examples" };

typedef struct
{
  bool has_format;
  bool has_version;
  bool has_tensors;
  bool has_model_type; /* of a plain config.json */
} Found;

static gboolean
read_format (AtnJsonScan *scan, GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;

  if (event != ATN_JSON_EVENT_STRING || !atn_json_scan_is (scan, FORMAT_NAME)) {
    g_autofree char *found = atn_json_scan_dup_excerpt (scan);

    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("“format” is “%s”, expected “%s”"),
                 found, FORMAT_NAME);
    return FALSE;
  }

  return TRUE;
}

static gboolean
read_version (AtnJsonScan *scan, GError **error)
{
  AtnJsonEvent event = atn_json_scan_next (scan, error);
  size_t version;

  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;

  if (event != ATN_JSON_EVENT_NUMBER || !atn_json_scan_get_size (scan, &version) || version == 0) {
    g_autofree char *found = atn_json_scan_dup_excerpt (scan);

    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“version” is %s, expected the number %d"), found, FORMAT_VERSION);
    return FALSE;
  }

  if (version > FORMAT_VERSION) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("the file is of version %zu of its format; this program reads version %d"),
                 version, FORMAT_VERSION);
    return FALSE;
  }

  return TRUE;
}

/* Builds an object in place of @node. */
static gboolean
read_object (AtnJsonScan *scan, const char *key, AtnJson **node, GError **error)
{
  g_autoptr (AtnJson) value = atn_json_build (scan, atn_json_scan_next (scan, error), error);

  if (value == NULL)
    return FALSE;

  if (atn_json_get_kind (value) != ATN_JSON_OBJECT) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is %s, expected an object"),
                 key, atn_json_kind_get_name (atn_json_get_kind (value)));
    return FALSE;
  }

  g_clear_pointer (node, atn_json_free);
  *node = g_steal_pointer (&value);
  return TRUE;
}

static gboolean
read_card_member (AtnWeights *self, AtnJsonScan *scan, const char *key, GError **error)
{
  AtnJson *value = atn_json_build (scan, atn_json_scan_next (scan, error), error);

  if (value == NULL)
    return FALSE;

  atn_json_add (self->card, key, value);
  return TRUE;
}

/* The value of the top-level key that the scanner stands at. */
static gboolean
read_member (AtnWeights *self,
             AtnJsonScan *scan,
             Found *found,
             const AtnProgress *progress,
             GError **error)
{
  if (atn_json_scan_is (scan, "format")) {
    found->has_format = true;
    return read_format (scan, error);
  }

  if (atn_json_scan_is (scan, "version")) {
    found->has_version = true;
    return read_version (scan, error);
  }

  if (atn_json_scan_is (scan, "config"))
    return read_object (scan, "config", &self->config, error);

  if (atn_json_scan_is (scan, "tokenizer"))
    return read_object (scan, "tokenizer", &self->tokenizer, error);

  if (atn_json_scan_is (scan, "tensors")) {
    found->has_tensors = true;
    return atn_weights_load_json_tensors (self, scan, progress, error);
  }

  for (size_t i = 0; i < G_N_ELEMENTS (card_keys); i++)
    if (atn_json_scan_is (scan, card_keys[i]))
      return read_card_member (self, scan, card_keys[i], error);

  if (atn_json_scan_is (scan, "model_type"))
    found->has_model_type = true;
  return atn_json_scan_skip (scan, atn_json_scan_next (scan, error), error);
}

static gboolean
check_found (const AtnWeights *self, const Found *found, GError **error)
{
  const char *missing = !found->has_version       ? "version"
                        : self->config == NULL    ? "config"
                        : self->tokenizer == NULL ? "tokenizer"
                        : !found->has_tensors     ? "tensors"
                                                  : NULL;

  if (!found->has_format && found->has_model_type) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                         _ ("this is the config.json of a model folder; open the folder instead"));
    return FALSE;
  }

  if (!found->has_format) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("this is no model file: “format” is missing, expected “%s”"), FORMAT_NAME);
    return FALSE;
  }

  if (missing != NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is missing"), missing);
    return FALSE;
  }

  return TRUE;
}

gboolean
atn_weights_load_json (AtnWeights *self,
                       const char *text,
                       size_t length,
                       const AtnProgress *progress,
                       GError **error)
{
  Found found = { false };
  AtnJsonScan scan;
  AtnJsonEvent event;

  atn_json_scan_init (&scan, text, length);
  event = atn_json_scan_next (&scan, error);
  if (event == ATN_JSON_EVENT_FAILED)
    return FALSE;

  if (event != ATN_JSON_EVENT_OBJECT) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                 _ ("this is no model file: it does not begin with “{”"));
    return FALSE;
  }

  g_clear_pointer (&self->card, atn_json_free);
  self->card = atn_json_new_object ();
  while ((event = atn_json_scan_next (&scan, error)) == ATN_JSON_EVENT_KEY)
    if (!read_member (self, &scan, &found, progress, error))
      return FALSE;

  return event == ATN_JSON_EVENT_OBJECT_END &&
         atn_json_scan_next (&scan, error) == ATN_JSON_EVENT_END &&
         check_found (self, &found, error);
}
