# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Reads the poems of the Debian package fortunes-zh: 300 Tang poems and 100 Song poems.

The files are for a terminal: entries end with "%", title and author are coloured. Only title,
author and verses are taken (in simplified characters, as most people type them); what stands
before a blank line in a poem is a preface in prose. The verses of a poem become one line of text:

  《静夜思》李白：床前明月光，疑是地上霜。举头望明月，低头思故乡。
"""

import dataclasses
import pathlib
import re

FOLDER = pathlib.Path("/usr/share/games/fortunes")
FILES = ("tang300", "song100")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NUMBERED = re.compile(r"其[一二三四五六七八九十]")
# Slips of the files, against the texts as they are taught.
CORRECTIONS = {
    "《夜思》": "《静夜思》",
    "秋娘炉": "秋娘妒",
    "姑笛": "村笛",
    "清衫湿": "青衫湿",
}
PUNCTUATION = str.maketrans({",": "，", ".": "。", "・": "·", "；": "；", "〔": "", "〕": ""})


@dataclasses.dataclass(frozen=True)
class Poem:
    title: str
    author: str
    text: str  # all verses

    @property
    def clauses(self):
        """Up to each mark: "床前明月光，", "疑是地上霜。", …"""
        return re.findall(r"[^，。？！；：、]+[，。？！；：、]+[”]?", self.text)

    @property
    def couplets(self):
        """Sentences: clauses up to one that ends with a full stop, "？", "！" or "；"."""
        return re.findall(r"[^。？！；]+[。？！；]+[”]?", self.text)

    @property
    def whole(self):
        return f"《{self.title}》{self.author}：{self.text}"


def read_entry(entry):
    """The poems of one entry: more than one where it has numbered parts."""
    lines = [line.strip() for line in entry.strip().split("\n")]
    title = re.search(r"《(.*)》", lines[0])[1].removesuffix("·并序")
    author = re.sub(r"（.*", "", re.split("[:：]", lines[1])[1]).strip()
    parts = [part.split("\n") for part in re.split(r"\n{2,}", "\n".join(lines[2:]).strip())]
    if not any(NUMBERED.fullmatch(part[0]) for part in parts):
        return [Poem(title, author, "".join(parts[-1]))]
    numbers, verses = parts[::2], parts[1::2]
    return [
        Poem(f"{title}·{number[0]}", author, "".join(verse))
        for number, verse in zip(numbers, verses, strict=True)
    ]


def read():
    poems = []
    for name in FILES:
        text = COLOUR.sub("", (FOLDER / name).read_text(encoding="utf-8")).translate(PUNCTUATION)
        for slip, right in CORRECTIONS.items():
            text = text.replace(slip, right)
        for entry in re.split(r"^%\s*$", text, flags=re.M):
            if entry.strip():
                poems += read_entry(entry)
    return poems


if __name__ == "__main__":
    for poem in read():
        print(poem.whole)
