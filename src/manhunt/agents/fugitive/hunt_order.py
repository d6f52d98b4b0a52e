"""The manhunt: which number to name first so that all are found without a miss."""

from __future__ import annotations

from random import Random

from manhunt.agents.fugitive.routes import bits_of, cards_of
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.games.fugitive.config import sprint_value
from manhunt.games.fugitive.public import Card

N_WORLDS = 300
MOST_NODES = 4000

Clue = tuple[int, ...]


class HuntTree:
    """Hidden rows with weights and what turning up each card would tell; the best order by search.

    Lines are merged before, so that each stands for a hidden row and the values of its stacks.
    """

    def __init__(
        self, lines: dict[tuple[int, tuple[tuple[int, int], ...]], float], most_nodes: int = MOST_NODES
    ) -> None:
        self._hidden = [key[0] for key in lines]
        self._clues = [dict(key[1]) for key in lines]
        self._weights = list(lines.values())
        self._left = most_nodes
        self._known: dict[tuple[tuple[int, ...], int], tuple[float, Card]] = {}

    def best(self, alive: tuple[int, ...], found: int) -> tuple[float, Card]:
        """The weight that can be found out without a miss, and by which number first; 0 when none is left."""
        known = self._known.get((alive, found))
        if known is not None:
            return known
        self._left -= 1
        sums: dict[Card, float] = {}
        for w in alive:
            for card in cards_of(self._hidden[w] & ~found):
                sums[card] = sums.get(card, 0.0) + self._weights[w]
        if not sums:
            return sum(self._weights[w] for w in alive), 0
        if len(alive) == 1:
            return self._weights[alive[0]], min(sums)
        most, number = 0.0, 0
        for card, weight in sorted(sums.items(), key=lambda item: (-item[1], item[0])):
            if weight <= most:
                break
            value = self._value(alive, found, card)
            if value > most:
                most, number = value, card
            if self._left < 0:
                break
        self._known[alive, found] = most, number
        return most, number

    def _value(self, alive: tuple[int, ...], found: int, card: Card) -> float:
        parts: dict[int, list[int]] = {}
        for w in alive:
            if self._hidden[w] >> card & 1:
                parts.setdefault(self._clues[w][card], []).append(w)
        return sum(self.best(tuple(part), found | 1 << card)[0] for part in parts.values())


def best_first(worlds: Worlds, rng: Random, n: int = N_WORLDS) -> tuple[Card, float]:
    """The number, and the chance to find all."""
    trails = worlds.trails
    if not trails.hidden:
        return 1, 0.0
    lines: dict[tuple[int, tuple[tuple[int, int], ...]], float] = {}
    for world in worlds.sample(rng, n):
        hidden = [world.row[i - 1] for i in trails.hidden]
        clues = tuple((world.row[i - 1], i * 64 + sum(map(sprint_value, world.sprints[i - 1]))) for i in trails.hidden)
        key = bits_of(hidden), clues
        lines[key] = lines.get(key, 0.0) + 1 / n
    value, number = HuntTree(lines).best(tuple(range(len(lines))), 0)
    return number, value
