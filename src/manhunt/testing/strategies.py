"""Hypothesis strategies for boards, configs and games."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.games.pursuit.config import Config, Order, Placement, Visibility
from manhunt.games.pursuit.game import PursuitGame
from manhunt.games.pursuit.state import State
from manhunt.ids import Side


@st.composite
def plain_boards(draw: st.DrawFn, min_nodes: int = 2, max_nodes: int = 8) -> Board:
    """Small graphs of any shape: dead ends, isolated nodes and cut-off parts included."""
    n = draw(st.integers(min_nodes, max_nodes))
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n))
    return build_board("drawn", [(str(a), str(b), None) for a, b in chosen], [str(i) for i in range(1, n + 1)])


@st.composite
def pursuit_configs(draw: st.DrawFn, visibility: Visibility | None = None) -> Config:
    """Any switches of the Pursuit family on a small board."""
    board = draw(plain_boards())
    return Config(
        board=board,
        n_detectives=draw(st.integers(1, min(3, board.n_nodes - 1))),
        max_rounds=draw(st.integers(1, 6)),
        first=draw(st.sampled_from(Side)),
        quarry_may_stay=draw(st.booleans()),
        detectives_may_stay=draw(st.booleans()),
        may_share=draw(st.booleans()),
        order=draw(st.sampled_from(Order)),
        may_step_onto=draw(st.booleans()),
        reach_hops=draw(st.integers(0, 1)),
        placement=draw(st.sampled_from(Placement)),
        visibility=visibility or draw(st.sampled_from(Visibility)),
        reveal_rounds=draw(st.sets(st.integers(1, 6)).map(lambda s: tuple(sorted(s)))),
        sight_hops=draw(st.integers(0, 2)),
    )


@st.composite
def pursuit_histories(
    draw: st.DrawFn, visibility: Visibility | None = None
) -> tuple[tuple[State, ...], tuple[Any, ...]]:
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
