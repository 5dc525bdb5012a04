/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A pull scanner for JSON, as strict as RFC 8259, that builds nothing: the
 * caller asks for one event after another and takes what it needs straight
 * from the text. A tensor of a million numbers goes into a float array without
 * a million nodes; a tensor in base64 is decoded where it stands.
 *
 *   {"a": [1, "x"]}  →  OBJECT, KEY a, ARRAY, NUMBER 1, STRING x, ARRAY_END, OBJECT_END, END
 *
 * All checks of syntax are here; atn-json.c turns events into a tree. After
 * ATN_JSON_EVENT_FAILED the scanner must not be used again.
 */

#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATN_JSON_MAX_DEPTH 1000

typedef enum
{
  ATN_JSON_EVENT_FAILED,
  ATN_JSON_EVENT_OBJECT,
  ATN_JSON_EVENT_OBJECT_END,
  ATN_JSON_EVENT_ARRAY,
  ATN_JSON_EVENT_ARRAY_END,
  ATN_JSON_EVENT_KEY,
  ATN_JSON_EVENT_STRING,
  ATN_JSON_EVENT_NUMBER,
  ATN_JSON_EVENT_BOOL,
  ATN_JSON_EVENT_NULL,
  ATN_JSON_EVENT_END, /* the document is complete and nothing follows it */
} AtnJsonEvent;

typedef struct
{
  /* Of the last event. KEY, STRING: what stands between the quotes, escapes and
   * all; other kinds: as written. Points into the text. */
  const char *token;
  size_t token_len;
  bool has_escape; /* KEY, STRING: the token is not yet the string */
  size_t depth;    /* open objects and arrays */

  /*< private >*/
  const char *text;
  const char *next;
  const char *end;
  int state;
  bool is_object[ATN_JSON_MAX_DEPTH + 1]; /* by depth */
} AtnJsonScan;

/**
 * atn_json_scan_init:
 * @text: [length] borrowed, need not end in NUL; a UTF-8 byte order mark is skipped
 */
void atn_json_scan_init (AtnJsonScan *self, const char *text, size_t length);

/**
 * atn_json_scan_next:
 *
 * Steps to the next event.
 *
 * Errors: ATN_ERROR_INVALID_FORMAT with line and column: see atn_json_parse()
 */
AtnJsonEvent atn_json_scan_next (AtnJsonScan *self, GError **error);

/* Steps over the rest of the value that @event began. */
gboolean atn_json_scan_skip (AtnJsonScan *self, AtnJsonEvent event, GError **error);

/* How much of the text is behind, from 0 to 1. */
double atn_json_scan_get_fraction (const AtnJsonScan *self);

/* The last KEY or STRING without its escapes. (transfer full) */
char *atn_json_scan_dup_string (const AtnJsonScan *self) G_GNUC_WARN_UNUSED_RESULT;
/* The last token for an error message: as written, cut after a few characters. (transfer full) */
char *atn_json_scan_dup_excerpt (const AtnJsonScan *self) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the last KEY or STRING is @text. */
bool atn_json_scan_is (const AtnJsonScan *self, const char *text);

/* The last NUMBER, in the C locale and rounded rightly.
 * Errors: ATN_ERROR_INVALID_FORMAT if no double holds it */
gboolean atn_json_scan_get_number (const AtnJsonScan *self, double *number, GError **error);
/* The last NUMBER if it is written as digits only and is at most 2⁵³, else false. */
bool atn_json_scan_get_size (const AtnJsonScan *self, size_t *size);

/* An error of @code at the last event: “line 3, column 7: …”. */
void
atn_json_scan_set_error (const AtnJsonScan *self, GError **error, int code, const char *format, ...)
  G_GNUC_PRINTF (4, 5);

G_END_DECLS
