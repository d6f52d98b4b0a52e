"""Random games of Fugitive with small decks."""

from __future__ import annotations

from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from manhunt.core.errors import BadConfig
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Name
from manhunt.games.fugitive.rules.config import Config, Opening
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.state import State

History = tuple[tuple[State, ...], tuple[Action, ...]]


@st.composite
def fugitive_configs(draw: st.DrawFn, max_last: int = 14) -> Config:
    """Decks of a few cards in up to three piles, with any switches."""
    last = draw(st.integers(3, max_last))
    n_piles = draw(st.integers(0, min(3, (last - 1) // 2)))
    borders = sorted(draw(st.sets(st.integers(1, last - 1), min_size=2 * n_piles, max_size=2 * n_piles)))
    piles = tuple(zip(borders[::2], borders[1::2], strict=True))
    try:
        return Config(
            last=last,
            piles=piles,
            dealt=tuple(draw(st.integers(0, min(3, high - low + 1))) for low, high in piles),
            reach=draw(st.integers(1, min(4, last))),
            manhunt_below=draw(st.integers(1, last)),
            first_draws=draw(st.integers(0, 3)),
            opening_hideouts=draw(st.sampled_from(Opening)),
            must_guess=draw(st.booleans()),
            allow_last_sprint=draw(st.booleans()),
            pass_bonus=draw(st.booleans()),
            max_rounds=draw(st.integers(1, 12)),
            idle_passes=draw(st.integers(0, 3)),
        )
    except BadConfig:
        assume(False)
        raise


@st.composite
def fugitive_histories(draw: st.DrawFn, max_last: int = 14, max_plies: int = 60) -> History:
    """States and actions of a game that is played at random for some plies or to its end."""
    config, rng = draw(fugitive_configs(max_last)), Random(draw(st.integers(0, 2**32)))
    return random_history(config, rng, draw(st.integers(0, max_plies)))


def random_history(config: Config, rng: Random, max_plies: int = 10_000) -> History:
    """A game played at random; guesses are asked soon and often of real hideouts, so that some are right."""
    states, actions = [FugitiveGame().new(config, rng)], list[Action]()
    while len(actions) < max_plies and (legal := rules.legal_actions(states[-1])):
        actions.append(_choice(states[-1], legal, rng))
        states.append(rules.apply_action(states[-1], actions[-1]))
    return tuple(states), tuple(actions)


def _choice(state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    if legal[-1] == Ask() and rng.random() < 0.6:
        return legal[-1]
    hidden = [Name(hideout.card) for hideout in state.row if not hideout.face_up]
    known = [action for action in hidden if action in legal]
    return rng.choice(known if known and rng.random() < 0.4 else legal)
