"""How a trail looks to a Marshal without a hand: how much it conceals, and how likely she names a hideout."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from manhunt.agents.fugitive.choice import sharpened
from manhunt.agents.fugitive.routes import Routes
from manhunt.games.fugitive.public import Public

if TYPE_CHECKING:
    from manhunt.agents.fugitive.payments_kernels import Floats


class Exposure:
    """Marginals of the route count, seen from outside."""

    def __init__(self, public: Public) -> None:
        self.routes = Routes(public)

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
