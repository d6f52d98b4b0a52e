"""One game of a tournament, from its number alone: the same wherever and whenever it is played."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.arena.anchors import spec_of
from manhunt.arena.own_agents import arrived
from manhunt.arena.result import Played, Result, Thinking, Times
from manhunt.arena.schedule import KERNEL, TRAVELLING, Match, Plan, plan_from_json
from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import kit_of, make_game
from manhunt.core.seeds import Seed, number_of
from manhunt.core.turns import TurnEnd
from manhunt.play.fault import Fault, FaultPolicy
from manhunt.play.referee import Referee
from manhunt.workers.deadlines import PREPARING_SECONDS, decision_seconds, must_end_within

HUNG = "no answer long after its time was up"


class TimedAgent(Agent):
    """An agent that is timed, and that knows whether it is being waited for; it behaves as the one inside."""

    def __init__(self, agent: Agent, label: str = "") -> None:
        """The label goes to those who wait for this process, should the agent never return."""
        self.agent, self.label = agent, label
        self.games, self.seats = agent.games, agent.seats  # type: ignore[misc]
        self.thinking = Thinking()
        self.is_busy = False
        self._since_decision = 0.0

    def start(self, view: View) -> None:
        with self._busy(PREPARING_SECONDS):
            self.agent.start(view)
        self._since_decision = 0.0  # what a start takes is no thinking

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        with self._busy(PREPARING_SECONDS):
            self.agent.observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        try:
            with self._busy(decision_seconds(limit.seconds)):
                return self.agent.act(view, limit, rng)
        finally:
            self.thinking.add(Thinking(1, self._since_decision, self._since_decision))
            self._since_decision = 0.0

    def stop(self) -> None:
        with self._busy(PREPARING_SECONDS):
            self.agent.stop()

    @contextlib.contextmanager
    def _busy(self, most_seconds: float) -> Iterator[None]:
        """A worker that is in here for longer is ended."""
        self.is_busy, began = True, thinking_time.now()
        try:
            with must_end_within(most_seconds, self.label):
                yield
        finally:
            self.is_busy = False
            self._since_decision += thinking_time.now() - began


@dataclass(frozen=True, slots=True)
class MatchConditions:
    """What all games of a tournament share."""

    plan: Plan
    game: AnyGame
    config: Any
    own: Mapping[str, Callable[[], Agent]]

    def make_agent(self, spec: str, seat: Seat) -> Agent:
        if spec in self.own:
            return self.own[spec]()
        return make_agent(spec_of(spec, self.game.name, seat), self.game.name, seat)


@lru_cache(maxsize=4)
def conditions_of(plan_text: str) -> MatchConditions:
    data = json.loads(plan_text)
    own = arrived(data.pop(TRAVELLING)) if TRAVELLING in data else {}
    plan = plan_from_json(data)
    game = make_game(plan.game)
    return MatchConditions(plan, game, game.config_from_json(plan.config), own)


def play_task(plan_text: str, numbers: Sequence[int], folder: str | None = None) -> list[Played]:
    """Play the matches of one task; `folder` is where relative file names of agents begin."""
    if folder is not None and os.path.isdir(folder):
        os.chdir(folder)
    shared = conditions_of(plan_text)
    if shared.plan.path == KERNEL:
        return _play_compiled(shared, numbers)
    quietly = contextlib.redirect_stdout(sys.stderr)  # an agent that prints must not write into our answer
    with quietly, thinking_time.count_by(shared.plan.clock):
        return [play_match(shared, shared.plan.match(number)) for number in numbers]


def _play_compiled(shared: MatchConditions, numbers: Sequence[int]) -> list[Played]:
    """The matches without referee, events and records, by the game's own compiled code."""
    seeds = [number_of(_seed(shared.plan.match(number)), "compiled") for number in numbers]
    games = kit_of(shared.game.name).part("compiled").play(shared.config, seeds)
    return [Played(Result(number, *game)) for number, game in zip(numbers, games, strict=True)]


def play_match(shared: MatchConditions, match: Match) -> Played:
    """One game before the referee, with fresh agents."""
    plan = shared.plan
    agents = {
        seat: TimedAgent(shared.make_agent(spec, seat), hung_label(match.number, seat))
        for seat, spec in match.agents.items()
    }
    referee = Referee(shared.game, shared.config, agents, seed=_seed(match), limit=plan.limit, names=match.agents)
    referee.run()
    return played_of(referee, match.number, agents, map(_matrix_fault, referee.faults), with_record=plan.records)


def _seed(match: Match) -> Seed:
    assert match.seed is not None, "the run has not begun"
    return match.seed


def played_of(
    referee: Referee, number: int, agents: Mapping[Seat, TimedAgent], faults: Iterable[Fault], with_record: bool = True
) -> Played:
    """A game that is over as workers hand it back; the last fault is part of its result."""
    listed = tuple(faults)
    n_rounds = referee.game.round_of(referee.state)
    result = Result(number, referee.outcome, n_rounds, len(referee.actions), listed[-1] if listed else None)
    return Played(result, times_of(number, agents), referee.record().format() if with_record else None, listed)


def hung_label(number: int, seat: Seat) -> str:
    """What a worker notes of the agent that it waits for."""
    return f"{number} {seat.value}"


def hung_game(label: str) -> Played:
    """The game that an agent lost by never returning: the process was ended, and the game's moves with it."""
    number, _, name = label.partition(" ")
    seat = Seat(name)
    assert seat.side is not None
    fault = Fault(seat, TurnEnd.TIMEOUT.why, HUNG, policy=FaultPolicy.FORFEIT)
    return Played(Result(int(number), Outcome(seat.side.other, Termination.FORFEIT), 0, 0, fault))


def times_of(number: int, agents: Mapping[Seat, TimedAgent]) -> Times:
    return Times(number, *(agents[seat].thinking for seat in PLAYERS))


def _matrix_fault(fault: Fault) -> Fault:
    """A matrix keeps neither ply nor policy, and blames nobody for a pass by rule."""
    if fault.policy is not FaultPolicy.FORFEIT:
        return Fault(None, "pass by rule", fault.detail)
    return Fault(fault.seat, fault.why, fault.detail)
