#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Tokens, matrices, predictions, conversion: the numbers that come out."""

import json
import math
import os

from harness import (CASES, FIXTURES, ROOT, bad_input, cli, close, good, locale_env, read_npy,
                     run_all)

CAT = ("cat-chases-mouse", "猫 追 老鼠")
SCORES = [[.9, .5, .3], [.4, .8, .6], [.2, .5, .7]]


def softmax(row):
    exps = [math.exp(x - max(row)) for x in row]
    return [x / sum(exps) for x in exps]


def test_scaled_scores_of_the_first_model_are_those_it_was_made_for(_):
    close(good("matrix", *CAT, "--stage", "scaled").rows, SCORES, 1e-6)


def test_weights_are_the_softmax_of_the_scores(_):
    close(good("matrix", *CAT).rows, [softmax(row) for row in SCORES], 1e-6)


def test_causal_mask_gives_the_known_third_row(_):
    rows = good("matrix", *CAT, "--causal", "on").rows
    close(rows[2], [0.250, 0.338, 0.412], 5e-4)
    assert rows[0] == [1, 0, 0]


def test_words_may_stand_without_spaces(_):
    assert good("matrix", *CAT).out == good("matrix", CAT[0], "猫追老鼠").out


def test_forbidden_scores_are_empty_null_or_minus_infinity(_):
    arguments = [*CAT, "--stage", "masked", "--causal", "on"]
    close(good("matrix", *arguments).rows[0], [.9, None, None], 1e-6)
    close(good("matrix", *arguments, "--format", "json").json["matrix"][0], [.9, None, None], 1e-6)
    _, values = read_npy(good("matrix", *arguments, "--format", "npy").bytes)
    assert values[1] == -math.inf and values[2] == -math.inf


def test_temperature_divides_the_scores(_):
    rows = good("matrix", *CAT, "--temperature", "0.5").rows
    close(rows, [softmax([x / 0.5 for x in row]) for row in SCORES], 1e-6)


def test_scale_may_be_none_or_a_number(_):
    dot = good("matrix", *CAT, "--stage", "dot").rows
    close(dot, [[2 * x for x in row] for row in SCORES], 2e-6)
    close(good("matrix", *CAT, "--stage", "scaled", "--scale-by", "none").rows, dot, 1e-6)
    close(good("matrix", *CAT, "--stage", "scaled", "--scale-by", "-0.25").rows,
          [[-x / 2 for x in row] for row in SCORES], 1e-6)
    close(good("matrix", *CAT, "--stage", "scaled", "--scale-by", "sqrt").rows, SCORES, 1e-6)


def test_json_says_what_the_matrix_is(_):
    found = good("matrix", *CAT, "--causal", "on", "--format", "json").json
    assert found["layer"] == 0 and found["head"] == 0 and found["stage"] == "pattern"
    assert found["attention"] == "self"
    assert found["query_tokens"] == ["猫", "追", "老鼠"] == found["key_tokens"]
    assert "causal" in json.dumps(found["settings"])


def test_tsv_is_csv_with_tabs(_):
    csv = good("matrix", *CAT).out
    assert good("matrix", *CAT, "--format", "tsv").out == csv.replace(",", "\t")


def test_npy_has_the_numbers_of_the_csv_bit_by_bit(_):
    shape, values = read_npy(good("matrix", *CAT, "--format", "npy").bytes)
    rows = good("matrix", *CAT).rows
    assert tuple(shape) == (3, 3)
    import struct
    for found, text in zip(values, (x for row in rows for x in row)):
        assert struct.pack("<f", found) == struct.pack("<f", text)


def test_all_heads_have_four_axes(_):
    shape, values = read_npy(good("matrix", FIXTURES / "gpt2", "the cat", "--all",
                                  "--format", "npy").bytes)
    n_tokens = shape[2]
    assert tuple(shape) == (3, 4, n_tokens, n_tokens)
    _, one = read_npy(good("matrix", FIXTURES / "gpt2", "the cat", "--layer", "2", "--head", "1",
                           "--format", "npy").bytes)
    start = (2 * 4 + 1) * n_tokens * n_tokens
    assert values[start:start + n_tokens * n_tokens] == one


def test_file_gets_the_same_bytes_as_standard_output(folder):
    for kind in ("csv", "tsv", "json", "npy"):
        good("matrix", *CAT, "--format", kind, "-o", folder / "matrix")
        assert (folder / "matrix").read_bytes() == good("matrix", *CAT, "--format", kind).bytes


def test_heads_of_a_gpt2_folder_are_those_of_the_case(_):
    model = CASES / "002-query-key-axes-swapped"
    close(good("matrix", model, "the cat sat").rows[4], [0.0043, 0.0113, 0.6491, 0.3124, 0.0230],
          6e-5)
    close(good("matrix", model, "the cat sat", "--layer", "1", "--head", "1").rows[4],
          [0.8136, 0.0438, 0.0200, 0.1087, 0.0139], 6e-5)


def test_safetensors_file_stands_for_its_folder(_):
    folder = CASES / "002-query-key-axes-swapped"
    assert good("matrix", folder, "the cat").out == \
        good("matrix", folder / "model.safetensors", "the cat").out


def test_scope_says_which_numbers_a_switch_reaches(_):
    """Case 107: unscaled and unmasked in every layer, or in the layer that is shown."""
    arguments = ["matrix", CASES / "002-query-key-axes-swapped", "the cat sat", "--layer", "1",
                 "--head", "1", "--causal", "off", "--scale-by", "none"]
    close(good(*arguments, "--stage", "masked").rows[4],
          [1.3505, 0.4322, -1.4906, 0.6631, -3.7970], 1e-4)
    close(good(*arguments, "--stage", "masked", "--scope", "head").rows[4],
          [4.1216, -1.7239, -3.2916, 0.0962, -4.0181], 1e-4)
    close(good(*arguments, "--scope", "head").rows[4], [0.9788, 0.0028, 0.0006, 0.0175, 0.0003],
          6e-5)


def test_text_that_is_too_long_gives_both_numbers(_):
    """Case 19."""
    model = CASES / "019-more-tokens-than-position-rows"
    text = "the cat sat the cat sat the cat sat"
    err = bad_input("matrix", model, text).err
    assert "15" in err and "8" in err, err
    done = cli("matrix", model, text, "--truncate")
    assert done.status == 0 and len(done.rows) == 8
    assert "15" in done.err and "8" in done.err


def test_empty_text_has_tokens_or_is_refused(_):
    """Case 85."""
    model = CASES / "085-empty-and-blank-sentences"
    assert len(good("matrix", model / "bert", "").rows) == 2
    bad_input("matrix", model / "gpt2", "")
    assert good("tokens", model / "gpt2", "").out == ""
    assert good("tokens", model / "gpt2", "", "--json").json == []
    close(good("matrix", model / "gpt2", " ").rows, [[1.0]], 0)


def test_comma_locale_changes_no_number(folder):
    """Case 49."""
    model = CASES / "049-decimal-comma-locale/model.json"
    env = locale_env(folder, "de_DE")
    for kind in ("csv", "json"):
        assert good("matrix", model, "a b c", "--format", kind, env=env).out == \
            good("matrix", model, "a b c", "--format", kind).out
    rows = good("matrix", model, "a b c", env=env).rows
    close(rows[0], [0.341019, 0.444568, 0.214412], 1e-6)
    close(good("matrix", model, "a b c", "--head", "1", env=env).rows[2],
          [0.478887, 0.092317, 0.428795], 1e-6)
    close(good("matrix", model, "a b c", "--scale-by", "0.25", env=env).rows[0],
          good("matrix", model, "a b c", "--scale-by", "0.25").rows[0], 0)
    assert good("predict", FIXTURES / "gpt2", "the", "--json", env=env).out == \
        good("predict", FIXTURES / "gpt2", "the", "--json").out
    good("render", model, "a b c", "-o", folder / "de.svg", env=env)
    good("render", model, "a b c", "-o", folder / "c.svg")
    assert (folder / "de.svg").read_bytes() == (folder / "c.svg").read_bytes()


def test_standard_input_loses_one_line_end(_):
    """Case 86: what stands before it stays."""
    model = CASES / "086-pasted-windows-line-ends-and-tabs"
    model = model / "gpt2" if (model / "gpt2").exists() else model

    def ids(text):
        return [t["id"] for t in good("tokens", model, "-", "--json", stdin=text).json]

    plain = ids(b"a\nb")
    assert plain == [64, 198, 65]
    assert ids(b"a\nb\n") == plain == ids(b"a\nb\r\n")
    assert ids(b"a\nb\n\n") == plain + [198]
    assert ids(b"a\r\nb") == [64, 201, 198, 65]
    assert ids(b"a\tb") == [64, 197, 65]


def test_text_that_is_not_utf8_is_refused_alike_on_every_way_in(_):
    """Case 88."""
    for path in sorted((CASES / "088-text-that-is-not-valid-utf-8").glob("*.txt")):
        text = path.read_bytes()
        err = bad_input("tokens", FIXTURES / "gpt2", "-", stdin=text).err
        if path.stem == "utf16":
            assert "UTF-16" in err, err
        else:
            assert "byte" in err, err
        if b"\0" not in text:
            bad_input("tokens", FIXTURES / "gpt2", os.fsdecode(text))
        bad_input("predict", FIXTURES / "gpt2", "--lines", path)


def test_tokens_are_those_of_the_fixtures(_):
    for model in ("gpt2", "bert", "llama"):
        expected = json.loads((FIXTURES / model / "expect.json").read_text())
        for entry in expected["inputs"]:
            if entry["text"] is None:
                continue
            pair = [] if entry["pair"] is None else ["--pair", entry["pair"]]
            found = good("tokens", FIXTURES / model, "--json", *pair, "--", entry["text"]).json
            assert [t["id"] for t in found] == entry["ids"], entry["key"]


def test_token_says_its_bytes_and_its_place_in_the_text(_):
    found = good("tokens", FIXTURES / "gpt2", "the dog", "--json").json
    assert [t["index"] for t in found] == list(range(len(found)))
    assert bytes.fromhex("".join(t["bytes"] for t in found)) == b"the dog"
    assert found[0]["start"] == 0 and found[-1]["end"] == 7
    assert all(t["sequence"] == 0 for t in found)


def test_added_tokens_belong_to_no_sequence(_):
    found = good("tokens", FIXTURES / "bert", "the cat", "--pair", "it", "--json").json
    assert [t["sequence"] for t in found] == [-1, 0, 0, -1, 1, -1]
    assert found[0]["text"] == "[CLS]" and found[0]["start"] == -1 and found[0]["end"] == -1


def test_second_sentence_takes_part_in_the_attention(_):
    alone = good("matrix", FIXTURES / "bert", "the cat").rows
    both = good("matrix", FIXTURES / "bert", "the cat", "--pair", "it").rows
    assert (len(alone), len(both)) == (4, 6)
    assert good("info", FIXTURES / "bert", "--json").json["pair"] is True
    assert both == good("matrix", FIXTURES / "bert", "the cat", "--pair", "-", stdin=b"it\n").rows


def test_prediction_of_the_next_token_is_at_the_last_position(_):
    found = good("predict", FIXTURES / "gpt2", "the cat", "--json", "--top", "7").json
    n_tokens = len(good("tokens", FIXTURES / "gpt2", "the cat", "--json").json)
    assert [p["position"] for p in found["positions"]] == [n_tokens - 1]
    top = found["positions"][0]["top"]
    assert len(top) == 7 and "actual" not in found["positions"][0]
    probabilities = [t["probability"] for t in top]
    assert probabilities == sorted(probabilities, reverse=True)
    ratio = math.exp(top[1]["logit"] - top[0]["logit"])
    close(top[1]["probability"] / top[0]["probability"], ratio, 1e-5)


def test_probabilities_of_the_whole_vocabulary_sum_to_one(_):
    top = good("predict", FIXTURES / "gpt2", "the", "--json", "--top", "100000").json
    close(math.fsum(t["probability"] for t in top["positions"][0]["top"]), 1.0, 1e-5)


def test_all_positions_say_what_really_came_next(_):
    ids = [t["id"] for t in good("tokens", FIXTURES / "gpt2", "the cat on it", "--json").json]
    found = good("predict", FIXTURES / "gpt2", "the cat on it", "--all-positions", "--json").json
    positions = found["positions"]
    assert [p["position"] for p in positions] == list(range(len(ids)))
    assert [p["actual"]["id"] for p in positions[:-1]] == ids[1:]
    assert "actual" not in positions[-1]
    for position in positions[:-1]:
        for token in position["top"]:
            if token["id"] == position["actual"]["id"]:
                assert token["probability"] == position["actual"]["probability"]


def test_masked_model_predicts_each_mask(_):
    found = good("predict", FIXTURES / "bert", "the [MASK] sat [MASK]", "--json").json
    tokens = good("tokens", FIXTURES / "bert", "the [MASK] sat [MASK]", "--json").json
    masks = [t["index"] for t in tokens if t["text"] == "[MASK]"]
    assert len(masks) == 2
    assert [p["position"] for p in found["positions"]] == masks


def test_masked_model_without_a_mask_says_so(_):
    done = cli("predict", FIXTURES / "bert", "the cat", "--json")
    assert done.status == 0 and done.json == {"positions": []} and "[MASK]" in done.err


def test_each_line_of_a_file_is_one_object(folder):
    (folder / "lines").write_bytes("the cat\r\nit\nthe dog".encode())
    out = good("predict", FIXTURES / "gpt2", "--lines", folder / "lines").out
    lines = out.splitlines()
    assert len(lines) == 3
    for line, text in zip(lines, ("the cat", "it", "the dog")):
        assert line + "\n" == good("predict", FIXTURES / "gpt2", text, "--json").out


def test_what_if_moves_the_predictions(_):
    trained = good("predict", FIXTURES / "gpt2", "the cat on it", "--json").out
    assert trained == good("predict", FIXTURES / "gpt2", "the cat on it", "--json",
                           "--causal", "on").out
    assert trained != good("predict", FIXTURES / "gpt2", "the cat on it", "--json",
                           "--causal", "off").out


def test_info_says_sizes_scale_and_mask(_):
    found = good("info", FIXTURES / "gpt2", "--json").json
    assert found["family"] == "gpt2" and found["mask"] == "causal"
    assert (found["n_layers"], found["n_heads"], found["d_model"]) == (3, 4, 32)
    close(found["scale"], 1 / math.sqrt(8), 1e-7)
    assert found["predicts"] == "next" and "unrotated" not in found["stages"]
    llama = good("info", FIXTURES / "llama", "--json").json
    assert llama["n_kv_heads"] == 2 and "unrotated" in llama["stages"]
    assert good("info", FIXTURES / "bert", "--json").json["predicts"] == "masked"


def test_info_is_readable_without_json(_):
    out = good("info", "cat-chases-mouse").out
    assert "n_heads: 1\n" in out and "family: transformer\n" in out


def test_converted_model_has_the_same_numbers(folder):
    for model, text in (("gpt2", "the cat on it"), ("bert", "the cat"), ("llama", "the cat")):
        file = folder / f"{model}.json"
        good("convert", FIXTURES / model, "-o", file)
        for arguments in (["--all", "--format", "npy"], ["--all", "--stage", "masked"]):
            assert good("matrix", file, text, *arguments).bytes.replace(
                model.encode(), b"") == good("matrix", FIXTURES / model, text,
                                             *arguments).bytes.replace(model.encode(), b"")
        assert good("predict", file, text, "--all-positions", "--json").out == \
            good("predict", FIXTURES / model, text, "--all-positions", "--json").out


def test_converting_twice_changes_nothing(folder):
    good("convert", "cat-chases-mouse", "-o", folder / "a.json")
    good("convert", folder / "a.json", "-o", folder / "b.json")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    card = json.loads((folder / "a.json").read_text())
    assert card["format"] == "attnscope-model" and card["license"]
    assert all(set(t) == {"dtype", "shape", "data"} for t in card["tensors"].values())


def test_converted_tensors_have_the_same_bits(folder):
    """Half floats, too: the bundled model keeps its weights in them."""
    good("convert", "english-small", "-o", folder / "a.json")
    source = json.loads((ROOT / "models/english-small.json").read_text())
    found = json.loads((folder / "a.json").read_text())
    for key, value in source.items():
        assert found[key] == value, key


def test_runs_are_identical(_):
    """Cases 7 and 119."""
    first = good("matrix", FIXTURES / "gpt2", "the cat on it", "--all", "--format", "npy").bytes
    for n_threads in ("1", "2", "64"):
        assert first == good("matrix", FIXTURES / "gpt2", "the cat on it", "--all", "--format",
                             "npy", env={"OPENBLAS_NUM_THREADS": n_threads}).bytes


run_all(globals())
