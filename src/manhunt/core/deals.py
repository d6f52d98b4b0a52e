"""Every deal of a small game with its probability: what `Game.deals` is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import perm
from random import Random
from typing import Any

from manhunt.core.errors import BadConfig
from manhunt.core.game import AnyGame, Setup

MOST_DEALS = 200_000
"""More are never listed."""

TRIES = 100
Deals = Iterator[tuple[Setup, float]]
"""Setups with their probabilities."""

SetupOf = Callable[[tuple[str, ...]], Setup]
"""From the labels of all pieces, the quarry's first."""


def check_number_of_deals(n: int) -> None:
    """Refuse to list more deals than anybody could use."""
    if n > MOST_DEALS:
        raise BadConfig(f"{n:,} deals are too many to list (at most {MOST_DEALS:,}); give a smaller config")


def deal_places(game: AnyGame, config: Any, setup_of: SetupOf, n_pieces: int, rng: Random) -> Setup:
    """Place all pieces on different nodes of the config's board. If the game would be over at once, draw again, up to
    `TRIES` times.
    """
    for _ in range(TRIES):
        setup = setup_of(tuple(rng.sample(config.board.labels, n_pieces)))
        if game.outcome(game.start(config, setup)) is None:
            break
    return setup


def list_places(game: AnyGame, config: Any, setup_of: SetupOf, n_pieces: int) -> Deals:
    """All places that `deal_places` can draw."""
    labels = config.board.labels
    n = perm(len(labels), n_pieces)
    check_number_of_deals(n)
    return dealt_again(game, config, [(setup_of(places), 1 / n) for places in permutations(labels, n_pieces)])


def dealt_again(game: AnyGame, config: Any, draws: Sequence[tuple[Setup, float]], tries: int = TRIES) -> Deals:
    """The deals when one that is over at once is drawn again, at most `tries` draws in all, and the last one stays.

    With q for the probability of such a draw, those that go on have 1 - q**tries together and the others q**tries.
    """
    goes_on = [game.outcome(game.start(config, setup)) is None for setup, _ in draws]
    over = min(1.0, sum(p for (_, p), good in zip(draws, goes_on, strict=True) if not good))
    for_good = (1.0 - over**tries) / (1.0 - over) if any(goes_on) else 0.0
    for_over = over ** (tries - 1) if any(goes_on) else 1.0
    for (setup, p), good in zip(draws, goes_on, strict=True):
        share = p * (for_good if good else for_over)
        if share > 1e-15:
            yield setup, share
