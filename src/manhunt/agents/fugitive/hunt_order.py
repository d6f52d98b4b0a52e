"""The manhunt: which number to name first so that all are found without a miss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from manhunt.agents.fugitive.routes import bits_of, cards_of
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.games.fugitive.config import sprint_value
from manhunt.games.fugitive.public import Card

MOST_NODES = 4000


class Line(NamedTuple):
    """What may lie face down: the cards as bits, and for each, ascending, what turning it up would tell."""

    hidden: int
    clues: tuple[int, ...]


class HuntTree:
    """The best order of names by search over all that the answers may be.

    Exact for its lines while there is budget; afterwards the heaviest number stands for the best one.
    """

    def __init__(self, weights: Mapping[Line, float], spend: Callable[[], bool] = lambda: True) -> None:
        self._hidden = [line.hidden for line in weights]
        self._clues = [dict(zip(cards_of(line.hidden), line.clues, strict=True)) for line in weights]
        self._weights = list(weights.values())
        self._spend, self._n_left = spend, MOST_NODES
        self._known: dict[tuple[tuple[int, ...], int], tuple[float, Card]] = {}

    def best(self, alive: tuple[int, ...] | None = None, found: int = 0) -> tuple[float, Card]:
        """The weight of these lines that can be found out, and by which number first; 0 when none is left."""
        lines = tuple(range(len(self._weights))) if alive is None else alive
        if (lines, found) not in self._known:
            self._known[lines, found] = self._search(lines, found)
        return self._known[lines, found]

    def _search(self, alive: tuple[int, ...], found: int) -> tuple[float, Card]:
        sums: dict[Card, float] = {}
        for i in alive:
            for card in cards_of(self._hidden[i] & ~found):
                sums[card] = sums.get(card, 0.0) + self._weights[i]
        if not sums:
            return sum(self._weights[i] for i in alive), 0
        if len(alive) == 1:
            return self._weights[alive[0]], min(sums)
        self._n_left = self._n_left - 1 if self._spend() else 0
        most, number = 0.0, 0
        for card, weight in sorted(sums.items(), key=lambda item: (-item[1], item[0])):
            if weight <= most or (number and self._n_left <= 0):
                break
            value = self._value(alive, found, card)
            if value > most:
                most, number = value, card
        return most, number

    def _value(self, alive: tuple[int, ...], found: int, card: Card) -> float:
        parts: dict[int, list[int]] = {}
        for i in alive:
            if self._hidden[i] >> card & 1:
                parts.setdefault(self._clues[i][card], []).append(i)
        return sum(self.best(tuple(part), found | 1 << card)[0] for part in parts.values())


def best_first(worlds: Worlds, rng: Random, n: int, spend: Callable[[], bool]) -> tuple[Card, float]:
    """The number, and the chance to find all, by a sample of worlds.

    A card turned up tells its position and what its sprint cards are worth; their identity is left out, since few
    worlds would part into single ones by it.
    """
    hidden, weights = worlds.trails.hidden, dict[Line, float]()
    for world in worlds.sample(rng, n):
        clues = tuple(64 * i + sum(map(sprint_value, world.sprints[i - 1])) for i in hidden)
        line = Line(bits_of(world.row[i - 1] for i in hidden), clues)
        weights[line] = weights.get(line, 0.0) + 1 / n
    chance, number = HuntTree(weights, spend).best()
    return number, min(1.0, chance)
