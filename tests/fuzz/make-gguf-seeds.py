#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""seeds/gguf: one tiny model of each architecture and each kind of tokenizer."""

import random
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
# pylint: disable=wrong-import-position
import gguf_file

WIDTH = 8
# Number of each type, bytes of its block, and where the block has half floats.
QUANTS = {8: (34, [0]), 2: (18, [0]), 3: (20, [0, 2]), 6: (22, [0]), 7: (24, [0, 2])}


def floats(rng, *shape):
    n = 1
    for size in shape:
        n *= size
    return list(shape), gguf_file.F32, struct.pack(f"<{n}f", *(rng.gauss(0, 0.3) for _ in range(n)))


def byte_level():
    tokens = ["<s>", "t", "h", "e", "Ġ", "c", "a", "th", "the", "Ġc"]
    return {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm",
            "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": [3] + [1] * 9,
            "tokenizer.ggml.merges": ["t h", "th e", "Ġ c"], "tokenizer.ggml.bos_token_id": 0,
            "tokenizer.ggml.add_bos_token": True}


def sentencepiece():
    tokens = ["<unk>", "<s>", "</s>", "<0x0A>", "▁", "t", "h", "e", "th", "▁the"]
    return {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.scores": [0.0, 0.0, 0.0, 0.0, -9.0, -8.0, -7.0, -6.0, -1.0, -2.0],
            "tokenizer.ggml.token_type": [2, 3, 3, 6] + [1] * 6,
            "tokenizer.ggml.unknown_token_id": 0, "tokenizer.ggml.bos_token_id": 1}


def word_piece():
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁the", "▁cat", "▁c", "at", "▁a", "s"]
    return {"tokenizer.ggml.model": "bert", "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.token_type": [3] * 4 + [1] * 6, "tokenizer.ggml.unknown_token_id": 1,
            "tokenizer.ggml.cls_token_id": 2, "tokenizer.ggml.seperator_token_id": 3}


def unigram():
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁the", "▁c", "a", "t", "<mask>"]
    # A table that changes no character: the trie's root, and no replacements.
    charsmap = gguf_file.Bytes(struct.pack("<I", 1024) + bytes(1024))
    return {"tokenizer.ggml.model": "t5", "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.scores": [0.0] * 4 + [-2.0, -3.0, -4.0, -5.0, -5.0, 0.0],
            "tokenizer.ggml.token_type": [3, 3, 3, 2] + [1] * 5 + [3],
            "tokenizer.ggml.precompiled_charsmap": charsmap,
            "tokenizer.ggml.unknown_token_id": 3, "tokenizer.ggml.bos_token_id": 0,
            "tokenizer.ggml.eos_token_id": 2, "tokenizer.ggml.add_space_prefix": True,
            "tokenizer.ggml.remove_extra_whitespaces": True}


def blocks(rng, kind, n_blocks):
    size, halves = QUANTS[kind]
    data = bytearray(rng.randbytes(n_blocks * size))
    for block in range(n_blocks):
        for offset in halves:
            struct.pack_into("<e", data, block * size + offset, rng.gauss(0, 0.01))
    return bytes(data)


def keys(architecture, eps, width=WIDTH):
    sizes = {"context_length": 16, "embedding_length": width, "block_count": 1,
             "feed_forward_length": width, "attention.head_count": 2, eps: 1e-5}
    return {"general.architecture": architecture} | {
        f"{architecture}.{key}": value for key, value in sizes.items()}


def tensors(rng, names):
    """names: {name: shape}, in the order of the file."""
    return [(name, *floats(rng, *shape)) for name, shape in names.items()]


def llama_content(rng, tokenizer, width=WIDTH, kinds=()):
    """Metadata and tensors, with matrices of each of @kinds in turn, or all of F32."""
    matrices = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    norms = {name: (width,) for name in ("output_norm.weight", "blk.0.attn_norm.weight",
                                         "blk.0.ffn_norm.weight")}
    table = tensors(rng, {"token_embd.weight": (10, width)} | norms)
    for number, name in enumerate(matrices):
        if kinds:
            kind = kinds[number % len(kinds)]
            content = [width, width], kind, blocks(rng, kind, width * width // 32)
        else:
            content = floats(rng, width, width)
        table.append((f"blk.0.{name}.weight", *content))
    return keys("llama", "attention.layer_norm_rms_epsilon", width) | tokenizer, table


def llama(rng, tokenizer, width=WIDTH, kinds=(), more=None, factors=()):
    values, table = llama_content(rng, tokenizer, width, kinds)
    return gguf_file.gguf(values | (more or {}), table + list(factors))


def two_parts(rng):
    """Of one model: the second part has the last five tensors and nothing else."""
    values, table = llama_content(rng, byte_level())
    count = {"split.count": 2, "split.tensors.count": len(table)}
    return b"\n----\n".join([gguf_file.gguf(values | {"split.no": 0} | count, table[:-5]),
                             gguf_file.gguf({"split.no": 1} | count, table[-5:])])


def gpt2(rng):
    names = {"token_embd.weight": (10, WIDTH), "position_embd.weight": (16, WIDTH)}
    for name, size in (("attn_qkv", 3 * WIDTH), ("attn_output", WIDTH), ("ffn_up", WIDTH),
                       ("ffn_down", WIDTH)):
        names |= {f"blk.0.{name}.weight": (size, WIDTH), f"blk.0.{name}.bias": (size,)}
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        names |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    return gguf_file.gguf(keys("gpt2", "attention.layer_norm_epsilon") | byte_level(),
                          tensors(rng, names), version=2)


def factors(name, *numbers):
    return (f"{name}.weight", [len(numbers)], gguf_file.F32,
            struct.pack(f"<{len(numbers)}f", *numbers))


def yarn(rng):
    more = {"type": "yarn", "factor": 4.0, "original_context_length": 4, "yarn_log_multiplier": 0.5}
    return llama(rng, byte_level(),
                 more={f"llama.rope.scaling.{key}": value for key, value in more.items()})


def phi3(rng):
    """Fused q k v and gate up, two heads of four on one key/value head, long and short factors."""
    names = {"token_embd.weight": (10, WIDTH), "output.weight": (10, WIDTH)}
    for name, rows in (("attn_qkv", 2 * WIDTH), ("attn_output", WIDTH), ("ffn_up", 2 * WIDTH),
                       ("ffn_down", WIDTH)):
        names[f"blk.0.{name}.weight"] = (rows, WIDTH)
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        names[f"{name}.weight"] = (WIDTH,)
    more = {"attention.head_count_kv": 1, "attention.sliding_window": 0,
            "rope.dimension_count": 4, "rope.scaling.attn_factor": 1.2,
            "rope.scaling.original_context_length": 4}
    values = keys("phi3", "attention.layer_norm_rms_epsilon") | byte_level()
    values |= {f"phi3.{key}": value for key, value in more.items()}
    return gguf_file.gguf(values, tensors(rng, names) + [
        factors("rope_factors_long", 2.0, 4.0), factors("rope_factors_short", 1.0, 1.5)])


def phi2(rng):
    """q k v with their biases in one tensor, where the folder has three."""
    names = {"token_embd.weight": (10, WIDTH), "output.weight": (10, WIDTH), "output.bias": (10,)}
    for name, rows in (("attn_qkv", 3 * WIDTH), ("attn_output", WIDTH), ("ffn_up", WIDTH),
                       ("ffn_down", WIDTH)):
        names |= {f"blk.0.{name}.weight": (rows, WIDTH), f"blk.0.{name}.bias": (rows,)}
    for name in ("blk.0.attn_norm", "output_norm"):
        names |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    values = keys("phi2", "attention.layer_norm_epsilon") | byte_level()
    return gguf_file.gguf(values | {"phi2.rope.dimension_count": 2}, tensors(rng, names))


def bert(rng, tokenizer, n_segments=2):
    names = {"token_embd.weight": (10, WIDTH), "position_embd.weight": (16, WIDTH),
             "token_types.weight": (n_segments, WIDTH)}
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_down"):
        names |= {f"blk.0.{name}.weight": (WIDTH, WIDTH), f"blk.0.{name}.bias": (WIDTH,)}
    for name in ("token_embd_norm", "blk.0.attn_output_norm", "blk.0.layer_output_norm"):
        names |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    return gguf_file.gguf(keys("bert", "attention.layer_norm_epsilon") | tokenizer,
                          tensors(rng, names))


def main():
    rng = random.Random(3)
    out = HERE / "seeds/gguf"
    out.mkdir(exist_ok=True)
    files = {
        "llama-bytes": llama(rng, byte_level()),
        "llama-pieces": llama(rng, sentencepiece()),
        "gpt2": gpt2(rng),
        "bert": bert(rng, word_piece()),
        "quantised": llama(rng, byte_level(), 32, list(QUANTS)),
        "factors": llama(rng, byte_level(), factors=[factors("rope_freqs", 1.0, 8.0)]),
        "yarn": yarn(rng),
        "phi3": phi3(rng),
        "phi2": phi2(rng),
        "unigram": bert(rng, unigram(), 1),
        "part": llama(rng, byte_level(), more={"split.no": 0, "split.count": 2}),
        "parts": two_parts(rng),
    }
    for name, data in files.items():
        (out / name).write_bytes(data)


if __name__ == "__main__":
    main()
