# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Trains the byte-level BPE (GPT-2's kind) on a mix of the training texts.

The mix, not the raw texts: everyday words should be one token each, because people look at tokens.
"""

import argparse
import pathlib

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

VOCAB_SIZE = 2048
END_OF_TEXT = "<|endoftext|>"
MIX_CHARS = {"everyday": 3_000_000, "austen": 2_000_000, "wordnet": 1_500_000, "bible": 1_000_000}


def train(folder):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB_SIZE,
        special_tokens=[END_OF_TEXT],
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    texts = [
        (folder / f"{name}.train.txt").read_text(encoding="utf-8")[:n].splitlines(keepends=True)
        for name, n in MIX_CHARS.items()
    ]
    tokenizer.train_from_iterator((line for lines in texts for line in lines), trainer)
    return tokenizer


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=pathlib.Path, required=True)
    folder = parser.parse_args().work
    tokenizer = train(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    for text in (
        "The cat sat on the mat because it was tired",
        "When Mary and John went to the shop",
    ):
        print(tokenizer.encode(text).tokens)


if __name__ == "__main__":
    main()
