# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Training rows: text, and copying rows, which teach induction heads.

A copying row is made of chunks: with probability 0.35 a new chunk of random tokens, else a copy of
8 to 31 tokens from anywhere earlier in the row. Rows of one period would teach a fixed distance
instead. A copy can be predicted only by finding the earlier place: the previous-token head and the
induction heads. It has to start easy, with few kinds of token, or the heads do not form.
"""

import numpy as np
from tokenizers import Tokenizer

NEW_CHUNK = 0.35
FROM_TEXT = 0.25


class Text:
    """One text as ids, and where its lines start (the places where a row may begin)."""

    def __init__(self, folder, name, part):
        kept = folder / f"{name}.{part}.npz"
        if not kept.exists():
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            lines = (
                (folder / f"{name}.{part}.txt")
                .read_text(encoding="utf-8")
                .splitlines(keepends=True)
            )
            encoded = [e.ids for e in tokenizer.encode_batch(lines)]
            starts = np.cumsum([0] + [len(ids) for ids in encoded[:-1]])
            np.savez(kept, ids=np.concatenate(encoded).astype(np.int64), starts=starts)
        arrays = np.load(kept)
        self.ids, self.starts = arrays["ids"], arrays["starts"]

    def row(self, rand, length):
        start = self.starts[rand.integers(len(self.starts))]
        start = min(start, len(self.ids) - length)
        return self.ids[start : start + length]


def copying_row(rand, length, kinds, text):
    row = np.empty(0, dtype=np.int64)
    from_text = rand.random() < FROM_TEXT
    while len(row) < length:
        size = rand.integers(8, 32)
        if len(row) >= size and rand.random() >= NEW_CHUNK:
            start = rand.integers(len(row) - size + 1)
            chunk = row[start : start + size]
        elif from_text:
            start = rand.integers(len(text.ids) - size)
            chunk = text.ids[start : start + size]
        else:
            chunk = rand.choice(kinds, size)
        row = np.concatenate([row, chunk])
    return row[:length]


class Mixture:
    """Rows drawn from texts by weight; a share of them are copying rows."""

    def __init__(self, texts, vocab_size, seed):
        self.texts = texts
        self.rand = np.random.default_rng(seed)
        # Which tokens are "the first n kinds": one fixed order. Token 0 is the end of text.
        self.order = 1 + np.random.default_rng(seed + 1).permutation(vocab_size - 1)

    def rows(self, n_rows, length, weights, copying, n_kinds):
        batch, shares = [], np.array(weights) / sum(weights)
        for _ in range(n_rows):
            text = self.texts[self.rand.choice(len(self.texts), p=shares)]
            if self.rand.random() < copying:
                batch.append(copying_row(self.rand, length, self.order[:n_kinds], text))
            else:
                batch.append(text.row(self.rand, length))
        return np.stack(batch)
