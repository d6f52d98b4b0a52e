"""The best order of guesses in a manhunt, for a sample of worlds."""

from __future__ import annotations

from collections.abc import Sequence

from manhunt.agents.fugitive.completions import World
from manhunt.agents.fugitive.routes import cards_of
from manhunt.games.fugitive.public import Card

MOST_NODES = 100_000


def best_number(worlds: Sequence[World], face_up: int) -> Card | None:
    """What to name first so that most worlds are found out without a miss; the lowest of equals."""
    return _Hunt(worlds).best(tuple(range(len(worlds))), face_up)[1]


class _Hunt:
    """A hit tells the position and the sprint cards under it; worlds that differ there part."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self._worlds = worlds
        self._known: dict[tuple[tuple[int, ...], int], tuple[int, Card | None]] = {}
        self._n_nodes = 0

    def best(self, alive: tuple[int, ...], found: int) -> tuple[int, Card | None]:
        """How many of these worlds can be found out, and by which number first."""
        if (alive, found) in self._known:
            return self._known[alive, found]
        self._n_nodes += 1
        counts: dict[Card, int] = {}
        for w in alive:
            for card in cards_of(self._worlds[w].row & ~found):
                counts[card] = counts.get(card, 0) + 1
        most, number = 0, None
        if not counts:
            most = len(alive)
        elif self._n_nodes > MOST_NODES:
            number = max(sorted(counts), key=lambda card: counts[card])
            most = counts[number]
        else:
            for card in sorted(counts):
                if counts[card] > most:
                    value = self._value(alive, found, card)
                    if value > most:
                        most, number = value, card
        self._known[alive, found] = most, number
        return most, number

    def _value(self, alive: tuple[int, ...], found: int, card: Card) -> int:
        parts: dict[tuple[int, int], list[int]] = {}
        for w in alive:
            row, sprints = self._worlds[w]
            if row >> card & 1:
                position = (row & ((1 << card) - 1)).bit_count()
                parts.setdefault((position, sprints[position]), []).append(w)
        return sum(self.best(tuple(part), found | 1 << card)[0] for part in parts.values())
