"""Every deal of a small game with its probability: what `Game.deals` is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from manhunt.core.errors import BadConfig
from manhunt.core.game import Setup

MOST_DEALS = 200_000
"""More are never listed."""

Deals = Iterator[tuple[Setup, float]]


def check_number_of_deals(n: int, what: str) -> None:
    """Refuse to list more deals than anybody could use."""
    if n > MOST_DEALS:
        raise BadConfig(f"{what}: {n:,} deals are too many to list (at most {MOST_DEALS:,}); give a smaller config")


def dealt_again(draws: Sequence[tuple[Setup, float]], is_playable: Callable[[Setup], bool], tries: int) -> Deals:
    """The deals when one that is not playable is drawn again, at most `tries` draws in all, and the last one stays.

    With q for the probability of such a draw, the playable ones together have 1 - q**tries and the others q**tries.
    """
    playable = [is_playable(setup) for setup, _ in draws]
    bad = min(1.0, sum(p for (_, p), good in zip(draws, playable, strict=True) if not good))
    for_good = (1.0 - bad**tries) / (1.0 - bad) if any(playable) else 0.0
    for_bad = bad ** (tries - 1) if any(playable) else 1.0
    for (setup, p), good in zip(draws, playable, strict=True):
        share = p * (for_good if good else for_bad)
        if share > 1e-15:
            yield setup, share
