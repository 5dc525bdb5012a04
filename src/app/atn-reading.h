/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * A cell of a picture in words, for the line under the heatmap and for a
 * screen reader.
 */

#pragma once

#include "app/atn-picture.h"

G_BEGIN_DECLS

/**
 * atn_reading_dup_sentence:
 * @picture: of one head
 * @query: -1 for none: the last token speaks
 * @key: -1 for none: the key with the highest value
 *
 * What the cell says at the picture's stage: “it” gives 63 % of its attention to “cat”.
 *
 * Returns: (transfer full): translated; empty for a cell that the picture does not have
 */
char *atn_reading_dup_sentence (const AtnPicture *picture, int query, int key);

/* Row, column and value, such as: Query “it”, key “cat”: 0.6312. Empty without a cell. */
char *atn_reading_dup_cell (const AtnPicture *picture, int query, int key);

G_END_DECLS
