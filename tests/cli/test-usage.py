#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Options, words and exit statuses."""

import re

from harness import ROOT, bad_input, cli, good, locale_env, run_all, wrong_usage

COMMANDS = ["models", "info", "tokens", "matrix", "render", "predict", "convert", "check"]


def test_program_lists_every_command_in_its_help(_):
    out = good("--help").out
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", out, re.MULTILINE), command


def test_each_command_has_help(_):
    for command in COMMANDS:
        assert f"attnscope-cli {command}" in good(command, "--help").out


def test_help_comes_before_missing_words(_):
    good("matrix", "english-small", "--help")


def test_version_is_that_of_the_build(_):
    version = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())[1]
    assert good("--version").out == f"attnscope-cli {version}\n"
    assert good("matrix", "--version").out == f"attnscope-cli {version}\n"


def test_no_command_is_wrong_usage(_):
    wrong_usage()


def test_unknown_command_is_named(_):
    assert "“matrx”" in wrong_usage("matrx").err


def test_long_options_are_never_abbreviated(_):
    for option in ("--lay", "--laye", "--all-pos", "--hel", "--vers", "--causa"):
        wrong_usage("matrix", "cat-chases-mouse", "猫", option, "0")
        wrong_usage(option)


def test_options_of_other_commands_are_unknown(_):
    wrong_usage("matrix", "cat-chases-mouse", "猫", "--top", "3")
    wrong_usage("models", "--json")
    wrong_usage("predict", "cat-chases-mouse", "猫", "--layer", "0")


def test_options_that_do_not_exist_yet_are_unknown(_):
    for option in ("--window", "--dilation", "--global", "--padding", "--head-gain", "--dropout",
                   "--seed", "--position", "--attention"):
        wrong_usage("matrix", "cat-chases-mouse", "猫", option, "1")


def test_option_takes_its_value_in_the_same_word_or_the_next(_):
    a = good("matrix", "cat-chases-mouse", "猫 追", "--stage", "scaled").out
    assert a == good("matrix", "cat-chases-mouse", "猫 追", "--stage=scaled").out
    assert a == good("matrix", "--stage=scaled", "cat-chases-mouse", "猫 追").out


def test_short_output_option_takes_its_value_in_either_way(folder):
    good("matrix", "cat-chases-mouse", "猫", "-o", folder / "a.csv")
    good("matrix", "cat-chases-mouse", "猫", f"-o{folder / 'b.csv'}")
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()


def test_last_of_an_option_given_twice_counts(_):
    once = good("matrix", "cat-chases-mouse", "猫 追", "--stage", "scaled").out
    assert once == good("matrix", "cat-chases-mouse", "猫 追", "--stage", "dot",
                        "--stage", "scaled").out


def test_option_without_its_value_is_wrong_usage(_):
    assert "--layer" in wrong_usage("matrix", "cat-chases-mouse", "猫", "--layer").err
    assert "--output" in wrong_usage("matrix", "cat-chases-mouse", "猫", "-o", "").err
    assert "--lines" in wrong_usage("predict", "six-tokens", "--lines=").err


def test_wrong_usage_points_to_the_help_that_tells_more(_):
    assert "(attnscope-cli matrix --help tells more)" in wrong_usage("matrix").err
    assert "(attnscope-cli --help tells more)" in wrong_usage("matrx").err
    assert "(attnscope-cli --help tells more)" in wrong_usage().err


def test_help_has_no_space_at_the_end_of_a_line(_):
    for command in COMMANDS:
        out = good(command, "--help").out
        assert all(line == line.rstrip() for line in out.splitlines()), out


def test_flag_with_a_value_is_wrong_usage(_):
    wrong_usage("matrix", "cat-chases-mouse", "猫", "--all=yes")


def test_missing_and_extra_words_are_wrong_usage(_):
    assert "MODEL" in wrong_usage("matrix").err
    assert "TEXT" in wrong_usage("matrix", "cat-chases-mouse").err
    assert "“c”" in wrong_usage("matrix", "cat-chases-mouse", "猫", "c").err
    wrong_usage("models", "x")


def test_values_outside_their_range_are_wrong_usage(_):
    for option, value in [("--layer", "-1"), ("--layer", "1.5"), ("--layer", "x"),
                          ("--layer", ""), ("--head", "99999999999999999999"),
                          ("--stage", "Pattern"), ("--stage", "window"), ("--format", "xls"),
                          ("--causal", "yes"), ("--scale-by", "1,5"), ("--scale-by", "inf"),
                          ("--scale-by", "0x1p3"), ("--scale-by", "nan"), ("--scale-by", "1e99"),
                          ("--temperature", "0"), ("--temperature", "-1"),
                          ("--temperature", "hot"), ("--temperature", " 1"),
                          ("--scope", "layer")]:
        done = wrong_usage("matrix", "cat-chases-mouse", "猫", option, value)
        assert option in done.err, done.err


def test_options_that_exclude_each_other_are_wrong_usage(folder):
    for options in (["--strip", "--all"], ["--strip", "--stage", "dot"], ["--all", "--layer", "0"],
                    ["--zoom", "2", "--dpi", "300"], ["--zoom", "2", "--width", "80"]):
        wrong_usage("render", "cat-chases-mouse", "猫", "-o", folder / "a.png", *options)
    assert not (folder / "a.png").exists()


def test_render_and_convert_need_a_file(folder):
    wrong_usage("render", "cat-chases-mouse", "猫")
    wrong_usage("render", "cat-chases-mouse", "猫", "-o", folder / "a.gif")
    wrong_usage("convert", "cat-chases-mouse")


def test_predict_takes_either_a_text_or_lines(folder):
    (folder / "lines").write_text("猫\n")
    wrong_usage("predict", "cat-chases-mouse")
    wrong_usage("predict", "cat-chases-mouse", "猫", "--lines", folder / "lines")


def test_standard_input_gives_one_text_only(_):
    wrong_usage("matrix", "six-tokens", "-", "--pair", "-", stdin=b"the")
    wrong_usage("predict", "six-tokens", "--lines", "-", "--pair", "-", stdin=b"the")


def test_predict_refuses_the_scope_that_leaves_predictions_alone(_):
    assert "--scope" in wrong_usage("predict", "six-tokens", "the", "--scope", "head").err


def test_layer_and_head_that_do_not_exist_are_bad_input(_):
    assert "layer 9" in bad_input("matrix", "cat-chases-mouse", "猫", "--layer", "9").err
    assert "head 7" in bad_input("matrix", "cat-chases-mouse", "猫", "--head", "7").err


def test_stage_that_the_model_lacks_is_bad_input(_):
    assert "unrotated" in bad_input("matrix", "cat-chases-mouse", "猫", "--stage",
                                    "unrotated").err


def test_unknown_model_is_bad_input_and_the_bundled_ones_are_named(_):
    err = bad_input("info", "no-such-model").err
    assert "“no-such-model”" in err and "cat-chases-mouse" in err


def test_own_models_are_named_where_none_is_found(folder):
    models = folder / "attnscope/models"
    models.mkdir(parents=True)
    (models / "mine.gguf").write_bytes(b"GGUF")
    env = {"XDG_DATA_HOME": str(folder)}
    assert "mine" in bad_input("info", "no-such-model", env=env).err


def test_convert_does_not_write_json_under_another_formats_name(folder):
    for name in ["a.gguf", "a.safetensors"]:
        err = wrong_usage("convert", "cat-chases-mouse", "-o", folder / name).err
        assert ".json" in err and not (folder / name).exists()


def test_models_are_listed_one_a_line_with_their_sizes(folder):
    lines = good("models").out.splitlines()
    names = [line.split()[0] for line in lines]
    assert "cat-chases-mouse" in names and "six-tokens" in names
    assert names == sorted(names) and "model.schema" not in names
    small = next(line for line in lines if line.startswith("english-small "))
    assert "4 × 6" in small and "MB" in small and "A small English GPT-2" in small, small
    env = locale_env(folder, "zh_CN")
    chinese = good("models", env=env).out
    assert "一个小型英语 GPT-2" in chinese and "。" not in chinese, chinese


def test_existing_file_comes_before_a_bundled_name(folder):
    (folder / "six-tokens").write_text("{}")
    bad_input("info", "six-tokens", cwd=folder)


def test_text_that_begins_with_a_dash_stands_after_two(_):
    wrong_usage("tokens", "six-tokens", "-x")
    done = cli("tokens", "six-tokens", "--", "-x")
    assert done.status in (0, 1)


def test_messages_and_help_are_translated(folder):
    env = locale_env(folder, "zh_CN")
    assert "matrx" in wrong_usage("matrx", env=env).err
    assert wrong_usage("matrx", env=env).err != wrong_usage("matrx").err
    assert "注意力" in good("--help", env=env).out
    assert "模型" in bad_input("info", "no-such-model", env=env).err


def test_help_is_printed_in_utf8_in_every_locale(_):
    assert good("matrix", "--help", env={"LC_ALL": "C"}).out == good("matrix", "--help").out


run_all(globals())
