# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The training loop.

Optimizer: Muon (Jordan et al. 2024) on the matrices of the blocks, AdamW on everything else
(embeddings, norms, biases). Schedule, in steps, so that it repeats on any machine:

  start     three rows in four are copying rows, of 64 kinds of token; the rest is text
  widen     half copying rows, the kinds double until every token takes part
  text      15 % copying rows; in the last fifth of all steps rows of n_ctx tokens, fewer of them

The learning rate stays level through the start, then it falls linearly and reaches zero at the end.
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

from model import Model, Shape
from rows import Mixture, Text


@dataclasses.dataclass
class Plan:
    texts: dict  # name: (weight in the start, weight after it)
    steps: int
    start_steps: int
    widen_steps: int
    start_kinds: int = 64
    rows: int = 32
    text_rows: int = 16  # after the widening
    row_tokens: int = 128
    seed: int = 1
    muon_rate: float = 0.02
    adam_rate: float = 3e-3
    long_share: float = 0.2  # of all steps, at the end

    def copying(self, step):
        return (
            0.75
            if step < self.start_steps
            else 0.5 if step < self.start_steps + self.widen_steps else 0.15
        )

    def kinds(self, step, vocab_size):
        done = (step - self.start_steps) / self.widen_steps
        if done < 0:
            return self.start_kinds
        doublings = (vocab_size // self.start_kinds).bit_length() - 1
        return min(self.start_kinds << 1 + int(min(1, done) * doublings), vocab_size - 1)

    def rate(self, step):
        if step < self.start_steps:
            return min(1, (step + 1) / 50)
        return min(1, (self.steps - step) / (0.6 * self.steps))

    def weights(self, step):
        return [pair[step >= self.start_steps] for pair in self.texts.values()]

    def row_shape(self, step, n_ctx):
        if step >= (1 - self.long_share) * self.steps:
            return self.text_rows * self.row_tokens // n_ctx, n_ctx
        return (
            self.rows if step < self.start_steps + self.widen_steps else self.text_rows
        ), self.row_tokens


PLANS = {
    "english-small": Plan(
        texts={
            "everyday": (0.4, 0.45),
            "austen": (0.25, 0.25),
            "wordnet": (0.2, 0.15),
            "bible": (0.15, 0.15),
        },
        steps=1700,
        start_steps=1000,
        widen_steps=1,
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
    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    chosen = set(map(id, matrices))
    rest = [p for p in model.parameters() if id(p) not in chosen]
    return [
        Muon(matrices, plan.muon_rate),
        torch.optim.AdamW(rest, plan.adam_rate, betas=(0.9, 0.95), weight_decay=0.01),
    ]


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


def show(step, loss, seconds, report):
    values = (f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in report.items())
    print(f"step {step}: loss {loss:.3f}, {seconds:.0f} s; " + ", ".join(values), flush=True)


def train(plan, folder, name, steps_per_checkpoint=100):
    torch.manual_seed(plan.seed)
    model = Model(Shape())
    opts = optimizers(model, plan)
    mixture = Mixture(
        [Text(folder, n, "train") for n in plan.texts], model.shape.vocab_size, plan.seed
    )
    held = {n: Text(folder, n, "held") for n in plan.texts}
    checkpoint, first = folder / f"{name}.pt", 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        model.load_state_dict(saved["model"])
        for opt, state in zip(opts, saved["optimizers"]):
            opt.load_state_dict(state)
        first, mixture.rand = saved["step"], saved["rand"]
    began, mean = time.monotonic(), None
    for step in range(first, plan.steps):
        rate = plan.rate(step)
        opts[0].param_groups[0]["lr"], opts[1].param_groups[0]["lr"] = (
            plan.muon_rate * rate,
            plan.adam_rate * rate,
        )
        n_rows, length = plan.row_shape(step, model.shape.n_ctx)
        rows = mixture.rows(
            n_rows,
            length + 1,
            plan.weights(step),
            plan.copying(step),
            plan.kinds(step, model.shape.vocab_size),
        )
        loss = loss_of(model, torch.from_numpy(rows))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(opts[1].param_groups[0]["params"], 1.0)
        for opt in opts:
            opt.step()
            opt.zero_grad()
        mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
        if (step + 1) % 50 == 0:
            kinds = mixture.order[: plan.kinds(step, model.shape.vocab_size)]
            report = measure(model, held, kinds) if (step + 1) % 100 == 0 else {}
            show(step + 1, mean, time.monotonic() - began, report)
        if (step + 1) % steps_per_checkpoint == 0 or step + 1 == plan.steps:
            part = checkpoint.with_suffix(".part")
            torch.save(
                {
                    "model": model.state_dict(),
                    "optimizers": [o.state_dict() for o in opts],
                    "step": step + 1,
                    "rand": mixture.rand,
                    "shape": dataclasses.asdict(model.shape),
                },
                part,
            )
            part.replace(checkpoint)


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
