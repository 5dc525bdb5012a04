# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Measures a shipped JSON model file of the gpt2 family and prints what its card quotes.

The weights are rebuilt from the file into transformers' GPT2LMHeadModel, so that neither the
training code nor the checkpoint has a say. The held-out texts come from corpus.py.
"""

import argparse
import base64
import json
import math
import pathlib
import zlib

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import GPT2Config, GPT2LMHeadModel

import everyday

TEXTS = ("everyday", "austen", "wordnet", "bible")
SEED = 20
MAX_ROWS = 100  # of n_ctx tokens, from each text
BEGINNINGS = (
    "The cat sat on the",
    "My name is",
    "The children are playing in the",
    "I would like a cup of",
    "Yesterday we went to the",
    "The sun is",
    "She opened the door and",
    "It is cold today, so",
    "Do you want to",
    "The dog chased the cat, but the cat",
    "Tom was hungry, so he",
    "On Monday, Mary went to the",
    "There are three birds in the",
    "The capital of France is",
    "He said that he was",
    "The keys to the door",
    "When it rains, the streets are",
    "One, two, three,",
    "A rose is a",
    "When Mary and John went to the shop, John gave a drink to",
)


def decode(tensor):
    kind = {"F16": "<f2", "F32": "<f4"}[tensor["dtype"]]
    values = np.frombuffer(base64.b64decode(tensor["data"]), dtype=kind).reshape(tensor["shape"])
    return torch.from_numpy(values.astype(np.float32))


class Shipped:
    """The file as a model and a tokenizer."""

    def __init__(self, path):
        self.file = json.loads(path.read_text(encoding="utf-8"))
        self.tokenizer = Tokenizer.from_str(json.dumps(self.file["tokenizer"]))
        self.model = GPT2LMHeadModel(
            GPT2Config(**self.file["config"], attn_implementation="eager")
        ).eval()
        state = {"transformer." + name: decode(t) for name, t in self.file["tensors"].items()}
        state["lm_head.weight"] = state["transformer.wte.weight"]
        self.model.load_state_dict(state, strict=True)

    def ids(self, text):
        return self.tokenizer.encode(text).ids

    def predict(self, texts):
        """Logits after each text: [text, vocabulary]. Causal: padding on the right is not seen."""
        rows = [e.ids for e in self.tokenizer.encode_batch(texts)]
        padded = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
        for row, ids in zip(padded, rows):
            row[: len(ids)] = torch.tensor(ids)
        with torch.no_grad():
            logits = torch.cat([self.model(part).logits for part in padded.split(50)])
        return logits[torch.arange(len(rows)), torch.tensor([len(ids) - 1 for ids in rows])]

    def run(self, ids):
        with torch.no_grad():
            out = self.model(
                torch.as_tensor(ids).view(1, -1) if np.ndim(ids) == 1 else ids,
                output_attentions=True,
            )
        return out.logits, torch.stack(out.attentions)  # [layer, batch, head, query, key]


def held_out_loss(shipped, folder):
    """Rows of n_ctx tokens; every token but a row's first is predicted once."""
    n_ctx = shipped.model.config.n_positions
    total, by_position = {}, []
    for name in TEXTS:
        text = (folder / f"{name}.held.txt").read_text(encoding="utf-8")
        ids = torch.tensor(shipped.ids(text))
        rows = ids[: len(ids) // n_ctx * n_ctx].view(-1, n_ctx)[:MAX_ROWS]
        losses = torch.cat([row_losses(shipped, chunk) for chunk in rows.split(16)])
        bytes_per_token = len(text.encode()) / len(ids)
        bits = losses.mean().item() / math.log(2) / bytes_per_token
        print(
            f"{name:9} {rows.numel():7,} tokens  loss {losses.mean():.3f}  "
            f"perplexity {losses.mean().exp():.1f}  bits per byte {bits:.3f}"
        )
        total[name] = losses.mean().item()
        by_position.append(losses.mean(0))
    print(f"mean of the four texts: loss {sum(total.values()) / len(total):.3f}")
    curve = torch.stack(by_position).mean(0)
    edges = (0, 8, 32, 64, 128, 192, n_ctx - 1)
    print(
        "loss by position: "
        + ", ".join(f"{a + 1}–{b}: {curve[a:b].mean():.2f}" for a, b in zip(edges, edges[1:]))
    )


def row_losses(shipped, rows):
    with torch.no_grad():
        logits = shipped.model(rows).logits[:, :-1]
    return F.cross_entropy(logits.transpose(1, 2), rows[:, 1:], reduction="none")


def best(scores, n=1):
    order = scores.flatten().argsort(descending=True)[:n]
    return ", ".join(
        f"L{i // scores.shape[1]}H{i % scores.shape[1]} {scores.flatten()[i]:.3f}"
        for i in order.tolist()
    )


def head_scores(shipped, folder):
    text = (folder / "austen.held.txt").read_text(encoding="utf-8")
    rows = torch.tensor(shipped.ids(text)[: 16 * 128]).view(16, 128)
    patterns = shipped.run(rows)[1]
    print("previous token, novels:", best(patterns.diagonal(-1, 3, 4).mean((1, 3)), 2))
    print("first token, novels:", best(patterns[..., 1:, 0].mean((1, 3)), 2))
    print("the token itself, novels:", best(patterns.diagonal(0, 3, 4)[..., 1:].mean((1, 3)), 2))
    half = torch.randint(
        1, shipped.model.config.vocab_size, (32, 48), generator=torch.Generator().manual_seed(SEED)
    )
    twice = torch.cat([half, half], 1)
    logits, patterns = shipped.run(twice)
    print("previous token, random:", best(patterns.diagonal(-1, 3, 4).mean((1, 3)), 2))
    print(
        "induction, random tokens twice (48 + 48):",
        best(patterns.diagonal(-47, 3, 4)[..., 1:].mean((1, 3)), 5),
    )
    print("same token before:", best(patterns.diagonal(-48, 3, 4).mean((1, 3)), 2))
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), twice[:, 1:], reduction="none").mean(0)
    print(
        f"loss on the first copy {losses[:47].mean():.2f}, on the second {losses[47:].mean():.3f}"
    )


def sentences(kind, n):
    """n held-out sentences of one kind, each different."""
    writer, found = everyday.Everyday(SEED), {}
    while len(found) < n:
        writer.new_cast()
        sentence = getattr(writer, kind)()
        if everyday.is_held_out(sentence):
            found[sentence] = True
    return list(found)


def agreement(shipped, n=300):
    """Is the right form of "to be" more probable than the other number's?"""
    other = {"is": "are", "are": "is", "was": "were", "were": "was"}
    cases = []
    for sentence in sentences("agree", n):
        words = sentence.split()
        spot = next((i for i, word in enumerate(words) if word in other), None)
        if spot is not None:
            cases.append((" ".join(words[:spot]), words[spot]))
    logits = shipped.predict([start for start, _ in cases])
    right = sum(
        bool(row[shipped.ids(" " + verb)[0]] > row[shipped.ids(" " + other[verb])[0]])
        for row, (_, verb) in zip(logits, cases)
    )
    return right / len(cases)


def repeated_name(shipped, n=300):
    """Is the first choice at the end of "… John gave a drink to" the other name?"""
    cases = [sentence[:-1].rsplit(" ", 1) for sentence in sentences("give", n)]
    first = shipped.predict([start for start, _ in cases]).argmax(1).tolist()
    return sum(choice == shipped.ids(" " + name)[0] for choice, (_, name) in zip(first, cases)) / n


def closing(shipped, n=150):
    """Where the text closes a quotation or bracket, does the first choice close it?"""
    cases = []
    for sentence in sentences("quote", n) + sentences("bracket", n):
        encoding = shipped.tokenizer.encode(sentence)
        mark = ")" if "(" in sentence else '"'
        spots = [i for i, token in enumerate(encoding.tokens) if mark in token]
        if len(spots) > 1 or mark == ")":
            cases.append((sentence[: encoding.offsets[spots[-1]][0]], mark))
    first = shipped.predict([start for start, _ in cases]).argmax(1).tolist()
    return sum(
        mark in shipped.tokenizer.id_to_token(choice) for choice, (_, mark) in zip(first, cases)
    ) / len(cases)


def show_beginnings(shipped):
    for text, probabilities in zip(BEGINNINGS, shipped.predict(BEGINNINGS).softmax(-1)):
        top = probabilities.topk(5)
        words = (
            f"{shipped.tokenizer.decode([i])!r} {p:.0%}"
            for p, i in zip(top.values.tolist(), top.indices.tolist())
        )
        print(f"{text} → {', '.join(words)}")


def check_examples(shipped):
    for example in shipped.file.get("examples", []):
        claim = example["claim"]
        pattern = shipped.run(shipped.ids(example["text"]))[1][example["layer"], 0, example["head"]]
        weight = pattern[claim["query"], claim["key"]].item()
        tokens = shipped.tokenizer.encode(example["text"]).tokens
        verdict = "holds" if weight >= claim["at_least"] else "FAILS"
        print(
            f"L{example['layer']}H{example['head']} "
            f"{tokens[claim['query']]} → {tokens[claim['key']]}: "
            f"{weight:.3f}, claimed {claim['at_least']}: {verdict}"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument(
        "--work", type=pathlib.Path, required=True, help="the folder corpus.py wrote"
    )
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    shipped = Shipped(arguments.model)
    print(
        f"{sum(p.numel() for p in shipped.model.parameters()):,} parameters, "
        f"checksum {zlib.crc32(arguments.model.read_bytes()):08x}"
    )
    held_out_loss(shipped, arguments.work)
    head_scores(shipped, arguments.work)
    print(
        f"right verb {agreement(shipped):.1%}, repeated name {repeated_name(shipped):.1%}, "
        f"closing mark {closing(shipped):.1%}"
    )
    show_beginnings(shipped)
    check_examples(shipped)


if __name__ == "__main__":
    main()
