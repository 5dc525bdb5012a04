/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Reading and writing JSON as its standard says. The tree underneath is
 * cJSON's; its parser forgives more than the standard does (01, 1., text after
 * the document), so the text is read by atn-json-scan.h, and every error gives
 * line and column. No other file includes cJSON.h.
 *
 * Readers take (object, key) and check kind, range and wholeness in one call:
 *
 *   if (!atn_json_read_size (config, "n_head", ATN_JSON_REQUIRED, 1, 4096, &n_heads, error))
 *     return FALSE;
 *
 * A member that is null counts as left out, as in Hugging Face's configs.
 */

#pragma once

#include "base/atn-json-scan.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct cJSON AtnJson;

typedef enum
{
  ATN_JSON_NULL,
  ATN_JSON_BOOL,
  ATN_JSON_NUMBER,
  ATN_JSON_STRING,
  ATN_JSON_ARRAY,
  ATN_JSON_OBJECT,
} AtnJsonKind;

typedef enum
{
  ATN_JSON_REQUIRED,
  ATN_JSON_OPTIONAL, /* an absent member leaves the value as it was */
} AtnJsonNeed;

/**
 * atn_json_parse:
 * @text: UTF-8, with or without a byte order mark; need not end in NUL
 * @length: bytes of @text
 *
 * Parses one JSON document and nothing after it.
 *
 * Returns: (transfer full): the root, to be freed with atn_json_free()
 * Errors: ATN_ERROR_INVALID_FORMAT with line and column: empty file, UTF-16,
 *   invalid UTF-8, lone surrogate escape, \u0000, NaN or Infinity, a number
 *   that no double holds, nesting over 1,000, text after the document
 */
AtnJson *atn_json_parse (const char *text, gsize length, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void atn_json_free (AtnJson *self);

/**
 * atn_json_build:
 * @scan: a scanner that stands at the first event of a value
 * @event: that event
 *
 * Builds the tree of one value out of a longer text; @scan ends up at its last event.
 *
 * Returns: (transfer full)
 */
AtnJson *
atn_json_build (AtnJsonScan *scan, AtnJsonEvent event, GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnJson *atn_json_new_object (void) G_GNUC_WARN_UNUSED_RESULT;
/* In the place of a member of that name, if there is one. @value: (transfer full) */
void atn_json_add (AtnJson *object, const char *key, AtnJson *value);

AtnJsonKind atn_json_get_kind (const AtnJson *self);

/* "null", "true or false", "a number" …, translated: for error messages. */
const char *atn_json_kind_get_name (AtnJsonKind kind);

/* The key of a node that is a member of an object, else NULL. */
const char *atn_json_get_name (const AtnJson *self);

/* Value of a node whose kind was checked; another kind is a bug and is asserted. */
bool atn_json_get_bool (const AtnJson *self);
double atn_json_get_number (const AtnJson *self);
const char *atn_json_get_string (const AtnJson *self);

/* Walk the members or elements: no index, because the list is linked. */
const AtnJson *atn_json_get_first (const AtnJson *self);
const AtnJson *atn_json_get_next (const AtnJson *self);
size_t atn_json_count (const AtnJson *self);

/* The member called @key, case-sensitive; NULL if absent or null; of two with one name
 * the last. @object may be NULL or no object, so that look-ups chain. */
const AtnJson *atn_json_get_member (const AtnJson *object, const char *key);

/* Whether @object says null for @key: for the few keys where that is not the same as silence. */
bool atn_json_has_null (const AtnJson *object, const char *key);

/**
 * atn_json_read_size:
 * @object: an object
 * @key: which member
 * @need: whether it may be absent
 * @min: least allowed value
 * @max: largest allowed value, below 2⁵³
 * @value: (inout): the value; untouched on failure or if absent and optional
 *
 * Errors: ATN_ERROR_INVALID_FORMAT naming @key, what was found and what is allowed
 */
gboolean atn_json_read_size (const AtnJson *object,
                             const char *key,
                             AtnJsonNeed need,
                             size_t min,
                             size_t max,
                             size_t *value,
                             GError **error);
gboolean atn_json_read_double (const AtnJson *object,
                               const char *key,
                               AtnJsonNeed need,
                               double min,
                               double max,
                               double *value,
                               GError **error);
gboolean atn_json_read_bool (const AtnJson *object,
                             const char *key,
                             AtnJsonNeed need,
                             bool *value,
                             GError **error);
/* @value borrows from @object. */
gboolean atn_json_read_string (const AtnJson *object,
                               const char *key,
                               AtnJsonNeed need,
                               const char **value,
                               GError **error);
/* @value borrows the member, which must be of @kind. */
gboolean atn_json_read_node (const AtnJson *object,
                             const char *key,
                             AtnJsonNeed need,
                             AtnJsonKind kind,
                             const AtnJson **value,
                             GError **error);

/* Writing: pieces of JSON text appended to a string, independent of the locale. */
void atn_json_append_string (GString *out, const char *text);
/* Enough digits to come back as the same float; NaN and infinities become null. */
void atn_json_append_float (GString *out, float value);
void atn_json_append_node (GString *out, const AtnJson *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnJson, atn_json_free)

G_END_DECLS
