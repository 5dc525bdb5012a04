# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes induction-by-hand.json: an induction circuit that is built, not trained.

    python3 induction_by_hand.py -o ../induction-by-hand.json

Plain Python; the numbers are the same everywhere. A text "a b c a b" is read as

    [START] a b c a b

Every word and every position is a code of signs, +1 or -1, so that a product of two codes counts
the signs in which they agree: 7 for a word and itself, at most 3 for two different words, because
the seventh sign is a check sign. The stream of a token has these places:

    word       7   the token's own word
    before     7   the word before it: empty until the head of layer 0 writes it
    found      7   what comes next: empty until the head of layer 1 writes it
    here       6   its position
    previous   6   the position before it
    start      1   1 for [START]
    count      1   its position as a number

Layer 0 is the previous-token head: its query is `previous`, its key `here`, and it copies `word`
of what it finds into `before`. Layer 1 is the induction head: its query is `word`, its key is
`before`, so it finds the token that followed the same word earlier, and copies that token's `word`
into `found`, which the output matrix reads.

Two rules make it exact. If the word came several times, the latest counts: the key grows with
`count`. If it never came, the head rests on [START], whose score lies between the best that a
wrong word can reach and the least that a right one has; its word is empty, so nothing is written.
"""

import argparse
import json
import pathlib

WORDS = [*"abcdefghijklmnopqrstuvwxyz", *"甲乙丙丁戊己庚辛壬癸"]
UNKNOWN, START = "[UNK]", "[START]"
N_CTX = 64
WORD_BITS, POSITION_BITS = 7, 6
PLACES = {
    "word": WORD_BITS,
    "before": WORD_BITS,
    "found": WORD_BITS,
    "here": POSITION_BITS,
    "previous": POSITION_BITS,
    "start": 1,
    "count": 1,
}
D_MODEL = sum(PLACES.values())
D_HEAD = 9  # so that the scale 1/√d is 1/3

# Layer 0: each sign of a position is worth 6 · 4 / 3 = 8.
POSITION_QUERY, POSITION_KEY = 6, 4
# Layer 1: each sign of a word is worth 30 · 10 / 3 = 100, a step to the right 15 · 1 / 3 = 5,
# [START] 15 · 130 / 3 = 650. A wrong word has at most 300 + 5 · 63 = 615, a right one 700 + 5 · 2.
WORD_QUERY, WORD_KEY = 30, 10
REST_QUERY, REST_KEY, COUNT_KEY = 15, 130, 1
OUTPUT = 3


def place(name):
    """Where a part of the stream begins."""
    names = list(PLACES)
    return sum(PLACES[other] for other in names[: names.index(name)])


def signs(number, n_bits):
    return [1 if number >> bit & 1 else -1 for bit in reversed(range(n_bits))]


def word_code(index):
    """Six signs, and one that makes their number of pluses even."""
    code = signs(index, WORD_BITS - 1)
    return [*code, 1 if code.count(1) % 2 else -1]


def stream(**parts):
    row = [0] * D_MODEL
    for name, values in parts.items():
        row[place(name) : place(name) + len(values)] = values
    return row


def matrix(n_rows, n_cols, *diagonals):
    """Zeros but for diagonals (first row, first column, length, value)."""
    rows = [[0] * n_cols for _ in range(n_rows)]
    for row, col, length, value in diagonals:
        for i in range(length):
            rows[row + i][col + i] = value
    return rows


def tensors():
    embed = [stream(word=word_code(i)) for i in range(len(WORDS))]
    positions = [
        stream(
            here=signs(p, POSITION_BITS),
            previous=signs(p - 1, POSITION_BITS) if p > 0 else [0] * POSITION_BITS,
            count=[p],
        )
        for p in range(N_CTX)
    ]
    read_word = (place("word"), 0, WORD_BITS, 1)
    unembed = matrix(D_MODEL, len(WORDS) + 2)
    for i in range(len(WORDS)):
        for bit, sign in enumerate(word_code(i)):
            unembed[place("found") + bit][i] = OUTPUT * sign
    start_col, count_col = WORD_BITS, WORD_BITS + 1
    # [START] has a 1 at the place `start`, and every stream asks for it: a bias, not a part.
    return {
        "embed.W_E": [*embed, stream(), stream(start=[1])],
        "pos_embed.W_pos": positions,
        "blocks.0.attn.W_Q": [
            matrix(D_MODEL, D_HEAD, (place("previous"), 0, POSITION_BITS, POSITION_QUERY))
        ],
        "blocks.0.attn.W_K": [
            matrix(D_MODEL, D_HEAD, (place("here"), 0, POSITION_BITS, POSITION_KEY))
        ],
        "blocks.0.attn.W_V": [matrix(D_MODEL, WORD_BITS, read_word)],
        "blocks.0.attn.W_O": [matrix(WORD_BITS, D_MODEL, (0, place("before"), WORD_BITS, 1))],
        "blocks.1.attn.W_Q": [
            matrix(D_MODEL, D_HEAD, (place("word"), 0, WORD_BITS, WORD_QUERY))
        ],
        "blocks.1.attn.b_Q": [[0] * WORD_BITS + [REST_QUERY, REST_QUERY]],
        "blocks.1.attn.W_K": [
            matrix(
                D_MODEL,
                D_HEAD,
                (place("before"), 0, WORD_BITS, WORD_KEY),
                (place("start"), start_col, 1, REST_KEY),
                (place("count"), count_col, 1, COUNT_KEY),
            )
        ],
        "blocks.1.attn.W_V": [matrix(D_MODEL, WORD_BITS, read_word)],
        "blocks.1.attn.W_O": [matrix(WORD_BITS, D_MODEL, (0, place("found"), WORD_BITS, 1))],
        "unembed.W_U": unembed,
    }


def config():
    return {
        "model_type": "transformer",
        "vocab_size": len(WORDS) + 2,
        "hidden_size": D_MODEL,
        "num_hidden_layers": 2,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": D_HEAD,
        "v_head_dim": WORD_BITS,
        "intermediate_size": 0,
        "norm": "none",
        "final_norm": False,
        "positions": "learned",
        "max_position_embeddings": N_CTX,
        "causal": True,
        "attention_scale": "sqrt",
        "unembed": "own",
    }


def tokenizer():
    vocab = {word: i for i, word in enumerate([*WORDS, UNKNOWN, START])}
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": vocab[token], "content": token, **special, "special": True}
            for token in (UNKNOWN, START)
        ],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": START, "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
            ],
            "pair": [
                {"SpecialToken": {"id": START, "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 0}},
            ],
            "special_tokens": {START: {"id": START, "ids": [vocab[START]], "tokens": [START]}},
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": UNKNOWN},
    }


def rows_text(value, indent):
    """A tensor, one row a line, zero rows of a matrix side by side."""
    if not isinstance(value[0], list):
        return "[" + ",".join(map(str, value)) + "]"
    inner = " " * (indent + 2)
    lines = []
    for row in value:
        text = rows_text(row, indent + 2)
        is_zero = not isinstance(row[0], list) and not any(row)
        fits = lines and lines[-1][1] and len(lines[-1][0]) + len(text) < 92
        if is_zero and fits:
            lines[-1][0] += ", " + text
        else:
            lines.append([text, is_zero])
    return "[\n" + ",\n".join(inner + text for text, _ in lines) + "\n" + " " * indent + "]"


def write(path):
    meta = json.loads(
        (pathlib.Path(__file__).parent / "induction-by-hand.meta.json").read_text(encoding="utf-8")
    )
    model = {
        "format": "attnscope-model",
        "version": 1,
        **{key: meta[key] for key in ("name", "description", "license", "source")},
        "config": config(),
        "tokenizer": tokenizer(),
        "examples": meta["examples"],
    }
    members = []
    for key, value in model.items():
        text = json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
        members.append(f"  {json.dumps(key)}: {text}")
    numbers = ",\n".join(f'    "{name}": {rows_text(t, 4)}' for name, t in tensors().items())
    members.append('  "tensors": {\n' + numbers + "\n  }")
    path.write_text("{\n" + ",\n".join(members) + "\n}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    write(parser.parse_args().output)


if __name__ == "__main__":
    main()
