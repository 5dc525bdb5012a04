# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The masked objective: rows with hidden tokens, the loss at their places, and the plan of it.

A row is [CLS] A [SEP], or [CLS] A [SEP] B [SEP] with B in the second segment. It begins at the
start of a sentence and is cut at its length, so no row needs padding; half of the short everyday
rows are one whole sentence, because that is what people type.

Chain rows are an aid. Their tokens are random, but four in five follow from the token before, by
one fixed permutation of CHAIN_KINDS tokens. A hidden token is found from its left neighbour by the
permutation and from its right one by the inverse: two different things to do with two different
neighbours, which keeps two heads at it.
"""

import dataclasses
import re

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from bert import Bert, BertShape
from wordpiece import CLS, MASK, SEP, SPECIAL

PAIRS = 0.25  # of the rows have two segments
WHOLE = 0.5  # of the rows are one sentence, where the text has one of that length
# What stands in a hidden place (Devlin et al. 2019): mostly [MASK], sometimes another token,
# sometimes the token itself. So no token can be trusted, and every place has to look around.
SHOWN = {"text": (0.8, 0.1, 0.1), "chain": (0.5, 0.25, 0.25)}
CHAIN_KINDS = 128
CHAIN_HOLDS = 0.8
SENTENCE_END = re.compile(r'(?:(?<=[.!?])|(?<=[.!?]["”)]))(?<!Mr\.)(?<!Mrs\.) (?=["“(A-Z])')


@dataclasses.dataclass
class MaskedPlan:
    texts: dict  # name: weight
    first_steps: int
    fall_steps: int  # of these, the last: the learning rate falls to zero, fewer tokens are hidden
    again_steps: int = 0  # after them: it falls once more, from half its height
    chains: float = 0.1
    hidden: tuple = (0.35, 0.25)  # of a row's tokens
    step_tokens: int = 2048
    seed: int = 1
    muon_rate: float = 0.02
    token_rate: float = 3e-3  # AdamW's, of the token and position vectors
    rest_rate: float = 3e-3

    @property
    def steps(self):
        return self.first_steps + self.again_steps

    def falls(self, step):
        return step >= self.first_steps - self.fall_steps

    def rate(self, step):
        if step < self.first_steps:
            return min(1, (step + 1) / 50, (self.first_steps - step) / self.fall_steps)
        return 0.5 * (self.steps - step) / self.again_steps

    def task(self, folder):
        return MaskedTask(self, folder)


class Sentences:
    """One text as ids, and where its sentences start (the places where a row may begin)."""

    def __init__(self, folder, name, part):
        kept = folder / f"{name}.{part}.wordpiece.npz"
        if not kept.exists():
            tokenizer = Tokenizer.from_file(str(folder / "wordpiece.json"))
            lines = (folder / f"{name}.{part}.txt").read_text(encoding="utf-8").splitlines()
            sentences = [s for line in lines for s in SENTENCE_END.split(line)]
            encoded = [e.ids for e in tokenizer.encode_batch(sentences, add_special_tokens=False)]
            starts = np.cumsum([0] + [len(ids) for ids in encoded[:-1]])
            np.savez(kept, ids=np.concatenate(encoded).astype(np.int64), starts=starts)
        arrays = np.load(kept)
        self.ids, self.starts = arrays["ids"], arrays["starts"]
        lengths = np.diff(np.append(self.starts, len(self.ids)))
        self.by_length = {n: self.starts[lengths == n] for n in np.unique(lengths)}

    def row(self, rand, length):
        starts = self.by_length.get(length, self.starts) if rand.random() < WHOLE else self.starts
        start = min(rand.choice(starts), len(self.ids) - length)
        return self.ids[start : start + length]


class MaskedRows:
    def __init__(self, texts, tokenizer, seed):
        self.texts = texts
        self.rand = np.random.default_rng(seed)
        self.cls, self.sep, self.mask = map(tokenizer.token_to_id, (CLS, SEP, MASK))
        self.stop = tokenizer.token_to_id(".")
        self.first, self.vocab_size = len(SPECIAL), tokenizer.get_vocab_size()
        # One order of the tokens, whatever the seed: the permutation is the same in every row.
        order = np.random.default_rng(0).permutation(self.vocab_size - self.first)
        self.kinds = self.first + order[:CHAIN_KINDS]
        self.follower = np.full(self.vocab_size, -1)
        self.follower[self.kinds] = np.roll(self.kinds, 1)

    def chain(self, length):
        row = self.rand.choice(self.kinds, length)
        holds = self.rand.random(length) < CHAIN_HOLDS
        for i in range(1, length):
            if holds[i]:
                row[i] = self.follower[row[i - 1]]
        return row

    def prose(self, length, shares):
        """length tokens and where a second segment starts: after a full stop, or 0."""
        text = self.texts[self.rand.choice(len(self.texts), p=shares)]
        body = text.row(self.rand, length)
        stops = np.flatnonzero(body[2:-3] == self.stop) if self.rand.random() < PAIRS else ()
        return body, 3 + int(self.rand.choice(stops)) if len(stops) else 0

    def rows(self, n_rows, length, weights, chains, hidden):
        """ids as shown [row, length], segments, hidden places [row, n], the true ids there."""
        shares = np.array(weights) / sum(weights)
        n_hidden = max(1, round(hidden * (length - 2)))
        ids = np.empty((n_rows, length), dtype=np.int64)
        segments = np.zeros_like(ids)
        places = np.empty((n_rows, n_hidden), dtype=np.int64)
        true = np.empty_like(places)
        for r in range(n_rows):
            is_chain = self.rand.random() < chains
            body, second = (
                (self.chain(length - 2), 0) if is_chain else self.prose(length - 2, shares)
            )
            if second:
                body = np.concatenate([body[:second], [self.sep], body[second:-1]])
                segments[r, second + 2 :] = 1
            ids[r] = np.concatenate([[self.cls], body, [self.sep]])
            places[r] = self.rand.permutation(1 + np.flatnonzero(body != self.sep))[:n_hidden]
            true[r] = ids[r, places[r]]
            self.hide(ids[r], places[r], SHOWN["chain" if is_chain else "text"])
        return tuple(map(torch.from_numpy, (ids, segments, places, true)))

    def hide(self, row, places, shown):
        draw = self.rand.random(len(places))
        row[places[draw < shown[0]]] = self.mask
        other = places[(draw >= shown[0]) & (draw < shown[0] + shown[1])]
        row[other] = self.rand.integers(self.first, self.vocab_size, len(other))


class MaskedTask:
    """What the loop needs: a model, rows for a step, their loss, and something to report."""

    def __init__(self, plan, folder):
        self.plan = plan
        self.tokenizer = Tokenizer.from_file(str(folder / "wordpiece.json"))
        self.model = Bert(BertShape(vocab_size=self.tokenizer.get_vocab_size()))
        texts = {n: Sentences(folder, n, "train") for n in plan.texts}
        self.source = MaskedRows(list(texts.values()), self.tokenizer, plan.seed)
        self.held = {n: Sentences(folder, n, "held") for n in plan.texts}
        self.start_bias(list(texts.values()))

    @torch.no_grad()
    def start_bias(self, texts):
        """The output bias begins as the logarithm of how often a token occurs."""
        counts = [np.bincount(t.ids, minlength=len(self.model.bias)) / len(t.ids) for t in texts]
        often = np.average(counts, 0, weights=list(self.plan.texts.values()))
        self.model.bias.copy_(torch.from_numpy(np.log(often + 1e-6)))

    def rows(self, step):
        plan, n_ctx, rand = self.plan, self.model.shape.n_ctx, self.source.rand
        length = int(rand.choice([n_ctx, n_ctx // 2, n_ctx // 4, rand.integers(8, n_ctx // 4)]))
        return self.source.rows(
            plan.step_tokens // length,
            length,
            list(plan.texts.values()),
            plan.chains,
            plan.hidden[plan.falls(step)],
        )

    def loss(self, rows):
        ids, segments, places, true = rows
        logits = self.model(ids, segments, places)
        return F.cross_entropy(logits.flatten(0, 1), true.flatten())

    @torch.no_grad()
    def report(self, step, seed=7):
        """Held out, 15 % hidden: the share of first choices that are right; offset heads."""
        report = {}
        for name, text in self.held.items():
            source = MaskedRows([text], self.tokenizer, seed)
            ids, segments, places, true = source.rows(16, self.model.shape.n_ctx, [1], 0, 0.15)
            hidden = ids.gather(1, places) == source.mask
            right = self.model(ids, segments, places).argmax(-1) == true
            report[name] = right[hidden].float().mean().item()
        ids = torch.cat([self.plain_rows(text) for text in self.held.values()])
        patterns = torch.stack(self.model.patterns(ids))
        for name, offset in (("previous", -1), ("next", 1)):
            scores = patterns.diagonal(offset, 3, 4).mean((1, 3))
            layer, head = divmod(scores.argmax().item(), scores.shape[1])
            report[name] = f"{scores.max():.2f} L{layer}H{head}"
        return report

    def plain_rows(self, text, n_rows=4):
        """Rows with nothing hidden."""
        body = torch.from_numpy(text.ids[: n_rows * (self.model.shape.n_ctx - 2)]).view(n_rows, -1)
        ends = (torch.full((n_rows, 1), special) for special in (self.source.cls, self.source.sep))
        start, end = ends
        return torch.cat([start, body, end], 1)
