/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 */

#include "bench-model.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sizes that a tensor can have. */
typedef enum
{
  DIM_NONE,
  DIM_VOCAB,
  DIM_CTX,
  DIM_MODEL,
  DIM_QKV,
  DIM_KV,
  DIM_MLP
} Dim;

typedef struct
{
  const char *name; /* '#' is the layer */
  Dim rows;
  Dim cols; /* DIM_NONE: a vector */
} TensorShape;

static const TensorShape gpt2_tensors[] = {
  { "wte.weight", DIM_VOCAB, DIM_MODEL },
  { "wpe.weight", DIM_CTX, DIM_MODEL },
  { "ln_f.weight", DIM_MODEL, DIM_NONE },
  { "ln_f.bias", DIM_MODEL, DIM_NONE },
  { "h.#.ln_1.weight", DIM_MODEL, DIM_NONE },
  { "h.#.ln_1.bias", DIM_MODEL, DIM_NONE },
  { "h.#.attn.c_attn.weight", DIM_MODEL, DIM_QKV },
  { "h.#.attn.c_attn.bias", DIM_QKV, DIM_NONE },
  { "h.#.attn.c_proj.weight", DIM_MODEL, DIM_MODEL },
  { "h.#.attn.c_proj.bias", DIM_MODEL, DIM_NONE },
  { "h.#.ln_2.weight", DIM_MODEL, DIM_NONE },
  { "h.#.ln_2.bias", DIM_MODEL, DIM_NONE },
  { "h.#.mlp.c_fc.weight", DIM_MODEL, DIM_MLP },
  { "h.#.mlp.c_fc.bias", DIM_MLP, DIM_NONE },
  { "h.#.mlp.c_proj.weight", DIM_MLP, DIM_MODEL },
  { "h.#.mlp.c_proj.bias", DIM_MODEL, DIM_NONE },
};

static const TensorShape llama_tensors[] = {
  { "model.embed_tokens.weight", DIM_VOCAB, DIM_MODEL },
  { "model.norm.weight", DIM_MODEL, DIM_NONE },
  { "model.layers.#.input_layernorm.weight", DIM_MODEL, DIM_NONE },
  { "model.layers.#.self_attn.q_proj.weight", DIM_MODEL, DIM_MODEL },
  { "model.layers.#.self_attn.k_proj.weight", DIM_KV, DIM_MODEL },
  { "model.layers.#.self_attn.v_proj.weight", DIM_KV, DIM_MODEL },
  { "model.layers.#.self_attn.o_proj.weight", DIM_MODEL, DIM_MODEL },
  { "model.layers.#.post_attention_layernorm.weight", DIM_MODEL, DIM_NONE },
  { "model.layers.#.mlp.gate_proj.weight", DIM_MLP, DIM_MODEL },
  { "model.layers.#.mlp.up_proj.weight", DIM_MLP, DIM_MODEL },
  { "model.layers.#.mlp.down_proj.weight", DIM_MODEL, DIM_MLP },
};

/* One tensor of the model, in the order of the file. */
typedef struct
{
  const BenchShape *shape;
  const TensorShape *tensor;
  char *name;
  size_t rows;
  size_t cols; /* 0: a vector */
  size_t n_elements;
} Tensor;

typedef void (*TensorFunc) (const Tensor *tensor, gpointer user_data);

static size_t
get_size (const BenchShape *shape, Dim dim)
{
  switch (dim) {
  case DIM_VOCAB:
    return shape->d_vocab;
  case DIM_CTX:
    return shape->n_ctx;
  case DIM_MODEL:
    return shape->d_model;
  case DIM_QKV:
    return 3 * shape->d_model;
  case DIM_KV:
    return shape->d_model / shape->n_heads * shape->n_kv_heads;
  case DIM_MLP:
    return shape->d_mlp > 0 ? shape->d_mlp : 4 * shape->d_model;
  case DIM_NONE:
    break;
  }
  return 0;
}

static void
visit_tensor (const BenchShape *shape,
              const TensorShape *tensor,
              size_t layer,
              TensorFunc func,
              gpointer user_data)
{
  const char *hash = strchr (tensor->name, '#');
  g_autofree char *name = hash == NULL ? g_strdup (tensor->name)
                                       : g_strdup_printf ("%.*s%zu%s", (int) (hash - tensor->name),
                                                          tensor->name, layer, hash + 1);
  Tensor visited = {
    .shape = shape,
    .tensor = tensor,
    .name = name,
    .rows = get_size (shape, tensor->rows),
    .cols = get_size (shape, tensor->cols),
  };

  visited.n_elements = visited.rows * MAX (visited.cols, 1);
  func (&visited, user_data);
}

static void
visit_tensors (const BenchShape *shape, TensorFunc func, gpointer user_data)
{
  const bool is_llama = shape->n_kv_heads > 0;
  const TensorShape *tensors = is_llama ? llama_tensors : gpt2_tensors;
  const size_t n_tensors = is_llama ? G_N_ELEMENTS (llama_tensors) : G_N_ELEMENTS (gpt2_tensors);

  for (size_t i = 0; i < n_tensors; i++) {
    size_t n = strchr (tensors[i].name, '#') != NULL ? shape->n_layers : 1;

    for (size_t layer = 0; layer < n; layer++)
      visit_tensor (shape, &tensors[i], layer, func, user_data);
  }
}

/* Uniform with a deviation of 1/√fan-in; norm weights around 1. */
static float *
dup_values (const Tensor *tensor)
{
  static guint32 state = 1;
  float *values = g_new (float, tensor->n_elements);
  float width = sqrtf (12.0f / (float) tensor->rows);
  float center =
    strstr (tensor->name, "ln_") != NULL || strstr (tensor->name, "norm") != NULL ? 1.0f : 0.0f;

  for (size_t i = 0; i < tensor->n_elements; i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = center + width * ((float) (state >> 8) / 16777216.0f - 0.5f);
  }
  return values;
}

static char *
dup_config (const BenchShape *shape)
{
  if (shape->n_kv_heads > 0)
    return g_strdup_printf (
      "{\"model_type\":\"llama\",\"num_hidden_layers\":%zu,\"num_attention_heads\":%zu,"
      "\"num_key_value_heads\":%zu,\"hidden_size\":%zu,\"intermediate_size\":%zu,"
      "\"vocab_size\":%zu,\"max_position_embeddings\":%zu,\"tie_word_embeddings\":true}",
      shape->n_layers, shape->n_heads, shape->n_kv_heads, shape->d_model, shape->d_mlp,
      shape->d_vocab, shape->n_ctx);

  return g_strdup_printf ("{\"model_type\":\"gpt2\",\"n_layer\":%zu,\"n_head\":%zu,\"n_embd\":%zu,"
                          "\"vocab_size\":%zu,\"n_positions\":%zu}",
                          shape->n_layers, shape->n_heads, shape->d_model, shape->d_vocab,
                          shape->n_ctx);
}

static char *
dup_tokenizer (const BenchShape *shape)
{
  GString *json =
    g_string_new ("{\"added_tokens\":[],\"normalizer\":null,\"pre_tokenizer\":"
                  "{\"type\":\"WhitespaceSplit\"},\"post_processor\":null,"
                  "\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"w0\",\"vocab\":{");

  for (size_t i = 0; i < shape->d_vocab; i++)
    g_string_append_printf (json, "%s\"w%zu\":%zu", i > 0 ? "," : "", i, i);
  g_string_append (json, "}}}");
  return g_string_free (json, FALSE);
}

static void
write_file (const char *path, const void *data, size_t length)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, data, (gssize) length, &error);
  g_assert_no_error (error);
}

typedef struct
{
  GString *text;
  size_t offset;
} Header;

static void
append_header (const Tensor *tensor, gpointer user_data)
{
  Header *header = user_data;
  const bool is_bf16 = tensor->shape->is_bf16;
  size_t end = header->offset + tensor->n_elements * (is_bf16 ? 2 : 4);

  g_string_append_printf (header->text, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%zu",
                          header->offset > 0 ? "," : "", tensor->name, is_bf16 ? "BF16" : "F32",
                          tensor->rows);
  if (tensor->cols > 0)
    g_string_append_printf (header->text, ",%zu", tensor->cols);
  g_string_append_printf (header->text, "],\"data_offsets\":[%zu,%zu]}", header->offset, end);
  header->offset = end;
}

static void
write_values (const Tensor *tensor, gpointer user_data)
{
  g_autofree float *values = dup_values (tensor);
  size_t size = sizeof *values;

  if (tensor->shape->is_bf16) {
    size = 2;
    for (size_t i = 0; i < tensor->n_elements; i++)
      memmove ((guint8 *) values + 2 * i, (const guint8 *) &values[i] + 2, 2);
  }
  if (fwrite (values, size, tensor->n_elements, user_data) != tensor->n_elements)
    g_error ("cannot write the model");
}

static void
write_safetensors (const BenchShape *shape, const char *path)
{
  g_autoptr (GString) text = g_string_new ("{");
  Header header = { .text = text };
  FILE *file = fopen (path, "wb");
  guint64 length;

  if (file == NULL)
    g_error ("cannot write %s", path);
  visit_tensors (shape, append_header, &header);
  g_string_append_c (text, '}');
  while (text->len % 8 != 0)
    g_string_append_c (text, ' ');
  length = GUINT64_TO_LE (text->len);
  fwrite (&length, sizeof length, 1, file);
  fwrite (text->str, 1, text->len, file);
  visit_tensors (shape, write_values, file);
  fclose (file);
}

static const char *const folder_files[] = { "config.json", "tokenizer.json", "model.safetensors" };

char *
bench_model_write_folder (const BenchShape *shape)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("attnscope-bench-XXXXXX", &error);
  g_autofree char *config_path = g_build_filename (folder, folder_files[0], NULL);
  g_autofree char *tokenizer_path = g_build_filename (folder, folder_files[1], NULL);
  g_autofree char *weights_path = g_build_filename (folder, folder_files[2], NULL);
  g_autofree char *config = dup_config (shape);
  g_autofree char *tokenizer = dup_tokenizer (shape);

  g_assert_no_error (error);
  write_file (config_path, config, strlen (config));
  write_file (tokenizer_path, tokenizer, strlen (tokenizer));
  write_safetensors (shape, weights_path);
  return folder;
}

void
bench_model_remove_folder (char *folder)
{
  for (size_t i = 0; i < G_N_ELEMENTS (folder_files); i++) {
    g_autofree char *path = g_build_filename (folder, folder_files[i], NULL);

    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

AtnModel *
bench_model_open_folder (const BenchShape *shape)
{
  char *folder = bench_model_write_folder (shape);
  g_autoptr (GError) error = NULL;
  AtnModel *model = atn_model_open (folder, NULL, NULL, NULL, &error);

  bench_model_remove_folder (folder);
  g_assert_no_error (error);
  return model;
}

static void
append_base64 (const Tensor *tensor, gpointer user_data)
{
  GString *json = user_data;
  g_autofree float *values = dup_values (tensor);
  g_autofree char *base64 =
    g_base64_encode ((const guchar *) values, tensor->n_elements * sizeof *values);

  g_string_append_printf (json, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu",
                          g_str_has_suffix (json->str, "{") ? "" : ",", tensor->name, tensor->rows);
  if (tensor->cols > 0)
    g_string_append_printf (json, ",%zu", tensor->cols);
  g_string_append_printf (json, "],\"data\":\"%s\"}", base64);
}

void
bench_model_write_json (const BenchShape *shape, const char *path)
{
  g_autofree char *config = dup_config (shape);
  g_autofree char *tokenizer = dup_tokenizer (shape);
  g_autoptr (GString) json = g_string_new (NULL);

  g_string_printf (json,
                   "{\"format\":\"attnscope-model\",\"version\":1,\"name\":\"bench\",\"license\":"
                   "\"MIT\",\"config\":%s,\"tokenizer\":%s,\"tensors\":{",
                   config, tokenizer);
  visit_tensors (shape, append_base64, json);
  g_string_append (json, "}}");
  write_file (path, json->str, json->len);
}
