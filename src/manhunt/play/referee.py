"""The referee alone holds the truth: it asks the seats, checks, applies, and tells each what it may know."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from manhunt.agents.base import Advice, Agent, Limit, check_seat
from manhunt.agents.turns import TurnEnd, TurnFailed
from manhunt.errors import BadAgent, IllegalAction, ManhuntError
from manhunt.games.base import AnyGame, Setup, View
from manhunt.games.events import Event, number_events
from manhunt.games.outcome import Outcome, Termination
from manhunt.ids import PLAYERS, Seat
from manhunt.play.clock import Clock, TimeControl
from manhunt.play.policy import Policies, Policy
from manhunt.play.record import Record
from manhunt.play.truth import truth_for


@dataclass(frozen=True, slots=True)
class Notice:
    """What an observer hears of one applied move."""

    ply: int
    events: tuple[dict[str, Any], ...]
    view: View
    over: bool


Observer = Callable[[Notice], object]


@dataclass(frozen=True, slots=True)
class Fault:
    """A turn that did not end with a legal action of its seat, and what the referee did instead."""

    ply: int
    seat: Seat
    end: TurnEnd
    detail: str
    policy: Policy


class Referee:
    """One game from setup to outcome.

    Seats without an agent are moved from outside with `submit`. An action that is illegal, an agent that crashes
    or exceeds its clock forfeits the game, unless the rule book turns a bad action into a pass or `policies` say
    otherwise; `faults` lists all of them.
    """

    def __init__(
        self,
        game: AnyGame,
        config: Any,
        agents: Mapping[Seat, Agent] | None = None,
        *,
        seed: int = 0,
        setup: Setup | None = None,
        limit: Limit | None = None,
        time_control: TimeControl | None = None,
        names: Mapping[Seat, str] | None = None,
        policies: Policies | None = None,
    ) -> None:
        self.game = game
        self.config = config
        self.seed = seed
        self.agents = dict(agents or {})
        self.limit = limit or Limit()
        self.clock = Clock(time_control or TimeControl())
        self.names = {seat: type(agent).__name__ for seat, agent in self.agents.items()} | dict(names or {})
        for seat, agent in self.agents.items():
            if not isinstance(agent, Agent):
                raise BadAgent(f"{agent!r} on the seat {seat.value} is no agent; give an object made from its class")
            check_seat(agent, game.name, seat)
        self.setup = dict(setup if setup is not None else game.deal(config, seeded(seed, "deal")))
        self.state = game.start(config, self.setup)
        self.actions: list[Any] = []
        self.advice: Advice | None = None
        self.fault: str | None = None
        self.faults: list[Fault] = []
        self.policies = dict(policies or {})
        self._forfeit: Outcome | None = None
        self._events: list[Event] = []
        self._observers: dict[Observer, Seat] = {}
        self._telling = False
        self._chance = seeded(seed, "chance")
        self._stand_in = seeded(seed, "stand-in")
        self._rngs = {seat: seeded(seed, seat.value) for seat in PLAYERS}
        self._publish(game.opening_events(self.state))
        self._crashes: dict[Seat, tuple[TurnEnd, str]] = {}
        for seat, agent in self.agents.items():
            self._begin(seat, agent)
            self._tell(seat, lambda a=agent, s=seat: a.observe(self.events_for(s)))  # type: ignore[misc]

    @property
    def outcome(self) -> Outcome | None:
        return self._forfeit or self.game.outcome(self.state)

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def to_act(self) -> Seat | None:
        return None if self.over else self.game.to_act(self.state)

    def view(self, seat: Seat) -> View:
        """What a seat may know now: everything after the end, also after one that the rules do not know of."""
        if self._forfeit is None:
            view: View = self.game.view(self.state, seat)
            return view
        truth = truth_for(self.game, self.state, seat)
        return replace(truth, outcome=self._forfeit, to_act=None)  # type: ignore[type-var]

    @property
    def n_events(self) -> int:
        """How many events there are so far, which is the number of the last one."""
        return len(self._events)

    def events_for(self, seat: Seat, since: int = 0) -> tuple[dict[str, Any], ...]:
        """All events after number `since`, as this seat may see them."""
        return tuple(event.seen_by(seat) for event in self._events[since:])

    def register(self, observer: Observer, seat: Seat = Seat.SPECTATOR) -> None:
        """Call `observer` once after each move from now on, with what `seat` may see."""
        if observer in self._observers:
            raise ManhuntError("this observer is registered already; unregister it first")
        self._observers[observer] = seat

    def unregister(self, observer: Observer) -> None:
        if observer not in self._observers:
            raise ManhuntError("this observer is not registered")
        del self._observers[observer]

    def submit(self, action: Any, seat: Seat | None = None) -> None:
        """Apply an action of the seat to act, given from outside; IllegalAction leaves everything as it was.

        Whoever forwards the actions of others names the seat that speaks: out of turn it is refused before the
        rules, whose words are meant for the seat to act, look at the action.
        """
        self._check_open()
        if seat is not None and seat is not self.to_act:
            acting = self.to_act
            assert acting is not None
            raise IllegalAction(f"it is not the turn of {seat.value}; {acting.value} acts now")
        self._apply(action)

    def forfeit(self, seat: Seat, why: str, detail: str) -> None:
        """A seat that is moved from outside gives up or fails; `detail` is told to that seat alone."""
        if self.over:
            raise IllegalAction(f"the game is over ({self.outcome}); nobody can forfeit it")
        self._lose(seat, why, detail)

    def step(self) -> Any | None:
        """One ply: ask the seat to act and apply what it says. Returns the action, None after a forfeit."""
        self._check_open()
        seat = self.to_act
        assert seat is not None
        if seat is Seat.CHANCE:
            return self._apply(self.game.sample_chance(self.state, self._chance))
        agent = self.agents.get(seat)
        if agent is None:
            raise BadAgent(f"nobody sits on the seat {seat.value}; give it an agent or submit its actions")
        return self._ask(seat, agent)

    def run(self) -> Outcome:
        """Play to the end."""
        while not self.over:
            self.step()
        outcome = self.outcome
        assert outcome is not None
        return outcome

    def record(self) -> Record:
        """The game so far as a record."""
        return Record.of(
            self.game,
            self.config,
            self.setup,
            self.actions,
            seed=self.seed,
            names=self.names,
            outcome=self.outcome,
            fault=self.fault if self._forfeit else None,
        )

    def _ask(self, seat: Seat, agent: Agent) -> Any | None:
        if seat in self._crashes:
            return self._failed(seat, *self._crashes[seat])
        allowed = self.clock.allowance(seat)
        bounds = [s for s in (allowed, self.limit.seconds) if s is not None]
        limit = Limit(max(min(bounds), 1e-6) if bounds else None, self.limit.iterations, self.clock.face(seat))
        began = self.clock.timer()
        end, detail = TurnEnd.OK, ""
        try:
            self.advice = agent.act(self.game.view(self.state, seat), limit, self._rngs[seat])
            action = self.advice.action
        except ManhuntError as error:
            end, detail = TurnEnd.ILLEGAL, str(error)
        except TurnFailed as failure:
            end, detail = failure.end, failure.detail
        except Exception as error:  # whatever a stranger's agent raises is its own loss
            end, detail = TurnEnd.CRASH, f"{type(error).__name__}: {error}"
        if not self.clock.charge(seat, self.clock.timer() - began) and end in (TurnEnd.OK, TurnEnd.ILLEGAL):
            return self._failed(seat, TurnEnd.TIMEOUT, f"used more than its {allowed:.3g} s")
        if end is not TurnEnd.OK:
            return self._failed(seat, end, detail)
        try:
            return self._apply(action)
        except IllegalAction as error:
            return self._failed(seat, TurnEnd.ILLEGAL, str(error))

    def _failed(self, seat: Seat, end: TurnEnd, detail: str) -> Any | None:
        """Go on as the policies say, or the rule book where they say nothing."""
        by_rule = self.game.pass_by_rule(self.state) if end is TurnEnd.ILLEGAL else None
        policy = self.policies.get(end) or (Policy.FORFEIT if by_rule is None else Policy.PASS)
        self.faults.append(Fault(len(self.actions), seat, end, detail, policy))
        if policy is Policy.FORFEIT:
            self._lose(seat, end.why, detail)
            return None
        self.fault = detail
        fault = Event("fault", {"detail": detail}, frozenset({seat}))
        told = {"seat": seat.value, "why": end.why}
        if end not in self.policies and by_rule is not None:
            return self._apply(by_rule, (fault, Event("pass by rule", told)))
        instead = self.game.pass_action(self.state) if policy is Policy.PASS else None
        if instead is None:
            instead = self._stand_in.choice(self.game.legal_actions(self.state))
        return self._apply(instead, (fault, Event("stand-in", {**told, "policy": policy.value})))

    def _lose(self, seat: Seat, why: str, detail: str) -> None:
        """The details may hold secrets, so only the seat itself reads them."""
        side = seat.side
        assert side is not None
        self.fault = detail
        self._forfeit = Outcome(side.other, Termination.FORFEIT)
        happened = (
            Event("fault", {"detail": detail}, frozenset({seat})),
            Event("forfeit", {"seat": seat.value, "why": why}),
        )
        self._announce(happened)

    def _apply(self, action: Any, noted: Sequence[Event] = ()) -> Any:
        before = self.state
        self.state = self.game.apply_action(before, action)
        self.actions.append(action)
        self._announce((*noted, *self.game.events(before, action, self.state)))
        return action

    def _check_open(self) -> None:
        if self.over:
            raise IllegalAction(f"the game is over ({self.outcome}); no action is legal")
        if self._telling:
            raise ManhuntError("an observer cannot move the game on while it is being told of a move")

    def _announce(self, happened: Sequence[Event]) -> None:
        first = len(self._events)
        outcome = self.outcome
        if outcome is not None:
            happened = (*happened, Event("end", {"outcome": str(outcome)}))
        self._publish(happened)
        for seat, agent in self.agents.items():
            self._tell(seat, lambda a=agent, s=seat: a.observe(self.events_for(s, first)))  # type: ignore[misc]
            if outcome is not None:
                self._tell(seat, agent.stop)
        self._notify(first, outcome is not None)

    def _notify(self, first: int, over: bool) -> None:
        """Tell every observer once, also when one of them raises; its error comes out when all have heard."""
        failure: Exception | None = None
        self._telling = True
        for observer, seat in list(self._observers.items()):
            if observer in self._observers:
                try:
                    observer(Notice(len(self.actions), self.events_for(seat, first), self.view(seat), over))
                except Exception as error:
                    failure = failure or error
        self._telling = False
        if failure is not None:
            raise failure

    def _begin(self, seat: Seat, agent: Agent) -> None:
        """An agent that says it cannot play this game (a table of another board) is the caller's mistake."""
        try:
            agent.start(self.game.view(self.state, seat))
        except ManhuntError:
            raise
        except Exception as error:
            self._crashed(seat, error)

    def _tell(self, seat: Seat, call: Callable[[], None]) -> None:
        """Let an agent hear something; if that crashes it, it loses on its next turn."""
        try:
            call()
        except Exception as error:
            self._crashed(seat, error)

    def _crashed(self, seat: Seat, error: Exception) -> None:
        if isinstance(error, TurnFailed):
            self._crashes.setdefault(seat, (error.end, error.detail))
        else:
            self._crashes.setdefault(seat, (TurnEnd.CRASH, f"{type(error).__name__}: {error}"))

    def _publish(self, events: Sequence[Event]) -> None:
        self._events.extend(number_events(events, len(self._events) + 1))


def seeded(seed: int, purpose: str) -> Random:
    """An independent generator for each purpose of one seed, the same on every machine."""
    digest = hashlib.sha256(f"{seed}/{purpose}".encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))


def play_game(
    game: AnyGame,
    config: Any,
    agents: Mapping[Seat, Agent],
    *,
    seed: int = 0,
    setup: Setup | None = None,
    limit: Limit | None = None,
) -> Record:
    """One whole game; the record has the outcome."""
    referee = Referee(game, config, agents, seed=seed, setup=setup, limit=limit)
    referee.run()
    return referee.record()
