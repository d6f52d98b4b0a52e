"""What a Fugitive can expect of a trail: how exposed it is to a Marshal without a hand, and how an escape would end."""

from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.fugitive.agents.route_count import RouteCount
from manhunt.games.fugitive.agents.soft_choice import pick_by_sums, sharpened, sums_of
from manhunt.games.fugitive.rules.public import Card, Public, Spot, with_face_up, with_hideout

N_HUNTS = 32


class TrailExposure:
    """Marginals of the route count, as a Marshal without a hand has them."""

    def __init__(self, public: Public) -> None:
        self.routes = RouteCount(public)

    @cached_property
    def conceal(self) -> float:
        """The entropy of the marginals against the largest possible; 0 with one number, or with no row that fits."""
        counts = self.routes.counts[list(self.routes.numbers)]
        if len(counts) < 2:
            return 0.0
        shares = counts / counts.sum()
        return float(-(shares * np.log(shares)).sum() / np.log(len(shares)))

    @cached_property
    def _chances(self) -> Floats:
        """By card, the chance that she names it if she goes by the squares of the marginals."""
        out = np.zeros(self.routes.last + 1)
        numbers = list(self.routes.numbers)
        if numbers:
            out[numbers] = sharpened(self.routes.counts[numbers].astype(float) ** 2)
        return out

    def dangers(self, cards: Any) -> Floats:
        """The chance of each card to be named."""
        found: Floats = self._chances[cards]
        return found

    def danger(self, cards: Any) -> float:
        """The chance that one of his hideouts is named; 1 if no row fits."""
        return float(self._chances[cards].sum()) if len(self.routes) else 1.0


class EscapeOdds:
    """What follows a placement with some number of sprint cards; `row` are his hideouts with their cards.

    The Marshal of its manhunts has no hand, names numbers by the squares of their route counts, and learns what she
    has found.
    """

    def __init__(self, public: Public, row: tuple[Spot, ...], round_: int) -> None:
        self.public, self._row, self._round = public, row, round_
        self._position = {spot.card: i for i, spot in enumerate(row) if public.row[i].card is None}
        self._exposures: dict[int, TrailExposure] = {}
        self._choices: dict[tuple[int, frozenset[int]], tuple[tuple[Card, ...], list[float]]] = {}

    def exposure(self, n_sprints: int) -> TrailExposure:
        """His exposure with one more hideout."""
        if n_sprints not in self._exposures:
            self._exposures[n_sprints] = TrailExposure(with_hideout(self.public, n_sprints, self._round))
        return self._exposures[n_sprints]

    def survival(self, n_sprints: int, rng: Random) -> float:
        """The share of simulated manhunts that he survives if he escapes now; 1 where that wins at once."""
        if self.public.way_is_clear:
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
            routes = RouteCount(public)
            counts = routes.counts[list(routes.numbers)].astype(float)
            self._choices[n_sprints, found] = routes.numbers, sums_of(sharpened(counts**2))
        return self._choices[n_sprints, found]
