/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "atn-twin-private.h"

#include <math.h>
#include <string.h>

static void
tensor_free (gpointer data)
{
  AtnTwinTensor *tensor = data;

  g_free (tensor->values);
  g_free (tensor);
}

static double
draw_normal (GRand *rand)
{
  const double u = 1.0 - g_rand_double (rand);

  return sqrt (-2.0 * log (u)) * cos (2.0 * G_PI * g_rand_double (rand));
}

static void
add_tensor (AtnTwin *self, const char *name, double mean, double deviation, AtnTwinTensor shape)
{
  AtnTwinTensor *tensor = g_memdup2 (&shape, sizeof shape);

  tensor->n = 1;
  for (size_t i = 0; i < tensor->n_dims; i++)
    tensor->n *= tensor->shape[i];
  tensor->values = g_new (float, tensor->n);
  for (size_t i = 0; i < tensor->n; i++)
    tensor->values[i] = (float) (mean + deviation * draw_normal (self->rand));

  g_ptr_array_add (self->names, g_strdup (name));
  g_hash_table_insert (self->tensors, g_strdup (name), tensor);
}

static void
add_of_layer (AtnTwin *self,
              size_t layer,
              const char *name,
              double mean,
              double deviation,
              AtnTwinTensor shape)
{
  g_autofree char *full = g_strdup_printf ("blocks.%zu.%s", layer, name);

  add_tensor (self, full, mean, deviation, shape);
}

static AtnTwinTensor
shape1 (size_t a)
{
  return (AtnTwinTensor){ .n_dims = 1, .shape = { a } };
}

static AtnTwinTensor
shape2 (size_t a, size_t b)
{
  return (AtnTwinTensor){ .n_dims = 2, .shape = { a, b } };
}

static AtnTwinTensor
shape3 (size_t a, size_t b, size_t c)
{
  return (AtnTwinTensor){ .n_dims = 3, .shape = { a, b, c } };
}

static void
add_attention (AtnTwin *self, size_t layer)
{
  const AtnTwinSpec *s = &self->spec;
  /* Scores of about ±5 / √d_head · √d_head. */
  const double wide = 2.0 / sqrt ((double) s->d_model);
  const double narrow = 1.0 / sqrt ((double) (s->n_heads * s->d_v));

  add_of_layer (self, layer, "attn.W_Q", 0, wide, shape3 (s->n_heads, s->d_model, s->d_head));
  add_of_layer (self, layer, "attn.W_K", 0, wide, shape3 (s->n_kv_heads, s->d_model, s->d_head));
  add_of_layer (self, layer, "attn.W_V", 0, wide / 2, shape3 (s->n_kv_heads, s->d_model, s->d_v));
  add_of_layer (self, layer, "attn.W_O", 0, narrow, shape3 (s->n_heads, s->d_v, s->d_model));
  if (!s->has_biases)
    return;
  add_of_layer (self, layer, "attn.b_Q", 0, 0.5, shape2 (s->n_heads, s->d_head));
  add_of_layer (self, layer, "attn.b_K", 0, 0.5, shape2 (s->n_kv_heads, s->d_head));
  add_of_layer (self, layer, "attn.b_V", 0, 0.5, shape2 (s->n_kv_heads, s->d_v));
  add_of_layer (self, layer, "attn.b_O", 0, 0.5, shape1 (s->d_model));
}

static void
add_mlp (AtnTwin *self, size_t layer)
{
  const AtnTwinSpec *s = &self->spec;
  const double in = 1.0 / sqrt ((double) s->d_model);

  if (s->d_mlp == 0)
    return;

  add_of_layer (self, layer, "mlp.W_in", 0, in, shape2 (s->d_model, s->d_mlp));
  add_of_layer (self, layer, "mlp.W_out", 0, 1.0 / sqrt ((double) s->d_mlp),
                shape2 (s->d_mlp, s->d_model));
  if (s->gated_mlp)
    add_of_layer (self, layer, "mlp.W_gate", 0, in, shape2 (s->d_model, s->d_mlp));
  if (!s->has_biases)
    return;
  add_of_layer (self, layer, "mlp.b_in", 0, 0.5, shape1 (s->d_mlp));
  add_of_layer (self, layer, "mlp.b_out", 0, 0.5, shape1 (s->d_model));
}

static void
add_wide_norm (AtnTwin *self, const char *name, size_t width)
{
  g_autofree char *w = g_strconcat (name, ".w", NULL);
  g_autofree char *b = g_strconcat (name, ".b", NULL);

  add_tensor (self, w, 1.0 - self->spec.norm_offset, 0.3, shape1 (width));
  if (self->spec.norm == ATN_NORM_LAYERNORM && self->spec.has_biases)
    add_tensor (self, b, 0.0, 0.3, shape1 (width));
}

static void
add_norm (AtnTwin *self, const char *name)
{
  add_wide_norm (self, name, self->spec.d_model);
}

/* "blocks.0.attn.q_norm", or with ".H" behind it for each head. */
static char *
name_head_norm (const AtnTwin *self, size_t layer, const char *norm, size_t head)
{
  return self->spec.qk_norm == ATN_QK_NORM_PER_HEAD
           ? g_strdup_printf ("blocks.%zu.attn.%s.%zu", layer, norm, head)
           : g_strdup_printf ("blocks.%zu.attn.%s", layer, norm);
}

static void
add_head_norms (AtnTwin *self, size_t layer, const char *norm, size_t n_heads)
{
  const size_t n = self->spec.qk_norm == ATN_QK_NORM_PER_HEAD ? n_heads : 1;

  for (size_t head = 0; head < n; head++) {
    g_autofree char *name = name_head_norm (self, layer, norm, head);

    add_wide_norm (self, name, self->spec.d_head);
  }
}

static void
add_block (AtnTwin *self, size_t layer)
{
  const AtnTwinSpec *s = &self->spec;
  const struct
  {
    const char *name;
    bool is_there;
  } norms[] = {
    { "ln1", true },
    { "ln2", s->d_mlp > 0 && s->parallel != ATN_PARALLEL_ONE_NORM },
    { "ln1_post", s->branch_norms },
    { "ln2_post", s->branch_norms },
  };

  add_attention (self, layer);
  add_mlp (self, layer);
  if (s->norm == ATN_NORM_NONE)
    return;

  for (size_t i = 0; i < G_N_ELEMENTS (norms); i++) {
    g_autofree char *name = g_strdup_printf ("blocks.%zu.%s", layer, norms[i].name);

    if (norms[i].is_there)
      add_norm (self, name);
  }
  if (s->qk_norm == ATN_QK_NORM_NONE)
    return;
  add_head_norms (self, layer, "q_norm", s->n_heads);
  add_head_norms (self, layer, "k_norm", s->n_kv_heads);
}

AtnTwin *
atn_twin_new (const AtnTwinSpec *spec, guint32 seed)
{
  AtnTwin *self = g_new0 (AtnTwin, 1);

  self->spec = *spec;
  self->rand = g_rand_new_with_seed (seed);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, tensor_free);

  add_tensor (self, "embed.W_E", 0, 1, shape2 (spec->d_vocab, spec->d_model));
  if (spec->positions == ATN_POSITIONS_LEARNED)
    add_tensor (self, "pos_embed.W_pos", 0, 0.7,
                shape2 (spec->position_offset + spec->n_ctx, spec->d_model));
  if (spec->n_buckets > 0)
    add_tensor (self, "rel_pos_bias.weight", 0, 2, shape2 (spec->n_buckets, spec->n_heads));
  if (spec->embed_norm)
    add_norm (self, "embed.ln");
  for (size_t layer = 0; layer < spec->n_layers; layer++)
    add_block (self, layer);
  if (spec->norm != ATN_NORM_NONE && spec->final_norm)
    add_norm (self, "ln_final");
  if (spec->unembed == ATN_UNEMBED_OWN)
    add_tensor (self, "unembed.W_U", 0, 1.0 / sqrt ((double) spec->d_model),
                shape2 (spec->d_model, spec->d_vocab));
  if (spec->unembed != ATN_UNEMBED_NONE && spec->has_biases)
    add_tensor (self, "unembed.b_U", 0, 0.5, shape1 (spec->d_vocab));

  return self;
}

void
atn_twin_free (AtnTwin *self)
{
  g_hash_table_unref (self->tensors);
  g_ptr_array_unref (self->names);
  g_rand_free (self->rand);
  g_free (self);
}

/* The block. */

static const float *
find (const AtnTwin *self, const char *name)
{
  const AtnTwinTensor *tensor = g_hash_table_lookup (self->tensors, name);

  return tensor != NULL ? tensor->values : NULL;
}

static const float *
find_of_layer (const AtnTwin *self, size_t layer, const char *name)
{
  g_autofree char *full = g_strdup_printf ("blocks.%zu.%s", layer, name);

  return find (self, full);
}

/* y[n_out] = x[n_in] @ w[n_in, n_out] + b */
static void
multiply (double *y, const double *x, const float *w, const float *b, size_t n_in, size_t n_out)
{
  for (size_t o = 0; o < n_out; o++) {
    y[o] = b != NULL ? (double) b[o] : 0.0;
    for (size_t i = 0; i < n_in; i++)
      y[o] += x[i] * (double) w[i * n_out + o];
  }
}

static void
normalize_wide (const AtnTwin *self, const char *name, size_t n, const double *x, double *y)
{
  const AtnTwinSpec *s = &self->spec;
  g_autofree char *w_name = g_strconcat (name, ".w", NULL);
  g_autofree char *b_name = g_strconcat (name, ".b", NULL);
  const float *w = find (self, w_name);
  const float *b = find (self, b_name);
  double mean = 0.0, square = 0.0;

  for (size_t i = 0; i < n && s->norm == ATN_NORM_LAYERNORM; i++)
    mean += x[i] / (double) n;
  for (size_t i = 0; i < n; i++)
    square += (x[i] - mean) * (x[i] - mean) / (double) n;
  for (size_t i = 0; i < n; i++)
    y[i] = (x[i] - mean) / sqrt (square + s->norm_eps) * ((double) w[i] + s->norm_offset) +
           (b != NULL ? (double) b[i] : 0.0);
}

static void
normalize (const AtnTwin *self, const char *name, const double *x, double *y)
{
  normalize_wide (self, name, self->spec.d_model, x, y);
}

/* x [n_heads, d_head], each head by itself. */
static void
normalize_heads (const AtnTwin *self, size_t layer, const char *norm, size_t n_heads, double *x)
{
  const size_t d_head = self->spec.d_head;

  for (size_t head = 0; head < n_heads && self->spec.qk_norm != ATN_QK_NORM_NONE; head++) {
    g_autofree char *name = name_head_norm (self, layer, norm, head);

    normalize_wide (self, name, d_head, x + head * d_head, x + head * d_head);
  }
}

static double
activate (AtnActivation activation, double x)
{
  switch (activation) {
  case ATN_ACTIVATION_RELU:
    return fmax (x, 0.0);
  case ATN_ACTIVATION_GELU:
    return 0.5 * x * (1.0 + erf (x / sqrt (2.0)));
  case ATN_ACTIVATION_GELU_TANH:
    return 0.5 * x * (1.0 + tanh (sqrt (2.0 / G_PI) * (x + 0.044715 * x * x * x)));
  case ATN_ACTIVATION_SILU:
  default:
    return x / (1.0 + exp (-x));
  }
}

/* The angle of pair @i at @position of a text of @n_tokens. */
static double
angle_of (const AtnTwinSpec *s, size_t i, size_t position, size_t n_tokens)
{
  const double *factors = n_tokens > s->rope_original ? s->rope_long : s->rope_short;
  const double angle =
    (double) position * pow (s->rope_theta, -2.0 * (double) i / (double) s->rotary_dim);

  return s->rope_short[0] != 0.0 ? angle / factors[i] : angle;
}

static void
rotate (const AtnTwinSpec *s, double *x, size_t position, size_t n_tokens)
{
  const size_t half = s->rotary_dim / 2;
  const double factor = s->rope_short[0] != 0.0 ? s->rope_attention : 1.0;

  for (size_t i = 0; i < half && s->positions == ATN_POSITIONS_ROPE; i++) {
    const double angle = angle_of (s, i, position, n_tokens);
    const size_t low = s->rope_pairs == ATN_ROPE_NEIGHBOURS ? 2 * i : i;
    const size_t high = s->rope_pairs == ATN_ROPE_NEIGHBOURS ? 2 * i + 1 : i + half;
    const double a = x[low], b = x[high];

    x[low] = factor * (a * cos (angle) - b * sin (angle));
    x[high] = factor * (a * sin (angle) + b * cos (angle));
  }
}

static double
scale_of (const AtnTwinSpec *s, const AtnWhatIf *what_if)
{
  switch (what_if->scale) {
  case ATN_SCALE_NONE:
    return 1.0;
  case ATN_SCALE_SQRT:
    return 1.0 / sqrt ((double) s->d_head);
  case ATN_SCALE_NUMBER:
    return (double) what_if->scale_number;
  case ATN_SCALE_AS_TRAINED:
  default:
    return s->scale != 0.0 ? s->scale : 1.0 / sqrt ((double) s->d_head);
  }
}

static bool
may_see (const AtnTwinSpec *s, const AtnWhatIf *what_if, size_t layer, size_t query, size_t key)
{
  const bool causal =
    what_if->causal == ATN_CAUSAL_ON || (what_if->causal == ATN_CAUSAL_AS_TRAINED && s->causal);
  const bool has_window = s->window > 0 && (!s->window_on_odd_layers || layer % 2 == 1);
  const size_t distance = query > key ? query - key : key - query;

  return (!causal || key <= query) && (!has_window || distance < s->window);
}

/* Press et al. 2022: 2^(-8/n), 2^(-16/n) …; what lacks to a power of two comes from between. */
static double
alibi_slope (const AtnTwinSpec *s, size_t head)
{
  double n = 1.0;

  if (s->positions != ATN_POSITIONS_ALIBI)
    return 0.0;
  while (n * 2.0 <= (double) s->n_heads)
    n *= 2.0;
  if ((double) head < n)
    return pow (2.0, -8.0 * ((double) head + 1.0) / n);
  return pow (2.0, -8.0 * (2.0 * ((double) head - n) + 1.0) / (2.0 * n));
}

/* What T5's buckets add: @n of them for each direction, the first half of those one distance wide,
 * the others ever wider. */
static double
bucket_term (const AtnTwin *self, size_t head, size_t query, size_t key)
{
  const AtnTwinSpec *s = &self->spec;
  const double n = floor ((double) s->n_buckets / (s->is_bidirectional ? 2.0 : 1.0));
  const double exact = floor (n / 2.0);
  const double back = (double) query - (double) key;
  const double distance = s->is_bidirectional ? fabs (back) : fmax (back, 0.0);
  double bucket = distance;

  if (s->n_buckets == 0)
    return 0.0;
  if (distance >= exact) {
    const double share = log (distance / exact) / log ((double) s->max_distance / exact);

    /* Just above where the reference's rounding in single precision may fall. */
    bucket = fmin (exact + floor (share * (n - exact) + 1e-9), n - 1.0);
  }
  if (s->is_bidirectional && back < 0.0)
    bucket += n;
  return (double) find (self, "rel_pos_bias.weight")[(size_t) bucket * s->n_heads + head];
}

static double *
stage_of (const AtnTwin *self, const AtnTwinRun *run, size_t layer, size_t head, AtnStage stage)
{
  const size_t t2 = run->n_tokens * run->n_tokens;

  return run->stages + ((layer * self->spec.n_heads + head) * ATN_N_STAGES + (size_t) stage) * t2;
}

const double *
atn_twin_run_get_stage (const AtnTwin *self,
                        const AtnTwinRun *run,
                        size_t layer,
                        size_t head,
                        AtnStage stage)
{
  return stage_of (self, run, layer, head, stage);
}

/* One projection of all heads of one token; @dst [heads, width]. */
static void
project (const AtnTwin *self,
         size_t layer,
         const char *letter,
         size_t n_heads,
         size_t width,
         const double *x,
         double *dst)
{
  g_autofree char *w_name = g_strconcat ("attn.W_", letter, NULL);
  g_autofree char *b_name = g_strconcat ("attn.b_", letter, NULL);
  const float *w = find_of_layer (self, layer, w_name);
  const float *b = find_of_layer (self, layer, b_name);
  const size_t d_model = self->spec.d_model;

  for (size_t head = 0; head < n_heads; head++)
    multiply (dst + head * width, x, w + head * d_model * width,
              b != NULL ? b + head * width : NULL, d_model, width);
}

static double
dot (const double *a, const double *b, size_t n)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];

  return sum;
}

/* masked / T → pattern, one row. */
static void
softmax (const double *masked, double *pattern, size_t n, double temperature)
{
  double max = -HUGE_VAL, sum = 0.0;

  for (size_t i = 0; i < n; i++)
    max = fmax (max, masked[i]);
  for (size_t i = 0; i < n; i++)
    sum += exp ((masked[i] - max) / temperature);
  for (size_t i = 0; i < n; i++)
    pattern[i] = exp ((masked[i] - max) / temperature) / sum;
}

/* ‖v W_O^h‖ */
static double
carried_norm (const AtnTwin *self, size_t layer, size_t head, const double *v)
{
  const AtnTwinSpec *s = &self->spec;
  const float *w = find_of_layer (self, layer, "attn.W_O") + head * s->d_v * s->d_model;
  g_autofree double *carried = g_new (double, s->d_model);

  multiply (carried, v, w, NULL, s->d_v, s->d_model);
  return sqrt (dot (carried, carried, s->d_model));
}

static void
fill_row (const AtnTwin *self,
          AtnTwinRun *run,
          const AtnWhatIf *what_if,
          size_t layer,
          size_t head,
          size_t query)
{
  const AtnTwinSpec *s = &self->spec;
  const size_t T = run->n_tokens;
  const size_t kv = head / (s->n_heads / s->n_kv_heads);
  const double *q = run->q + ((layer * T + query) * s->n_heads + head) * s->d_head;
  double *scores = stage_of (self, run, layer, head, ATN_STAGE_DOT) + query * T;
  double *scaled = stage_of (self, run, layer, head, ATN_STAGE_SCALED) + query * T;
  double *capped = stage_of (self, run, layer, head, ATN_STAGE_CAPPED) + query * T;
  double *biased = stage_of (self, run, layer, head, ATN_STAGE_BIASED) + query * T;
  double *masked = stage_of (self, run, layer, head, ATN_STAGE_MASKED) + query * T;
  double *pattern = stage_of (self, run, layer, head, ATN_STAGE_PATTERN) + query * T;
  double *added = stage_of (self, run, layer, head, ATN_STAGE_CONTRIBUTION) + query * T;
  double *z = run->z + ((layer * T + query) * s->n_heads + head) * s->d_v;

  for (size_t key = 0; key < T; key++) {
    const double *k = run->k + ((layer * T + key) * s->n_kv_heads + kv) * s->d_head;

    scores[key] = dot (q, k, s->d_head);
    scaled[key] = scores[key] * scale_of (s, what_if);
    capped[key] =
      s->score_cap > 0.0 ? s->score_cap * tanh (scaled[key] / s->score_cap) : scaled[key];
    biased[key] =
      capped[key] + alibi_slope (s, head) * (double) key + bucket_term (self, head, query, key);
    masked[key] = may_see (s, what_if, layer, query, key) ? biased[key] : -HUGE_VAL;
  }
  softmax (masked, pattern, T, what_if->temperature > 0.0f ? (double) what_if->temperature : 1.0);

  for (size_t key = 0; key < T; key++) {
    const double *v = run->v + ((layer * T + key) * s->n_kv_heads + kv) * s->d_v;

    added[key] = pattern[key] * run->value_norms[(layer * T + key) * s->n_heads + head];
    for (size_t i = 0; i < s->d_v; i++)
      z[i] += pattern[key] * v[i];
  }
}

/* Fills q, k, v and, before they are rotated, the stage UNROTATED. */
static void
fill_vectors (const AtnTwin *self, AtnTwinRun *run, size_t layer, const double *normed)
{
  const AtnTwinSpec *s = &self->spec;
  const size_t T = run->n_tokens;
  double *q = run->q + layer * T * s->n_heads * s->d_head;
  double *k = run->k + layer * T * s->n_kv_heads * s->d_head;
  double *v = run->v + layer * T * s->n_kv_heads * s->d_v;

  for (size_t t = 0; t < T; t++) {
    const double *x = normed + t * s->d_model;

    project (self, layer, "Q", s->n_heads, s->d_head, x, q + t * s->n_heads * s->d_head);
    project (self, layer, "K", s->n_kv_heads, s->d_head, x, k + t * s->n_kv_heads * s->d_head);
    project (self, layer, "V", s->n_kv_heads, s->d_v, x, v + t * s->n_kv_heads * s->d_v);
    normalize_heads (self, layer, "q_norm", s->n_heads, q + t * s->n_heads * s->d_head);
    normalize_heads (self, layer, "k_norm", s->n_kv_heads, k + t * s->n_kv_heads * s->d_head);
  }

  for (size_t head = 0; head < s->n_heads; head++) {
    double *unrotated = stage_of (self, run, layer, head, ATN_STAGE_UNROTATED);
    const size_t kv = head / (s->n_heads / s->n_kv_heads);

    for (size_t i = 0; i < T * T; i++)
      unrotated[i] = dot (q + (i / T * s->n_heads + head) * s->d_head,
                          k + (i % T * s->n_kv_heads + kv) * s->d_head, s->d_head);
  }

  for (size_t i = 0; i < T * s->n_heads; i++) {
    const size_t head = i % s->n_heads;
    const size_t kv = head / (s->n_heads / s->n_kv_heads);

    run->value_norms[layer * T * s->n_heads + i] =
      carried_norm (self, layer, head, v + (i / s->n_heads * s->n_kv_heads + kv) * s->d_v);
  }

  for (size_t i = 0; i < T * s->n_heads; i++)
    rotate (s, q + i * s->d_head, i / s->n_heads, T);
  for (size_t i = 0; i < T * s->n_kv_heads; i++)
    rotate (s, k + i * s->d_head, i / s->n_kv_heads, T);
}

/* y [d_model] = mlp (x) */
static void
apply_mlp (const AtnTwin *self, size_t layer, const double *x, double *y)
{
  const AtnTwinSpec *s = &self->spec;
  g_autofree double *hidden = g_new (double, s->d_mlp);
  g_autofree double *gate = g_new (double, s->d_mlp);

  multiply (hidden, x, find_of_layer (self, layer, "mlp.W_in"),
            find_of_layer (self, layer, "mlp.b_in"), s->d_model, s->d_mlp);
  if (s->gated_mlp)
    multiply (gate, x, find_of_layer (self, layer, "mlp.W_gate"), NULL, s->d_model, s->d_mlp);
  for (size_t i = 0; i < s->d_mlp; i++)
    hidden[i] = s->gated_mlp ? activate (s->activation, gate[i]) * hidden[i]
                             : activate (s->activation, hidden[i]);
  multiply (y, hidden, find_of_layer (self, layer, "mlp.W_out"),
            find_of_layer (self, layer, "mlp.b_out"), s->d_mlp, s->d_model);
}

static void
normalize_of_layer (const AtnTwin *self, size_t layer, const char *norm, double *x)
{
  g_autofree char *name = g_strdup_printf ("blocks.%zu.%s", layer, norm);

  normalize (self, name, x, x);
}

/* What the MLP reads of one token. */
static void
fill_mlp_input (const AtnTwin *self,
                size_t layer,
                const double *resid_pre,
                const double *resid,
                double *x)
{
  const AtnTwinSpec *s = &self->spec;

  memcpy (x, s->parallel != ATN_PARALLEL_NONE ? resid_pre : resid, s->d_model * sizeof *x);
  if (s->norm == ATN_NORM_NONE || s->norm_position == ATN_NORM_POST)
    return;
  normalize_of_layer (self, layer, s->parallel == ATN_PARALLEL_ONE_NORM ? "ln1" : "ln2", x);
}

/* What follows attention in one token's stream. */
static void
finish_token (const AtnTwin *self,
              size_t layer,
              const double *z,
              const double *resid_pre,
              double *resid)
{
  const AtnTwinSpec *s = &self->spec;
  const bool post = s->norm != ATN_NORM_NONE && s->norm_position == ATN_NORM_POST;
  g_autofree double *x = g_new (double, s->d_model);
  g_autofree double *out = g_new (double, s->d_model);

  multiply (out, z, find_of_layer (self, layer, "attn.W_O"),
            find_of_layer (self, layer, "attn.b_O"), s->n_heads * s->d_v, s->d_model);
  if (s->branch_norms)
    normalize_of_layer (self, layer, "ln1_post", out);
  for (size_t i = 0; i < s->d_model; i++)
    resid[i] = resid_pre[i] + out[i];
  if (post)
    normalize_of_layer (self, layer, "ln1", resid);
  if (s->d_mlp == 0)
    return;

  fill_mlp_input (self, layer, resid_pre, resid, x);
  apply_mlp (self, layer, x, out);
  if (s->branch_norms)
    normalize_of_layer (self, layer, "ln2_post", out);
  for (size_t i = 0; i < s->d_model; i++)
    resid[i] += out[i];
  if (post)
    normalize_of_layer (self, layer, "ln2", resid);
}

static void
run_layer (const AtnTwin *self, AtnTwinRun *run, size_t layer, const AtnWhatIf *what_if)
{
  const AtnTwinSpec *s = &self->spec;
  const size_t n = run->n_tokens * s->d_model;
  const double *resid_pre = run->resid_pre + layer * n;
  double *resid_post = run->resid_pre + (layer + 1) * n;
  g_autofree char *ln1 = g_strdup_printf ("blocks.%zu.ln1", layer);
  g_autofree double *normed = g_memdup2 (resid_pre, n * sizeof *normed);

  if (s->norm != ATN_NORM_NONE && s->norm_position == ATN_NORM_PRE)
    for (size_t t = 0; t < run->n_tokens; t++)
      normalize (self, ln1, resid_pre + t * s->d_model, normed + t * s->d_model);

  fill_vectors (self, run, layer, normed);
  for (size_t head = 0; head < s->n_heads; head++)
    for (size_t query = 0; query < run->n_tokens; query++)
      fill_row (self, run, what_if, layer, head, query);

  for (size_t t = 0; t < run->n_tokens; t++)
    finish_token (self, layer, run->z + (layer * run->n_tokens + t) * s->n_heads * s->d_v,
                  resid_pre + t * s->d_model, resid_post + t * s->d_model);
}

static void
embed (const AtnTwin *self, AtnTwinRun *run, const uint32_t *ids)
{
  const AtnTwinSpec *s = &self->spec;
  const float *table = find (self, "embed.W_E");
  const float *pos = find (self, "pos_embed.W_pos");

  for (size_t t = 0; t < run->n_tokens; t++) {
    for (size_t i = 0; i < s->d_model; i++) {
      const size_t pair = i / 2;
      const double angle = (double) t / pow (10000.0, 2.0 * (double) pair / (double) s->d_model);
      double *x = &run->resid_pre[t * s->d_model + i];

      *x = (double) table[ids[t] * s->d_model + i];
      if (s->embed_scale != 0.0)
        *x *= (double) (float) s->embed_scale;
      if (s->positions == ATN_POSITIONS_LEARNED)
        *x += (double) pos[(s->position_offset + t) * s->d_model + i];
      if (s->positions == ATN_POSITIONS_SINUSOIDAL)
        *x += i % 2 == 0 ? sin (angle) : cos (angle);
    }
    if (s->embed_norm)
      normalize (self, "embed.ln", run->resid_pre + t * s->d_model,
                 run->resid_pre + t * s->d_model);
  }
}

static void
unembed (const AtnTwin *self, AtnTwinRun *run)
{
  const AtnTwinSpec *s = &self->spec;
  const double *final = run->resid_pre + s->n_layers * run->n_tokens * s->d_model;
  const float *tied = find (self, "embed.W_E");
  const float *own = find (self, "unembed.W_U");
  const float *bias = find (self, "unembed.b_U");
  g_autofree double *x = g_new (double, s->d_model);

  run->logits = g_new0 (double, run->n_tokens * s->d_vocab);
  for (size_t t = 0; t < run->n_tokens; t++) {
    double *logits = run->logits + t * s->d_vocab;

    memcpy (x, final + t * s->d_model, s->d_model * sizeof *x);
    if (s->norm != ATN_NORM_NONE && s->final_norm)
      normalize (self, "ln_final", x, x);
    if (own != NULL)
      multiply (logits, x, own, bias, s->d_model, s->d_vocab);
    for (size_t id = 0; id < s->d_vocab && own == NULL; id++) {
      logits[id] = bias != NULL ? (double) bias[id] : 0.0;
      for (size_t i = 0; i < s->d_model; i++)
        logits[id] += x[i] * (double) tied[id * s->d_model + i];
    }
    for (size_t id = 0; id < s->d_vocab; id++) {
      if (s->logit_scale != 0.0)
        logits[id] *= s->logit_scale;
      if (s->logit_cap != 0.0)
        logits[id] = s->logit_cap * tanh (logits[id] / s->logit_cap);
    }
  }
}

AtnTwinRun *
atn_twin_run (const AtnTwin *self, const uint32_t *ids, size_t n_tokens, const AtnWhatIf *what_if)
{
  const AtnTwinSpec *s = &self->spec;
  AtnTwinRun *run = g_new0 (AtnTwinRun, 1);
  const size_t rows = s->n_layers * n_tokens;

  run->n_tokens = n_tokens;
  run->resid_pre = g_new0 (double, (s->n_layers + 1) * n_tokens * s->d_model);
  run->q = g_new0 (double, rows * s->n_heads * s->d_head);
  run->k = g_new0 (double, rows * s->n_kv_heads * s->d_head);
  run->v = g_new0 (double, rows * s->n_kv_heads * s->d_v);
  run->value_norms = g_new0 (double, rows * s->n_heads);
  run->z = g_new0 (double, rows * s->n_heads * s->d_v);
  run->stages = g_new0 (double, rows *n_tokens * s->n_heads * ATN_N_STAGES);

  embed (self, run, ids);
  for (size_t layer = 0; layer < s->n_layers; layer++)
    run_layer (self, run, layer, what_if);
  if (s->unembed != ATN_UNEMBED_NONE)
    unembed (self, run);

  return run;
}

void
atn_twin_run_free (AtnTwinRun *self)
{
  g_free (self->resid_pre);
  g_free (self->q);
  g_free (self->k);
  g_free (self->v);
  g_free (self->stages);
  g_free (self->value_norms);
  g_free (self->z);
  g_free (self->logits);
  g_free (self);
}
