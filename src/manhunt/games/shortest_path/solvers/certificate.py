"""Certified bounds on the value of a position of Adversarial Shortest Path, and what anybody needs to check them.

The value of a position is what the traveller still has to pay from there when both play best. A lower bound comes from
an adversary who restricts himself, to a short memory or to a few edges, an upper bound from a traveller who restricts
himself to a few arcs: the restricted game can be solved, and whoever keeps to the restriction is sure of its value in
the whole game.
"""

from dataclasses import dataclass

from manhunt.core.ids import Node


@dataclass(frozen=True, slots=True)
class LowerCertificate:
    """The adversary forces `value` by raising `edges`, which are numbers into `board.edges`.

    With a `horizon` he remembers only so many of these raises; raises near the traveller count as well, for one step
    (see `lower.py`). Without one he raises nothing but these edges, as often as he likes (see `confined.py`).
    """

    value: float
    edges: tuple[int, ...]
    horizon: int | None


@dataclass(frozen=True, slots=True)
class UpperCertificate:
    """The traveller walks only on `arcs` and never visits a node twice: he pays `value` at most."""

    value: float
    arcs: tuple[tuple[Node, Node], ...]
