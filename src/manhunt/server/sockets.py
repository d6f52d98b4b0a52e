"""One WebSocket a seat or spectator: what comes in, and a bounded queue of what goes out."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.server import wire
from manhunt.server.addresses import Bucket, client_address
from manhunt.server.board_images import board_of
from manhunt.server.errors import NotFound, store_words
from manhunt.server.rooms import Forbidden, GameRoom, Holder, NoSuchGame
from manhunt.server.settings import Limits
from manhunt.server.site import Site, site_of
from manhunt.store.connect import BadStore

HELLO_SECONDS = 10.0
CLOSE_FORBIDDEN, CLOSE_UNKNOWN, CLOSE_TOO_MUCH, CLOSE_BAD, CLOSE_SLOW = 4403, 4404, 4429, 4400, 4408
GOING_AWAY, TRY_AGAIN_LATER = 1001, 1013
MOST_MISTAKES = 20
REWOUND = '{"t":"rewound"}'
"""What was heard so far does not count; everything is said again."""


class Outbox:
    """What waits to be sent, in order. One that fills up is closed: its reader is too slow."""

    def __init__(self, websocket: WebSocket, most: int) -> None:
        self._websocket, self._most = websocket, most
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()
        self._code: int | None = None
        self._is_alone = False
        self.abandon: Callable[[], object] | None = None
        """What to do about a reader that is too slow: it may never take the message that is being sent."""

    def put(self, text: str) -> None:
        if self._code is None:
            if len(self._waiting) >= self._most:
                self.close(CLOSE_SLOW)
                return
            self._waiting.append(text)
            self._news.set()

    def close(self, code: int) -> None:
        """End after what is waiting now; a slow reader gets no more of it."""
        if self._code is None:
            self._code = code
            self._news.set()
            if code == CLOSE_SLOW:
                self._waiting.clear()
                if self.abandon is not None:
                    self.abandon()

    def end(self) -> None:
        """Nobody is at the other end any more."""
        self._waiting.clear()
        self._is_alone = True
        self._news.set()

    async def run(self) -> None:
        while not self._is_alone:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                await self._websocket.send_text(self._waiting.popleft())
            if self._code is not None:
                await self._websocket.close(self._code)
                return


class SeatConnection:
    """A listener of a room at the other end of a socket."""

    def __init__(self, room: GameRoom, holder: Holder, since: int, outbox: Outbox, hello: wire.PageHello) -> None:
        self.room, self.holder, self._outbox, self._hello = room, holder, outbox, hello
        self.v = min(since, room.referee.n_events)
        self.digest: str | None = None
        """Of the board."""
        self._knows_it_is_closed = False

    @property
    def seat(self) -> Seat:
        return self.holder.seat

    def begin(self, room: GameRoom) -> None:
        """Everything from the start: the game, what happened, what is on offer."""
        self._outbox.put(wire.new_message(room, self.digest, self.holder))
        self.moved(room)
        if room.plan.table:
            self.status(room)

    def seated(self, room: GameRoom) -> None:
        """Begins anew where another seat was given to whoever is here."""
        before, self.holder = self.holder, self._holder_now(room)
        if self.seat is not before.seat:
            self.v, self._knows_it_is_closed = 0, False
            self._outbox.put(REWOUND)
        self.begin(room)

    def _holder_now(self, room: GameRoom) -> Holder:
        """A spectator, where the seat that this socket spoke for was given away, or its person is gone."""
        token = self._hello.token
        for seat in (self._hello.seat and Seat(self._hello.seat), None):
            with contextlib.suppress(Forbidden):
                return room.holder_of(token, seat)
        return room.holder_of(None)

    def rewound(self, room: GameRoom) -> None:
        """Who may not look does not hear of it."""
        if room.moment(self.seat) is not None:
            self.v = 0
            self._outbox.put(REWOUND)
            self.begin(room)

    def status(self, room: GameRoom) -> None:
        if self.seat in PLAYERS:
            self._outbox.put(wire.status_message(room))

    def moved(self, room: GameRoom) -> None:
        if room.moment(self.seat) is None:  # who may not look does not hear either how often somebody moves
            if self._knows_it_is_closed:
                return
            self._knows_it_is_closed = True
        self.v, text = wire.observe_message(room, self.seat, self.v)
        self._outbox.put(text)
        go = wire.go_message(room, self.seat)
        if go is not None:
            self._outbox.put(go)

    def presence(self, there: Mapping[str, bool]) -> None:
        self._outbox.put(wire.encode({"t": "presence", "seats": dict(there)}))


Hearing = Callable[[Site, Outbox], Coroutine[Any, Any, None]]
"""What is done with the messages of a socket; it ends when they end, or raises why."""


async def serve(websocket: WebSocket, uid: str) -> None:
    """A connection from its first to its last message."""
    await serve_socket(websocket, lambda site, outbox: _hear(websocket, site, uid, outbox))


async def serve_socket(websocket: WebSocket, hear: Hearing, most_at_first: int = 0) -> None:
    """Listens and sends at the same time, until one of them ends; `most_at_first` is what a newcomer is told."""
    site = site_of(websocket)
    await websocket.accept()
    outbox = Outbox(websocket, site.settings.limits.waiting_messages + most_at_first)
    sending = asyncio.get_running_loop().create_task(outbox.run())
    outbox.abandon = sending.cancel
    hearing = asyncio.get_running_loop().create_task(_hear_out(hear, site, outbox))
    try:
        await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        if hearing.done() and not sending.done():
            await asyncio.wait({sending}, timeout=HELLO_SECONDS)
    finally:
        outbox.abandon = None  # else task and outbox hold each other, and wait for the garbage collector
        for task in (sending, hearing):
            task.cancel()
        for result in await asyncio.gather(sending, hearing, return_exceptions=True):
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError | OSError):
                raise result


async def _hear_out(hear: Hearing, site: Site, outbox: Outbox) -> None:
    try:
        await hear(site, outbox)
    except BadStore as error:
        _refuse(outbox, store_words(error), TRY_AGAIN_LATER)
    except ManhuntError as error:
        _refuse(outbox, str(error), next((code for kind, code in _CODES if isinstance(error, kind)), CLOSE_BAD))
    except TimeoutError:
        _refuse(outbox, "no hello received; send one first", CLOSE_BAD)
    except WebSocketDisconnect:
        outbox.end()


async def _hear(websocket: WebSocket, site: Site, uid: str, outbox: Outbox) -> None:
    connection = await _join(websocket, site, uid, outbox)
    try:
        await _talk(websocket, site, connection, outbox)
    finally:
        connection.room.leave(connection)


class TooMuch(ManhuntError):
    """More messages than anybody needs."""


_CODES = (
    (Forbidden, CLOSE_FORBIDDEN),
    (NoSuchGame, CLOSE_UNKNOWN),
    (NotFound, CLOSE_UNKNOWN),
    (TooMuch, CLOSE_TOO_MUCH),
)


def _refuse(outbox: Outbox, what: str, code: int) -> None:
    outbox.put(wire.encode({"t": "error", "what": what}))
    outbox.close(code)


async def _join(websocket: WebSocket, site: Site, uid: str, outbox: Outbox) -> SeatConnection:
    async with asyncio.timeout(HELLO_SECONDS):
        hello = wire.decode(await receive(websocket, site.settings.limits))
    if not isinstance(hello, wire.PageHello):
        raise wire.BadPageMessage("the first message must be a hello")
    room = await site.rooms.find(uid)
    holder = room.holder_of(hello.token, hello.seat and Seat(hello.seat))
    board = board_of(room.game, room.plan.config)
    connection = SeatConnection(room, holder, hello.since, outbox, hello)
    connection.digest = site.boards.remember(board) if board is not None else None
    connection.begin(room)
    room.join(connection)
    return connection


async def _talk(websocket: WebSocket, site: Site, connection: SeatConnection, outbox: Outbox) -> None:
    limits, address = site.settings.limits, client_address(websocket)
    bucket, n_mistakes = Bucket(limits.messages_per_second, limits.message_burst), 0
    while True:
        data = await receive(websocket, limits)
        if not bucket.take():
            raise TooMuch(f"more than {limits.messages_per_second:g} messages a second")
        try:
            message = wire.decode(data)
            if isinstance(message, wire.PagePing):
                outbox.put('{"t":"pong"}')
            elif isinstance(message, wire.PageHello):
                raise wire.BadPageMessage("a second hello; open another socket for another seat")
            else:
                if isinstance(message, wire.PageTakeBack | wire.PageAnswer):
                    site.addresses.take_take_back(address)
                await take(connection.room, connection.holder, message)
        except ManhuntError as error:
            n_mistakes += 1
            if n_mistakes > MOST_MISTAKES:
                raise
            outbox.put(wire.encode({"t": "error", "what": " ".join(str(error).split())}))


async def take(room: GameRoom, holder: Holder, message: wire.PageTurn) -> None:
    """What somebody wants to do in the game; ManhuntError if it is refused."""
    turns = room.turns
    match message:
        case wire.PageMove():
            await turns.play(holder, message.n, message.action)
        case wire.PageUndo():
            await turns.undo(holder, message.place)
        case wire.PageConfirm():
            await turns.confirm(holder)
        case wire.PageUnconfirm():
            await turns.confirm(holder, yes=False)
        case wire.PageTakeBack():
            await turns.take_back(holder)
        case wire.PageAnswer():
            await turns.answer(holder, message.yes)
        case wire.PageResign():
            await room.resign(holder.seat)


async def receive(websocket: WebSocket, limits: Limits) -> str | bytes:
    message = await websocket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", GOING_AWAY))
    data: str | bytes | None = message.get("text")
    if data is None:
        data = message.get("bytes") or b""
    if len(data) > limits.message_bytes:
        raise TooMuch(f"message too long: {len(data)} bytes (max {limits.message_bytes})")
    return data
