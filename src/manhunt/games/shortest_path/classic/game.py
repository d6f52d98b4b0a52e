"""One game of the classic server: two clients, one referee, and nothing shared with other games."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from manhunt.core.errors import BadBoard, IllegalAction
from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Termination
from manhunt.core.turns import TurnEnd
from manhunt.games.shortest_path.classic.connection import DROPPED, Arrived, ClassicConnection
from manhunt.games.shortest_path.classic.protocol import BadClassicMessage, Role, failure, layout, parse_move, update
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import cost_of, edge_index
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee

TIME_OVER, BAD_MESSAGE, NO_MOVES = "time over", "a bad message", "no moves left"

Clients = Mapping[Role, ClassicConnection]
Tell = Callable[[dict[str, Any], str], None]
"""Called with everything that both sides are told, and the same as a line for people."""


class Failure(NamedTuple):
    """A side that ended the game by an error: `reason` for all, `detail` for that side and the server's own lines."""

    role: Role
    reason: str
    detail: str = ""

    @property
    def words(self) -> str:
        return f"the {self.role.called} forfeits: {self.reason}"


class ClassicGame:
    """Paragraphs 7 to 12 for one pair."""

    def __init__(
        self, number: int, game: AnyGame, config: ShortestPathConfig, clients: Clients, bank_seconds: float, tell: Tell
    ) -> None:
        self.number, self.config, self.clients, self._tell = number, config, clients, tell
        names = {role.seat: client.name for role, client in clients.items()}
        self.referee = Referee(game, config, time_control=TimeControl(bank_seconds=bank_seconds), names=names)
        self.end = "unfinished"
        """How it ended, in words."""

    async def play(self) -> None:
        """From the layout to the last update."""
        words = layout(self.config)
        await asyncio.gather(*(client.send_layout(words) for client in self.clients.values()))
        role = Role.PLAYER
        while not self.referee.over:
            arrived = await self._await_move(role)
            made = self._take(role, arrived) if isinstance(arrived, Arrived) else arrived
            if isinstance(made, Failure):
                why = TurnEnd.TIMEOUT.why if made.reason == TIME_OVER else "error"
                self.referee.forfeit(made.role.seat, why, made.detail or made.reason)
                await self._fail(made)
                return
            await self._say(*made)
            role = Role.ADVERSARY if role is Role.PLAYER else Role.PLAYER
        if self._is_forfeit():
            await self._say_out_of_moves()
        else:
            self.end = f"the traveller arrives and pays {self.referee.state.total:g}"

    async def abandon(self, reason: str) -> None:
        """By nobody's fault the game cannot go on; both are told."""
        if not self.referee.over:
            to_act = Role.PLAYER if self.referee.to_act is Seat.EVADER else Role.ADVERSARY
            self.end = f"given up: {reason}"
            await self._say(failure(to_act, self._position(), message=reason), self.end)

    async def _await_move(self, role: Role) -> Arrived | Failure:
        """The next object of this side, unless its time runs out or somebody drops before it comes."""
        mover, other = self.clients[role], self.clients[Role(1 - role)]
        allowed = self.referee.clock.allowance(role.seat)
        assert allowed is not None
        if mover.inbox.empty():
            getting = asyncio.ensure_future(mover.inbox.get())
            until = mover.ready_at + allowed - asyncio.get_running_loop().time()
            watched: set[asyncio.Future[Any]] = {getting, mover.gone, other.gone}
            try:
                await asyncio.wait(watched, timeout=max(until, 0.0), return_when=asyncio.FIRST_COMPLETED)
                if getting.done():
                    return getting.result()
            finally:
                getting.cancel()
        if not mover.inbox.empty():
            return mover.inbox.get_nowait()
        if mover.gone.done():
            return _dropped(role, mover)
        if other.gone.done():
            return _dropped(Role(1 - role), other)
        return self._time_over(role)

    def _take(self, role: Role, arrived: Arrived) -> tuple[dict[str, Any], str] | Failure:
        """Charge the clock and make the move; returns the update and its line."""
        used = max(0.0, arrived.at - self.clients[role].ready_at)
        if not self.referee.clock.charge(role.seat, used):
            return self._time_over(role)
        try:
            ends = parse_move(role, arrived.message)
        except BadClassicMessage as error:
            return Failure(role, BAD_MESSAGE, str(error))
        cost = self._submit(ends)
        done = self.referee.over and not self._is_forfeit()
        message = update(role, ends, self._position(), cost, done=done)
        return message, self._line(role, message, cost)

    def _submit(self, ends: tuple[str, str]) -> float:
        """Paragraph 4: a move that names no usable edge is an empty one, and costs 0."""
        action = self._action(ends)
        try:
            self.referee.submit(action)
        except IllegalAction:
            action = EmptyMove()
            self.referee.submit(action)
        if isinstance(action, EmptyMove):
            return 0.0
        edge = edge_index(self.config.board)[action.start, action.to]
        return cost_of(self.config, self.referee.state.raises, edge)

    def _action(self, ends: tuple[str, str]) -> ShortestPathAction:
        try:
            return OnEdge(self.config.board.node(ends[0]), self.config.board.node(ends[1]))
        except BadBoard:
            return EmptyMove()

    async def _say_out_of_moves(self) -> None:
        """Paragraph 5: whoever is to move and has no moves left ends the game with an error."""
        outcome = self.referee.outcome
        assert outcome is not None
        role = Role.PLAYER if outcome.winner is Side.PURSUERS else Role.ADVERSARY
        await self._fail(Failure(role, NO_MOVES))

    def _time_over(self, role: Role) -> Failure:
        return Failure(role, TIME_OVER, f"more than {self.referee.clock.control.bank_seconds:g} s of thinking")

    async def _fail(self, made: Failure) -> None:
        self.end = made.words
        line = f"{made.words} ({made.detail})" if made.detail else made.words
        await self._say(failure(made.role, self._position(), reason=made.words), line)

    async def _say(self, message: dict[str, Any], line: str) -> None:
        self._tell(message, line)
        await asyncio.gather(*(client.send(message) for client in self.clients.values()))

    def _line(self, role: Role, message: dict[str, Any], cost: float) -> str:
        a, b = message["edge"]
        if not cost:
            return f"{role.called} {a}-{b} (no such edge here: an empty move)"
        if role is Role.ADVERSARY:
            return f"adversary {a}-{b} costs {cost:g} now"
        arrived = ", arrived" if message["done"] else ""
        return f"traveller {a}-{b} for {cost:g}, {self.referee.state.total:g} in all{arrived}"

    def _is_forfeit(self) -> bool:
        outcome = self.referee.outcome
        return outcome is not None and outcome.termination is Termination.FORFEIT

    def _position(self) -> str:
        return self.config.board.label(self.referee.state.quarry)


def _dropped(role: Role, client: ClassicConnection) -> Failure:
    """A connection that ended, by itself or by what came over it."""
    why = client.gone.result()
    return Failure(role, DROPPED) if why == DROPPED else Failure(role, BAD_MESSAGE, why)
