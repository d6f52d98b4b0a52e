"""Positions of random games, from small decks that can be searched by brute force to the full one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Name
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.state import State

LOOKED_AT = (Phase.MARSHAL_DRAW, Phase.MARSHAL_GUESS, Phase.MANHUNT, Phase.FUGITIVE_PLAY)
SMALL_DECKS = (
    {"last": 8, "piles": ((3, 5), (6, 7)), "dealt": (1, 1)},
    {"last": 9, "piles": ((2, 4), (5, 8)), "dealt": (1, 0)},
    {"last": 9, "piles": ((3, 8),), "dealt": (3,)},
    {"last": 10, "piles": ((3, 5), (6, 7), (8, 9)), "dealt": (1, 1, 0)},
    {"last": 10, "piles": ((2, 5), (7, 9)), "dealt": (2, 1)},
    {"last": 11, "piles": ((4, 6), (7, 10)), "dealt": (2, 1), "reach": 3},
)


def small_config(rng: Random) -> Config:
    return make_config(
        **({"reach": 2, "manhunt_below": 6, "first_draws": rng.randrange(3)} | rng.choice(SMALL_DECKS)),
        opening_hideouts=rng.choice(("one_or_two", "exactly_two")),
        must_guess=rng.random() < 0.7,
        allow_last_sprint=rng.random() < 0.3,
        pass_bonus=rng.random() < 0.3,
        max_rounds=12,
    )


def random_states(config: Config, rng: Random) -> Iterator[State]:
    """A random game; the Marshal often guesses right, so that much is turned up, and seldom names many numbers."""
    state = FugitiveGame().new(config, rng)
    while legal := rules.legal_actions(state):
        if not state.pending and state.phase in LOOKED_AT:
            yield state
        state = rules.apply_action(state, _choose(state, legal, rng))


def _choose(state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    if Ask() in legal and rng.random() < 0.6:
        return Ask()
    right = [Name(h.card) for h in state.row if not h.face_up and Name(h.card) in legal]
    if right and state.phase in (Phase.MARSHAL_GUESS, Phase.MANHUNT) and rng.random() < 0.4:
        return rng.choice(right)
    return rng.choice(legal)


def small_positions(n: int, seed: int) -> Iterator[State]:
    rng = Random(seed)
    found = 0
    while found < n:
        for state in random_states(small_config(rng), rng):
            if rng.random() < 0.5 and found < n:
                found += 1
                yield state
