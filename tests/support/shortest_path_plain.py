"""Small graphs, and the value of the game written down once more, as plainly as can be."""

from __future__ import annotations

import math
import os
from functools import cache
from random import Random

from manhunt.boards.build import build_board
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
CLOSE = 1e-6


def few(n: int) -> int:
    """Fewer cases where nothing is compiled."""
    return n if COMPILED else max(3, n // 10)


def random_config(rng: Random, n: int, n_edges: int, rule: Rule | None = None) -> ShortestPathConfig:
    """A graph that is connected, its source as far from the target as any node."""
    pairs = {(rng.randrange(node), node) for node in range(1, n)}
    every = [(a, b) for a in range(n) for b in range(a + 1, n) if (a, b) not in pairs]
    pairs |= set(rng.sample(every, max(0, min(n_edges - len(pairs), len(every)))))
    board = build_board("small", [(a, b, None) for a, b in sorted(pairs)], range(n))
    target = Node(rng.randrange(n))
    hops = hops_to(board, target)
    source = max(board.nodes(), key=lambda node: (hops[node], rng.random()))
    return ShortestPathConfig(board, source, target, rule or rng.choice(list(Rule)))


def plain_value(state: ShortestPathState, arcs: set[tuple[Node, Node]] | None = None) -> float:
    """What is still to be paid: all simple paths on the arcs, all raises, no table of anything but this."""
    config, board = state.config, state.config.board
    hops = hops_to(board, config.target)
    number = {(edge.a, edge.b): i for i, edge in enumerate(board.edges)}
    number |= {(b, a): i for (a, b), i in number.items()}
    walkable = set(number) if arcs is None else arcs
    matter = sorted({number[arc] for arc in walkable})

    def cost(edge: int, raises: tuple[int, ...]) -> float:
        ends = (board.edges[edge].a, board.edges[edge].b)
        return (2.0 if config.rule is Rule.DOUBLE else 1 + math.sqrt(max(hops[end] or 0 for end in ends))) ** raises[
            edge
        ]

    @cache
    def to_walk(node: Node, visited: frozenset[Node], raises: tuple[int, ...]) -> float:
        best = math.inf
        for to in board.neighbours(node):
            if (node, to) in walkable and to not in visited:
                price = cost(number[node, to], raises)
                best = min(best, price + (0.0 if to == config.target else to_raise(to, visited | {to}, raises)))
        return best

    @cache
    def to_raise(node: Node, visited: frozenset[Node], raises: tuple[int, ...]) -> float:
        more = [(*raises[:edge], raises[edge] + 1, *raises[edge + 1 :]) for edge in matter]
        return max((to_walk(node, visited, each) for each in more), default=to_walk(node, visited, raises))

    if state.quarry == config.target:
        return 0.0
    turn = to_walk if rules.whose_turn(state) is Seat.EVADER else to_raise
    return turn(state.quarry, frozenset({state.quarry}), state.raises)


def value_by_the_rules(state: ShortestPathState, n_moves: int) -> float:
    """The total at the end, by nothing but the rules: passes and nodes visited again are allowed for so many moves."""

    @cache
    def search(quarry: Node, raises: tuple[int, ...], ply: int) -> float:
        here = ShortestPathState(state.config, quarry, raises, 0.0, ply)
        if quarry == state.config.target:
            return 0.0
        if rules.whose_turn(here) is Seat.PURSUERS:
            after = [rules.apply_action(here, action) for action in rules.legal_actions(here)]
            return max(search(s.quarry, s.raises, s.ply) for s in after)
        if (ply - state.ply) // 2 >= n_moves:
            return math.inf
        after = [rules.apply_action(here, action) for action in rules.legal_actions(here)]
        return min(s.total + search(s.quarry, s.raises, s.ply) for s in after)

    return search(state.quarry, state.raises, state.ply)
