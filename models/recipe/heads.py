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

from evaluate import Shipped


def find(tokens, word):
    """The last token that is this word; ids count from 0."""
    return max(i for i, token in enumerate(tokens) if token.lstrip("Ġ") == word)


def strongest(pattern, tokens, n):
    """Cells off the diagonal and off the first column, which most heads use as a resting place."""
    cells = []
    for head, matrix in enumerate(pattern.flatten(0, 1)):
        for q in range(2, len(tokens)):
            cells += [(matrix[q, k].item(), head, q, k) for k in range(1, q)]
    return sorted(cells, reverse=True)[:n]


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
    tokens = shipped.tokenizer.encode(arguments.text).tokens
    pattern = shipped.run(shipped.ids(arguments.text))[1][:, 0]  # [layer, head, query, key]
    n_heads = pattern.shape[1]
    if arguments.query:
        q, k = find(tokens, arguments.query), find(tokens, arguments.key)
        cells = sorted(
            (
                (pattern[l, h, q, k].item(), l * n_heads + h, q, k)
                for l in range(len(pattern))
                for h in range(n_heads)
            ),
            reverse=True,
        )
    else:
        cells = strongest(pattern, tokens, arguments.top)
    for weight, head, q, k in cells[: arguments.top]:
        print(
            f"{weight:.3f}  L{head // n_heads}H{head % n_heads}  "
            f"{q} {tokens[q]} → {k} {tokens[k]}"
        )


if __name__ == "__main__":
    main()
