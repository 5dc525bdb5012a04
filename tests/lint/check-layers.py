#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Layers: who may include what. The compiler alone does not keep them, because Debian has
cairo/, cjson/ and cblas.h on the default path."""

import re

from lint import Report, find, name, read

CORE_ORDER = ["base", "weights", "tokenizer", "model", "engine", "analysis"]
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)
PRINTING = re.compile(
    r"\b(printf|fprintf|vprintf|puts|fputs|putchar|perror|g_print|g_printerr|exit|abort)\s*\("
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')

DRAWING = ("cairo", "pango", "png.h", "hb")
WINDOW = ("gtk/", "gdk/", "gsk/", "adwaita", "graphene")
NUMBERS = ("cblas.h", "openblas", "cjson", "cJSON.h", "pcre2.h")


def includes(path):
    return INCLUDE.findall(read(path))


def code(path):
    """A file without comments and strings."""
    return STRING.sub('""', COMMENT.sub("", read(path)))


def sources(layer):
    return find(f"src/{layer}/**/*.c", f"src/{layer}/**/*.h")


def forbidden(layer, prefixes, but=lambda path, include: False):
    for path in sources(layer):
        for include in includes(path):
            if include.startswith(prefixes) and not but(path, include):
                yield f"{name(path)} includes {include}"


def core_order():
    for path in sources("core"):
        module = path.parent.name
        for include in includes(path):
            other = include.split("/")[0]
            if other in CORE_ORDER and CORE_ORDER.index(other) > CORE_ORDER.index(module):
                yield f"{name(path)} includes {include}, which stands above it"


def only_one(header):
    users = [name(p) for p in find("src/**/*.[ch]", "tests/*/*.[ch]") if not name(p).startswith("tests/cases/") and
             any(i.endswith(header) for i in includes(p))]
    if len(users) != 1:
        yield f"{header} is included by: {', '.join(users) or 'none'}"


def matches(layers, expression, but=()):
    for layer in layers:
        for path in sources(layer):
            if path.name in but:
                continue
            for match in expression.finditer(code(path)):
                yield f"{name(path)}: {match[0]}"


report = Report()
report.rule("core includes nothing that draws", forbidden("core", DRAWING + WINDOW))
report.rule("core includes no other layer", forbidden("core", ("plot/", "app/", "cli/")))
report.rule("folders of core use only those below them", core_order())
report.rule("one file includes cJSON.h", only_one("cJSON.h"))
report.rule("one file includes cblas.h", only_one("cblas.h"))
report.rule("one file includes pcre2.h", only_one("pcre2.h"))
report.rule("core defines no GObject class",
            matches(["core"], re.compile(r"\bG_(DEFINE|DECLARE)_(\w+_)?(TYPE|INTERFACE)\w*")))
report.rule("core and plot do not print or exit", matches(["core", "plot"], PRINTING))
report.rule("one file of the command line prints",
            matches(["cli"], PRINTING, but=("atn-cli.c",)))
report.rule("plot includes nothing of a window",
            forbidden("plot", WINDOW + ("app/", "cli/") + NUMBERS))
report.rule("app includes no command line, cblas, cJSON or PCRE2", forbidden("app", NUMBERS + ("cli/",)))
report.rule("cli includes only core and plot", forbidden("cli", NUMBERS + WINDOW + ("app/",)))
report.rule("only main programs read the environment",
            matches(["core", "plot", "app", "cli"], re.compile(r"\b(g_getenv|getenv)\s*\("),
                    but=("main.c", "atn-cli.c")))
report.rule("there are no extern variables",
            matches(["core", "plot", "app", "cli"],
                    re.compile(r"^extern [^(\n]*;", re.MULTILINE)))
report.finish()
