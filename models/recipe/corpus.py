# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes the training texts: lines of a few hundred characters, `NAME.train.txt`, `NAME.held.txt`.

  bible      King James Version, from the Debian package bible-kjv (its program prints it)
  web        World English Bible, the same 66 books, from sword-text-web (libsword-utils prints it)
  austen     six novels, from r-cran-janeaustenr (an R data package, so R prints it)
  wordnet    entries with an example sentence, from wordnet-base (read from its data files)
  everyday   written by everyday.py
  relations  likewise, only the kinds in which a word farther off decides (english-masked)

Every line is a place where a training row may begin; so long paragraphs are cut at ends of
sentences. Of the books every 40th block of 25 lines is held out: whole passages, because the
next line of a book tells much about the line before. A chapter of which the one Bible holds out
a line is held out of the other: it says the same.
"""

import argparse
import pathlib
import re
import subprocess

import everyday

LINE_CHARS = 450
BLOCK_LINES = 25
HELD_OUT_BLOCK = 40
OLD_TESTAMENT, NEW_TESTAMENT = 39, 27  # books
RELATIONS_CHARS = {"train": 2_000_000, "held": 60_000}
EVERYDAY_CHARS = {"train": 6_000_000, "held": 150_000}

R_PROGRAM = """
library(janeaustenr)
books <- list(sensesensibility, prideprejudice, mansfieldpark, emma, northangerabbey, persuasion)
for (book in books) writeLines(c(book, "", ""), useBytes = TRUE)
"""


def run(*command):
    return subprocess.run(
        command, check=True, capture_output=True, stdin=subprocess.DEVNULL
    ).stdout.decode("utf-8", "replace")


def gather(pieces):
    """Joins neighbouring pieces into lines of about LINE_CHARS."""
    line = ""
    for piece in pieces:
        if line and len(line) + len(piece) > LINE_CHARS:
            yield line
            line = ""
        line = f"{line} {piece}".strip()
    if line:
        yield line


def king_james():
    """[((number of the book, number of the chapter), line)]"""
    found = re.findall(
        r"^([0-9A-Za-z]+?)(\d+):\d+ (.*)$", run("bible", "-f", "gen1:1-rev22:21"), re.M
    )
    return by_chapter(found, list(dict.fromkeys(book for book, _, _ in found)))


def world_english():
    """The same of the World English Bible, without notes, titles and the books between."""
    found = re.findall(
        r"^\$\$\$([^\n]+) ([1-9]\d*):[1-9]\d*\n(.*?)(?=^\$\$\$|\Z)",
        run("mod2imp", "engWEB2015eb"),
        re.M | re.S,
    )
    books = list(dict.fromkeys(book for book, _, _ in found))
    return by_chapter(
        [(book, chapter, plain(verse)) for book, chapter, verse in found],
        books[:OLD_TESTAMENT] + books[-NEW_TESTAMENT:],
    )


def by_chapter(verses, books):
    """Lines of the verses of these books; none holds two chapters."""
    chapters = {}
    for book, chapter, verse in verses:
        if book in books and verse.strip():
            chapters.setdefault((books.index(book), int(chapter)), []).append(verse.strip())
    return [(chapter, line) for chapter, found in chapters.items() for line in gather(found)]


def plain(verse):
    """A verse without its notes and marks; quotation marks as the other texts have them."""
    verse = re.sub(r"<note\b.*?</note>|<title\b.*?</title>", " ", verse, flags=re.S)
    verse = " ".join(re.sub(r"<[^>]*>", "", verse).split())
    verse = re.sub(r" ([,.;:!?”’])", r"\1", verse)
    return verse.translate(str.maketrans("“”‘’", "\"\"''"))


def bibles(folder):
    old, new = king_james(), world_english()
    held = {chapter for i, (chapter, _) in enumerate(old) if is_held(i)}
    divide(folder, "bible", [line for _, line in old], [is_held(i) for i in range(len(old))])
    divide(folder, "web", [line for _, line in new], [chapter in held for chapter, _ in new])


def austen():
    text = run("Rscript", "-e", R_PROGRAM)
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", text)]
    sentences = (
        re.split(r"(?<=[.!?;])(?<!Mr\.)(?<!Mrs\.) (?=\S)", p.replace("_", "").replace("--", " - "))
        for p in paragraphs
        if len(p) > 20
    )
    return [line for paragraph in sentences for line in gather(paragraph)]


def wordnet():
    lines = []
    for part in ("noun", "verb", "adj", "adv"):
        for record in open(f"/usr/share/wordnet/data.{part}", encoding="utf-8", errors="replace"):
            if record.startswith(" ") or " | " not in record:
                continue
            word = record.split()[4].replace("_", " ")
            gloss = record.split(" | ", 1)[1].strip()
            examples = re.findall(r'"([^"]{12,})"', gloss)
            if not examples:
                continue
            definition = re.sub(r';? *"[^"]*"?', "", gloss).strip(" ;:")
            lines.append(f"{word}: {definition}.")
            lines += [e[0].upper() + e[1:] + ("" if e[-1] in ".!?" else ".") for e in examples]
    return list(gather(lines))


def is_held(line_number):
    return line_number // BLOCK_LINES % HELD_OUT_BLOCK == HELD_OUT_BLOCK - 1


def write(folder, name, train, held):
    for part, lines in (("train", train), ("held", held)):
        (folder / f"{name}.{part}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(
        f"{name}: {sum(map(len, train)):,} characters to train on, {sum(map(len, held)):,} held out"
    )


def divide(folder, name, lines, held):
    """Writes what is to be trained on, and those of the lines that are held out."""
    write(
        folder,
        name,
        [l for l, h in zip(lines, held) if not h],
        [l for l, h in zip(lines, held) if h],
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--work",
        type=pathlib.Path,
        required=True,
        help="folder for texts, tokenizer and checkpoints",
    )
    folder = parser.parse_args().work
    folder.mkdir(parents=True, exist_ok=True)
    bibles(folder)
    for name, read in (("austen", austen), ("wordnet", wordnet)):
        lines = read()
        divide(folder, name, lines, [is_held(i) for i in range(len(lines))])
    write(
        folder,
        "everyday",
        everyday.Everyday(1).stories(EVERYDAY_CHARS["train"]),
        everyday.Everyday(2).stories(EVERYDAY_CHARS["held"], held_out=True),
    )
    write(
        folder,
        "relations",
        everyday.Relations(3).stories(RELATIONS_CHARS["train"]),
        everyday.Relations(4).stories(RELATIONS_CHARS["held"], held_out=True),
    )


if __name__ == "__main__":
    main()
