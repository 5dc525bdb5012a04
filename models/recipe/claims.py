# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Recomputes what the examples of a model file claim, through attnscope-cli."""


def check_examples(shipped):
    for example in shipped.file.get("examples", []):
        claim = example["claim"]
        pattern = shipped.patterns(example["text"])[example["layer"], example["head"]]
        weight = pattern[claim["query"], claim["key"]]
        tokens = shipped.tokens(example["text"])
        verdict = "holds" if weight >= claim["at_least"] else "FAILS"
        print(
            f"L{example['layer']}H{example['head']} {tokens[claim['query']]['text']} → "
            f"{tokens[claim['key']]['text']}: {weight:.3f}, claimed {claim['at_least']}: {verdict}"
        )
