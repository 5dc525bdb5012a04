#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Cases that end in a file or a sentence, from the command to what a reader finds there."""

import re
import statistics
import time

from harness import CASES, bad_input, close, good, locale_env, read_pixels, read_png, run_all

CASE_2 = (CASES / "002-query-key-axes-swapped", "the cat sat")
N = 5


class Drawing:
    """The filled rectangles of an SVG file, in the order in which they are painted."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.width = float(re.search(r'<svg [^>]*width="([0-9.]+)pt"', self.text)[1])
        number = r"([-0-9.]+)"
        # Glyphs have no colour of their own, the colour bar is a gradient.
        shape = (rf"fill:rgb\({number}%,{number}%,{number}%\);fill-opacity:1;\" "
                 rf"d=\"M {number} {number} L {number} {number} L {number} {number} L {number} "
                 rf"{number} Z")
        self.rectangles = []
        for values in re.findall(shape, self.text):
            red, green, blue, left, top, right, _, _, bottom, _, _ = map(float, values)
            color = tuple(round(part * 2.55) for part in (red, green, blue))
            self.rectangles.append((left, top, right, bottom, color))
        # Not the page; what lies behind forbidden cells is as large as all cells together.
        lefts, tops, rights, bottoms, _ = zip(*self.rectangles[1:])
        self.box = (min(lefts), min(tops), max(rights), max(bottoms))
        self.rectangles = [r for r in self.rectangles[1:] if r[:4] != self.box]

    def cell_box(self, row, col):
        """The place of one of N × N cells."""
        left, top, right, bottom = self.box
        width, height = (right - left) / N, (bottom - top) / N
        return left + col * width, top + row * height, width, height

    def cell_color(self, row, col):
        """(None if forbidden) the colour that is painted last on a cell's centre."""
        left, top, width, height = self.cell_box(row, col)
        x, y = left + width / 2, top + height / 2
        over = [r for r in self.rectangles if r[0] <= x < r[2] and r[1] <= y < r[3]]
        return over[-1][4] if over else None

    def colors(self):
        """Those of all cells, row by row."""
        return [[self.cell_color(row, col) for col in range(N)] for row in range(N)]


def draw(folder, *options):
    """One head as SVG and as PNG of three times the size: the drawing, and pixels with their scale."""
    good("render", *CASE_2, *options, "-o", folder / "a.svg")
    good("render", *CASE_2, *options, "--zoom", "3", "-o", folder / "a.png")
    drawing = Drawing(folder / "a.svg")
    pixels = read_pixels((folder / "a.png").read_bytes())
    return drawing, pixels, len(pixels[0]) / drawing.width


def brightness(color):
    """Rises with the value in the colour maps for weights."""
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]


def test_a_brighter_cell_is_a_larger_weight_of_its_row_and_column(folder):
    """Case 2: row is query, from top to bottom, in SVG and PNG."""
    drawing, pixels, scale = draw(folder)
    rows = good("matrix", *CASE_2).rows
    cells = [(rows[i][j], drawing.cell_color(i, j)) for i in range(N) for j in range(i + 1)]
    ordered = [brightness(color) for _, color in sorted(cells)]
    assert ordered == sorted(ordered), ordered
    for row in range(N):
        for col in range(row + 1, N):
            assert drawing.cell_color(row, col) is None and rows[row][col] == 0
    left, top, width, height = drawing.cell_box(4, 0)
    assert pixels[int((top + height * 0.1) * scale)][int((left + width * 0.1) * scale)] == \
        drawing.cell_color(4, 0)


def test_all_cells_have_one_size_and_one_colour_to_their_edges(folder):
    """Case 94: also the first and the last."""
    drawing, pixels, scale = draw(folder)
    left, top, width, height = drawing.cell_box(4, 0)
    # Along the last row, where no cell is forbidden, above the numbers.
    line = pixels[int((top + height * 0.1) * scale)]
    line = line[round(left * scale):round((left + N * width) * scale)]
    edges = [0] + [x for x in range(1, len(line)) if line[x] != line[x - 1]] + [len(line)]
    sizes = [b - a for a, b in zip(edges, edges[1:])]
    # The frame around the cells may take the outermost pixels.
    sizes = [size for size in sizes if size > 4]
    assert len(sizes) == N and max(sizes) - min(sizes) <= 4, sizes
    for row, col, x, y in ((0, 0, 0.06, 0.06), (4, 4, 0.94, 0.94)):
        cell_left, cell_top, _, _ = drawing.cell_box(row, col)
        assert pixels[int((cell_top + y * height) * scale)][int((cell_left + x * width) * scale)] == \
            drawing.cell_color(row, col)


def test_a_picture_has_as_many_cell_colours_as_values(folder):
    """Case 95: none is mixed from two."""
    drawing, pixels, scale = draw(folder, "--causal", "off")
    left, top, width, height = drawing.cell_box(0, 0)
    expected = {color for row in drawing.colors() for color in row}
    found = set()
    for row in range(N):
        line = pixels[int((top + (row + 0.1) * height) * scale)]
        found |= set(line[round(left * scale) + 4:round((left + N * width) * scale) - 4])
    assert found == expected, (len(found), len(expected))


def test_cells_of_an_svg_are_rectangles(folder):
    """Case 106: so no viewer can blur them."""
    drawing, _, _ = draw(folder, "--causal", "off")
    assert all(color is not None for row in drawing.colors() for color in row)
    assert "<image" not in drawing.text
    # Some values may share a colour, and with it a rectangle.
    assert len(drawing.rectangles) > N * N / 2


def test_svg_and_png_show_and_name_what_was_chosen(folder):
    """Case 107: head, stage, mask, scale and colour map, before and after a switch."""
    chosen = ["--layer", "1", "--head", "1", "--stage", "masked", "--colormap", "cividis",
              "--scale-by", "none"]
    for mask in ("off", "on"):
        drawing, pixels, scale = draw(folder, *chosen, "--causal", mask)
        _, _, texts = read_png((folder / "a.png").read_bytes())
        named = " ".join(f"{key}: {text}" for key, text in texts.items())
        entries = dict(re.findall(r'<entry key="(\w+)">([^<]*)<', drawing.text))
        assert (entries["layer"], entries["head"], entries["stage"]) == ("1", "1", "masked"), entries
        for key, value in entries.items():
            assert value in named, (key, value, named)
        assert "scale" in entries["settings"]
        assert ("causal" in entries["settings"]) == (mask == "off"), entries["settings"]
        for row in range(N):
            for col in range(N):
                color = drawing.cell_color(row, col)
                assert (color is None) == (mask == "on" and col > row), (row, col, color)
                left, top, width, height = drawing.cell_box(row, col)
                pixel = pixels[int((top + 0.1 * height) * scale)][int((left + 0.1 * width) * scale)]
                assert color is None or pixel == color, (row, col, pixel, color)


def test_characters_without_a_glyph_are_drawn_as_boxes(folder):
    """Case 98: 北, 각 and 👍 in both formats, whatever fonts there are."""
    model = CASES / "070-accents-and-kana-marks-are"
    for name in ("a.svg", "a.png", "a.pdf"):
        good("render", model, "北 각 👍", "-o", folder / name)
    entries = dict(re.findall(r'<entry key="(\w+)">([^<]*)<',
                              (folder / "a.svg").read_text(encoding="utf-8")))
    assert entries["text"] == "北 각 👍" and "北" in entries["tokens"], entries


def test_decimal_comma_locale_keeps_every_setting_s_numbers(folder):
    """Case 49: without the scale, and with the mask."""
    model = CASES / "049-decimal-comma-locale/model.json"
    env = locale_env(folder, "de_DE")
    close(good("matrix", model, "a b c", "--scale-by", "none", env=env).rows[0],
          [0.336272, 0.489273, 0.174456], 1e-6)
    close(good("matrix", model, "a b c", "--head", "1", "--causal", "on", env=env).rows[1],
          [0.274428, 0.725572, 0], 1e-6)
    good("render", model, "a b c", "-o", folder / "a.svg", env=env)
    shapes = re.findall(r' d="([^"]*)"', (folder / "a.svg").read_text(encoding="utf-8"))
    assert shapes and not any("," in shape for shape in shapes)


def test_sizes_that_are_no_sizes_are_refused_by_key_and_value(_):
    """Case 53: never truncated, never saturated."""
    folder = CASES / "053-numbers-too-big-for-float-double"
    for name, value in (("config_3e9", "3000000000"), ("config_neg", "-4"), ("config_frac", "4.5"),
                        ("config_str", '"4"')):
        err = bad_input("info", folder / f"model-{name}.json").err
        assert f"“hidden_size” is {value}, expected" in err, err
    for name, value in (("w1e39", "1e39"), ("w1e400", "1e400")):
        err = bad_input("info", folder / f"model-{name}.json").err
        assert "“embed.W_E”, row 1, column 0" in err and value in err, err


def test_arrays_of_a_wrong_shape_are_refused_by_name_and_size(_):
    """Case 59."""
    folder = CASES / "059-ragged-or-wrongly-shaped-arrays"
    for name, pieces in (("ragged", ("W_Q", "[1, 2]", "array of 1", "2")),
                         ("tall", ("W_Q", "[2, 5, 2]", "[2, 4, 2]")),
                         ("flat", ("W_Q", "[16]", "[2, 4, 2]")),
                         ("heads3", ("W_Q", "[2, 4, 2]", "[3, 4, 2]")),
                         ("vocab_short", ("embed.W_E", "[4, 4]", "[3, 4]")),
                         ("empty_rows", ("W_K", "[2, 4, 0]", "[2, 4, 2]"))):
        err = bad_input("info", folder / f"model-{name}.json").err
        for piece in pieces:
            assert piece in err, (name, piece, err)


def test_lone_surrogates_are_refused_with_their_line(_):
    """Case 55: the good pair is one token."""
    folder = CASES / "055-lone-surrogate-escapes-in-a"
    tokens = good("tokens", folder / "model-pair.json", "👍", "--json").json
    assert [(t["id"], t["text"]) for t in tokens] == [(1, "👍")], tokens
    for name in ("lone_high", "lone_low", "swapped", "high_then_ascii"):
        err = bad_input("info", folder / f"model-{name}.json").err
        assert "line " in err and "half of a character" in err, err


def test_many_threads_cost_a_short_sentence_no_time(_):
    """Case 115: 64 threads take at most twice the time of one, and give the same."""
    def run(n_threads):
        start = time.monotonic()
        out = good("matrix", *CASE_2, env={"OPENBLAS_NUM_THREADS": str(n_threads)}).out
        return time.monotonic() - start, out

    one, many = [run(1) for _ in range(7)], [run(64) for _ in range(7)]
    assert {out for _, out in one + many} == {one[0][1]}
    # The fastest of each; a tenth of a second for a machine that does other work.
    fast_one, fast_many = min(t for t, _ in one), min(t for t, _ in many)
    assert fast_many <= 2 * fast_one + 0.1, (fast_one, fast_many, statistics.median(
        t for t, _ in many))


run_all(globals())
