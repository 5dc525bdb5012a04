# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What a masked model must show, measured on the shipped file through attnscope-cli.

One token is hidden at a time, and everything else is seen: the plainest question one can ask such a
model, and what a person asks who types [MASK]. (Training hides many at once; measured so, the
model would be asked to guess a word from other guesses.)

A hidden token may be a piece of a word, and no typed text says so: "un[MASK]able" is read as three
words. So the tokens of a text are passed as pieces with spaces between them, to a copy of the file
whose tokenizer takes pieces; its tensors are the shipped ones. Every token of the text has the same
chance to be hidden, marks and pieces of words included.
"""

import contextlib
import json
import random
import tempfile

import numpy as np

from claims import check_examples
from evaluate_english import sentences
from shipped import Shipped

BOOKS = ("austen", "wordnet", "bible")
SEED = 20
MAX_HIDDEN = 1000  # of each text
SENTENCES = 300
HEAD_ROWS = 8  # of each book
MASK = "[MASK]"
BE = {"is": 1, "was": 1, "are": 2, "were": 2}
BARS = {
    "books, top-1": 0.35,
    "everyday, top-1": 0.80,
    "agreement": 0.95,
    "previous token": 0.80,
    "next token": 0.80,
}
BEGINNINGS = (
    "The cat [MASK] on the mat.",
    "The cat sat on the [MASK].",
    "The [MASK] sat on the mat because it was tired.",
    "The cat sat on the mat because [MASK] was tired.",
    "The keys near the door [MASK] on the table.",
    "The key near the doors [MASK] on the table.",
    "My name [MASK] Mary.",
    "Mary has a dog, and [MASK] loves her dog very much.",
    "John has a dog, and he loves [MASK] dog very much.",
    "I would like a [MASK] of tea.",
    "The [MASK] is shining and the birds are happy.",
    "The children are [MASK] in the garden.",
    "Today is Monday and tomorrow is [MASK].",
    "One, two, [MASK], four, five.",
    "It is not hot, it is [MASK].",
    '"Where is the key?" asked Mary. "The [MASK] is under the bed," said John.',
    "When Mary and John went to the shop, [MASK] gave a drink to Mary.",
    "She opened the [MASK] and left the room.",
    "It rained all day, and the streets were [MASK].",
    "In the [MASK] Tom got up, washed his face and ate breakfast.",
)


@contextlib.contextmanager
def by_pieces(shipped):
    """The same model for texts that are already pieces with spaces between them."""
    tokenizer = shipped.file["tokenizer"]
    model = {"type": "WordLevel", "vocab": tokenizer["model"]["vocab"], "unk_token": "[UNK]"}
    pieces = tokenizer | {
        "model": model,
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "decoder": None,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(shipped.file | {"tokenizer": pieces}, file)
        file.flush()
        yield Shipped(file.name)


def pieces_of(shipped, text):
    """The text's tokens without [CLS] and [SEP], as they stand in the vocabulary."""
    names = {i: name for name, i in shipped.file["tokenizer"]["model"]["vocab"].items()}
    return [names[i] for i in shipped.ids(text)[1:-1]]


def rows_of(shipped, text):
    """Rows of n_ctx tokens, [CLS] and [SEP] counted."""
    size = shipped.info["n_ctx"] - 2
    pieces = pieces_of(shipped, text)
    return [pieces[i : i + size] for i in range(0, len(pieces) - size + 1, size)]


def hide(row, place):
    return " ".join(row[:place] + [MASK] + row[place + 1 :])


def first_choices(shipped, rows, places):
    """The first choice at place p of row r, for each (r, p)."""
    texts = [hide(rows[r], p) for r, p in places]
    return [at[0]["top"][0]["text"] for at in shipped.predictions(texts, everywhere=False)]


def share_found(shipped, rows):
    """Of hidden tokens that are the first choice."""
    every = [(r, p) for r, row in enumerate(rows) for p in range(len(row))]
    places = random.Random(SEED).sample(every, min(MAX_HIDDEN, len(every)))
    found = first_choices(shipped, rows, places)
    return sum(a == rows[r][p] for a, (r, p) in zip(found, places)) / len(places)


def best(scores):
    layer, head = np.unravel_index(scores.argmax(), scores.shape)
    return f"L{layer}H{head}", scores[layer, head]


def head_scores(shipped, rows):
    """Mean weight on the token before and after, and at rest; nothing is hidden here."""
    patterns = [shipped.patterns(" ".join(row)) for row in rows]
    return {
        name: np.mean([of(p) for p in patterns], 0)
        for name, of in {
            "previous token": lambda p: p.diagonal(-1, 2, 3).mean(2),
            "next token": lambda p: p.diagonal(1, 2, 3).mean(2),
            "itself": lambda p: p.diagonal(0, 2, 3).mean(2),
            "[CLS]": lambda p: p[..., 1:, 0].mean(2),
            "[SEP]": lambda p: p[..., :-1, -1].mean(2),
        }.items()
    }


def agreement(shipped):
    """Of is, are, was and were, has the most probable one the right number?"""
    cases = []
    for sentence in sentences("agree", SENTENCES):
        words = sentence.split()
        spot = next((i for i, word in enumerate(words) if word in BE), None)
        if spot is not None:
            cases.append((hide(words, spot), BE[words[spot]]))
    right = 0
    for (_, number), at in zip(
        cases, shipped.predictions([text for text, _ in cases], top=100, everywhere=False)
    ):
        forms = (choice["text"] for choice in at[0]["top"] if choice["text"] in BE)
        right += BE.get(next(forms, None)) == number
    return right / len(cases)


def show_beginnings(shipped):
    for text, at in zip(BEGINNINGS, shipped.predictions(list(BEGINNINGS), top=5, everywhere=False)):
        words = (f"{choice['text']} {choice['probability']:.0%}" for choice in at[0]["top"])
        print(f"{text} → {', '.join(words)}")


def show_bars(figures):
    for name, least in BARS.items():
        verdict = "reached" if figures[name] >= least else "MISSED"
        print(f"{name}: {figures[name]:.3f}, must be {least}: {verdict}")


def report(shipped, folder):
    rows = {
        name: rows_of(shipped, (folder / f"{name}.held.txt").read_text(encoding="utf-8"))
        for name in (*BOOKS, "everyday")
    }
    figures, found = {}, {}
    with by_pieces(shipped) as pieces:
        for name in rows:
            found[name] = share_found(pieces, rows[name])
            print(f"{name}: {found[name]:.1%} of hidden tokens are the first choice", flush=True)
        scores = head_scores(pieces, [row for name in BOOKS for row in rows[name][:HEAD_ROWS]])
    figures["books, top-1"] = sum(found[name] for name in BOOKS) / len(BOOKS)
    figures["everyday, top-1"] = found["everyday"]
    figures["agreement"] = agreement(shipped)
    for name, of_heads in scores.items():
        head, figures[name] = best(of_heads)
        print(f"{name}: {head} {figures[name]:.3f}")
    show_beginnings(shipped)
    check_examples(shipped)
    show_bars(figures)
