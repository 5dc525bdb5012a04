#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Rotary positions over hundreds of tokens: every kind of stretching against transformers."""

import json
import math
import sys

from harness import ROOT, bad_input, good, read_npy, run_all

sys.path.insert(0, str(ROOT / "tests/support"))
# pylint: disable=wrong-import-position
import gguf_file

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


# GGUF has no key for dynamic stretching, nor for YaRN's truncate and mscale.
NOT_IN_GGUF = {"dynamic", "yarn-smooth"}


def test_gguf_files_equal_transformers_over_hundreds_of_tokens(folder):
    n_kinds = set()
    for case in CASES:
        if case["folder"] not in NOT_IN_GGUF:
            path = folder / f"{case['folder']}.gguf"
            path.write_bytes(gguf_file.convert_folder(make_folder(folder, case["folder"])))
            compare(path, case)
            n_kinds.add(case["folder"])
    assert len(n_kinds) == 7, n_kinds


def find_rope(path):
    """rope_parameters of the model in a GGUF file."""
    out = path.with_suffix(".json")
    good("convert", path, "-o", out)
    return json.loads(out.read_text("utf-8"))["config"]["rope_parameters"]


def test_the_rule_of_llama_3_is_found_in_its_factors(folder):
    path = folder / "llama3.gguf"
    path.write_bytes(gguf_file.convert_folder(make_folder(folder, "llama3-usual")))
    rope = find_rope(path)
    assert rope["rope_type"] == "llama3" and rope["factor"] == 32, rope
    assert rope["original_max_position_embeddings"] == 8192, rope


def write_llama(folder, kind, values, tensors=()):
    """The Llama of @kind in a GGUF file with more keys and tensors than it has."""
    path = folder / "changed.gguf"
    source = make_folder(folder, kind)
    config = json.loads((source / "config.json").read_text("utf-8"))
    architecture, names, prefix = gguf_file.ARCHITECTURES["llama"]
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf-8"))
    keys = gguf_file.convert_config(config, architecture) | gguf_file.convert_tokenizer(tokenizer)
    path.write_bytes(gguf_file.gguf(
        keys | {f"llama.rope.{key}": value for key, value in values.items()},
        gguf_file.convert_tensors(source, config, architecture, names, prefix) + list(tensors)))
    return path


def factors(name, *numbers):
    return (f"{name}.weight", [len(numbers)], gguf_file.F32,
            b"".join(gguf_file.scalar(gguf_file.FLOAT32, number) for number in numbers))


def test_keys_mean_what_they_mean_to_llama_cpp(folder):
    yarn = {"scaling.type": "yarn", "scaling.factor": 4.0}
    scale = 1 + 0.1 * math.log(4)
    rows = [
        ({"scaling.factor": 4.0}, {"rope_type": "linear", "factor": 4}),
        ({"scale_linear": 4.0}, {"rope_type": "linear", "factor": 4}),
        ({"scaling.type": "none", "scaling.factor": 4.0}, {"rope_type": "default"}),
        ({"scaling.type": "linear"}, {"rope_type": "default"}),
        ({"scaling.type": "yarn"}, {"rope_type": "default"}),
        (yarn, {"rope_type": "yarn", "attention_factor": scale}),
        (yarn | {"scaling.attn_factor": 0.5}, {"attention_factor": scale * 0.5}),
        (yarn | {"scaling.yarn_attn_factor": 0.5}, {"attention_factor": 0.5}),
        (yarn | {"scaling.yarn_log_multiplier": 1.0}, {"attention_factor": 1}),
        (yarn | {"scaling.yarn_ext_factor": 1.0}, {"attention_factor": scale}),
    ]
    for values, expected in rows:
        rope = find_rope(write_llama(folder, "default", values))
        for key, value in expected.items():
            assert rope[key] == value or abs(rope[key] - value) < 1e-6, (values, rope)
        assert ("factor" in rope) == (rope["rope_type"] != "default"), rope


def test_a_factor_stretches_the_pairs_of_a_tensor_too(folder):
    numbers = [1.0 + i for i in range(16)]
    path = write_llama(folder, "default", {"scaling.factor": 2.0, "scaling.attn_factor": 1.5},
                       [factors("rope_freqs", *numbers)])
    rope = find_rope(path)
    assert rope["rope_type"] == "longrope" and rope["attention_factor"] == 1.5, rope
    assert rope["short_factor"] == rope["long_factor"] == [2 * number for number in numbers], rope


def test_what_cannot_be_expressed_is_named(folder):
    ones = [1.0] * 16
    rows = [
        ({"scaling.type": "ntk"}, [], "“llama.rope.scaling.type” is “ntk”, known are none, linear, "
                                      "yarn and longrope"),
        ({"scaling.type": "longrope"}, [], "“llama.rope.scaling.type” is “longrope”, but there is "
                                           "no tensor “rope_factors_long.weight”"),
        ({"scaling.type": "yarn", "scaling.factor": 2.0}, [factors("rope_freqs", *ones)],
         "“llama.rope.scaling.type” is “yarn” and there are tensors of factors, too"),
        ({"scaling.type": "yarn", "scaling.factor": 2.0, "scaling.yarn_ext_factor": 0.5}, [],
         "“llama.rope.scaling.yarn_ext_factor” is 0.5, expected 1"),
        ({"scaling.attn_factor": 1.5}, [], "“llama.rope.scaling.attn_factor” is 1.5, expected 1"),
        ({}, [factors("rope_factors_long", *ones)],
         "tensor “rope_factors_short.weight” is missing"),
        ({}, [factors("rope_freqs", *ones[1:])],
         "tensor “rope_freqs.weight” does not hold 16 numbers"),
        ({}, [factors("rope_freqs", -1.0, *ones[1:])],
         "tensor “rope_freqs.weight” holds a number that is not above 0"),
    ]
    for values, tensors, message in rows:
        found = bad_input("info", write_llama(folder, "default", values, tensors)).err
        assert message in found, (message, found)


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
