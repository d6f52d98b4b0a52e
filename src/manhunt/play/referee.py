"""The referee alone holds the truth: it asks the seats, checks, applies, and tells each what it may know."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from manhunt.core.agent import Advice, Agent, Limit, check_seat
from manhunt.core.crash import crash_text
from manhunt.core.errors import BadAgent, BadConfig, IllegalAction, ManhuntError
from manhunt.core.events import Event, number_events
from manhunt.core.game import AnyGame, ConfigT, Game, Setup, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import FORFEITS, Outcome, Termination
from manhunt.core.seeds import Secret, Seed, seeded
from manhunt.core.turns import TurnEnd, TurnFailed
from manhunt.play import fair_deal
from manhunt.play.clock import GameClock, TimeControl
from manhunt.play.fault import Fault, FaultPolicy, Policies
from manhunt.play.hindsight import truth_for
from manhunt.play.record import Record
from manhunt.protocol.events import Commitment, End, FaultEvent, Forfeit, PassByRule, StandIn


@dataclass(frozen=True, slots=True)
class Notice:
    """What an observer learns about one move."""

    ply: int
    events: tuple[dict[str, Any], ...]
    view: View
    over: bool


Observer = Callable[[Notice], object]


@dataclass(frozen=True, slots=True)
class PendingPly:
    """A ply that has been checked but not made: `Referee.commit` makes it, and dropping it changes nothing."""

    ply: int
    """Its number; the first ply of a game is 1."""
    before: Any
    action: Any | None
    """None for a forfeit, which is no action."""
    state: Any
    """The state after it."""
    outcome: Outcome | None
    """How it ends the game; None if the game goes on."""
    events: tuple[Event, ...]
    fault: Fault | None = None
    """The failed turn that it replaces."""
    stand_in: tuple[Any, ...] | None = None
    """The state of the generator for stand-ins afterwards, if that generator chose this action."""
    seconds: float | None = None
    """How long a seat without an agent took, if its clock runs."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A moment of a game to come back to: besides the plies before it, where chance and the clock stood."""

    n_plies: int
    generators: Mapping[str, Any]
    seconds_left: Mapping[Seat, float]


class OutOfTime(IllegalAction):
    """A move from outside that comes too late."""


class Referee:
    """Runs one game from setup to outcome, and is the only place that holds the truth.

    Moves of a seat without an agent come from you: use `submit`, or `prepare` and `commit` if you have to store a ply
    before anybody learns of it. An illegal action, a crash or running out of time forfeits the game, unless the rule
    book turns a bad action into a pass or `policies` say otherwise; `faults` lists what went wrong. A game with a nonce
    (with a secret as its seed, always) publishes a commitment to its setup before the first move.

    Examples:
        >>> from manhunt import Seat, make_agent, make_game
        >>> game = make_game("pursuit")
        >>> referee = Referee(game, game.make_config(), {Seat.EVADER: make_agent("random")}, seed=1)
        >>> move = referee.step()  # the agent's; the other seat's moves come from you
        >>> referee.submit(game.legal_actions(referee.state)[0])
        >>> len(referee.actions)
        2
    """

    def __init__(
        self,
        game: AnyGame,
        config: Any,
        agents: Mapping[Seat, Agent] | None = None,
        *,
        seed: Seed = 0,
        setup: Setup | None = None,
        limit: Limit | None = None,
        time_control: TimeControl | None = None,
        names: Mapping[Seat, str] | None = None,
        policies: Policies | None = None,
        nonce: str | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise BadConfig(f"{game!r} is not a game; give an object, as make_game(NAME) returns it")
        self.game = game
        self.config = config
        self.seed = seed
        self.agents = dict(agents or {})
        self.limit = limit or Limit()
        self.clock = GameClock(time_control or TimeControl())
        self.names = {seat: type(agent).__name__ for seat, agent in self.agents.items()} | dict(names or {})
        for seat, agent in self.agents.items():
            if not isinstance(seat, Seat):
                raise BadAgent(f"{seat!r} is not a seat; write Seat.EVADER or Seat.PURSUERS")
            if not isinstance(agent, Agent):
                hint = f", such as make_agent({agent!r}, {game.name!r})" if isinstance(agent, str) else ""
                what = f"{agent!r} on the seat {seat.value} is not an agent"
                raise BadAgent(f"{what}; give an object of an Agent class{hint}")
            check_seat(agent, game.name, seat)
        self.setup = dict(setup if setup is not None else game.deal(config, seeded(seed, "deal")))
        self.state = game.start(config, self.setup)
        self.outcome: Outcome | None = game.outcome(self.state)
        self.actions: list[Any] = []
        self.advice: Advice | None = None
        self.faults: list[Fault] = []
        self.policies = dict(policies or {})
        self._is_forfeited = False
        self._rounds: list[int] = []
        """The round in which each action left the game."""
        self._events: list[Event] = []
        self._observers: dict[Observer, Seat] = {}
        self._notifying = False
        self._chance = seeded(seed, "chance")
        self._stand_in = seeded(seed, "stand-in")
        self._rngs = {seat: seeded(seed, seat.value) for seat in PLAYERS}
        self._generators = {"chance": self._chance, "stand-in": self._stand_in} | {
            seat.value: self._rngs[seat] for seat in PLAYERS
        }
        self.nonce = fair_deal.nonce_of(seed) if nonce is None and isinstance(seed, Secret) else nonce
        self.commitment = None if self.nonce is None else fair_deal.commit(game.name, self.setup, self.nonce)
        self._publish(game.opening_events(self.state))
        if self.commitment is not None:
            self._publish([Event(fair_deal.EVENT, Commitment(sha256=self.commitment))])
        self._crashes: dict[Seat, tuple[TurnEnd, str]] = {}
        for seat, agent in self.agents.items():
            self._begin(seat, agent)
            self._call_agent(seat, lambda a=agent, s=seat: a.observe(self.events_for(s)))  # type: ignore[misc]

    @property
    def fault(self) -> str | None:
        """The latest fault, in words."""
        return self.faults[-1].detail if self.faults else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def is_forfeited(self) -> bool:
        """Whether the game ended by a resignation or a failed turn instead of by its rules."""
        return self._is_forfeited

    @property
    def to_act(self) -> Seat | None:
        """Who acts now; None when the game is over."""
        return None if self.over else self.game.to_act(self.state)

    def view(self, seat: Seat) -> View:
        """What a seat may know now; after the end, however it came, everything."""
        if not self._is_forfeited:
            view: View = self.game.view(self.state, seat)
            return view
        truth = truth_for(self.game, self.state, seat)
        return replace(truth, outcome=self.outcome, to_act=None)  # type: ignore[type-var]

    @property
    def n_events(self) -> int:
        """The number of events so far, which is also the number of the latest one."""
        return len(self._events)

    def events_for(self, seat: Seat, since: int = 0) -> tuple[dict[str, Any], ...]:
        """All events after number `since`, as this seat may see them."""
        return tuple(event.seen_by(seat) for event in self._events[since:])

    @property
    def observers(self) -> Mapping[Observer, Seat]:
        """A copy of the registered observers in order, each with the seat whose view it gets."""
        return dict(self._observers)

    def bookmark(self) -> Bookmark:
        """The random generators and clocks at this moment, for `restore`."""
        states = {name: generator.getstate() for name, generator in self._generators.items()}
        return Bookmark(len(self.actions), states, dict(self.clock.left))

    def restore(self, mark: Bookmark) -> None:
        """Set the random generators and clocks back to a bookmark; its plies must have been played already."""
        if mark.n_plies != len(self.actions):
            raise ManhuntError(f"a bookmark of ply {mark.n_plies}, but the game is at ply {len(self.actions)}")
        for name, state in mark.generators.items():
            self._generators[name].setstate(state)
        self.clock.left.update(mark.seconds_left)

    def reseed_agents(self, purpose: str) -> None:
        """Give the agents new random generators, when a game continues and the state of the old ones is lost."""
        for seat in PLAYERS:
            self._rngs[seat].setstate(seeded(self.seed, f"{seat.value} {purpose}").getstate())

    def register(self, observer: Observer, seat: Seat = Seat.SPECTATOR) -> None:
        """Call `observer` once after each move from now on, with what `seat` may see."""
        if not callable(observer):
            raise ManhuntError(f"the observer {observer!r} cannot be called; give a function that takes a Notice")
        if observer in self._observers:
            raise ManhuntError("this observer is registered already; unregister it first")
        self._observers[observer] = seat

    def unregister(self, observer: Observer) -> None:
        """Stop calling an observer."""
        if observer not in self._observers:
            raise ManhuntError("this observer is not registered")
        del self._observers[observer]

    def prepare(self, action: Any, seat: Seat | None = None, ply: int | None = None) -> PendingPly:
        """Check an action of the seat to act; nothing happens until `commit`. IllegalAction if it is refused.

        If you forward other people's actions, pass the `seat` that sent one: out of turn it is refused before the rules
        see it, because an error of the rules may tell things that only the seat to act may know. With `ply`, the same
        message cannot move twice.
        """
        self._check_turn(seat, ply)
        self.check_time()
        return self._pending(action)

    def prepare_text(self, text: str, seat: Seat | None = None, ply: int | None = None) -> PendingPly:
        """Like `prepare`, for an action in notation; BadText if it cannot be parsed."""
        self._check_turn(seat, ply)
        self.check_time()
        return self._pending(self.game.parse_action(self.config, text))

    def prepare_turn(self, texts: Sequence[str], seat: Seat, ply: int) -> tuple[PendingPly, ...]:
        """Prepare several plies of one turn, to be committed in order; plies after the end of the game are left out.

        The first one carries the time of the whole turn.
        """
        self._check_turn(seat, ply)
        plies: list[PendingPly] = []
        for text in texts:
            if plies and plies[-1].outcome is not None:
                break
            plies.append(self._pending(self.game.parse_action(self.config, text), last=plies[-1] if plies else None))
        return tuple(plies)

    def prepare_failed(
        self, seat: Seat, end: TurnEnd, detail: str, *, policy: FaultPolicy | None = None, instead: Any | None = None
    ) -> PendingPly:
        """What follows from a turn without a legal action, by `policies`, or else by the rule book.

        `policy` overrides both this time; `instead` is an action that somebody else chose for the seat.
        """
        self._check_turn(seat)
        if instead is not None:
            fault = Fault(seat, end.why, detail, len(self.actions), policy)
            by = "agent" if policy is None else policy.value
            return self._pending(instead, fault, Event("stand-in", StandIn(seat=seat.value, why=end.why, policy=by)))
        by_rule = self.game.pass_by_rule(self.state) if end is TurnEnd.ILLEGAL else None
        usual = self.policies.get(end) or (FaultPolicy.FORFEIT if by_rule is None else FaultPolicy.PASS)
        policy = policy or usual
        fault = Fault(seat, end.why, detail, len(self.actions), policy)
        if policy is FaultPolicy.FORFEIT:
            return self._pending_forfeit(fault)
        if end not in self.policies and by_rule is not None:
            return self._pending(by_rule, fault, Event("pass by rule", PassByRule(seat=seat.value, why=end.why)))
        note = Event("stand-in", StandIn(seat=seat.value, why=end.why, policy=policy.value))
        instead = self.game.pass_action(self.state) if policy is FaultPolicy.PASS else None
        if instead is not None:
            return self._pending(instead, fault, note)
        unused = self._stand_in.getstate()
        instead = self._stand_in.choice(self.game.legal_actions(self.state))
        pending = replace(self._pending(instead, fault, note), stand_in=self._stand_in.getstate())
        self._stand_in.setstate(unused)
        return pending

    def prepare_forfeit(self, seat: Seat, why: str, detail: str) -> PendingPly:
        """Prepare the loss of a seat that resigns or fails; only that seat can read `detail`."""
        self._check_open("nobody can forfeit it")
        return self._pending_forfeit(Fault(seat, why, detail, len(self.actions), FaultPolicy.FORFEIT))

    def commit(self, pending: PendingPly) -> None:
        """Make a prepared ply and notify everybody; ManhuntError if the game has moved on since then."""
        self._check_open("no action is legal")
        if pending.before is not self.state or pending.ply != len(self.actions) + 1:
            raise ManhuntError(f"the game has gone on since ply {pending.ply} was prepared; prepare it again")
        self.state, self.outcome = pending.state, pending.outcome
        if pending.fault is not None:
            self.faults.append(pending.fault)
        if pending.stand_in is not None:
            self._stand_in.setstate(pending.stand_in)
        if pending.seconds is not None:
            seat = self.game.to_act(pending.before)
            assert seat is not None
            self.clock.book(seat, pending.seconds)
        if pending.action is None:
            self._is_forfeited = True
        else:
            self.actions.append(pending.action)
            self._rounds.append(self.game.round_of(pending.state))
        self._announce(pending.events)

    def submit(self, action: Any, seat: Seat | None = None) -> None:
        """Check an action, which may be given in notation, and make it.

        If it raises IllegalAction or BadText, nothing has changed.
        """
        self.commit(self.prepare_text(action, seat) if isinstance(action, str) else self.prepare(action, seat))

    def forfeit(self, seat: Seat, why: str, detail: str) -> None:
        """The seat loses at once; everybody learns why, but only the seat reads the detail."""
        self.commit(self.prepare_forfeit(seat, why, detail))

    def step(self) -> Any | None:
        """Play one ply: ask the agent to act and apply its action. Returns the action, or None after a forfeit."""
        self._check_open("no action is legal")
        seat = self.to_act
        assert seat is not None
        if seat is Seat.CHANCE:
            pending = self._pending(self.draw_chance())
        else:
            agent = self.agents.get(seat)
            if agent is None:
                raise BadAgent(f"the seat {seat.value} has no agent; give it one or submit its actions")
            pending = self._ask(seat, agent)
        self.commit(pending)
        return pending.action

    def draw_chance(self) -> Any:
        """The chance action that the seed gives now, without making it: for replaying a record."""
        return self.game.sample_chance(self.state, self._chance)

    def run(self) -> Outcome:
        """Play to the end."""
        while not self.over:
            self.step()
        outcome = self.outcome
        assert outcome is not None
        return outcome

    def record(self, *plies: PendingPly) -> Record:
        """The game so far as a record; pending plies are included if you pass them."""
        actions, rounds = self.actions, self._rounds
        outcome, fault = self.outcome, self.fault if self._is_forfeited else None
        for pending in plies:
            outcome = pending.outcome
            if pending.action is not None:
                actions, rounds = [*actions, pending.action], [*rounds, self.game.round_of(pending.state)]
            elif pending.fault is not None:
                fault = pending.fault.detail
        return Record.of(
            self.game,
            self.config,
            self.setup,
            actions,
            left_in=rounds,
            seed=self.seed,
            names=self.names,
            outcome=outcome,
            fault=fault,
            commitment=self.commitment,
            nonce=self.nonce,
        )

    def _ask(self, seat: Seat, agent: Agent) -> PendingPly:
        if seat in self._crashes:
            return self.prepare_failed(seat, *self._crashes[seat])
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
            end, detail = TurnEnd.CRASH, crash_text(error)
        if not self.clock.charge(seat, self.clock.timer() - began) and end in (TurnEnd.OK, TurnEnd.ILLEGAL):
            return self.prepare_failed(seat, TurnEnd.TIMEOUT, f"used more than its {allowed:.3g} s")
        if end is not TurnEnd.OK:
            return self.prepare_failed(seat, end, detail)
        try:
            return self._pending(action)
        except IllegalAction as error:
            return self.prepare_failed(seat, TurnEnd.ILLEGAL, str(error))

    def _pending(
        self, action: Any, fault: Fault | None = None, note: Event | None = None, last: PendingPly | None = None
    ) -> PendingPly:
        """An action of the seat to act, or one that stands in for a failed turn; `last` is pending before it."""
        before, ply = (self.state, len(self.actions) + 1) if last is None else (last.state, last.ply + 1)
        after = self.game.apply_action(before, action)
        outcome = self.game.outcome(after)
        events = (*_fault_events(fault, note), *self.game.events(before, action, after), *_end_events(outcome))
        seconds = self._elapsed() if last is None else None
        return PendingPly(ply, before, action, after, outcome, events, fault, seconds=seconds)

    def _elapsed(self) -> float | None:
        """How long the seat to act has thought, if it is moved from outside by the clock."""
        running = self.clock.running
        return None if running is None else self.clock.elapsed(running)

    def check_time(self) -> None:
        """Raise OutOfTime if a seat without an agent has taken too long."""
        seat = self.clock.running
        if seat is not None and self.clock.is_over(seat):
            raise OutOfTime(f"the time of {self.game.called(seat)} is over")

    def _pending_forfeit(self, fault: Fault) -> PendingPly:
        assert fault.seat is not None
        side = fault.seat.side
        assert side is not None
        outcome = Outcome(side.other, Termination.FORFEIT, why=fault.why if fault.why in FORFEITS else None)
        note = Event("forfeit", Forfeit(seat=fault.seat.value, why=fault.why))
        events = (*_fault_events(fault, note), *_end_events(outcome))
        return PendingPly(len(self.actions) + 1, self.state, None, self.state, outcome, events, fault)

    def _check_open(self, consequence: str) -> None:
        if self.over:
            raise IllegalAction(f"the game is over ({self.outcome}); {consequence}")
        if self._notifying:
            raise ManhuntError("an observer cannot move the game on while it is being told of a move")

    def _check_turn(self, seat: Seat | None = None, ply: int | None = None) -> None:
        """Who only watches is not told whose turn it is: spectators of some games may not know."""
        self._check_open("no action is legal")
        acting, expected = self.to_act, len(self.actions) + 1
        assert acting is not None
        if seat is Seat.SPECTATOR:
            raise IllegalAction("it is not the turn of spectators; only a player moves")
        if seat is not None and seat is not acting:
            raise IllegalAction(f"it is not the turn of {seat.value}; {acting.value} acts now")
        if ply is not None and ply != expected:
            raise IllegalAction(f"a move with n {ply}; the game waits for {expected}")

    def _announce(self, happened: Sequence[Event]) -> None:
        first = len(self._events)
        self._publish(happened)
        for seat, agent in self.agents.items():
            self._call_agent(seat, lambda a=agent, s=seat: a.observe(self.events_for(s, first)))  # type: ignore[misc]
            if self.over:
                self._call_agent(seat, agent.stop)
        self._notify(first, self.over)

    def _notify(self, first: int, over: bool) -> None:
        """Tell every observer once, also when one of them raises; its error comes out when all have heard."""
        failure: Exception | None = None
        self._notifying = True
        for observer, seat in list(self._observers.items()):
            if observer in self._observers:
                try:
                    observer(Notice(len(self.actions), self.events_for(seat, first), self.view(seat), over))
                except Exception as error:
                    failure = failure or error
        self._notifying = False
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

    def _call_agent(self, seat: Seat, call: Callable[[], None]) -> None:
        """Let an agent hear something; if that crashes it, it loses on its next turn."""
        try:
            call()
        except Exception as error:
            self._crashed(seat, error)

    def _crashed(self, seat: Seat, error: Exception) -> None:
        if isinstance(error, TurnFailed):
            self._crashes.setdefault(seat, (error.end, error.detail))
        else:
            self._crashes.setdefault(seat, (TurnEnd.CRASH, crash_text(error)))

    def _publish(self, events: Sequence[Event]) -> None:
        self._events.extend(number_events(events, len(self._events) + 1))


def _fault_events(fault: Fault | None, note: Event | None) -> tuple[Event, ...]:
    """The details may hold secrets, so only the seat itself reads them; everybody reads the note."""
    if fault is None or fault.seat is None or note is None:
        return ()
    return Event("fault", FaultEvent(detail=fault.detail), frozenset({fault.seat})), note


def _end_events(outcome: Outcome | None) -> tuple[Event, ...]:
    return () if outcome is None else (Event("end", End(outcome=str(outcome))),)


def play_game(
    game: Game[ConfigT, Any, Any, Any],
    config: ConfigT,
    agents: Mapping[Seat, Agent],
    *,
    seed: Seed = 0,
    setup: Setup | None = None,
    limit: Limit | None = None,
) -> Record:
    """One whole game between agents; the record has the outcome and every action.

    The same seed gives the same deal and the same chance for the agents. With a `setup` nothing is dealt.

    Examples:
        >>> from manhunt import Seat, make_agent, make_game
        >>> from manhunt.core import game_names
        >>> game = make_game(game_names()[0])
        >>> agents = {Seat.EVADER: make_agent("random"), Seat.PURSUERS: make_agent("random")}
        >>> record = play_game(game, game.make_config(max_rounds=2), agents, seed=1)
        >>> record.outcome == play_game(game, game.make_config(max_rounds=2), agents, seed=1).outcome
        True
    """
    referee = Referee(game, config, agents, seed=seed, setup=setup, limit=limit)
    referee.run()
    return referee.record()
