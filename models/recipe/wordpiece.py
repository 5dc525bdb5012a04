# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Trains the WordPiece of english-masked: BERT's uncased kind, on the mix of tokenizer.py.

Uncased, because 2,500 pieces are few: a word is not spent twice, once for the start of a sentence.
"""

import argparse
import pathlib

from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from tokenizer import MIX_CHARS

VOCAB_SIZE = 2500
SPECIAL = PAD, UNK, CLS, SEP, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
ALPHABET = 80  # letters, digits and marks; a rarer character makes its word [UNK]


def train(folder):
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNK))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=VOCAB_SIZE,
        special_tokens=list(SPECIAL),
        limit_alphabet=ALPHABET,
        show_progress=False,
    )
    texts = [
        (folder / f"{name}.train.txt").read_text(encoding="utf-8")[:n].splitlines()
        for name, n in MIX_CHARS.items()
    ]
    tokenizer.train_from_iterator((line for lines in texts for line in lines), trainer)
    # The trainer's order changes from run to run, its choice does not: give ids in sorted order.
    pieces = list(SPECIAL) + sorted(set(tokenizer.get_vocab()) - set(SPECIAL))
    tokenizer.model = models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token=UNK)
    ids = [(token, tokenizer.token_to_id(token)) for token in (CLS, SEP)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}", pair=f"{CLS} $A {SEP} $B:1 {SEP}:1", special_tokens=ids
    )
    return tokenizer


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=pathlib.Path, required=True)
    folder = parser.parse_args().work
    tokenizer = train(folder)
    tokenizer.save(str(folder / "wordpiece.json"))
    for text in ("The cat [MASK] on the mat.", "When Mary and John went to the shop"):
        print(tokenizer.encode(text).tokens)


if __name__ == "__main__":
    main()
