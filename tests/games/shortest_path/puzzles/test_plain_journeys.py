"""Puzzles of Adversarial Shortest Path against a search of some lines that asks what a purse is enough for."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from functools import cache

from manhunt.analysis.puzzles import position_of
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.puzzles.making import LEAST_GAP
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import factors
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.play.position import Position
from puzzle_samples import some_puzzles

CLOSE = 1e-5
Raises = tuple[int, ...]


class Purse:
    """Whether the traveller arrives with so much money, whatever is raised.

    A raise never makes anything cheaper, so passing gains nothing; and money for the cheapest way at present costs is
    needed at least. Edges that nobody with this money can walk on do not matter, now or later.
    """

    def __init__(self, config: ShortestPathConfig) -> None:
        self.config, self.factors = config, factors(config)
        self.near: list[list[tuple[int, Node]]] = [[] for _ in config.board.nodes()]
        for i, edge in enumerate(config.board.edges):
            self.near[edge.a].append((i, edge.b))
            self.near[edge.b].append((i, edge.a))
        self.least = cache(self._least)
        self.known: dict[tuple[bool, Node, Raises, tuple[int, ...]], tuple[float, float]] = {}
        """By who is to act, where, and the edges that matter with their raises: money that is not enough, and that is.
        """

    def cost(self, edge: int, raises: Raises) -> float:
        return float(self.factors[edge] ** raises[edge])

    def _least(self, start: Node, raises: Raises) -> tuple[float, ...]:
        """The cheapest way from a node to every other one at present costs."""
        found = [math.inf] * self.config.board.n_nodes
        queue = [(0.0, start)]
        while queue:
            paid, node = heapq.heappop(queue)
            if paid < found[node]:
                found[node] = paid
                for edge, to in self.near[node]:
                    heapq.heappush(queue, (paid + self.cost(edge, raises), to))
        return tuple(found)

    def asks(self, walks: bool, node: Node, raises: Raises, money: float) -> bool:
        """Whether it is enough where the traveller walks, or where the adversary is to raise."""
        here, there = self.least(node, raises), self.least(self.config.target, raises)
        if there[node] > money:
            return False
        matter = tuple(
            i
            for i, edge in enumerate(self.config.board.edges)
            if min(here[edge.a] + there[edge.b], here[edge.b] + there[edge.a]) + self.cost(i, raises) <= money
        )
        key = (walks, node, matter, tuple(raises[i] for i in matter))
        low, high = self.known.get(key, (0.0, math.inf))
        if low < money < high:
            found = self._walks(node, raises, money) if walks else self._stands(node, raises, money, matter)
            low, high = (low, money) if found else (money, high)
            self.known[key] = low, high
        return money >= high

    def _walks(self, node: Node, raises: Raises, money: float) -> bool:
        target = self.config.target
        left = self.least(target, raises)
        for edge, to in sorted(self.near[node], key=lambda way: self.cost(way[0], raises) + left[way[1]]):
            rest = round(money - self.cost(edge, raises), 9)
            if rest >= left[to] and (to == target or self.asks(False, to, raises, rest)):
                return True
        return False

    def _stands(self, node: Node, raises: Raises, money: float, matter: Iterable[int]) -> bool:
        more = ((*raises[:i], raises[i] + 1, *raises[i + 1 :]) for i in matter)
        return all(self.asks(True, node, each, money) for each in more)

    def is_enough(self, state: ShortestPathState, money: float) -> bool:
        if state.quarry == self.config.target:
            return money >= 0
        return self.asks(rules.whose_turn(state) is Seat.EVADER, state.quarry, state.raises, round(money, 9))


def enough_after(purse: Purse, position: Position, answer: str, money: float) -> bool:
    """Whether so much is enough from the position on, the answer's own step included."""
    after = position.play(answer).state
    return purse.is_enough(after, money - (after.total - position.state.total))


def test_the_best_answer_is_worth_its_value_and_all_others_are_clearly_worse() -> None:
    for puzzle in some_puzzles("shortest_path", 20):
        print(puzzle.id)
        position, purse = position_of(puzzle), Purse(position_of(puzzle).config)
        value, others = (
            puzzle.values[puzzle.best],
            {position.text_of(action) for action in position.legal} - {puzzle.best},
        )
        assert others == set(puzzle.values) - {puzzle.best}
        assert enough_after(purse, position, puzzle.best, value + CLOSE)
        assert not enough_after(purse, position, puzzle.best, value - CLOSE)
        is_road = puzzle.seat is Seat.EVADER
        clearly = value * (1 + LEAST_GAP) - CLOSE if is_road else value * (1 - LEAST_GAP) + CLOSE
        for answer in others:
            assert enough_after(purse, position, answer, clearly) is not is_road, (puzzle.id, answer)
