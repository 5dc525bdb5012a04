#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes atn-grapheme-table.c: the classes that decide where a grapheme cluster ends.

Which characters join what is before them, or what follows, is asked from Hugging Face's tokenizers library,
whose Precompiled normalizer replaces whole clusters; what kind they are comes from the regex package, which
may be younger.

    pip install regex && python3 make-grapheme-table.py > atn-grapheme-table.c     (seconds)
"""

import base64
import pathlib
import sys

import regex
import tokenizers
from tokenizers import normalizers

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "../../../tests/fixtures"))

import charsmap  # noqa: E402

POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]

# In the order in which a character's class is chosen.
CLASSES = {
    "LINKER": r"\p{InCB=Linker}",
    "ZWJ": r"\p{GCB=ZWJ}",
    "EXTEND": r"[\p{GCB=Extend}&&\p{InCB=Extend}]",
    "EXTEND_PLAIN": r"\p{GCB=Extend}",
    "SPACING_MARK": r"\p{GCB=SpacingMark}",
    "PREPEND": r"\p{GCB=Prepend}",
    "CR": r"\p{GCB=CR}",
    "LF": r"\p{GCB=LF}",
    "CONTROL": r"\p{GCB=Control}",
    "L": r"\p{GCB=L}",
    "V": r"\p{GCB=V}",
    "T": r"\p{GCB=T}",
    "CONSONANT": r"\p{InCB=Consonant}",
    "PICTOGRAPHIC": r"\p{Extended_Pictographic}",
}
JOINING = ["LINKER", "ZWJ", "EXTEND", "EXTEND_PLAIN", "SPACING_MARK"]


def normalizer(mapping):
    return normalizers.Precompiled(base64.b64decode(charsmap.build(mapping)))


def classes():
    """Returns {code point: name of its class}; what the library's Unicode does not know is nothing."""
    lone_a = normalizer({"a": "1"})
    text = "".join(map(chr, POINTS))
    result = {}
    for name, pattern in CLASSES.items():
        for character in regex.findall(pattern, text, regex.V1):
            result.setdefault(ord(character), name)
    for c, name in list(result.items()):
        if name in JOINING and lone_a.normalize_str("a" + chr(c)) != "1":
            del result[c]
        elif name == "PREPEND" and normalizer({chr(c) + "a": "1"}).normalize_str(chr(c) + "a") != "1":
            del result[c]
    return result


def main():
    table = classes()
    runs = [(0, table.get(0, "OTHER"))]
    for c in POINTS:
        if table.get(c, "OTHER") != runs[-1][1]:
            runs.append((c, table.get(c, "OTHER")))
    items = [f"{{ 0x{c:X}, ATN_GRAPHEME_{name} }}," for c, name in runs]
    print(f"""/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Made by make-grapheme-table.py from tokenizers {tokenizers.__version__} and regex {regex.__version__}; not to be edited.
 */

#include "tokenizer/atn-grapheme.h"

/* clang-format off */
static const AtnGraphemeRun runs[] = {{""")
    for i in range(0, len(items), 2):
        print("  " + " ".join(items[i : i + 2]))
    print("""};
/* clang-format on */

const AtnGraphemeRun *
atn_grapheme_get_runs (size_t *n_runs)
{
  *n_runs = G_N_ELEMENTS (runs);
  return runs;
}""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
