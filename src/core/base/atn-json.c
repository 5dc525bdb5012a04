/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The tree is cJSON's, the syntax is atn-json-scan.c's: cJSON's own parser
 * takes 01, 1., text after the document and invalid UTF-8, reads at most 63
 * characters of a number, and tells no place when it fails.
 */

#include "base/atn-json.h"

#include "base/atn-error.h"
#include "base/atn-json-scan.h"

#include <cjson/cJSON.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Building. */

/* A node for a value that is no container, or an empty container; NULL with @error set. */
static cJSON *
create_node (AtnJsonScan *scan, AtnJsonEvent event, GError **error)
{
  g_autofree char *string = NULL;
  double number;
  cJSON *node = NULL;

  switch (event) {
  case ATN_JSON_EVENT_OBJECT:
    node = cJSON_CreateObject ();
    break;
  case ATN_JSON_EVENT_ARRAY:
    node = cJSON_CreateArray ();
    break;
  case ATN_JSON_EVENT_STRING:
    string = atn_json_scan_dup_string (scan);
    node = cJSON_CreateString (string);
    break;
  case ATN_JSON_EVENT_NUMBER:
    if (!atn_json_scan_get_number (scan, &number, error))
      return NULL;
    node = cJSON_CreateNumber (number);
    break;
  case ATN_JSON_EVENT_BOOL:
    node = cJSON_CreateBool (scan->token[0] == 't');
    break;
  default:
    node = cJSON_CreateNull ();
    break;
  }

  if (node == NULL)
    g_set_error_literal (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("not enough memory"));
  return node;
}

static gboolean
attach_node (cJSON *parent, const char *key, cJSON *node, GError **error)
{
  bool is_attached = cJSON_IsObject (parent) ? cJSON_AddItemToObject (parent, key, node)
                                             : cJSON_AddItemToArray (parent, node);

  if (is_attached)
    return TRUE;

  cJSON_Delete (node);
  g_set_error_literal (error, ATN_ERROR, ATN_ERROR_TOO_LARGE, _ ("not enough memory"));
  return FALSE;
}

/* A loop with its own stack, not recursion: the depth is the file's choice, the
 * thread's stack is not. */
AtnJson *
atn_json_build (AtnJsonScan *scan, AtnJsonEvent event, GError **error)
{
  cJSON *open[ATN_JSON_MAX_DEPTH + 1];
  size_t n_open = 0;
  g_autoptr (AtnJson) root = NULL;
  g_autofree char *key = NULL;

  for (;; event = atn_json_scan_next (scan, error)) {
    cJSON *node;

    if (event == ATN_JSON_EVENT_FAILED)
      return NULL;

    if (event == ATN_JSON_EVENT_KEY) {
      g_free (key);
      key = atn_json_scan_dup_string (scan);
      continue;
    }

    if (event == ATN_JSON_EVENT_OBJECT_END || event == ATN_JSON_EVENT_ARRAY_END) {
      n_open--;
    } else {
      node = create_node (scan, event, error);
      if (node == NULL)
        return NULL;
      if (root == NULL)
        root = node;
      else if (!attach_node (open[n_open - 1], key, node, error))
        return NULL;
      if (event == ATN_JSON_EVENT_OBJECT || event == ATN_JSON_EVENT_ARRAY)
        open[n_open++] = node;
    }

    if (n_open == 0)
      return g_steal_pointer (&root);
  }
}

AtnJson *
atn_json_parse (const char *text, gsize length, GError **error)
{
  AtnJsonScan scan;
  AtnJsonEvent event;
  g_autoptr (AtnJson) root = NULL;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  atn_json_scan_init (&scan, text, length);
  event = atn_json_scan_next (&scan, error);
  if (event == ATN_JSON_EVENT_FAILED)
    return NULL;

  root = atn_json_build (&scan, event, error);
  if (root == NULL || atn_json_scan_next (&scan, error) == ATN_JSON_EVENT_FAILED)
    return NULL;

  return g_steal_pointer (&root);
}

AtnJson *
atn_json_new_object (void)
{
  cJSON *object = cJSON_CreateObject ();

  g_assert (object != NULL);
  return object;
}

void
atn_json_add (AtnJson *object, const char *key, AtnJson *value)
{
  g_return_if_fail (cJSON_IsObject (object));

  cJSON_DeleteItemFromObjectCaseSensitive (object, key);
  if (!cJSON_AddItemToObject (object, key, value))
    g_assert_not_reached ();
}

void
atn_json_free (AtnJson *self)
{
  cJSON_Delete (self);
}

/* Reading. */

AtnJsonKind
atn_json_get_kind (const AtnJson *self)
{
  switch (self->type & 0xFF) {
  case cJSON_True:
  case cJSON_False:
    return ATN_JSON_BOOL;
  case cJSON_Number:
    return ATN_JSON_NUMBER;
  case cJSON_String:
    return ATN_JSON_STRING;
  case cJSON_Array:
    return ATN_JSON_ARRAY;
  case cJSON_Object:
    return ATN_JSON_OBJECT;
  default:
    return ATN_JSON_NULL;
  }
}

const char *
atn_json_kind_get_name (AtnJsonKind kind)
{
  switch (kind) {
  case ATN_JSON_BOOL:
    return _ ("true or false");
  case ATN_JSON_NUMBER:
    return _ ("a number");
  case ATN_JSON_STRING:
    return _ ("a string");
  case ATN_JSON_ARRAY:
    return _ ("an array");
  case ATN_JSON_OBJECT:
    return _ ("an object");
  default:
    return _ ("null");
  }
}

const char *
atn_json_get_name (const AtnJson *self)
{
  return self->string;
}

bool
atn_json_get_bool (const AtnJson *self)
{
  g_assert (cJSON_IsBool (self));
  return cJSON_IsTrue (self);
}

double
atn_json_get_number (const AtnJson *self)
{
  g_assert (cJSON_IsNumber (self));
  return self->valuedouble;
}

const char *
atn_json_get_string (const AtnJson *self)
{
  g_assert (cJSON_IsString (self));
  return self->valuestring;
}

const AtnJson *
atn_json_get_first (const AtnJson *self)
{
  return self->child;
}

const AtnJson *
atn_json_get_next (const AtnJson *self)
{
  return self->next;
}

size_t
atn_json_count (const AtnJson *self)
{
  size_t n = 0;

  for (const cJSON *child = self->child; child != NULL; child = child->next)
    n++;

  return n;
}

static const cJSON *
find_last (const AtnJson *object, const char *key)
{
  const cJSON *found = NULL;

  if (object == NULL || !cJSON_IsObject (object))
    return NULL;

  /* Of two members of one name the last counts, as in Python. */
  for (const cJSON *child = object->child; child != NULL; child = child->next)
    if (strcmp (child->string, key) == 0)
      found = child;

  return found;
}

const AtnJson *
atn_json_get_member (const AtnJson *object, const char *key)
{
  const cJSON *found = find_last (object, key);

  return found == NULL || cJSON_IsNull (found) ? NULL : found;
}

bool
atn_json_has_null (const AtnJson *object, const char *key)
{
  const cJSON *found = find_last (object, key);

  return found != NULL && cJSON_IsNull (found);
}

/* Checked reading. */

/* What a value looks like in an error message. */
static char *
describe_value (const cJSON *node)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (cJSON_IsNumber (node)) {
    g_ascii_formatd (digits, sizeof digits, "%.15g", node->valuedouble);
    if (g_ascii_strtod (digits, NULL) != node->valuedouble)
      g_ascii_dtostr (digits, sizeof digits, node->valuedouble);
    return g_strdup (digits);
  }
  if (cJSON_IsBool (node))
    return g_strdup (cJSON_IsTrue (node) ? "true" : "false");
  if (cJSON_IsString (node) && strlen (node->valuestring) <= 40)
    return g_strdup_printf ("\"%s\"", node->valuestring);

  return g_strdup (atn_json_kind_get_name (atn_json_get_kind (node)));
}

/* Finds the member. FALSE with @error set if it must be there and is not; @node may be NULL. */
static gboolean
find_member (const AtnJson *object,
             const char *key,
             AtnJsonNeed need,
             const cJSON **node,
             GError **error)
{
  *node = atn_json_get_member (object, key);
  if (*node != NULL || need == ATN_JSON_OPTIONAL)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is missing"), key);
  return FALSE;
}

static gboolean
refuse_value (const cJSON *node, const char *key, const char *expected, GError **error)
{
  g_autofree char *found = describe_value (node);

  g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT, _ ("“%s” is %s, expected %s"), key,
               found, expected);
  return FALSE;
}

gboolean
atn_json_read_size (const AtnJson *object,
                    const char *key,
                    AtnJsonNeed need,
                    size_t min,
                    size_t max,
                    size_t *value,
                    GError **error)
{
  const cJSON *node;
  double number;

  if (!find_member (object, key, need, &node, error))
    return FALSE;
  if (node == NULL)
    return TRUE;

  number = cJSON_IsNumber (node) ? node->valuedouble : -1;
  if (!(number >= (double) min && number <= (double) max) || number != floor (number)) {
    g_autofree char *expected = g_strdup_printf (_ ("a whole number from %zu to %zu"), min, max);

    return refuse_value (node, key, expected, error);
  }

  *value = (size_t) number;
  return TRUE;
}

gboolean
atn_json_read_double (const AtnJson *object,
                      const char *key,
                      AtnJsonNeed need,
                      double min,
                      double max,
                      double *value,
                      GError **error)
{
  const cJSON *node;

  if (!find_member (object, key, need, &node, error))
    return FALSE;
  if (node == NULL)
    return TRUE;

  if (!cJSON_IsNumber (node) || !(node->valuedouble >= min && node->valuedouble <= max)) {
    char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *expected = NULL;

    g_ascii_formatd (low, sizeof low, "%.6g", min);
    g_ascii_formatd (high, sizeof high, "%.6g", max);
    expected = g_strdup_printf (_ ("a number from %s to %s"), low, high);
    return refuse_value (node, key, expected, error);
  }

  *value = node->valuedouble;
  return TRUE;
}

gboolean
atn_json_read_node (const AtnJson *object,
                    const char *key,
                    AtnJsonNeed need,
                    AtnJsonKind kind,
                    const AtnJson **value,
                    GError **error)
{
  const cJSON *node;

  if (!find_member (object, key, need, &node, error))
    return FALSE;
  if (node == NULL)
    return TRUE;

  if (atn_json_get_kind (node) != kind)
    return refuse_value (node, key, atn_json_kind_get_name (kind), error);

  *value = node;
  return TRUE;
}

gboolean
atn_json_read_bool (const AtnJson *object,
                    const char *key,
                    AtnJsonNeed need,
                    bool *value,
                    GError **error)
{
  const AtnJson *node = NULL;

  if (!atn_json_read_node (object, key, need, ATN_JSON_BOOL, &node, error))
    return FALSE;

  if (node != NULL)
    *value = cJSON_IsTrue (node);
  return TRUE;
}

gboolean
atn_json_read_string (const AtnJson *object,
                      const char *key,
                      AtnJsonNeed need,
                      const char **value,
                      GError **error)
{
  const AtnJson *node = NULL;

  if (!atn_json_read_node (object, key, need, ATN_JSON_STRING, &node, error))
    return FALSE;

  if (node != NULL)
    *value = node->valuestring;
  return TRUE;
}
