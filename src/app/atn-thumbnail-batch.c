/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-thumbnail-batch.h"

#include "app/atn-miniature.h"

/* Cells a side that a pooled matrix keeps: more than most grids have pixels for. */
#define MAX_CELLS 64
/* A batch ends after this long, so that a key stroke finds the thread free. */
#define BATCH_US 3000

void
atn_thumbnail_item_clear (gpointer data)
{
  AtnThumbnailItem *item = data;

  g_clear_pointer (&item->matrix, atn_matrix_unref);
  g_clear_object (&item->texture);
}

void
atn_thumbnail_batch_free (gpointer data)
{
  AtnThumbnailBatch *batch = data;

  atn_result_unref (batch->result);
  g_array_unref (batch->items);
  g_free (batch);
}

static void
compute_matrix (const AtnThumbnailBatch *batch, AtnThumbnailItem *item)
{
  const AtnResult *result = batch->result;
  const AtnWhatIf *what_if = batch->options.baseline ? NULL : atn_result_get_what_if (result);
  const AtnTrace *trace = batch->options.baseline ? result->baseline : result->trace;

  item->matrix = atn_trace_dup_thumbnail (trace, item->layer, item->head, batch->options.stage,
                                          what_if, MAX_CELLS);
}

/* As the figures of files do it: softmax weights reach to 1, other values as far as the largest. */
static void
share_range (const AtnThumbnailBatch *batch, AtnRange *range)
{
  AtnRange shared = batch->range;

  if (batch->options.stage == ATN_STAGE_PATTERN) {
    range->max = range->high = 1.0;
    return;
  }
  if (range->is_log)
    shared.min = shared.low = range->min;
  if (batch->has_range)
    atn_range_extend (range, &shared);
}

static void
render_item (const AtnThumbnailBatch *batch, AtnThumbnailItem *item)
{
  bool is_signed = atn_stage_is_signed (batch->options.stage);
  AtnPanel panel;

  if (item->matrix == NULL)
    compute_matrix (batch, item);
  atn_range_from_matrix (&item->range, item->matrix, is_signed);
  panel = (AtnPanel){ .matrix = item->matrix, .range = item->range };
  if (batch->options.is_log)
    atn_range_set_log (&panel.range, item->matrix);
  if (batch->options.range_mode == ATN_RANGE_SHARED)
    share_range (batch, &panel.range);
  item->texture =
    atn_miniature_render (&panel, &batch->options.style, item->size, item->scale_factor, NULL);
}

void
atn_thumbnail_batch_run (gpointer data, GCancellable *cancellable)
{
  AtnThumbnailBatch *batch = data;
  gint64 end = g_get_monotonic_time () + BATCH_US;

  for (guint i = 0; i < batch->items->len; i++) {
    if (g_cancellable_is_cancelled (cancellable))
      return;
    render_item (batch, &g_array_index (batch->items, AtnThumbnailItem, i));
    if (g_get_monotonic_time () > end)
      return;
  }
}
