#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Heads, stages and cells by keyboard and screen reader; every number is that of the command line.

    xvfb-run dbus-run-session -- /usr/bin/python3 test-heads.py PROGRAM COMMAND-LINE"""

import json
import subprocess
import sys

from window import ROOT, Window, get_text, press_key, run_all, wait_for

SIX = ROOT / "models/six-tokens.json"
FIXTURES = ROOT / "tests/fixtures/models"
TEXT = "the cat sat on a mat"
LABELS = TEXT.split()
# The window shows four digits after the point.
TOLERANCE = 0.6e-4


def matrix(head, stage, *options, model=SIX):
    """What the command line gives for a head at a stage."""
    output = subprocess.run([sys.argv[2], "matrix", model, TEXT, "--head", str(head), "--stage",
                             stage, "--format", "json", *options], check=True, capture_output=True)
    return json.loads(output.stdout)["matrix"]


def read_number(window, name):
    """The number of the inspector that has a name."""
    return float(get_text(window.find(name, "label")).replace("−", "-"))


def wait_for_number(window, name, expected):
    """Waits until the inspector shows a number."""
    wait_for(f"{name} {expected:.4f}",
             lambda: abs(read_number(window, name) - expected) <= TOLERANCE)


def wait_for_cell(window, query, key, value):
    """Waits until the heatmap says that a cell is under its cursor."""
    window.wait_for_cell(LABELS[query], LABELS[key], value)


def with_window(test):
    """A test that gets a window with the six tokens, which is closed and looked at in the end."""
    def run():
        with Window(SIX) as window:
            window.wait_to_show("tokens ·")
            window.type("Sentence", TEXT)
            window.wait_to_show("6 tokens")
            test(window)
    return run


@with_window
def test_the_arrows_move_the_cell_and_the_heatmap_says_where_it_is(window):
    pattern = matrix(int(window.get_value("Head")), "pattern")
    window.go_to_cell(2, 1)
    wait_for_cell(window, 2, 1, f"{pattern[2][1]:.4f}")
    press_key("Up")
    wait_for_cell(window, 1, 1, f"{pattern[1][1]:.4f}")
    press_key("End")
    wait_for_cell(window, 1, 5, "forbidden")
    press_key("End", control=True)
    wait_for_cell(window, 5, 5, f"{pattern[5][5]:.4f}")
    press_key("Left")
    wait_for_cell(window, 5, 4, f"{pattern[5][4]:.4f}")


@with_window
def test_the_inspector_has_the_numbers_of_the_command_line(window):
    window.go_to_cell(2, 1)
    for head in (0, 1, 2):
        window.set_value("Head", head)
        wait_for_number(window, "Dot product", matrix(head, "dot")[2][1])
        wait_for_number(window, "Scaled score", matrix(head, "scaled")[2][1])
        wait_for_number(window, "Weight", matrix(head, "pattern")[2][1])
        wait_for_number(window, "Contribution", matrix(head, "contribution")[2][1])
        assert get_text(window.find("Mask", "label")) == "visible"


def check_lines(model, lines, absent):
    """A cell's lines have the numbers of their stages, in this order; @absent are not shown."""
    window = Window(model)
    window.wait_to_show("tokens ·")
    window.type("Sentence", TEXT)
    n_tokens = len(matrix(1, "dot", model=model))
    window.wait_to_show(f"{n_tokens} tokens")
    window.set_value("Head", 1)
    window.go_to_cell(3, 2)
    for name, stage in lines.items():
        wait_for_number(window, name, matrix(1, stage, model=model)[3][2])
    shown = dict.fromkeys(text for text in window.texts() if text in lines)
    assert list(shown) == list(lines), shown
    assert not any(window.shows(name) for name in absent), absent
    if "Score with position" in lines:
        parts = [read_number(window, name) for name in ("Scaled score", "Position term")]
        assert parts[1] != 0.0
        assert abs(sum(parts) - read_number(window, "Score with position")) <= 2 * TOLERANCE
    window.close()


def test_the_lines_of_a_soft_capped_model_are_those_of_its_stages():
    check_lines(FIXTURES / "gemma2", {
        "Without positions": "unrotated", "Dot product": "dot", "Scaled score": "scaled",
        "Capped score": "capped", "Weight": "pattern"}, ["Position term", "Score with position"])


def test_the_lines_of_a_model_with_alibi_add_up():
    check_lines(FIXTURES / "bloom", {
        "Dot product": "dot", "Scaled score": "scaled", "Score with position": "biased",
        "Weight": "pattern"}, ["Capped score", "Without positions"])


def test_the_lines_of_a_model_with_relative_positions_add_up():
    check_lines(FIXTURES / "mpnet", {
        "Dot product": "dot", "Scaled score": "scaled", "Score with position": "biased",
        "Weight": "pattern"}, ["Capped score", "Without positions"])


@with_window
def test_control_and_arrows_change_the_head(window):
    window.set_value("Head", 0)
    window.go_to_cell(3, 2)
    press_key("Right", control=True)
    wait_for("head 1", lambda: window.get_value("Head") == 1)
    wait_for_number(window, "Weight", matrix(1, "pattern")[3][2])
    press_key("Left", control=True)
    wait_for("head 0", lambda: window.get_value("Head") == 0)


@with_window
def test_a_stage_of_the_strip_fills_the_heatmap(window):
    head = int(window.get_value("Head"))
    window.go_to_cell(2, 1)
    for title, stage in (("q·k", "dot"), ("÷√4", "scaled"), ("softmax", "pattern")):
        window.press(title)
        wait_for_cell(window, 2, 1, f"{matrix(head, stage)[2][1]:.4f}")


@with_window
def test_a_thumbnail_chooses_its_head(window):
    for head in (2, 0, 1):
        window.press(f"Layer 0 head {head}")
        wait_for(f"head {head}", lambda: window.get_value("Head") == head)


@with_window
def test_a_switch_shows_the_numbers_as_trained_beside_the_new_ones(window):
    head = int(window.get_value("Head"))
    window.go_to_cell(2, 1)
    window.flip("Causal mask")
    wait_for_number(window, "Weight", matrix(head, "pattern", "--causal", "off")[2][1])
    wait_for_number(window, "Weight as trained", matrix(head, "pattern")[2][1])


@with_window
def test_the_sentence_below_says_what_the_cell_says(window):
    window.set_value("Head", 1)
    window.go_to_cell(2, 1)
    window.wait_to_show("gives 96\u00a0% of its attention to")
    press_key("End")
    window.wait_to_show("the mask forbids it")


@with_window
def test_keys_zoom_and_show_all_again(window):
    window.focus_first_cell()
    press_key("plus")
    window.wait_to_show("125 %")
    press_key("0")
    window.wait_to_show("100 %")


@with_window
def test_escape_lets_the_cell_go(window):
    window.go_to_cell(2, 1)
    window.wait_to_show("Pinned")
    press_key("Escape")
    wait_for("the pin to vanish", lambda: not window.shows("Pinned"))


if __name__ == "__main__":
    run_all(globals())
