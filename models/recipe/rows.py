# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Training rows: text, and three kinds of made rows that teach heads.

  skipping   a token follows from one a little earlier, such as the last but one, by a fixed table:
             teaches a head that looks there
  distinct   a run of different tokens, then chunks of it again: teaches to copy, then induction
  copying    with probability 0.35 a new chunk of random tokens, else a copy of 8 to 31 tokens from
             anywhere earlier: what the induction heads are for

Rows of one period would teach a fixed distance instead. An induction head needs a previous-token
head in an earlier layer and a copying head in its own, and none of these pays without the others:
copying rows alone leave the loss level for a thousand steps. The other two kinds let each part
pay for itself, and few kinds of token in the beginning let it be learned quickly.
"""

import numpy as np
from tokenizers import Tokenizer

NEW_CHUNK = 0.35
FROM_TEXT = 0.25
FREE = 0.2  # of the tokens of a skipping row


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


class Rows:
    """Draws rows: of texts by weight, and made ones of the first n kinds of token."""

    def __init__(self, texts, vocab_size, seed, first=1):
        self.texts = texts
        self.rand = np.random.default_rng(seed)
        # Which tokens are "the first n kinds": one fixed order. Those before `first` are special.
        order = np.random.default_rng(seed + 1)
        self.order = first + order.permutation(vocab_size - first)
        self.after = np.empty(vocab_size, dtype=np.int64)
        self.after[self.order] = np.roll(self.order, 1)

    def text(self, length, weights):
        return self.texts[self.rand.choice(len(self.texts), p=weights)].row(self.rand, length)

    def skipping(self, length, kinds, back):
        """The table is one cycle through the kinds; where it leaves them it begins again."""
        row = self.rand.choice(kinds, length)
        free = self.rand.random(length) < FREE
        for t in range(back, length):
            if not free[t]:
                row[t] = self.after[row[t - back]] if row[t - back] != kinds[0] else kinds[-1]
        return row

    def distinct(self, length, kinds):
        size = min(self.rand.integers(10, max(11, length // 3)), len(kinds))
        run = self.rand.choice(kinds, size, replace=False)
        chunks = [run]
        while sum(map(len, chunks)) < length:
            size = self.rand.integers(3, 13)
            start = self.rand.integers(max(1, len(run) - size + 1))
            chunks.append(run[start : start + size])
        return np.concatenate(chunks)[:length]

    def copying(self, length, kinds, weights):
        row = np.empty(0, dtype=np.int64)
        from_text = self.rand.random() < FROM_TEXT
        while len(row) < length:
            size = self.rand.integers(8, 32)
            if len(row) >= size and self.rand.random() >= NEW_CHUNK:
                start = self.rand.integers(len(row) - size + 1)
                chunk = row[start : start + size]
            elif from_text:
                text = self.texts[self.rand.choice(len(self.texts), p=weights)]
                start = self.rand.integers(len(text.ids) - size)
                chunk = text.ids[start : start + size]
            else:
                chunk = self.rand.choice(kinds, size)
            row = np.concatenate([row, chunk])
        return row[:length]

    def batch(self, stage, weights, n_kinds):
        weights = np.array(weights) / sum(weights)
        kinds, length, batch = self.order[:n_kinds], stage.row_tokens + 1, []
        for _ in range(stage.rows):
            share = self.rand.random()
            if (share := share - stage.skipping) < 0:
                batch.append(self.skipping(length, kinds, self.rand.choice(stage.back)))
            elif (share := share - stage.distinct) < 0:
                batch.append(self.distinct(length, kinds))
            elif share < stage.copying:
                batch.append(self.copying(length, kinds, weights))
            else:
                batch.append(self.text(length, weights))
        return np.stack(batch)
