/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "app/atn-thumbnails.h"

#include "app/atn-compute.h"
#include "app/atn-thumbnail-batch.h"

#define MAX_BATCH 256

typedef struct
{
  int size;
  GdkTexture *texture; /* owned */
  AtnThumbnailStamp stamp;
} Rendition;

typedef struct
{
  AtnMatrix *matrix; /* owned (nullable) */
  guint data_stamp;
  GArray *renditions; /* (element-type Rendition) one for each size in use */
} Entry;

struct _AtnThumbnails
{
  GObject parent_instance;

  AtnSession *session; /* not owned: it owns this */
  AtnLane *lane;
  GHashTable *entries; /* layer and head → Entry */
  GHashTable *wishes;  /* owner → AtnThumbnailWish */
  AtnThumbnailStamp stamp;
  AtnRange range; /* over all matrices of stamp.data */
  bool has_range;
  AtnPlotStyle style;
};

G_DEFINE_FINAL_TYPE (AtnThumbnails, atn_thumbnails, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
clear_rendition (gpointer data)
{
  g_clear_object (&((Rendition *) data)->texture);
}

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->matrix, atn_matrix_unref);
  g_array_unref (entry->renditions);
  g_free (entry);
}

static gpointer
get_entry_key (guint layer, guint head)
{
  return GUINT_TO_POINTER ((layer << 16) + head);
}

static Entry *
ensure_entry (AtnThumbnails *self, guint layer, guint head)
{
  gpointer key = get_entry_key (layer, head);
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry == NULL) {
    entry = g_new0 (Entry, 1);
    entry->renditions = g_array_new (FALSE, TRUE, sizeof (Rendition));
    g_array_set_clear_func (entry->renditions, clear_rendition);
    g_hash_table_insert (self->entries, key, entry);
  }
  return entry;
}

static Rendition *
find_rendition (const Entry *entry, int size)
{
  for (guint i = 0; i < entry->renditions->len; i++) {
    Rendition *rendition = &g_array_index (entry->renditions, Rendition, i);

    if (rendition->size == size)
      return rendition;
  }
  return NULL;
}

static bool
has_matrix (const AtnThumbnails *self, const Entry *entry)
{
  return entry->matrix != NULL && entry->data_stamp == self->stamp.data;
}

static bool
is_current (const AtnThumbnails *self, const Entry *entry, int size)
{
  const Rendition *rendition = find_rendition (entry, size);

  return rendition != NULL && has_matrix (self, entry) &&
         rendition->stamp.data == self->stamp.data && rendition->stamp.look == self->stamp.look &&
         rendition->stamp.range == self->stamp.range;
}

static void
append_item (AtnThumbnails *self, GArray *items, const Entry *entry, const AtnThumbnailItem *item)
{
  AtnThumbnailItem owned = *item;

  if (has_matrix (self, entry))
    owned.matrix = atn_matrix_ref (entry->matrix);
  g_array_append_val (items, owned);
}

static void
collect_wish (AtnThumbnails *self, const AtnThumbnailWish *wish, bool missing_only, GArray *items)
{
  for (guint i = 0; i < wish->n_layers * wish->n_heads && items->len < MAX_BATCH; i++) {
    AtnThumbnailItem item = { .layer = wish->first_layer + i / wish->n_heads,
                              .head = wish->first_head + i % wish->n_heads,
                              .size = wish->size,
                              .scale_factor = wish->scale_factor };
    const Entry *entry = ensure_entry (self, item.layer, item.head);

    if (is_current (self, entry, item.size))
      continue;
    if (!missing_only || !has_matrix (self, entry))
      append_item (self, items, entry, &item);
  }
}

/* Heads without numbers first: each of them may still widen the shared range. */
static GArray *
collect_items (AtnThumbnails *self)
{
  GArray *items = g_array_new (FALSE, TRUE, sizeof (AtnThumbnailItem));
  GHashTableIter iter;
  gpointer wish;

  g_array_set_clear_func (items, atn_thumbnail_item_clear);
  for (int missing_only = 1; missing_only >= 0 && items->len == 0; missing_only--) {
    g_hash_table_iter_init (&iter, self->wishes);
    while (g_hash_table_iter_next (&iter, NULL, &wish))
      collect_wish (self, wish, missing_only != 0, items);
  }
  return items;
}

static void queue_batch (AtnThumbnails *self);

static void
extend_range (AtnThumbnails *self, const AtnRange *range)
{
  AtnRange before = self->range;

  if (!self->has_range) {
    self->range = *range;
    self->has_range = true;
  } else {
    atn_range_extend (&self->range, range);
  }
  if (atn_session_get_range_mode (self->session) == ATN_RANGE_SHARED &&
      (before.min != self->range.min || before.max != self->range.max))
    self->stamp.range++;
}

static void
store_item (AtnThumbnails *self, const AtnThumbnailBatch *batch, AtnThumbnailItem *item)
{
  Entry *entry = ensure_entry (self, item->layer, item->head);
  Rendition *rendition = find_rendition (entry, item->size);

  if (batch->stamp.data == self->stamp.data) {
    g_clear_pointer (&entry->matrix, atn_matrix_unref);
    entry->matrix = atn_matrix_ref (item->matrix);
    entry->data_stamp = batch->stamp.data;
    extend_range (self, &item->range);
  }
  if (rendition == NULL) {
    g_array_set_size (entry->renditions, entry->renditions->len + 1);
    rendition = &g_array_index (entry->renditions, Rendition, entry->renditions->len - 1);
    rendition->size = item->size;
  }
  g_clear_object (&rendition->texture);
  rendition->texture = g_steal_pointer (&item->texture);
  rendition->stamp = batch->stamp;
}

static void
batch_done_cb (gpointer data, gpointer user_data)
{
  AtnThumbnails *self = user_data;
  AtnThumbnailBatch *batch = data;

  for (guint i = 0; i < batch->items->len; i++) {
    AtnThumbnailItem *item = &g_array_index (batch->items, AtnThumbnailItem, i);

    if (item->texture != NULL)
      store_item (self, batch, item);
  }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  queue_batch (self);
}

static void
queue_batch (AtnThumbnails *self)
{
  AtnResult *result = atn_session_get_result (self->session);
  g_autoptr (GArray) items = NULL;
  AtnThumbnailBatch *batch;

  /* A batch is short: what changed meanwhile is found when it is done. */
  if (result == NULL || result->trace == NULL || atn_lane_is_busy (self->lane) ||
      result->model != atn_session_get_model (self->session))
    return;
  items = collect_items (self);
  if (items->len == 0)
    return;
  batch = g_new0 (AtnThumbnailBatch, 1);
  batch->result = atn_result_ref (result);
  atn_session_fill_figure_options (self->session, &batch->options);
  batch->options.style.background = self->style.background;
  batch->options.style.foreground = self->style.foreground;
  batch->options.style.masked = self->style.masked;
  batch->has_range = self->has_range;
  batch->range = self->range;
  batch->stamp = self->stamp;
  batch->items = g_steal_pointer (&items);
  atn_lane_push (self->lane, &(AtnWork){ .data = batch,
                                         .run = atn_thumbnail_batch_run,
                                         .done = batch_done_cb,
                                         .free_data = atn_thumbnail_batch_free,
                                         .user_data = self });
}

static void
invalidate_data (AtnThumbnails *self)
{
  self->stamp.data++;
  self->has_range = false;
  queue_batch (self);
}

static void
invalidate_look (AtnThumbnails *self)
{
  self->stamp.look++;
  queue_batch (self);
}

static void
result_changed_cb (AtnThumbnails *self)
{
  if (atn_session_get_n_tokens (self->session) == 0) {
    g_hash_table_remove_all (self->entries);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  }
  invalidate_data (self);
}

/* Another model's heads are not an old picture of this one's. */
static void
model_changed_cb (AtnThumbnails *self)
{
  g_hash_table_remove_all (self->entries);
  g_hash_table_remove_all (self->wishes);
  atn_lane_cancel (self->lane);
  self->stamp.data++;
  self->has_range = false;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
watch_session (AtnThumbnails *self)
{
  const char *data[] = { "notify::stage", "notify::show-baseline" };
  const char *looks[] = { "notify::colormap", "notify::range-mode", "notify::log-scale" };

  g_signal_connect_object (self->session, "result-changed", G_CALLBACK (result_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "model-changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (data); i++)
    g_signal_connect_object (self->session, data[i], G_CALLBACK (invalidate_data), self,
                             G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    g_signal_connect_object (self->session, looks[i], G_CALLBACK (invalidate_look), self,
                             G_CONNECT_SWAPPED);
}

static void
atn_thumbnails_dispose (GObject *object)
{
  AtnThumbnails *self = ATN_THUMBNAILS (object);

  g_clear_pointer (&self->lane, atn_lane_free);
  g_hash_table_remove_all (self->entries);
  g_hash_table_remove_all (self->wishes);
  G_OBJECT_CLASS (atn_thumbnails_parent_class)->dispose (object);
}

static void
atn_thumbnails_finalize (GObject *object)
{
  AtnThumbnails *self = ATN_THUMBNAILS (object);

  g_hash_table_unref (self->entries);
  g_hash_table_unref (self->wishes);
  G_OBJECT_CLASS (atn_thumbnails_parent_class)->finalize (object);
}

static void
atn_thumbnails_class_init (AtnThumbnailsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = atn_thumbnails_dispose;
  object_class->finalize = atn_thumbnails_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", ATN_TYPE_THUMBNAILS, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
atn_thumbnails_init (AtnThumbnails *self)
{
  self->entries = g_hash_table_new_full (NULL, NULL, NULL, free_entry);
  self->wishes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->lane = atn_lane_new (atn_compute_get_default (), ATN_PRIORITY_BACKGROUND);
  atn_plot_style_init (&self->style);
}

AtnThumbnails *
atn_thumbnails_get (AtnSession *session)
{
  AtnThumbnails *self;

  g_return_val_if_fail (ATN_IS_SESSION (session), NULL);

  self = g_object_get_data (G_OBJECT (session), "atn-thumbnails");
  if (self == NULL) {
    self = g_object_new (ATN_TYPE_THUMBNAILS, NULL);
    self->session = session;
    watch_session (self);
    g_object_set_data_full (G_OBJECT (session), "atn-thumbnails", self, g_object_unref);
  }
  return self;
}

static bool
is_size_in_use (AtnThumbnails *self, int size)
{
  GHashTableIter iter;
  gpointer wish;

  g_hash_table_iter_init (&iter, self->wishes);
  while (g_hash_table_iter_next (&iter, NULL, &wish))
    if (((AtnThumbnailWish *) wish)->size == size)
      return true;
  return false;
}

/* Drops textures of sizes that no grid shows any more. */
static void
drop_unused_sizes (AtnThumbnails *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    Entry *entry = value;

    for (guint i = entry->renditions->len; i-- > 0;)
      if (!is_size_in_use (self, g_array_index (entry->renditions, Rendition, i).size))
        g_array_remove_index_fast (entry->renditions, i);
  }
}

static bool
is_same_color (const AtnColor *a, const AtnColor *b)
{
  return a->red == b->red && a->green == b->green && a->blue == b->blue;
}

static void
update_style (AtnThumbnails *self, const AtnThumbnailWish *wish, const AtnThumbnailWish *old)
{
  if (is_same_color (&self->style.background, &wish->style.background) &&
      is_same_color (&self->style.foreground, &wish->style.foreground) &&
      is_same_color (&self->style.masked, &wish->style.masked) &&
      (old == NULL || old->scale_factor == wish->scale_factor))
    return;
  self->style = wish->style;
  self->stamp.look++;
}

void
atn_thumbnails_set_wish (AtnThumbnails *self, gpointer owner, const AtnThumbnailWish *wish)
{
  const AtnThumbnailWish *old;
  bool is_new_size;

  g_return_if_fail (ATN_IS_THUMBNAILS (self));

  old = g_hash_table_lookup (self->wishes, owner);
  if (wish == NULL) {
    g_hash_table_remove (self->wishes, owner);
    return;
  }
  is_new_size = old != NULL && old->size != wish->size;
  update_style (self, wish, old);
  g_hash_table_insert (self->wishes, owner, g_memdup2 (wish, sizeof *wish));
  if (is_new_size)
    drop_unused_sizes (self);
  queue_batch (self);
}

GdkTexture *
atn_thumbnails_get_texture (AtnThumbnails *self, guint layer, guint head, int size)
{
  const Entry *entry;
  const Rendition *rendition;

  g_return_val_if_fail (ATN_IS_THUMBNAILS (self), NULL);

  entry = g_hash_table_lookup (self->entries, get_entry_key (layer, head));
  rendition = entry != NULL ? find_rendition (entry, size) : NULL;
  return rendition != NULL ? rendition->texture : NULL;
}

bool
atn_thumbnails_is_settled (AtnThumbnails *self)
{
  g_autoptr (GArray) items = NULL;

  g_return_val_if_fail (ATN_IS_THUMBNAILS (self), true);

  items = collect_items (self);
  return items->len == 0 && !atn_lane_is_busy (self->lane);
}
