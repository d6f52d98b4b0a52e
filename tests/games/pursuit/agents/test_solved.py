"""The agent that solves Pursuit before its first move."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.games.pursuit.agents.solved import SolvedAgent
from manhunt.games.pursuit.rules.config import PursuitConfig
from manhunt.games.pursuit.solvers.probe import Probe
from manhunt.games.pursuit.solvers.tables import FOREVER
from manhunt.play.referee import Referee
from manhunt.testing import check_agent

GAME = make_game("pursuit")
ROUNDS = 12
BOARDS = ("petersen", "grid:4x4", "ring:7", "top-right-20")


def config_of(board: str, n_detectives: int = 2, preset: str = "seed", **options: object) -> PursuitConfig:
    config: PursuitConfig = GAME.make_config(
        preset, board=board, n_detectives=n_detectives, max_rounds=ROUNDS, **options
    )
    return config


def played(config: PursuitConfig, quarry: str, detectives: str, seed: int) -> tuple[int, Referee]:
    """How many rounds the table gives Mr X from the deal, and the finished game."""
    agents = {Seat.EVADER: make_agent(quarry, "pursuit"), Seat.PURSUERS: make_agent(detectives, "pursuit")}
    referee = Referee(GAME, config, agents, seed=seed)
    table = SolvedAgent().table_of(config)
    assert table is not None
    promised = Probe(table).value(referee.state)
    referee.run()
    return promised, referee


def survived(referee: Referee) -> int:
    """Whole rounds that Mr X got through; one in which he cannot move is not begun."""
    assert referee.outcome is not None
    return int(referee.state.round) - (referee.outcome.termination is Termination.CAPTURE)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), board=st.sampled_from(BOARDS), n=st.integers(1, 2))
def test_two_of_them_end_when_the_table_says(seed: int, board: str, n: int) -> None:
    promised, referee = played(config_of(board, n), "solved", "solved", seed)
    assert referee.outcome is not None
    assert referee.outcome.winner is (Side.EVADER if promised >= ROUNDS else Side.PURSUERS)
    if promised < ROUNDS:
        assert survived(referee) == promised


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), board=st.sampled_from(BOARDS), other=st.sampled_from(("greedy", "random")))
def test_nobody_does_better_against_it(seed: int, board: str, other: str) -> None:
    promised, referee = played(config_of(board), "solved", other, seed)
    assert survived(referee) >= min(promised, ROUNDS)
    promised, referee = played(config_of(board), other, "solved", seed)
    assert survived(referee) <= promised


def test_places_are_chosen_well_too() -> None:
    config = config_of("petersen", 3, "cops-and-robbers")
    assert against_itself(config).winner is Side.PURSUERS  # its cop number is 3
    config = config_of("petersen", 2, "cops-and-robbers")
    assert against_itself(config).winner is Side.EVADER


def against_itself(config: PursuitConfig) -> Outcome:
    agents = {seat: make_agent("solved", "pursuit") for seat in (Seat.EVADER, Seat.PURSUERS)}
    return Referee(GAME, config, agents, seed=3).run()


@pytest.mark.parametrize(
    ("config", "megabytes"),
    [
        (config_of("petersen", visibility="sight"), 32),
        (config_of("london"), 1),
        (config_of("complete:20", 4), 32),
    ],
    ids=["hidden", "too large", "too many moves"],
)
def test_where_it_cannot_solve_it_is_greedy(config: PursuitConfig, megabytes: int) -> None:
    agent = SolvedAgent(megabytes)
    assert agent.table_of(config) is None
    for seat in (Seat.EVADER, Seat.PURSUERS):
        pair = {seat: make_agent("random", "pursuit") for seat in (Seat.EVADER, Seat.PURSUERS)}
        referee = Referee(GAME, config, pair, seed=5)
        while referee.to_act is not seat:
            referee.step()
        view = referee.view(seat)
        one = SolvedAgent(megabytes).act(view, Limit(), Random(2))
        assert one.action == make_agent("greedy", "pursuit").act(view, Limit(), Random(2)).action


def test_a_hidden_game_is_played_to_its_end() -> None:
    """What it is told on the way reaches the one who plays for it."""
    assert against_itself(config_of("grid:4x4", visibility="sight")).termination is not Termination.FORFEIT


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
@pytest.mark.parametrize("visibility", ["always", "sight"])
def test_it_passes_the_certificate(seat: Seat, visibility: str) -> None:
    check_agent("solved", "pursuit", config_of("grid:3x4", visibility=visibility), seat, games=2)


def test_rounds_are_no_part_of_a_table() -> None:
    first, second = (SolvedAgent().table_of(GAME.make_config("seed", board="petersen", max_rounds=n)) for n in (5, 9))
    assert first is second is not None
    assert first.rounds_survived(0, (1, 2)) <= FOREVER


@pytest.mark.parametrize("megabytes", [0, 1_001])
def test_a_bad_size_is_refused(megabytes: int) -> None:
    with pytest.raises(BadAgent, match="megabytes must be from 1 to 1000"):
        SolvedAgent(megabytes)
