# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Interpolated Kneser–Ney trigrams over token ids: the measure a language model has to beat.

Chen and Goodman, "An empirical study of smoothing techniques for language modeling" (1999),
section 3: one discount for each order, D = n1 / (n1 + 2 n2).

  P3 (w | u v) = max (c (u v w) − D, 0) / c (u v) + D N+ (u v ·) / c (u v) × P2 (w | v)

P2 is the same over N+ (· v w), the number of different tokens seen before "v w", and P1 over
N+ (· w); below P1 lies the uniform distribution.
"""

import numpy as np


class Counts:
    """How often each key occurs; keys are sorted, so that many are looked up at once."""

    def __init__(self, keys, counts=None):
        if counts is None:
            self.keys, self.counts = np.unique(keys, return_counts=True)
        else:
            self.keys, where = np.unique(keys, return_inverse=True)
            self.counts = np.bincount(where, counts).astype(np.int64)

    def of(self, keys):
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.counts[at], 0)


class Order:
    """The n-grams of one length: counts of the whole, of the context, and of its followers."""

    def __init__(self, keys, counts, n_kinds):
        context = keys // n_kinds
        self.whole = Counts(keys, counts)
        self.total = Counts(context, counts)
        self.followers = Counts(context)
        n1, n2 = (counts == 1).sum(), (counts == 2).sum()
        self.discount = n1 / (n1 + 2 * n2)
        self.n_kinds = n_kinds

    def interpolate(self, keys, lower):
        context = keys // self.n_kinds
        total = self.total.of(context)
        own = np.maximum(self.whole.of(keys) - self.discount, 0) + (
            self.discount * self.followers.of(context) * lower
        )
        return np.where(total > 0, own / np.maximum(total, 1), lower)


class Trigrams:
    def __init__(self, texts, n_kinds):
        """texts: a list of arrays of ids in [0, n_kinds); no trigram reaches across two of them."""
        self.n_kinds = n_kinds
        trigrams = Counts(np.concatenate([self.keys(ids) for ids in texts]))
        self.order3 = Order(trigrams.keys, trigrams.counts, n_kinds)
        bigrams = Counts(trigrams.keys % n_kinds**2)  # counts: how many tokens came before
        self.order2 = Order(bigrams.keys, bigrams.counts, n_kinds)
        unigrams = Counts(bigrams.keys % n_kinds)
        self.order1 = Order(unigrams.keys, unigrams.counts, n_kinds)

    def keys(self, ids):
        ids = ids.astype(np.int64)
        return (ids[:-2] * self.n_kinds + ids[1:-1]) * self.n_kinds + ids[2:]

    def losses(self, ids):
        """−ln P of every token but the first two."""
        keys = self.keys(ids)
        p = np.full(len(keys), 1 / self.n_kinds)
        p = self.order1.interpolate(keys % self.n_kinds, p)
        p = self.order2.interpolate(keys % self.n_kinds**2, p)
        return -np.log(self.order3.interpolate(keys, p))
