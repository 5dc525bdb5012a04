# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes parallel couplets: 青山来旧燕，绿水去新鱼。

In a parallel couplet (对仗) each character of the second line answers the one at its place in the
first: heaven earth, mountain water, come go. A poem that is known by heart needs no head for that; a
couplet that nobody has seen does. The answers are those that every child learns, one for each
character and the same in both directions; the lines have five or seven characters.
"""

from stories import Stories

ANSWERS = {
    "noun": "天地 山水 日月 风雨 花鸟 江海 云霞 草木 松竹 霜雪 石泉 楼台 门窗 舟车 琴书 酒茶 燕鱼 村城 路桥 柳桃 沙浪 星露",
    "quality": "青绿 红白 高低 长短 新旧 大小 远近 深浅 明暗 冷暖 古今 浓淡",
    "place": "东西 南北 上下 前后 左右 里外",
    "number": "千万 三五 两双 一半 百十",
    "time": "春秋 朝暮 昼夜 晨昏 夏冬",
    "deed": "来去 看听 起落 飞游 行坐 出入 开闭 留归 照映",
}
FORMS = (
    "quality noun deed quality noun",
    "place noun number noun deed",
    "number noun place noun deed",
    "time noun deed number noun",
    "noun deed quality noun quality",
    "quality noun place noun deed quality noun",
    "place noun number noun deed quality noun",
    "time noun deed noun quality noun deed",
    "number noun noun deed time noun quality",
)
ANSWER = {
    character: answer
    for pairs in ANSWERS.values()
    for pair in pairs.split()
    for character, answer in (pair, pair[::-1])
}


def answered(line):
    """The line that answers: character by character."""
    return "".join(ANSWER[character] for character in line)


class Couplets(Stories):
    between = ""

    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = [(self.couplet, 1)]

    def new_cast(self):
        """Couplets have none."""

    def couplet(self):
        line = ""
        for kind in self.pick(FORMS).split():
            left = [c for c in ANSWERS[kind].replace(" ", "") if not {c, ANSWER[c]} & set(line)]
            line += self.pick(left)
        return f"{line}，{answered(line)}。"


if __name__ == "__main__":
    print("\n".join(Couplets(1).stories(300)))
