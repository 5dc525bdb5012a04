/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-decoder.h"

#include "base/atn-error.h"
#include "tokenizer/atn-text-step.h"

#include <glib/gi18n-lib.h>

typedef gboolean (*ReadFunc) (const AtnJson *json, AtnDecoder *self, GError **error);

static void
set_space (AtnDecoder *self, const char *space)
{
  g_free (self->space);
  self->space = g_strdup (space);
}

static gboolean
read_byte_level (const AtnJson *json, AtnDecoder *self, GError **error)
{
  self->is_byte_level = true;
  return TRUE;
}

static gboolean
read_metaspace (const AtnJson *json, AtnDecoder *self, GError **error)
{
  const char *replacement;

  if (!atn_json_read_string (json, "replacement", ATN_JSON_REQUIRED, &replacement, error))
    return FALSE;

  set_space (self, replacement);
  return TRUE;
}

/* Of a string by a space; others, as of “ n't”, make sense of whole texts only. */
static gboolean
read_replace (const AtnJson *json, AtnDecoder *self, GError **error)
{
  const AtnJson *pattern;
  const char *string = NULL;
  const char *content;

  if (!atn_json_read_node (json, "pattern", ATN_JSON_REQUIRED, ATN_JSON_OBJECT, &pattern, error) ||
      !atn_json_read_string (json, "content", ATN_JSON_REQUIRED, &content, error) ||
      !atn_json_read_string (pattern, "String", ATN_JSON_OPTIONAL, &string, error))
    return FALSE;

  if (string != NULL && *string != '\0' && g_str_equal (content, " "))
    set_space (self, string);
  return TRUE;
}

static gboolean
read_sequence (const AtnJson *json, AtnDecoder *self, GError **error)
{
  const AtnJson *list;
  size_t index = 0;

  if (!atn_json_read_node (json, "decoders", ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item), index++) {
    if (!atn_decoder_read (item, self, error)) {
      g_prefix_error (error, "decoders[%zu]: ", index);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
atn_decoder_read (const AtnJson *json, AtnDecoder *self, GError **error)
{
  static const struct
  {
    const char *type;
    ReadFunc read; /* NULL where it says nothing about one token */
  } kinds[] = {
    { "BPEDecoder", NULL },
    { "ByteFallback", NULL },
    { "ByteLevel", read_byte_level },
    { "Fuse", NULL },
    { "Metaspace", read_metaspace },
    { "Replace", read_replace },
    { "Sequence", read_sequence },
    { "Strip", NULL },
    { "WordPiece", NULL },
  };
  const char *type;

  if (!atn_text_step_read_type (json, "decoder", &type, error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, type))
      return kinds[i].read == NULL || kinds[i].read (json, self, error);

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("Decoder “%s” is not supported"), type);
  return FALSE;
}

void
atn_decoder_clear (AtnDecoder *self)
{
  g_clear_pointer (&self->space, g_free);
}
