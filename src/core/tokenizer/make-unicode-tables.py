#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes atn-unicode-tables.c: what each code point is to Hugging Face's tokenizers library.

The library knows characters from several crates, each with its own Unicode version (general categories
of 2016, normal forms older than Unicode 11, letters and lower case of Unicode 16). No other library has that
mixture, so the script asks the library itself about every code point. It must run under a Python whose own
Unicode is that of the oldest PCRE2 that we build with, 14: what is younger gets a stand-in.

    python3.11 make-unicode-tables.py > atn-unicode-tables.c     (four minutes)
"""

import sys
import unicodedata

import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
DASIA = "\u0345"  # the one combining mark of class 240, which all others sort before

FLAGS = ["LETTER", "NUMBER", "NUMERIC", "SPACE", "WORD", "PUNCTUATION", "CONTROL", "NONSPACING", "COMBINING", "NORMALIZED"]


def removed_by(pre_tokenizer):
    return {c for c in POINTS if not pre_tokenizer.pre_tokenize_str(chr(c))}


def cut_from_letter(pre_tokenizer):
    return {c for c in POINTS if len(pre_tokenizer.pre_tokenize_str("a" + chr(c))) == 2}


def matches(pattern):
    return removed_by(pre_tokenizers.Split(Regex(pattern), "removed"))


def emptied_by(normalizer):
    return {c for c in POINTS if normalizer.normalize_str(chr(c)) == ""}


def normalized():
    """Characters that a normal form changes, or that it sorts."""
    nfd, nfkd = normalizers.NFD(), normalizers.NFKD()
    result = {ord(DASIA)}
    for c in POINTS:
        alone = nfkd.normalize_str(chr(c))
        sorted_before = nfd.normalize_str("a" + DASIA + chr(c)) != "a" + DASIA + nfd.normalize_str(chr(c))
        if alone != chr(c) or sorted_before:
            result.add(c)
    return result


def is_word(c):
    pieces = pre_tokenizers.Whitespace().pre_tokenize_str("a" + chr(c))
    return len(pieces) == 1 and len(pieces[0][0]) == 2


def properties():
    bert = {"handle_chinese_chars": False, "lowercase": False}
    return {
        "LETTER": matches(r"\p{L}"),
        "NUMBER": matches(r"\p{N}"),
        "NUMERIC": cut_from_letter(pre_tokenizers.Digits(True)),
        "SPACE": removed_by(pre_tokenizers.WhitespaceSplit()),
        "WORD": {c for c in POINTS if is_word(c)},
        "PUNCTUATION": cut_from_letter(pre_tokenizers.Punctuation()),
        "CONTROL": emptied_by(normalizers.BertNormalizer(clean_text=True, strip_accents=False, **bert)),
        "NONSPACING": emptied_by(normalizers.BertNormalizer(clean_text=False, strip_accents=True, **bert)),
        "COMBINING": emptied_by(normalizers.StripAccents()),
        "NORMALIZED": normalized(),
    }


def change_points(table):
    """Returns [(first code point, flags)] of the runs of equal flags."""
    flags = [0] * 0x110000
    for bit, name in enumerate(FLAGS):
        for c in table[name]:
            flags[c] |= 1 << bit
    return [(c, flags[c]) for c in range(0x110000) if c == 0 or flags[c] != flags[c - 1]]


def ascii_flags(points):
    result, i = [], 0
    for c in range(128):
        while i + 1 < len(points) and points[i + 1][0] <= c:
            i += 1
        result.append(points[i][1])
    return result


def lower_runs():
    """Returns [first, last, step, delta] of characters whose lower case is one other character."""
    lower = normalizers.Lowercase()
    runs = []
    for c in POINTS:
        small = lower.normalize_str(chr(c))
        if small == chr(c) or c == 0x130:
            continue
        assert len(small) == 1, hex(c)
        delta = ord(small) - c
        last = runs[-1] if runs else None
        if last and last[3] == delta and c - last[1] in (1, 2) and last[2] in (0, c - last[1]):
            last[1], last[2] = c, c - last[1]
        else:
            runs.append([c, c, 0, delta])
    assert lower.normalize_str("\u0130") == "i\u0307"
    return [[first, last, step or 1, delta] for first, last, step, delta in runs]


CATEGORIES = "Cc Cf Cn Co Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split()
SCRIPTS = "Han Hiragana Katakana Hangul Latin Thai".split()


def matches_at_once(pattern):
    text = "".join(map(chr, POINTS))
    split = pre_tokenizers.Split(Regex(f"(?:{pattern})+"), "removed")
    left = {c for piece, _ in split.pre_tokenize_str(text) for c in piece}
    return {c for c in POINTS if chr(c) not in left}


def stand_ins():
    """Returns {code point: what a regular expression of an older or younger library shall see instead}.

    What the reference does not know becomes a noncharacter, which stays unassigned for ever. What it knows
    and Unicode 14 did not becomes a character of the same category, script (of those that patterns may
    name) and length in UTF-8.
    """
    assert unicodedata.unidata_version == "14.0.0", unicodedata.unidata_version
    kinds = {c: [] for c in POINTS}
    for name in CATEGORIES + SCRIPTS:
        for c in matches_at_once(f"\\p{{{name}}}"):
            kinds[c].append(name)
    length = {c: len(chr(c).encode()) for c in POINTS}
    old, result = {}, {}
    for c in POINTS:
        if unicodedata.category(chr(c)) == kinds[c][0] and kinds[c][0] != "Cn":
            old.setdefault((length[c], *kinds[c]), c)
    for c in POINTS:
        if kinds[c][0] == "Cn":
            if length[c] > 2 and not (0xFDD0 <= c < 0xFDF0 or c & 0xFFFE == 0xFFFE):
                result[c] = 0xFDD0 if length[c] == 3 else 0x1FFFE
        elif unicodedata.category(chr(c)) != kinds[c][0]:
            result[c] = old[(length[c], *kinds[c])]
    return result


def stand_in_runs():
    table = stand_ins()
    runs = [(0, 0)]
    for c in range(0x110000):
        if table.get(c, 0) != runs[-1][1]:
            runs.append((c, table.get(c, 0)))
    return runs


def in_lines(items):
    line, lines = " ", []
    for item in items:
        if len(line) + len(item) + 2 > 98:
            lines.append(line)
            line = " "
        line += " " + item + ","
    return "\n".join(lines + [line])


def main():
    points = change_points(properties())
    lowers = lower_runs()
    stand_in_table = stand_in_runs()
    print(f"""/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Made by make-unicode-tables.py from tokenizers {tokenizers.__version__}; not to be edited.
 */

#include "tokenizer/atn-unicode.h"

/* clang-format off */
static const AtnUnicodeRun runs[] = {{
{in_lines(f"{{ 0x{c:X}, 0x{flags:X} }}" for c, flags in points)}
}};

static const uint16_t ascii_flags[128] = {{
{in_lines(f"0x{flags:X}" for flags in ascii_flags(points))}
}};

static const AtnUnicodeLower lowers[] = {{
{in_lines(f"{{ 0x{a:X}, 0x{b:X}, {step}, {delta} }}" for a, b, step, delta in lowers)}
}};
static const AtnUnicodeStandIn stand_ins[] = {{
{in_lines(f"{{ 0x{c:X}, 0x{other:X} }}" for c, other in stand_in_table)}
}};
/* clang-format on */

const AtnUnicodeTables *
atn_unicode_get_tables (void)
{{
  static const AtnUnicodeTables tables = {{
    runs,      G_N_ELEMENTS (runs),      ascii_flags, lowers, G_N_ELEMENTS (lowers),
    stand_ins, G_N_ELEMENTS (stand_ins),
  }};

  return &tables;
}}""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
