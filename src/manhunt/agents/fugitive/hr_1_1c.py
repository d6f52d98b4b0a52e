"""The Marshal who names numbers by how many rows have them."""

from __future__ import annotations

from collections.abc import Sequence

from manhunt.agents.fugitive.choice import sharpened
from manhunt.agents.fugitive.hr_1c import Hr1cMarshal
from manhunt.agents.fugitive.routes import Routes
from manhunt.games.fugitive.public import Card


class Hr11cMarshal(Hr1cMarshal):
    """As hr-1c, but likelier numbers and sets are named more often, in the manhunt more sharply."""

    def guess_chances(self, routes: Routes, sets: Sequence[tuple[Card, ...]]) -> Sequence[float]:
        return list(sharpened(routes.n_with_all(sets)))

    def hunt_chances(self, routes: Routes) -> Sequence[float]:
        return list(sharpened(routes.counts[list(routes.numbers)].astype(float) ** 2))
