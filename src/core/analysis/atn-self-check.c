/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "analysis/atn-self-check.h"

#include "analysis/atn-round-trip.h"
#include "engine/atn-trace.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

/* Sentences that are run, and tokens of each: enough rows to see a fault, and a model of 30 layers
 * takes a second. */
#define MAX_RUNS 3
#define MAX_TOKENS 64

/* Heads of each run that are recomputed. */
#define N_SAMPLED_HEADS 16

/* Rows of 64 floats have sums that are off by 3e-7 at most; a weight computed in float is off by
 * 5e-7 in a sound model (tests/fixtures/README.md). */
#define SUM_LIMIT 1e-5
#define WEIGHT_LIMIT 1e-5

/* Shares of the progress: of reading the tensors in the whole, of the forward pass in a run. */
#define TENSORS_SHARE 0.5
#define PASS_SHARE 0.7

/* What a tokenizer may stumble over; a model's own examples come before them. */
static const char *const texts[] = {
  "The cat sat on the mat because it was tired.",
  "When Mary and John went to the shop, John gave a drink to",
  "it's 3.14, or 2,718 – isn't it?",
  "  two  spaces,\ta tab\nand a line",
  "naïve café, Straße, ÉCOLE",
  "床前明月光，疑是地上霜。",
  "Привет, мир! γειά σου",
  "👍🏽 e\xcc\x81",
  "for (i = 0; i < 10; i++) { x[i] *= 2; }",
};

typedef struct
{
  AtnModel *model;
  GPtrArray *texts; /* (element-type utf8) */
  AtnSelfCheck *result;
  GCancellable *cancellable;
  AtnProgress progress;
  double worst_sum;
  double worst_weight;
  guint64 n_rows;
  size_t n_heads;
  size_t n_runs;
} Check;

const char *
atn_self_check_get_name (AtnSelfCheckKind kind)
{
  static const char *const names[] = { "tokenizer", "tensors", "rows", "float64" };

  g_return_val_if_fail (kind < ATN_N_SELF_CHECKS, NULL);
  return names[kind];
}

const char *
atn_self_check_get_title (AtnSelfCheckKind kind)
{
  static const char *const titles[] = { N_ ("Tokenizer"), N_ ("Tensors"), N_ ("Sums of rows"),
                                        N_ ("Again in double") };

  g_return_val_if_fail (kind < ATN_N_SELF_CHECKS, NULL);
  return _ (titles[kind]);
}

static void
set_line (Check *self, AtnSelfCheckKind kind, double difference, double limit, char *sentence)
{
  self->result->lines[kind] = (AtnSelfCheckLine){
    .passed = difference <= limit, /* false for NaN, too */
    .difference = difference,
    .limit = limit,
    .sentence = sentence,
  };
}

static GPtrArray *
collect_texts (const AtnModel *model)
{
  g_autoptr (GPtrArray) examples = atn_model_dup_examples (model, NULL);
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < examples->len; i++) {
    const AtnExample *example = g_ptr_array_index (examples, i);

    g_ptr_array_add (all, g_strdup (example->text));
  }
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_ptr_array_add (all, g_strdup (texts[i]));

  return all;
}

static void
check_tokenizer (Check *self)
{
  const char *first = NULL;
  size_t n_different = 0, n_unknown = 0;
  g_autoptr (GString) sentence = g_string_new (NULL);

  for (guint i = 0; i < self->texts->len; i++) {
    const char *text = g_ptr_array_index (self->texts, i);

    switch (atn_model_round_trip (self->model, text)) {
    case ATN_ROUND_TRIP_DIFFERENT:
      first = first != NULL ? first : text;
      n_different++;
      break;
    case ATN_ROUND_TRIP_UNKNOWN:
      n_unknown++;
      break;
    case ATN_ROUND_TRIP_SAME:
    default:
      break;
    }
  }

  g_string_append_printf (sentence, _ ("%zu of %zu texts come back from their tokens"),
                          self->texts->len - n_different - n_unknown,
                          (size_t) self->texts->len - n_unknown);
  if (n_unknown > 0)
    g_string_append_printf (sentence,
                            ngettext ("; %zu more has words without a token",
                                      "; %zu more have words without a token", n_unknown),
                            n_unknown);
  if (first != NULL)
    g_string_append_printf (sentence, _ ("; the first that does not: “%s”"), first);
  set_line (self, ATN_SELF_CHECK_TOKENIZER, (double) n_different, 0.0,
            g_string_free (g_steal_pointer (&sentence), FALSE));
}

static float
find_largest (const float *values, size_t n)
{
  float largest = 0.0f;

  for (size_t i = 0; i < n; i++)
    largest = fmaxf (largest, fabsf (values[i]));

  return largest;
}

/* Whether all tensors are finite; an error is a cancellation. */
static gboolean
check_tensors (Check *self, GError **error)
{
  AtnWeights *weights = atn_model_get_weights (self->model);
  const size_t n_tensors = atn_weights_get_n_tensors (weights);
  g_autoptr (GError) first = NULL;
  guint64 n_numbers = 0;
  size_t n_read = 0, n_bad = 0;
  float largest = 0.0f;

  for (size_t i = 0; i < n_tensors; i++) {
    const AtnTensorInfo *info = atn_weights_get_info (weights, i);
    g_autoptr (GError) tensor_error = NULL;
    const float *values;

    if (!atn_progress_step (&self->progress, TENSORS_SHARE * (double) i / (double) n_tensors,
                            error))
      return FALSE;
    if (info->dtype == ATN_DTYPE_OTHER)
      continue;

    values = atn_weights_get_floats (weights, info->name, info->n_dims, info->shape, &tensor_error);
    n_read++;
    n_numbers += info->n_elements;
    if (values != NULL) {
      largest = fmaxf (largest, find_largest (values, info->n_elements));
    } else {
      n_bad++;
      if (first == NULL)
        first = g_steal_pointer (&tensor_error);
    }
  }

  set_line (self, ATN_SELF_CHECK_TENSORS, (double) n_bad, 0.0,
            first != NULL
              ? g_strdup_printf (_ ("%zu of %zu tensors cannot be used; the first: %s"), n_bad,
                                 n_read, first->message)
              : g_strdup_printf (_ ("all %'" PRIu64 " numbers of %zu tensors are finite; the "
                                    "largest magnitude is %g"),
                                 n_numbers, n_read, (double) largest));
  return TRUE;
}

/* Rows of one head: each sums to 1, or to 0 where it may see no key. */
static void
check_rows (Check *self, const AtnTrace *trace, size_t layer, size_t head, float *pattern)
{
  const size_t n_tokens = atn_trace_get_n_tokens (trace);

  atn_trace_compute_rows (trace, layer, head, ATN_STAGE_PATTERN, NULL, 0, n_tokens, pattern);
  for (size_t i = 0; i < n_tokens; i++) {
    double sum = 0.0, difference;

    for (size_t j = 0; j < n_tokens; j++)
      sum += (double) pattern[i * n_tokens + j];
    difference = sum == 0.0 ? 0.0 : fabs (sum - 1.0);
    /* Written so that NaN counts. */
    if (!(difference <= self->worst_sum))
      self->worst_sum = difference;
    self->n_rows++;
  }
}

/* The head's weights against those that the inspector computes in double. */
static void
check_head (Check *self, const AtnTrace *trace, size_t layer, size_t head, const float *pattern)
{
  const size_t n_tokens = atn_trace_get_n_tokens (trace);

  for (size_t i = 0; i < n_tokens * n_tokens; i++) {
    AtnCell cell;
    double difference;

    atn_trace_inspect (trace, layer, head, NULL, i / n_tokens, i % n_tokens, &cell);
    difference = fabs (cell.weight - (double) pattern[i]);
    if (!(difference <= self->worst_weight))
      self->worst_weight = difference;
  }
  self->n_heads++;
}

/* How far the run of one text is, which may be the last: few models have fewer than MAX_RUNS. */
static gboolean
step_run (Check *self, double fraction, GError **error)
{
  const double n_done = (double) self->n_runs + fraction;

  return atn_progress_step (&self->progress,
                            TENSORS_SHARE + (1.0 - TENSORS_SHARE) * n_done / (double) MAX_RUNS,
                            error);
}

/* Between two layers of the forward pass, which looks for the cancellation itself. */
static void
pass_progress_cb (double fraction, gpointer user_data)
{
  (void) !step_run (user_data, PASS_SHARE * fraction, NULL);
}

static gboolean
check_trace (Check *self, const AtnTrace *trace, GError **error)
{
  const AtnConfig *config = atn_model_get_config (self->model);
  const size_t n_heads = config->n_layers * config->n_heads;
  const size_t n_tokens = atn_trace_get_n_tokens (trace);
  /* Every step-th head, one further in each layer, so that it is not the same head in all. */
  const size_t step = MAX (n_heads / N_SAMPLED_HEADS, 1);
  g_autofree float *pattern = g_new (float, n_tokens *n_tokens);

  for (size_t i = 0; i < n_heads; i++) {
    const size_t layer = i / config->n_heads, head = i % config->n_heads;

    if (!step_run (self, PASS_SHARE + (1.0 - PASS_SHARE) * (double) i / (double) n_heads, error))
      return FALSE;
    check_rows (self, trace, layer, head, pattern);
    if ((i + layer) % step == 0)
      check_head (self, trace, layer, head, pattern);
  }

  return TRUE;
}

/* Runs @text. Returns FALSE if that was cancelled; a text that cannot be run is left out. */
static gboolean
run_text (Check *self, const char *text, GError **failure, GError **error)
{
  const size_t n_ctx = atn_model_get_config (self->model)->n_ctx;
  g_autoptr (AtnTokens) tokens =
    atn_tokenizer_encode (atn_model_get_tokenizer (self->model), text, -1, NULL, 0, NULL);
  g_autoptr (AtnTokens) cut = NULL;
  g_autoptr (AtnTrace) trace = NULL;

  if (tokens == NULL || tokens->n_tokens == 0)
    return TRUE;

  cut = atn_tokens_truncate (tokens, n_ctx > 0 ? MIN (n_ctx, MAX_TOKENS) : MAX_TOKENS);
  if (cut->n_tokens == 0)
    return TRUE;

  g_clear_error (failure);
  trace =
    atn_trace_run (self->model, cut, NULL, pass_progress_cb, self, self->cancellable, failure);
  if (g_error_matches (*failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (failure));
    return FALSE;
  }
  if (trace != NULL) {
    if (!check_trace (self, trace, error))
      return FALSE;
    self->n_runs++;
  }

  return TRUE;
}

static void
set_heads_lines (Check *self, const GError *failure)
{
  if (self->n_runs == 0) {
    const char *reason = failure != NULL ? failure->message : _ ("no text could be run");

    set_line (self, ATN_SELF_CHECK_ROWS, NAN, SUM_LIMIT, g_strdup (reason));
    set_line (self, ATN_SELF_CHECK_FLOAT64, NAN, WEIGHT_LIMIT, g_strdup (reason));
    return;
  }

  set_line (self, ATN_SELF_CHECK_ROWS, self->worst_sum, SUM_LIMIT,
            g_strdup_printf (_ ("%'" PRIu64 " rows of weights; the sum farthest from 1 is off by "
                                "%.2g (limit %g)"),
                             self->n_rows, self->worst_sum, SUM_LIMIT));
  set_line (self, ATN_SELF_CHECK_FLOAT64, self->worst_weight, WEIGHT_LIMIT,
            g_strdup_printf (ngettext ("%zu head computed again in double; the weight that differs "
                                       "most is off by %.2g (limit %g)",
                                       "%zu heads computed again in double; the weight that "
                                       "differs most is off by %.2g (limit %g)",
                                       self->n_heads),
                             self->n_heads, self->worst_weight, WEIGHT_LIMIT));
}

static gboolean
check_heads (Check *self, GError **error)
{
  g_autoptr (GError) failure = NULL;

  for (guint i = 0; i < self->texts->len && self->n_runs < MAX_RUNS; i++) {
    if (!step_run (self, 0.0, error) ||
        !run_text (self, g_ptr_array_index (self->texts, i), &failure, error))
      return FALSE;
  }

  set_heads_lines (self, failure);
  return TRUE;
}

AtnSelfCheck *
atn_self_check_run (AtnModel *model,
                    AtnProgressFunc progress,
                    gpointer progress_data,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (AtnSelfCheck) result = g_new0 (AtnSelfCheck, 1);
  g_autoptr (GPtrArray) all_texts = NULL;
  Check check = {
    .model = model,
    .result = result,
    .cancellable = cancellable,
    .progress = { .func = progress,
                  .user_data = progress_data,
                  .cancellable = cancellable,
                  .from = 0.0,
                  .to = 1.0 },
  };

  g_return_val_if_fail (model != NULL, NULL);

  all_texts = check.texts = collect_texts (model);
  check_tokenizer (&check);
  if (!check_tensors (&check, error) || !check_heads (&check, error) ||
      !atn_progress_step (&check.progress, 1.0, error))
    return NULL;

  return g_steal_pointer (&result);
}

void
atn_self_check_free (AtnSelfCheck *self)
{
  for (int i = 0; i < ATN_N_SELF_CHECKS; i++)
    g_free (self->lines[i].sentence);
  g_free (self);
}

bool
atn_self_check_has_passed (const AtnSelfCheck *self)
{
  for (int i = 0; i < ATN_N_SELF_CHECKS; i++) {
    if (!self->lines[i].passed)
      return false;
  }

  return true;
}
