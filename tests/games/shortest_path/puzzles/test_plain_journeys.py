"""Puzzles of Adversarial Shortest Path against a search of some lines that asks what a purse is enough for."""

from __future__ import annotations

import heapq
import math
from functools import cache

import pytest

from manhunt.analysis.puzzles import position_of
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import factors
from manhunt.games.shortest_path.rules.state import ShortestPathState
from puzzle_samples import some_puzzles

CLOSE = 1e-5
Raises = tuple[int, ...]


class Purse:
    """Whether the traveller arrives with so much money, whatever is raised.

    A raise never makes anything cheaper, so passing gains nothing; and money for the cheapest way at present costs is
    needed at least. Raises of edges that nobody with this money can walk on are as good as none.
    """

    def __init__(self, config: ShortestPathConfig) -> None:
        self.config, self.factors = config, factors(config)
        self.near: list[list[tuple[int, Node]]] = [[] for _ in config.board.nodes()]
        for i, edge in enumerate(config.board.edges):
            self.near[edge.a].append((i, edge.b))
            self.near[edge.b].append((i, edge.a))
        self.least = cache(self._least)
        self.walks = cache(self._walks)

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

    def _walks(self, node: Node, raises: Raises, money: float) -> bool:
        target = self.config.target
        left = self.least(target, raises)
        for edge, to in sorted(self.near[node], key=lambda way: self.cost(way[0], raises) + left[way[1]]):
            rest = round(money - self.cost(edge, raises), 9)
            if rest >= left[to] and (to == target or self.stands(to, raises, rest)):
                return True
        return False

    def stands(self, node: Node, raises: Raises, money: float) -> bool:
        """The same where the adversary is to raise."""
        here, there = self.least(node, raises), self.least(self.config.target, raises)
        matter = [
            i
            for i, edge in enumerate(self.config.board.edges)
            if min(here[edge.a] + there[edge.b], here[edge.b] + there[edge.a]) + self.cost(i, raises) <= money
        ]
        more = ((*raises[:i], raises[i] + 1, *raises[i + 1 :]) for i in matter)
        return all(self.walks(node, each, money) for each in more) if matter else self.walks(node, raises, money)

    def is_enough(self, state: ShortestPathState, money: float) -> bool:
        if state.quarry == self.config.target:
            return money >= 0
        turn = self.walks if rules.whose_turn(state) is Seat.EVADER else self.stands
        return turn(state.quarry, state.raises, round(money, 9))


@pytest.mark.parametrize(("kind", "n"), [("road", 3), ("raise", 2)])
def test_every_answer_costs_what_it_is_worth_and_not_less(kind: str, n: int) -> None:
    for puzzle in some_puzzles("shortest_path", n, kind):
        print(puzzle.id)
        position, purse = position_of(puzzle), Purse(position_of(puzzle).config)
        assert set(puzzle.values) == {position.text_of(action) for action in position.legal}
        for answer, value in puzzle.values.items():
            after = position.play(answer).state
            rest = value - (after.total - position.state.total)
            assert purse.is_enough(after, rest + CLOSE), (puzzle.id, answer)
            assert not purse.is_enough(after, rest - CLOSE), (puzzle.id, answer)
        sign = 1 if puzzle.seat is Seat.EVADER else -1
        best, second = sorted(puzzle.values, key=lambda answer: sign * puzzle.values[answer])[:2]
        assert best == puzzle.best
        assert abs(puzzle.values[second] - puzzle.values[best]) >= 0.05 * puzzle.values[best]
