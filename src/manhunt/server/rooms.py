"""A room: one game that is being played, in which the referee alone has the truth."""

import asyncio
import hashlib
import hmac
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import ManhuntError
from manhunt.core.game import AnyGame, Setup, View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.seeds import Seed, seeded
from manhunt.core.turns import TurnEnd
from manhunt.play.fault import Fault
from manhunt.play.record import Record
from manhunt.play.referee import Notice, PendingPly, Referee
from manhunt.server import agent_turns
from manhunt.server.durable import GameWriter, NotStored
from manhunt.server.limits import PERSON
from manhunt.server.table_options import TableOptions
from manhunt.store.games import FinishedGame
from manhunt.workers.pool import NoWorkers, WorkerPool

SEED_BOUND = 2**53
"""Seeds are below this: every program that reads JSON takes them as they are."""
DELAY_PLIES = 4
RETRY_SECONDS = 5.0
RESIGN, GAVE_UP = "resign", "gave up"
"""What everybody hears of a player who gives up, and what the record says."""
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

    def holder(self, token_hash: str) -> Holder | None:
        """Who shows this token; None for somebody unknown. A person without a place is a spectator."""

    def members(self, seat: Seat) -> Mapping[int, frozenset[str]]:
        """The people on a seat, each with the places they hold; empty where agents alone play."""

    def name(self, person: int) -> str: ...


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

    def __post_init__(self) -> None:
        self.game = self.plan.game
        self.openings: dict[Seat, View] = {
            seat: self.game.view(self.referee.state, seat) for seat in (*PLAYERS, Seat.SPECTATOR)
        }
        self.people: People | None = None
        """Those at its table; a game without a table knows the tokens of seats alone."""
        self.kept: dict[Any, Any] = {}
        """What was made for the present moment, by those who make it; emptied by every move."""
        self._moments = deque([self._now(self.referee.view(Seat.SPECTATOR))], DELAY_PLIES + 1)
        """What spectators see later, where they see it later; the oldest is what they see now."""
        for text in self.plan.actions:
            self.referee.commit(self._replayed(text))
            self._remember(self.referee.view(Seat.SPECTATOR))
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._work: set[asyncio.Task[None]] = set()

    @property
    def n(self) -> int:
        """The number of the ply that is to be played."""
        return len(self.referee.actions) + 1

    @property
    def over(self) -> bool:
        return self.referee.over

    @property
    def thinking(self) -> Seat | None:
        """The agent's seat that is to move."""
        seat = self.referee.to_act
        return seat if seat is not None and self.plan.seats[seat] != PERSON else None

    def start(self) -> None:
        """Listen to the referee, and let the agents think; to be called once, on the event loop."""
        self.referee.register(self._moved)
        self.go_on()

    def holder_of(self, token: str | None) -> Holder:
        """Who shows a secret token; spectators have none."""
        if token is None:
            return Holder(Seat.SPECTATOR)
        shown = hash_of(token)
        found = [Holder(seat) for seat, kept in self.hashes.items() if hmac.compare_digest(kept, shown)]
        known = found[0] if found else self.people and self.people.holder(shown)
        if not known:
            raise Forbidden("this token holds no seat of this game; open the link that was given to you")
        return known

    def seat_of(self, token: str | None) -> Seat:
        return self.holder_of(token).seat

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

    async def move(self, seat: Seat, n: int, text: str) -> None:
        """A move that a seat asks for. Raises if it is refused, or if it could not be stored."""
        await self._happen(lambda: self.referee.prepare_text(text, seat, n))

    async def resign(self, seat: Seat) -> None:
        if self.plan.seats.get(seat) != PERSON:
            raise Forbidden("only a player can give up")
        await self._happen(lambda: self.referee.prepare_forfeit(seat, RESIGN, GAVE_UP))

    async def _happen(self, prepare: Callable[[], PendingPly | None]) -> None:
        """Check it, store it, make it happen. Goes on to its end when the caller is cancelled: a stored ply happens."""
        task = asyncio.get_running_loop().create_task(self._store_and_commit(prepare))
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        await asyncio.shield(task)

    async def _store_and_commit(self, prepare: Callable[[], PendingPly | None]) -> None:
        async with self._lock:
            pending = prepare()
            if pending is None:
                return
            if pending.outcome is None:
                text = self.game.format_action(self.plan.config, pending.action)
                await self.writer.move(self.uid, pending.ply, text, pending.fault)
            else:
                await self.writer.finish(self.finished(self.referee.record(pending)))
            self.referee.commit(pending)

    def go_on(self) -> None:
        """Let an agent think, if one is to move and does not do so yet."""
        seat = self.thinking
        if seat is not None and self._thinking is None:
            self._thinking = asyncio.get_running_loop().create_task(self._think(seat))

    def presence(self) -> dict[str, bool]:
        there = {listener.seat for listener in self.listeners}
        return {seat.value: seat in there or self.plan.seats[seat] != PERSON for seat in PLAYERS}

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
        return not (self.listeners or self._work or self._thinking)

    def release(self) -> None:
        """Before it leaves the memory: room and referee hold each other no more, and workers forget its agents."""
        self.referee.unregister(self._moved)
        self.release_agents()

    def release_agents(self) -> None:
        """Nobody need remember which worker has them; whoever asks again makes them anew from their logs."""
        for seat in PLAYERS:
            self.pool.forget((self.uid, seat))

    async def close(self) -> None:
        """Stop thinking; what is being stored is brought to its end."""
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
            self._thinking = None

    async def _turn(self, seat: Seat) -> None:
        spec, n = self.plan.seats[seat], self.n
        seed = seeded(self.plan.seed, f"{seat.value}/{n}").getrandbits(63)
        log, seconds, owner = self.log(seat), self.plan.seconds, self.plan.address
        turn = await agent_turns.ask(self.pool, self.uid, spec, log, seconds, seed, owner)
        await self._happen(lambda: self._judged(seat, n, turn))

    def _judged(self, seat: Seat, n: int, turn: agent_turns.AgentTurn) -> PendingPly | None:
        """What the referee makes of an agent's turn; None if the game has ended meanwhile."""
        if self.over:
            return None
        if turn.end is not TurnEnd.OK:
            return self.referee.prepare_failed(seat, turn.end, turn.detail)
        try:
            return self.referee.prepare_text(turn.action, seat, n)
        except ManhuntError as error:
            return self.referee.prepare_failed(seat, TurnEnd.ILLEGAL, str(error))

    def _replayed(self, text: str) -> PendingPly:
        """A ply that was stored, also one that stood for a failed turn."""
        fault = self.plan.faults.get(self.n)
        if fault is None or fault.seat is None or fault.end is None:
            return self.referee.prepare_text(text)
        return self.referee.prepare_failed(fault.seat, fault.end, fault.detail)

    def _moved(self, notice: Notice) -> None:
        self.kept.clear()
        self.kept["view", Seat.SPECTATOR] = notice.view
        self.used_at = time.monotonic()
        self._remember(notice.view)
        if notice.over:
            self.release_agents()
        for listener in list(self.listeners):
            listener.moved(self)
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
