"""The policy net while it learns, in PyTorch; `PolicyNet` is the same net in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from manhunt.boards.distance import hops_or_far
from manhunt.core.arrays import Float32s
from manhunt.core.kit import Kit
from manhunt.learning.pytorch import torch
from manhunt.search.policy_net import PolicyNet

nn = torch.nn


class Block(NamedTuple):
    """A plane over the nodes of a board: where it begins in the observation, and what it is about."""

    start: int
    kind: str


class Network(nn.Module):
    """Learns `w1` of planes over a board in two parts: node by node, and spread over the nodes nearby.

        w1 = raw + nearness @ spread        nearness[a, b] = 2 ** -hops, in rows of length 1

    So what it learns about one node holds a little for its neighbours, too. Planes of the same kind (one for each of
    several pieces) share `spread`. The net that plays is as small as ever.
    """

    nearness: torch.Tensor
    kind: torch.Tensor
    places: torch.Tensor

    def __init__(self, n_inputs: int, n_actions: int, width: int, planes: Sequence[Block], nearness: Float32s) -> None:
        super().__init__()
        n_nodes = len(nearness)
        self.raw = nn.Parameter(torch.randn(n_inputs, width) * 0.1)
        self.b1 = nn.Parameter(torch.zeros(width))
        self.w2 = nn.Parameter(torch.randn(width, width) * (2 / width) ** 0.5)
        self.b2 = nn.Parameter(torch.zeros(width))
        self.actions = nn.Parameter(torch.randn(n_actions, 2 * width) * 0.01)
        self.biases = nn.Parameter(torch.zeros(n_actions))
        self.w_value = nn.Parameter(torch.zeros(2 * width))
        self.b_value = nn.Parameter(torch.zeros(1))
        self.spread = nn.Parameter(torch.randn(len({plane.kind for plane in planes}), n_nodes, width) * 0.1)
        self.register_buffer("nearness", torch.from_numpy(nearness), persistent=False)
        places = [plane.start + node for plane in planes for node in range(n_nodes)]
        kinds = list(dict.fromkeys(plane.kind for plane in planes))
        kind = torch.tensor([kinds.index(plane.kind) for plane in planes], dtype=torch.long)
        self.register_buffer("kind", kind, persistent=False)
        self.register_buffer("places", torch.tensor(places, dtype=torch.long), persistent=False)

    def w1(self) -> torch.Tensor:
        if not len(self.places):
            return self.raw
        near = (self.nearness @ self.spread)[self.kind].reshape(len(self.places), -1)
        return self.raw.index_add(0, self.places, near)

    def forward(
        self, rows: torch.Tensor, owners: torch.Tensor, numbers: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-chances of the legal actions, where `numbers[k]` is legal in `rows[owners[k]]`; and values."""
        first = rows @ self.w1() + self.b1
        body = torch.cat((first, torch.relu(torch.relu(first) @ self.w2 + self.b2)), dim=1)
        scores = (body[owners] * self.actions[numbers]).sum(1) + self.biases[numbers]
        n = len(rows)
        with torch.no_grad():
            top = torch.full((n,), -torch.inf).scatter_reduce(0, owners, scores, "amax")
        scores = scores - top[owners]
        totals = torch.zeros(n).index_add(0, owners, scores.exp())
        return scores - totals.log()[owners], body @ self.w_value + self.b_value

    def to_numpy(self) -> PolicyNet:
        with torch.no_grad():
            parts = {name: getattr(self, name) for name in PolicyNet._fields if name != "w1"}
            return PolicyNet(**{name: part.numpy().copy() for name, part in (*parts.items(), ("w1", self.w1()))})


def make_network(kit: Kit, config: Any, n_inputs: int, width: int) -> Network:
    encoder = kit.encoder(config)
    shift = encoder.observation_size
    every = [*encoder.planes, *(p for p in encoder.shared_planes if n_inputs > shift)]
    starts = [p.start + (0 if i < len(encoder.planes) else shift) for i, p in enumerate(every)]
    if not kit.game.capabilities.board:
        return Network(n_inputs, encoder.n_actions, width, (), np.zeros((0, 0), np.float32))
    n_nodes = config.board.n_nodes
    near = np.exp2(-hops_or_far(config.board).astype(np.float32))
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    blocks = [
        Block(start + at, plane.name.rstrip("_0123456789"))
        for plane, start in zip(every, starts, strict=True)
        if plane.length % n_nodes == 0 and "node" in plane.meaning
        for at in range(0, plane.length, n_nodes)
    ]
    return Network(n_inputs, encoder.n_actions, width, blocks, near)


def multiply(a: Float32s, b: Float32s) -> Float32s:
    """The product of two matrices on the threads that PyTorch has, which are one: NumPy's would wait for each other."""
    product: Float32s = torch.mm(torch.from_numpy(a), torch.from_numpy(b)).numpy()
    return product
