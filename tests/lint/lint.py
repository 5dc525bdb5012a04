# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""What the lint tests share: the files of the tree, and TAP with one line per rule."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def find(*patterns):
    """Files of the tree that match glob patterns below the root, sorted, build folders left out."""
    files = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(p for p in files if not p.relative_to(ROOT).parts[0].startswith("build"))


def read(path):
    return path.read_text(encoding="utf-8")


def name(path):
    return str(path.relative_to(ROOT))


def run(*command):
    """Problems that a program finds: its output, if it fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    except FileNotFoundError:
        return [f"{command[0]} is not installed"]
    if result.returncode == 0:
        return []
    return (result.stdout + result.stderr).splitlines() or [f"{command[0]} failed"]


class Report:
    """TAP: one line per rule, its problems as diagnostics."""

    def __init__(self):
        self.n_rules = 0
        self.n_failed = 0

    def rule(self, sentence, problems):
        self.n_rules += 1
        problems = list(problems)
        if problems:
            self.n_failed += 1
        print(f"{'not ok' if problems else 'ok'} {self.n_rules} - {sentence}")
        for problem in problems:
            print(f"# {problem}")

    def finish(self):
        print(f"1..{self.n_rules}")
        sys.exit(1 if self.n_failed else 0)
