#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What transformers says about two real models, for test-real.py to compare with.

    pip install torch==2.15.0 transformers==5.24.0 gguf==0.19.0
    make-expected.py FOLDER        # with minilm/ and smollm2.gguf, as attnscope-fetch leaves them

Writes expected/NAME.npy.gz, the pattern of every head, and expected/NAME.json, text, ids and the
most likely tokens. SmolLM2 runs with the float32 weights that the gguf package, which transformers
uses, takes out of the file. Both run in float64 from float32 weights; the angles of RoPE and its like stay float32 in
transformers, which moves patterns by less than 1e-6."""

import gzip
import io
import json
import sys
from pathlib import Path

import numpy as np
import torch
import transformers
from gguf import GGUFReader
from gguf.quants import dequantize
from tokenizers import Tokenizer, models, pre_tokenizers

OUT = Path(__file__).parent / "expected"
MINILM_TEXT = "The cat sat on the mat because it was tired."
SMOLLM2_TEXT = "When Mary and John went to the store, John gave a drink to"


def write(name, ids, text, attentions, top):
    pattern = np.stack([layer[0].numpy() for layer in attentions]).astype("<f4")
    buffer = io.BytesIO()
    np.save(buffer, pattern)
    OUT.mkdir(exist_ok=True)
    (OUT / f"{name}.npy.gz").write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))
    content = {"reference": {"torch": torch.__version__, "transformers": transformers.__version__},
               "text": text, "ids": ids, "top": top}
    (OUT / f"{name}.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    print(name, pattern.shape, top)


def minilm(folder):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(
        folder, attn_implementation="eager", dtype=torch.float32).double().eval()
    inputs = tokenizer(MINILM_TEXT, return_tensors="pt")
    out = model(**inputs, output_attentions=True)
    write("minilm", inputs["input_ids"][0].tolist(), MINILM_TEXT, out.attentions, [])


NAMES = {
    "token_embd": "model.embed_tokens", "output_norm": "model.norm", "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}


def read_weights(reader, n_heads):
    """The state of LlamaForCausalLM: dequantised by the gguf package, as transformers does it, and
    with the rows of q and k where Hugging Face has them."""
    state = {}
    for tensor in reader.tensors:
        values = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).astype(np.float32))
        parts = tensor.name.split(".")
        if parts[0] != "blk":
            state[f"{NAMES[parts[0]]}.weight"] = values
            continue
        if parts[2] in n_heads:
            heads = n_heads[parts[2]]
            values = values.reshape(heads, -1, 2, values.shape[1]).swapaxes(1, 2)
            values = values.reshape(-1, values.shape[3])
        state[f"model.layers.{parts[1]}.{NAMES[parts[2]]}.weight"] = values
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    return state


def read_tokenizer(reader):
    """Byte-level BPE whose digits stand alone, as SmolLM2's tokenizer.json says."""
    tokens = reader.fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(m.split(" ")) for m in reader.fields["tokenizer.ggml.merges"].contents()]
    vocabulary = {text: number for number, text in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    return tokenizer


def smollm2(path):
    reader = GGUFReader(path)
    get = lambda key: reader.fields[f"llama.{key}"].contents()
    config = transformers.LlamaConfig(
        vocab_size=get("vocab_size"), hidden_size=get("embedding_length"),
        intermediate_size=get("feed_forward_length"), num_hidden_layers=get("block_count"),
        num_attention_heads=get("attention.head_count"),
        num_key_value_heads=get("attention.head_count_kv"),
        max_position_embeddings=get("context_length"), rope_theta=get("rope.freq_base"),
        rms_norm_eps=get("attention.layer_norm_rms_epsilon"), tie_word_embeddings=True,
        attn_implementation="eager")
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config)
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    model.load_state_dict(read_weights(reader, heads), assign=True)
    model.model.rotary_emb = type(model.model.rotary_emb)(config)
    model = model.double().eval()
    ids = read_tokenizer(reader).encode(SMOLLM2_TEXT).ids
    out = model(torch.tensor([ids]), output_attentions=True)
    chances, best = out.logits[0, -1].softmax(-1).topk(5)
    write("smollm2", ids, SMOLLM2_TEXT, out.attentions,
          [[int(i), float(p)] for i, p in zip(best, chances)])


@torch.no_grad()
def main():
    folder = Path(sys.argv[1])
    torch.set_num_threads(1)
    for name, run in {"minilm": minilm, "smollm2.gguf": smollm2}.items():
        if (folder / name).exists():
            run(folder / name)


if __name__ == "__main__":
    main()
