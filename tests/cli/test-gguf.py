#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""GGUF files: the same model as the folder they were made from, and files that are broken."""

import json
import sys

from harness import FIXTURES, ROOT, bad_input, good, read_npy, run_all

sys.path.insert(0, str(ROOT / "tests/support"))
# pylint: disable=wrong-import-position
import gguf_file


def fixtures(folder):
    """Each fixture that has a GGUF file: a folder as GGUF can express it, and that file."""
    for source in sorted(FIXTURES.iterdir()):
        config = gguf_file.express(json.loads((source / "config.json").read_text("utf-8")))
        if config is None:
            continue
        copy = folder / source.name
        copy.mkdir(exist_ok=True)
        (copy / "config.json").write_text(json.dumps(config))
        for name in ("tokenizer.json", "model.safetensors"):
            if not (copy / name).exists():
                (copy / name).symlink_to(source / name)
        path = folder / f"{source.name}.gguf"
        path.write_bytes(gguf_file.convert_folder(copy))
        yield copy, path


def has_words(source):
    """Whether the fixture's tokenizer is one that GGUF has no like for."""
    return json.loads((source / "tokenizer.json").read_text("utf-8"))["model"]["type"] == "WordLevel"


def with_tokenizer_of(source, path):
    """The model of the GGUF file as JSON, with the folder's tokenizer."""
    out = path.with_suffix(".json")
    good("convert", path, "-o", out)
    model = json.loads(out.read_text("utf-8"))
    model["tokenizer"] = json.loads((source / "tokenizer.json").read_text("utf-8"))
    out.write_text(json.dumps(model))
    return out


def patterns(model, text):
    return read_npy(good("matrix", model, text, "--all", "--format", "npy").bytes)


def test_every_pattern_is_that_of_the_folder(folder):
    n_models = 0
    for source, path in fixtures(folder):
        inputs = json.loads((FIXTURES / source.name / "expect.json").read_text("utf-8"))["inputs"]
        n_ctx = good("info", source, "--json").json["n_ctx"] or 1024
        # A padding that is typed has a row of its own in RoBERTa, which a GGUF file leaves out.
        text = max((case["text"] for case in inputs if case["text"] and not case["pair"]
                    and len(case["ids"]) <= n_ctx and "<pad>" not in case["text"]), key=len)
        model = with_tokenizer_of(source, path) if has_words(source) else path
        expected, found = patterns(source, text), patterns(model, text)
        assert found[0] == expected[0], source.name
        # Gemma's norms lose a bit when 1 is added and taken away.
        tolerance = 1e-5 if source.name.startswith("gemma") else 0
        assert max(abs(a - b) for a, b in zip(found[1], expected[1])) <= tolerance, source.name
        n_models += 1
    assert n_models >= 6, n_models


def test_queries_keys_and_values_may_be_one_tensor(folder):
    """Of all architectures whose folder has three: Phi-2 with biases, Llama with rows moved."""
    architectures = set()
    for source, path in fixtures(folder):
        data = gguf_file.convert_folder(source, gguf_file.fuse_qkv)
        if b"attn_qkv" not in data or b"attn_qkv" in path.read_bytes():
            continue
        fused = folder / f"{source.name}-fused.gguf"
        fused.write_bytes(data)
        assert patterns(fused, "the cat") == patterns(path, "the cat"), source.name
        expected, found = good("info", path, "--json").json, good("info", fused, "--json").json
        assert {key for key in expected if expected[key] != found[key]} <= {"name", "path"}
        architectures.add(expected["family"])
    assert {"phi", "llama", "qwen2", "bert"} <= architectures, architectures


def test_queries_keys_and_values_of_phi3_may_be_three_tensors(folder):
    def part(tensors):
        return gguf_file.part_qkv(tensors, [16, 8, 8])

    source, whole, apart = FIXTURES / "phi3", folder / "whole.gguf", folder / "apart.gguf"
    whole.write_bytes(gguf_file.convert_folder(source))
    apart.write_bytes(gguf_file.convert_folder(source, part))
    assert b"attn_qkv" in whole.read_bytes() and b"attn_qkv" not in apart.read_bytes()
    assert patterns(apart, "the cat") == patterns(whole, "the cat")
    good("convert", apart, "-o", folder / "apart.json")
    assert patterns(folder / "apart.json", "the cat") == patterns(whole, "the cat")

    apart.write_bytes(gguf_file.convert_folder(
        source, lambda tensors: [t for t in part(tensors) if t[0] != "blk.1.attn_k.weight"]))
    error = bad_input("matrix", apart, "the cat").err
    assert "apart.gguf: the model has no tensor “model.layers.1.self_attn.k_proj.weight”" in error, error


def test_rows_that_the_heads_do_not_have_are_refused(folder):
    def cut(tensors):
        return [(name, [shape[0] - 1, *shape[1:]], kind, data) if "attn_qkv" in name
                else (name, shape, kind, data) for name, shape, kind, data
                in gguf_file.fuse_qkv(tensors)]

    path = folder / "cut.gguf"
    path.write_bytes(gguf_file.convert_folder(FIXTURES / "phi", cut))
    assert "tensor “blk.0.attn_qkv.bias” of F32 has 47 rows, expected the 48 of queries, keys " \
        "and values" in bad_input("info", path).err


def test_sizes_and_settings_are_those_of_the_folder(folder):
    # GGUF has no head that fills masks, and no pooler.
    other = {"name", "path", "license", "n_parameters", "unembed", "predicts", "warnings", "pair"}
    for source, path in fixtures(folder):
        expected, found = good("info", source, "--json").json, good("info", path, "--json").json
        # RoBERTa without the rows that it does not use is a BERT, and so is DistilBERT.
        ours = {"family"} if expected["family"] in ("roberta", "xlm-roberta", "distilbert") else set()
        for key in (expected.keys() | found.keys()) - other - ours:
            assert found.get(key) == expected.get(key), (source.name, key, found, expected)


def tokens_of(model, *text):
    """RoBERTa's places without blanks, as real files have them; the fixture's keep them."""
    tokens = good("tokens", model, *text, "--json").json
    for token in tokens:
        if "roberta" in str(model):
            token.pop("start")
    return tokens


def test_tokens_are_those_of_the_folder(folder):
    text = "The cat's 12 mats — café\n\n  Don't! 猫 [MASK]<s>"
    for source, path in fixtures(folder):
        if not has_words(source):
            expected, found = tokens_of(source, text), tokens_of(path, text)
            assert found == expected, source.name


def test_converted_file_is_the_same_model(folder):
    (folder / "llama.gguf").write_bytes(gguf_file.convert_folder(FIXTURES / "llama"))
    good("convert", folder / "llama.gguf", "-o", folder / "llama.json")
    assert patterns(folder / "llama.json", "the cat") == patterns(folder / "llama.gguf", "the cat")
    written = json.loads((folder / "llama.json").read_text("utf-8"))
    assert {tensor["dtype"] for tensor in written["tensors"].values()} == {"F32"}


def test_pairs_are_those_of_the_folder(folder):
    for source, path in fixtures(folder):
        if source.name in ("bert", "roberta", "roberta-odd", "distilbert"):
            pair = ("the cat", "--pair", " it sat")
            assert tokens_of(path, *pair) == tokens_of(source, *pair), source.name


# WordPiece.


def test_a_file_may_say_whether_letters_are_made_small(folder):
    tokenizer = json.loads((FIXTURES / "bert/tokenizer.json").read_text("utf-8"))
    values = gguf_file.convert_tokenizer(tokenizer)
    path = folder / "cased.gguf"
    key = "tokenizer.ggml.normalizer."
    for extra, expected in (({}, "cafe"), ({key + "lowercase": False}, "[UNK]"),
                            ({key + "strip_accents": False}, "c ##a ##f ##é")):
        path.write_bytes(gguf_file.tiny_llama(values, extra))
        tokens = good("tokens", path, "Café", "--json").json
        assert " ".join(token["text"] for token in tokens) == f"[CLS] {expected} [SEP]", expected


# Unigram.


def check_unigram(folder, kind):
    source = ROOT / "tests/fixtures/tokenizers" / kind
    path = folder / f"{kind}.gguf"
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf-8"))
    path.write_bytes(gguf_file.tiny_llama(gguf_file.convert_tokenizer(tokenizer)))
    texts = json.loads((source.parents[1] / "texts.json").read_text("utf-8"))["texts"]
    for entry in json.loads((source / "expect.json").read_text("utf-8"))["texts"][::7]:
        text = texts[entry["text"]]
        if text["pair"] is None:
            found = good("tokens", path, "--json", "--", text["text"]).json
            assert [token["id"] for token in found] == entry["ids"], text
            places = [token[end] for token in found for end in ("start", "end")]
            assert places == entry["offsets"], text


def test_unigram_pieces_of_single_spaced_texts_are_the_reference_s(folder):
    check_unigram(folder, "unigram-xlmr")


def test_unigram_pieces_of_texts_as_they_are_are_the_reference_s(folder):
    check_unigram(folder, "unigram-t5")


# Parts.


def write_parts(folder, name="big", n_first=0):
    """A Llama with factors of RoPE in three parts."""
    source = folder / "source"
    source.mkdir(exist_ok=True)
    config = json.loads((FIXTURES / "llama/config.json").read_text("utf-8"))
    config["rope_parameters"] = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0,
                                 "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                 "original_max_position_embeddings": 16}
    (source / "config.json").write_text(json.dumps(config))
    for file in ("tokenizer.json", "model.safetensors"):
        if not (source / file).exists():
            (source / file).symlink_to(FIXTURES / "llama" / file)
    paths = [folder / f"{name}-{i + 1:05}-of-00003.gguf" for i in range(3)]
    for path, data in zip(paths, gguf_file.split_folder(source, 3, n_first)):
        path.write_bytes(data)
    return source, paths


def test_parts_are_one_model(folder):
    source, paths = write_parts(folder)
    whole = folder / "whole.gguf"
    whole.write_bytes(gguf_file.convert_folder(source))
    expected = patterns(whole, "the cat on the mat")
    assert patterns(paths[0], "the cat on the mat") == expected
    size = good("info", paths[0], "--json").json
    assert size["n_parameters"] == good("info", whole, "--json").json["n_parameters"]
    _, paths = write_parts(folder, "other", 4)
    assert patterns(paths[0], "the cat on the mat") == expected


def test_parts_that_do_not_belong_together_are_named(folder):
    _, paths = write_parts(folder)
    found = bad_input("info", paths[2]).err
    assert "is part 3 of 3 of a model; open the first, big-00001-of-00003.gguf" in found
    data = paths[1].read_bytes()
    paths[1].unlink()
    assert "the folder has no big-00002-of-00003.gguf, one of the 3 parts of this model" in \
        bad_input("info", paths[0]).err
    paths[1].write_bytes(paths[2].read_bytes())
    assert "big-00002-of-00003.gguf: the file is part 3 of 3 of a model, expected part 2 of 3" in \
        bad_input("info", paths[0]).err
    paths[1].write_bytes(data[:-1])
    assert "big-00002-of-00003.gguf: tensor “" in bad_input("info", paths[0]).err
    paths[1].write_bytes(gguf_file.gguf({"split.no": 1, "split.count": 3}, []))
    assert "“split.tensors.count” is " in bad_input("info", paths[0]).err
    paths[1].write_bytes(data)
    paths[0] = paths[0].rename(folder / "renamed.gguf")
    assert "its name does not end in -00001-of-00003.gguf" in bad_input("info", paths[0]).err
    paths[0].write_bytes(gguf_file.gguf({"split.no": 3, "split.count": 3}, []))
    assert "“split.no” is 3 and “split.count” is 3" in bad_input("info", paths[0]).err


# SentencePiece.

SPACE = "\u2581"
CORPUS = ("the cat sat on the mat because it was tired and the dog that chased the cat did not "
          "sit; then they went to the theatre in town, and all that they saw there was a cat. " * 2)
PIECE_TEXTS = ["the cat", " the  cat ", "that theatre", "aaaa", "Zoë’s\n\tcat", "猫追 the 👍🏽", "x"]


def train_pieces(n_merges):
    """Pieces in the order in which pairs become frequent, as SentencePiece's BPE makes them."""
    words = [list(SPACE + word) for word in CORPUS.split()]
    pieces = []
    for _ in range(n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        left, right = max(counts, key=lambda pair: (counts[pair], pair))
        pieces.append(left + right)
        for word in words:
            for i in range(len(word) - 2, -1, -1):
                if i + 1 < len(word) and word[i] == left and word[i + 1] == right:
                    word[i:i + 2] = [left + right]
    return list(dict.fromkeys(pieces))


def piece_vocabulary():
    pieces = train_pieces(60)
    letters = sorted(set(CORPUS.replace(" ", SPACE)))
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *pieces, *letters]
    n_first = len(tokens) - len(pieces) - len(letters)
    scores = [0.0] * n_first + [-float(i) for i in range(len(pieces) + len(letters))]
    return {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.scores": scores, "tokenizer.ggml.bos_token_id": 1,
            "tokenizer.ggml.token_type": [2, 3, 3] + [6] * 256 + [1] * (len(tokens) - n_first)}


def best_pieces(text, vocabulary):
    """SentencePiece's own rule: join the two neighbours whose piece has the highest score, the
    first of them if several have, until no two make a piece; what is none becomes bytes."""
    tokens = vocabulary["tokenizer.ggml.tokens"]
    ids = {piece: number for number, piece in enumerate(tokens)}
    scores = vocabulary["tokenizer.ggml.scores"]
    symbols = list(text.replace(" ", SPACE))
    while True:
        joined = [(scores[ids[a + b]], -i) for i, (a, b) in enumerate(zip(symbols, symbols[1:]))
                  if a + b in ids]
        if not joined:
            break
        i = -max(joined)[1]
        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
    return [number for symbol in symbols for number in
            ([ids[symbol]] if symbol in ids else [3 + byte for byte in symbol.encode("utf-8")])]


def found_ids(path, text):
    return [token["id"] for token in good("tokens", path, "--json", "--", text).json]


def test_pieces_are_joined_by_their_scores(folder):
    path, vocabulary = folder / "pieces.gguf", piece_vocabulary()
    path.write_bytes(gguf_file.tiny_llama(vocabulary))
    for text in PIECE_TEXTS:
        assert found_ids(path, text) == [1, *best_pieces(" " + text, vocabulary)], text


def test_prefix_and_first_token_are_left_out_where_the_file_says_so(folder):
    path, vocabulary = folder / "pieces.gguf", piece_vocabulary()
    path.write_bytes(gguf_file.tiny_llama(vocabulary, {
        "tokenizer.ggml.add_space_prefix": False, "tokenizer.ggml.add_bos_token": False,
        "tokenizer.ggml.add_eos_token": True, "tokenizer.ggml.eos_token_id": 2}))
    for text in PIECE_TEXTS:
        assert found_ids(path, text) == [*best_pieces(text, vocabulary), 2], text


def test_tokens_of_phi_3_take_the_blanks_behind_them(folder):
    """As its tokenizer.json says, and GGUF does not."""
    tokens = ["<unk>", "<s>", "</s>", "<|user|>", SPACE, "t", "h", "e", "th", "the", SPACE + "the"]
    vocabulary = {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens,
                  "tokenizer.ggml.token_type": [2, 3, 3, 3] + [1] * (len(tokens) - 4),
                  "tokenizer.ggml.scores": [-float(i) for i in range(len(tokens))],
                  "tokenizer.ggml.bos_token_id": 1}
    values, tensors = gguf_file.read_folder(FIXTURES / "phi3")
    values = {key: value for key, value in values.items() if not key.startswith("tokenizer.")}
    path = folder / "phi3.gguf"
    path.write_bytes(gguf_file.gguf(values | vocabulary, tensors))
    found = good("tokens", path, "<|user|>   the", "--json").json
    assert [token["text"] for token in found] == ["<s>", "<|user|>", SPACE + "the"], found
    assert found[1]["end"] == 11, found
    path.write_bytes(gguf_file.tiny_llama(vocabulary))
    found = good("tokens", path, "<|user|>   the", "--json").json
    assert found[1]["end"] == 8, found


# Ways of splitting.


def splits(kind):
    tokenizer = json.loads((FIXTURES / "gpt2/tokenizer.json").read_text("utf-8"))
    values = gguf_file.convert_tokenizer(tokenizer) | {"tokenizer.ggml.pre": kind,
                                                       "tokenizer.ggml.add_bos_token": False}
    values["tokenizer.ggml.tokens"] += ["12", "123", "1234", ".\u010a"]
    values["tokenizer.ggml.token_type"] += [1] * 4
    values["tokenizer.ggml.merges"] += ["1 2", "12 3", "123 4", ". \u010a"]
    return gguf_file.tiny_llama(values)


def test_digits_and_line_ends_are_split_as_the_kind_says(folder):
    path = folder / "splits.gguf"
    kinds = {"gpt-2": ["1234"], "llama-bpe": ["123", "4"], "qwen2": ["1", "2", "3", "4"],
             "smollm": ["1", "2", "3", "4"], "gpt-4o": ["123", "4"], "tekken": ["1", "2", "3", "4"],
             "deepseek-coder": ["1", "2", "3", "4"], "bloom": ["1234"]}
    for kind, expected in kinds.items():
        path.write_bytes(splits(kind))
        tokens = good("tokens", path, "1234", "--json").json
        assert [token["text"] for token in tokens] == expected, kind
        tokens = good("tokens", path, "The cat's 12 mats.\n\n  Don't! 猫 é", "--json").json
        text = b"".join(bytes.fromhex(token["bytes"]) for token in tokens)
        assert text.decode("utf-8") == "The cat's 12 mats.\n\n  Don't! 猫 é", kind
        ends = [token for token in tokens if token["text"] == ".\u010a"]
        assert (len(ends) == 1) == (kind in ("llama-bpe", "qwen2", "gpt-4o", "tekken", "bloom")), kind


def test_splitting_and_tokenizer_that_are_not_known_are_named(folder):
    path = folder / "other.gguf"
    path.write_bytes(splits("chameleon"))
    assert "“tokenizer.ggml.pre” is “chameleon”" in bad_input("info", path).err
    path.write_bytes(gguf_file.tiny_llama(piece_vocabulary() | {"tokenizer.ggml.model": "rwkv"}))
    assert "“tokenizer.ggml.model” is “rwkv”" in bad_input("info", path).err


def test_tensor_of_a_type_that_cannot_be_read_is_named(folder):
    path = folder / "q2.gguf"
    path.write_bytes(gguf_file.tiny_llama(
        piece_vocabulary(), tensors=[("output.weight", [1, 256], 10, bytes(84))]))
    assert "tensor “output.weight” is of type Q2_K, which is not supported" in \
        bad_input("info", path).err


def test_tensor_that_no_family_has_is_a_warning(folder):
    path = folder / "extra.gguf"
    path.write_bytes(gguf_file.tiny_llama(
        piece_vocabulary(), tensors=[("blk.0.extra.weight", [1], gguf_file.F32, bytes(4))]))
    assert "blk.0.extra.weight" in str(good("info", path, "--json").json["warnings"])


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
