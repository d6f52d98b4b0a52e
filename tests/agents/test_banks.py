"""No agent loses on time with a bank of a second, also where everything takes three times as long."""

import os
from random import Random
from typing import Any

import pytest

from manhunt.agents.registry import make_agent
from manhunt.arena.competition.play import warm_up
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee
from work_clock import work_clock

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="times of compiled kernels"),
]

CHAIRS = [
    ("scotland_yard", "mcts", Seat.EVADER),
    ("scotland_yard", "mcts", Seat.PURSUERS),
    ("scotland_yard", "minimax", Seat.EVADER),
    ("scotland_yard", "minimax", Seat.PURSUERS),
    ("scotland_yard", "scotfish-lookahead", Seat.EVADER),
    ("fugitive", "fugitive-search", Seat.EVADER),
    ("fugitive", "continuation", Seat.EVADER),
    ("fugitive", "bir-2u", Seat.PURSUERS),
]


def faults_of(game: str, agents: dict[Seat, Agent], config: Any, clock: Any, seconds: float = 1.0) -> list[str]:
    referee = Referee(make_game(game), config, agents, seed=3, time_control=TimeControl(bank_seconds=seconds))
    referee.clock.timer = clock
    referee.run()
    return [fault.detail for fault in referee.faults]


@pytest.mark.parametrize(("game", "name", "seat"), CHAIRS)
def test_a_bank_of_a_second_lasts_for_a_game(game: str, name: str, seat: Seat, monkeypatch) -> None:
    config = make_game(game).make_config()
    for _ in range(2):
        warm_up(name, game, config, seat)
    agents = {each: make_agent(name if each is seat else "random", game, each) for each in PLAYERS}
    assert faults_of(game, agents, config, work_clock(monkeypatch, 3.0)) == []


class Wanderer(Agent):
    """Goes to and fro and never arrives."""

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        return Advice(OnEdge(view.quarry, view.config.board.neighbours(view.quarry)[0]))


@pytest.mark.parametrize("name", ["blocker", "greedy", "last-edge", "min-cut"])
def test_an_adversary_has_time_for_a_traveller_who_never_arrives(name: str, monkeypatch) -> None:
    config = make_game("shortest_path").make_config(board="contest:300:750:separation=8:cut=4:seed=3")
    warm_up(name, "shortest_path", config, Seat.PURSUERS)
    agents = {Seat.EVADER: Wanderer(), Seat.PURSUERS: make_agent(name, "shortest_path", Seat.PURSUERS)}
    assert faults_of("shortest_path", agents, config, work_clock(monkeypatch, 3.0)) == []
