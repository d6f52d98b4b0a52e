"""A room: one game that is being played, in which the referee alone has the truth."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from manhunt.agents.turns import TurnEnd
from manhunt.errors import IllegalAction, ManhuntError
from manhunt.games.base import AnyGame, Setup, View
from manhunt.ids import PLAYERS, Seat
from manhunt.play.record import Record
from manhunt.play.referee import Referee, seeded
from manhunt.server import agent_turns
from manhunt.server.durable import Ledger, NotStored
from manhunt.server.limits import PERSON
from manhunt.server.seats import SeatLog, seat_of
from manhunt.server.workers import NoWorkers, Pool
from manhunt.store.games import FinishedGame

SEED_BOUND = 2**53
"""Seeds are below this: every program that reads JSON takes them as they are."""
DELAY_PLIES = 4
RETRY_SECONDS = 5.0
RESIGN, GAVE_UP = "resign", "gave up"
"""What everybody hears of a player who gives up, and what the record says."""
__all__ = ["PERSON", "Forbidden", "Moment", "NoSuchGame", "Plan", "Room", "Spectators", "finished"]
LOG = logging.getLogger("manhunt.server")


class Spectators(Enum):
    """What those who hold no seat may see before the game is over."""

    LIVE = "live"
    DELAYED = "delayed"
    NEVER = "never"


class Forbidden(ManhuntError):
    """A token that holds no seat here, or something that this seat may not do."""


class NoSuchGame(ManhuntError):
    """No running or finished game has this name."""


@dataclass(frozen=True)
class Plan:
    """A game about to be begun. `actions` are played before anybody is asked (a branch of another game)."""

    game: AnyGame
    config: Any
    seats: Mapping[Seat, str]
    """`person`, or an agent's spec."""
    seed: int
    setup: Setup | None = None
    seconds: float = 1.0
    spectators: Spectators = Spectators.LIVE
    actions: tuple[str, ...] = ()
    address: str = ""
    """Who asked for it, for the limits."""


def new_seed() -> int:
    """One that nobody can guess: the deal comes from it."""
    return secrets.randbelow(SEED_BOUND)


class Listener(Protocol):
    """A socket, as a room sees it."""

    @property
    def seat(self) -> Seat: ...

    def moved(self, room: Room) -> None:
        """Something happened."""

    def presence(self, there: Mapping[str, bool]) -> None: ...


@dataclass
class Moment:
    """What one seat knew after some ply."""

    v: int
    view: View


@dataclass
class Room:
    """One game. Whatever changes it happens on the event loop, one thing at a time."""

    uid: str
    plan: Plan
    referee: Referee
    hashes: dict[Seat, str]
    ledger: Ledger
    pool: Pool
    created_at: float = field(default_factory=time.time)
    listeners: set[Listener] = field(default_factory=set)
    used_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.game = self.plan.game
        self.openings: dict[Seat, View] = {
            seat: self.game.view(self.referee.state, seat) for seat in (*PLAYERS, Seat.SPECTATOR)
        }
        self.kept: dict[Any, Any] = {}
        """What was made for the present moment, by those who make it; emptied by every move."""
        self._moments: list[Moment] = [self._now()]
        for text in self.plan.actions:
            self.referee.submit(self.game.parse_action(self.plan.config, text))
            self._remember()
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

    def seat_of(self, token: str | None) -> Seat:
        seat = seat_of(token, self.hashes)
        if seat is None:
            raise Forbidden("this token holds no seat of this game; open the link that was given to you")
        return seat

    def moment(self, seat: Seat) -> Moment | None:
        """What this seat may see now; None for spectators who may not."""
        policy = self.plan.spectators
        if seat is not Seat.SPECTATOR or self.over or policy is Spectators.LIVE:
            return Moment(self.referee.n_events, self._view(seat))
        return self._moments[0] if policy is Spectators.DELAYED else None

    def log(self, seat: Seat) -> SeatLog:
        """All that this seat may know; Forbidden for spectators who may not look."""
        moment = self.moment(seat)
        if moment is None:
            raise Forbidden("spectators see this game when it is over")
        events = self.referee.events_for(seat)[: moment.v]
        return SeatLog(self.game.name, seat, self.openings[seat], events, moment.view)

    async def move(self, seat: Seat, n: int, text: str, acknowledge: Callable[[], object] | None = None) -> None:
        """A move that a seat asks for: checked, stored, acknowledged, applied, told. Raises if it is refused.

        It goes on to its end when the caller is cancelled: a stored move must be applied.
        """
        await self._apart(self._move(seat, n, text, acknowledge))

    async def resign(self, seat: Seat) -> None:
        if self.plan.seats.get(seat) != PERSON:
            raise Forbidden("only a player can give up")
        await self.forfeit(seat, RESIGN, GAVE_UP)

    async def forfeit(self, seat: Seat, why: str, detail: str) -> None:
        await self._apart(self._forfeit(seat, why, detail))

    async def _apart(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        await asyncio.shield(task)

    async def _move(self, seat: Seat, n: int, text: str, acknowledge: Callable[[], object] | None) -> None:
        async with self._lock:
            self._check_turn(seat, n)
            action = self.game.parse_action(self.plan.config, text)
            after = self.game.apply_action(self.referee.state, action)
            await self._store(action, after)
            if acknowledge is not None:
                acknowledge()
            self.referee.submit(action, seat)
            self._moved()

    async def _forfeit(self, seat: Seat, why: str, detail: str) -> None:
        async with self._lock:
            if self.over:
                raise IllegalAction("the game is over")
            ended = _copy(self)
            ended.forfeit(seat, why, detail)
            await self.ledger.finish(finished(self, ended.record()))
            self.referee.forfeit(seat, why, detail)
            self._moved()

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
        self.used_at = time.monotonic()
        now = self.presence()
        for other in list(self.listeners) if now != before else [listener]:
            other.presence(now)

    def leave(self, listener: Listener) -> None:
        before = self.presence()
        self.listeners.discard(listener)
        self.used_at = time.monotonic()
        now = self.presence()
        if now != before:
            for other in list(self.listeners):
                other.presence(now)

    @property
    def idle(self) -> bool:
        """Nobody listens, and nothing is going on."""
        return not (self.listeners or self._work or self._thinking)

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
        seed = seeded(self.plan.seed, f"{seat.value}/{n}").getrandbits(63)  # tells nothing about the deal
        turn = await agent_turns.ask(self.pool, self.uid, spec, self.log(seat), self.plan.seconds, seed)
        if self.over:
            return
        try:
            if turn.end is TurnEnd.OK:
                await self.move(seat, n, turn.action)
                return
            end, detail = turn.end, turn.detail
        except NotStored:
            raise  # not the agent's fault
        except ManhuntError as error:
            end, detail = TurnEnd.ILLEGAL, str(error)
        instead = self.game.pass_by_rule(self.referee.state) if end is TurnEnd.ILLEGAL else None
        if instead is not None:
            await self.move(seat, n, self.game.format_action(self.plan.config, instead))
        else:
            await self.forfeit(seat, end.why, detail)

    def _check_turn(self, seat: Seat, n: int) -> None:
        if self.over:
            raise IllegalAction("the game is over; no action is legal")
        acting = self.referee.to_act
        if seat not in PLAYERS:
            raise Forbidden("it is not the turn of spectators; only a player moves")
        if seat is not acting:
            assert acting is not None
            raise IllegalAction(f"it is not the turn of {seat.value}; {acting.value} acts now")
        if n != self.n:
            raise IllegalAction(f"a move with n {n}; the game waits for {self.n}")

    async def _store(self, action: Any, after: Any) -> None:
        outcome = self.game.outcome(after)
        if outcome is None:
            await self.ledger.move(self.uid, self.n, self.game.format_action(self.plan.config, action))
        else:
            record = Record.of(
                self.game,
                self.plan.config,
                self.referee.setup,
                [*self.referee.actions, action],
                seed=self.plan.seed,
                names=self.referee.names,
                outcome=outcome,
            )
            await self.ledger.finish(finished(self, record))

    def _moved(self) -> None:
        self.kept.clear()
        self.used_at = time.monotonic()
        self._remember()
        if self.over:
            self.release_agents()
        for listener in list(self.listeners):
            listener.moved(self)
        self.go_on()

    def _remember(self) -> None:
        """What spectators see later, where they see it later."""
        if self.plan.spectators is Spectators.DELAYED:
            self._moments.append(self._now())
            del self._moments[: -DELAY_PLIES - 1]

    def _now(self) -> Moment:
        return Moment(self.referee.n_events, self.referee.view(Seat.SPECTATOR))

    def _view(self, seat: Seat) -> View:
        if ("view", seat) not in self.kept:
            self.kept["view", seat] = self.referee.view(seat)
        view: View = self.kept["view", seat]
        return view


def _copy(room: Room) -> Referee:
    """Another referee at the same position."""
    copy = Referee(room.game, room.plan.config, seed=room.plan.seed, setup=room.referee.setup, names=room.referee.names)
    for action in room.referee.actions:
        copy.submit(action)
    return copy


def finished(room: Room, record: Record) -> FinishedGame:
    """A game that is over, as the store keeps it."""
    seats = room.plan.seats
    return FinishedGame(
        room.uid,
        record.game,
        seats[Seat.EVADER],
        seats[Seat.PURSUERS],
        record.seed,
        str(record.outcome),
        len(record.rounds),
        len(record.actions),
        record.format(),
    )
