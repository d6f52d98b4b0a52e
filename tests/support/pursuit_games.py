"""Hypothesis strategies for configs and games of Pursuit."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from manhunt.core.ids import Side
from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig, PursuitOrder, Visibility
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.testing.strategies import plain_boards


@st.composite
def pursuit_configs(draw: st.DrawFn, visibility: Visibility | None = None) -> PursuitConfig:
    """Any switches of the Pursuit family on a small board."""
    board = draw(plain_boards())
    return PursuitConfig(
        board=board,
        n_detectives=draw(st.integers(1, min(3, board.n_nodes - 1))),
        max_rounds=draw(st.integers(1, 6)),
        first=draw(st.sampled_from(Side)),
        quarry_may_stay=draw(st.booleans()),
        detectives_may_stay=draw(st.booleans()),
        may_share=draw(st.booleans()),
        order=draw(st.sampled_from(PursuitOrder)),
        may_step_onto=draw(st.booleans()),
        reach_hops=draw(st.integers(0, 1)),
        placement=draw(st.sampled_from(PlacementRule)),
        visibility=visibility or draw(st.sampled_from(Visibility)),
        reveal_rounds=draw(st.sets(st.integers(1, 6)).map(lambda s: tuple(sorted(s)))),
        sight_hops=draw(st.integers(0, 2)),
    )


@st.composite
def pursuit_histories(
    draw: st.DrawFn, visibility: Visibility | None = None
) -> tuple[tuple[PursuitState, ...], tuple[Any, ...]]:
    """States and actions of a game that is played at random for some plies."""
    game = PursuitGame()
    config = draw(pursuit_configs(visibility))
    rng = Random(draw(st.integers(0, 2**32)))
    states, actions = [game.new(config, rng)], []
    for _ in range(draw(st.integers(0, 20))):
        legal = game.legal_actions(states[-1])
        if not legal:
            break
        actions.append(rng.choice(legal))
        states.append(game.apply_action(states[-1], actions[-1]))
    return tuple(states), tuple(actions)
