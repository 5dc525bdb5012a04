# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""A shipped model as people get it: every number comes from attnscope-cli.

Neither the training code nor the checkpoint has a say, and a measure can be repeated by hand with
the same command. One run of the program costs about 0.1 s; predictions for many texts are one run.
"""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
from tokenizers import Tokenizer

BUILT = pathlib.Path(__file__).parents[2] / "build/src/cli/attnscope-cli"


def find_program():
    """$ATTNSCOPE_CLI, else the one this tree built, else the installed one."""
    program = os.environ.get("ATTNSCOPE_CLI") or (
        BUILT if BUILT.exists() else shutil.which("attnscope-cli")
    )
    if program is None:
        raise SystemExit("attnscope-cli is neither built nor installed; set ATTNSCOPE_CLI")
    return str(program)


def best(scores, n):
    """scores [layer, head] → the n highest, as text."""
    order = np.argsort(-scores, axis=None)[:n]
    return ", ".join(
        "L{}H{} {:.3f}".format(*np.unravel_index(i, scores.shape), scores.flat[i]) for i in order
    )


class Shipped:
    """A JSON model file (or whatever MODEL the program takes), seen through the program."""

    def __init__(self, path):
        self.path, self.program = str(path), find_program()
        self.known_tokens = {}

    def run(self, command, *words, text=None):
        """What the program prints; its one sentence about an error ends the measuring."""
        done = subprocess.run(
            [self.program, command, self.path, *words],
            input=None if text is None else (text + "\n").encode(),
            stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode().strip())
        return done.stdout

    @functools.cached_property
    def file(self):
        return json.loads(pathlib.Path(self.path).read_text(encoding="utf-8"))

    @functools.cached_property
    def tokenizer(self):
        """The file's tokenizer in the reference library, to make texts with; not to measure."""
        return Tokenizer.from_str(json.dumps(self.file["tokenizer"]))

    @functools.cached_property
    def info(self):
        return json.loads(self.run("info", "--json"))

    def tokens(self, text):
        """[{"index", "id", "text", "bytes", "sequence", "start", "end"}], as the program has it."""
        if text not in self.known_tokens:
            self.known_tokens[text] = json.loads(self.run("tokens", "--json", "-", text=text))
        return self.known_tokens[text]

    def ids(self, text):
        return [token["id"] for token in self.tokens(text)]

    def predictions(self, texts, top=1, everywhere=True):
        """For each text its positions: [{"position", "actual": {"id", "probability"}, "top": [{"id",
        "text", "bytes", "probability", "logit"}]}]. A str is one text, and one list comes back.

        everywhere: every position; else the last one, or each [MASK] of a masked model.
        """
        if isinstance(texts, str):
            return self.predictions([texts], top, everywhere)[0]
        options = ["--top", str(top)] + ["--all-positions"] * everywhere
        of_one_line = [text for text in texts if "\n" not in text]
        found = dict(zip(of_one_line, self.predict_lines(of_one_line, options)))
        for text in set(texts) - set(found):
            found[text] = json.loads(self.run("predict", "--json", *options, "-", text=text))
        return [found[text]["positions"] for text in texts]

    def predict_lines(self, texts, options):
        """One run for all texts; a text with a line end inside would be two lines."""
        if not texts:
            return []
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
            file.writelines(text + "\n" for text in texts)
            file.flush()
            printed = self.run("predict", *options, "--lines", file.name)
        return map(json.loads, printed.splitlines())

    def patterns(self, text, stage="pattern"):
        """Every head's matrix: [layer, head, query, key]."""
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            options = ["--all", "--stage", stage, "--format", "npy", "-o", file.name]
            self.run("matrix", *options, "-", text=text)
            return np.load(file.name)
