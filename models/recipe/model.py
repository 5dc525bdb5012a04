# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The gpt2 family, written for training: q, k and v are separate matrices here (each is
orthogonalised on its own by the optimizer), and export.py joins them as GPT-2 files want them.

  x = token + position
  x = x + attention (LayerNorm (x))
  x = x + mlp (LayerNorm (x))
  logits = LayerNorm (x) headᵀ

The head is a matrix of its own: tied to it, token vectors must be small, and what the first layer
adds drowns them, so that no later head can read which token stands at a place.
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass
class Shape:
    vocab_size: int = 2048
    n_ctx: int = 256
    n_layer: int = 4
    n_head: int = 6
    d_model: int = 192

    @property
    def d_mlp(self):
        return 4 * self.d_model


def waves(n_ctx, d_model):
    """Sine and cosine of d_model / 2 wavelengths from 4 to n_ctx tokens; each is as long as √(d_model / 2)."""
    lengths = 4 * (n_ctx / 4) ** torch.linspace(0, 1, d_model // 2)
    turns = 2 * math.pi * torch.arange(n_ctx)[:, None] / lengths
    return torch.cat([turns.sin(), turns.cos()], 1)


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.n_head = shape.n_head
        self.q, self.k, self.v, self.out = (
            nn.Linear(shape.d_model, shape.d_model) for _ in range(4)
        )

    def split(self, x):
        return x.unflatten(-1, (self.n_head, -1)).transpose(1, 2)  # [batch, head, pos, d_head]

    def forward(self, x):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(z.transpose(1, 2).flatten(2))

    def pattern(self, x):
        q, k = self.split(self.q(x)), self.split(self.k(x))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return scores.masked_fill(future, -math.inf).softmax(-1)


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(shape.d_model), nn.LayerNorm(shape.d_model)
        self.attn = Attention(shape)
        self.fc, self.proj = nn.Linear(shape.d_model, shape.d_mlp), nn.Linear(
            shape.d_mlp, shape.d_model
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.proj(F.gelu(self.fc(self.ln_2(x)), approximate="tanh"))


class Model(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.token = nn.Embedding(shape.vocab_size, shape.d_model)
        self.position = nn.Embedding(shape.n_ctx, shape.d_model)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.n_layer))
        self.ln_f = nn.LayerNorm(shape.d_model)
        self.head = nn.Parameter(torch.zeros(shape.vocab_size, shape.d_model))
        self.initialise()

    def initialise(self):
        """Each block begins as the identity: its output matrices are zero.

        Positions begin as waves, so that "one back" is the same turn at every place.
        """
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=module.in_features**-0.5)
                nn.init.zeros_(module.bias)
        for block in self.blocks:
            nn.init.zeros_(block.attn.out.weight)
            nn.init.zeros_(block.proj.weight)
        nn.init.normal_(self.token.weight, std=0.5)
        nn.init.normal_(self.head, std=0.02)
        with torch.no_grad():
            self.position.weight.copy_(waves(*self.position.weight.shape))

    def matrices(self):
        """What Muon trains."""
        return [p for p in self.blocks.parameters() if p.ndim == 2]

    def embed(self, ids):
        return self.token(ids) + self.position.weight[: ids.shape[1]]

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return F.linear(self.ln_f(x), self.head)

    def patterns(self, ids):
        """Attention weights of every layer: [layer][batch, head, query, key]."""
        x, patterns = self.embed(ids), []
        for block in self.blocks:
            patterns.append(block.attn.pattern(block.ln_1(x)))
            x = block(x)
        return patterns
