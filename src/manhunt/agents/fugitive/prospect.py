"""The table as it would be after one more placement: how exposed he would be, how an escape would end."""

from __future__ import annotations

from random import Random

from manhunt.agents.fugitive.choice import pick_by_sums, sharpened, sums_of
from manhunt.agents.fugitive.exposure import Exposure
from manhunt.agents.fugitive.routes import Routes, with_face_up, with_hideout
from manhunt.games.fugitive.public import Card, Public, Spot

N_HUNTS = 32


class Prospect:
    """What follows a placement with some number of sprint cards; `row` are his hideouts with their cards.

    The Marshal of its manhunts has no hand, names numbers by the squares of their route counts, and is told what she
    has found.
    """

    def __init__(self, public: Public, row: tuple[Spot, ...], round_: int) -> None:
        self.public, self._row, self._round = public, row, round_
        shown = [spot.card for spot in public.row]
        self._position = {spot.card: i for i, spot in enumerate(row) if shown[i] is None}
        self._clear = any(card is not None and card >= public.config.manhunt_below for card in shown)
        self._looks: dict[int, Exposure] = {}
        self._choices: dict[tuple[int, frozenset[int]], tuple[tuple[Card, ...], list[float]]] = {}

    def look(self, n_sprints: int) -> Exposure:
        """His exposure with one more hideout."""
        if n_sprints not in self._looks:
            self._looks[n_sprints] = Exposure(with_hideout(self.public, n_sprints, self._round))
        return self._looks[n_sprints]

    def survival(self, n_sprints: int, rng: Random) -> float:
        """The share of simulated manhunts that he survives if he escapes now; 1 where that wins at once."""
        if self._clear:
            return 1.0
        if not self._position:
            return 0.0
        return sum(self._survives(n_sprints, rng) for _ in range(N_HUNTS)) / N_HUNTS

    def _survives(self, n_sprints: int, rng: Random) -> bool:
        found: frozenset[int] = frozenset()
        while len(found) < len(self._position):
            position = self._position.get(pick_by_sums(*self._names(n_sprints, found), rng))
            if position is None:
                return True
            found |= {position}
        return False

    def _names(self, n_sprints: int, found: frozenset[int]) -> tuple[tuple[Card, ...], list[float]]:
        """What she may name, and the sums of how likely."""
        if (n_sprints, found) not in self._choices:
            public = with_hideout(self.public, n_sprints, self._round, self.public.config.last)
            for position in found:
                public = with_face_up(public, position, self._row[position])
            routes = Routes(public)
            counts = routes.counts[list(routes.numbers)].astype(float)
            self._choices[n_sprints, found] = routes.numbers, sums_of(sharpened(counts**2))
        return self._choices[n_sprints, found]
