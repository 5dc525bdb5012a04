#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Sizes that are refused: files of C over 800 lines, headers over 300, functions over 60,
templates over 400, four levels of nesting, eleven parameters; fixtures over 10 MB."""

import re

from lint import Report, find, name, read

LIMITS = {".c": 800, ".h": 300, ".ui": 400}
FUNCTION_LIMIT = 60
PARAMETER_LIMIT = 10
FIXTURES_LIMIT = 10_000_000  # bytes
# A table that a script made says so in its header, and may be as long as it is.
MADE_BY_SCRIPT = re.compile(r"\b(made|written|generated) by\b[^.]*\.py", re.IGNORECASE | re.DOTALL)


def is_table(text):
    return MADE_BY_SCRIPT.search(text[:2000]) is not None


def long_files(suffix):
    for path in find(f"src/**/*{suffix}", f"tests/**/*{suffix}", f"ui/**/*{suffix}"):
        text = read(path)
        n_lines = text.count("\n")
        if n_lines > LIMITS[suffix] and not is_table(text):
            yield f"{name(path)}: {n_lines} lines, at most {LIMITS[suffix]}"


def functions(text):
    """Name and length of each function: its braces stand alone at the left edge."""
    lines = text.splitlines()
    start = None
    for i, line in enumerate(lines):
        if line == "{":
            start = i
        elif line == "}" and start is not None:
            head = " ".join(lines[max(0, start - PARAMETER_LIMIT - 2):start])
            names = re.findall(r"(\w+) \(", head)
            yield (names[-1] if names else "?"), i - start + 1
            start = None
        elif line.startswith("}"):
            start = None


def long_functions():
    for path in find("src/**/*.c", "tests/**/*.c"):
        for function, n_lines in functions(read(path)):
            if n_lines > FUNCTION_LIMIT and not function.endswith("_class_init"):
                yield f"{name(path)}: {function} has {n_lines} lines, at most {FUNCTION_LIMIT}"


def deep_statements():
    """A statement that begins at the fifth step of indentation stands four deep."""
    deep = re.compile(r"^ {8,}(if|for|while|switch|do)\b")
    for path in find("src/**/*.c"):
        for number, line in enumerate(read(path).splitlines(), 1):
            if deep.match(line):
                yield f"{name(path)}:{number}: {line.strip()}"


def long_parameter_lists():
    definition = re.compile(r"^(\w+) \(([^()]*(?:\([^()]*\)[^()]*)*)\)\n\{", re.MULTILINE)
    for path in find("src/**/*.c"):
        for match in definition.finditer(read(path)):
            n_parameters = match[2].count(",") + 1
            if n_parameters > PARAMETER_LIMIT:
                yield f"{name(path)}: {match[1]} has {n_parameters} parameters"


def heavy_fixtures():
    n_bytes = sum(path.stat().st_size for path in find("tests/fixtures/**/*"))
    if n_bytes > FIXTURES_LIMIT:
        yield f"tests/fixtures: {n_bytes:,} bytes, at most {FIXTURES_LIMIT:,}"


report = Report()
report.rule("no .c file is over 800 lines", long_files(".c"))
report.rule("no header is over 300 lines", long_files(".h"))
report.rule("no template is over 400 lines", long_files(".ui"))
report.rule("no function is over 60 lines", long_functions())
report.rule("no statement is nested four deep", deep_statements())
report.rule("no function has over 10 parameters", long_parameter_lists())
report.rule("all fixtures together are small", heavy_fixtures())
report.finish()
