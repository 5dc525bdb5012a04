# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Lists which heads look where in given sentences, from a shipped JSON model file.

heads.py MODEL.json "The cat sat because it was tired"
    the strongest cells
heads.py MODEL.json "The cat sat because it was tired" --query it --key cat
    that cell in every head
"""

import argparse
import pathlib

import numpy as np

from shipped import Shipped


def find(tokens, word):
    """The last token that is this word; ids count from 0."""
    return max(i for i, token in enumerate(tokens) if token.lstrip("Ġ") == word)


def show(weight, head, q, k, tokens):
    print(f"{weight:.3f}  L{head[0]}H{head[1]}  {q} {tokens[q]} → {k} {tokens[k]}")


def strongest(patterns, tokens, n):
    """Cells off the diagonal, and off the places where most heads rest: the first token, [SEP]."""
    cells = patterns * (1 - np.eye(len(tokens)))
    rests = [i for i, token in enumerate(tokens) if i == 0 or token == "[SEP]"]
    cells[..., rests, :] = cells[..., rests] = 0
    order = np.argsort(-cells, axis=None)[:n]
    for layer, head, q, k in zip(*np.unravel_index(order, cells.shape)):
        yield cells[layer, head, q, k], (layer, head), q, k


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("text")
    parser.add_argument("--query")
    parser.add_argument("--key")
    parser.add_argument("--top", type=int, default=40)
    arguments = parser.parse_args()
    shipped = Shipped(arguments.model)
    tokens = [token["text"] for token in shipped.tokens(arguments.text)]
    patterns = shipped.patterns(arguments.text)
    if not arguments.query:
        for cell in strongest(patterns, tokens, arguments.top):
            show(*cell, tokens)
        return
    q, k = find(tokens, arguments.query), find(tokens, arguments.key)
    for i in np.argsort(-patterns[:, :, q, k], axis=None)[: arguments.top]:
        head = np.unravel_index(i, patterns.shape[:2])
        show(patterns[*head, q, k], head, q, k, tokens)


if __name__ == "__main__":
    main()
