# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Measures a shipped JSON model file through attnscope-cli and prints what its card quotes.

Which measures: those of the model's name, one module each. The held-out texts come from corpus.py.
"""

import argparse
import importlib
import pathlib

from shipped import Shipped

MEASURES = {
    "english-small": "evaluate_english",
    "english-masked": "evaluate_masked",
    "chinese-poems": "evaluate_zh",
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument(
        "--work", type=pathlib.Path, required=True, help="the folder corpus.py wrote"
    )
    arguments = parser.parse_args()
    shipped = Shipped(arguments.model)
    name = shipped.file["name"]
    if name not in MEASURES:
        raise SystemExit(f"no measures for a model named {name!r}, only {', '.join(MEASURES)}")
    print(f"{name}: {shipped.info['n_parameters']:,} parameters")
    importlib.import_module(MEASURES[name]).report(shipped, arguments.work)


if __name__ == "__main__":
    main()
