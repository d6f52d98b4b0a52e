"""The manhunt: which number to name first so that all hideouts are found without a miss."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from random import Random
from typing import NamedTuple

from manhunt.games.fugitive.beliefs.sampling import World
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import sprint_value
from manhunt.games.fugitive.rules.public import Card

Clue = Callable[[int, World], Hashable]
"""What turning up a position tells in a world; worlds with other clues can be told apart."""


class HiddenRow(NamedTuple):
    """What may lie face down: the cards as bits, and for each, ascending, what turning it up would tell."""

    hidden: int
    clues: tuple[Hashable, ...]


class ManhuntTree:
    """The best order of names by search over all that the answers may be.

    Exact for its rows while there are nodes and budget; afterwards the heaviest number stands for the best one. Of
    numbers that are equally good it takes the heaviest, or with `lowest_of_equals` the lowest.
    """

    def __init__(
        self,
        weights: Mapping[HiddenRow, float],
        most_nodes: int = 4000,
        spend: Callable[[], bool] = lambda: True,
        *,
        lowest_of_equals: bool = False,
    ) -> None:
        self._hidden = [row.hidden for row in weights]
        self._clues = [dict(zip(cards_of(row.hidden), row.clues, strict=True)) for row in weights]
        self._weights = list(weights.values())
        self._spend, self._n_left, self._lowest = spend, most_nodes, lowest_of_equals
        self._known: dict[tuple[tuple[int, ...], int], tuple[float, Card]] = {}

    def best(self, alive: tuple[int, ...] | None = None, found: int = 0) -> tuple[float, Card]:
        """The weight of these rows that can be found out, and by which number first; 0 when none is left."""
        rows = tuple(range(len(self._weights))) if alive is None else alive
        if (rows, found) not in self._known:
            self._known[rows, found] = self._search(rows, found)
        return self._known[rows, found]

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
            if weight < most or (weight == most and not self._lowest) or (number and self._n_left <= 0):
                break
            value = self._value(alive, found, card)
            if value > most or (self._lowest and value == most and card < number):
                most, number = value, card
        return most, number

    def _value(self, alive: tuple[int, ...], found: int, card: Card) -> float:
        parts: dict[Hashable, list[int]] = {}
        for i in alive:
            if self._hidden[i] >> card & 1:
                parts.setdefault(self._clues[i][card], []).append(i)
        return sum(self.best(tuple(part), found | 1 << card)[0] for part in parts.values())


def sprint_cards(position: int, world: World) -> Hashable:
    """A card turned up tells its position and its sprint cards."""
    return position, world.sprints[position - 1]


def sprint_worth(position: int, world: World) -> Hashable:
    """Position and what the sprint cards are worth; few worlds would be alike if their identity counted."""
    return position, sum(map(sprint_value, world.sprints[position - 1]))


def hidden_rows(worlds: Iterable[World], hidden: tuple[int, ...], clue: Clue, weight: float) -> dict[HiddenRow, float]:
    """Worlds by what they have at the face-down positions; each weighs so much."""
    found = dict[HiddenRow, float]()
    for world in worlds:
        row = HiddenRow(bits_of(world.row[i - 1] for i in hidden), tuple(clue(i, world) for i in hidden))
        found[row] = found.get(row, 0.0) + weight
    return found


def best_first(worlds: Worlds, rng: Random, n: int, spend: Callable[[], bool]) -> tuple[Card, float]:
    """The number, and the chance to find all, by a sample of worlds."""
    rows = hidden_rows(worlds.sample(rng, n), worlds.trails.hidden, sprint_worth, 1 / n)
    chance, number = ManhuntTree(rows, spend=spend).best()
    return number, min(1.0, chance)
