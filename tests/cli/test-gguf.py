#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""GGUF files: the same model as the folder they were made from, and files that are broken."""

import json
import sys

from harness import FIXTURES, ROOT, bad_input, good, run_all

sys.path.insert(0, str(ROOT / "tests/support"))
# pylint: disable=wrong-import-position
import gguf_file


def fixtures(folder):
    """Each fixture that has a GGUF file, with that file."""
    for source in sorted(FIXTURES.iterdir()):
        data = gguf_file.convert_folder(source) if (source / "config.json").exists() else None
        if data is not None:
            path = folder / f"{source.name}.gguf"
            path.write_bytes(data)
            yield source, path


def test_every_pattern_is_that_of_the_folder(folder):
    n_models = 0
    for source, path in fixtures(folder):
        inputs = json.loads((source / "expect.json").read_text("utf-8"))["inputs"]
        for text in {case["text"] for case in inputs if case["text"] and not case["pair"]}:
            command = [text, "--all", "--format", "npy"]
            expected = good("matrix", source, *command).bytes
            assert good("matrix", path, *command).bytes == expected, (source.name, text)
        n_models += 1
    assert n_models >= 4, n_models


def test_sizes_and_settings_are_those_of_the_folder(folder):
    # GGUF has no head that fills masks, and no pooler.
    other = {"name", "path", "license", "n_parameters", "unembed", "predicts", "warnings"}
    for source, path in fixtures(folder):
        expected, found = good("info", source, "--json").json, good("info", path, "--json").json
        for key in (expected.keys() | found.keys()) - other:
            assert found[key] == expected[key], (source.name, key, found[key], expected[key])


def test_tokens_are_those_of_the_folder(folder):
    text = "The cat's 12 mats — café\n\n  Don't! 猫 [MASK]<s>"
    for source, path in fixtures(folder):
        expected = good("tokens", source, text, "--json").json
        assert good("tokens", path, text, "--json").json == expected, source.name


def test_converted_file_is_the_same_model(folder):
    for source, path in fixtures(folder):
        model = folder / f"{source.name}.json"
        good("convert", path, "-o", model)
        command = ["the cat", "--all", "--format", "npy"]
        assert good("matrix", model, *command).bytes == good("matrix", path, *command).bytes
        written = json.loads(model.read_text("utf-8"))
        assert {t["dtype"] for t in written["tensors"].values()} == {"F32"}


def test_file_without_the_ending_is_known_by_its_first_bytes(folder):
    data = gguf_file.convert_folder(FIXTURES / "llama")
    (folder / "sha256-0123").write_bytes(data)
    good("tokens", folder / "sha256-0123", "the cat")


def test_file_that_is_cut_anywhere_is_refused(folder):
    data = gguf_file.convert_folder(FIXTURES / "llama")
    path = folder / "cut.gguf"
    for size in [*range(0, 28), *range(40, 4000, 397), len(data) // 2, len(data) - 1]:
        path.write_bytes(data[:size])
        assert str(path) in bad_input("info", path).err


def test_architecture_that_is_not_known_is_named(folder):
    path = folder / "other.gguf"
    path.write_bytes(gguf_file.gguf({"general.architecture": "mamba"}, []))
    assert "“general.architecture” is “mamba”" in bad_input("info", path).err


if __name__ == "__main__":
    run_all(globals())
