#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What is installed: bundle, models, desktop files, schema, manual pages, translations.

Called with the build folder, whose merged files are checked."""

import json
import re
import sys
from pathlib import Path

from lint import ROOT, Report, find, name, read, run

BUILD = Path(sys.argv[1])
APPLICATION = "io.github.attnscope.Attnscope"
GETTEXT = re.compile(r'\b(_|N_|C_|NC_|ngettext|g_dngettext|g_dgettext)\s*\(\s*"|'
                     r'translatable="(yes|true)"')


def files_outside_bundle():
    bundle = read(ROOT / "resources/attnscope.gresource.xml")
    for path in find("ui/*.ui", "resources/*.css", "resources/icons/**/*.svg"):
        relative = path.relative_to(path.parents[len(path.relative_to(ROOT).parts) - 2])
        if f">{relative}<" not in bundle:
            yield f"{name(path)} is not in resources/attnscope.gresource.xml"


def models_without_a_card():
    for path in find("models/*.json"):
        if not path.name.endswith(".schema.json") and not path.with_suffix(".md").exists():
            yield f"{name(path)} has no card beside it"


def broken_json():
    for path in find("models/*.json"):
        try:
            json.loads(read(path))
        except ValueError as error:
            yield f"{name(path)}: {error}"


def merged(suffix):
    return str(BUILD / "resources" / (APPLICATION + suffix))


def manual_pages():
    for path in find("resources/*.1"):
        yield from run("groff", "-man", "-ww", "-z", "-Tutf8", str(path))


def options_missing_in_manual():
    """Each option of the command line stands in its manual page."""
    page = read(ROOT / "resources/attnscope-cli.1").replace("\\-", "-")
    for option in re.findall(r'= \{ "([a-z-]+)",', read(ROOT / "src/cli/atn-cli-arguments.c")):
        if f"--{option}" not in page:
            yield f"--{option}"


def files_not_translated():
    listed = set(read(ROOT / "po/POTFILES").split("\n"))
    for path in find("src/**/*.c", "src/**/*.h", "ui/*.ui"):
        if GETTEXT.search(read(path)) and name(path) not in listed:
            yield f"{name(path)} is not in po/POTFILES"
    for line in listed:
        if line and not line.startswith("#") and not (ROOT / line).exists():
            yield f"po/POTFILES names {line}, which does not exist"


def messages_cut_by_macros():
    """xgettext ends a message at a macro such as G_GSIZE_FORMAT, but knows %zu and PRIu64, and it knows PRIu64."""
    macro = re.compile(r'\b(?:_|N_|ngettext) ?\((?:\s*"(?:[^"\\]|\\.)*")+\s*(G_\w+_FORMAT)')
    for path in find("src/**/*.[ch]"):
        for match in macro.finditer(read(path)):
            yield f"{name(path)}: {match[1]} in a message"


def incomplete_translations():
    for path in find("po/*.po"):
        yield from run("msgfmt", "--check", "-o", "/dev/null", str(path))
        for kind in ("--untranslated", "--only-fuzzy"):
            left = run("sh", "-c", f'test -z "$(msgattrib {kind} --no-obsolete "$0")"', str(path))
            if left:
                yield f"{name(path)} has messages that are {kind.strip('-')}"


def strings_not_extracted():
    """Every message of a fresh extraction stands in the translations."""
    for path in find("po/*.po"):
        for line in run("sh", str(ROOT / "scripts/check-po.sh"), str(path)):
            yield line


report = Report()
report.rule("the bundle lists every template, style sheet and icon", files_outside_bundle())
report.rule("every bundled model has a card", models_without_a_card())
report.rule("bundled models are JSON", broken_json())
report.rule("the desktop file is valid", run("desktop-file-validate", merged(".desktop")))
report.rule("the metainfo is valid",
            run("appstreamcli", "validate", "--no-net", merged(".metainfo.xml")))
report.rule("the MIME type is well-formed", run("xmllint", "--noout", merged(".mime.xml")))
report.rule("the schema compiles",
            run("glib-compile-schemas", "--strict", "--dry-run", str(ROOT / "resources")))
report.rule("manual pages have no warnings", manual_pages())
report.rule("the manual page has every option", options_missing_in_manual())
report.rule("every file with messages is in POTFILES", files_not_translated())
report.rule("no message holds a macro", messages_cut_by_macros())
report.rule("translations hold every message of the sources", strings_not_extracted())
report.rule("translations are complete", incomplete_translations())
report.finish()
