"""The deal as chance nodes: one that lists all deals where there are few, else one draw after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from manhunt.core.errors import BadConfig
from manhunt.core.game import AnyGame, Setup
from manhunt.core.kit import Kit

MOST_LISTED = 2_000
"""A chance node lists at most so many deals."""
SEEDS = 1_000
"""A game that neither lists its deals nor says how they are drawn is dealt with one of so many seeds."""

Odds = list[tuple[int, float]]
Drawn = tuple[int, ...]


class Dealing(ABC):
    """How a config is dealt. What chance has drawn so far is a tuple of numbers, and what it draws next is one."""

    most_outcomes: int
    n_draws: int

    @abstractmethod
    def odds(self, drawn: Drawn) -> Odds:
        """What may be drawn next, with probabilities; empty when all is drawn."""

    @abstractmethod
    def setup_of(self, drawn: Drawn) -> Setup: ...

    @abstractmethod
    def drawn_of(self, setup: Setup) -> Drawn: ...

    @abstractmethod
    def text(self, drawn: Drawn, number: int) -> str:
        """What the next draw is, in words."""

    @abstractmethod
    def alike(self, setup: Setup, seat: Any) -> Iterator[tuple[Setup, float]]:
        """Setups that may look like this one to the seat, this one among them, with weights."""


class ListedDeals(Dealing):
    """All deals in one node; those that begin in the same state are one. A single deal needs no node."""

    def __init__(self, game: AnyGame, config: Any, deals: Sequence[tuple[Setup, float]]) -> None:
        self.game, self.config = game, config
        self._setups: list[Setup] = []
        self._weights: list[float] = []
        self._number_of: dict[Any, int] = {}
        for setup, weight in deals:
            number = self._number_of.setdefault(game.start(config, setup), len(self._setups))
            if number == len(self._setups):
                self._setups.append(setup)
                self._weights.append(0.0)
            self._weights[number] += weight
        total = sum(self._weights)
        self._odds = [(number, weight / total) for number, weight in enumerate(self._weights)]
        self.n_draws = 0 if len(self._setups) == 1 else 1
        self.most_outcomes = len(self._setups) if self.n_draws else 0

    def odds(self, drawn: Drawn) -> Odds:
        return [] if len(drawn) == self.n_draws else self._odds

    def setup_of(self, drawn: Drawn) -> Setup:
        return self._setups[drawn[0] if drawn else 0]

    def drawn_of(self, setup: Setup) -> Drawn:
        return (self._number_of[self.game.start(self.config, setup)],) if self.n_draws else ()

    def text(self, drawn: Drawn, number: int) -> str:
        return f"deal {self.game.format_state(self.game.start(self.config, self._setups[number]))}"

    def alike(self, setup: Setup, seat: Any) -> Iterator[tuple[Setup, float]]:
        return zip(self._setups, self._weights, strict=True)


class DrawnDeals(Dealing):
    """One chance node for each thing that is drawn, by the kit's part `draws`; where one choice is left, none."""

    def __init__(self, kit: Kit, config: Any) -> None:
        self.kit, self.config, self.part = kit, config, kit.part("draws")
        self._lists = [list(labels) for labels in self.part.lists(config)]
        self.n_draws = len(self._lists)
        self.most_outcomes = max(map(len, self._lists), default=0)

    def odds(self, drawn: Drawn) -> Odds:
        if len(drawn) == self.n_draws:
            return []
        taken = set(self._labels(drawn))
        free = [number for number, label in enumerate(self._lists[len(drawn)]) if label not in taken]
        return [(number, 1 / len(free)) for number in free]

    def _labels(self, drawn: Drawn) -> list[str]:
        return [labels[number] for labels, number in zip(self._lists, drawn, strict=False)]

    def setup_of(self, drawn: Drawn) -> Setup:
        setup: Setup = self.part.setup_of(self.config, self._labels(drawn))
        return setup

    def drawn_of(self, setup: Setup) -> Drawn:
        labels = self.part.drawn_of(self.config, setup)
        return tuple(every.index(label) for every, label in zip(self._lists, labels, strict=True))

    def text(self, drawn: Drawn, number: int) -> str:
        return f"deal {self._lists[len(drawn)][number]}"

    def alike(self, setup: Setup, seat: Any) -> Iterator[tuple[Setup, float]]:
        worlds = self.kit.part("worlds")
        if worlds is None:
            raise BadConfig(f"{self.kit.title}: too many deals to resample; its kit needs the part 'worlds'")
        seen = set()
        for other in (setup, *worlds.setups(self.config, setup, seat)):
            drawn = self.drawn_of(other)
            if drawn not in seen:
                seen.add(drawn)
                yield other, self._weight(drawn)

    def _weight(self, drawn: Drawn) -> float:
        weight = 1.0
        for n in range(len(drawn)):
            weight *= dict(self.odds(drawn[:n])).get(drawn[n], 0.0)
        return weight


def dealing_of(kit: Kit, config: Any) -> Dealing:
    """All deals in one node if there are few, else draw by draw, else one of many seeds."""
    game = kit.game
    try:
        deals = list(islice(game.deals(config), MOST_LISTED + 1))
    except BadConfig:
        deals = []
    if 0 < len(deals) <= MOST_LISTED:
        return ListedDeals(game, config, deals)
    if kit.has("draws"):
        return DrawnDeals(kit, config)
    return ListedDeals(game, config, [(game.deal(config, Random(seed)), 1 / SEEDS) for seed in range(SEEDS)])
