# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes the Chinese texts and their tokenizer: `NAME.train.txt`, `NAME.held.txt`, `tokenizer.json`.

  poems         Tang and Song poems (poems.py), to be known by heart
  everyday_zh   written by everyday_zh.py
  relations_zh  likewise, only the kinds in which a word farther off decides
  couplets      written by couplets_zh.py

A person may type a whole poem, with or without its title, or any line of it. So the poems' text
holds each poem whole with title and author, whole without, and from each of its lines on, in
random order, several times over: every line of the file is a place where a training row may begin.
Nothing is held out of the poems: `poems.held.txt` is a sample of couplets, to see how far they are
known. Of the everyday sentences and the written couplets those are held out that stories.py names.

The tokenizer has one token for each character: a BPE without merges. The line end, which ends
each text, is token 0; a character that stands in no poem and less than MIN_COUNT times in the
everyday sentences is [UNK].
"""

import argparse
import collections
import pathlib
import random

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers

import couplets_zh
import everyday_zh
import poems

SEED = 1
ROUNDS = 8  # how often everything is written, each time in another order
PIECE_CHARS = 120  # what is begun in the middle of a poem ends after about so much
CLAUSE_SHARE = 0.4  # of the beginnings in the middle of a couplet
EVERYDAY_CHARS = {"train": 3_000_000, "held": 60_000}
RELATIONS_CHARS = {"train": 1_000_000, "held": 20_000}
COUPLETS_CHARS = {"train": 500_000, "held": 20_000}
HELD_COUPLETS = 300
MIN_COUNT = 20
UNKNOWN = "[UNK]"
ASCII = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MARKS = "，。？！；：、“”‘’「」『』《》〈〉（）—…·+-=*/%. "
TYPED = {",": "，", "?": "？", "!": "！", ";": "；", ":": "：", "(": "（", ")": "）"}


def pieces(poem, rand):
    """What is written of one poem in one round."""
    yield poem.whole
    yield poem.text
    clauses = poem.clauses
    starts_couplet = True
    for i, clause in enumerate(clauses):
        if i > 0 and (starts_couplet or rand.random() < CLAUSE_SHARE):
            yield first_clauses(clauses[i:])
        starts_couplet = clause[-1] in "。？！；”"


def first_clauses(clauses):
    piece = ""
    for clause in clauses:
        piece += clause
        if len(piece) >= PIECE_CHARS:
            break
    return piece


def poem_lines(all_poems):
    rand, lines = random.Random(SEED), []
    for _ in range(ROUNDS):
        order = [piece for poem in all_poems for piece in pieces(poem, rand)]
        rand.shuffle(order)
        lines += order
    return lines


def character_tokenizer(all_poems, everyday_lines):
    """[line end, [UNK], the characters in the order of their code]"""
    counts = collections.Counter("".join(everyday_lines))
    characters = {c for c, n in counts.items() if n >= MIN_COUNT} | set(ASCII + MARKS)
    characters.update("".join(poem.whole for poem in all_poems))
    vocabulary = {c: i for i, c in enumerate(["\n", UNKNOWN] + sorted(characters))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(typed, mark) for typed, mark in TYPED.items()]
    )
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens([AddedToken(UNKNOWN, normalized=False)])
    return tokenizer


def write(folder, name, part, lines):
    (folder / f"{name}.{part}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}.{part}: {len(lines):,} lines, {sum(map(len, lines)):,} characters")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=pathlib.Path, required=True)
    folder = parser.parse_args().work
    folder.mkdir(parents=True, exist_ok=True)
    all_poems = poems.read()
    print(f"{len(all_poems)} poems, {sum(len(p.text) for p in all_poems):,} characters")
    write(folder, "poems", "train", poem_lines(all_poems))
    couplets = [couplet for poem in all_poems for couplet in poem.couplets]
    write(folder, "poems", "held", random.Random(SEED).sample(couplets, HELD_COUPLETS))
    everyday_lines = everyday_zh.EverydayChinese(1).stories(EVERYDAY_CHARS["train"])
    write(folder, "everyday_zh", "train", everyday_lines)
    for name, part, stories, sizes in (
        ("everyday_zh", "held", everyday_zh.EverydayChinese(2), EVERYDAY_CHARS),
        ("relations_zh", "train", everyday_zh.ChineseRelations(3), RELATIONS_CHARS),
        ("relations_zh", "held", everyday_zh.ChineseRelations(4), RELATIONS_CHARS),
        ("couplets", "train", couplets_zh.Couplets(1), COUPLETS_CHARS),
        ("couplets", "held", couplets_zh.Couplets(2), COUPLETS_CHARS),
    ):
        write(folder, name, part, stories.stories(sizes[part], held_out=part == "held"))
    tokenizer = character_tokenizer(all_poems, everyday_lines)
    tokenizer.save(str(folder / "tokenizer.json"))
    print(f"{tokenizer.get_vocab_size():,} tokens")
    print(tokenizer.encode("床前明月光,疑是地上霜。\n一只龘A1").tokens)


if __name__ == "__main__":
    main()
