#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Rotary positions over hundreds of tokens: every kind of stretching against transformers."""

import json
import math

from harness import ROOT, good, read_npy, run_all

ROPES = ROOT / "tests/fixtures/ropes"
WEIGHT_TOLERANCE = 1e-5
SCORE_TOLERANCE = 1e-4  # times max (1, |score|)


def read_expected():
    """{name: (shape, floats)} of expect.safetensors, which holds infinities."""
    data = (ROPES / "expect.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            tensors[name] = entry["shape"], memoryview(data)[8 + size + begin:8 + size + end].cast("f")
    return tensors


EXPECTED = read_expected()
CASES = json.loads((ROPES / "expect.json").read_text("utf-8"))["cases"]


def make_folder(folder, kind):
    """A Hugging Face folder of the model with one kind of RoPE."""
    path = folder / kind
    path.mkdir(exist_ok=True)
    sources = {"config.json": ROPES / kind, "model.safetensors": ROPES,
               "tokenizer.json": ROPES.parent / "models/llama"}
    for name, source in sources.items():
        if not (path / name).exists():
            (path / name).symlink_to(source / name)
    return path


def compare_stage(model, case, stage, name):
    """Returns by how many tolerances the stored rows differ at most."""
    found = read_npy(good("matrix", model, case["text"], "--all", "--stage", stage,
                          "--format", "npy").bytes)
    shape, expected = EXPECTED[f"{case['key']}.{name}"]
    n_tokens = case["n_tokens"]
    assert list(found[0]) == [*shape[:2], n_tokens, n_tokens], (case["key"], found[0])
    worst, at = 0.0, 0
    for head in range(shape[0] * shape[1]):
        for row in case["rows"]:
            begin = (head * n_tokens + row) * n_tokens
            for value in found[1][begin:begin + n_tokens]:
                reference = expected[at]
                at += 1
                if math.isinf(reference) or math.isinf(value):
                    assert value == reference, (case["key"], value, reference)
                    continue
                tolerance = WEIGHT_TOLERANCE if name == "pattern" else \
                    SCORE_TOLERANCE * max(1.0, abs(reference))
                worst = max(worst, abs(value - reference) / tolerance)
    assert at == len(expected)
    return worst


def compare(model, case):
    for stage, name in (("pattern", "pattern"), ("masked", "attn_scores")):
        worst = compare_stage(model, case, stage, name)
        print(f"# {case['key']} {name}: {worst:.2f} tolerances", flush=True)
        assert worst <= 1.0, (str(model), case["key"], name, worst)


def test_every_kind_equals_transformers_over_hundreds_of_tokens(folder):
    for case in CASES:
        compare(make_folder(folder, case["folder"]), case)


def test_every_kind_has_numbers_of_its_own(_):
    """A kind that is mistaken for another would be seen: by a hundred tolerances at least."""
    longs = {case["folder"]: EXPECTED[f"{case['key']}.pattern"][1] for case in CASES
             if case["key"].endswith(".long")}
    for kind, pattern in longs.items():
        for other, other_pattern in longs.items():
            if kind < other:
                worst = max(abs(a - b) for a, b in zip(pattern, other_pattern))
                assert worst > 100 * WEIGHT_TOLERANCE, (kind, other, worst)


if __name__ == "__main__":
    run_all(globals())
