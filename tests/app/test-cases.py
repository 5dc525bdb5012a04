#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Inputs of tests/cases that only a window can get wrong; the number of each is in its sentence.

    xvfb-run dbus-run-session -- /usr/bin/python3 test-cases.py PROGRAM COMMAND-LINE"""

import json
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from window import (ROOT, Window, act, get_box, get_text, is_shown, press_key, run_all, wait_for,
                    walk)

CASES = ROOT / "tests/cases"
CASE_2 = CASES / "002-query-key-axes-swapped"
LETTERS = CASES / "049-decimal-comma-locale/model.json"
# Of a pointer across the heatmap, in each direction.
STEPS = 20
MARKUP = "<s>$x$ & <b>x</b>&amp;R&D</s>"


def matrix(model, text, *options):
    """What the command line gives."""
    output = subprocess.run([sys.argv[2], "matrix", model, "--format", "json", *options, "--", text],
                            check=True, capture_output=True)
    return json.loads(output.stdout)["matrix"]


def opened(model, text, n_tokens, **options):
    """A window with a model that has read a text."""
    window = Window(model, **options)
    window.wait_to_show("tokens ·")
    window.type("Sentence", text)
    window.wait_to_show(f"{n_tokens} token")
    return window


def with_window(model, text, n_tokens, **options):
    """A test that gets such a window, which is closed and looked at in the end."""
    def decorate(test):
        def run():
            with opened(model, text, n_tokens, **options) as window:
                test(window)
        return run
    return decorate


def read_memory(window):
    """Of the program, in MiB."""
    status = Path(f"/proc/{window.process.pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


@with_window(CASE_2, "the cat sat", 5)
def test_case_2_the_cell_names_query_and_key(window):
    window.go_to_cell(4, 0)
    window.wait_for_cell("at", "the", "0.0043")
    window.go_to_cell(0, 4)
    window.wait_for_cell("the", "at", "forbidden")


def test_case_82_a_token_without_a_row_is_named_and_the_picture_stays():
    with Window(CASES / "082-token-id-beyond-the-embedding") as window:
        # A toast, which goes after some seconds: nothing else is waited for before it.
        window.wait_to_show("the model has only 275 embedding rows")
        window.type("Sentence", "the cat")
        window.wait_to_show("3 tokens ·")
        window.type("Sentence", "the<|endoftext|>")
        window.wait_to_show("“<|endoftext|>”")
        window.type("Sentence", "the")
        window.wait_to_show("1 token ·")


@with_window(CASES / "085-empty-and-blank-sentences/gpt2", "a", 1)
def test_case_85_no_token_is_no_figure_to_export(window):
    window.type("Sentence", "")
    window.wait_to_show("0 tokens")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "none.png"
        window.activate("export-to", f"'{target}'")
        window.type("Sentence", " ")
        window.wait_to_show("1 token ·")
        assert not target.exists()


@with_window(CASES / "086-pasted-windows-line-ends-and-tabs", "a\r\nb", 4)
def test_case_86_line_ends_and_tabs_are_tokens(window):
    window.type("Sentence", "a\nb\tc")
    window.wait_to_show("5 tokens")
    assert get_text(window.find("Sentence", "text")) == "a\nb\tc"


@with_window(CASES / "097-markup-characters-in-tokens", MARKUP, 11)
def test_case_97_markup_is_shown_as_it_is(window):
    window.flip("Causal mask")
    pattern = matrix(CASES / "097-markup-characters-in-tokens", MARKUP, "--causal", "off")
    window.go_to_cell(7, 9)
    window.wait_for_cell("<b>x</b>", "R&D", f"{pattern[7][9]:.4f}")
    window.go_to_cell(8, 0)
    window.wait_for_cell("&amp;", "<s>", f"{pattern[8][0]:.4f}")
    window.wait_to_show("\u2068&amp;\u2069")


@with_window(CASES / "101-right-to-left-and-combining-labels", "سلامة cat\u0301", 6)
def test_case_101_right_to_left_names_keep_query_before_key(window):
    window.go_to_cell(1, 3)
    window.wait_to_show("“\u2068سلام\u2069” gives 22\u00a0% of its attention to “\u2068cat\u2069”")
    window.go_to_cell(4, 1)
    window.wait_to_show("of its attention to “\u2068سلام\u2069”")
    window.wait_to_show("“\u2068##◌\u0301\u2069” gives")


def check_zoom(renderer):
    """The far corner of 400 tokens, as large as it gets."""
    window = opened(LETTERS, "a b c " * 133 + "a", 400, environment={"GSK_RENDERER": renderer})
    window.focus_first_cell()
    memory = read_memory(window)
    for _ in range(30):
        press_key("plus")
    window.wait_to_show("3,200 %" if window.shows("3,200 %") else "3200 %")
    press_key("End", control=True)
    window.wait_to_show("query 399, key 399")
    value = matrix(LETTERS, "a b c " * 133 + "a")[399][399]
    window.wait_for_cell("a", "a", f"{value:.4f}")
    assert read_memory(window) < memory + 200, (memory, read_memory(window))
    window.close()


def test_case_109_the_far_corner_of_a_large_matrix_can_be_seen_enlarged():
    check_zoom("cairo")


def test_case_109_so_it_can_where_the_renderer_has_textures():
    check_zoom("gl")


def read_png_size(path):
    """(None if it is no whole PNG) its width and height."""
    data = path.read_bytes() if path.exists() else b""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or b"IEND" not in data[-12:]:
        return None
    return struct.unpack(">II", data[16:24])


def test_case_110_a_dense_screen_moves_no_cell_and_no_export():
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        for scale in (1, 2):
            window = opened(CASE_2, "the cat sat", 5, environment={"GDK_SCALE": str(scale)})
            target = Path(folder) / f"{scale}.png"
            window.activate("export-to", f"'{target}'")
            sizes.append(wait_for("PNG", lambda: read_png_size(target)))
            hover_all_corners(window, scale)
            window.close()
    assert sizes[0] == sizes[1], sizes


def hover_all_corners(window, scale):
    """A pointer that goes over the heatmap in small steps finds each corner cell."""
    box = get_box(window.find("Heatmap"))
    window.hover(int((box.x + box.width / 2) * scale), int((box.y + box.height / 2) * scale))
    label = wait_for("a cell", lambda: next(
        (node for node in walk(window.root) if (get_text(node) or "").startswith("query ")), None))
    seen = set()
    for step in range(STEPS * STEPS):
        row, col = divmod(step, STEPS)
        window.hover(int((box.x + (col + 0.5) * box.width / STEPS) * scale),
                     int((box.y + (row + 0.5) * box.height / STEPS) * scale))
        time.sleep(0.02)
        seen.add(get_text(label))
    for corner in ("query 0, key 0", "query 0, key 4", "query 4, key 0", "query 4, key 4"):
        assert corner in seen, (corner, seen)


def write_slow_model(path):
    """A model whose plain numbers take a second or two to read."""
    n_words, width = 60000, 64
    row = json.dumps([0.123456] * width)
    square = json.dumps([[[float(i == j) for j in range(width)] for i in range(width)]])
    config = {"model_type": "transformer", "vocab_size": n_words, "hidden_size": width,
              "num_hidden_layers": 8, "num_attention_heads": 1, "num_key_value_heads": 1,
              "head_dim": width, "v_head_dim": width, "intermediate_size": 0, "norm": "none",
              "final_norm": False, "positions": "none", "causal": True, "attention_scale": "sqrt",
              "unembed": "own"}
    tokenizer = {"pre_tokenizer": {"type": "WhitespaceSplit"},
                 "model": {"type": "WordLevel", "unk_token": "w0",
                           "vocab": {f"w{i}": i for i in range(n_words)}}}
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'{{"format": "attnscope-model", "version": 1, "config": {json.dumps(config)},'
                   f'"tokenizer": {json.dumps(tokenizer)}, "tensors": {{"embed.W_E": [')
        file.write(",".join([row] * n_words) + "]")
        for name in range(4):
            file.write(f', "unused.{name}": [' + ",".join([row] * n_words) + "]")
        for layer in range(8):
            for kind in "QKVO":
                file.write(f', "blocks.{layer}.attn.W_{kind}": {square}')
        file.write(f', "unembed.W_U": [{",".join([json.dumps([0.5] * n_words)] * width)}]}}}}')


@with_window(CASE_2, "the cat sat", 5)
def test_case_112_a_long_load_can_be_cancelled_and_the_window_answers(window):
    heatmap = window.find("Heatmap")
    # It is there from the start, without a place; looking for it later would take as long as a load.
    cancel = next(node for node in walk(window.root) if node.get_name() == "Cancel")
    with tempfile.TemporaryDirectory() as folder:
        slow = Path(folder) / "slow.json"
        write_slow_model(slow)
        window.activate("open-path", f"'{slow}'")
        wait_for("Cancel", lambda: is_shown(cancel))
        start = time.monotonic()
        get_box(heatmap)
        answer = time.monotonic() - start
        act(cancel)
        window.type("Sentence", "the cat")
        window.wait_to_show("3 tokens")
        time.sleep(6)
        assert window.find_now(CASE_2.name, "frame") is not None, "the model was opened"
        # A person accepts this on a busy machine; a frozen window would not answer before the end.
        assert answer < 0.5, answer


def test_case_112_typing_faster_than_it_computes_ends_with_the_last_sentence():
    window = opened("english-small", "The", 1)
    words = "The old man looked at the sea and said that it was good ".split()
    for length in range(1, 4 * len(words)):
        window.type("Sentence", " ".join((words * 4)[:length]))
        if length % 5 == 0:
            window.set_value("Head", length % 6)
    window.type("Sentence", "The old man")
    window.set_value("Head", 2)
    window.wait_to_show("3 tokens")
    layer = int(window.get_value("Layer"))
    pattern = matrix("english-small", "The old man", "--layer", str(layer), "--head", "2")
    window.go_to_cell(2, 1)
    window.wait_for_cell("␣man", "␣old", f"{pattern[2][1]:.4f}")
    window.close()


def read_clipboard(*options):
    """What another program gets."""
    return subprocess.run(["xclip", "-selection", "clipboard", "-o", *options], check=False,
                          capture_output=True, timeout=20).stdout


def wait_for_other_clipboard(before, target):
    """Waits until there is something new of a type."""
    return wait_for(f"{target} on the clipboard", lambda: (
        target.encode() in read_clipboard("-t", "TARGETS")
        and read_clipboard("-t", target) not in (before, b"") and read_clipboard("-t", target)))


@with_window(CASE_2, "the cat sat", 5)
def test_case_113_picture_and_numbers_go_to_other_programs(window):
    window.focus_first_cell()
    press_key("c", control=True)
    first = wait_for_other_clipboard(b"", "image/png")
    assert first.startswith(b"\x89PNG\r\n\x1a\n")
    window.flip("Causal mask")
    window.wait_to_show("Not as trained")
    window.focus_first_cell()
    press_key("c", control=True)
    second = wait_for_other_clipboard(first, "image/png")
    assert second.startswith(b"\x89PNG\r\n\x1a\n")

    window.press("Main menu")
    window.press("Copy numbers", "menu item")
    text = wait_for_other_clipboard(b"", "text/plain;charset=utf-8").decode("utf-8")
    pattern = matrix(CASE_2, "the cat sat", "--causal", "off")
    rows = [line.split("\t")[1:] for line in text.splitlines()]
    assert [[float(cell) for cell in row] for row in rows[1:]] == pattern, text
    window.press("Close")
    wait_for("end", lambda: window.process.poll() is not None)
    assert window.process.returncode == 0


if __name__ == "__main__":
    run_all({name: test for name, test in globals().items()
             if shutil.which("xclip") or name != "test_case_113_picture_and_numbers_go_to_other_programs"})
