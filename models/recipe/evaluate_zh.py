# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The measures of chinese-poems: what it knows by heart, everyday sentences, and its heads.

Tokens are characters, so a place in a text is a place in its tokens. A continuation that the model
would write (always its first choice) equals the text exactly when the first choice is right at
every place of the text; so one run over whole texts measures continuations, too.
"""

import re

import numpy as np

import couplets_zh
import everyday_zh
import poems
from claims import check_examples
from shipped import best

SEED = 20
N_CASES = 200
MARKS = "，。？！；：、"
CONTINUED = 24  # characters
BEGINNINGS = (
    "床前明月光，",
    "春眠不觉晓，",
    "白日依山尽，",
    "红豆生南国，",
    "千山鸟飞绝，",
    "空山不见人，",
    "慈母手中线，",
    "月落乌啼霜满天，",
    "朝辞白帝彩云间，",
    "独在异乡为异客，",
    "昔人已乘黄鹤去，",
    "风急天高猿啸哀，",
    "《登鹳雀楼》",
    "小猫趴在垫子上，因为",
    "小明和小红去了商店，小明把水给了",
    "安娜和小华去了花园，小华把花给了",
    "明月来高楼，",
    "妈妈去市场买了苹果、",
    "今天是星期一，明天是",
    "桌子上有一本",
    "河里有三条",
    "这不是一只猫，而是一",
    "因为今天下雨了，",
    "老师说：“",
)


def right_places(shipped, texts):
    """For each text: is the first choice after character i the character i + 1? [length - 1]"""
    return [
        np.array([p["top"][0]["id"] == p["actual"]["id"] for p in positions[:-1]])
        for positions in shipped.predictions(texts)
    ]


def is_right(places, first, last):
    """Does the model write the characters first … last of a text by itself?"""
    return places[first - 1 : last].all()


def known_couplets(shipped, all_poems):
    """Given the first half of a couplet, is the next line exactly right, with its mark?"""
    n_ctx = shipped.info["n_ctx"]
    parts = [part for poem in all_poems for part in parts_of(poem, n_ctx)]
    within = []
    for couplets, right in zip(parts, right_places(shipped, ["".join(part) for part in parts])):
        end = 0
        for couplet in couplets:
            end += len(couplet)
            if half := first_half(couplet):
                within.append((couplet, is_right(right, end - len(couplet) + half, end - 1)))
    right = right_places(shipped, [couplet for couplet, _ in within])
    alone = [is_right(r, first_half(c), len(c) - 1) for r, (c, _) in zip(right, within)]
    print(
        f"next line of a couplet ({len(within):,}): {np.mean(alone):.1%} given the first half "
        f"alone, {np.mean([known for _, known in within]):.1%} given the poem so far"
    )


def first_half(couplet):
    """Length of the first of two clauses; 0 if there are not two."""
    clauses = poems.Poem("", "", couplet).clauses
    return len(clauses[0]) if len(clauses) == 2 else 0


def parts_of(poem, n_chars):
    """The couplets of a poem, cut where a text would become longer than the model reads."""
    parts = [[]]
    for couplet in poem.couplets:
        if sum(map(len, parts[-1])) + len(couplet) > n_chars:
            parts.append([])
        parts[-1].append(couplet)
    return parts


def known_poems(shipped, all_poems):
    """Whole short poems after their title, author and the first character."""
    short = [poem for poem in all_poems if len(poem.clauses) == 4]
    starts = [len(poem.whole) - len(poem.text) for poem in short]
    right = right_places(shipped, [poem.whole for poem in short])
    from_title = [is_right(r, s, len(r)) for r, s in zip(right, starts)]
    from_line = [
        is_right(r, s + len(poem.clauses[0]), len(r)) for r, s, poem in zip(right, starts, short)
    ]
    print(
        f"quatrains ({len(short)}) written whole: {np.mean(from_title):.1%} given title and "
        f"author, {np.mean(from_line):.1%} given the first line, too"
    )


def everyday_accuracy(shipped, folder):
    text = (folder / "everyday_zh.held.txt").read_text(encoding="utf-8")
    stories = [story[: shipped.info["n_ctx"]] for story in text.splitlines()[:300]]
    sentences = sorted({s for story in stories for s in split_sentences(story)})
    for name, texts in (("sentences", sentences), ("stories", stories)):
        right = np.concatenate(right_places(shipped, texts))
        print(f"everyday {name}, held out ({len(texts):,}): top-1 {right.mean():.1%}")


def split_sentences(story):
    """Ends with a full stop, "？" or "！", and the quotation mark after it."""
    return re.findall(r"[^。？！]+[。？！][”」]?", story)


def cases(kind, n=N_CASES):
    """n different held-out sentences of one kind."""
    return everyday_zh.EverydayChinese(SEED).held_out(kind, n)


def share(shipped, spots):
    """spots: [(text, first, last)]; the share that the model writes by itself."""
    right = right_places(shipped, [text for text, _, _ in spots])
    return (
        f"{np.mean([is_right(r, a, b) for r, (_, a, b) in zip(right, spots)]):.1%} ({len(spots)})"
    )


def other_name(shipped, alike=False):
    """安娜和小华去了花园，安娜把花给了 → 小华; if @alike, only where both names begin alike"""
    spots = []
    for text in cases("give"):
        ends_with_name = re.fullmatch(r"(.+?)和(.+?)(去了|来到|到了|在|一起).*了(\1|\2)。", text)
        if ends_with_name and (not alike or ends_with_name[1][0] == ends_with_name[2][0]):
            name = ends_with_name[4]
            spots.append((text, len(text) - 1 - len(name), len(text) - 2))
    return share(shipped, spots)


def closing(shipped):
    spots = []
    for kind in ("quote", "ask", "bracket", "title", "opposite"):
        for text in cases(kind):
            last = max(text.rfind(mark) for mark in "”」）》")
            if last > 0:
                spots.append((text, last, last))
    return share(shipped, spots)


def copied(shipped):
    """The last place where a run of at least three characters comes a second time."""
    spots = []
    for text in cases("copy"):
        again = re.search(r"([A-Z0-9]{2,}|[^，。：“”「」、]{3,}).*?(\1)", text)
        if again:
            spots.append((text, again.start(2) + 1, again.end(2) - 1))
    return share(shipped, spots)


def pronoun(shipped):
    """小猫…，因为它 / 小明…，因为他 / 小红…，因为她"""
    spots = []
    for text in cases("because_animal") + cases("because_person"):
        place = re.search(r"(?:因为|所以)([他她它])", text)
        if place:
            spots.append((text, place.start(1), place.start(1)))
    return share(shipped, spots)


def parallel(shipped, couplets):
    """青山来旧燕， → 绿水去新鱼"""
    return share(shipped, [(text, len(text) // 2, len(text) - 2) for text in couplets])


def measured(shipped):
    """After a number and a measure word: does the first choice begin a noun that takes it?"""
    takes = {}
    words = [(noun, m) for m, nouns in everyday_zh.MEASURES.items() for noun in nouns.split()]
    words += [(animal, row[0]) for animal, row in everyday_zh.ANIMALS.items()]
    for noun, m in words:
        takes.setdefault(m, set()).add(noun[0])
    starts = []
    for text in cases("measure"):
        for place in re.finditer(f"[一两三四五六]([{''.join(takes)}])", text):
            starts.append((text[: place.end()], place[1]))
    first = [p[-1]["top"][0]["text"] for p in shipped.predictions([s for s, _ in starts])]
    fits = np.mean([choice in takes[m] for choice, (_, m) in zip(first, starts)])
    return f"{fits:.1%} ({len(starts)})"


def mean_weight(matrices, keys_of):
    """Mean over texts and queries of the weight on keys_of (query, text), a list or None."""
    total, n = 0, 0
    for text, matrix in matrices:
        for query in range(1, len(text)):
            keys = keys_of(query, text)
            if keys:
                total, n = total + matrix[:, :, query, keys].sum(-1), n + 1
    return total / n


def line_length(text):
    """Of a regular poem: characters of a line and its mark; else None."""
    lengths = {len(line) for line in re.findall(f"[^{MARKS}]+[{MARKS}]", text)}
    return lengths.pop() if len(lengths) == 1 else None


def above(query, text, lines=1):
    key = query - lines * line_length(text)
    return [key] if key >= 0 and text[query] not in MARKS else None


def above_in_couplet(query, text):
    return above(query, text) if query // line_length(text) % 2 else None


def answered(query, text):
    """What the next character answers."""
    return above_in_couplet(query + 1, text) if query + 1 < len(text) else None


def line_start(query, text):
    start = query - query % line_length(text)
    return [start] if query - start > 1 else None


def last_mark(query, text):
    start = query - query % line_length(text)
    return [start - 1] if start > 0 and query - start > 0 else None


HEADS = {
    "the character before": lambda q, text: [q - 1],
    "two before": lambda q, text: [q - 2] if q > 1 else None,
    "three before": lambda q, text: [q - 3] if q > 2 else None,
    "the character itself": lambda q, text: [q],
    "the first character of the text": lambda q, text: [0] if q > 2 else None,
    "the first character of the line": line_start,
    "the mark before the line": last_mark,
    "all marks": lambda q, text: [k for k in range(q) if text[k] in MARKS] or None,
    "the same place in the line above": above,
    "… from a couplet's second line": above_in_couplet,
    "what the next character answers": answered,
    "the same place two lines above": lambda q, text: above(q, text, 2),
}
PARALLEL = ("… from a couplet's second line", "what the next character answers")


def head_scores(shipped, title, texts, names):
    matrices = [(text, shipped.patterns(text)) for text in texts]
    print(f"heads, on {len(texts)} {title}:")
    for name in names:
        print(f"  {name}: {best(mean_weight(matrices, HEADS[name]), 3)}")


def regular_poems(all_poems):
    regular = [p.text for p in all_poems if line_length(p.text) in (6, 8) and len(p.text) <= 64]
    return regular[:: max(1, len(regular) // 60)]


def induction(shipped, all_poems):
    """A line of a poem that comes again after everyday words: 床前明月光，…床前明月光，"""
    lines = [p.clauses[0][:-1] for p in all_poems if len(p.clauses[0]) > 5][:60]
    texts = [f"我说：{a}。你说：{b}。他也说：{a}。" for a, b in zip(lines, lines[1:])]
    scores = 0
    for text, line in zip(texts, lines):
        first, again = text.index(line), text.rindex(line)
        matrix = shipped.patterns(text)
        queries = range(len(line) - 1)
        scores = scores + np.mean([matrix[:, :, again + i, first + i + 1] for i in queries], 0)
    print("  what followed the same character before:", best(scores / len(texts), 3))


def show_beginnings(shipped):
    texts = list(BEGINNINGS)
    for _ in range(CONTINUED):
        first = shipped.predictions([text.split("\n")[0] for text in texts], everywhere=False)
        texts = [
            text if "\n" in text else text + p[-1]["top"][0]["text"]
            for text, p in zip(texts, first)
        ]
    for beginning, text in zip(BEGINNINGS, texts):
        print(f"{beginning} → {text.split(chr(10))[0][len(beginning):]}")


def report(shipped, folder):
    all_poems = poems.read()
    known_couplets(shipped, all_poems)
    known_poems(shipped, all_poems)
    everyday_accuracy(shipped, folder)
    couplets = couplets_zh.Couplets(SEED).held_out("couplet", N_CASES)
    print(f"the answering line of a written couplet, exactly: {parallel(shipped, couplets)}")
    for name, measure in (
        ("the other name", other_name),
        ("the other name, where both begin alike", lambda s: other_name(s, alike=True)),
        ("the right pronoun", pronoun),
        ("a noun that takes the measure word", measured),
        ("the closing mark", closing),
        ("what is said again", copied),
    ):
        print(f"{name}: {measure(shipped)}")
    head_scores(shipped, "regular poems", regular_poems(all_poems), HEADS)
    induction(shipped, all_poems)
    head_scores(shipped, "written couplets", couplets[:60], PARALLEL)
    show_beginnings(shipped)
    check_examples(shipped)
