"""A room: one game that is being played, in which the referee alone has the truth."""

import asyncio
import hashlib
import hmac
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Protocol

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.game import AnyGame, Setup, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.seeds import Seed, seeded
from manhunt.core.turns import TurnEnd
from manhunt.play.fault import Fault, fault_from_json
from manhunt.play.record import GAVE_UP, Record, parse_record
from manhunt.play.referee import Notice, PendingPly, Referee
from manhunt.play.reopening import prepare_stored
from manhunt.server import agent_turns
from manhunt.server.drafts import Draft
from manhunt.server.durable import GameWriter, NotStored, NotSure
from manhunt.server.limits import PERSON, is_person
from manhunt.server.people_turns import PeopleTurns
from manhunt.server.room_clock import ServerClock
from manhunt.server.stored_plies import log_after
from manhunt.server.table_options import TableOptions
from manhunt.server.take_backs import TakenBack
from manhunt.store.connect import BadStore
from manhunt.store.games import FinishedGame
from manhunt.store.running import KeptMove
from manhunt.workers.pool import NoWorkers, WorkerPool

SEED_BOUND = 2**53
"""Seeds are below this: every program that reads JSON takes them as they are."""
DELAY_PLIES = 4
RETRY_SECONDS = 5.0
RESIGN = "resign"
"""What everybody hears of a player who gives up."""
__all__ = ["PERSON", "Forbidden", "GamePlan", "GameRoom", "Moment", "NoSuchGame", "SpectatorPolicy"]
LOG = logging.getLogger("manhunt.server")


class SpectatorPolicy(Enum):
    """What those who hold no seat may see before the game is over."""

    LIVE = "live"
    DELAYED = "delayed"
    NEVER = "never"


class Forbidden(ManhuntError):
    """A token that holds no seat here, or something that this seat may not do."""


class NoSuchGame(ManhuntError):
    """No running or finished game has this name."""


@dataclass(frozen=True)
class GamePlan:
    """A game about to be begun. `actions` are played before anybody is asked (a branch, or a game that is loaded)."""

    game: AnyGame
    config: Any
    seats: Mapping[Seat, str]
    """`person`, or an agent's spec."""
    seed: Seed
    """A secret, or a number where somebody asked for one."""
    setup: Setup | None = None
    seconds: float = 1.0
    spectators: SpectatorPolicy = SpectatorPolicy.LIVE
    actions: tuple[str, ...] = ()
    faults: Mapping[int, Fault] = field(default_factory=dict)
    """The failed turns that some of these actions stand for, by ply."""
    address: str = ""
    """Who asked for it, for the limits."""
    nonce: str | None = None
    """Of the commitment to the deal; a secret has one of its own."""
    options: TableOptions = field(default_factory=TableOptions)
    table: str = ""
    """The uid of the table at which it is played; empty for games without one."""
    agents: Mapping[Seat, str] = field(default_factory=dict)
    """Who plays the places of a seat of people that nobody holds."""
    seconds_used: Mapping[int, float] = field(default_factory=dict)
    """What people used by their clock for some of these actions, by ply."""
    moved_at: float | None = None
    """When the last of these actions was made, in seconds since 1970."""
    draft: Draft | None = None
    taken_back: TakenBack = field(default_factory=TakenBack)


@dataclass(frozen=True)
class Holder:
    """Who speaks: a seat, and the pieces of it that this person moves."""

    seat: Seat
    places: frozenset[str] | None = None
    """Such as `pursuers/0`; None means the whole seat."""
    person: int | None = None
    """Number at the table; None for whoever holds the token of a whole seat, and for spectators."""


class People(Protocol):
    """The table of a room, as the room sees it."""

    def holder(self, token_hash: str, seat: Seat | None = None) -> Holder | None:
        """Who shows this token; None for somebody unknown. A person without a place is a spectator.

        Who holds places of both seats speaks for `seat`, or for the evader; Forbidden if they do not hold that seat.
        """

    def members(self, seat: Seat) -> Mapping[int, frozenset[str]]:
        """The people on a seat, each with the places they hold; empty where agents alone play."""

    def name(self, person: int) -> str: ...

    def moved(self, room: "GameRoom") -> None:
        """Something happened in the game."""


def hash_of(token: str) -> str:
    """What is kept of a seat's token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Listener(Protocol):
    """A socket, as a room sees it."""

    @property
    def seat(self) -> Seat: ...

    def moved(self, room: "GameRoom") -> None:
        """Something happened."""

    def presence(self, there: Mapping[str, bool]) -> None: ...

    def seated(self, room: "GameRoom") -> None:
        """Places of the seats have changed hands."""

    def rewound(self, room: "GameRoom") -> None:
        """Something was taken back: what was heard so far does not count."""

    def status(self, room: "GameRoom") -> None:
        """A take-back was asked for or refused, or a clock runs."""


@dataclass
class Moment:
    """What one seat knew after some ply."""

    v: int
    view: View
    round: int


@dataclass
class GameRoom:
    """One game. Whatever changes it happens on the event loop, one thing at a time.

    A ply is prepared by the referee, stored, and committed; the room observes the referee and tells its listeners.
    """

    uid: str
    plan: GamePlan
    referee: Referee
    hashes: dict[Seat, str]
    writer: GameWriter
    pool: WorkerPool
    created_at: float = field(default_factory=time.time)
    listeners: set[Listener] = field(default_factory=set)
    used_at: float = field(default_factory=time.monotonic)
    clock: ServerClock = field(default_factory=ServerClock)

    def __post_init__(self) -> None:
        self.game = self.plan.game
        self.referee.clock.timer = self.clock.now
        self.openings: dict[Seat, View] = {
            seat: self.game.view(self.referee.state, seat) for seat in (*PLAYERS, Seat.SPECTATOR)
        }
        self.people: People | None = None
        """Those at its table; a game without a table knows the tokens of seats alone."""
        self.kept: dict[Any, Any] = {}
        """What was made for the present moment, by those who make it; emptied by every move."""
        self.turns = PeopleTurns(self)
        self._replay(self.plan.actions)
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._work: set[asyncio.Task[Any]] = set()
        self.is_sure = True
        """Whether the store has what the room has."""

    @property
    def n(self) -> int:
        """The number of the ply that is to be played."""
        return len(self.referee.actions) + 1

    @property
    def over(self) -> bool:
        return self.referee.over

    @property
    def thinking(self) -> Seat | None:
        """The seat for which an agent is to move."""
        seat = self.referee.to_act
        if seat is None or not is_person(self.plan.seats[seat]):
            return seat
        return seat if self.turns.is_for_agent(seat) else None

    def start(self) -> None:
        """Listen to the referee, let the agents think and the clocks run; to be called once, on the event loop."""
        self.referee.register(self._moved)
        self.kept.clear()
        self.turns.loaded()
        self.turns.run_clock(max(self.plan.moved_at or self.created_at, self.turns.taken_back.at))
        self.go_on()

    def holder_of(self, token: str | None, seat: Seat | None = None) -> Holder:
        """Who shows a secret token; spectators have none. `seat` is for those who hold both."""
        if token is None:
            return Holder(Seat.SPECTATOR)
        shown = hash_of(token)
        found = [Holder(seat) for seat, kept in self.hashes.items() if hmac.compare_digest(kept, shown)]
        asked = (shown,) if seat is None else (shown, seat)
        known = found[0] if found else self.people and self.people.holder(*asked)
        if not known or (found and seat is not None and seat is not known.seat):
            raise Forbidden("this link is not valid for this game; open the link you were given")
        return known

    def seat_of(self, token: str | None, seat: Seat | None = None) -> Seat:
        return self.holder_of(token, seat).seat

    def moment(self, seat: Seat) -> Moment | None:
        """What this seat may see now; None for spectators who may not."""
        policy = self.plan.spectators
        if seat is not Seat.SPECTATOR or self.over or policy is SpectatorPolicy.LIVE:
            return self._now(self.view(seat))
        return self._moments[0] if policy is SpectatorPolicy.DELAYED else None

    def log(self, seat: Seat) -> SeatLog:
        """All that this seat may know; Forbidden for spectators who may not look."""
        moment = self.moment(seat)
        if moment is None:
            raise Forbidden("spectators see this game when it is over")
        events = self.referee.events_for(seat)[: moment.v]
        return SeatLog(self.game.name, seat, self.openings[seat], events, moment.view)

    def log_at(self, seat: Seat, v: int | None) -> Callable[[], SeatLog]:
        """What this seat knew when `v` was the number of its last event; None means now. BadText if it never was.

        To go back takes a while, so the answer is for a thread to call.
        """
        log = self.log(seat)
        if v is None or v == len(log.events):
            return lambda: log
        if not 0 <= v < len(log.events):
            raise BadText(f"v {v}: the last event is number {len(log.events)}")
        plan = replace(self.plan, setup=self.referee.setup)
        earlier = (self._texts(), self._faults(), seat, log.opening, v)
        return lambda: log_after(make_referee(plan), *earlier)

    async def move(self, seat: Seat, n: int, text: str) -> None:
        """A move that a seat asks for. Raises if it is refused, or if it could not be stored."""
        await self._happen(lambda: (self.referee.prepare_text(text, seat, n),))

    async def resign(self, seat: Seat) -> None:
        if not is_person(self.plan.seats.get(seat, "")):
            raise Forbidden("only a player can resign")
        await self._happen(lambda: (self.referee.prepare_forfeit(seat, RESIGN, GAVE_UP),))

    async def _happen(self, prepare: Callable[[], Sequence[PendingPly]]) -> None:
        await self.in_turn(lambda: self.store_and_commit(prepare))

    async def in_turn(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something to the game, when nobody else does. Goes on to its end when the caller is cancelled: what is
        stored happens."""
        await asyncio.shield(self.spawn(self._alone(work)))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _alone(self, work: Callable[[], Awaitable[None]]) -> None:
        async with self._lock:
            if not self.is_sure:
                try:
                    await self._look_into_store()
                except BadStore:
                    raise NotSure("the database does not answer; the game continues when it does") from None
            try:
                await work()
            except NotSure:
                if self.is_sure:
                    self.is_sure = False
                    self.spawn(self._become_sure())
                raise

    async def store_and_commit(self, prepare: Callable[[], Sequence[PendingPly]]) -> None:
        """Check it, store it, make it happen; part of `in_turn`."""
        plies = prepare()
        if not plies:
            return
        first = plies[0]
        texts = [self.game.format_action(self.plan.config, ply.action) for ply in plies if ply.action is not None]
        if plies[-1].outcome is not None:
            await self.writer.finish(self.finished(self.referee.record(*plies)))
        elif len(plies) == 1 and self.turns.draft is None:
            await self.writer.move(self.uid, first.ply, texts[0], first.fault, first.seconds)
        else:
            await self.writer.turn(self.uid, first.ply, texts, first.fault, first.seconds)
        try:
            for i, ply in enumerate(plies, 1):
                self.turns.to_come = tuple(texts[i:])
                self._commit(ply)
        finally:
            self.turns.to_come = ()

    def _commit(self, ply: PendingPly) -> None:
        seat = self.referee.to_act
        assert seat is not None
        if ply.action is not None:
            self.movers.append(seat)
            self._seconds.append(ply.seconds)
        self.referee.commit(ply)

    async def _become_sure(self) -> None:
        """Nobody knows whether something was stored: look until the store answers, and go on from what it has."""
        while not self.is_sure:
            await asyncio.sleep(RETRY_SECONDS)
            async with self._lock:
                try:
                    if not self.is_sure:
                        await self._look_into_store()
                except BadStore as error:
                    LOG.error("game %s waits for its store: %s", self.uid, error)

    async def _look_into_store(self) -> None:
        """Make the room what the store says it is."""
        found = await self.writer.look(self.uid)
        self.is_sure = True
        played = self._texts()
        if isinstance(found, str):
            record = parse_record(found, f"game {self.uid}")
            for text in record.actions[len(played) :]:
                self._commit(self.referee.prepare_text(text))
            self.end_as(record)
            return
        row, moves = found
        if [move.notation for move in moves[: len(played)]] == played:
            for move in moves[len(played) :]:
                self._commit(prepare_stored(self.referee, move.notation, _fault_of(move), move.seconds))
            self.turns.found(None if row.draft is None else Draft.from_json(row.draft))
        else:
            await self.go_back(moves, TakenBack.from_json(row.taken_back))

    def end_as(self, record: Record) -> None:
        """A game that was given up or forfeited ends as its record says."""
        if not self.over and record.outcome is not None:
            loser = next(seat for seat in PLAYERS if seat.side is record.outcome.winner.other)
            self.referee.forfeit(loser, record.outcome.why or "forfeit", record.fault or "")

    def go_on(self) -> None:
        """Let an agent think, if one is to move and does not do so yet."""
        seat = self.thinking
        if seat is not None and self._thinking is None:
            self._thinking = asyncio.get_running_loop().create_task(self._think(seat))

    def presence(self) -> dict[str, bool]:
        there = {listener.seat for listener in self.listeners}
        return {seat.value: seat in there or not is_person(self.plan.seats[seat]) for seat in PLAYERS}

    def join(self, listener: Listener) -> None:
        before = self.presence()
        self.listeners.add(listener)
        self._tell_presence(before, listener)

    def leave(self, listener: Listener) -> None:
        before = self.presence()
        self.listeners.discard(listener)
        self._tell_presence(before)

    def _tell_presence(self, before: dict[str, bool], *newcomers: Listener) -> None:
        self.used_at, now = time.monotonic(), self.presence()
        for listener in list(self.listeners) if now != before else newcomers:
            listener.presence(now)

    @property
    def idle(self) -> bool:
        """Nobody listens, and nothing is going on."""
        return not (self.listeners or self._work or self._thinking or self.turns.is_short)

    def release(self) -> None:
        """Before it leaves the memory: room and referee hold each other no more, and workers forget its agents."""
        self.referee.unregister(self._moved)
        self.turns.stop_timer()
        self.release_agents()

    def release_agents(self) -> None:
        """Nobody need remember which worker has them; whoever asks again makes them anew from their logs."""
        for seat in PLAYERS:
            self.pool.forget((self._agents_key, seat))

    @property
    def _agents_key(self) -> str:
        """What workers know its agents by; another one when something was taken back, so that they forget it."""
        n = self.turns.taken_back.n
        return f"{self.uid}/{n}" if n else self.uid

    async def close(self) -> None:
        """Stop thinking; what is being stored is brought to its end."""
        self.turns.stop_timer()
        self.is_sure = True
        if self._thinking is not None:
            self._thinking.cancel()
        await asyncio.gather(*self._work, *filter(None, [self._thinking]), return_exceptions=True)

    async def _think(self, seat: Seat) -> None:
        """The agents' turns, until a person is to move."""
        try:
            acting: Seat | None = seat
            while acting is not None:
                try:
                    await self._turn(acting)
                except (NoWorkers, NotStored):
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                acting = self.thinking
        except asyncio.CancelledError:
            raise
        except Exception:
            LOG.exception("an agent's turn of game %s failed", self.uid)
        finally:
            if self._thinking is asyncio.current_task():
                self._thinking = None

    async def _turn(self, seat: Seat) -> None:
        spec, n = self.plan.seats[seat], self.n
        if is_person(spec):
            spec = self.plan.agents.get(seat, "random")
        seed = seeded(self.plan.seed, f"{seat.value}/{n}").getrandbits(63)
        log, seconds, owner = self.log(seat), self.plan.seconds, self.plan.address
        key = self._agents_key
        turn = await agent_turns.ask(self.pool, key, spec, log, seconds, seed, owner)
        await self._happen(lambda: self._judged(seat, n, turn) if key == self._agents_key else ())

    def _judged(self, seat: Seat, n: int, turn: agent_turns.AgentTurn) -> Sequence[PendingPly]:
        """What the referee makes of an agent's turn; nothing if the game has ended or gone on meanwhile."""
        if self.over or n != self.n or self.thinking is not seat:
            return ()
        if (instead := self.turns.agents_ply(seat, turn.action)) is not None:
            return (instead,)
        if turn.end is not TurnEnd.OK:
            return (self.referee.prepare_failed(seat, turn.end, turn.detail),)
        try:
            return (self.referee.prepare_text(turn.action, seat, n),)
        except ManhuntError as error:
            return (self.referee.prepare_failed(seat, TurnEnd.ILLEGAL, str(error)),)

    def _replay(self, texts: Sequence[str]) -> None:
        """Play what was stored, ply by ply."""
        self._moments = deque([self._now(self.referee.view(Seat.SPECTATOR))], DELAY_PLIES + 1)
        """What spectators see later, where they see it later; the oldest is what they see now."""
        self.movers: list[Seat] = []
        """The seat that made each ply."""
        self._seconds: list[float | None] = []
        clock = self.referee.clock
        for ply, text in enumerate(texts, 1):
            clock.run(self.referee.to_act, is_charged=False)
            self._commit(prepare_stored(self.referee, text, self.plan.faults.get(ply), self.plan.seconds_used.get(ply)))
            self._remember(self.referee.view(Seat.SPECTATOR))

    def _texts(self) -> list[str]:
        return [self.game.format_action(self.plan.config, action) for action in self.referee.actions]

    def _faults(self) -> dict[int, Fault]:
        return {fault.ply + 1: fault for fault in self.referee.faults if fault.ply is not None}

    async def go_back(self, to: int | Sequence[KeptMove], taken_back: TakenBack) -> None:
        """Only the first plies, or these, have happened; what came after is forgotten by everybody. Part of `in_turn`.

        A long game takes a while to be played again, so a thread does that.
        """
        if isinstance(to, int):
            texts = self._texts()[:to]
            faults = self._faults()
            used = {ply: seconds for ply, seconds in enumerate(self._seconds, 1) if seconds is not None}
        else:
            texts = [move.notation for move in to]
            faults = {move.ply: fault for move in to if (fault := _fault_of(move)) is not None}
            used = {move.ply: move.seconds for move in to if move.seconds is not None}
        before: dict[str, Any] = {"faults": faults, "seconds_used": used, "setup": self.referee.setup}
        plan = replace(self.plan, actions=tuple(texts), **before)
        again = await asyncio.to_thread(lambda: replace(self, plan=plan, referee=make_referee(plan, self.clock)))
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        self.release_agents()
        self.turns.taken_back = taken_back
        self.referee.unregister(self._moved)
        self.plan = replace(self.plan, **before)
        self.referee, self.movers = again.referee, again.movers
        self._seconds, self._moments = again._seconds, again._moments
        self.referee.names = dict(self.plan.seats)
        self.referee.register(self._moved)
        self.kept.clear()
        self.turns.draft = None
        self.turns.forget()
        self.turns.run_clock()
        for listener in list(self.listeners):
            listener.rewound(self)
        self.tell_status()
        if self.people is not None:
            self.people.moved(self)
        self.go_on()

    def _moved(self, notice: Notice) -> None:
        self.kept.clear()
        self.kept["view", Seat.SPECTATOR] = notice.view
        self.used_at = time.monotonic()
        self._remember(notice.view)
        had_status = self.turns.request is not None or self.turns.is_timed
        self.turns.forget()
        self.turns.run_clock()
        if notice.over:
            self.release_agents()
        self.tell_moved()
        if had_status:
            self.tell_status()
        if self.people is not None:
            self.people.moved(self)
        self.go_on()

    def tell_moved(self) -> None:
        for listener in list(self.listeners):
            listener.moved(self)

    def tell_seat(self, seat: Seat) -> None:
        """Something that one seat alone may know has changed."""
        for what in ("observe", "scene", "go"):
            self.kept.pop((what, seat), None)
        self.used_at = time.monotonic()
        for listener in [each for each in self.listeners if each.seat is seat]:
            listener.moved(self)

    def tell_status(self) -> None:
        for listener in [each for each in self.listeners if each.seat in PLAYERS]:
            listener.status(self)

    def seat_people(self, seats: Mapping[Seat, str]) -> None:
        """Places have changed hands; `seats` are written as in the plan."""
        self.plan = replace(self.plan, seats=dict(seats))
        self.referee.names = dict(seats)
        self.kept.clear()
        self.turns.seats_changed()
        self.turns.run_clock(is_new=False)
        for listener in list(self.listeners):
            listener.seated(self)
        self.go_on()

    def _remember(self, view: View) -> None:
        if self.plan.spectators is SpectatorPolicy.DELAYED:
            self._moments.append(self._now(view))

    def _now(self, view: View) -> Moment:
        return Moment(self.referee.n_events, view, self.game.round_of(self.referee.state))

    def view(self, seat: Seat) -> View:
        """What a seat may see, made once a moment."""
        if ("view", seat) not in self.kept:
            self.kept["view", seat] = self.referee.view(seat)
        view: View = self.kept["view", seat]
        return view

    def finished(self, record: Record) -> FinishedGame:
        """The game when it is over, as the store keeps it."""
        evader, pursuers = (self.plan.seats[seat] for seat in PLAYERS)
        facts = (record.game, evader, pursuers, record.seed_number, str(record.outcome))
        return FinishedGame(self.uid, *facts, len(record.rounds), len(record.actions), record.format())


def make_referee(plan: GamePlan, clock: ServerClock | None = None) -> Referee:
    """The referee of a new game; people who have a clock are charged by it."""
    names = {seat: plan.seats[seat] for seat in PLAYERS}
    control = plan.options.time_control
    referee = Referee(
        plan.game, plan.config, seed=plan.seed, setup=plan.setup, names=names, nonce=plan.nonce, time_control=control
    )
    if clock is not None:
        referee.clock.timer = clock.now
    return referee


def _fault_of(move: KeptMove) -> Fault | None:
    return None if move.fault is None else fault_from_json(move.fault)
