/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * From a result of the engine to a figure: the one place where window, command
 * line and export decide what a picture of a head holds.
 */

#pragma once

#include "engine/atn-request.h"
#include "plot/atn-figure.h"

G_BEGIN_DECLS

typedef enum
{
  ATN_RANGE_PER_HEAD, /* every panel has its own range */
  /* One range for all panels of the same sort: 0 … 1 for softmax weights, else over every layer
   * and head (head, sheet) or over the stages of the same sort (strip). */
  ATN_RANGE_SHARED,
} AtnRangeMode;

typedef struct
{
  AtnFigureKind kind;
  size_t layer; /* for head and strip */
  size_t head;
  AtnStage stage; /* for head and sheet */
  AtnRangeMode range_mode;
  bool is_log;
  bool baseline; /* the numbers as trained instead of the what-if's; @result must have them */
  size_t max_thumbnail; /* sheet and strip: pool panels to so many cells a side; 0: as many as
                           memory allows */
  AtnPlotStyle style;
} AtnFigureOptions;

/**
 * atn_figure_build:
 * @result: with at least one token
 * @cancellable: (nullable)
 *
 * Rebuilds the matrices that the figure needs and puts labels, title, caption and metadata beside
 * them.
 *
 * Returns: (transfer full): %NULL only when cancelled
 * Errors: G_IO_ERROR_CANCELLED
 * Threads: the compute thread
 */
AtnFigure *atn_figure_build (const AtnResult *result,
                             const AtnFigureOptions *options,
                             GCancellable *cancellable,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
