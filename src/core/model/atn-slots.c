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

static bool
is_per_layer (AtnSlotId slot)
{
  switch (slot) {
  case ATN_SLOT_NORM1:
  case ATN_SLOT_QKV:
  case ATN_SLOT_Q:
  case ATN_SLOT_K:
  case ATN_SLOT_V:
  case ATN_SLOT_O:
  case ATN_SLOT_NORM2:
  case ATN_SLOT_MLP_IN:
  case ATN_SLOT_MLP_GATE:
  case ATN_SLOT_MLP_OUT:
    return true;
  case ATN_SLOT_EMBED:
  case ATN_SLOT_POS_EMBED:
  case ATN_SLOT_TOKEN_TYPE_EMBED:
  case ATN_SLOT_EMBED_NORM:
  case ATN_SLOT_EMBED_PROJECT:
  case ATN_SLOT_FINAL_NORM:
  case ATN_SLOT_MLM_DENSE:
  case ATN_SLOT_MLM_NORM:
  case ATN_SLOT_UNEMBED:
  default:
    return false;
  }
}

/* Whether the config has a place for the slot at all. */
static bool
is_needed (const AtnConfig *config, AtnSlotId slot)
{
  bool has_norm = config->norm != ATN_NORM_NONE;

  switch (slot) {
  case ATN_SLOT_POS_EMBED:
    return config->positions == ATN_POSITIONS_LEARNED;
  case ATN_SLOT_TOKEN_TYPE_EMBED:
    return config->n_token_types > 0;
  case ATN_SLOT_EMBED_NORM:
    return config->embed_norm && has_norm;
  case ATN_SLOT_EMBED_PROJECT:
    return config->embed_project;
  case ATN_SLOT_NORM1:
    return has_norm;
  case ATN_SLOT_NORM2:
    return has_norm && config->d_mlp > 0;
  case ATN_SLOT_MLP_IN:
  case ATN_SLOT_MLP_OUT:
    return config->d_mlp > 0;
  case ATN_SLOT_MLP_GATE:
    return config->d_mlp > 0 && config->gated_mlp;
  case ATN_SLOT_FINAL_NORM:
    return config->final_norm && has_norm;
  case ATN_SLOT_MLM_DENSE:
  case ATN_SLOT_MLM_NORM:
    return config->has_mlm_transform;
  case ATN_SLOT_UNEMBED:
    return config->unembed != ATN_UNEMBED_NONE;
  case ATN_SLOT_EMBED:
  case ATN_SLOT_QKV:
  case ATN_SLOT_Q:
  case ATN_SLOT_K:
  case ATN_SLOT_V:
  case ATN_SLOT_O:
  default:
    return true;
  }
}

/* "h.#.ln_1.weight" → "transformer.h.3.ln_1.weight" */
static char *
expand_name (const Resolver *self, const char *pattern, size_t layer)
{
  const AtnConfig *config = self->config;
  bool is_top = pattern[0] == '/';
  GString *name = g_string_new (is_top ? "" : self->prefix);
  size_t number = layer, next_number = 0;

  if (config->n_layer_groups > 0) {
    const size_t n_steps = config->n_layers / config->n_inner_layers;

    number = layer / config->n_inner_layers * config->n_layer_groups / n_steps;
    next_number = layer % config->n_inner_layers;
  }

  for (const char *p = is_top ? pattern + 1 : pattern; *p != '\0'; p++) {
    if (*p != '#') {
      g_string_append_c (name, *p);
      continue;
    }
    g_string_append_printf (name, "%zu", number);
    number = next_number;
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
take_tensor (Resolver *self, const char *pattern, size_t layer, const Shape *shape, GError **error)
{
  g_autofree char *name = expand_name (self, pattern, layer);
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
has_tensor (const Resolver *self, const char *pattern, size_t layer)
{
  g_autofree char *name = expand_name (self, pattern, layer);
  g_autofree char *spelling = find_spelling (self, name);

  return atn_weights_find (self->weights, spelling) != NULL;
}

static bool
wants_bias (const Resolver *self, const AtnSlotRow *row, size_t layer)
{
  if (row->bias == NULL)
    return false;

  switch (row->bias_need) {
  case ATN_BIAS_OPTIONAL:
    return has_tensor (self, row->bias, layer);
  case ATN_BIAS_BY_CONFIG:
    return row->slot == ATN_SLOT_MLP_IN || row->slot == ATN_SLOT_MLP_GATE ||
               row->slot == ATN_SLOT_MLP_OUT
             ? self->config->mlp_bias
             : self->config->attention_bias;
  case ATN_BIAS_REQUIRED:
  default:
    return true;
  }
}

static gboolean
take_norm (Resolver *self,
           const AtnSlotRow *row,
           size_t layer,
           size_t width,
           AtnNormWeights *norm,
           GError **error)
{
  const Shape shape = { 1, { width } };

  norm->weight = take_tensor (self, row->weight, layer, &shape, error);
  if (norm->weight == NULL)
    return FALSE;

  if (wants_bias (self, row, layer)) {
    norm->bias = take_tensor (self, row->bias, layer, &shape, error);
    return norm->bias != NULL;
  }

  return TRUE;
}

static gboolean
take_table (Resolver *self, const char *name, size_t n_rows, const float **table, GError **error)
{
  const Shape shape = { 2, { n_rows, self->config->d_embed } };

  *table = take_tensor (self, name, 0, &shape, error);
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
    return (Shape){ 3, { n_heads, d_in, d_out / n_heads } };
  case ATN_LAYOUT_HEADS_OUT:
    return (Shape){ 3, { n_heads, d_in / n_heads, d_out } };
  case ATN_LAYOUT_IN_OUT:
    return (Shape){ 2, { d_in, d_out } };
  case ATN_LAYOUT_OUT_IN:
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

  linear->weight = take_tensor (self, row->weight, layer, &shape, error);
  if (linear->weight == NULL)
    return FALSE;

  if (row->layout == ATN_LAYOUT_HEADS_IN_OUT)
    bias_shape = (Shape){ 2, { n_heads, linear->d_out / n_heads } };
  if (wants_bias (self, row, layer)) {
    linear->bias = take_tensor (self, row->bias, layer, &bias_shape, error);
    return linear->bias != NULL;
  }

  return TRUE;
}

/* One stored matrix of three: each of q, k and v is a range of its columns (or rows, if it is
 * stored [out, in]). */
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
    *parts[i] = fused;
    parts[i]->d_out = widths[i];
    parts[i]->weight = fused.weight + (fused.is_out_in ? first * fused.stride : first);
    parts[i]->bias = fused.bias != NULL ? fused.bias + first : NULL;
    first += widths[i];
  }

  return TRUE;
}

static gboolean
take_unembed (Resolver *self, const AtnSlotRow *row, GError **error)
{
  AtnLinear *unembed = &self->slots->unembed;
  const Shape bias_shape = { 1, { self->config->d_vocab } };

  *unembed = (AtnLinear){
    .d_in = self->config->has_mlm_transform ? self->config->d_embed : self->config->d_model,
    .d_out = self->config->d_vocab,
  };
  if (self->config->unembed == ATN_UNEMBED_OWN)
    return take_linear (self, row, 0, 1, unembed, error);

  describe_weight (unembed, ATN_LAYOUT_OUT_IN, 1);
  unembed->weight = self->slots->embed;
  if (wants_bias (self, row, 0)) {
    unembed->bias = take_tensor (self, row->bias, 0, &bias_shape, error);
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

  switch ((int) row->slot) {
  case ATN_SLOT_NORM1:
    return take_norm (self, row, layer, c->d_model, &block->norm1, error);
  case ATN_SLOT_NORM2:
    return take_norm (self, row, layer, c->d_model, &block->norm2, error);
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
  const AtnLinear mlm_dense = { .d_in = c->d_model, .d_out = c->d_embed };

  switch ((int) row->slot) {
  case ATN_SLOT_EMBED:
    return take_table (self, row->weight, c->d_vocab, &slots->embed, error);
  case ATN_SLOT_POS_EMBED:
    return take_table (self, row->weight, c->first_position + c->n_ctx, &slots->pos_embed, error);
  case ATN_SLOT_TOKEN_TYPE_EMBED:
    return take_table (self, row->weight, c->n_token_types, &slots->token_type_embed, error);
  case ATN_SLOT_EMBED_NORM:
    return take_norm (self, row, 0, c->d_embed, &slots->embed_norm, error);
  case ATN_SLOT_EMBED_PROJECT:
    return take_sized (self, row, 0, 1, project, &slots->embed_project, error);
  case ATN_SLOT_FINAL_NORM:
    return take_norm (self, row, 0, c->d_model, &slots->final_norm, error);
  case ATN_SLOT_MLM_DENSE:
    return take_sized (self, row, 0, 1, mlm_dense, &slots->mlm_dense, error);
  case ATN_SLOT_MLM_NORM:
    return take_norm (self, row, 0, c->d_embed, &slots->mlm_norm, error);
  case ATN_SLOT_UNEMBED:
    return take_unembed (self, row, error);
  default:
    g_assert_not_reached ();
  }
}

static gboolean
take_rows (Resolver *self, GError **error)
{
  const AtnFamily *family = self->family;

  for (size_t i = 0; i < family->n_rows; i++) {
    const AtnSlotRow *row = &family->rows[i];

    if (!is_per_layer (row->slot) && is_needed (self->config, row->slot) &&
        !take_top_row (self, row, error))
      return FALSE;
  }

  for (size_t layer = 0; layer < self->config->n_layers; layer++) {
    if (self->progress != NULL)
      self->progress ((double) layer / (double) self->config->n_layers, self->progress_data);

    for (size_t i = 0; i < family->n_rows; i++) {
      const AtnSlotRow *row = &family->rows[i];

      if (is_per_layer (row->slot) && is_needed (self->config, row->slot) &&
          !take_block_row (self, row, layer, error))
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
  g_clear_pointer (&self->unused, g_ptr_array_unref);
  g_free (self);
}
