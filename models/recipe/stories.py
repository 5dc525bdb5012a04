# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What the generators of everyday sentences share: how sentences become stories, and which of them
are held out.

A sentence belongs to the held-out set if its checksum says so, whatever the seed; the training text
contains none of these, the held-out text contains nothing else.
"""

import random
import zlib

TRIES = 200_000


def is_held_out(sentence):
    """One sentence of 25, by checksum: never in the training text."""
    return zlib.crc32(sentence.encode()) % 25 == 0


class Stories:
    """A few sentences with one small cast, so that names and things come back.

    A language adds `kinds`, functions that write a sentence with their weights; new_cast(), which
    begins a story; and what stands between two sentences.
    """

    between = " "

    def __init__(self, seed):
        self.rand = random.Random(seed)

    def pick(self, choices):
        return self.rand.choice(choices.split("|") if isinstance(choices, str) else choices)

    def chance(self, p):
        return self.rand.random() < p

    def sentence(self, held_out):
        functions, weights = zip(*self.kinds)
        while True:
            sentence = self.rand.choices(functions, weights)[0]()
            if is_held_out(sentence) == held_out:
                return sentence

    def story(self, held_out):
        self.new_cast()
        return self.between.join(self.sentence(held_out) for _ in range(self.rand.randrange(1, 8)))

    def stories(self, n_chars, held_out=False):
        """Stories, one a line, until n_chars are written."""
        lines, size = [], 0
        while size < n_chars:
            lines.append(self.story(held_out))
            size += len(lines[-1]) + 1
        return lines

    def held_out(self, kind, n):
        """n different held-out sentences of one kind; fewer where a kind has not so many."""
        found = {}
        for _ in range(TRIES):
            self.new_cast()
            sentence = getattr(self, kind)()
            if is_held_out(sentence):
                found[sentence] = True
            if len(found) == n:
                break
        return list(found)
