# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""A plan is a list of stages, counted in steps, so that it repeats on any machine."""

import dataclasses

WARM_STEPS = 30


@dataclasses.dataclass
class Stage:
    """Shares of made rows (the rest is text) and how many kinds of token they have, first and last."""

    steps: int
    skipping: float = 0.0
    back: tuple = (2,)  # how far back the table of a skipping row reaches, one of these
    distinct: float = 0.0
    copying: float = 0.0
    kinds: tuple = (64, 64)
    rows: int = 16
    row_tokens: int = 128
    rate: tuple = (1, 1)  # first and last, of the full one
    weights: tuple = ()  # of the texts; else the plan's
    hidden: float = 0.0  # of a row's tokens, where the objective is to find them


@dataclasses.dataclass
class Plan:
    texts: dict  # name: weight
    stages: list
    seed: int = 1
    muon_rate: float = 0.02
    token_rate: float = (
        0.01  # AdamW's, of the token and position vectors, whose entries are near 0.5
    )
    rest_rate: float = 3e-3

    @property
    def steps(self):
        return sum(stage.steps for stage in self.stages)

    def stage(self, step):
        """The stage a step belongs to, and how much of the stage is done."""
        for stage in self.stages:
            if step < stage.steps:
                return stage, step / stage.steps
            step -= stage.steps
        raise IndexError(step)

    def n_kinds(self, step):
        stage, done = self.stage(step)
        first, last = stage.kinds
        return round(first * (last / first) ** done)

    def weights(self, step):
        return self.stage(step)[0].weights or tuple(self.texts.values())

    def rate(self, step):
        stage, done = self.stage(step)
        first, last = stage.rate
        return min((step + 1) / WARM_STEPS, first + (last - first) * done)
