#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Turns the neutral JSON inputs of the cases into JSON model files, faults included.

    make-neutral.py                        writes the model files beside their inputs
    make-neutral.py --big 256 8 > big.json what case 58 needs: 8 matrices of 256 × 256 plain numbers
    make-neutral.py --deep 100000 [object|config] > deep.json
                                           what case 50 needs beyond the committed files

A neutral file has d_model, n_heads, vocab, embedding, Wq, Wk, Wv, with x a row and head h in
columns h·d … h·d + d - 1. The model file is of the generic family: one layer, attention only, no norm,
no positions, not causal, W_O the identity of each head's own columns, no prediction head.

Faults live in the text (1e400, NaN, a missing brace), so numbers keep the spelling of the input,
and what is wrong around a document is put around the new one.
"""

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
CASES = [49, 52, 53, 55, 56, 59, 92]


class Raw(str):
    """A piece of JSON that is written as it was read."""


def read_neutral(text):
    """Returns the content of a neutral file, its numbers as Raw."""
    return json.loads(text, parse_float=Raw, parse_int=Raw, parse_constant=Raw)


def write_value(value, indent=""):
    """Returns @value as JSON, Raw as it is, one line per row of numbers."""
    deeper = indent + "  "
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        lines = [
            f"{deeper}{json.dumps(key)}: {write_value(item, deeper)}" for key, item in value.items()
        ]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return (
            "[\n"
            + ",\n".join(deeper + write_value(item, deeper) for item in value)
            + f"\n{indent}]"
        )
    if isinstance(value, list):
        return "[" + ", ".join(write_value(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def split_heads(matrix, n_heads, d_head):
    """Returns [heads, rows, d_head] from [rows, heads · d_head]; ragged, tall or empty stays so."""
    if not any(isinstance(row, list) for row in matrix):
        return matrix
    return [[row[h * d_head : (h + 1) * d_head] for row in matrix] for h in range(n_heads)]


def make_vocabulary(vocabulary):
    return (
        vocabulary
        if isinstance(vocabulary, Raw)
        else {word: i for i, word in enumerate(vocabulary)}
    )


def make_model(neutral, name, n_layers=1):
    """Returns the content of a JSON model file for one neutral file."""
    n_columns = len(neutral["Wv"][0])
    claimed = neutral["n_heads"]
    n_heads = 2 if n_columns == 4 else int(claimed)
    d_head = n_columns // n_heads
    identity = [
        [
            [1 if column == h * d_head + row else 0 for column in range(n_columns)]
            for row in range(d_head)
        ]
        for h in range(n_heads)
    ]
    tensors = {"embed.W_E": neutral["embedding"]}
    for letter in "QKV":
        matrix = split_heads(neutral["W" + letter.lower()], n_heads, d_head)
        tensors[f"blocks.0.attn.W_{letter}"] = matrix
    tensors["blocks.0.attn.W_O"] = identity
    return {
        "format": "attnscope-model",
        "version": 1,
        "name": name,
        "config": {
            "model_type": "transformer",
            "vocab_size": len(neutral["vocab"]) if isinstance(neutral["vocab"], list) else 3,
            "hidden_size": neutral["d_model"],
            "num_hidden_layers": n_layers,
            "num_attention_heads": claimed,
            "num_key_value_heads": claimed,
            "head_dim": d_head,
            "v_head_dim": d_head,
            "intermediate_size": 0,
            "gated_mlp": False,
            "activation": "relu",
            "norm": "none",
            "norm_position": "pre",
            "norm_eps": 1e-5,
            "final_norm": False,
            "positions": "none",
            "causal": False,
            "attention_scale": "sqrt",
            "unembed": "none",
        },
        "tokenizer": make_tokenizer(neutral["vocab"]),
        "tensors": tensors,
    }


def make_tokenizer(vocabulary):
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": make_vocabulary(vocabulary), "unk_token": "<unk>"},
    }


def convert_56(source, base):
    """Returns what is around the document in one file of case 56, put around ours."""
    text = write_value(make_model(read_neutral(base), "Case 56")) + "\n"
    around = {
        "bom": lambda: b"\xef\xbb\xbf" + text.encode(),
        "utf16": lambda: b"\xff\xfe" + text.encode("utf-16-le"),
        "trailing": lambda: text.encode() + b" x\n",
        "twice": lambda: text.encode() * 2,
        "single_quotes": lambda: text.replace('"', "'").encode(),
        "comment": lambda: b"// weights\n" + text.encode(),
        "blank": lambda: source.read_bytes(),
    }
    return around[source.stem]()


def convert(source, base):
    """Returns the bytes of the model file for @source; @base is a sound neutral file."""
    number = int(source.relative_to(HERE).parts[0][:3])
    if number == 56:
        return convert_56(source, base)
    text = source.read_text(encoding="utf-8")
    if number == 55:
        neutral = read_neutral(base) | {"vocab": Raw(text)}
        neutral["embedding"] = neutral["embedding"][:3]
    else:
        neutral = read_neutral(text)
    return (write_value(make_model(neutral, f"Case {number}")) + "\n").encode("utf-8")


def target_of(source):
    if source.parent == HERE:
        return source.with_suffix(".model.json")
    return source.with_name("model.json" if source.stem == "neutral" else f"model-{source.name}")


def write_all():
    base = (HERE / "049-decimal-comma-locale" / "neutral.json").read_text()
    for number in CASES:
        sources = sorted(HERE.glob(f"{number:03}-*/*.json")) + sorted(
            HERE.glob(f"{number:03}-*.json")
        )
        for source in sources:
            if (
                source.stem != "expect"
                and not source.name.startswith("model")
                and ".model" not in source.name
            ):
                target_of(source).write_bytes(convert(source, base))
    for depth in (998, 999):
        for where in ("array", "config"):
            path = HERE / "050-deep-nesting" / f"model-{where}-{depth}.json"
            path.write_text(make_deep(base, depth, where))


def make_deep(base, depth, where):
    """Returns a sound model file in which one value is nested @depth deep."""
    opening, closing = (
        ('{"a":' * depth, "}" * depth) if where == "object" else ("[" * depth, "]" * depth)
    )
    bomb = Raw(opening + ("0" if where == "object" else "") + closing)
    model = make_model(read_neutral(base), "Case 50")
    if where == "config":
        model["config"]["hidden_size"] = bomb
    else:
        model["tensors"]["embed.W_E"] = bomb
    return write_value(model) + "\n"


def make_big(width, n_matrices):
    """Returns a model of @n_matrices matrices of @width × @width plain numbers, four a layer."""
    generator = random.Random(1)
    d_head, n_layers = width // 8, n_matrices // 4

    def numbers(*shape):
        if len(shape) > 1:
            return [numbers(*shape[1:]) for _ in range(shape[0])]
        return [round(generator.gauss(0, 0.1), 6) for _ in range(shape[0])]

    neutral = {"d_model": width, "n_heads": 8, "vocab": ["a", "b"], "embedding": numbers(2, width)}
    neutral |= {f"W{letter}": [[0] * width] for letter in "qkv"}
    model = make_model(neutral, "Case 58", n_layers)
    model["tokenizer"]["model"] = {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}
    for layer in range(n_layers):
        for letter in "QKV":
            model["tensors"][f"blocks.{layer}.attn.W_{letter}"] = numbers(8, width, d_head)
        model["tensors"][f"blocks.{layer}.attn.W_O"] = numbers(8, d_head, width)
    return json.dumps(model)


def main(arguments):
    if arguments[:1] == ["--big"]:
        print(make_big(int(arguments[1]), int(arguments[2])))
    elif arguments[:1] == ["--deep"]:
        base = (HERE / "049-decimal-comma-locale" / "neutral.json").read_text()
        print(make_deep(base, int(arguments[1]), (arguments + ["array"])[2]), end="")
    elif arguments:
        sys.exit(__doc__)
    else:
        write_all()


if __name__ == "__main__":
    main(sys.argv[1:])
