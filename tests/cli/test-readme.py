#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What the README promises: the model that can be typed, its numbers, and the commands."""

import csv
import json
import re

from harness import ROOT, close, good, run_all

README = (ROOT / "README.md").read_text(encoding="utf-8")


def type_model(folder):
    """The example as a person would type it."""
    example = re.search(r"```json\n(.*?)```", README, re.DOTALL)[1]
    path = folder / "colours.json"
    path.write_text(example, encoding="utf-8")
    return path


def test_example_is_json_and_stands_on_one_page(folder):
    path = type_model(folder)
    assert json.loads(path.read_text())["format"] == "attnscope-model"
    assert len(path.read_text().splitlines()) < 40


def test_matrix_of_the_example_is_the_one_in_the_text(folder):
    table = re.search(r'matrix colours.json "red green blue"` gives\n\n```\n(.*?)```', README,
                      re.DOTALL)[1]
    rows = list(csv.reader(table.splitlines()))
    done = good("matrix", type_model(folder), "red green blue")
    close(done.rows, [[float(x) for x in row[1:]] for row in rows[1:]], 1e-6)
    assert done.out.splitlines()[0] == table.splitlines()[0]


def test_example_predicts_what_the_text_says(folder):
    top = good("predict", type_model(folder), "red green blue", "--json").json["positions"][0]["top"]
    assert top[0]["text"] == "red"


def test_example_can_be_drawn_and_converted(folder):
    model = type_model(folder)
    good("render", model, "red green blue", "-o", folder / "a.svg")
    good("convert", model, "-o", folder / "b.json")
    assert good("matrix", folder / "b.json", "red green blue").out == \
        good("matrix", model, "red green blue").out


def test_commands_of_the_readme_run(folder):
    """The lines that begin with attnscope-cli and use no placeholder."""
    bundled = {line.split()[0] for line in good("models").out.splitlines()}
    for line in re.findall(r"^attnscope-cli (\w+ .*)$", README, re.MULTILINE):
        words = [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]
        if len(words) < 2 or words[1] not in bundled:
            continue
        good(*words, cwd=folder)


def test_every_bundled_model_is_in_the_readme(_):
    for line in good("models").out.splitlines():
        name = line.split()[0]
        assert f"`{name}`" in README, name


def test_synopsis_is_that_of_the_help(_):
    for command in ("info", "tokens", "matrix", "render", "predict", "convert"):
        usage = re.search(r"^Usage: (.*?)\n\n", good(command, "--help").out, re.DOTALL)[1]
        promised = re.search(rf"^(attnscope-cli {command} .*?)(?=\nattnscope-cli|\n\n)", README,
                             re.MULTILINE | re.DOTALL)[1]
        for option in re.findall(r"--?[a-z][a-z-]*", promised.split("  ")[0]):
            assert option in usage, (command, option)
        for option in re.findall(r"--[a-z][a-z-]*", usage):
            assert option in promised, (command, option)


run_all(globals())
