/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * request → worker → result → views. The one function that the window, the
 * command line and the tests all run.
 */

#pragma once

#include "engine/atn-prediction.h"
#include "engine/atn-trace.h"

G_BEGIN_DECLS

typedef struct
{
  AtnModel *model;    /* borrowed */
  const char *text;   /* borrowed */
  gssize text_len;    /* bytes, -1 to the NUL */
  const char *pair;   /* (nullable) borrowed */
  gssize pair_len;    /* bytes, -1 to the NUL */
  AtnWhatIf what_if;  /* zero: as trained */
  bool truncate;      /* cut a text longer than n_ctx instead of failing */
  bool with_baseline; /* also keep the trace as trained, when what_if changes the network */
} AtnRequest;

typedef struct
{
  gatomicrefcount ref_count;
  AtnModel *model;
  char *text;            /* as it was typed */
  char *pair;            /* (nullable) */
  AtnTokens *tokens;     /* those that ran; may be 0 */
  size_t n_tokens_typed; /* more than tokens->n_tokens if the text was cut */
  AtnWhatIf what_if;
  AtnTrace *baseline; /* (nullable): as trained; NULL with 0 tokens */
  AtnTrace *trace; /* (nullable): with the what-if in every layer; = baseline if scope is this head
                      or all is as trained. NULL with 0 tokens */
  gint64 duration_us; /* from text to trace */
} AtnResult;

/**
 * atn_request_run:
 * @previous: (nullable): the last result, whose traces are taken over where model, tokens and
 * settings are the same
 *
 * Returns: (transfer full)
 * Errors: those of atn_tokenizer_encode() and atn_trace_run()
 */
AtnResult *atn_request_run (const AtnRequest *request,
                            const AtnResult *previous,
                            AtnProgressFunc progress,
                            gpointer progress_data,
                            GCancellable *cancellable,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
AtnResult *atn_result_ref (AtnResult *self);
void atn_result_unref (AtnResult *self);

/* The what-if to hand to atn_trace_compute_rows() and its kin together with @trace. */
const AtnWhatIf *atn_result_get_what_if (const AtnResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AtnResult, atn_result_unref)

G_END_DECLS
