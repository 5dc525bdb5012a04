/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Reading a tokenizer.json. A text then goes through one AtnAlignedText (see there):
 *
 *   added tokens   atn-added-token.c     cut out before and after the normalizer
 *   normalizer     atn-normalizer.c   ┐
 *   pre-tokenizer  atn-pre-tokenizer.c┴► lists of AtnTextStep
 *   model          atn-bpe.c, atn-unigram.c, atn-wordpiece.c, atn-wordlevel.c behind AtnWordModel
 *   post-processor atn-post-processor.c  two templates
 *   decoder        atn-decoder.c         how the vocabulary is spelled, for labels
 *
 * Compared with tokenizers 0.23.3: no difference in ids, offsets, sequences and type
 * ids on the fixtures; on every code point, between marks, spaces and apostrophes,
 * through GPT-2's pattern, and on 58,000 (all but the middles of long alphabets)
 * through nine other pipelines; and on 465,000 random texts and pairs under 155
 * tokenizers (each kind of step, added tokens with all switches, BPE with affixes,
 * byte tokens and unknown ones). Unigram, Precompiled and regular expressions came
 * later: 40 families' patterns with every behaviour, 900 random vocabularies with ties
 * and bytes, SentencePiece's own nmt_nfkc and nfkc_cf in 14 sequences.
 *
 * On purpose it differs in four places: AtnToken.text of an added or (in Unigram) an
 * unknown token is the vocabulary's string, there the matched text; an added
 * token whose id is not its place in the vocabulary is refused, there renumbered; so
 * are two strings with one id; and offsets are trimmed once, where a Sequence of two
 * trimming post-processors would do it twice.
 */

#include "tokenizer/atn-tokenizer-private.h"

#include "base/atn-error.h"
#include "tokenizer/atn-byte-level.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
read_steps (const AtnJson *json,
            const char *key,
            AtnTextStepReadFunc func,
            GPtrArray *steps,
            GError **error)
{
  const AtnJson *member = atn_json_get_member (json, key);

  return member == NULL || func (member, steps, error);
}

static gboolean
read_model (AtnTokenizer *self, const AtnJson *json, GError **error)
{
  const AtnJson *model;
  const AtnJson *added = NULL;

  if (!atn_json_read_node (json, "model", ATN_JSON_REQUIRED, ATN_JSON_OBJECT, &model, error) ||
      !atn_json_read_node (json, "added_tokens", ATN_JSON_OPTIONAL, ATN_JSON_ARRAY, &added, error))
    return FALSE;

  self->model = atn_word_model_new (model, error);
  if (self->model == NULL)
    return FALSE;

  self->added = atn_added_tokens_new (added, self->model->vocabulary, self->normalizer, error);
  return self->added != NULL;
}

/* A template may only put tokens that the tokenizer has. */
static gboolean
check_template (const AtnTokenizer *self, const GArray *parts, GError **error)
{
  for (guint i = 0; i < parts->len; i++) {
    const AtnTemplatePart *part = &g_array_index (parts, AtnTemplatePart, i);

    if (part->sequence >= 0 || atn_tokenizer_get_text (self, part->id) != NULL)
      continue;
    g_set_error (error, ATN_ERROR, ATN_ERROR_INVALID_FORMAT,
                 _ ("The post-processor adds token %u, which is not in the vocabulary"), part->id);
    return FALSE;
  }
  return TRUE;
}

/* A file may have no decoder, so what the steps write counts, too; the decoder has the last word.
 */
static void
find_spelling (AtnTokenizer *self, const GPtrArray *steps)
{
  for (guint i = 0; i < steps->len; i++) {
    const AtnTextStep *step = steps->pdata[i];

    if (step->edit == atn_byte_level_edit)
      self->spelling.is_byte_level = true;
    if (step->rewrite == atn_text_step_replace && g_str_equal (step->pattern, " ")) {
      g_free (self->spelling.space);
      self->spelling.space = g_strdup (step->content);
    }
  }
}

AtnTokenizer *
atn_tokenizer_new (const AtnJson *json, GError **error)
{
  g_autoptr (AtnTokenizer) self = g_new0 (AtnTokenizer, 1);
  const AtnJson *decoder;

  g_return_val_if_fail (json != NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  self->normalizer = atn_text_steps_new ();
  self->pre_tokenizer = atn_text_steps_new ();
  if (!read_steps (json, "normalizer", atn_normalizer_read, self->normalizer, error) ||
      !read_steps (json, "pre_tokenizer", atn_pre_tokenizer_read, self->pre_tokenizer, error) ||
      !read_model (self, json, error))
    return NULL;

  self->post_processor =
    atn_post_processor_new (atn_json_get_member (json, "post_processor"), error);
  if (self->post_processor == NULL || !check_template (self, self->post_processor->single, error) ||
      !check_template (self, self->post_processor->pair, error))
    return NULL;

  find_spelling (self, self->normalizer);
  find_spelling (self, self->pre_tokenizer);
  decoder = atn_json_get_member (json, "decoder");
  if (decoder != NULL && !atn_decoder_read (decoder, &self->spelling, error))
    return NULL;
  return g_steal_pointer (&self);
}

AtnTokenizer *
atn_tokenizer_ref (AtnTokenizer *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
atn_tokenizer_unref (AtnTokenizer *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  atn_decoder_clear (&self->spelling);
  g_clear_pointer (&self->post_processor, atn_post_processor_free);
  g_clear_pointer (&self->added, atn_added_tokens_free);
  g_clear_pointer (&self->model, atn_word_model_free);
  g_clear_pointer (&self->pre_tokenizer, g_ptr_array_unref);
  g_clear_pointer (&self->normalizer, g_ptr_array_unref);
  g_free (self);
}

bool
atn_tokenizer_has_pair (const AtnTokenizer *self)
{
  return atn_post_processor_has_pair (self->post_processor);
}

size_t
atn_tokenizer_get_n_ids (const AtnTokenizer *self)
{
  return MAX (atn_vocabulary_get_n_ids (self->model->vocabulary),
              atn_vocabulary_get_n_ids (atn_added_tokens_get_vocabulary (self->added)));
}

const char *
atn_tokenizer_get_text (const AtnTokenizer *self, uint32_t id)
{
  const char *text = atn_vocabulary_get_text (self->model->vocabulary, id);

  if (text == NULL)
    text = atn_vocabulary_get_text (atn_added_tokens_get_vocabulary (self->added), id);
  return text;
}

bool
atn_tokenizer_is_special (const AtnTokenizer *self, uint32_t id)
{
  return atn_added_tokens_is_special (self->added, id);
}

bool
atn_tokenizer_find (const AtnTokenizer *self, const char *text, uint32_t *id)
{
  size_t length = strlen (text);

  return atn_vocabulary_find (self->model->vocabulary, text, length, id) ||
         atn_vocabulary_find (atn_added_tokens_get_vocabulary (self->added), text, length, id);
}

const char *
atn_tokenizer_find_mask (const AtnTokenizer *self, uint32_t *id)
{
  static const char *const names[] = { "[MASK]", "<mask>" };

  /* MPNet's vocabulary holds BERT's, so both are there, but only one is more than a word. */
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    if (atn_tokenizer_find (self, names[i], id) && atn_added_tokens_has (self->added, *id))
      return names[i];
  }

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    if (atn_tokenizer_find (self, names[i], id))
      return names[i];
  }

  return NULL;
}
