"""Whether the deals that a game lists are those that it draws."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest

from manhunt.core.game import AnyGame


def check_deals(game: AnyGame, config: Any, n: int = 4000) -> None:
    """The probabilities sum to 1, every drawn deal is listed, and how often it comes is within five deviations."""
    listed: Counter[Any] = Counter()
    for setup, p in game.deals(config):
        assert p > 0
        listed[game.start(config, setup)] += p  # type: ignore[assignment]
    assert sum(listed.values()) == pytest.approx(1)
    rng = Random(7)
    drawn = Counter(game.start(config, game.deal(config, rng)) for _ in range(n))
    assert drawn.keys() <= listed.keys()
    for state, p in listed.items():
        assert abs(drawn[state] / n - p) < 5 * sqrt(p * (1 - p) / n) + 1 / n, state
