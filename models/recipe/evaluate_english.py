# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The measures of english-small: loss against a trigram model, heads, held-out sentences.

A row is a piece of text that becomes the same tokens again wherever it stands: it begins and ends
between words.
"""

import math

import numpy as np

import everyday
from claims import check_examples
from kneser_ney import Trigrams
from rows import Text
from shipped import best

TEXTS = ("everyday", "austen", "wordnet", "bible", "web")
SEED = 20
MAX_ROWS = 100  # of n_ctx tokens, from each text
HEAD_ROWS = 16
HALF = 48
RANDOM_ROWS = 32
BEGINNINGS = (
    "The cat sat on the",
    "My name is",
    "The children are playing in the",
    "I would like a cup of",
    "Yesterday we went to the",
    "The sun is",
    "She opened the door and",
    "It is cold today, so",
    "Do you want to",
    "The dog chased the cat, but the cat",
    "Tom was hungry, so he",
    "On Monday, Mary went to the",
    "There are three birds in the",
    "The capital of France is",
    "He said that he was",
    "The keys to the door",
    "When it rains, the streets are",
    "One, two, three,",
    "A rose is a",
    "When Mary and John went to the shop, John gave a drink to",
)


def rows_of(shipped, text, n_tokens):
    """Pieces of the text of at most n_tokens tokens, cut before a word."""
    tokens = [bytes.fromhex(token["bytes"]) for token in shipped.tokens(text)]
    start, pieces = 0, []
    while start + n_tokens <= len(tokens):
        end = start + n_tokens
        while not tokens[end - 1][:1].isspace() and end > start + 1:
            end -= 1
        pieces.append(b"".join(tokens[start : end - 1]).decode())
        start = end - 1
    return pieces


def actual(positions):
    """ids and −ln P of every token of a row but the first."""
    told = [position["actual"] for position in positions[:-1]]
    return [t["id"] for t in told], -np.log([t["probability"] for t in told])


def held_out_loss(shipped, folder):
    n_ctx, kinds = shipped.info["n_ctx"], shipped.info["d_vocab"]
    trigrams = Trigrams([Text(folder, name, "train").ids for name in TEXTS], kinds)
    ours, theirs = [], []
    by_position = [[] for _ in range(n_ctx)]
    for name in TEXTS:
        text = (folder / f"{name}.held.txt").read_text(encoding="utf-8")
        rows = rows_of(shipped, text, n_ctx)[:MAX_ROWS]
        losses, lower = [], []
        for row, positions in zip(rows, shipped.predictions(rows)):
            ids, loss = actual(positions)
            first = shipped.tokenizer.encode(row).ids[0]
            losses.append(loss[1:])  # a trigram needs two tokens before
            lower.append(trigrams.losses(np.array([first, *ids])))
            for position, value in enumerate(loss):
                by_position[position].append(value)
        n_bytes = sum(len(row.encode()) for row in rows)
        losses, lower = np.concatenate(losses), np.concatenate(lower)
        print(
            f"{name:9} {len(losses):7,} tokens  loss {losses.mean():.3f}, trigrams {lower.mean():.3f}"
            f"  perplexity {np.exp(losses.mean()):.1f}"
            f"  bits per byte {losses.sum() / math.log(2) / n_bytes:.3f}"
        )
        ours.append(losses)
        theirs.append(lower)
    print(
        f"mean of the texts: loss {np.mean([l.mean() for l in ours]):.3f}, "
        f"Kneser–Ney trigrams {np.mean([l.mean() for l in theirs]):.3f}"
    )
    edges = (0, 8, 32, 64, 128, 192, n_ctx - 4)
    spans = (np.concatenate(by_position[a:b]).mean() for a, b in zip(edges, edges[1:]))
    print(
        "loss by position: "
        + ", ".join(f"{a + 2}–{b + 1}: {v:.2f}" for a, b, v in zip(edges, edges[1:], spans))
    )


def diagonal(patterns, offset, first=0):
    """Mean weight of the key `offset` before the query, of queries from `first` on."""
    return np.diagonal(patterns, -offset, 2, 3)[..., max(0, first - offset) :].mean(2)


def random_rows(shipped, n_rows, length):
    """Random tokens of all kinds, as a text that becomes just these tokens: where two would join
    into others, another one is drawn."""
    rand, tokenizer = np.random.default_rng(SEED), shipped.tokenizer
    rows = []
    while len(rows) < n_rows:
        ids = []
        while len(ids) < length:
            grown = ids + [int(rand.integers(1, tokenizer.get_vocab_size()))]
            if tokenizer.encode(tokenizer.decode(grown)).ids == grown:
                ids = grown
        text = tokenizer.decode(ids + ids)
        if tokenizer.encode(text).ids == ids + ids:
            rows.append(text)
    return rows


def head_scores(shipped, folder):
    text = (folder / "austen.held.txt").read_text(encoding="utf-8")
    patterns = [shipped.patterns(row) for row in rows_of(shipped, text, 128)[:HEAD_ROWS]]
    for name, score in (
        ("previous token", lambda p: diagonal(p, 1)),
        ("the token itself", lambda p: diagonal(p, 0, 1)),
        ("two before", lambda p: diagonal(p, 2)),
        ("first token", lambda p: p[:, :, 1:, 0].mean(2)),
    ):
        print(f"{name}, novels:", best(np.mean([score(p) for p in patterns], 0), 2))
    twice = random_rows(shipped, RANDOM_ROWS, HALF)
    patterns = [shipped.patterns(text) for text in twice]
    for name, offset in (("induction", HALF - 1), ("same token before", HALF)):
        scores = np.mean([diagonal(p, offset, HALF) for p in patterns], 0)
        print(f"{name}, random tokens twice ({HALF} + {HALF}):", best(scores, 5))
    losses = np.mean([actual(positions)[1] for positions in shipped.predictions(twice)], 0)
    first, second = losses[: HALF - 1].mean(), losses[HALF:].mean()
    print(f"loss on the first copy {first:.2f}, on the second {second:.3f}: {second / first:.1%}")


def sentences(kind, n):
    """n held-out sentences of one kind, each different."""
    return everyday.Everyday(SEED).held_out(kind, n)


def last(shipped, texts, top=1):
    """For each text the first choices for the next token."""
    return [p[-1]["top"] for p in shipped.predictions(texts, top, everywhere=False)]


def agreement(shipped, n=300):
    """Is the right form of "to be" more probable than the other number's?"""
    other = {"is": "are", "are": "is", "was": "were", "were": "was"}
    right = cases = 0
    for sentence in sentences("agree", n):
        words = sentence.split()
        spot = next((i for i, word in enumerate(words) if word in other), None)
        if spot is None:
            continue
        texts = [" ".join(words[:spot] + [verb]) for verb in (words[spot], other[words[spot]])]
        own, wrong = (p[-2]["actual"]["probability"] for p in shipped.predictions(texts))
        right, cases = right + (own > wrong), cases + 1
    return right / cases


def repeated_name(shipped, n=300):
    """Is the first choice at the end of "… John gave a drink to" the other name?"""
    cases = [sentence[:-1].rsplit(" ", 1) for sentence in sentences("give", n)]
    first = last(shipped, [start for start, _ in cases])
    return sum(top[0]["text"] == "Ġ" + name for top, (_, name) in zip(first, cases)) / n


def closing(shipped, n=150):
    """Where the text closes a quotation or bracket, does the first choice close it?"""
    cases = []
    for sentence in sentences("quote", n) + sentences("bracket", n):
        mark = ")" if "(" in sentence else '"'
        tokens = shipped.tokenizer.encode(sentence)
        spots = [start for (start, _), t in zip(tokens.offsets, tokens.tokens) if mark in t]
        if len(spots) > 1 or mark == ")":
            cases.append((sentence[: spots[-1]], mark))
    first = last(shipped, [start for start, _ in cases])
    return sum(mark in top[0]["text"] for top, (_, mark) in zip(first, cases)) / len(cases)


def show_beginnings(shipped):
    for text, top in zip(BEGINNINGS, last(shipped, list(BEGINNINGS), 5)):
        words = (f"{t['text'].replace('Ġ', '␣')} {t['probability']:.0%}" for t in top)
        print(f"{text} → {', '.join(words)}")


def report(shipped, folder):
    held_out_loss(shipped, folder)
    head_scores(shipped, folder)
    print(
        f"right verb {agreement(shipped):.1%}, repeated name {repeated_name(shipped):.1%}, "
        f"closing mark {closing(shipped):.1%}"
    )
    show_beginnings(shipped)
    check_examples(shipped)
