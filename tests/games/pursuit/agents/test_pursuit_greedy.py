"""The greedy agent of Pursuit in all kinds of games."""

import math
from random import Random
from types import SimpleNamespace

import pytest

from manhunt.boards.catalog import load_board
from manhunt.boards.distance import distances
from manhunt.core.agent import Limit
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Termination
from manhunt.games.pursuit.agents.greedy import PursuitGreedyAgent, _PursuitDetectives
from manhunt.games.pursuit.rules.actions import JointMove
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder, Visibility
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.play.referee import Referee

NO_LIMIT = Limit()


def play(game, config, evader, pursuers, seed):
    referee = Referee(
        game, config, {Seat.EVADER: evader, Seat.PURSUERS: pursuers}, seed=seed, limit=Limit(iterations=50)
    )
    referee.run()
    assert referee.fault is None, referee.fault
    return referee


@pytest.mark.parametrize("order", PursuitOrder)
@pytest.mark.parametrize("visibility", Visibility)
def test_pursuit_is_played_in_all_its_kinds(order, visibility) -> None:
    game, grid = PursuitGame(), load_board("grid:4x4")
    config = PursuitConfig(grid, max_rounds=10, order=order, visibility=visibility, reveal_rounds=(1, 4, 7))
    ends = [
        play(game, config, PursuitGreedyAgent(), PursuitGreedyAgent(), seed).outcome.termination for seed in range(5)
    ]
    assert set(ends) <= {Termination.CAPTURE, Termination.SURVIVAL, Termination.STRANDED}


def test_pursuit_by_the_textbook() -> None:
    """Two greedy detectives who place themselves catch a greedy quarry on a grid, one on a tree."""
    game = PursuitGame()
    config = game.make_config("cops-and-robbers", board="grid:4x4", max_rounds=30)
    assert play(game, config, PursuitGreedyAgent(), PursuitGreedyAgent(), 1).outcome.winner is Side.PURSUERS
    lone = game.make_config("cops-and-robbers", board="path:9", n_detectives=1, max_rounds=30)
    assert play(game, lone, PursuitGreedyAgent(), PursuitGreedyAgent(), 1).outcome.winner is Side.PURSUERS


def test_pursuit_quarry_keeps_the_largest_distance() -> None:
    game, grid = PursuitGame(), load_board("grid:5x5")
    config = PursuitConfig(grid, max_rounds=5)
    for seed in range(5):
        state = game.new(config, Random(seed))
        seen = game.view(state, Seat.EVADER)
        agent = PursuitGreedyAgent()
        agent.start(seen)
        hops = distances(grid)
        nearest = {move: min(hops[move.to, d] for d in seen.pursuers) for move in seen.legal}
        assert nearest[agent.act(seen, NO_LIMIT, Random(0)).action] == max(nearest.values())


def test_detectives_who_move_at_once_take_a_likely_catch() -> None:
    """On a path, from node 2: the quarry is next to the detective on 1, or far away on 7."""
    path = load_board("path:9")
    moves = [JointMove((1,)), JointMove((3,))]
    seen = SimpleNamespace(placing=False, legal=moves, config=SimpleNamespace(board=path), pursuers=(2,))
    for near, best in ((0.3, 0), (0.05, 1)):
        detectives = _PursuitDetectives(SimpleNamespace(probabilities={1: near, 7: 1 - near}))
        assert detectives.rate(seen, math.inf).argmax() == best
