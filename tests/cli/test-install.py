#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""An installation finds what belongs to it, wherever it stands."""

import os
import shutil
import subprocess

from harness import BUILD, PROGRAM, Skip, good, locale_env, run_all


def install(folder):
    """Installs the build below a folder and gives its prefix there."""
    meson = shutil.which("meson")
    if meson is None:
        raise Skip("meson is not in the path")
    root = folder / "root"
    subprocess.run([meson, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", root],
                   check=True, capture_output=True)
    program = next(root.glob("**/bin/attnscope-cli"))
    return program.parents[1]


def run(program, *arguments, env=None):
    return subprocess.run([program, *arguments], capture_output=True, check=True,
                          env={"PATH": os.environ["PATH"], "XDG_DATA_HOME": os.devnull,
                               **(env or {})}).stdout.decode()


def test_moved_installation_finds_its_models(folder):
    prefix = install(folder)
    moved = folder / "elsewhere"
    shutil.move(prefix, moved)
    program = moved / "bin/attnscope-cli"
    assert run(program, "models") == good("models").out
    path = next(line for line in run(program, "info", "six-tokens").splitlines()
                if line.startswith("path: "))
    assert path == f"path: {moved}/share/attnscope/models/six-tokens.json"


def test_installation_finds_its_translations(folder):
    prefix = install(folder)
    env = locale_env(folder, "zh_CN")
    assert "注意力" in run(prefix / "bin/attnscope-cli", "--help", env=env)
    assert "6 层" in run(prefix / "bin/attnscope-fetch", "--list", env=env)


def test_link_to_the_program_finds_them_too(folder):
    (folder / "link").symlink_to(PROGRAM)
    assert run(folder / "link", "models") == good("models").out


def test_desktop_finds_what_it_looks_for(folder):
    share = install(folder) / "share"
    name = "io.github.attnscope.Attnscope"
    assert (share / "man/man1/attnscope-cli.1").is_file()
    assert (share / "man/man1/attnscope-fetch.1").is_file()
    assert os.access(share.parent / "bin/attnscope-fetch", os.X_OK)
    if not (share.parent / "bin/attnscope").exists():
        return
    for path in (f"applications/{name}.desktop", f"metainfo/{name}.metainfo.xml",
                 f"mime/packages/{name}.mime.xml", f"glib-2.0/schemas/{name}.gschema.xml",
                 f"icons/hicolor/scalable/apps/{name}.svg",
                 f"icons/hicolor/symbolic/apps/{name}-symbolic.svg", "man/man1/attnscope.1"):
        assert (share / path).is_file(), path


run_all(globals())
