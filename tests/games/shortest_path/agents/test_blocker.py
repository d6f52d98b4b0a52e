"""`blocker` never gets less than its first certified bound, whoever the traveller is, however little time is left."""

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from manhunt.agents.random import RandomAgent
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.agents.blocker import BlockerAgent
from manhunt.games.shortest_path.agents.travellers import CommittedAgent, DijkstraAgent
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.solvers.lower import lower_value
from manhunt.play.referee import Referee
from shortest_path_games import shortest_path_configs

pytestmark = pytest.mark.kernel

GAME = ShortestPathGame()
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
SEEDS = range(1 if PLAIN else 4)
MOST_PLIES = 16 if PLAIN else 40


class PassingPlayer(CommittedAgent):
    """Walks the shortest path, but passes now and then."""

    def act(self, view, limit, rng: Random) -> Advice:
        return Advice(EmptyMove()) if rng.random() < 0.4 else super().act(view, limit, rng)


class CirclingPlayer(DijkstraAgent):
    """Goes to and fro for some rounds, then where it is cheapest."""

    def act(self, view, limit, rng: Random) -> Advice:
        if view.round < 8:
            return Advice(OnEdge(view.quarry, view.config.board.neighbours(view.quarry)[0]))
        return super().act(view, limit, rng)


PLAYERS: tuple[type[Agent], ...] = (RandomAgent, DijkstraAgent, CommittedAgent, PassingPlayer, CirclingPlayer)
LIMITS = (Limit(iterations=1), Limit(iterations=10 if PLAIN else 60), Limit(seconds=1e-6), Limit(seconds=0.004))


def play(config, player: Agent, limit: Limit, seed: int = 1) -> tuple[Referee, BlockerAgent, list[float]]:
    """The first plies of a game, and what the blocker said it was sure of."""
    blocker, said = BlockerAgent(), list[float]()
    referee = Referee(GAME, config, {Seat.EVADER: player, Seat.PURSUERS: blocker}, seed=seed, limit=limit)
    while not referee.over and referee.state.ply < MOST_PLIES:
        seat = referee.to_act
        referee.step()
        if seat is Seat.PURSUERS:
            said.append(referee.advice.counters["lower"])
    return referee, blocker, said


def check_promises(referee: Referee, blocker: BlockerAgent, said: list[float]) -> None:
    assert not referee.fault
    assert said == sorted(said)
    if referee.state.quarry == referee.config.target and said:
        assert said[0] == blocker.first_bound
        assert referee.state.total >= said[-1] - 1e-9


@given(shortest_path_configs(), st.sampled_from(PLAYERS), st.sampled_from(LIMITS), st.integers(0, 1000))
def test_promises_are_kept_on_any_graph(config, player, limit, seed) -> None:
    check_promises(*play(config, player(), limit, seed))


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("player", PLAYERS)
def test_promises_are_kept_on_contest_graphs(player, limit) -> None:
    for seed in SEEDS:
        spec = f"contest:{20 + 5 * seed}:{40 + 12 * seed}:separation={3 + seed % 3}:cut={1 + seed % 4}:seed={seed}"
        config = make_config("sqrt" if seed % 2 else "double", board=spec)
        check_promises(*play(config, player(), limit, seed))


@given(shortest_path_configs(), st.integers(0, 1000))
@at_most(25)
def test_promises_are_kept_when_the_clock_runs_out_during_the_game(config, seed) -> None:
    class Hurried(BlockerAgent):
        def act(self, view, limit, rng: Random) -> Advice:
            return super().act(view, Limit(iterations=100) if view.round < 2 else Limit(seconds=1e-6), rng)

    blocker = Hurried()
    referee = Referee(GAME, config, {Seat.EVADER: RandomAgent(), Seat.PURSUERS: blocker}, seed=seed)
    while not referee.over and referee.state.ply < MOST_PLIES:
        referee.step()
    if referee.state.quarry == config.target:
        assert referee.state.total >= max(blocker.first_bound, blocker.sure) - 1e-9


def test_the_first_bound_can_be_checked() -> None:
    config = make_config(board="contest:24:44:separation=5:cut=3:seed=1")
    blocker = BlockerAgent()
    referee = Referee(
        GAME, config, {Seat.EVADER: CommittedAgent(), Seat.PURSUERS: blocker}, limit=Limit(iterations=500)
    )
    referee.step()
    state = referee.state
    referee.step()
    assert blocker.certificate is not None
    value = lower_value(state, blocker.certificate.edges, blocker.certificate.horizon)
    assert value == blocker.certificate.value
    assert blocker.first_bound == pytest.approx(state.total + value, rel=1e-12)


def test_the_same_iterations_give_the_same_game() -> None:
    config = make_config(board="contest:24:44:separation=5:cut=3:seed=1")
    games = [play(config, DijkstraAgent(), Limit(iterations=200))[0].actions for _ in range(2)]
    assert games[0] == games[1]


def test_more_time_never_lowers_what_a_walker_is_sure_to_pay() -> None:
    for seed in SEEDS:
        config = make_config("sqrt" if seed % 2 else "double", board=f"contest:30:55:separation=5:cut=2:seed={seed}")
        bounds = [play(config, CommittedAgent(), Limit(iterations=n), seed)[1].first_bound for n in (1, 200)]
        assert bounds[0] <= bounds[1] + 1e-9
        assert bounds[1] > 5.0, "the bare hops would be no achievement"


def test_it_plays_the_adversary_alone() -> None:
    config = make_config(board="contest:24:44:separation=5:cut=3:seed=1")
    with pytest.raises(BadAgent, match="evader"):
        Referee(GAME, config, {Seat.EVADER: BlockerAgent()})
