/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Walks a family's table and asks the weight store for each tensor that the
 * config makes necessary, with the shape that the config makes right. A shape
 * that is wrong is refused, never transposed by guess. No number is read here:
 * see atn_model_load_weights().
 */

#include "model/atn-slots.h"

#include "base/atn-error.h"
#include "model/atn-family.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  const AtnFamily *family;
  const AtnConfig *config;
  AtnWeights *weights;
  AtnSlots *slots;
  const char *prefix;
  GHashTable *used; /* (element-type utf8) */
  AtnProgressFunc progress;
  gpointer progress_data;
  GCancellable *cancellable;
} Resolver;

typedef struct
{
  size_t n_dims;
  size_t dims[3];
} Shape;

/* What '#' and '@' in a name stand for. */
typedef struct
{
  size_t layer;
  size_t head;
} Place;

/* "h.#.ln_1.weight" → "transformer.h.3.ln_1.weight" */
static char *
expand_name (const Resolver *self, const char *pattern, Place place)
{
  const AtnConfig *config = self->config;
  bool is_top = pattern[0] == '/';
  GString *name = g_string_new (is_top ? "" : self->prefix);
  size_t number = place.layer, next_number = 0;

  if (config->n_layer_groups > 0) {
    const size_t n_steps = config->n_layers / config->n_inner_layers;

    number = place.layer / config->n_inner_layers * config->n_layer_groups / n_steps;
    next_number = place.layer % config->n_inner_layers;
  }

  for (const char *p = is_top ? pattern + 1 : pattern; *p != '\0'; p++) {
    if (*p == '@')
      g_string_append_printf (name, "%zu", place.head);
    else if (*p != '#')
      g_string_append_c (name, *p);
    else {
      g_string_append_printf (name, "%zu", number);
      number = next_number;
    }
  }

  return g_string_free (name, FALSE);
}

/* The name the file uses: @name, or an old spelling of it. */
static char *
find_spelling (const Resolver *self, const char *name)
{
  if (self->family->old_names == NULL || atn_weights_find (self->weights, name) != NULL)
    return g_strdup (name);

  for (const AtnOldName *old = self->family->old_names; old->suffix != NULL; old++) {
    g_autofree char *spelling = NULL;

    if (!g_str_has_suffix (name, old->suffix))
      continue;

    spelling = g_strdup_printf ("%.*s%s", (int) (strlen (name) - strlen (old->suffix)), name,
                                old->old_suffix);
    if (atn_weights_find (self->weights, spelling) != NULL)
      return g_steal_pointer (&spelling);
  }

  return g_strdup (name);
}

static const float *
take_tensor (Resolver *self, const char *pattern, Place place, const Shape *shape, GError **error)
{
  g_autofree char *name = expand_name (self, pattern, place);
  g_autofree char *spelling = find_spelling (self, name);
  const float *values;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return NULL;

  values = atn_weights_place_floats (self->weights, spelling, shape->n_dims, shape->dims, error);
  if (values == NULL)
    return NULL;

  if (!g_hash_table_contains (self->used, spelling)) {
    self->slots->n_parameters += atn_weights_find (self->weights, spelling)->n_elements;
    g_ptr_array_add (self->slots->used, g_strdup (spelling));
    g_hash_table_add (self->used, g_steal_pointer (&spelling));
  }

  return values;
}

static bool
has_tensor (const Resolver *self, const char *pattern, Place place)
{
  g_autofree char *name = expand_name (self, pattern, place);
  g_autofree char *spelling = find_spelling (self, name);

  return atn_weights_find (self->weights, spelling) != NULL;
}

static bool
wants_bias (const Resolver *self, const AtnSlotRow *row, Place place)
{
  if (row->bias == NULL)
    return false;

  switch (row->bias_need) {
  case ATN_BIAS_OPTIONAL:
    return has_tensor (self, row->bias, place);
  case ATN_BIAS_BY_CONFIG:
    return atn_slot_is_of_mlp (row->slot) ? self->config->mlp_bias : self->config->attention_bias;
  case ATN_BIAS_REQUIRED:
  default:
    return true;
  }
}

static gboolean
take_norm (Resolver *self,
           const AtnSlotRow *row,
           Place place,
           size_t width,
           AtnNormWeights *norm,
           GError **error)
{
  const Shape shape = { 1, { width } };

  norm->weight = take_tensor (self, row->weight, place, &shape, error);
  if (norm->weight == NULL)
    return FALSE;

  if (wants_bias (self, row, place)) {
    norm->bias = take_tensor (self, row->bias, place, &shape, error);
    return norm->bias != NULL;
  }

  return TRUE;
}

/* The norms of @n_heads heads, or the one that they share. Comes after the projection: a file that
 * holds that justifies the memory. */
static gboolean
take_head_norms (Resolver *self,
                 const AtnSlotRow *row,
                 size_t layer,
                 size_t n_heads,
                 const AtnNormWeights **norms,
                 GError **error)
{
  const size_t n = self->config->qk_norm == ATN_QK_NORM_SHARED ? 1 : n_heads;
  const bool is_per_head = strchr (row->weight, '@') != NULL;
  AtnNormWeights *taken;

  /* The generic family has a row for either kind. */
  if (is_per_head != (self->config->qk_norm == ATN_QK_NORM_PER_HEAD))
    return TRUE;

  taken = g_new0 (AtnNormWeights, n);
  g_ptr_array_add (self->slots->head_norms, taken);
  for (size_t head = 0; head < n; head++) {
    if (!take_norm (self, row, (Place){ layer, head }, self->config->d_head, &taken[head], error))
      return FALSE;
  }

  *norms = taken;
  return TRUE;
}

static gboolean
take_table (Resolver *self,
            const char *name,
            size_t n_rows,
            size_t width,
            const float **table,
            GError **error)
{
  const Shape shape = { 2, { n_rows, width } };

  *table = take_tensor (self, name, (Place){ 0 }, &shape, error);
  return *table != NULL;
}

/* What a stored weight looks like: shape of the file, and how the engine walks it. @n_heads is 1
 * where heads have no axis of their own. */
static Shape
describe_weight (AtnLinear *linear, AtnLayout layout, size_t n_heads)
{
  size_t d_in = linear->d_in;
  size_t d_out = linear->d_out;

  linear->n_parts = 1;
  linear->stride = d_out;

  switch (layout) {
  case ATN_LAYOUT_HEADS_IN_OUT:
    linear->n_parts = n_heads;
    linear->stride = d_out / n_heads;
    linear->part_stride = d_in * linear->stride;
    linear->bias_part_stride = linear->stride;
    return (Shape){ 3, { n_heads, d_in, d_out / n_heads } };
  case ATN_LAYOUT_HEADS_OUT:
    return (Shape){ 3, { n_heads, d_in / n_heads, d_out } };
  case ATN_LAYOUT_IN_OUT:
    return (Shape){ 2, { d_in, d_out } };
  case ATN_LAYOUT_OUT_IN:
  case ATN_LAYOUT_QKV_BY_HEAD:
  default:
    linear->is_out_in = true;
    linear->stride = d_in;
    return (Shape){ 2, { d_out, d_in } };
  }
}

static gboolean
take_linear (Resolver *self,
             const AtnSlotRow *row,
             size_t layer,
             size_t n_heads,
             AtnLinear *linear,
             GError **error)
{
  Shape shape = describe_weight (linear, row->layout, n_heads);
  Shape bias_shape = { 1, { linear->d_out } };
  const Place place = { .layer = layer };

  linear->weight = take_tensor (self, row->weight, place, &shape, error);
  if (linear->weight == NULL)
    return FALSE;

  if (row->layout == ATN_LAYOUT_HEADS_IN_OUT)
    bias_shape = (Shape){ 2, { n_heads, linear->d_out / n_heads } };
  if (wants_bias (self, row, place)) {
    linear->bias = take_tensor (self, row->bias, place, &bias_shape, error);
    return linear->bias != NULL;
  }

  return TRUE;
}

/* Columns @first to @first + @width of @whole (or its rows, if it is stored [out, in]). */
static AtnLinear
slice (const AtnLinear *whole, size_t first, size_t width)
{
  AtnLinear linear = *whole;

  linear.d_out = width;
  linear.weight += whole->is_out_in ? first * whole->stride : first;
  if (whole->bias != NULL)
    linear.bias += first;

  return linear;
}

/* Every third run of d_head rows, from run @index on. */
static AtnLinear
slice_by_head (const AtnLinear *whole, const AtnConfig *config, size_t index)
{
  AtnLinear linear = slice (whole, index * config->d_head, config->n_heads * config->d_head);

  linear.n_parts = config->n_heads;
  linear.part_stride = 3 * config->d_head * whole->stride;
  linear.bias_part_stride = 3 * config->d_head;

  return linear;
}

/* One stored matrix of three. */
static gboolean
take_qkv (Resolver *self, const AtnSlotRow *row, size_t layer, AtnBlock *block, GError **error)
{
  const AtnConfig *config = self->config;
  AtnLinear *parts[] = { &block->q, &block->k, &block->v };
  const size_t widths[] = { config->n_heads * config->d_head, config->n_kv_heads * config->d_head,
                            config->n_kv_heads * config->d_v };
  AtnLinear fused = { .d_in = config->d_model, .d_out = widths[0] + widths[1] + widths[2] };
  size_t first = 0;

  if (!take_linear (self, row, layer, 1, &fused, error))
    return FALSE;

  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    *parts[i] = row->layout == ATN_LAYOUT_QKV_BY_HEAD ? slice_by_head (&fused, config, i)
                                                      : slice (&fused, first, widths[i]);
    first += widths[i];
  }

  return TRUE;
}

static gboolean
take_gate_in (Resolver *self, const AtnSlotRow *row, size_t layer, AtnBlock *block, GError **error)
{
  const size_t d_mlp = self->config->d_mlp;
  AtnLinear fused = { .d_in = self->config->d_model, .d_out = 2 * d_mlp };

  if (!take_linear (self, row, layer, 1, &fused, error))
    return FALSE;

  block->mlp_gate = slice (&fused, 0, d_mlp);
  block->mlp_in = slice (&fused, d_mlp, d_mlp);
  return TRUE;
}

static gboolean
take_unembed (Resolver *self, const AtnSlotRow *row, GError **error)
{
  AtnLinear *unembed = &self->slots->unembed;
  const Shape bias_shape = { 1, { self->config->d_vocab } };

  *unembed = (AtnLinear){
    .d_in = self->config->has_mlm_transform || self->config->unembed_project
              ? self->config->d_embed
              : self->config->d_model,
    .d_out = self->config->d_vocab,
  };
  if (self->config->unembed == ATN_UNEMBED_OWN)
    return take_linear (self, row, 0, 1, unembed, error);

  describe_weight (unembed, ATN_LAYOUT_OUT_IN, 1);
  unembed->weight = self->slots->embed;
  if (wants_bias (self, row, (Place){ 0 })) {
    unembed->bias = take_tensor (self, row->bias, (Place){ 0 }, &bias_shape, error);
    return unembed->bias != NULL;
  }

  return TRUE;
}

static gboolean
take_sized (Resolver *self,
            const AtnSlotRow *row,
            size_t layer,
            size_t n_heads,
            AtnLinear sizes,
            AtnLinear *linear,
            GError **error)
{
  *linear = sizes;
  return take_linear (self, row, layer, n_heads, linear, error);
}

static gboolean
take_block_row (Resolver *self, const AtnSlotRow *row, size_t layer, GError **error)
{
  const AtnConfig *c = self->config;
  AtnBlock *block = &self->slots->blocks[layer];
  const AtnLinear q = { .d_in = c->d_model, .d_out = c->n_heads * c->d_head };
  const AtnLinear k = { .d_in = c->d_model, .d_out = c->n_kv_heads * c->d_head };
  const AtnLinear v = { .d_in = c->d_model, .d_out = c->n_kv_heads * c->d_v };
  const AtnLinear o = { .d_in = c->n_heads * c->d_v, .d_out = c->d_model };
  const AtnLinear up = { .d_in = c->d_model, .d_out = c->d_mlp };
  const AtnLinear down = { .d_in = c->d_mlp, .d_out = c->d_model };
  const Place place = { .layer = layer };

  switch ((int) row->slot) {
  case ATN_SLOT_NORM1:
    return take_norm (self, row, place, c->d_model, &block->norm1, error);
  case ATN_SLOT_NORM1_POST:
    return take_norm (self, row, place, c->d_model, &block->norm1_post, error);
  case ATN_SLOT_NORM2:
    return take_norm (self, row, place, c->d_model, &block->norm2, error);
  case ATN_SLOT_NORM2_POST:
    return take_norm (self, row, place, c->d_model, &block->norm2_post, error);
  case ATN_SLOT_Q_NORM:
    return take_head_norms (self, row, layer, c->n_heads, &block->q_norms, error);
  case ATN_SLOT_K_NORM:
    return take_head_norms (self, row, layer, c->n_kv_heads, &block->k_norms, error);
  case ATN_SLOT_QKV:
    return take_qkv (self, row, layer, block, error);
  case ATN_SLOT_Q:
    return take_sized (self, row, layer, c->n_heads, q, &block->q, error);
  case ATN_SLOT_K:
    return take_sized (self, row, layer, c->n_kv_heads, k, &block->k, error);
  case ATN_SLOT_V:
    return take_sized (self, row, layer, c->n_kv_heads, v, &block->v, error);
  case ATN_SLOT_O:
    return take_sized (self, row, layer, c->n_heads, o, &block->o, error);
  case ATN_SLOT_MLP_IN:
    return take_sized (self, row, layer, 1, up, &block->mlp_in, error);
  case ATN_SLOT_MLP_GATE:
    return take_sized (self, row, layer, 1, up, &block->mlp_gate, error);
  case ATN_SLOT_MLP_GATE_IN:
    return take_gate_in (self, row, layer, block, error);
  case ATN_SLOT_MLP_OUT:
    return take_sized (self, row, layer, 1, down, &block->mlp_out, error);
  default:
    g_assert_not_reached ();
  }
}

static gboolean
take_top_row (Resolver *self, const AtnSlotRow *row, GError **error)
{
  const AtnConfig *c = self->config;
  AtnSlots *slots = self->slots;
  const AtnLinear project = { .d_in = c->d_embed, .d_out = c->d_model };
  const AtnLinear back = { .d_in = c->d_model, .d_out = c->d_embed };

  switch ((int) row->slot) {
  case ATN_SLOT_EMBED:
    return take_table (self, row->weight, c->d_vocab, c->d_embed, &slots->embed, error);
  case ATN_SLOT_POS_EMBED:
    return take_table (self, row->weight, c->first_position + c->n_ctx,
                       c->positions_after_projection ? c->d_model : c->d_embed, &slots->pos_embed,
                       error);
  case ATN_SLOT_TOKEN_TYPE_EMBED:
    return take_table (self, row->weight, c->n_token_types, c->d_embed, &slots->token_type_embed,
                       error);
  case ATN_SLOT_POSITION_BIAS:
    return take_table (self, row->weight, c->buckets.n_rows, c->n_heads, &slots->position_bias,
                       error);
  case ATN_SLOT_EMBED_NORM:
    return take_norm (self, row, (Place){ 0 }, c->d_embed, &slots->embed_norm, error);
  case ATN_SLOT_EMBED_PROJECT:
    return take_sized (self, row, 0, 1, project, &slots->embed_project, error);
  case ATN_SLOT_FINAL_NORM:
    return take_norm (self, row, (Place){ 0 }, c->d_model, &slots->final_norm, error);
  case ATN_SLOT_MLM_DENSE:
    return take_sized (self, row, 0, 1, back, &slots->mlm_dense, error);
  case ATN_SLOT_MLM_NORM:
    return take_norm (self, row, (Place){ 0 }, c->d_embed, &slots->mlm_norm, error);
  case ATN_SLOT_UNEMBED_PROJECT:
    return take_sized (self, row, 0, 1, back, &slots->unembed_project, error);
  case ATN_SLOT_UNEMBED:
    return take_unembed (self, row, error);
  default:
    g_assert_not_reached ();
  }
}

/* Whether a row is of the form in which the file does not have queries, keys and values. */
static bool
is_of_other_form (const Resolver *self, const AtnSlotRow *row, size_t layer)
{
  const char *apart = self->family->apart;
  const bool is_one = row->slot == ATN_SLOT_QKV;
  const bool is_of_three =
    row->slot == ATN_SLOT_Q || row->slot == ATN_SLOT_K || row->slot == ATN_SLOT_V;

  return apart != NULL && (is_one || is_of_three) &&
         is_one == has_tensor (self, apart, (Place){ .layer = layer });
}

static gboolean
take_rows (Resolver *self, GError **error)
{
  const AtnFamily *family = self->family;

  for (size_t i = 0; i < family->n_rows; i++) {
    const AtnSlotRow *row = &family->rows[i];

    if (!atn_slot_is_per_layer (row->slot) && atn_slot_is_needed (row->slot, self->config) &&
        !take_top_row (self, row, error))
      return FALSE;
  }

  for (size_t layer = 0; layer < self->config->n_layers; layer++) {
    if (self->progress != NULL)
      self->progress ((double) layer / (double) self->config->n_layers, self->progress_data);

    for (size_t i = 0; i < family->n_rows; i++) {
      const AtnSlotRow *row = &family->rows[i];

      if (atn_slot_is_per_layer (row->slot) && atn_slot_is_needed (row->slot, self->config) &&
          !is_of_other_form (self, row, layer) && !take_block_row (self, row, layer, error))
        return FALSE;
    }
  }

  return TRUE;
}

static const char *
find_prefix (const AtnFamily *family, const AtnWeights *weights)
{
  for (size_t i = 0; family->prefixes[i] != NULL; i++) {
    g_autofree char *name = g_strconcat (family->prefixes[i], family->anchor, NULL);

    if (atn_weights_find (weights, name) != NULL)
      return family->prefixes[i];
  }

  return family->prefixes[0];
}

static bool
is_ignored (const AtnFamily *family, const char *name)
{
  for (size_t i = 0; family->ignored[i] != NULL; i++) {
    if (g_pattern_match_simple (family->ignored[i], name))
      return true;
  }

  return false;
}

static void
list_unused (Resolver *self)
{
  self->slots->unused = g_ptr_array_new_with_free_func (g_free);

  for (size_t i = 0; i < atn_weights_get_n_tensors (self->weights); i++) {
    const char *name = atn_weights_get_info (self->weights, i)->name;

    if (!g_hash_table_contains (self->used, name) && !is_ignored (self->family, name))
      g_ptr_array_add (self->slots->unused, g_strdup (name));
  }
}

AtnSlots *
atn_slots_new (const AtnFamily *family,
               const AtnConfig *config,
               AtnWeights *weights,
               AtnProgressFunc progress,
               gpointer progress_data,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (AtnSlots) slots = g_new0 (AtnSlots, 1);
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Resolver resolver = {
    .family = family,
    .config = config,
    .weights = weights,
    .slots = slots,
    .prefix = find_prefix (family, weights),
    .used = used,
    .progress = progress,
    .progress_data = progress_data,
    .cancellable = cancellable,
  };

  slots->used = g_ptr_array_new_with_free_func (g_free);
  slots->blocks = g_new0 (AtnBlock, config->n_layers);
  slots->head_norms = g_ptr_array_new_with_free_func (g_free);
  if (!take_rows (&resolver, error))
    return NULL;

  list_unused (&resolver);
  return g_steal_pointer (&slots);
}

void
atn_slots_free (AtnSlots *self)
{
  g_free (self->blocks);
  g_clear_pointer (&self->used, g_ptr_array_unref);
  g_ptr_array_unref (self->head_norms);
  g_clear_pointer (&self->unused, g_ptr_array_unref);
  g_free (self);
}
