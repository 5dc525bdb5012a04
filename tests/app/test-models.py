#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Ways to a model, and what a model that fills gaps needs.

    xvfb-run dbus-run-session -- /usr/bin/python3 test-models.py PROGRAM"""

import contextlib
import shutil
import tempfile
from pathlib import Path

from window import ROOT, Window, get_text, is_shown, press_key, run_all, wait_for, walk

SIX = ROOT / "models/six-tokens.json"
BERT = ROOT / "tests/fixtures/models/bert"
LLAMA = ROOT / "tests/fixtures/models/llama"
MISTRAL = ROOT / "tests/fixtures/models/mistral"
LIST = "Bundled, own and recent models"


@contextlib.contextmanager
def opened(*arguments, shows="tokens ·", **options):
    """A window that is closed, and whose log is looked at, in the end."""
    with Window(*arguments, **options) as window:
        window.wait_to_show(shows)
        yield window


def test_the_list_says_what_the_bundled_models_are_and_opens_them():
    with opened(SIX) as window:
        window.press(LIST)
        row = window.find("english-small", "push button")
        assert "4 layers × 6 heads" in row.get_description(), row.get_description()
        assert "A small English GPT-2" in row.get_description()
        window.press("cat-chases-mouse")
        window.wait_to_show("1 layer × 1 head · d_head 4")
        wait_for("the list to close", lambda: not window.find_now("english-small", "push button"))


def test_a_new_user_is_told_how_to_get_a_model_and_then_sees_it():
    with tempfile.TemporaryDirectory() as home:
        with opened(SIX, home=home) as window:
            window.press(LIST)
            window.wait_to_show("attnscope-fetch minilm")
            window.wait_to_show("~/.local/share/attnscope/models")
            shutil.copytree(BERT, Path(home) / ".local/share/attnscope/models/minilm")
            press_key("Escape")
            wait_for("the list to close",
                     lambda: not window.find_now("english-small", "push button"))
            window.press(LIST)
            window.press("minilm")
            wait_for("the model", lambda: window.find_now("Insert [MASK]", "push button"))


def test_a_model_that_is_listed_is_not_repeated_as_recent():
    with tempfile.TemporaryDirectory() as home:
        own = Path(home) / ".local/share/attnscope/models/tiny"
        shutil.copytree(BERT, own)
        with opened(own, home=home) as window:
            window.press(LIST)
            window.find("tiny", "push button")
            rows = [node for node in walk(window.root) if node.get_name() == "tiny"
                    and node.get_role_name() == "push button" and is_shown(node)]
            assert len(rows) == 1, rows


def test_only_a_model_that_sees_both_sides_has_a_second_sentence():
    with opened(BERT) as window:
        window.find("Second sentence", "text")
    with opened(MISTRAL) as window:
        assert window.find_now("Second sentence", "text") is None


def test_without_a_chosen_cell_the_last_token_is_explained():
    with opened(SIX) as window:
        window.type("Sentence", "the cat sat")
        window.wait_to_show("query 2, key")


def test_a_start_with_a_broken_file_offers_the_bundled_models():
    with tempfile.TemporaryDirectory() as folder:
        broken = Path(folder) / "broken.json"
        broken.write_text('{ "format": ')
        with opened(broken, shows="broken.json: ") as window:
            window.wait_to_show("No model is open")
            window.press("six-tokens")
            window.wait_to_show("6 tokens ·")
            wait_for("the error to go", lambda: not window.shows("broken.json: "))


def test_the_button_inserts_a_mask_at_the_cursor_and_predictions_appear():
    with opened(BERT) as window:
        window.type("Sentence", "the cat")
        window.wait_to_show("Put [MASK] into the sentence")
        text = window.find("Sentence", "text")
        text.get_text_iface().set_caret_offset(3)
        window.press("Insert [MASK]")
        window.wait_to_show("[MASK] at 2")
        assert get_text(text) == "the [MASK] cat", get_text(text)


def test_only_a_model_that_fills_gaps_has_the_button():
    with opened(SIX) as window:
        assert window.find_now("Insert [MASK]") is None
        assert not window.shows("Put [MASK]")


def test_a_head_is_found_by_its_name():
    with opened(SIX) as window:
        window.type("Find a head", "L0H2")
        wait_for("head 2", lambda: window.get_value("Head") == 2)
        window.type("Find a head", "0.1")
        wait_for("head 1", lambda: window.get_value("Head") == 1)
        # There is no such head, so the last one stays.
        window.type("Find a head", "L7H0")
        assert window.get_value("Head") == 1


def test_the_open_model_says_what_it_is():
    with opened(LLAMA) as window:
        window.wait_to_show("A line joins 2 heads with the same keys and values")
        window.activate("model-info")
        for text in ("Rules", "1/√8", "causal: a token sees itself and those before it",
                     "2, each shared by 2 heads", "mapped: what is needed is read from the file", "Together"):
            window.wait_to_show(text)


def test_the_open_model_is_checked():
    with opened(SIX) as window:
        window.activate("check-model")
        window.wait_to_show("The model passes every check")


def test_the_contact_sheet_zooms():
    with opened(SIX) as window:
        window.press("Heads")
        window.wait_to_show("Layer 0")
        window.press("Zoom in")
        window.wait_to_show("150 %")
        window.press("Zoom out")
        wait_for("the whole", lambda: not window.shows("150 %"))


run_all(globals())
