#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Files: broken ones that come in, and places where nothing can be written."""

import json
import os
import resource
import subprocess
import sys
import time

from harness import (CASES, FIXTURES, PROGRAM, ROOT, Skip, bad_input, cli, good,
                     has_address_sanitizer, read_png, run_all)

CAT = ("cat-chases-mouse", "猫 追 老鼠")


def outputs(folder):
    """A command for each format that is written, with its file's name."""
    for kind in ("png", "svg", "pdf"):
        yield ["render", *CAT], folder / f"picture.{kind}"
    for kind in ("csv", "json", "npy"):
        yield ["matrix", *CAT, "--format", kind], folder / f"matrix.{kind}"
    yield ["convert", CAT[0]], folder / "model.json"


def test_missing_folder_is_named_with_the_reason(folder):
    """Case 104."""
    for command, path in outputs(folder / "nowhere"):
        err = bad_input(*command, "-o", path).err
        assert str(path) in err and "No such file" in err, err
    assert list(folder.iterdir()) == []


def test_folder_that_stands_in_the_way_is_refused(folder):
    for command, path in outputs(folder):
        path.mkdir()
        bad_input(*command, "-o", path)
        path.rmdir()
    assert list(folder.iterdir()) == []


def test_full_disk_is_an_error_in_every_format(folder):
    for command, path in outputs(folder):
        path.symlink_to("/dev/full")
        assert "space" in bad_input(*command, "-o", path).err
        assert path.is_symlink()


def test_standard_output_that_is_full_is_an_error(_):
    for command in (["models"], ["info", CAT[0]], ["tokens", *CAT], ["matrix", *CAT],
                    ["predict", FIXTURES / "gpt2", "the"], ["--help"], ["--version"]):
        with open("/dev/full", "wb") as full:
            done = cli(*command, stdout=full)
        assert done.status == 1 and "space" in done.err, (command, done.status, done.err)


def test_closed_standard_output_is_an_error(_):
    command = [PROGRAM, "matrix", *CAT]
    done = subprocess.run(["sh", "-c", '"$0" "$@" >&-', *command], capture_output=True, check=False)
    assert done.returncode == 1 and done.stderr.count(b"\n") == 1, done


def test_read_only_folder_leaves_the_old_file_untouched(folder):
    if os.geteuid() == 0:
        raise Skip("root may write everywhere")
    for command, path in outputs(folder):
        path.write_text("old")
        folder.chmod(0o555)
        try:
            bad_input(*command, "-o", path)
        finally:
            folder.chmod(0o755)
        assert path.read_text() == "old"
        path.unlink()


def limit_file_size():
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_disk_that_fills_up_leaves_the_old_file_untouched(folder):
    for command, path in outputs(folder):
        path.write_text("old")
        done = subprocess.run([PROGRAM, *map(os.fspath, command), "-o", path], capture_output=True,
                              preexec_fn=limit_file_size, check=False)
        assert done.returncode == 1, (command, done)
        assert path.read_text() == "old"
        path.unlink()
    assert list(folder.iterdir()) == [], "leftovers"


def test_existing_file_is_replaced_as_a_whole(folder):
    for command, path in outputs(folder):
        path.write_text("old" * 100000)
        good(*command, "-o", path)
        assert not path.read_bytes().startswith(b"old")


def test_failing_run_leaves_the_old_file_untouched(folder):
    for command, path in outputs(folder):
        path.write_text("old")
        bad_input(command[0], folder / "none", *command[2:], "-o", path)
        assert path.read_text() == "old"


def test_pipe_is_written_to_directly(folder):
    pipe = folder / "pipe.png"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        good("render", *CAT, "-o", pipe)
        read_png(reader.communicate()[0])


def test_pictures_are_what_their_names_say(folder):
    good("render", *CAT, "-o", folder / "a.png")
    width, height, texts = read_png((folder / "a.png").read_bytes())
    assert width > 50 and height > 50 and any("猫" in text for text in texts.values()), texts
    good("render", *CAT, "--strip", "-o", folder / "a.svg")
    svg = (folder / "a.svg").read_text()
    assert svg.startswith("<?xml") and "<metadata" in svg and "nan" not in svg.lower()
    good("render", *CAT, "--all", "-o", folder / "a.pdf")
    pdf = (folder / "a.pdf").read_bytes()
    assert pdf.startswith(b"%PDF") and b"%%EOF" in pdf[-10:]


def test_every_way_to_draw_works(folder):
    for options in (["--stage", "dot"], ["--strip"], ["--all"], ["--all", "--stage", "masked"],
                    ["--layer", "1", "--head", "2", "--causal", "off"], ["--log"],
                    ["--range", "shared", "--all"], ["--colormap", "magma"],
                    ["--colormap", "cividis", "--scale-by", "none"], ["--temperature", "0.1"]):
        good("render", FIXTURES / "gpt2", "the cat on it", *options, "-o", folder / "a.png")
        read_png((folder / "a.png").read_bytes())


def test_size_follows_zoom_width_and_dpi(folder):
    def size(*options):
        good("render", *CAT, *options, "-o", folder / "a.png")
        return read_png((folder / "a.png").read_bytes())[:2]

    small, big = size("--zoom", "1"), size("--zoom", "4")
    assert big[0] > 2 * small[0] and big[1] > 2 * small[1]
    width = size("--width", "100", "--dpi", "254")[0]
    assert abs(width - 1000) <= 1, width
    assert abs(size("--dpi", "192")[0] - 2 * size("--dpi", "96")[0]) <= 2


def test_picture_beyond_cairos_limit_is_refused_with_numbers(folder):
    """Case 103."""
    err = bad_input("render", *CAT, "--width", "10000", "--dpi", "300", "-o",
                    folder / "a.png").err
    assert "32" in err and "767" in err, err
    assert list(folder.iterdir()) == []


def test_picture_of_many_tokens_is_drawn_or_refused(folder):
    """Case 103: 700 tokens; an SVG has no limit."""
    model = CASES / "049-decimal-comma-locale/model.json"
    text = "a " * 700
    done = cli("render", model, text, "--zoom", "8", "-o", folder / "a.png")
    assert done.status in (0, 1)
    assert (folder / "a.png").exists() == (done.status == 0)
    if done.status == 0:
        read_png((folder / "a.png").read_bytes())
    good("render", model, text, "-o", folder / "a.svg")
    assert (folder / "a.svg").read_text().rstrip().endswith("</svg>")


def test_picture_of_equal_values_has_no_nan(folder):
    """Case 92."""
    model = CASES / "092-all-values-equal.model.json"
    for stage in ("dot", "pattern"):
        good("render", model, "a b c", "--stage", stage, "-o", folder / "a.svg")
        assert "nan" not in (folder / "a.svg").read_text().lower()


def test_text_around_the_document_is_refused_with_its_place(_):
    """Case 56."""
    folder = CASES / "056-byte-order-mark-trailing-garbage"
    assert good("matrix", folder / "model-bom.json", "a b c").rows == \
        good("matrix", CASES / "049-decimal-comma-locale/model.json", "a b c").rows
    assert "UTF-16" in bad_input("info", folder / "model-utf16.json").err
    assert "empty" in bad_input("info", folder / "model-blank.json").err
    for name in ("trailing", "twice", "single_quotes", "comment"):
        err = bad_input("info", folder / f"model-{name}.json").err
        assert f"model-{name}.json" in err and "line" in err, err


def test_broken_files_of_every_sort_are_refused_in_a_sentence(_):
    """Whatever is wrong: a sentence that names the file, never a crash."""
    for pattern in ("03*", "04*", "05[0235689]*"):
        for case in sorted(CASES.glob(pattern)):
            for path in [case] if case.is_file() else sorted(case.iterdir()):
                if path.suffix == ".py" or path.name in ("expect.json", "neutral.json"):
                    continue
                done = cli("info", path)
                assert done.status in (0, 1), (path, done.status, done.err)
                if done.status == 1:
                    # A file of weights is refused with its folder where that is at fault.
                    assert done.err.count("\n") == 1 and case.name in done.err, (path, done.err)


def write_plain_model(path, n_words, width):
    """A model whose embedding is written as plain numbers: n_words × width of them."""
    numbers = [[round(((i * 7919 + j * 104729) % 2003 - 1001) / 1e6, 6) for j in range(width)]
               for i in range(n_words)]
    square = [[[float(i == j) for j in range(width)] for i in range(width)]]
    path.write_text(json.dumps({
        "format": "attnscope-model", "version": 1,
        "config": {"model_type": "transformer", "vocab_size": n_words, "hidden_size": width,
                   "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1,
                   "head_dim": width, "v_head_dim": width, "intermediate_size": 0,
                   "norm": "none", "final_norm": False, "positions": "none", "causal": True,
                   "attention_scale": "sqrt", "unembed": "none"},
        "tokenizer": {"pre_tokenizer": {"type": "WhitespaceSplit"},
                      "model": {"type": "WordLevel", "unk_token": "w0",
                                "vocab": {f"w{i}": i for i in range(n_words)}}},
        "tensors": {"embed.W_E": numbers,
                    **{f"blocks.0.attn.W_{x}": square for x in "QKVO"}}}))


def test_half_a_million_plain_numbers_load_quickly_in_little_memory(folder):
    """Case 58."""
    write_plain_model(folder / "big.json", 8192, 64)
    start = time.monotonic()
    with subprocess.Popen([PROGRAM, "info", folder / "big.json"], stdout=subprocess.PIPE) as child:
        assert b"n_parameters" in child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    if has_address_sanitizer():
        return
    # Two seconds on an idle machine; tests run beside others.
    assert time.monotonic() - start < 6
    assert usage.ru_maxrss < 120 * 1024, f"{usage.ru_maxrss} KiB"


def test_model_that_is_a_device_or_a_folder_without_files_is_refused(folder):
    bad_input("info", folder)
    bad_input("info", "/dev/null")


def test_runs_within_little_memory(folder):
    """A broken header must not make the program ask for what it says."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    if has_address_sanitizer():
        raise Skip("the address sanitizer needs more")
    for path in sorted(CASES.glob("031*/*")) + sorted(CASES.glob("040*/*")):
        done = subprocess.run([PROGRAM, "info", path], capture_output=True, preexec_fn=limit,
                              check=False)
        assert done.returncode in (0, 1), (path, done)


def test_model_built_by_hand_is_what_its_script_writes(folder):
    script = ROOT / "models/recipe/induction_by_hand.py"
    subprocess.run([sys.executable, script, "-o", folder / "model.json"], check=True)
    written = (folder / "model.json").read_text(encoding="utf-8")
    assert written == (ROOT / "models/induction-by-hand.json").read_text(encoding="utf-8")


run_all(globals())
