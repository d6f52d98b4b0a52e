"""One game of a tournament, from its number alone: the same wherever and whenever it is played."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import Any

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.agents.registry import make_agent
from manhunt.arena.anchors import spec_of
from manhunt.arena.result import Fault, Played, Result, Thinking, Times
from manhunt.arena.schedule import KERNEL, Match, Plan, plan_from_json
from manhunt.games.base import AnyGame, View
from manhunt.games.registry import make_game
from manhunt.ids import Seat
from manhunt.play.referee import Referee


class Stopwatch(Agent):
    """An agent that is timed; it behaves as the one inside."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.games, self.seats = agent.games, agent.seats  # type: ignore[misc]
        self.thinking = Thinking()
        self._since_decision = 0.0

    def start(self, view: View) -> None:
        self.agent.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        began = perf_counter()
        try:
            self.agent.observe(events)
        finally:
            self._since_decision += perf_counter() - began

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        began = perf_counter()
        try:
            return self.agent.act(view, limit, rng)
        finally:
            used = perf_counter() - began + self._since_decision
            self._since_decision = 0.0
            self.thinking.add(Thinking(1, used, used))

    def stop(self) -> None:
        self.agent.stop()


@dataclass(frozen=True, slots=True)
class Table:
    """What all games of a tournament share."""

    plan: Plan
    game: AnyGame
    config: Any


@lru_cache(maxsize=4)
def table_of(plan_text: str) -> Table:
    plan = plan_from_json(json.loads(plan_text))
    game = make_game(plan.game)
    return Table(plan, game, game.config_from_json(plan.config))


def play_task(plan_text: str, numbers: Sequence[int], folder: str | None = None) -> list[Played]:
    """Play the matches of one task; `folder` is where relative file names of agents begin."""
    if folder is not None and os.path.isdir(folder):
        os.chdir(folder)
    table = table_of(plan_text)
    if table.plan.path == KERNEL:
        from manhunt.arena.compiled import play_compiled

        return play_compiled(table, numbers)
    with contextlib.redirect_stdout(sys.stderr):  # an agent that prints must not write into our answer
        return [play_match(table, table.plan.match(number)) for number in numbers]


def play_match(table: Table, match: Match) -> Played:
    """One game before the referee, with fresh agents."""
    agents = {
        seat: Stopwatch(make_agent(spec_of(spec, seat), table.game.name, seat)) for seat, spec in match.agents.items()
    }
    plan = table.plan
    referee = Referee(table.game, table.config, agents, seed=match.seed, limit=plan.limit, names=match.agents)
    outcome = referee.run()
    result = Result(
        match.number,
        outcome,
        table.game.round_of(referee.state),
        len(referee.actions),
        _fault_of(referee),
    )
    times = Times(match.number, agents[Seat.EVADER].thinking, agents[Seat.PURSUERS].thinking)
    return Played(result, times, referee.record().format() if plan.records else None)


def _fault_of(referee: Referee) -> Fault | None:
    if referee.fault is None:
        return None
    notes = [event for event in referee.events_for(Seat.SPECTATOR) if event.get("t") == "forfeit"]
    if not notes:
        return Fault(None, "pass by rule", referee.fault)
    return Fault(Seat(notes[-1]["seat"]), notes[-1]["why"], referee.fault)
