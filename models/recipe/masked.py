# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The masked objective: rows with hidden tokens, the loss at their places, and what is reported.

A row is [CLS] A [SEP], or [CLS] A [SEP] B [SEP] with B in the second segment. It begins at the
start of a sentence and is cut at its length, so no row needs padding; half of the short everyday
rows are one whole sentence, because that is what people type.

Made rows are an aid here too (rows.py). A skipping row has its rule from each token to the next: a
hidden token is found from its left neighbour by the table and from its right one by the inverse,
two different things to do with two different neighbours, which keeps two heads at it. In a distinct
row a hidden token is found where the same neighbours stood before.
"""

import dataclasses
import re

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from bert import Bert, BertShape
from rows import Rows
from stages import Plan, Stage
from wordpiece import CLS, MASK, SEP, SPECIAL

PAIRS = 0.25  # of the rows have two segments
WHOLE = 0.5  # of the rows are one sentence, where the text has one of that length
# What stands in a hidden place (Devlin et al. 2019): mostly [MASK], sometimes another token,
# sometimes the token itself. So no token can be trusted, and every place has to look around.
SHOWN = (0.8, 0.1, 0.1)
# Words that are decided by a word farther off are hidden SOUGHT_OFTEN times as often as others:
# they are what heads that look far are good for, and one verb in three sentences is too few.
SOUGHT = "is are was were he she it they his her their him them".split()
SOUGHT_OFTEN = 4
SENTENCE_END = re.compile(r'(?:(?<=[.!?])|(?<=[.!?]["”)]))(?<!Mr\.)(?<!Mrs\.) (?=["“(A-Z])')


@dataclasses.dataclass
class MaskedPlan(Plan):
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


class MaskedRows(Rows):
    def __init__(self, texts, tokenizer, seed):
        super().__init__(texts, tokenizer.get_vocab_size(), seed, len(SPECIAL))
        self.cls, self.sep, self.mask = map(tokenizer.token_to_id, (CLS, SEP, MASK))
        self.stop = tokenizer.token_to_id(".")
        self.often = np.ones(tokenizer.get_vocab_size())
        self.often[[tokenizer.token_to_id(word) for word in SOUGHT]] = SOUGHT_OFTEN

    def prose(self, length, shares):
        """length tokens and where a second segment starts: after a full stop, or 0."""
        text = self.texts[self.rand.choice(len(self.texts), p=shares)]
        body = text.row(self.rand, length)
        stops = np.flatnonzero(body[2:-3] == self.stop) if self.rand.random() < PAIRS else ()
        return body, 3 + int(self.rand.choice(stops)) if len(stops) else 0

    def body(self, length, stage, shares, kinds):
        """length tokens, and where a second segment starts, or 0."""
        share = self.rand.random()
        if share < stage.skipping:
            return self.skipping(length, kinds, self.rand.choice(stage.back)), 0
        if share < stage.skipping + stage.distinct:
            return self.distinct(length, kinds), 0
        return self.prose(length, shares)

    def rows(self, n_rows, length, stage, weights, n_kinds=0):
        """ids as shown [row, length], segments, hidden places [row, n], the true ids there."""
        shares, kinds = np.array(weights) / sum(weights), self.order[:n_kinds]
        n_hidden = max(1, round(stage.hidden * (length - 2)))
        ids = np.empty((n_rows, length), dtype=np.int64)
        segments = np.zeros_like(ids)
        places = np.empty((n_rows, n_hidden), dtype=np.int64)
        true = np.empty_like(places)
        for r in range(n_rows):
            body, second = self.body(length - 2, stage, shares, kinds)
            if second:
                body = np.concatenate([body[:second], [self.sep], body[second:-1]])
                segments[r, second + 2 :] = 1
            ids[r] = np.concatenate([[self.cls], body, [self.sep]])
            places[r] = self.choose(1 + np.flatnonzero(body != self.sep), ids[r])[:n_hidden]
            true[r] = ids[r, places[r]]
            self.hide(ids[r], places[r])
        return tuple(map(torch.from_numpy, (ids, segments, places, true)))

    def choose(self, places, row):
        """The places in a random order, those of sought words earlier."""
        late = self.rand.exponential(size=len(places)) / self.often[row[places]]
        return places[np.argsort(late)]

    def hide(self, row, places):
        draw = self.rand.random(len(places))
        row[places[draw < SHOWN[0]]] = self.mask
        other = places[(draw >= SHOWN[0]) & (draw < SHOWN[0] + SHOWN[1])]
        row[other] = self.rand.choice(self.order, len(other))


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
        """Where a stage is mostly text, the rows of a step are of n_ctx tokens or shorter ones."""
        (stage, _), rand = self.plan.stage(step), self.source.rand
        length = stage.row_tokens
        if stage.skipping + stage.distinct < 0.5:
            length = int(
                rand.choice(
                    [length, length, length // 2, length // 4, rand.integers(8, length // 4)]
                )
            )
        n_rows = stage.rows * stage.row_tokens // length
        return self.source.rows(
            n_rows, length, stage, self.plan.weights(step), self.plan.n_kinds(step)
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
            ids, segments, places, true = source.rows(
                16, self.model.shape.n_ctx, Stage(1, hidden=0.15), [1]
            )
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
