/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "tokenizer/atn-post-processor.h"

#include "base/atn-error.h"
#include "tokenizer/atn-text-step.h"
#include "tokenizer/atn-vocabulary.h"

#include <glib/gi18n-lib.h>

typedef gboolean (*ReadFunc) (AtnPostProcessor *self, const AtnJson *json, GError **error);

static gboolean read_processor (AtnPostProcessor *self, const AtnJson *json, GError **error);

static void
append_part (GArray *parts, int sequence, uint32_t type_id, uint32_t id)
{
  AtnTemplatePart part = { sequence, type_id, id };

  g_array_append_val (parts, part);
}

static gboolean
begin_template (AtnPostProcessor *self, GError **error)
{
  if (self->has_template) {
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
                         _ ("A post-processor with more than one template is not supported"));
    return FALSE;
  }
  self->has_template = true;
  g_array_set_size (self->single, 0);
  g_array_set_size (self->pair, 0);
  return TRUE;
}

/* The ids that special token @name stands for, from the template's own table. */
static gboolean
append_special (const AtnJson *specials,
                const char *name,
                uint32_t type_id,
                GArray *parts,
                GError **error)
{
  const AtnJson *special = atn_json_get_member (specials, name);
  const AtnJson *ids;

  if (special == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("Special token “%s” of the template is not in “%s”"), name, "special_tokens");
    return FALSE;
  }
  if (!atn_json_read_node (special, "ids", ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &ids, error))
    return FALSE;

  for (const AtnJson *item = atn_json_get_first (ids); item != NULL;
       item = atn_json_get_next (item)) {
    uint32_t id;

    if (!atn_vocabulary_read_id (item, name, &id, error))
      return FALSE;
    append_part (parts, -1, type_id, id);
  }
  return TRUE;
}

static gboolean
read_part (const AtnJson *json, const AtnJson *specials, GArray *parts, GError **error)
{
  const AtnJson *sequence = atn_json_get_member (json, "Sequence");
  const AtnJson *special = atn_json_get_member (json, "SpecialToken");
  const AtnJson *part = sequence != NULL ? sequence : special;
  const char *name;
  size_t type_id;

  if (part == NULL) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("A part of the template is neither “%s” nor “%s”"), "Sequence", "SpecialToken");
    return FALSE;
  }
  if (!atn_json_read_string (part, "id", ATN_JSON_REQUIRED, &name, error) ||
      !atn_json_read_size (part, "type_id", ATN_JSON_REQUIRED, 0, G_MAXUINT32, &type_id, error))
    return FALSE;
  if (sequence == NULL)
    return append_special (specials, name, (uint32_t) type_id, parts, error);

  if (!g_str_equal (name, "A") && !g_str_equal (name, "B")) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("The template has a sequence “%s”, expected A or B"), name);
    return FALSE;
  }
  append_part (parts, name[0] - 'A', (uint32_t) type_id, 0);
  return TRUE;
}

static gboolean
read_parts (const AtnJson *json, const char *key, GArray *parts, GError **error)
{
  const AtnJson *list;
  const AtnJson *specials = atn_json_get_member (json, "special_tokens");

  if (!atn_json_read_node (json, key, ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item))
    if (!read_part (item, specials, parts, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_template (AtnPostProcessor *self, const AtnJson *json, GError **error)
{
  if (!begin_template (self, error) || !read_parts (json, "single", self->single, error) ||
      !read_parts (json, "pair", self->pair, error))
    return FALSE;

  for (guint i = 0; i < self->single->len; i++) {
    if (g_array_index (self->single, AtnTemplatePart, i).sequence == 1) {
      g_set_error_literal (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                           _ ("The template for one text has a place for a second one"));
      return FALSE;
    }
  }
  return TRUE;
}

/* ["[SEP]", 102] */
static gboolean
read_named_id (const AtnJson *json, const char *key, uint32_t *id, GError **error)
{
  const AtnJson *list, *name, *number;

  if (!atn_json_read_node (json, key, ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  name = atn_json_get_first (list);
  number = name == NULL ? NULL : atn_json_get_next (name);
  if (number == NULL || atn_json_get_kind (name) != ATN_JSON_STRING) {
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("“%s” of the post-processor is not a string with its id"), key);
    return FALSE;
  }
  return atn_vocabulary_read_id (number, atn_json_get_string (name), id, error);
}

static gboolean
read_wrapper (AtnPostProcessor *self, const AtnJson *json, bool is_roberta, GError **error)
{
  uint32_t start, end;
  uint32_t second_type = is_roberta ? 0 : 1;

  if (!begin_template (self, error) || !read_named_id (json, "cls", &start, error) ||
      !read_named_id (json, "sep", &end, error))
    return FALSE;

  append_part (self->single, -1, 0, start);
  append_part (self->single, 0, 0, 0);
  append_part (self->single, -1, 0, end);
  g_array_append_vals (self->pair, self->single->data, self->single->len);
  if (is_roberta)
    append_part (self->pair, -1, 0, end);
  append_part (self->pair, 1, second_type, 0);
  append_part (self->pair, -1, second_type, end);
  return TRUE;
}

static gboolean
read_bert (AtnPostProcessor *self, const AtnJson *json, GError **error)
{
  return read_wrapper (self, json, false, error);
}

static gboolean
read_byte_level (AtnPostProcessor *self, const AtnJson *json, GError **error)
{
  bool trims;
  bool keeps_first_space;

  if (!atn_json_read_bool (json, "trim_offsets", ATN_JSON_REQUIRED, &trims, error) ||
      !atn_json_read_bool (json, "add_prefix_space", ATN_JSON_REQUIRED, &keeps_first_space, error))
    return FALSE;

  if (trims) {
    self->trims_offsets = true;
    self->keeps_first_space = keeps_first_space;
  }
  return TRUE;
}

static gboolean
read_roberta (AtnPostProcessor *self, const AtnJson *json, GError **error)
{
  return read_byte_level (self, json, error) && read_wrapper (self, json, true, error);
}

static gboolean
read_sequence (AtnPostProcessor *self, const AtnJson *json, GError **error)
{
  const AtnJson *list;
  size_t index = 0;

  if (!atn_json_read_node (json, "processors", ATN_JSON_REQUIRED, ATN_JSON_ARRAY, &list, error))
    return FALSE;

  for (const AtnJson *item = atn_json_get_first (list); item != NULL;
       item = atn_json_get_next (item), index++) {
    if (!read_processor (self, item, error)) {
      g_prefix_error (error, "processors[%zu]: ", index);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
read_processor (AtnPostProcessor *self, const AtnJson *json, GError **error)
{
  static const struct
  {
    const char *type;
    ReadFunc read;
  } kinds[] = {
    { "BertProcessing", read_bert },         { "ByteLevel", read_byte_level },
    { "RobertaProcessing", read_roberta },   { "Sequence", read_sequence },
    { "TemplateProcessing", read_template },
  };
  const char *type;

  if (!atn_text_step_read_type (json, "post_processor", &type, error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, type))
      return kinds[i].read (self, json, error);

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED, _ ("Post-processor “%s” is not supported"),
               type);
  return FALSE;
}

AtnPostProcessor *
atn_post_processor_new (const AtnJson *json, GError **error)
{
  g_autoptr (AtnPostProcessor) self = g_new0 (AtnPostProcessor, 1);

  self->single = g_array_new (FALSE, FALSE, sizeof (AtnTemplatePart));
  self->pair = g_array_new (FALSE, FALSE, sizeof (AtnTemplatePart));
  append_part (self->single, 0, 0, 0);
  append_part (self->pair, 0, 0, 0);
  append_part (self->pair, 1, 1, 0);
  if (json != NULL && !read_processor (self, json, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
atn_post_processor_free (AtnPostProcessor *self)
{
  g_array_unref (self->single);
  g_array_unref (self->pair);
  g_free (self);
}

bool
atn_post_processor_has_pair (const AtnPostProcessor *self)
{
  bool has_second = false;

  for (guint i = 0; i < self->pair->len; i++)
    has_second = has_second || g_array_index (self->pair, AtnTemplatePart, i).sequence == 1;
  return self->has_template && has_second;
}
