"""Certified bounds on the value of a position of Adversarial Shortest Path, and what anybody needs to check them.

The value of a position is what the traveller still has to pay from there when both play best. A lower bound comes from
an adversary of short memory, who keeps a few edges in mind, an upper bound from a traveller who confines himself to a
few arcs: the restricted game can be solved, and whoever keeps to the restriction is sure of its value in the whole
game.
"""

from __future__ import annotations

from dataclasses import dataclass

from manhunt.ids import Node


@dataclass(frozen=True, slots=True)
class LowerCertificate:
    """The adversary forces `value` although he remembers only his raises on `edges`, `horizon` of them at most.

    Edges are numbers into `board.edges`. Raises nearby the traveller count besides, for one step: see `lower.py`.
    """

    value: float
    edges: tuple[int, ...]
    horizon: int


@dataclass(frozen=True, slots=True)
class UpperCertificate:
    """The traveller walks only on `arcs` and never visits a node twice: he pays `value` at most."""

    value: float
    arcs: tuple[tuple[Node, Node], ...]
