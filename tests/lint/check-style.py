#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Format and habits of the sources, and that scripts parse."""

import re

from lint import ROOT, Report, find, name, read, run

C_FILES = ("src/**/*.[ch]", "tests/**/*.[ch]")
CASES = "tests/cases/"


def c_files():
    return [p for p in find(*C_FILES) if not name(p).startswith(CASES)]


def unformatted():
    problems = run("clang-format", "--dry-run", "-Werror", *map(str, c_files()))
    return [line.replace(f"{ROOT}/", "") for line in problems if ": error:" in line or
            "not installed" in line]


def without_licence():
    for path in find(*C_FILES, "scripts/*", "tests/**/*.py", "tests/**/*.sh", "models/**/*.py",
                     "ui/*.ui", "resources/*.xml", "resources/*.in", "resources/*.css"):
        if not name(path).startswith(CASES) and "SPDX-License-Identifier" not in read(path)[:400]:
            yield name(path)


def matches(expression):
    for path in c_files():
        for number, line in enumerate(read(path).splitlines(), 1):
            if expression.search(line):
                yield f"{name(path)}:{number}: {line.strip()}"


def shell_scripts():
    for path in find("run", "check", ".ci/*", "scripts/*.sh", "tests/**/*.sh", "models/**/*.sh"):
        yield from run("bash", "-n", str(path))


def python_scripts():
    for path in find("scripts/*.py", "tests/**/*.py", "models/**/*.py"):
        try:
            compile(read(path), str(path), "exec")
        except SyntaxError as error:
            yield f"{name(path)}:{error.lineno}: {error.msg}"


report = Report()
report.rule("clang-format would change nothing", unformatted())
report.rule("every source names its licence", without_licence())
report.rule("comments are /* */", matches(re.compile(r"(^|[;{}\s])//")))
report.rule("nothing is left to do", matches(re.compile(r"\b(TODO|FIXME|XXX)\b|#\s*if 0\b")))
report.rule("there is no tab in C", matches(re.compile(r"\t")))
report.rule("shell scripts parse", shell_scripts())
report.rule("Python scripts parse", python_scripts())
report.finish()
