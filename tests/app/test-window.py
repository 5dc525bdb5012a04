#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What a person does with the window, and what it then shows.

    xvfb-run dbus-run-session -- /usr/bin/python3 test-window.py PROGRAM"""

import csv
import math
import struct
import tempfile
from pathlib import Path

from window import ROOT, Window, get_text, run_all, wait_for, walk

CAT = ROOT / "models/cat-chases-mouse.json"
SIX = ROOT / "models/six-tokens.json"


def softmax(scores):
    """In double, for what the window must show."""
    exps = [math.exp(score - max(scores)) for score in scores]
    return [value / sum(exps) for value in exps]


def opened(model, *arguments, **options):
    """A window with a model, its first example shown."""
    window = Window(model, *arguments, **options)
    window.wait_to_show(Path(model).stem)
    window.wait_to_show("tokens ·")
    return window


def with_window(model):
    """A test that gets a window of its own, which is closed and looked at in the end."""
    def decorate(test):
        def run():
            with opened(model) as window:
                test(window)
        return run
    return decorate


def check_that_head_1_alone_shows(window, text):
    window.wait_to_show(text)
    window.set_value("Head", 2)
    wait_for("something else", lambda: not window.shows(text))
    window.set_value("Head", 1)
    window.wait_to_show(text)


@with_window(SIX)
def test_the_first_example_is_shown_with_its_note(window):
    window.wait_to_show("Head 1 knows what goes together")
    window.wait_to_show("6 tokens")
    window.wait_to_show("0.9647")
    assert get_text(window.find("Sentence", "text")) == "the cat sat on a mat"


@with_window(SIX)
def test_typing_a_sentence_computes_it(window):
    window.type("Sentence", "the cat")
    window.wait_to_show("2 tokens")
    window.type("Sentence", "")
    window.wait_to_show("0 tokens")
    window.type("Sentence", "the cat sat")
    window.wait_to_show("3 tokens")


@with_window(CAT)
def test_the_switches_change_the_numbers_of_the_inspector(window):
    scores = [0.9, 0.5, 0.3]
    # Pins 猫 → 猫, not causal as trained.
    window.activate("example", "uint32 1")
    window.wait_to_show(f"{softmax(scores)[0]:.4f}")
    assert not window.is_checked("Causal mask")
    assert window.is_checked("Scale by 1/√d")

    window.flip("Scale by 1/√d")
    window.wait_to_show(f"{softmax([2 * s for s in scores])[0]:.4f}")
    window.wait_to_show("Not as trained")

    window.flip("Causal mask")
    window.wait_to_show("1.0000")

    window.press("Reset to trained")
    window.wait_to_show(f"{softmax(scores)[0]:.4f}")
    assert not window.is_checked("Causal mask")
    assert window.is_checked("Scale by 1/√d")


@with_window(SIX)
def test_the_note_stays_with_its_head(window):
    check_that_head_1_alone_shows(window, "Head 1 knows what goes together")


@with_window(CAT)
def test_the_switches_say_what_they_do_now(window):
    window.wait_to_show("Tokens look back and ahead")
    window.flip("Causal mask")
    window.wait_to_show("No token looks ahead")
    window.wait_to_show("Divides q·k by √")
    window.flip("Scale by 1/√d")
    window.wait_to_show("Leaves q·k as it is")
    window.set_value("Factor", 3)
    window.wait_to_show("Multiplies q·k by 3.00")


@with_window(CAT)
def test_the_temperature_sharpens(window):
    window.activate("example", "uint32 1")
    window.set_value("Temperature", 0.5)
    window.wait_to_show(f"{softmax([1.8, 1.0, 0.6])[0]:.4f}")
    window.press("This head")
    window.wait_to_show("Later layers and predictions stay")


@with_window(SIX)
def test_choosing_a_head_shows_its_numbers(window):
    # In head 2 sat looks for its own kind, and there is no other verb.
    check_that_head_1_alone_shows(window, "0.9647")


@with_window(SIX)
def test_predictions_move_with_the_what_if_and_can_be_appended(window):
    window.wait_to_show("mat 87\u00a0%")
    window.set_value("Temperature", 10)
    wait_for("a change in brackets", lambda: any(
        "(−" in text for text in window.texts() if text.startswith("mat ")))
    window.press("Reset to trained")
    window.type("Sentence", "the cat sat on a")
    window.wait_to_show("5 tokens")
    window.wait_to_show("mat ")
    button = wait_for("prediction", lambda: next(
        (node for node in walk(window.root) if node.get_role_name() == "push button"
         and (node.get_name() or "").startswith("mat ")), None))
    button.get_action_iface().do_action(0)
    wait_for("appended word", lambda: get_text(
        window.find("Sentence", "text")) == "the cat sat on a mat")


def read_png_size(path):
    """(None if it is no whole PNG) its width and height."""
    data = path.read_bytes() if path.exists() else b""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or b"IEND" not in data[-12:]:
        return None
    return struct.unpack(">II", data[16:24])


@with_window(CAT)
def test_an_exported_picture_and_its_numbers_can_be_read_back(window):
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "figure.png"
        window.activate("export-to", f"'{picture}'")
        width, height = wait_for("PNG", lambda: read_png_size(picture))
        assert width > 100 and height > 100, (width, height)
        assert "猫".encode() in picture.read_bytes()

        # Without an extension it gets that of the chosen format.
        window.activate("export-to", f"'{Path(folder) / 'bare'}'")
        wait_for("PNG", lambda: read_png_size(Path(folder) / "bare.png"))

        numbers = Path(folder) / "numbers.csv"
        window.activate("export-to", f"'{numbers}'")
        wait_for("CSV", numbers.exists)
        with open(numbers, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0][1:] == ["猫", "追", "老鼠"], rows
        expected = softmax([0.9, 0.5, 0.3])
        assert all(abs(float(found) - right) < 1e-5
                   for found, right in zip(rows[1][1:], expected)), rows

        window.activate("export-to", f"'{Path(folder) / 'missing' / 'x.png'}'")
        window.wait_to_show("missing")


@with_window(SIX)
def test_a_broken_file_gives_a_sentence_and_the_model_stays(window):
    with tempfile.TemporaryDirectory() as folder:
        broken = Path(folder) / "broken.json"
        broken.write_text('{ "format": ')
        window.activate("open-path", f"'{broken}'")
        window.wait_to_show("broken.json: ")
        window.type("Sentence", "the cat sat")
        window.wait_to_show("3 tokens")
        window.press("Dismiss")
        wait_for("dismissal", lambda: not window.shows("broken.json: "))
        window.activate("open-path", f"'{CAT}'")
        window.wait_to_show("cat-chases-mouse")
        window.wait_to_show("3 tokens")


@with_window(SIX)
def test_awkward_sentences_are_fine(window):
    for text, piece in (("the", "1 token ·"), ("", "0 tokens"), ("猫 👍🏽 é", "3 tokens"),
                        ("<b>the</b> & cat", "3 tokens"), ("the\r\n\tcat", "2 tokens"),
                        ("the cat " * 250, "the model reads at most 6")):
        window.type("Sentence", text)
        window.wait_to_show(piece)


@with_window(SIX)
def test_the_views_can_be_chosen(window):
    window.press("Heads")
    window.wait_to_show("Layer 0")
    window.press("Stages")
    window.find("Heatmap")


@with_window(SIX)
def test_everything_that_can_be_pressed_has_a_name(window):
    nameless = [(node.get_role_name(), node.get_name(), node.get_description()) for node in walk(window.root)
                if node.get_action_iface() is not None
                and node.get_action_iface().get_n_actions() > 0 and
                node.get_role_name() in ("push button", "check box", "spin button", "slider")
                and (not node.get_name() or node.get_name().startswith("Gtk"))]
    assert not nameless, nameless


def test_a_window_that_is_closed_while_it_works_ends_cleanly():
    window = opened(SIX)
    for length in range(1, 40):
        window.type("Sentence", "the cat " * length)
    window.press("Close")
    wait_for("end", lambda: window.process.poll() is not None)
    assert window.process.returncode == 0, window.process.returncode
    window.close()


def test_the_sentence_and_the_selection_are_remembered():
    with tempfile.TemporaryDirectory() as home:
        options = {"home": home, "environment": {"GSETTINGS_BACKEND": "keyfile"}}
        window = opened(SIX, **options)
        window.type("Sentence", "a mat sat")
        window.wait_to_show("3 tokens")
        window.set_value("Head", 2)
        window.press("Close")
        wait_for("end", lambda: window.process.poll() is not None)
        window.close()

        window = Window(**options)
        window.wait_to_show("six-tokens")
        window.wait_to_show("3 tokens")
        assert get_text(window.find("Sentence", "text")) == "a mat sat"
        assert window.get_value("Head") == 2
        window.close()


run_all(globals())
