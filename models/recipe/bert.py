# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The BERT family, written for training; export.py gives the parts Hugging Face's names.

  x = LayerNorm (token + position + segment)
  x = LayerNorm (x + attention (x))
  x = LayerNorm (x + mlp (x))
  logits = LayerNorm (gelu (dense x)) tokenᵀ + bias

Only hidden tokens are scored, equally many in every row; so the last block and the output matrix
are computed at their places alone, which saves a sixth of a step.

Four beginnings save training that two processor cores cannot pay for; from the first step on
everything is trained:

  - The output matrices of attention and MLP are zero, so every block begins as the identity.
  - The output bias is the logarithm of how often a token occurs.
  - Positions are sines and cosines, where a fixed distance is a rotation. The norm stands after the
    sum and sees only the proportion, so they begin about as long as the tokens' vectors.
  - The first heads of layer 0 look at fixed distances (DISTANCES): their queries are the sines of
    their own position, turned by the distance, and their keys the sines. What they read and write
    there is learned, and they may turn elsewhere.
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn

from model import Attention, Shape

POSITION_SIZE = 0.09
TOKEN_SIZE = 0.06
LONGEST_WAVE = 512  # tokens
DISTANCES = (-1, 1, -2, 2)
HEAD_WAVES = slice(0, 32, 2)  # the 16 waves such a head compares: 4 to 18 tokens long
HEAD_SIZE = 1.9


@dataclasses.dataclass
class BertShape(Shape):
    vocab_size: int = 2500
    n_ctx: int = 128


class BothSides(Attention):
    """Attention without a causal mask; `at` chooses the queries that are needed."""

    def forward(self, x, at):
        q, k, v = self.split(self.q(at)), self.split(self.k(x)), self.split(self.v(x))
        z = F.scaled_dot_product_attention(q, k, v)
        return self.out(z.transpose(1, 2).flatten(2))

    def pattern(self, x):
        q, k = self.split(self.q(x)), self.split(self.k(x))
        return (q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])).softmax(-1)


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.attn = BothSides(shape)
        self.fc = nn.Linear(shape.d_model, shape.d_mlp)
        self.proj = nn.Linear(shape.d_mlp, shape.d_model)
        self.ln_1, self.ln_2 = nn.LayerNorm(shape.d_model), nn.LayerNorm(shape.d_model)

    def forward(self, x, at=None):
        at = x if at is None else at
        x = self.ln_1(at + self.attn(x, at))
        return self.ln_2(x + self.proj(F.gelu(self.fc(x))))


def wave_steps(d_model):
    """By what angle each wave goes on from a token to the next; they are 4 to LONGEST_WAVE long."""
    lengths = torch.logspace(math.log10(4), math.log10(LONGEST_WAVE), d_model // 2)
    return 2 * math.pi / lengths


def sines(n_ctx, d_model):
    """[n_ctx, d_model]: first the sines, then the cosines."""
    angles = torch.arange(n_ctx)[:, None] * wave_steps(d_model)
    return torch.cat([angles.sin(), angles.cos()], 1) * 2**0.5


def look_at_distance(query, key, distance):
    """Fills one head's rows [d_head, d_model] of the query and key matrices.

    With s = sin, c = cos of wave w at position i, the query holds sin (i + distance) w and
    cos (i + distance) w by the addition theorems; its product with s, c of j is
    cos (i + distance - j) w, which is largest for every wave at j = i + distance.
    """
    n_waves = query.shape[1] // 2
    waves = torch.arange(n_waves)[HEAD_WAVES]
    turn = wave_steps(query.shape[1])[waves] * distance
    sine, cosine = torch.arange(len(waves)), len(waves) + torch.arange(len(waves))
    for matrix in (query, key):
        matrix.zero_()
    query[sine, waves], query[sine, n_waves + waves] = turn.cos(), turn.sin()
    query[cosine, n_waves + waves], query[cosine, waves] = turn.cos(), -turn.sin()
    key[sine, waves] = key[cosine, n_waves + waves] = 1
    query.mul_(HEAD_SIZE)
    key.mul_(HEAD_SIZE)


class Bert(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.token = nn.Embedding(shape.vocab_size, shape.d_model)
        self.position = nn.Embedding(shape.n_ctx, shape.d_model)
        self.segment = nn.Embedding(2, shape.d_model)
        self.ln_e, self.ln_head = nn.LayerNorm(shape.d_model), nn.LayerNorm(shape.d_model)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.n_layer))
        self.dense = nn.Linear(shape.d_model, shape.d_model)
        self.bias = nn.Parameter(torch.zeros(shape.vocab_size))
        self.initialise()

    def initialise(self):
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=module.in_features**-0.5)
                nn.init.zeros_(module.bias)
        for block in self.blocks:
            nn.init.zeros_(block.attn.out.weight)
            nn.init.zeros_(block.proj.weight)
        nn.init.normal_(self.token.weight, std=TOKEN_SIZE)
        nn.init.normal_(self.segment.weight, std=TOKEN_SIZE)
        with torch.no_grad():
            self.position.weight.copy_(sines(self.shape.n_ctx, self.shape.d_model) * POSITION_SIZE)
            first = self.blocks[0].attn
            d_head = self.shape.d_model // self.shape.n_head
            for head, distance in enumerate(DISTANCES):
                rows = slice(head * d_head, (head + 1) * d_head)
                look_at_distance(first.q.weight[rows], first.k.weight[rows], distance)

    def matrices(self):
        """What Muon trains."""
        return [p for p in self.blocks.parameters() if p.ndim == 2] + [self.dense.weight]

    def embed(self, ids, segments):
        return self.ln_e(
            self.token(ids) + self.position.weight[: ids.shape[1]] + self.segment(segments)
        )

    def forward(self, ids, segments, places):
        """Logits at places [row, n]: [row, n, vocabulary]."""
        x = self.embed(ids, segments)
        for block in self.blocks[:-1]:
            x = block(x)
        at = x.gather(1, places[..., None].expand(-1, -1, x.shape[-1]))
        at = self.blocks[-1](x, at)
        at = self.ln_head(F.gelu(self.dense(at)))
        return F.linear(at, self.token.weight, self.bias)

    def patterns(self, ids):
        """Attention weights of every layer: [layer][batch, head, query, key]."""
        x, patterns = self.embed(ids, torch.zeros_like(ids)), []
        for block in self.blocks:
            patterns.append(block.attn.pattern(x))
            x = block(x)
        return patterns
