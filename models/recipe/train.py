# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The training loop.

Optimizer: Muon (Jordan et al. 2024) on the matrices of the blocks, AdamW on everything else
(embeddings, norms, biases). A plan is a list of stages, in steps, so that it repeats on any machine:
made rows of few kinds of token first, until the heads are there; then more kinds and more text; in
the end rows of n_ctx tokens, fewer of them.

A stage says how the learning rate goes, as shares of the full one; else the rate stays level.
"""

import argparse
import dataclasses
import os
import pathlib
import time

# A thread that waits for another should sleep, not spin: on a busy machine spinning made a step
# four times dearer. Read when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch
import torch.nn.functional as F

from masked import MaskedPlan
from model import Model, Shape
from rows import Rows, Text
from stages import Plan, Stage


@dataclasses.dataclass
class CausalPlan(Plan):
    shape: Shape = dataclasses.field(default_factory=Shape)

    def task(self, folder):
        return CausalTask(self, folder)


REST = {"distinct": 0.03, "copying": 0.10, "kinds": (2047, 2047)}
LONG = {
    "rows": 8,
    "row_tokens": 255,
    "kinds": (2047, 2047),
    "weights": (0.2, 0.3, 0.22, 0.28, 0),
}
WITH_WEB = LONG | {"weights": (0.2, 0.2, 0.18, 0.17, 0.25)}
LINE = {"back": (6, 8)}
KNOWN = {"skipping": 0.03, "distinct": 0.02, "copying": 0.05, "kinds": (3059, 3059), **LINE}
# A masked model sees both neighbours: the rule of its skipping rows leads to the next token.
NEXT = {"back": (1,)}
FALL = NEXT | {"skipping": 0.02, "distinct": 0.04, "kinds": (2495, 2495), "hidden": 0.2}

PLANS = {
    "english-small": CausalPlan(
        texts={"everyday": 0.4, "austen": 0.25, "wordnet": 0.15, "bible": 0.2, "web": 0},
        stages=[
            Stage(200, skipping=0.3, distinct=0.6, copying=0.1),
            Stage(200, skipping=0.1, distinct=0.45, copying=0.25),
            Stage(500, skipping=0.04, distinct=0.2, copying=0.25, kinds=(64, 2047)),
            Stage(1165, **REST),
            Stage(2835, rate=(1, 0.26), **REST),
            Stage(600, rate=(0.26, 0.104), rows=8, row_tokens=255, **REST),
            # Two more falls, with more of the books, whose loss was above that of trigrams, and with
            # many long made rows, which make the induction heads sharp.
            Stage(800, rate=(0.45, 0.35), distinct=0.2, copying=0.2, **LONG),
            Stage(300, rate=(0.35, 0.302), distinct=0.05, copying=0.06, **LONG),
            Stage(1900, rate=(0.302, 0), distinct=0.14, copying=0.08, **LONG),
            Stage(500, rate=(0.3, 0), distinct=0.25, copying=0.12, **LONG),
            # The second Bible came last, with a fall of its own.
            Stage(1500, rate=(0.45, 0.2), distinct=0.2, copying=0.1, **WITH_WEB),
            Stage(1000, rate=(0.2, 0), distinct=0.26, copying=0.13, **WITH_WEB),
        ],
    ),
    # Poems are to be known by heart: most rows are poems, and few are made. Lines have five or
    # seven characters and a mark: rows whose table reaches six or eight back teach to look at
    # what the next character answers.
    "chinese-poems": CausalPlan(
        texts={"poems": 0.7, "everyday_zh": 0.3, "couplets": 0, "relations_zh": 0},
        shape=Shape(vocab_size=3060, n_ctx=128),
        stages=[
            Stage(200, skipping=0.3, distinct=0.6, copying=0.1),
            Stage(700, skipping=0.15, distinct=0.55, copying=0.3),
            Stage(150, skipping=0.4, distinct=0.3, copying=0.1, **LINE),
            Stage(
                250,
                skipping=0.1,
                distinct=0.15,
                copying=0.15,
                kinds=(64, 3059),
                rate=(1, 0.91),
                **LINE,
            ),
            Stage(1300, rate=(0.91, 0), **KNOWN),
            # The written couplets and the relations came last, each with a fall of its own.
            Stage(700, rate=(0.5, 0), weights=(0.55, 0.25, 0.2, 0), **KNOWN),
            Stage(900, rate=(0.6, 0), weights=(0.48, 0.18, 0.12, 0.22), **KNOWN),
        ],
        muon_rate=0.01,
        token_rate=0.004,
        rest_rate=0.0015,
    ),
    "english-masked": MaskedPlan(
        texts={
            "everyday": 0.28,
            "austen": 0.18,
            "wordnet": 0.19,
            "bible": 0.18,
            "relations": 0.17,
        },
        stages=[
            Stage(400, skipping=0.33, distinct=0.67, hidden=0.25, **NEXT),
            Stage(400, skipping=0.15, distinct=0.35, kinds=(64, 2495), hidden=0.25, **NEXT),
            Stage(2600, skipping=0.04, distinct=0.06, kinds=(2495, 2495), hidden=0.3, **NEXT),
            Stage(4000, rate=(1, 0), **FALL),
            # A second fall, with more of the everyday sentences.
            Stage(2600, rate=(0.5, 0), weights=(0.38, 0.16, 0.16, 0.14, 0.16), **FALL),
        ],
        muon_rate=0.007,
        token_rate=1e-3,
        rest_rate=1e-3,
    ),
}


class Muon(torch.optim.Optimizer):
    """Momentum whose step is made orthogonal by five Newton–Schulz iterations.

    torch.optim.Muon iterates in bfloat16, which is slow on processors without it; this one stays
    in float32 and handles all matrices of one shape together.
    """

    def __init__(self, matrices, lr, momentum=0.95, weight_decay=0.1):
        super().__init__(
            list(matrices), {"lr": lr, "momentum": momentum, "weight_decay": weight_decay}
        )

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            by_shape = {}
            for p in group["params"]:
                by_shape.setdefault(p.shape, []).append(p)
            for same in by_shape.values():
                self.step_together(same, group["lr"], group["momentum"], group["weight_decay"])

    def step_together(self, matrices, lr, momentum, weight_decay):
        for p in matrices:
            buffer = self.state[p].setdefault("momentum", torch.zeros_like(p))
            buffer.lerp_(p.grad, 1 - momentum)
        steps = torch.stack([p.grad.lerp(self.state[p]["momentum"], momentum) for p in matrices])
        rows, columns = steps.shape[1:]
        for p, step in zip(matrices, orthogonalise(steps)):
            p.mul_(1 - lr * weight_decay)
            p.add_(step, alpha=-lr * max(1, rows / columns) ** 0.5)


def orthogonalise(g):
    """[n, rows, columns] → the nearest (about) orthogonal matrices."""
    tall = g.shape[1] > g.shape[2]
    x = g.transpose(1, 2) if tall else g
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(5):
        a = x @ x.transpose(1, 2)
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x.transpose(1, 2) if tall else x


def optimizers(model, plan):
    matrices, vectors = model.matrices(), [model.token.weight, model.position.weight]
    chosen = set(map(id, matrices + vectors))
    rest = [p for p in model.parameters() if id(p) not in chosen]
    adam = torch.optim.AdamW(
        [{"params": rest, "lr": plan.rest_rate}, {"params": vectors, "lr": plan.token_rate}],
        betas=(0.9, 0.95),
        weight_decay=0.01,
    )
    opts = [Muon(matrices, plan.muon_rate), adam]
    for group in (group for opt in opts for group in opt.param_groups):
        group["full_rate"] = group["lr"]
    return opts


def loss_of(model, rows):
    logits = model(rows[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())


@torch.no_grad()
def measure(model, held, kinds, seed=7):
    """Loss on each held-out text, and the best previous-token and induction heads."""
    rand = torch.Generator().manual_seed(seed)
    report = {}
    for name, text in held.items():
        ids = torch.from_numpy(text.ids[: 16 * 129]).view(16, 129)
        report[name] = loss_of(model, ids).item()
    half = torch.from_numpy(kinds)[torch.randint(len(kinds), (16, 48), generator=rand)]
    twice = torch.cat([half, half], 1)
    previous, induction = [], []
    for pattern in model.patterns(twice):
        previous.append(pattern.diagonal(-1, 2, 3).mean((0, 2)))
        induction.append(pattern.diagonal(-47, 2, 3)[..., 1:].mean((0, 2)))  # key = query - 47
    logits = model(twice)[:, 47:-1]
    report["second copy"] = F.cross_entropy(logits.flatten(0, 1), twice[:, 48:].flatten()).item()
    for name, scores in (("previous", previous), ("induction", induction)):
        best = torch.stack(scores)
        layer, head = divmod(best.argmax().item(), best.shape[1])
        report[name] = f"{best.max():.2f} L{layer}H{head}"
    return report


class CausalTask:
    """What the loop needs: a model, rows for a step, their loss, and what the log shows."""

    def __init__(self, plan, folder):
        self.plan, self.model = plan, Model(plan.shape)
        texts = [Text(folder, n, "train") for n in plan.texts]
        self.held = {n: Text(folder, n, "held") for n in plan.texts}
        self.source = Rows(texts, plan.shape.vocab_size, plan.seed)

    def rows(self, step):
        plan, (stage, _) = self.plan, self.plan.stage(step)
        batch = self.source.batch(stage, plan.weights(step), plan.n_kinds(step))
        return torch.from_numpy(batch)

    def loss(self, rows):
        return loss_of(self.model, rows)

    def report(self, step):
        return measure(self.model, self.held, self.source.order[: self.plan.n_kinds(step)])


def show(step, loss, seconds, report):
    values = (f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in report.items())
    print(f"step {step}: loss {loss:.3f}, {seconds:.0f} s; " + ", ".join(values), flush=True)


def save(path, task, opts, step):
    part = path.with_suffix(".part")
    state = {
        "model": task.model.state_dict(),
        "optimizers": [opt.state_dict() for opt in opts],
        "step": step,
        "rand": task.source.rand,
        "shape": dataclasses.asdict(task.model.shape),
    }
    torch.save(state, part)
    part.replace(path)


def load(path, task, opts):
    """Goes on from a checkpoint; returns the step."""
    if not path.exists():
        return 0
    saved = torch.load(path, weights_only=False)
    task.model.load_state_dict(saved["model"])
    for opt, state in zip(opts, saved["optimizers"]):
        opt.load_state_dict(state)
    task.source.rand = saved["rand"]
    return saved["step"]


def train_step(task, opts, step):
    for group in (group for opt in opts for group in opt.param_groups):
        group["lr"] = group["full_rate"] * task.plan.rate(step)
    loss = task.loss(task.rows(step))
    loss.backward()
    torch.nn.utils.clip_grad_norm_([p for g in opts[1].param_groups for p in g["params"]], 1.0)
    for opt in opts:
        opt.step()
        opt.zero_grad()
    return loss.item()


def train(plan, folder, name):
    torch.manual_seed(plan.seed)
    task = plan.task(folder)
    opts = optimizers(task.model, plan)
    checkpoint = folder / f"{name}.pt"
    began, mean = time.monotonic(), None
    for step in range(load(checkpoint, task, opts), plan.steps):
        loss = train_step(task, opts, step)
        mean = loss if mean is None else 0.95 * mean + 0.05 * loss
        if (step + 1) % 50 == 0:
            report = task.report(step) if (step + 1) % 100 == 0 else {}
            show(step + 1, mean, time.monotonic() - began, report)
        if (step + 1) % 100 == 0 or step + 1 == plan.steps:
            save(checkpoint, task, opts, step + 1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=PLANS)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    train(PLANS[arguments.name], arguments.work, arguments.name)


if __name__ == "__main__":
    main()
