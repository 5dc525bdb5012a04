/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * The config.json that a file's metadata stand for. What a family would take from its defaults is
 * written out where GGUF has a default of its own.
 */

#include "base/atn-error.h"
#include "weights/atn-gguf-family.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define COUNT_MAX G_MAXUINT32

/* Layers of the one Gemma 2 that scales by its width, not by the head's. */
#define GEMMA2_27B_LAYERS 46

/* JSON. */

void
atn_gguf_append_key (GString *json, const char *key)
{
  if (json->len > 0 && json->str[json->len - 1] != '{')
    g_string_append (json, ", ");
  atn_json_append_string (json, key);
  g_string_append (json, ": ");
}

void
atn_gguf_append_number (GString *json, const char *key, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  atn_gguf_append_key (json, key);
  g_string_append (json, g_ascii_formatd (digits, sizeof digits, "%.17g", value));
}

void
atn_gguf_append_text (GString *json, const char *key, const char *value)
{
  atn_gguf_append_key (json, key);
  atn_json_append_string (json, value);
}

void
atn_gguf_append_bool (GString *json, const char *key, bool value)
{
  atn_gguf_append_key (json, key);
  g_string_append (json, value ? "true" : "false");
}

static void
append_null (GString *json, const char *key)
{
  atn_gguf_append_key (json, key);
  g_string_append (json, "null");
}

/* Keys. */

static char *
dup_key (const char *architecture, const char *key)
{
  return g_strdup_printf ("%s.%s", architecture, key);
}

static gboolean
read_size (const AtnGgufFamily *family,
           const AtnGguf *gguf,
           const char *key,
           AtnJsonNeed need,
           size_t *value,
           GError **error)
{
  g_autofree char *full = dup_key (family->architecture, key);

  return atn_gguf_read_size (gguf, full, need, COUNT_MAX, value, error);
}

static gboolean
append_row (const AtnGgufFamily *family,
            const AtnGguf *gguf,
            const AtnGgufKeyRow *row,
            GString *json,
            GError **error)
{
  g_autofree char *key = dup_key (family->architecture, row->key);
  size_t size = 0;
  double number = 0;
  bool is_true = false;

  if (atn_gguf_find (gguf, key) == NULL && row->need == ATN_JSON_OPTIONAL)
    return TRUE;

  switch (row->kind) {
  case ATN_GGUF_KEY_SIZE:
    if (!atn_gguf_read_size (gguf, key, row->need, COUNT_MAX, &size, error))
      return FALSE;
    /* 0 stands for none. */
    if (size == 0 && row->need == ATN_JSON_OPTIONAL)
      append_null (json, row->hf_key);
    else
      atn_gguf_append_number (json, row->hf_key, (double) size);
    return TRUE;
  case ATN_GGUF_KEY_NUMBER:
    if (!atn_gguf_read_double (gguf, key, row->need, &number, error))
      return FALSE;
    atn_gguf_append_number (json, row->hf_key, number);
    return TRUE;
  case ATN_GGUF_KEY_BOOL:
  default:
    if (!atn_gguf_read_bool (gguf, key, row->need, &is_true, error))
      return FALSE;
    atn_gguf_append_bool (json, row->hf_key, is_true);
    return TRUE;
  }
}

/* Heads: their width is a key of its own only where it is not width / heads. */

gboolean
atn_gguf_family_read_heads (const AtnGgufFamily *self,
                            const AtnGguf *gguf,
                            AtnGgufHeads *heads,
                            GError **error)
{
  size_t d_model, d_v;

  if (!read_size (self, gguf, "embedding_length", ATN_JSON_REQUIRED, &d_model, error) ||
      !read_size (self, gguf, "attention.head_count", ATN_JSON_REQUIRED, &heads->n_heads, error))
    return FALSE;

  heads->n_kv_heads = heads->n_heads;
  heads->d_head = heads->n_heads > 0 ? d_model / heads->n_heads : 0;
  if (!read_size (self, gguf, "attention.head_count_kv", ATN_JSON_OPTIONAL, &heads->n_kv_heads,
                  error) ||
      !read_size (self, gguf, "attention.key_length", ATN_JSON_OPTIONAL, &heads->d_head, error))
    return FALSE;

  d_v = heads->d_head;
  if (!read_size (self, gguf, "attention.value_length", ATN_JSON_OPTIONAL, &d_v, error))
    return FALSE;
  if (d_v == heads->d_head)
    return TRUE;

  g_set_error (error, ATN_ERROR, ATN_ERROR_UNSUPPORTED,
               _ ("“%s.attention.value_length” is %zu, expected the length %zu of the keys"),
               self->architecture, d_v, heads->d_head);
  return FALSE;
}

static void
append_heads (const AtnGgufFamily *family, const AtnGgufHeads *heads, GString *json)
{
  if ((family->traits & ATN_GGUF_HAS_KV_HEADS) != 0)
    atn_gguf_append_number (json, "num_key_value_heads", (double) heads->n_kv_heads);
  if ((family->traits & ATN_GGUF_HAS_HEAD_DIM) != 0)
    atn_gguf_append_number (json, "head_dim", (double) heads->d_head);
}

/* What the tensors say and the metadata do not. */

static void
append_rows_of (const AtnGguf *gguf, const char *tensor_name, const char *hf_key, GString *json)
{
  const AtnGgufTensor *tensor = atn_gguf_find_tensor (gguf, tensor_name);

  if (tensor != NULL && tensor->n_dims == 2)
    atn_gguf_append_number (json, hf_key, (double) tensor->shape[0]);
}

static bool
has_tensor (const AtnGguf *gguf, const char *name)
{
  return atn_gguf_find_tensor (gguf, name) != NULL;
}

static void
append_tensor_facts (const AtnGgufFamily *family, const AtnGguf *gguf, GString *json)
{
  const bool has_qkv_bias =
    has_tensor (gguf, "blk.0.attn_q.bias") || has_tensor (gguf, "blk.0.attn_qkv.bias");

  append_rows_of (gguf, "token_embd.weight", "vocab_size", json);
  append_rows_of (gguf, "token_types.weight", "type_vocab_size", json);
  if (strcmp (family->model_type, "bert") == 0 && !has_tensor (gguf, "token_types.weight"))
    atn_gguf_append_number (json, "type_vocab_size", 0);
  atn_gguf_append_bool (json, "tie_word_embeddings", !has_tensor (gguf, "output.weight"));
  if ((family->traits & ATN_GGUF_HAS_BIAS_KEYS) != 0) {
    atn_gguf_append_bool (json, "attention_bias", has_qkv_bias);
    atn_gguf_append_bool (json, "mlp_bias", has_tensor (gguf, "blk.0.ffn_up.bias"));
  }
  if ((family->traits & ATN_GGUF_HAS_QKV_BIAS_KEYS) != 0) {
    atn_gguf_append_bool (json, "use_qkv_bias", has_qkv_bias);
    atn_gguf_append_bool (json, "qk_layernorm", has_tensor (gguf, "blk.0.attn_q_norm.weight"));
  }
}

/* Gemma 2 divides by the root of query_pre_attn_scalar, which GGUF leaves out: it is the head's
 * width in all of its sizes but one. */
static gboolean
append_gemma2 (const AtnGgufFamily *family,
               const AtnGguf *gguf,
               const AtnGgufHeads *heads,
               GString *json,
               GError **error)
{
  size_t n_layers, d_model;
  double scalar = (double) heads->d_head;

  if (strcmp (family->architecture, "gemma2") != 0)
    return TRUE;
  if (!read_size (family, gguf, "block_count", ATN_JSON_REQUIRED, &n_layers, error) ||
      !read_size (family, gguf, "embedding_length", ATN_JSON_REQUIRED, &d_model, error))
    return FALSE;

  if (n_layers == GEMMA2_27B_LAYERS && heads->n_heads > 0)
    scalar = (double) (d_model / heads->n_heads);
  atn_gguf_append_number (json, "query_pre_attn_scalar", scalar);
  return TRUE;
}

static gboolean
append_config (const AtnGgufFamily *family, const AtnGguf *gguf, GString *json, GError **error)
{
  AtnGgufHeads heads;

  atn_gguf_append_text (json, "model_type", family->model_type);
  for (size_t i = 0; i < family->n_keys; i++)
    if (!append_row (family, gguf, &family->keys[i], json, error))
      return FALSE;

  if (!atn_gguf_family_read_heads (family, gguf, &heads, error))
    return FALSE;
  append_heads (family, &heads, json);
  append_tensor_facts (family, gguf, json);
  if (family->fixed != NULL)
    g_string_append_printf (json, ", %s", family->fixed);

  return append_gemma2 (family, gguf, &heads, json, error) &&
         ((family->traits & ATN_GGUF_HAS_ROPE) == 0 ||
          atn_gguf_family_append_rope (family, gguf, heads.d_head, json, error));
}

AtnJson *
atn_gguf_family_dup_config (const AtnGgufFamily *self, const AtnGguf *gguf, GError **error)
{
  g_autoptr (GString) json = g_string_new ("{");

  if (!append_config (self, gguf, json, error))
    return NULL;

  g_string_append_c (json, '}');
  return atn_json_parse (json->str, json->len, error);
}

/* A list of models. */

void
atn_gguf_read_sizes (const AtnGguf *gguf,
                     size_t max,
                     char **model_type,
                     size_t *n_layers,
                     size_t *n_heads)
{
  const AtnGgufFamily *family = atn_gguf_family_find (gguf, NULL);
  g_autofree char *architecture = NULL;
  g_autofree char *layers_key = NULL;
  g_autofree char *heads_key = NULL;
  size_t layers = 0, heads = 0;

  if (!atn_gguf_read_string (gguf, "general.architecture", ATN_JSON_REQUIRED, &architecture, NULL))
    return;

  layers_key = dup_key (architecture, "block_count");
  heads_key = dup_key (architecture, "attention.head_count");
  *model_type = family != NULL ? g_strdup (family->model_type) : g_steal_pointer (&architecture);
  if (!atn_gguf_read_size (gguf, layers_key, ATN_JSON_REQUIRED, max, &layers, NULL) ||
      !atn_gguf_read_size (gguf, heads_key, ATN_JSON_REQUIRED, max, &heads, NULL) || heads == 0)
    return;

  *n_layers = layers;
  *n_heads = heads;
}
